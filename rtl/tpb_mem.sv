// SPDX-License-Identifier: Apache-2.0
//
// The memory subsystem: an arbiter each for SBUF, PSUM and DRAM, the two read pipelines and the
// DRAM request register.
//
// An engine holds req_i until gnt_o; both are in the same cycle when it is its turn.  A write is
// done at its grant.  A read is answered once, with rsp_o and its word:
//
//   SBUF, PSUM   t grant, bank reads · t+1 s1: word leaves the bank · t+2 rsp_o
//   DRAM         t grant · t+1 dram_valid_o, held until dram_ready_i · h hand-over ·
//                h + DRAM_LATENCY rsp_o; the answer is registered here, so the port delivers it one
//                cycle earlier
//
// Arbiters look at the engines in cyclic port order from *_rr_q and move it behind the granted one.
// dram_ready_i and dram_r*_i feed registers only.  Facts: docs/reference/timing.md.
module tpb_mem
  import tpb_pkg::*;
  import tpb_addr_pkg::*;
#(
  parameter int unsigned SbufPartBytes = 229376,
  parameter int unsigned SbufWidth = 17,
  parameter int unsigned PsumWidth = 13
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  // Engines.
  input  mem_t     [4:0]       req_i,
  input  access_t  [4:0]       acc_i,
  input  logic     [4:0][63:0] wdata_i,
  output logic     [4:0]       gnt_o,
  output logic     [4:0]       rsp_o,
  output logic     [4:0][63:0] rdata_o,
  output logic                 active_o,
  // SBUF.
  output logic                 sbuf_rd_o,
  output logic                 sbuf_wr_o,
  output logic [4:0]           sbuf_lane_o,
  output logic [SbufWidth-1:0] sbuf_addr_o,
  output logic [7:0]           sbuf_mask_o,
  output logic [63:0]          sbuf_wdata_o,
  output logic                 sbuf_sel_en_o,
  output logic [4:0]           sbuf_sel_lane_o,
  input  logic [63:0]          sbuf_rdata_i,
  // PSUM, read only.
  output logic                 psum_rd_o,
  output logic [4:0]           psum_lane_o,
  output logic [PsumWidth-1:0] psum_addr_o,
  output logic                 psum_sel_en_o,
  output logic [4:0]           psum_sel_lane_o,
  input  logic [63:0]          psum_rdata_i,
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
  // The on-chip write that takes effect at the end of this cycle, unified byte address.
  output logic                 mon_w_valid_o,
  output logic [36:0]          mon_w_addr_o,
  output logic [63:0]          mon_w_data_o,
  output logic [7:0]           mon_w_mask_o
);

  logic [2:0]  sbuf_rr_q /*verilator public_flat_rd*/;
  logic        sbuf_s1_valid_q /*verilator public_flat_rd*/;
  logic [2:0]  sbuf_s1_id_q /*verilator public_flat_rd*/;
  logic [4:0]  sbuf_s1_lane_q /*verilator public_flat_rd*/;
  logic        sbuf_rsp_valid_q /*verilator public_flat_rd*/;
  logic [2:0]  sbuf_rsp_id_q /*verilator public_flat_rd*/;
  logic [63:0] sbuf_rsp_data_q /*verilator public_flat_rd*/;
  logic [2:0]  psum_rr_q /*verilator public_flat_rd*/;
  logic        psum_s1_valid_q /*verilator public_flat_rd*/;
  logic [2:0]  psum_s1_id_q /*verilator public_flat_rd*/;
  logic [4:0]  psum_s1_lane_q /*verilator public_flat_rd*/;
  logic        psum_rsp_valid_q /*verilator public_flat_rd*/;
  logic [2:0]  psum_rsp_id_q /*verilator public_flat_rd*/;
  logic [63:0] psum_rsp_data_q /*verilator public_flat_rd*/;
  logic [2:0]  dram_rr_q /*verilator public_flat_rd*/;
  logic        dreq_valid_q /*verilator public_flat_rd*/;
  logic        dreq_we_q /*verilator public_flat_rd*/;
  logic [2:0]  dreq_id_q /*verilator public_flat_rd*/;
  logic [32:0] dreq_addr_q /*verilator public_flat_rd*/;
  logic [63:0] dreq_data_q /*verilator public_flat_rd*/;
  logic [7:0]  dreq_mask_q /*verilator public_flat_rd*/;
  logic        dram_rsp_valid_q /*verilator public_flat_rd*/;
  logic [2:0]  dram_rsp_id_q /*verilator public_flat_rd*/;
  logic [63:0] dram_rsp_data_q /*verilator public_flat_rd*/;

  // ------------------------------------------------------------ arbitration
  // First requester in cyclic port order from `first`.
  function automatic logic [2:0] pick(input logic [4:0] want, input logic [2:0] first);
    logic [9:0] turned;
    logic [3:0] index;
    turned = {want, want} >> first;
    index = 4'd0;
    for (int i = 4; i >= 0; i--) if (turned[i]) index = 4'(i);
    index = index + {1'b0, first};
    pick = (index > 4'd4) ? 3'(index - 4'd5) : index[2:0];
  endfunction

  function automatic logic [2:0] after(input logic [2:0] index);
    after = (index == 3'd4) ? 3'd0 : index + 3'd1;
  endfunction

  logic [4:0]  want_sbuf, want_psum, want_dram;
  logic        sbuf_gnt, psum_gnt, dram_gnt;
  logic [2:0]  sbuf_idx, psum_idx, dram_idx;
  logic        dram_write;
  logic [32:0] dram_addr;
  logic [7:0]  dram_mask;
  logic [63:0] dram_wdata;

  for (genvar e = 0; e < 5; e++) begin : gen_want
    assign want_sbuf[e] = req_i[e].sbuf;
    assign want_psum[e] = req_i[e].psum;
    assign want_dram[e] = req_i[e].dram;
  end

  localparam int unsigned SbufPartWords = SbufPartBytes / 8;

  always_comb begin
    gnt_o = 5'd0;
    sbuf_gnt = 1'b0;
    sbuf_idx = 3'd0;
    sbuf_rd_o = 1'b0;
    sbuf_wr_o = 1'b0;
    sbuf_lane_o = 5'd0;
    sbuf_addr_o = '0;
    sbuf_mask_o = 8'd0;
    sbuf_wdata_o = 64'd0;
    mon_w_addr_o = 37'd0;
    if (want_sbuf != 5'd0) begin
      sbuf_gnt = 1'b1;
      sbuf_idx = pick(want_sbuf, sbuf_rr_q);
      gnt_o[sbuf_idx] = 1'b1;
      sbuf_rd_o = !acc_i[sbuf_idx].write;
      sbuf_wr_o = acc_i[sbuf_idx].write;
      sbuf_lane_o = acc_i[sbuf_idx].addr[22:18];
      sbuf_addr_o = SbufWidth'(32'(acc_i[sbuf_idx].addr[24:23]) * SbufPartWords) +
                    SbufWidth'(acc_i[sbuf_idx].addr[17:3]);
      sbuf_mask_o = acc_i[sbuf_idx].mask;
      sbuf_wdata_o = wdata_i[sbuf_idx];
      mon_w_addr_o = {acc_i[sbuf_idx].addr[36:3], 3'd0};
    end
    psum_gnt = 1'b0;
    psum_idx = 3'd0;
    psum_lane_o = 5'd0;
    psum_addr_o = '0;
    if (want_psum != 5'd0) begin
      psum_gnt = 1'b1;
      psum_idx = pick(want_psum, psum_rr_q);
      gnt_o[psum_idx] = 1'b1;
      psum_lane_o = acc_i[psum_idx].addr[19:15];
      psum_addr_o = PsumWidth'({acc_i[psum_idx].addr[21:20], acc_i[psum_idx].addr[13:3]});
    end
    dram_gnt = 1'b0;
    dram_idx = 3'd0;
    dram_write = 1'b0;
    dram_addr = 33'd0;
    dram_mask = 8'd0;
    dram_wdata = 64'd0;
    if ((want_dram != 5'd0) && !dreq_valid_q) begin
      dram_gnt = 1'b1;
      dram_idx = pick(want_dram, dram_rr_q);
      gnt_o[dram_idx] = 1'b1;
      dram_write = acc_i[dram_idx].write;
      dram_addr = acc_i[dram_idx].addr[35:3];
      dram_mask = acc_i[dram_idx].mask;
      dram_wdata = wdata_i[dram_idx];
    end
  end

  assign active_o = sbuf_gnt || psum_gnt || dram_gnt ||
                    sbuf_rsp_valid_q || psum_rsp_valid_q || dram_rsp_valid_q;

  // ------------------------------------------------------------ SBUF, PSUM
  assign sbuf_sel_en_o = sbuf_s1_valid_q;
  assign sbuf_sel_lane_o = sbuf_s1_lane_q;
  assign psum_rd_o = psum_gnt;
  assign psum_sel_en_o = psum_s1_valid_q;
  assign psum_sel_lane_o = psum_s1_lane_q;

  assign mon_w_valid_o = sbuf_wr_o;
  assign mon_w_data_o = sbuf_wdata_o;
  assign mon_w_mask_o = sbuf_mask_o;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      sbuf_rr_q <= 3'd0;
      sbuf_s1_valid_q <= 1'b0;
      sbuf_rsp_valid_q <= 1'b0;
    end else begin
      sbuf_s1_valid_q <= sbuf_rd_o;
      sbuf_rsp_valid_q <= sbuf_s1_valid_q;
      if (sbuf_gnt) begin
        sbuf_rr_q <= after(sbuf_idx);
        if (sbuf_rd_o) begin
          sbuf_s1_id_q <= sbuf_idx;
          sbuf_s1_lane_q <= sbuf_lane_o;
        end
      end
      if (sbuf_s1_valid_q) begin
        sbuf_rsp_id_q <= sbuf_s1_id_q;
        sbuf_rsp_data_q <= sbuf_rdata_i;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      psum_rr_q <= 3'd0;
      psum_s1_valid_q <= 1'b0;
      psum_rsp_valid_q <= 1'b0;
    end else begin
      psum_s1_valid_q <= psum_gnt;
      psum_rsp_valid_q <= psum_s1_valid_q;
      if (psum_gnt) begin
        psum_rr_q <= after(psum_idx);
        psum_s1_id_q <= psum_idx;
        psum_s1_lane_q <= psum_lane_o;
      end
      if (psum_s1_valid_q) begin
        psum_rsp_id_q <= psum_s1_id_q;
        psum_rsp_data_q <= psum_rdata_i;
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
    rsp_o = 5'd0;
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
