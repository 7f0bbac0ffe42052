// SPDX-License-Identifier: Apache-2.0
//
// An on-chip memory of 128 partitions in 32 lane banks: lane = partition % 32, and in a bank the
// words of the partitions lane, lane + 32, lane + 64, lane + 96 one after the other.
//
// One access a cycle from tpb_mem.  Read port 0 of the banks belongs to the vector engine and
// rests.
//
//   cycle                 t          t+1
//   acc_rd_i, acc_lane_i  1, L
//   sel_en_i, sel_lane_i             1, L
//   rdata_o                          word
module tpb_sram #(
  parameter int unsigned Words = 8192,
  parameter int unsigned Width = $clog2(Words)
) (
  input  logic             clk_i,
  input  logic             acc_rd_i,
  input  logic             acc_wr_i,
  input  logic [4:0]       acc_lane_i,
  input  logic [Width-1:0] acc_addr_i,
  input  logic [7:0]       acc_mask_i,
  input  logic [63:0]      acc_wdata_i,
  input  logic             sel_en_i,
  input  logic [4:0]       sel_lane_i,
  output logic [63:0]      rdata_o
);

  logic [31:0][63:0] r1_data;

  for (genvar l = 0; l < 32; l++) begin : gen_bank
    logic [63:0] unused_r0_data;
    tpb_bank #(
      .Lane (l),
      .Words(Words)
    ) u_bank (
      .clk_i,
      .r0_en_i  (1'b0),
      .r0_addr_i('0),
      .r0_data_o(unused_r0_data),
      .r1_en_i  (acc_rd_i),
      .r1_lane_i(acc_lane_i),
      .r1_addr_i(acc_addr_i),
      .r1_data_o(r1_data[l]),
      .w_en_i   (acc_wr_i),
      .w_lane_i (acc_lane_i),
      .w_addr_i (acc_addr_i),
      .w_mask_i (acc_mask_i),
      .w_data_i (acc_wdata_i)
    );
  end

  always_comb begin
    rdata_o = 64'd0;
    if (sel_en_i) rdata_o = r1_data[sel_lane_i];
  end

endmodule
