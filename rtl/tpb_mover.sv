// SPDX-License-Identifier: Apache-2.0
//
// The mover of the DMA unit: takes the oldest block of one queue after the other, one descriptor
// at a time, checks it and moves its bytes through a ring buffer.
//
// In IDLE it serves queue pick_o, the first of pending_i from dm_rr_q on, and asks for record
// block_i, which is that queue's oldest block.  Later queue_o is the queue in service and desc_i
// its next descriptor.  An ask is answered on data_i in the next cycle (the port is always ours).
//
//   IDLE -> BLOCK -> FETCH -> DESC -> CHECK ... -> MOVE ... -> POST -> IDLE, or -> DONE -> IDLE
//
// A memory serves at most one of our requests a cycle: mem_gnt_i tells which memories did.  Reads
// are answered in order on rsp_i.  Facts: docs/reference/dma.md "Mover".
module tpb_mover
  import tpb_pkg::*;
  import tpb_addr_pkg::*;
  import tpb_cvt_pkg::*;
  import tpb_fp_pkg::*;
#(
  parameter int unsigned SbufPartBytes = 229376
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic [2:0]   cfg_fp8_i,
  // Queues.
  input  logic [15:0]  pending_i,
  output logic [3:0]   pick_o,
  input  logic [31:0]  block_i,
  output logic [3:0]   queue_o,
  input  logic [15:0]  desc_i,
  output logic         next_o,  // the queue's next descriptor
  output logic         done_o,  // its block is finished
  output logic         stop_o,  // it stops
  output logic         busy_o,
  // Program port.
  output logic         ask_block_o,
  output logic         ask_desc_o,
  output logic [31:0]  ask_idx_o,
  input  logic [511:0] data_i,
  // Memories.
  output mem_t         rd_req_o,
  output logic [36:0]  rd_addr_o,
  output mem_t         wr_req_o,
  output logic [36:0]  wr_addr_o,
  output logic [7:0]   wr_mask_o,
  output logic [63:0]  wr_data_o,
  input  mem_t         mem_gnt_i,
  input  logic         rsp_i,
  input  logic [63:0]  rdata_i,
  // Update of the bank.
  output logic         upd_valid_o,
  output logic [3:0]   upd_mode_o,
  output logic [7:0]   upd_id_o,
  output logic [31:0]  upd_value_o
);

  logic [2:0]        dm_state_q /*verilator public_flat_rd*/;
  logic [4:0]        dm_rr_q /*verilator public_flat_rd*/;
  logic [4:0]        dm_q_q /*verilator public_flat_rd*/;
  logic [7:0]        dm_mode_q /*verilator public_flat_rd*/;
  logic [7:0]        dm_id_q /*verilator public_flat_rd*/;
  logic              dm_fin_q [2] /*verilator public_flat_rd*/;
  logic              dm_bad_q /*verilator public_flat_rd*/;
  logic [6:0]        dm_room_q /*verilator public_flat_rd*/;
  logic [6:0]        dm_cnt_q /*verilator public_flat_rd*/;
  logic [5:0]        dm_head_q /*verilator public_flat_rd*/;
  logic [3:0]        dm_rqn_q /*verilator public_flat_rd*/;
  logic [2:0]        dm_rqh_q /*verilator public_flat_rd*/;
  logic [2:0]        dm_rqo_q [8] /*verilator public_flat_rd*/;
  logic [3:0]        dm_rql_q [8] /*verilator public_flat_rd*/;
  logic [4:0]        dma_fault_q /*verilator public_flat_rd*/;
  logic [4:0]        dma_fault_q_q /*verilator public_flat_rd*/;
  logic [15:0]       dm_i_q [2] /*verilator public_flat_rd*/;
  logic [15:0]       dm_j_q [2] /*verilator public_flat_rd*/;
  logic [15:0]       dm_ndesc_q /*verilator public_flat_rd*/;
  logic [31:0]       dm_first_q /*verilator public_flat_rd*/;
  logic [31:0]       dm_operand_q /*verilator public_flat_rd*/;
  logic [31:0]       dm_o_q [2] /*verilator public_flat_rd*/;
  logic [511:0]      dm_fifo_q /*verilator public_flat_rd*/;
  logic [15:0][31:0] dm_desc_q /*verilator public_flat_rd*/;
  logic [31:0]       dma_fault_desc_q /*verilator public_flat_rd*/;
  logic [63:0]       dm_a_q [2] /*verilator public_flat_rd*/;
  logic [63:0]       dm_r_q [2] /*verilator public_flat_rd*/;

  // ------------------------------------------------------------ descriptor
  // Functions take whole descriptors and look at some of their bits.
  /* verilator lint_off UNUSEDSIGNAL */

  // log2 of the element size of a tag; bit 2: no such tag.
  function automatic logic [2:0] tag_log(input logic [7:0] tag);
    unique case (tag)
      DTYPE_UINT64, DTYPE_INT64: tag_log = 3'd3;
      DTYPE_UINT32, DTYPE_INT32, DTYPE_FLOAT32, DTYPE_FLOAT32R: tag_log = 3'd2;
      DTYPE_UINT16, DTYPE_INT16, DTYPE_BFLOAT16, DTYPE_FLOAT16: tag_log = 3'd1;
      DTYPE_UINT8, DTYPE_INT8, DTYPE_FP8E3, DTYPE_FP8E4, DTYPE_FP8E5: tag_log = 3'd0;
      default: tag_log = 3'd4;
    endcase
  endfunction

  function automatic logic [31:0] run_bytes(input logic [15:0] field);
    run_bytes = (field == 16'd0) ? 32'd65536 : {16'd0, field};
  endfunction

  // Something of base, steps and run bytes of a side is no multiple of its element.
  function automatic logic uneven(input logic [2:0] log, input logic [31:0] base,
                                  input logic [31:0] step0, input logic [31:0] step1,
                                  input logic [15:0] es);
    logic [2:0] low;
    low = ~(3'b111 << log[1:0]);
    uneven = log[2] || (((base[2:0] | step0[2:0] | step1[2:0] | es[2:0]) & low) != 3'd0);
  endfunction

  function automatic logic bad_desc(input logic [15:0][31:0] d);
    logic [63:0] src, dst;
    logic [2:0]  slog, dlog;
    src = 64'(d[8][15:0]) * 64'(d[8][31:16]) * 64'(run_bytes(d[9][15:0]));
    dst = 64'(d[14][15:0]) * 64'(d[14][31:16]) * 64'(run_bytes(d[15][15:0]));
    slog = tag_log(d[15][23:16]);
    dlog = tag_log(d[15][31:24]);
    bad_desc = (d[0][7:0] != OP_DMA_DIRECT) || (d[3][7:3] != 5'd0) || (d[3][31:24] != 8'd0) ||
               (d[9][31:16] != 16'd0) || (d[5][31:24] != 8'd0) || (d[11][31:24] != 8'd0) ||
               ((d[3][23:16] == 8'd0) && (d[3][15:8] != 8'd0)) || (src == 64'd0) || (dst == 64'd0);
    if (d[15][23:16] == d[15][31:24]) begin
      if (src != dst) bad_desc = 1'b1;
    end else if (uneven(slog, d[4], d[6], d[7], d[9][15:0]) ||
                 uneven(dlog, d[10], d[12], d[13], d[15][15:0]) ||
                 ((src >> slog[1:0]) != (dst >> dlog[1:0]))) begin
      bad_desc = 1'b1;
    end
  endfunction

  // A run at `a` of a side that begins in DRAM or, with on_chip, elsewhere.
  function automatic logic outside(input logic [63:0] a, input logic [31:0] es,
                                   input logic on_chip);
    if ((a[63:36] == 28'd0) == on_chip) begin
      outside = 1'b1;
    end else if (!on_chip) begin
      outside = ({1'b0, a[35:0]} + 37'(es)) > 37'h10_0000_0000;
    end else if (a[63:25] == 39'h0_0000_0800) begin
      outside = ({14'd0, a[17:0]} + es) > 32'(SbufPartBytes);
    end else if (a[63:22] == 42'h0_0000_4008) begin
      outside = ({17'd0, a[14:0]} + es) > 32'd16384;
    end else begin
      outside = 1'b1;
    end
  endfunction

  // ---------------------------------------------------------- 64-bit integers
  function automatic logic [31:0] from_int64(input logic s, input logic [63:0] mag);
    logic [63:0] top;
    logic [5:0]  n;
    logic [31:0] code;
    n = fp_zeros(mag);
    top = mag << n;  // leading one at bit 63
    code = {1'b0, 8'd190 - {2'd0, n}, top[62:40]};
    if (top[39] && ((top[38:0] != 39'd0) || top[40])) code = code + 32'd1;
    from_int64 = (mag == 64'd0) ? 32'd0 : {s, code[30:0]};
  endfunction

  function automatic logic [63:0] to_int64(input logic [31:0] x, input logic sgn);
    logic [63:0] mag, rest, half;
    logic [7:0]  e;
    logic        big;
    e = x[30:23];
    mag = 64'd0;
    big = (e >= 8'd191);  // 2^64 and up, and what is no number
    if (!big && (e >= 8'd150)) begin
      mag = {40'd0, 1'b1, x[22:0]} << (e - 8'd150);
    end else if (!big && (e >= 8'd126)) begin
      mag = {40'd0, 1'b1, x[22:0]} >> (8'd150 - e);
      rest = {40'd0, 1'b1, x[22:0]} & ~(~64'd0 << (8'd150 - e));
      half = 64'd1 << (8'd149 - e);
      if ((rest > half) || ((rest == half) && mag[0])) mag = mag + 64'd1;
    end
    if (sgn) begin
      if (big || mag[63]) to_int64 = x[31] ? 64'h8000_0000_0000_0000 : 64'h7FFF_FFFF_FFFF_FFFF;
      else to_int64 = x[31] ? -mag : mag;
    end else begin
      if (x[31]) to_int64 = 64'd0;
      else to_int64 = big ? ~64'd0 : mag;
    end
  endfunction

  // An element in the low bits of the word, from one dtype to another.
  function automatic logic [63:0] convert(input logic [63:0] word, input logic [7:0] from,
                                          input logic [7:0] to, input logic [2:0] cfg);
    /* verilator no_inline_task */
    logic [31:0] f;
    unique case (from)
      DTYPE_UINT64: f = from_int64(1'b0, word);
      DTYPE_INT64: f = from_int64(word[63], word[63] ? -word : word);
      default: f = cvt_widen(from, word[31:0], cfg);
    endcase
    unique case (to)
      DTYPE_UINT64: convert = to_int64(f, 1'b0);
      DTYPE_INT64: convert = to_int64(f, 1'b1);
      default: convert = {32'd0, cvt_narrow(to, f, cfg)};
    endcase
  endfunction
  /* verilator lint_on UNUSEDSIGNAL */

  // ------------------------------------------------------- sides and chunks
  logic same;  // no conversion
  assign same = (dm_desc_q[15][23:16] == dm_desc_q[15][31:24]);

  // Side 0 reads, side 1 writes.
  function automatic logic [63:0] base_of(input logic s);
    base_of = s ? {8'd0, dm_desc_q[11][23:0], dm_desc_q[10]} :
                  {8'd0, dm_desc_q[5][23:0], dm_desc_q[4]};
  endfunction

  function automatic logic [31:0] run_of(input logic s);
    run_of = run_bytes(s ? dm_desc_q[15][15:0] : dm_desc_q[9][15:0]);
  endfunction

  // The run of a side is its last.
  function automatic logic last_run(input logic s);
    last_run = (dm_i_q[s] + 16'd1 >= (s ? dm_desc_q[14][15:0] : dm_desc_q[8][15:0])) &&
               (dm_j_q[s] + 16'd1 >= (s ? dm_desc_q[14][31:16] : dm_desc_q[8][31:16]));
  endfunction

  // Its run at `a` is outside of what is there.
  function automatic logic stray(input logic s);
    stray = outside(dm_a_q[s], run_of(s),
                    (s ? dm_desc_q[11][23:4] : dm_desc_q[5][23:4]) != 20'd0);
  endfunction

  // Bytes up to the end of the word or of the run.
  function automatic logic [3:0] chunk(input logic [2:0] low, input logic [31:0] left);
    logic [3:0] word;
    word = 4'd8 - {1'b0, low};
    chunk = (left < {28'd0, word}) ? left[3:0] : word;
  endfunction

  logic [36:0] rd_at, wr_at;
  logic [3:0]  rd_len, rd_need, wr_len, push_len;
  logic        rd_gnt, wr_gnt;
  logic [63:0] push_word, pop_word;

  always_comb begin
    rd_at = 37'd0;
    wr_at = 37'd0;
    rd_len = 4'd0;
    rd_need = 4'd0;
    wr_len = 4'd0;
    rd_req_o = '0;
    wr_req_o = '0;
    rd_addr_o = 37'd0;
    wr_addr_o = 37'd0;
    wr_mask_o = 8'd0;
    wr_data_o = 64'd0;
    pop_word = 64'd0;
    if (dm_state_q == MOVER_MOVE) begin
      rd_at = dm_a_q[0][36:0] + {5'd0, dm_o_q[0]};
      wr_at = dm_a_q[1][36:0] + {5'd0, dm_o_q[1]};
      if (same) begin
        rd_len = chunk(rd_at[2:0], run_of(1'b0) - dm_o_q[0]);
        rd_need = rd_len;
      end else begin
        rd_len = 4'd1 << 2'(tag_log(dm_desc_q[15][23:16]));
        rd_need = 4'd1 << 2'(tag_log(dm_desc_q[15][31:24]));
      end
      wr_len = chunk(wr_at[2:0], run_of(1'b1) - dm_o_q[1]);
      if (!dm_fin_q[1] && (dm_cnt_q >= {3'd0, wr_len})) wr_req_o = addr_mem(wr_at[36], wr_at[25]);
      if (!dm_fin_q[0] && (dm_rqn_q < 4'd8) && (dm_room_q >= {3'd0, rd_need})) begin
        rd_req_o = addr_mem(rd_at[36], rd_at[25]);
        if (rd_req_o == wr_req_o) rd_req_o = '0;
      end
      rd_addr_o = rd_at;
      wr_addr_o = wr_at;
      wr_mask_o = ~(8'hFF << wr_len) << wr_at[2:0];
      for (int k = 0; k < 8; k++) begin
        if (4'(k) < wr_len) pop_word[8 * k +: 8] = dm_fifo_q[{dm_head_q + 6'(k), 3'd0} +: 8];
      end
      wr_data_o = pop_word << {wr_at[2:0], 3'd0};
    end
  end

  assign rd_gnt = ((rd_req_o & mem_gnt_i) != '0);
  assign wr_gnt = ((wr_req_o & mem_gnt_i) != '0);

  // The answer of the oldest read, as it goes into the buffer.
  always_comb begin
    push_len = 4'd0;
    push_word = 64'd0;
    if (rsp_i) begin
      push_word = rdata_i >> {dm_rqo_q[dm_rqh_q], 3'd0};
      push_len = dm_rql_q[dm_rqh_q];
      if (!same) begin
        push_word = convert(push_word & ~((~64'd0 << {push_len[2:0], 3'd0}) & {64{!push_len[3]}}),
                            dm_desc_q[15][23:16], dm_desc_q[15][31:24], cfg_fp8_i);
        push_len = 4'd1 << 2'(tag_log(dm_desc_q[15][31:24]));
      end
    end
  end

  // ----------------------------------------------------------------- queues
  logic [3:0]  pick;
  logic        start, last_desc;

  always_comb begin
    pick = 4'd0;
    if (pending_i != 16'd0) begin
      for (int i = 15; i >= 0; i--) begin
        if (pending_i[dm_rr_q[3:0] + 4'(i)]) pick = dm_rr_q[3:0] + 4'(i);
      end
    end
  end

  assign start = (dm_state_q == MOVER_IDLE) && (pending_i != 16'd0);
  assign last_desc = (desc_i + 16'd1 == dm_ndesc_q);
  assign pick_o = pick;
  assign queue_o = dm_q_q[3:0];
  assign ask_block_o = start;
  assign ask_desc_o = (dm_state_q == MOVER_FETCH);
  assign ask_idx_o = start ? block_i : dm_first_q + {16'd0, desc_i};
  assign next_o = (dm_state_q == MOVER_POST) && !last_desc;
  assign done_o = (dm_state_q == MOVER_DONE);
  assign stop_o = (dm_state_q == MOVER_CHECK) && dm_bad_q;
  assign busy_o = (dm_state_q != MOVER_IDLE);

  always_comb begin
    upd_valid_o = 1'b0;
    upd_mode_o = 4'd0;
    upd_id_o = 8'd0;
    upd_value_o = 32'd0;
    if (dm_state_q == MOVER_POST) begin
      upd_valid_o = (dm_desc_q[3][23:16] != 8'd0);
      upd_mode_o = UPDATE_ADD_IMM[3:0];
      upd_id_o = dm_desc_q[3][15:8];
      upd_value_o = {24'd0, dm_desc_q[3][23:16]};
    end else if (dm_state_q == MOVER_DONE) begin
      upd_valid_o = (dm_mode_q != UPDATE_NONE);
      upd_mode_o = dm_mode_q[3:0];
      upd_id_o = dm_id_q;
      upd_value_o = dm_operand_q;
    end
  end

  // -------------------------------------------------------------- registers
  // Where the sides stand.  One run of assignments for both: one flag for a simulator.
  always_ff @(posedge clk_i) begin : p_sides
    logic [1:0][63:0] a, r, step0, step1;
    logic [1:0][31:0] o, after;
    logic [1:0][15:0] i, j, num0, num1;
    logic [1:0]       fin, gnt, moved;
    if ((dm_state_q == MOVER_DESC) || (dm_state_q == MOVER_CHECK) ||
        (dm_state_q == MOVER_MOVE)) begin
      step0 = {{32{dm_desc_q[12][31]}}, dm_desc_q[12], {32{dm_desc_q[6][31]}}, dm_desc_q[6]};
      step1 = {{32{dm_desc_q[13][31]}}, dm_desc_q[13], {32{dm_desc_q[7][31]}}, dm_desc_q[7]};
      num0 = {dm_desc_q[14][15:0], dm_desc_q[8][15:0]};
      num1 = {dm_desc_q[14][31:16], dm_desc_q[8][31:16]};
      after = {dm_o_q[1] + {28'd0, wr_len}, dm_o_q[0] + {28'd0, rd_len}};
      gnt = {wr_gnt, rd_gnt};
      moved = gnt & {after[1] == run_of(1'b1), after[0] == run_of(1'b0)};
      for (int s = 0; s < 2; s++) begin
        a[s] = dm_a_q[s];
        r[s] = dm_r_q[s];
        i[s] = dm_i_q[s];
        j[s] = dm_j_q[s];
        o[s] = dm_o_q[s];
        fin[s] = dm_fin_q[s];
        if (dm_state_q == MOVER_DESC) begin
          a[s] = (s == 0) ? {8'd0, data_i[183:128]} : {8'd0, data_i[375:320]};
          r[s] = a[s];
          i[s] = 16'd0;
          j[s] = 16'd0;
          o[s] = 32'd0;
          fin[s] = 1'b0;
        end else if ((dm_state_q == MOVER_CHECK) && !dm_bad_q && (dm_fin_q[0] && dm_fin_q[1])) begin
          a[s] = base_of(s != 0);
          r[s] = a[s];
          i[s] = 16'd0;
          j[s] = 16'd0;
          fin[s] = 1'b0;
        end else begin
          if (gnt[s]) o[s] = moved[s] ? 32'd0 : after[s];
          if (moved[s] || ((dm_state_q == MOVER_CHECK) && !dm_bad_q && !dm_fin_q[s])) begin
            if (i[s] + 16'd1 < num0[s]) begin
              i[s] = i[s] + 16'd1;
              a[s] = a[s] + step0[s];
            end else if (j[s] + 16'd1 < num1[s]) begin
              j[s] = j[s] + 16'd1;
              i[s] = 16'd0;
              r[s] = r[s] + step1[s];
              a[s] = r[s];
            end else begin
              fin[s] = 1'b1;
            end
          end
        end
      end
      for (int s = 0; s < 2; s++) begin
        dm_a_q[s] <= a[s];
        dm_r_q[s] <= r[s];
        dm_i_q[s] <= i[s];
        dm_j_q[s] <= j[s];
        dm_o_q[s] <= o[s];
        dm_fin_q[s] <= fin[s];
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      dm_state_q <= MOVER_IDLE;
      dm_rr_q <= 5'd0;
      dma_fault_q <= FAULT_NONE;
    end else if (start || busy_o) begin
      unique case (dm_state_q)
        MOVER_IDLE: begin
          dm_q_q <= {1'b0, pick};
          dm_state_q <= MOVER_BLOCK;
        end
        MOVER_BLOCK: begin
          dm_first_q <= data_i[31:0];
          dm_ndesc_q <= data_i[47:32];
          dm_mode_q <= data_i[71:64];
          dm_id_q <= data_i[79:72];
          dm_operand_q <= data_i[127:96];
          dm_state_q <= (data_i[47:32] == 16'd0) ? MOVER_DONE : MOVER_FETCH;
        end
        MOVER_FETCH: dm_state_q <= MOVER_DESC;
        MOVER_DESC: begin
          dm_desc_q <= data_i;
          dm_bad_q <= bad_desc(data_i);
          dm_state_q <= MOVER_CHECK;
        end
        MOVER_CHECK: begin
          if (dm_bad_q) begin
            if (dma_fault_q == FAULT_NONE) begin
              dma_fault_q <= FAULT_DMA_DESC;
              dma_fault_q_q <= dm_q_q;
              dma_fault_desc_q <= dm_first_q + {16'd0, desc_i};
            end
          end else if (dm_fin_q[0] && dm_fin_q[1]) begin
            dm_state_q <= MOVER_MOVE;
          end else if ((!dm_fin_q[0] && stray(1'b0)) || (!dm_fin_q[1] && stray(1'b1))) begin
            dm_bad_q <= 1'b1;
          end
        end
        MOVER_MOVE: begin
          // The last byte leaves in this cycle.
          if (wr_gnt && (dm_o_q[1] + {28'd0, wr_len} == run_of(1'b1)) && last_run(1'b1)) begin
            dm_state_q <= MOVER_POST;
          end
        end
        MOVER_POST: dm_state_q <= last_desc ? MOVER_DONE : MOVER_IDLE;
        default: dm_state_q <= MOVER_IDLE;
      endcase
      if (next_o || done_o || stop_o) begin
        dm_rr_q <= {1'b0, dm_q_q[3:0] + 4'd1};
        dm_state_q <= MOVER_IDLE;
      end
    end
  end

  // The ring buffer and the reads on their way.
  always_ff @(posedge clk_i) begin
    if (dm_state_q == MOVER_DESC) begin
      dm_room_q <= 7'd64;
      dm_cnt_q <= 7'd0;
      dm_head_q <= 6'd0;
      dm_rqn_q <= 4'd0;
      dm_rqh_q <= 3'd0;
    end else if (rd_gnt || wr_gnt || rsp_i) begin
      dm_room_q <= dm_room_q - (rd_gnt ? {3'd0, rd_need} : 7'd0) +
                   (wr_gnt ? {3'd0, wr_len} : 7'd0);
      dm_cnt_q <= dm_cnt_q + {3'd0, push_len} - (wr_gnt ? {3'd0, wr_len} : 7'd0);
      if (wr_gnt) dm_head_q <= dm_head_q + {2'd0, wr_len};
      dm_rqn_q <= dm_rqn_q + {3'd0, rd_gnt} - {3'd0, rsp_i};
      if (rd_gnt) begin
        dm_rqo_q[dm_rqh_q + dm_rqn_q[2:0]] <= rd_at[2:0];
        dm_rql_q[dm_rqh_q + dm_rqn_q[2:0]] <= rd_len;
      end
      if (rsp_i) begin
        dm_rqh_q <= dm_rqh_q + 3'd1;
        for (int k = 0; k < 8; k++) begin
          if (4'(k) < push_len) begin
            dm_fifo_q[{dm_head_q + dm_cnt_q[5:0] + 6'(k), 3'd0} +: 8] <= push_word[8 * k +: 8];
          end
        end
      end
    end
  end

endmodule
