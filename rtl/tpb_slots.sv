// SPDX-License-Identifier: Apache-2.0
//
// Search slots and accumulators of DVE: the working slots of the lanes, and a RAM each for the
// accumulators and the match slots of the partitions.
//
// part0_i, part1_i are the partitions of lane 0 of the beats in X0 and X1, lanes_i the number of
// lanes that work.  A partition that nobody wrote since reset reads as 0 (vacc_ok_q, vmatch_ok_q).
//
//   cycle                t (X0)     t+1 (X1)
//   rd_i, part0_i        1, P
//   acc_i, value_o                  accumulators of the lanes
//   emit_i, pick_i, value_o, hit_o  a slot of each lane, and whether it is hit
//   step_i, t_i, hit_o              an element for the slots, and whether it hits one
//   acc_we_i, new_acc_i             new accumulators
//
// Wide registers are arrays of one element: Verilator keeps a shadow copy of other ones and moves
// it in every cycle.  Facts: docs/reference/vector.md "X1"; docs/reference/numerics.md.
module tpb_slots
  import tpb_pkg::*;
  import tpb_slot_pkg::*;
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
  input  logic                   acc_i,
  input  logic                   emit_i,
  input  logic [2:0]             pick_i,
  output logic [Lanes-1:0][31:0] value_o,
  output logic [Lanes-1:0]       hit_o,
  input  logic                   acc_we_i,
  input  logic [Lanes-1:0][31:0] new_acc_i
);

  localparam int unsigned Rows = 128 / Lanes;
  localparam int unsigned RowBits = (Rows > 1) ? $clog2(Rows) : 1;

  logic [Lanes-1:0][7:0]    vhit_q [1] /*verilator public_flat_rd*/;
  logic [3:0][31:0]         vacc_ok_q /*verilator public_flat_rd*/;
  logic [3:0][31:0]         vmatch_ok_q /*verilator public_flat_rd*/;
  logic [Lanes*8-1:0][31:0] vslot_q [1] /*verilator public_flat_rd*/;

  logic [Lanes*32-1:0]  vacc_q [Rows] /*verilator public_flat_rd*/;
  logic [Lanes*256-1:0] vmatch_q [Rows] /*verilator public_flat_rd*/;
  logic [Lanes*32-1:0]  acc_row_q;
  logic [Lanes*256-1:0] match_row_q;

  // Row of a partition; one of more than 32 partitions may be entered inside.
  function automatic logic [RowBits-1:0] row_of(input logic [6:0] part);
    row_of = (Rows > 1) ? RowBits'({1'b0, part} / 8'(Lanes)) : '0;
  endfunction

  int lane0;  // lane of a row for lane 0 of the unit
  if (Lanes > 32) begin : gen_lane0
    assign lane0 = int'(part1_i);
  end else begin : gen_no_lane0
    assign lane0 = 0;
  end

  // ----------------------------------------------------------------- slots
  logic                  searches;
  logic [Lanes-1:0]      ok;     // the match slots of the lane were loaded
  logic [Lanes-1:0][3:0] found;

  assign searches = step_i && ((op_i == OP_FIND_INDEX8) || (op_i == OP_MATCH_REPLACE8));

  always_comb begin
    ok = '0;
    found = '0;
    if (searches) begin
      ok = Lanes'({vmatch_ok_q} >> part1_i);
      for (int j = 0; j < int'(Lanes); j++) begin
        if (8'(j) < lanes_i) begin
          found[j] = slot_match(first_i, ok[j],
                                match_row_q[256 * ((j + lane0) % int'(Lanes)) +: 256],
                                vslot_q[0][8 * j +: 8], vhit_q[0][j], t_i[j]);
        end
      end
    end
  end

  // What a lane has besides its element.
  always_comb begin : p_value
    logic [Lanes-1:0] known;
    value_o = '0;
    hit_o = '0;
    known = '0;
    if (acc_i) begin
      known = Lanes'({vacc_ok_q} >> part1_i);
      for (int j = 0; j < int'(Lanes); j++) begin
        if (known[j]) value_o[j] = acc_row_q[32 * ((j + lane0) % int'(Lanes)) +: 32];
      end
    end else if (emit_i) begin
      for (int j = 0; j < int'(Lanes); j++) begin
        value_o[j] = vslot_q[0][8 * j + int'(pick_i)];
        hit_o[j] = vhit_q[0][j][pick_i];
      end
    end else if (searches) begin
      for (int j = 0; j < int'(Lanes); j++) hit_o[j] = (found[j] != SlotNone);
    end
  end

  always_ff @(posedge clk_i) begin : p_slots
    logic [Lanes*8-1:0][31:0] slots;
    logic [Lanes-1:0][7:0] hits;
    if (step_i) begin
      slots = vslot_q[0];
      hits = vhit_q[0];
      for (int j = 0; j < int'(Lanes); j++) begin
        if (8'(j) < lanes_i) begin
          if (searches) begin
            slot_search(first_i, ok[j], found[j], idx_i,
                        match_row_q[256 * ((j + lane0) % int'(Lanes)) +: 256],
                        vslot_q[0][8 * j +: 8], vhit_q[0][j], slots[8 * j +: 8], hits[j]);
          end else begin
            slot_enter(op_i == OP_MATCH_LOAD, idx_i, t_i[j], vslot_q[0][8 * j +: 8],
                       slots[8 * j +: 8]);
          end
        end
      end
      vslot_q[0] <= slots;
      vhit_q[0] <= hits;
    end
  end

  // ------------------------------------------------------------------ RAMs
  logic match_we;
  assign match_we = step_i && (op_i == OP_MATCH_LOAD) && last_i;

  always_ff @(posedge clk_i) begin
    if (rd_acc_i) acc_row_q <= vacc_q[row_of(part0_i)];
    if (rd_match_i) match_row_q <= vmatch_q[row_of(part0_i)];
  end

  always_ff @(posedge clk_i) begin : p_acc
    logic [Lanes*32-1:0] row;
    if (acc_we_i) begin
      row = vacc_q[row_of(part1_i)];
      for (int j = 0; j < int'(Lanes); j++) begin
        if (8'(j) < lanes_i) row[32 * ((j + lane0) % int'(Lanes)) +: 32] = new_acc_i[j];
      end
      vacc_q[row_of(part1_i)] <= row;
    end
  end

  // The eighth value joins the seven that stand in the slots.
  always_ff @(posedge clk_i) begin : p_match
    logic [Lanes*256-1:0] row;
    if (match_we) begin
      row = vmatch_q[row_of(part1_i)];
      for (int j = 0; j < int'(Lanes); j++) begin
        if (8'(j) < lanes_i) begin
          row[256 * ((j + lane0) % int'(Lanes)) +: 32] = t_i[j];
          row[256 * ((j + lane0) % int'(Lanes)) + 32 +: 224] = vslot_q[0][8 * j + 1 +: 7];
        end
      end
      vmatch_q[row_of(part1_i)] <= row;
    end
  end

  always_ff @(posedge clk_i) begin : p_ok
    logic [127:0] touched;  // partitions of the lanes
    if (!rst_ni) begin
      vacc_ok_q <= '0;
      vmatch_ok_q <= '0;
    end else if (acc_we_i || match_we) begin
      touched = ~(128'hFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF << lanes_i) << part1_i;
      if (acc_we_i) vacc_ok_q <= vacc_ok_q | touched;
      if (match_we) vmatch_ok_q <= vmatch_ok_q | touched;
    end
  end

endmodule
