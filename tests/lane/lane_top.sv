// SPDX-License-Identifier: Apache-2.0
//
// The lane functions of rtl/ alone, 32 of each behind one flop, for the bench beside this file.
//
// Contract: at a rising clk_i, lane j of word_o (and of flags_o) takes the result for lane j of a_i
// and b_i.  unit_i chooses the function, op_i is its ALU byte or dtype tag, cfg_i its other
// arguments:
//   ARITH                      unused
//   INT, INT_NEG               bit 0: in0 signed, bit 1: out signed
//   BITVEC                     bits 1:0 the width
//   WIDEN, NARROW              the three fp8 bits
module lane_top
  import tpb_fp_pkg::*;
  import tpb_cvt_pkg::*;
  import tpb_lane_pkg::*;
(
  input  logic          clk_i,
  input  logic [2:0]    unit_i,
  input  logic [7:0]    op_i,
  input  logic [2:0]    cfg_i,
  input  logic [1023:0] a_i,
  input  logic [1023:0] b_i,
  output logic [1023:0] word_o,
  output logic [63:0]   flags_o
);
  localparam logic [2:0] ARITH = 3'd0;
  localparam logic [2:0] INT = 3'd1;
  localparam logic [2:0] BITVEC = 3'd2;
  localparam logic [2:0] WIDEN = 3'd3;
  localparam logic [2:0] NARROW = 3'd4;
  localparam logic [2:0] NEG = 3'd5;
  localparam logic [2:0] INT_NEG = 3'd6;

  logic [1023:0] word_q;
  logic [63:0] flags_q;

  assign word_o = word_q;
  assign flags_o = flags_q;

  for (genvar j = 0; j < 32; j++) begin : gen_lane
    logic [31:0] a, b;
    assign a = a_i[32*j+:32];
    assign b = b_i[32*j+:32];

    always_ff @(posedge clk_i) begin
      flags_q[2*j+:2] <= 2'd0;
      unique case (unit_i)
        ARITH: word_q[32*j+:32] <= lane_arith(op_i, a, b);
        INT: {flags_q[2*j+:2], word_q[32*j+:32]} <= lane_int(op_i, cfg_i[0], cfg_i[1], a, b);
        BITVEC: word_q[32*j+:32] <= lane_bitvec(op_i, cfg_i[1:0], a, b);
        WIDEN: word_q[32*j+:32] <= cvt_widen(op_i, a, cfg_i);
        NARROW: word_q[32*j+:32] <= cvt_narrow(op_i, a, cfg_i);
        NEG: word_q[32*j+:32] <= fp_neg(a);
        INT_NEG: word_q[32*j+:32] <= lane_int_neg(cfg_i[0], cfg_i[1], a);
        default: word_q[32*j+:32] <= 32'd0;
      endcase
    end
  end
endmodule
