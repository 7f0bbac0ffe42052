// SPDX-License-Identifier: Apache-2.0
//
// The memory subsystem: who gets the ports of SBUF and PSUM and the DRAM port, the pipelines of
// narrow reads, and the DRAM request register.
//
// Narrow requesters are engines 0 to 4 and the DMA unit, 5.  One holds req_i until gnt_o; both are
// in the same cycle when it is its turn.  A write is done at its grant.  A read is answered once,
// with rsp_o and its word:
//
//   SBUF, PSUM   t grant, row is read · t+1 s1: word leaves the row · t+2 rsp_o
//   DRAM         t grant · t+1 dram_valid_o, held until dram_ready_i · h hand-over ·
//                h + DRAM_LATENCY rsp_o; the answer is registered here, so the port delivers it one
//                cycle earlier
//
// Vector units, index 0 POOL and 1 DVE: a unit holds v_w_* until v_w_gnt_o, and stands still
// without.  v_beat_o with the ports in v_r_* is issued in the cycle of v_issue_o, the rows are at
// the RAM's outputs from the next cycle on.  No row is read while a unit stands still with a beat
// in X0.
//
// Requesters of a memory in cyclic order from *_rr_q, clients of its row ports in cyclic order from
// *_w_rr_q and *_r_rr_q.  dram_ready_i and dram_r*_i feed registers only.
// Facts: docs/reference/timing.md "Arbitration", docs/reference/vector.md "Ports".
module tpb_mem
  import tpb_pkg::*;
  import tpb_addr_pkg::*;
