// SPDX-License-Identifier: Apache-2.0
//
// An on-chip memory of 128 partitions: rows of Lanes 64-bit words, two row reads and one row write
// a cycle.
//
//   row   partition / Lanes * Words + byte / 8, Words being the 8-byte words of a partition
//   lane  partition % Lanes, at bits 64 * lane of the row
//
// A read takes its row at the closing edge of the cycle with r*_en_i and shows it from the next
// cycle on until the port's next read.  A write is in the array at the closing edge; a read of the
// same row in the same cycle gets the old bytes.  A vector write takes the elements of a unit,
// lane 0 of the unit at lane w_lane_i; a narrow write an 8-byte word.
//
//   cycle      t      t+1
//   r1_en_i    1
//   r1_row_i   R
//   r1_data_o         row R
//   word_o            word of the row at lane sel_lane_i, with sel_en_i
//
// Facts: docs/reference/vector.md "Ports".
module tpb_sram #(
  parameter int unsigned Lanes = 32,
  parameter int unsigned Rows = 8192,
  parameter int unsigned Width = $clog2(Rows)
) (
  input  logic                        clk_i,
  input  logic                        r0_en_i,
  input  logic [Width-1:0]            r0_row_i,
  output logic [Lanes*64-1:0]         r0_data_o,
  input  logic                        r1_en_i,
  input  logic [Width-1:0]            r1_row_i,
  output logic [Lanes*64-1:0]         r1_data_o,
  // Word of port 1 for a narrow read.
  input  logic                        sel_en_i,
  input  logic [6:0]                  sel_lane_i,
  output logic [63:0]                 word_o,
  // Write: of vector unit 0 or 1, or narrow.
  input  logic [1:0]                  w_unit_i,
  input  logic                        w_narrow_i,
  input  logic [Width-1:0]            w_row_i,
  input  logic [6:0]                  w_lane_i,
  input  logic [7:0]                  w_mask_i,  // bytes of each word
  input  logic [63:0]                 w_word_i,  // narrow
  input  logic [2:0]                  w_off_i,   // vector: byte of the words
  input  logic [1:0][Lanes-1:0]       v_en_i,
  input  logic [Lanes-1:0][31:0]      v0_data_i,
  input  logic [Lanes-1:0][31:0]      v1_data_i
);

  logic [Lanes*64-1:0] mem_q [Rows] /*verilator public_flat_rd*/;
  logic [Lanes*64-1:0] r0_data_q, r1_data_q;

  // Lane of the row for lane 0 of a unit; a row of up to 32 partitions is always entered at 0.
  int first;
  if (Lanes > 32) begin : gen_first
    assign first = int'(w_lane_i);
  end else begin : gen_no_first
    assign first = 0;
  end

  assign r0_data_o = r0_data_q;
  assign r1_data_o = r1_data_q;

  always_ff @(posedge clk_i) begin
    if (r0_en_i) r0_data_q <= mem_q[r0_row_i];
  end

  always_ff @(posedge clk_i) begin
    if (r1_en_i) r1_data_q <= mem_q[r1_row_i];
  end

  // One assignment of a whole row; Yosys turns the bytes that are fed back into byte enables.  What
  // is wide is no variable of a function: Verilator would clear it in every cycle.
  always_ff @(posedge clk_i) begin : p_write
    logic [Lanes*64-1:0] row;
    logic [63:0] bits;
    if (w_narrow_i || (w_unit_i != 2'd0)) begin
      for (int i = 0; i < 8; i++) bits[8 * i +: 8] = {8{w_mask_i[i]}};
      row = mem_q[w_row_i];
      if (w_narrow_i) begin
        row[64 * int'(w_lane_i) +: 64] = (w_word_i & bits) |
                                         (row[64 * int'(w_lane_i) +: 64] & ~bits);
      end else begin
        for (int j = 0; j < int'(Lanes); j++) begin
          if (w_unit_i[1] ? v_en_i[1][j] : v_en_i[0][j]) begin
            row[64 * ((j + first) % int'(Lanes)) +: 64] =
                (({32'd0, w_unit_i[1] ? v1_data_i[j] : v0_data_i[j]} << {w_off_i, 3'd0}) & bits) |
                (row[64 * ((j + first) % int'(Lanes)) +: 64] & ~bits);
          end
        end
      end
      mem_q[w_row_i] <= row;
    end
  end

  always_comb begin
    word_o = 64'd0;
    if (sel_en_i) word_o = r1_data_q[64 * int'(sel_lane_i) +: 64];
  end

endmodule
