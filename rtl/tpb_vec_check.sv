// SPDX-License-Identifier: Apache-2.0
//
// A step of the check of a vector bundle's operands: steps 0 to 2 look at a walk, 3 at the scalars.
//
// Combinational.  In a step reg_o names the registers that hold addresses, value_i are their
// values; word 0 is the walk's or s0's, word 1 that of s1.  addr_o are the addresses of the
// operands that present_o says are there, verdict_o is what was found up to and in this step.
//
// Facts: docs/reference/vector.md "Check and grant".
module tpb_vec_check
  import tpb_ap_pkg::*;
#(
  parameter bit          Dve = 1'b1,
  parameter int unsigned SbufPartBytes = 229376
) (
  input  logic             check_i,
  input  logic [1:0]       step_i,
  input  logic [1:0]       bad_i,     // what earlier steps found
  input  logic [28:0]      base0_i,   // start of walk 0
  input  shape_t           shape_i,
  input  logic [511:0]     bundle_i,
  output logic [1:0][5:0]  reg_o,
  input  logic [1:0][31:0] value_i,
  output logic [1:0]       verdict_o,
  output logic [1:0]       present_o,
  output logic [1:0][28:0] addr_o
);

  logic [1:0][31:0] word;
  place_t           place;
  logic             scalars, generator;

  assign reg_o = {word[1][5:0], word[0][5:0]};

  always_comb begin
    word = '0;
    place = '0;
    present_o = 2'b00;
    scalars = 1'b0;
    generator = 1'b0;
    if (check_i) begin
      scalars = (step_i == 2'd3);
      if (scalars) begin
        word = {ap_scalar(bundle_i, 1'b1), ap_scalar(bundle_i, 1'b0)};
        present_o = shape_i.ptr;
      end else begin
        place = ap_place(shape_i.op, step_i);
        word[0] = ap_first(bundle_i, place);
        present_o[0] = shape_i.walk[step_i];
        generator = shape_i.generator && (step_i == 2'd0);
      end
    end
  end

  // Verdict on an operand of this step.
  function automatic logic [1:0] verdict(input logic [31:0] text, input logic [31:0] value,
                                         input logic [28:0] addr);
    logic [3:0] tag;
    logic psum_ok;
    unique case (step_i)
      2'd0: tag = shape_i.tag0;
      2'd1: tag = shape_i.tag1;
      2'd2: tag = shape_i.tag2;
      default: tag = shape_i.tag_s;
    endcase
    psum_ok = Dve && ((step_i != 2'd2) || (ap_log(tag) == 2'd2));
    verdict = ap_verdict(addr, ap_log(tag), shape_i.n, ap_steps(bundle_i, place),
                         ap_counts(bundle_i, place), psum_ok, SbufPartBytes);
    if (ap_malformed(text, value)) verdict[ApBad] = 1'b1;
    if ((step_i == 2'd1) && ap_clash(base0_i, addr)) verdict[ApBad] = 1'b1;
  endfunction

  always_comb begin
    addr_o = '0;
    verdict_o = 2'd0;
    if (check_i) begin
      verdict_o = bad_i;
      addr_o[0] = (word[0][31] && !generator) ? value_i[0][28:0] : word[0][28:0];
      addr_o[1] = word[1][31] ? value_i[1][28:0] : word[1][28:0];
      if (present_o[0] && !generator) begin
        verdict_o = verdict_o | verdict(word[0], value_i[0], addr_o[0]);
      end
      if (present_o[1]) verdict_o = verdict_o | verdict(word[1], value_i[1], addr_o[1]);
    end
  end

endmodule