#(
  parameter int unsigned SbufPartBytes = 229376,
  parameter int unsigned Lanes = 32,
  parameter int unsigned SbufWidth = 17,
  parameter int unsigned PsumWidth = 13
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  // Narrow requesters.
  input  mem_t     [5:0]       req_i,
  input  access_t  [5:0]       acc_i,
  input  logic     [4:0][63:0] wdata_i,
  output logic     [5:0]       gnt_o,
  output logic     [5:0]       rsp_o,
  output logic     [5:0][63:0] rdata_o,
  output logic                 active_o,
  // Write of the DMA unit; what is on index 5 above are its reads.  In one memory it asks for one.
  input  mem_t                 dma_w_req_i,
  input  access_t              dma_w_acc_i,
  input  logic [63:0]          dma_w_data_i,
  output mem_t                 dma_gnt_o,
  // Vector units: the beat at the issue stage, bit 0 of a pair for R0, bit 1 for R1.
  input  logic [1:0]           v_beat_i,
  input  logic [1:0][1:0]      v_r_sbuf_i,
  input  logic [1:0]           v_r_psum_i,   // of DVE
  input  logic [1:0][1:0][19:0] v_row_i,
  input  logic [1:0]           v_x0_i,       // X0 holds a beat
  output logic [1:0]           v_issue_o,
  // Vector units: W.
  input  logic [1:0]           v_w_sbuf_i,
  input  logic                 v_w_psum_i,   // of DVE
  input  logic [1:0][19:0]     v_w_row_i,
  input  logic [1:0][6:0]      v_w_lane_i,
  input  logic [1:0][2:0]      v_w_off_i,
  input  logic [1:0][1:0]      v_w_log_i,
  output logic [1:0]           v_w_gnt_o,
  // SBUF.
  output logic [1:0]           sbuf_r_en_o,
  output logic [1:0][SbufWidth-1:0] sbuf_r_row_o,
  output logic                 sbuf_sel_en_o,
  output logic [6:0]           sbuf_sel_lane_o,
  input  logic [63:0]          sbuf_word_i,
  output logic [1:0]           sbuf_w_unit_o,
  output logic                 sbuf_w_narrow_o,
  output logic [SbufWidth-1:0] sbuf_w_row_o,
  output logic [6:0]           sbuf_w_lane_o,
  output logic [7:0]           sbuf_w_mask_o,
  output logic [63:0]          sbuf_w_word_o,
  output logic [2:0]           sbuf_w_off_o,
  // PSUM; DVE and the DMA unit write.
  output logic [1:0]           psum_r_en_o,
  output logic [1:0][PsumWidth-1:0] psum_r_row_o,
  output logic                 psum_sel_en_o,
  output logic [6:0]           psum_sel_lane_o,
  input  logic [63:0]          psum_word_i,
  output logic                 psum_w_en_o,
  output logic                 psum_w_narrow_o,
  output logic [PsumWidth-1:0] psum_w_row_o,
  output logic [6:0]           psum_w_lane_o,
  output logic [7:0]           psum_w_mask_o,
  output logic [63:0]          psum_w_word_o,
  // DRAM port.
  output logic                 dram_valid_o,
  input  logic                 dram_ready_i,
  output logic                 dram_we_o,
  output logic [32:0]          dram_addr_o,
  output logic [63:0]          dram_wdata_o,
  output logic [7:0]           dram_mask_o,
  output logic [2:0]           dram_id_o,
  input  logic                 dram_rvalid_i,
  input  logic [2:0]           dram_rid_i,
  input  logic [63:0]          dram_rdata_i,
  // Narrow writes to SBUF and to PSUM that take effect at the end of this cycle, unified byte
  // address.
  output logic                 mon_w_valid_o,
  output logic [36:0]          mon_w_addr_o,
  output logic [63:0]          mon_w_data_o,
  output logic [7:0]           mon_w_mask_o,
  output logic                 mon_p_valid_o,
  output logic [36:0]          mon_p_addr_o,
  output logic [63:0]          mon_p_data_o,
  output logic [7:0]           mon_p_mask_o
);

  logic [2:0]  sbuf_rr_q /*verilator public_flat_rd*/;
  logic [1:0]  sbuf_r_rr_q /*verilator public_flat_rd*/;
  logic [1:0]  sbuf_w_rr_q /*verilator public_flat_rd*/;
  logic        sbuf_s1_valid_q /*verilator public_flat_rd*/;
  logic [2:0]  sbuf_s1_id_q /*verilator public_flat_rd*/;
  logic [6:0]  sbuf_s1_lane_q /*verilator public_flat_rd*/;
  logic        sbuf_rsp_valid_q /*verilator public_flat_rd*/;
  logic [2:0]  sbuf_rsp_id_q /*verilator public_flat_rd*/;
  logic [2:0]  psum_rr_q /*verilator public_flat_rd*/;
  logic        psum_r_rr_q /*verilator public_flat_rd*/;
  logic        psum_w_rr_q /*verilator public_flat_rd*/;
  logic        psum_s1_valid_q /*verilator public_flat_rd*/;
  logic [2:0]  psum_s1_id_q /*verilator public_flat_rd*/;
  logic [6:0]  psum_s1_lane_q /*verilator public_flat_rd*/;
  logic        psum_rsp_valid_q /*verilator public_flat_rd*/;
  logic [2:0]  psum_rsp_id_q /*verilator public_flat_rd*/;
  logic [2:0]  dram_rr_q /*verilator public_flat_rd*/;
  logic        dreq_valid_q /*verilator public_flat_rd*/;
  logic        dreq_we_q /*verilator public_flat_rd*/;
  logic [2:0]  dreq_id_q /*verilator public_flat_rd*/;
  logic [7:0]  dreq_mask_q /*verilator public_flat_rd*/;
  logic        dram_rsp_valid_q /*verilator public_flat_rd*/;
  logic [2:0]  dram_rsp_id_q /*verilator public_flat_rd*/;
  logic [63:0] sbuf_rsp_data_q /*verilator public_flat_rd*/;
  logic [63:0] psum_rsp_data_q /*verilator public_flat_rd*/;
  logic [32:0] dreq_addr_q /*verilator public_flat_rd*/;
  logic [63:0] dreq_data_q /*verilator public_flat_rd*/;
  logic [63:0] dram_rsp_data_q /*verilator public_flat_rd*/;

  // ----------------------------------------------------- narrow candidates
  // First requester in cyclic order from `first`.
  function automatic logic [2:0] pick(input logic [5:0] want, input logic [2:0] first);
    logic [11:0] turned;
    logic [3:0] index;
    turned = {want, want} >> first;
    index = 4'd0;
    for (int i = 5; i >= 0; i--) if (turned[i]) index = 4'(i);
    index = index + {1'b0, first};
    pick = (index > 4'd5) ? 3'(index - 4'd6) : index[2:0];
  endfunction

  function automatic logic [2:0] after(input logic [2:0] index);
    after = (index == 3'd5) ? 3'd0 : index + 3'd1;
  endfunction

  logic [5:0]  want_sbuf, want_psum, want_dram;
  logic [2:0]  sbuf_idx, psum_idx, dram_idx;
  access_t     sbuf_acc, psum_acc, dram_acc;

  always_comb begin
    want_sbuf = 6'd0;
    want_psum = 6'd0;
    want_dram = 6'd0;
    if ((req_i != '0) || (dma_w_req_i != '0)) begin
      for (int e = 0; e < 6; e++) begin
        want_sbuf[e] = req_i[e].sbuf || ((e == 5) && dma_w_req_i.sbuf);
        want_psum[e] = req_i[e].psum || ((e == 5) && dma_w_req_i.psum);
        want_dram[e] = req_i[e].dram || ((e == 5) && dma_w_req_i.dram);
      end
    end
  end

  // What the candidate of a memory wants there.
  function automatic access_t access_of(input logic [2:0] index, input logic dma_writes,
                                        input access_t [5:0] acc, input access_t write);
    access_of = ((index == CLIENT_DMA) && dma_writes) ? write : acc[index];
  endfunction

  localparam int unsigned LaneBits = $clog2(Lanes);
  localparam int unsigned SbufWords = SbufPartBytes / 8;
  localparam int unsigned PsumWords = PSUM_BYTES_GEN3 / 8;

  logic [SbufWidth-1:0] sbuf_row;
  logic [PsumWidth-1:0] psum_row;
  logic [6:0]           sbuf_lane, psum_lane;

  always_comb begin
    sbuf_idx = 3'd0;
    sbuf_acc = '0;
    sbuf_row = '0;
    sbuf_lane = 7'd0;
    if (want_sbuf != 6'd0) begin
      sbuf_idx = pick(want_sbuf, sbuf_rr_q);
      sbuf_acc = access_of(sbuf_idx, dma_w_req_i.sbuf, acc_i, dma_w_acc_i);
      sbuf_row = SbufWidth'(32'(sbuf_acc.addr[24:18]) / Lanes * SbufWords) +
                 SbufWidth'(sbuf_acc.addr[17:3]);
      sbuf_lane = 7'(sbuf_acc.addr[18 +: LaneBits]);
    end
    psum_idx = 3'd0;
    psum_acc = '0;
    psum_row = '0;
    psum_lane = 7'd0;
    if (want_psum != 6'd0) begin
      psum_idx = pick(want_psum, psum_rr_q);
      psum_acc = access_of(psum_idx, dma_w_req_i.psum, acc_i, dma_w_acc_i);
      psum_row = PsumWidth'(32'(psum_acc.addr[21:15]) / Lanes * PsumWords) +
                 PsumWidth'(psum_acc.addr[13:3]);
      psum_lane = 7'(psum_acc.addr[15 +: LaneBits]);
    end
  end

  logic unused_acc;
  assign unused_acc = (^sbuf_acc.unused) ^ (^psum_acc.unused) ^ (^dram_acc);

  // Bytes of an element in its word.
  function automatic logic [7:0] bytes_of(input logic [1:0] log, input logic [2:0] off);
    bytes_of = ((log == 2'd2) ? 8'h0F : (log == 2'd1) ? 8'h03 : 8'h01) << off;
  endfunction

  // --------------------------------------------------------------- writes
  // Clients: 0 narrow, 1 POOL, 2 DVE.
  logic [2:0] w_ask, w_gnt;

  assign w_ask = {v_w_sbuf_i, (want_sbuf != 6'd0) && sbuf_acc.write};

  function automatic logic [1:0] turn(input logic [1:0] first, input logic [1:0] i);
    logic [2:0] sum;
    sum = {1'b0, first} + {1'b0, i};
    turn = (sum > 3'd2) ? 2'(sum - 3'd3) : sum[1:0];
  endfunction

  always_comb begin
    w_gnt = 3'd0;
    if (w_ask != 3'd0) begin
      for (int i = 2; i >= 0; i--) begin
        if (w_ask[turn(sbuf_w_rr_q, 2'(i))]) w_gnt = 3'd1 << turn(sbuf_w_rr_q, 2'(i));
      end
    end
  end

  // PSUM: 0 narrow, 1 DVE.
  logic [1:0] pw_ask, pw_gnt;

  assign pw_ask = {v_w_psum_i, (want_psum != 6'd0) && psum_acc.write};
  assign pw_gnt = (pw_ask != 2'b11) ? pw_ask : psum_w_rr_q ? 2'b10 : 2'b01;

  assign v_w_gnt_o = {w_gnt[2] || pw_gnt[1], w_gnt[1]};
  assign sbuf_w_narrow_o = w_gnt[0];
  assign sbuf_w_unit_o = w_gnt[2:1];
  assign psum_w_en_o = pw_gnt[1];
  assign psum_w_narrow_o = pw_gnt[0];
  assign psum_w_word_o = dma_w_data_i;
  assign mon_p_valid_o = pw_gnt[0];
  assign mon_p_addr_o = {psum_acc.addr[36:3], 3'd0};
  assign mon_p_data_o = dma_w_data_i;
  assign mon_p_mask_o = psum_acc.mask;

  always_comb begin
    psum_w_row_o = psum_row;
    psum_w_lane_o = psum_lane;
    psum_w_mask_o = psum_acc.mask;
    if (pw_gnt[1]) begin
      psum_w_row_o = v_w_row_i[1][PsumWidth-1:0];
      psum_w_lane_o = v_w_lane_i[1];
      psum_w_mask_o = bytes_of(v_w_log_i[1], v_w_off_i[1]);
    end
  end

  always_comb begin
    sbuf_w_row_o = sbuf_row;
    sbuf_w_lane_o = sbuf_lane;
    sbuf_w_mask_o = sbuf_acc.mask;
    sbuf_w_word_o = 64'd0;
    sbuf_w_off_o = 3'd0;
    mon_w_addr_o = 37'd0;
    if (w_gnt[0]) begin
      sbuf_w_word_o = (sbuf_idx == CLIENT_DMA) ? dma_w_data_i : wdata_i[sbuf_idx];
      mon_w_addr_o = {sbuf_acc.addr[36:3], 3'd0};
    end else if (w_gnt != 3'd0) begin
      sbuf_w_row_o = v_w_row_i[w_gnt[2]][SbufWidth-1:0];
      sbuf_w_lane_o = v_w_lane_i[w_gnt[2]];
      sbuf_w_mask_o = bytes_of(v_w_log_i[w_gnt[2]], v_w_off_i[w_gnt[2]]);
      sbuf_w_off_o = v_w_off_i[w_gnt[2]];
    end
  end

  assign mon_w_valid_o = w_gnt[0];
  assign mon_w_data_o = sbuf_w_word_o;
  assign mon_w_mask_o = sbuf_acc.mask & {8{w_gnt[0]}};

  // ---------------------------------------------------------------- reads
  logic [1:0]      still;               // units that a write holds up
  logic            blocked;
  logic [2:0][1:0] s_want;              // ports, of client 0 narrow, 1 POOL, 2 DVE
  logic [1:0][1:0] p_want;              // ports, of client 0 narrow, 1 DVE
  logic [2:0]      s_got;
  logic [1:0]      p_got;
  logic [1:0]      s_first;             // the first client that got its ports
  logic            p_first;
  logic            s_keep, p_keep;      // it is a unit that was not issued

  assign still = (v_w_sbuf_i | {v_w_psum_i, 1'b0}) & ~v_w_gnt_o;
  assign blocked = (still & v_x0_i) != 2'd0;

  always_comb begin
    s_want = '0;
    p_want = '0;
    if (!blocked && (((want_sbuf | want_psum) != 6'd0) || (v_beat_i != 2'd0))) begin
      s_want[0] = {(want_sbuf != 6'd0) && !sbuf_acc.write, 1'b0};
      p_want[0] = {(want_psum != 6'd0) && !psum_acc.write, 1'b0};
      if (v_beat_i[0] && !still[0]) s_want[1] = v_r_sbuf_i[0];
      if (v_beat_i[1] && !still[1]) begin
        s_want[2] = v_r_sbuf_i[1];
        p_want[1] = v_r_psum_i;
      end
    end
  end

  always_comb begin : p_sbuf_reads
    logic [1:0] taken, c;
    s_got = 3'd0;
    s_first = 2'd0;
    taken = 2'b00;
    c = 2'd0;
    if (s_want != 6'd0) begin
      for (int i = 0; i < 3; i++) begin
        c = turn(sbuf_r_rr_q, 2'(i));
        if ((s_want[c] != 2'd0) && ((s_want[c] & taken) == 2'd0)) begin
          if (s_got == 3'd0) s_first = c;
          s_got[c] = 1'b1;
          taken = taken | s_want[c];
        end
      end
    end
  end

  always_comb begin
    p_got = {p_want[1] != 2'd0, p_want[0] != 2'd0};
    p_first = p_got[1] && (psum_r_rr_q || !p_got[0]);
    if ((p_want[0] & p_want[1]) != 2'd0) p_got = p_first ? 2'b10 : 2'b01;
  end

  // A unit is issued with all its ports, or without needing any.
  assign v_issue_o[0] = v_beat_i[0] && !still[0] && ((v_r_sbuf_i[0] == 2'd0) || s_got[1]);
  assign v_issue_o[1] = v_beat_i[1] && !still[1] && ((v_r_sbuf_i[1] == 2'd0) || s_got[2]) &&
                        ((v_r_psum_i == 2'd0) || p_got[1]);

  assign s_keep = (s_first != 2'd0) && !v_issue_o[s_first[1]];
  assign p_keep = p_first && !v_issue_o[1];

  // A port goes to a unit, or R1 to the narrow candidate.
  always_comb begin
    sbuf_r_en_o = {s_got[0], 1'b0};
    sbuf_r_row_o = '0;
    sbuf_r_row_o[1] = sbuf_row;
    psum_r_en_o = {p_got[0], 1'b0};
    psum_r_row_o = '0;
    psum_r_row_o[1] = psum_row;
    if (v_issue_o != 2'd0) for (int i = 0; i < 2; i++) begin
      for (int v = 0; v < 2; v++) begin
        if (v_issue_o[v] && v_r_sbuf_i[v][i]) begin
          sbuf_r_en_o[i] = 1'b1;
          sbuf_r_row_o[i] = v_row_i[v][i][SbufWidth-1:0];
        end
      end
      if (v_issue_o[1] && v_r_psum_i[i]) begin
        psum_r_en_o[i] = 1'b1;
        psum_r_row_o[i] = v_row_i[1][i][PsumWidth-1:0];
      end
    end
  end

  // ----------------------------------------------------------- narrow side
  logic        sbuf_gnt, psum_gnt, dram_gnt;
  logic        dram_write;
  logic [32:0] dram_addr;
  logic [7:0]  dram_mask;
  logic [63:0] dram_wdata;

  assign sbuf_gnt = w_gnt[0] || s_got[0];
  assign psum_gnt = pw_gnt[0] || p_got[0];

  always_comb begin
    dram_gnt = 1'b0;
    dram_idx = 3'd0;
    dram_acc = '0;
    dram_write = 1'b0;
    dram_addr = 33'd0;
    dram_mask = 8'd0;
    dram_wdata = 64'd0;
    if ((want_dram != 6'd0) && !dreq_valid_q) begin
      dram_gnt = 1'b1;
      dram_idx = pick(want_dram, dram_rr_q);
      dram_acc = access_of(dram_idx, dma_w_req_i.dram, acc_i, dma_w_acc_i);
      dram_write = dram_acc.write;
      dram_addr = dram_acc.addr[35:3];
      dram_mask = dram_acc.mask;
      dram_wdata = !dram_write ? 64'd0 :
                   (dram_idx == CLIENT_DMA) ? dma_w_data_i : wdata_i[dram_idx];
    end
  end

  always_comb begin
    gnt_o = 6'd0;
    dma_gnt_o = '0;
    if (sbuf_gnt || psum_gnt || dram_gnt) begin
      if (sbuf_gnt) gnt_o[sbuf_idx] = 1'b1;
      if (psum_gnt) gnt_o[psum_idx] = 1'b1;
      if (dram_gnt) gnt_o[dram_idx] = 1'b1;
      dma_gnt_o.sbuf = sbuf_gnt && (sbuf_idx == CLIENT_DMA);
      dma_gnt_o.psum = psum_gnt && (psum_idx == CLIENT_DMA);
      dma_gnt_o.dram = dram_gnt && (dram_idx == CLIENT_DMA);
    end
  end

  assign active_o = sbuf_gnt || psum_gnt || dram_gnt ||
                    sbuf_rsp_valid_q || psum_rsp_valid_q || dram_rsp_valid_q;

  assign sbuf_sel_en_o = sbuf_s1_valid_q;
  assign sbuf_sel_lane_o = sbuf_s1_lane_q;
  assign psum_sel_en_o = psum_s1_valid_q;
  assign psum_sel_lane_o = psum_s1_lane_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      sbuf_rr_q <= 3'd0;
      sbuf_r_rr_q <= 2'd0;
      sbuf_w_rr_q <= 2'd0;
      sbuf_s1_valid_q <= 1'b0;
      sbuf_rsp_valid_q <= 1'b0;
    end else begin
      sbuf_s1_valid_q <= s_got[0];
      sbuf_rsp_valid_q <= sbuf_s1_valid_q;
      if (sbuf_gnt) sbuf_rr_q <= after(sbuf_idx);
      if (w_gnt != 3'd0) sbuf_w_rr_q <= turn(w_gnt[2:1], 2'd1);
      if (s_got != 3'd0) sbuf_r_rr_q <= s_keep ? s_first : turn(s_first, 2'd1);
      if (s_got[0]) begin
        sbuf_s1_id_q <= sbuf_idx;
        sbuf_s1_lane_q <= sbuf_lane;
      end
      if (sbuf_s1_valid_q) begin
        sbuf_rsp_id_q <= sbuf_s1_id_q;
        sbuf_rsp_data_q <= sbuf_word_i;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      psum_rr_q <= 3'd0;
      psum_r_rr_q <= 1'b0;
      psum_w_rr_q <= 1'b0;
      psum_s1_valid_q <= 1'b0;
      psum_rsp_valid_q <= 1'b0;
    end else begin
      psum_s1_valid_q <= p_got[0];
      psum_rsp_valid_q <= psum_s1_valid_q;
      if (p_got != 2'd0) psum_r_rr_q <= !p_first || p_keep;
      if (pw_gnt != 2'd0) psum_w_rr_q <= pw_gnt[0];
      if (psum_gnt) psum_rr_q <= after(psum_idx);
      if (p_got[0]) begin
        psum_s1_id_q <= psum_idx;
        psum_s1_lane_q <= psum_lane;
      end
      if (psum_s1_valid_q) begin
        psum_rsp_id_q <= psum_s1_id_q;
        psum_rsp_data_q <= psum_word_i;
      end
    end
  end

  // ------------------------------------------------------------------- DRAM
  assign dram_valid_o = dreq_valid_q;
  assign dram_we_o = dreq_we_q;
  assign dram_addr_o = dreq_addr_q;
  assign dram_wdata_o = dreq_data_q;
  assign dram_mask_o = dreq_mask_q;
  assign dram_id_o = dreq_id_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      dram_rr_q <= 3'd0;
      dreq_valid_q <= 1'b0;
      dram_rsp_valid_q <= 1'b0;
    end else begin
      if (dram_gnt) begin
        dram_rr_q <= after(dram_idx);
        dreq_valid_q <= 1'b1;
        dreq_we_q <= dram_write;
        dreq_id_q <= dram_idx;
        dreq_addr_q <= dram_addr;
        dreq_data_q <= dram_wdata;
        dreq_mask_q <= dram_mask;
      end else if (dram_ready_i) begin
        dreq_valid_q <= 1'b0;
      end
      dram_rsp_valid_q <= dram_rvalid_i;
      if (dram_rvalid_i) begin
        dram_rsp_id_q <= dram_rid_i;
        dram_rsp_data_q <= dram_rdata_i;
      end
    end
  end

  // ---------------------------------------------------------------- answers
  always_comb begin
    rsp_o = 6'd0;
    rdata_o = '0;
    if (sbuf_rsp_valid_q) begin
      rsp_o[sbuf_rsp_id_q] = 1'b1;
      rdata_o[sbuf_rsp_id_q] = sbuf_rsp_data_q;
    end
    if (psum_rsp_valid_q) begin
      rsp_o[psum_rsp_id_q] = 1'b1;
      rdata_o[psum_rsp_id_q] = psum_rsp_data_q;
    end
    if (dram_rsp_valid_q) begin
      rsp_o[dram_rsp_id_q] = 1'b1;
      rdata_o[dram_rsp_id_q] = dram_rsp_data_q;
    end
  end

endmodule
