// SPDX-License-Identifier: Apache-2.0
//
// RAM of one lane: 64-bit words, two read ports, one write port with byte enables.
//
// Port 0 (vector engine) is per bank.  Port 1 and the write port are common to all banks of a
// memory; the bank whose number is on the lane input takes part.
//
// A read takes its word at the closing edge of the cycle with rN_en_i and shows it from the next
// cycle on until the next read.  A write is in the array at the closing edge; a read of the same
// word in the same cycle gets the old bytes.
//
//   cycle      t      t+1
//   r1_en_i    1
//   r1_addr_i  A
//   r1_data_o         word A
module tpb_bank #(
  parameter int unsigned Lane = 0,
  parameter int unsigned Words = 8192,
  parameter int unsigned Width = $clog2(Words)
) (
  input  logic             clk_i,
  input  logic             r0_en_i,
  input  logic [Width-1:0] r0_addr_i,
  output logic [63:0]      r0_data_o,
  input  logic             r1_en_i,
  input  logic [4:0]       r1_lane_i,
  input  logic [Width-1:0] r1_addr_i,
  output logic [63:0]      r1_data_o,
  input  logic             w_en_i,
  input  logic [4:0]       w_lane_i,
  input  logic [Width-1:0] w_addr_i,
  input  logic [7:0]       w_mask_i,
  input  logic [63:0]      w_data_i
);

  logic [63:0] mem_q [Words] /*verilator public_flat_rd*/;
  logic [63:0] r0_data_q, r1_data_q;

  assign r0_data_o = r0_data_q;
  assign r1_data_o = r1_data_q;

  // Yosys turns the fed-back bytes into byte enables (opt_mem_feedback).
  function automatic logic [63:0] merge(input logic [63:0] old, input logic [63:0] data,
                                        input logic [7:0] mask);
    for (int i = 0; i < 8; i++) merge[8 * i +: 8] = mask[i] ? data[8 * i +: 8] : old[8 * i +: 8];
  endfunction

  always_ff @(posedge clk_i) begin
    if (r0_en_i) r0_data_q <= mem_q[r0_addr_i];
  end

  always_ff @(posedge clk_i) begin
    if (r1_en_i) begin
      if (r1_lane_i == 5'(Lane)) r1_data_q <= mem_q[r1_addr_i];
    end
  end

  always_ff @(posedge clk_i) begin
    if (w_en_i) begin
      if (w_lane_i == 5'(Lane)) mem_q[w_addr_i] <= merge(mem_q[w_addr_i], w_data_i, w_mask_i);
    end
  end

endmodule
