// SPDX-License-Identifier: Apache-2.0
//
// Search slots and accumulators of DVE: the working slots of the lanes, and a RAM each for the
// accumulators and the match slots of the partitions.
//
// part0_i, part1_i are the partitions of lane 0 of the beats in X0 and X1, lanes_i the number of
// lanes that work.  A partition that nobody wrote since reset reads as 0 (vacc_ok_q, vmatch_ok_q).
//
//   cycle            t (X0)       t+1 (X1)
//   rd_i, part0_i    1, P
//   use_acc_i, acc_o              accumulators of the lanes
//   step_i, t_i                   an element for the slots; hit_o: a match slot equals it
//   acc_we_i, acc_i               new accumulators
//
// Facts: docs/reference/vector.md "X1"; docs/reference/numerics.md.
module tpb_slots
  import tpb_pkg::*;
  import tpb_fp_pkg::*;
#(
  parameter int unsigned Lanes = 32
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  // X0: the rows of a beat that is the first of its pass.
  input  logic                   rd_acc_i,
  input  logic                   rd_match_i,
  input  logic [6:0]             part0_i,
  // X1: element idx_i.
  input  logic                   step_i,
  input  logic [7:0]             op_i,
  input  logic                   first_i,
  input  logic                   last_i,
  input  logic [31:0]            idx_i,
  input  logic [7:0]             lanes_i,
  input  logic [6:0]             part1_i,
  input  logic [Lanes-1:0][31:0] t_i,
  input  logic                   use_acc_i,
  input  logic                   acc_we_i,
  input  logic [Lanes-1:0][31:0] acc_i,
  output logic [Lanes-1:0][31:0] acc_o,
  output logic [Lanes-1:0]       hit_o,
  output logic [Lanes*8-1:0][31:0] slot_o,
  output logic [Lanes-1:0][7:0]  slot_hit_o
);

  localparam int unsigned Rows = 128 / Lanes;
  localparam int unsigned RowBits = (Rows > 1) ? $clog2(Rows) : 1;

  logic [Lanes-1:0][7:0]    vhit_q /*verilator public_flat_rd*/;
  logic [3:0][31:0]         vacc_ok_q /*verilator public_flat_rd*/;
  logic [3:0][31:0]         vmatch_ok_q /*verilator public_flat_rd*/;
  logic [Lanes*8-1:0][31:0] vslot_q /*verilator public_flat_rd*/;

  logic [Lanes*32-1:0]  acc_q [Rows] /*verilator public_flat_rd*/;
  logic [Lanes*256-1:0] match_q [Rows] /*verilator public_flat_rd*/;
  logic [Lanes*32-1:0]  acc_row_q;
  logic [Lanes*256-1:0] match_row_q;

  // Row of a partition, and lane of the row for lane j of the unit; where a row is wider than 32
  // partitions, a start need not be its first.
  function automatic logic [RowBits-1:0] row_of(input logic [6:0] part);
    row_of = (Rows > 1) ? RowBits'({1'b0, part} / 8'(Lanes)) : '0;
  endfunction

  function automatic int lane_of(input logic [6:0] part, input int j);
    lane_of = (Lanes > 32) ? (({25'd0, part} + j) & (int'(Lanes) - 1)) : j;
  endfunction

  // ------------------------------------------------------------- one lane
  // Slots that an element of Max8 changes.  It takes the place of the first that is smaller; what
  // was there goes on in its stead.
  function automatic logic [7:0] moves(input logic [255:0] slots, input logic [31:0] idx,
                                       input logic [31:0] value);
    /* verilator no_inline_task */
    logic [31:0] c;
    moves = 8'd0;
    c = value;
    for (int k = 0; k < 8; k++) begin
      if (32'(k) < idx) begin
        if (fp_lt(slots[32 * k +: 32], c)) begin
          moves[k] = 1'b1;
          c = slots[32 * k +: 32];
        end
      end else if (32'(k) == idx) begin
        moves[k] = 1'b1;
      end
    end
  endfunction

  function automatic logic [255:0] moved(input logic [255:0] slots, input logic [7:0] mask,
                                         input logic [31:0] value);
    logic [31:0] c;
    moved = slots;
    c = value;
    for (int k = 0; k < 8; k++) begin
      if (mask[k]) begin
        moved[32 * k +: 32] = c;
        c = slots[32 * k +: 32];
      end
    end
  endfunction

  // The lowest slot that is not hit and equals the value; 8: none.
  function automatic logic [3:0] match(input logic [255:0] slots, input logic [7:0] hit,
                                       input logic [31:0] value);
    /* verilator no_inline_task */
    match = 4'd8;
    for (int k = 7; k >= 0; k--) begin
      if (!hit[k] && fp_eq(slots[32 * k +: 32], value)) match = 4'(k);
    end
  endfunction

  // ------------------------------------------------------------- all lanes
  logic searches;
  logic [Lanes-1:0][3:0] found;

  assign searches = step_i && ((op_i == OP_FIND_INDEX8) || (op_i == OP_MATCH_REPLACE8));
  assign slot_o = vslot_q;
  assign slot_hit_o = vhit_q;

  function automatic logic marked(input logic [127:0] set, input logic [6:0] part);
    marked = set[part];
  endfunction

  // The match slots of lane j's partition.
  function automatic logic [255:0] loaded(input int j);
    loaded = marked(vmatch_ok_q, part1_i + 7'(j)) ? match_row_q[256 * lane_of(part1_i, j) +: 256] :
                                               256'd0;
  endfunction

  always_comb begin
    found = '0;
    hit_o = '0;
    if (searches) begin
      for (int j = 0; j < int'(Lanes); j++) begin
        if (8'(j) < lanes_i) begin
          found[j] = match(first_i ? loaded(j) : vslot_q[8 * j +: 8],
                           first_i ? 8'd0 : vhit_q[j], t_i[j]);
          hit_o[j] = !found[j][3];
        end
      end
    end
  end

  always_ff @(posedge clk_i) begin : p_slots
    logic [Lanes*8-1:0][31:0] slots;
    logic [Lanes-1:0][7:0] hits;
    if (step_i) begin
      slots = vslot_q;
      hits = vhit_q;
      for (int j = 0; j < int'(Lanes); j++) begin
        if (8'(j) < lanes_i) begin
          if (op_i == OP_MAX8) begin
            slots[8 * j +: 8] = moved(slots[8 * j +: 8],
                                      moves(vslot_q[8 * j +: 8], idx_i, t_i[j]), t_i[j]);
          end else if (op_i == OP_MATCH_LOAD) begin
            slots[8 * j + {29'd0, ~idx_i[2:0]}] = t_i[j];
          end else begin
            if (first_i) begin
              slots[8 * j +: 8] = loaded(j);
              hits[j] = 8'd0;
            end
            if (!found[j][3]) begin
              slots[8 * j + {29'd0, found[j][2:0]}] = idx_i;
              hits[j][found[j][2:0]] = 1'b1;
            end
          end
        end
      end
      vslot_q <= slots;
      if (searches) vhit_q <= hits;
    end
  end

  // ------------------------------------------------------------------ RAMs
  function automatic logic [Lanes*32-1:0] new_acc(input logic [Lanes*32-1:0] old);
    new_acc = old;
    for (int j = 0; j < int'(Lanes); j++) begin
      if (8'(j) < lanes_i) new_acc[32 * lane_of(part1_i, j) +: 32] = acc_i[j];
    end
  endfunction

  // The eighth value joins the seven that stand in the slots.
  function automatic logic [Lanes*256-1:0] new_match(input logic [Lanes*256-1:0] old);
    new_match = old;
    for (int j = 0; j < int'(Lanes); j++) begin
      if (8'(j) < lanes_i) begin
        new_match[256 * lane_of(part1_i, j) +: 256] = {vslot_q[8 * j + 1 +: 7], t_i[j]};
      end
    end
  endfunction

  function automatic logic [127:0] with_lanes(input logic [127:0] set);
    with_lanes = set;
    for (int j = 0; j < int'(Lanes); j++) begin
      if (8'(j) < lanes_i) with_lanes[part1_i + 7'(j)] = 1'b1;
    end
  endfunction

  logic match_we;
  assign match_we = step_i && (op_i == OP_MATCH_LOAD) && last_i;

  always_ff @(posedge clk_i) begin
    if (rd_acc_i) acc_row_q <= acc_q[row_of(part0_i)];
    if (rd_match_i) match_row_q <= match_q[row_of(part0_i)];
  end

  always_ff @(posedge clk_i) begin
    if (acc_we_i) acc_q[row_of(part1_i)] <= new_acc(acc_q[row_of(part1_i)]);
  end

  always_ff @(posedge clk_i) begin
    if (match_we) match_q[row_of(part1_i)] <= new_match(match_q[row_of(part1_i)]);
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      vacc_ok_q <= '0;
      vmatch_ok_q <= '0;
    end else begin
      if (acc_we_i) vacc_ok_q <= with_lanes(vacc_ok_q);
      if (match_we) vmatch_ok_q <= with_lanes(vmatch_ok_q);
    end
  end

  always_comb begin
    acc_o = '0;
    if (use_acc_i) begin
      for (int j = 0; j < int'(Lanes); j++) begin
        if (marked(vacc_ok_q, part1_i + 7'(j))) acc_o[j] = acc_row_q[32 * lane_of(part1_i, j) +: 32];
      end
    end
  end

endmodule
