// SPDX-License-Identifier: Apache-2.0
//
// What a lane computes, one case on the ALU byte for each of the three paths.
//
// The caller checks at decode that the op belongs to the path; another one gives 0.  A later op is
// a line here and, if it is arithmetic, a function in tpb_fp_pkg.
//
// Facts: docs/reference/numerics.md.
package tpb_lane_pkg;
  import tpb_pkg::*;
  import tpb_fp_pkg::*;

  // Bit of a result of lane_int that goes to the same bit of alu_flags: division, mod by 0.
  typedef struct packed {
    logic [1:0] flags;
    logic [31:0] word;
  } lane_int_t;

  // Element widths of the bitvec path, log2 of the bytes.
  localparam logic [1:0] LANE_W8 = 2'd0;
  localparam logic [1:0] LANE_W16 = 2'd1;
  localparam logic [1:0] LANE_W32 = 2'd2;

  function automatic logic [31:0] lane_truth(input logic x);
    lane_truth = x ? FP_ONE : 32'd0;
  endfunction

  // fp32 path.
  function automatic logic [31:0] lane_arith(input logic [7:0] op, input logic [31:0] a,
                                             input logic [31:0] b);
    /* verilator no_inline_task */
    unique case (op)
      ALU_BYPASS: lane_arith = a;
      ALU_ADD: lane_arith = fp_add(a, b);
      ALU_SUBTRACT: lane_arith = fp_sub(a, b);
      ALU_MULT: lane_arith = fp_mul(a, b);
      ALU_DIVIDE: lane_arith = fp_div(a, b);
      ALU_MAX: lane_arith = fp_max(a, b);
      ALU_MIN: lane_arith = fp_min(a, b);
      ALU_LOGICAL_AND: lane_arith = lane_truth((a[30:0] != 31'd0) && (b[30:0] != 31'd0));
      ALU_LOGICAL_OR: lane_arith = lane_truth((a[30:0] != 31'd0) || (b[30:0] != 31'd0));
      ALU_LOGICAL_XOR: lane_arith = lane_truth((a[30:0] != 31'd0) != (b[30:0] != 31'd0));
      ALU_IS_EQUAL: lane_arith = lane_truth(fp_eq(a, b));
      ALU_NOT_EQUAL: lane_arith = lane_truth(!fp_eq(a, b));
      ALU_IS_GT: lane_arith = lane_truth(fp_lt(b, a));
      ALU_IS_GE: lane_arith = lane_truth(fp_le(b, a));
      ALU_IS_LE: lane_arith = lane_truth(fp_le(a, b));
      ALU_IS_LT: lane_arith = lane_truth(fp_lt(a, b));
      ALU_ABS: lane_arith = fp_abs(a);
      ALU_MOD: lane_arith = fp_mod(a, b);
      ALU_RSQRT: lane_arith = fp_rsqrt(a);
      ALU_ABS_MAX: lane_arith = fp_max({1'b0, a[30:0]}, {1'b0, b[30:0]});
      ALU_ABS_MIN: lane_arith = fp_min({1'b0, a[30:0]}, {1'b0, b[30:0]});
      default: lane_arith = 32'd0;
    endcase
  endfunction

  // Magnitude of a 33-bit integer.
  function automatic logic [63:0] lane_magnitude(input logic signed [63:0] x);
    lane_magnitude = x[63] ? -x : x;
  endfunction

  // An exact integer result as the out tag stores it: int32 clamped, uint32 modulo 2^32.
  function automatic logic [31:0] lane_store(input logic out_signed, input logic signed [63:0] r);
    if (out_signed && r > 64'sh7FFFFFFF) lane_store = 32'h7FFFFFFF;
    else if (out_signed && r < -64'sh80000000) lane_store = 32'h80000000;
    else lane_store = r[31:0];
  endfunction

  // The exact product; of unsigned operands it may reach bit 63, which no clamp needs to tell from
  // bit 62.
  function automatic logic signed [63:0] lane_product(input logic in0_signed,
                                                      input logic signed [63:0] a,
                                                      input logic signed [63:0] b);
    lane_product = a * b;
    if (!in0_signed && lane_product[63]) lane_product = {2'b01, lane_product[61:0]};
  endfunction

  // Truncated quotient of 33-bit integers, b not 0.
  function automatic logic signed [63:0] lane_quotient(input logic signed [63:0] a,
                                                       input logic signed [63:0] b);
    logic [63:0] q;
    q = lane_magnitude(a) / lane_magnitude(b);
    lane_quotient = (a[63] != b[63]) ? -$signed(q) : $signed(q);
  endfunction

  // A result that is exact in 64 bits and no division by 0.
  function automatic logic signed [63:0] lane_exact(input logic [7:0] op, input logic in0_signed,
                                                    input logic signed [63:0] a,
                                                    input logic signed [63:0] b);
    logic signed [63:0] ma, mb;
    ma = lane_magnitude(a);
    mb = lane_magnitude(b);
    unique case (op)
      ALU_BYPASS: lane_exact = a;
      ALU_ADD, ALU_ADD_INT: lane_exact = a + b;
      ALU_SUBTRACT, ALU_SUBTRACT_INT: lane_exact = a - b;
      ALU_MULT, ALU_MULT_INT: lane_exact = lane_product(in0_signed, a, b);
      ALU_DIVIDE, ALU_DIVIDE_INT: lane_exact = lane_quotient(a, b);
      ALU_MOD, ALU_MOD_INT: lane_exact = a - b * lane_quotient(a, b);
      ALU_MAX: lane_exact = (a < b) ? b : a;
      ALU_MIN: lane_exact = (b < a) ? b : a;
      ALU_LOGICAL_AND: lane_exact = {63'd0, (a != 64'sd0) && (b != 64'sd0)};
      ALU_LOGICAL_OR: lane_exact = {63'd0, (a != 64'sd0) || (b != 64'sd0)};
      ALU_LOGICAL_XOR: lane_exact = {63'd0, (a != 64'sd0) != (b != 64'sd0)};
      ALU_IS_EQUAL: lane_exact = {63'd0, a == b};
      ALU_NOT_EQUAL: lane_exact = {63'd0, a != b};
      ALU_IS_GT: lane_exact = {63'd0, a > b};
      ALU_IS_GE: lane_exact = {63'd0, a >= b};
      ALU_IS_LE: lane_exact = {63'd0, a <= b};
      ALU_IS_LT: lane_exact = {63'd0, a < b};
      ALU_ABS: lane_exact = ma;
      ALU_ABS_MAX: lane_exact = (ma < mb) ? mb : ma;
      ALU_ABS_MIN: lane_exact = (mb < ma) ? mb : ma;
      default: lane_exact = 64'sd0;
    endcase
  endfunction

  // Integer path: words a and b with the signedness of in0, the result as the out tag stores it.
  function automatic lane_int_t lane_int(input logic [7:0] op, input logic in0_signed,
                                         input logic out_signed, input logic [31:0] a,
                                         input logic [31:0] b);
    /* verilator no_inline_task */
    logic divides, mods;
    divides = (op == ALU_DIVIDE) || (op == ALU_DIVIDE_INT);
    mods = (op == ALU_MOD) || (op == ALU_MOD_INT);
    if (b == 32'd0 && divides) begin
      lane_int = {2'b01, 32'hFFFFFFFF};
    end else if (b == 32'd0 && mods) begin
      lane_int = {2'b10, a};
    end else begin
      lane_int = {2'b00, lane_store(out_signed, lane_exact(op, in0_signed,
          {{32{in0_signed && a[31]}}, a}, {{32{in0_signed && b[31]}}, b}))};
    end
  endfunction

  // The negate step of a fold on the integer path.
  function automatic logic [31:0] lane_int_neg(input logic in0_signed, input logic out_signed,
                                               input logic [31:0] a);
    lane_int_neg = lane_store(out_signed, -$signed({{32{in0_signed && a[31]}}, a}));
  endfunction

  // The low bits of a word by element width: unsigned, signed.
  function automatic logic [31:0] lane_low(input logic [1:0] width, input logic [31:0] x);
    unique case (width)
      LANE_W8: lane_low = {24'd0, x[7:0]};
      LANE_W16: lane_low = {16'd0, x[15:0]};
      LANE_W32: lane_low = x;
      default: lane_low = 32'd0;
    endcase
  endfunction

  function automatic logic [31:0] lane_extend(input logic [1:0] width, input logic [31:0] x);
    unique case (width)
      LANE_W8: lane_extend = {{24{x[7]}}, x[7:0]};
      LANE_W16: lane_extend = {{16{x[15]}}, x[15:0]};
      LANE_W32: lane_extend = x;
      default: lane_extend = 32'd0;
    endcase
  endfunction

  // Bitvec path on the low bits of a and b.
  function automatic logic [31:0] lane_bitvec(input logic [7:0] op, input logic [1:0] width,
                                              input logic [31:0] a, input logic [31:0] b);
    /* verilator no_inline_task */
    logic [31:0] r;
    unique case (op)
      ALU_BYPASS: r = a;
      ALU_BITWISE_NOT: r = ~a;
      ALU_ARITH_SHL, ALU_LOGICAL_SHL: r = a << b[4:0];
      ALU_ARITH_SHR: r = $signed(lane_extend(width, a)) >>> b[4:0];
      ALU_LOGICAL_SHR: r = lane_low(width, a) >> b[4:0];
      ALU_BITWISE_AND: r = a & b;
      ALU_BITWISE_OR: r = a | b;
      ALU_BITWISE_XOR: r = a ^ b;
      default: r = 32'd0;
    endcase
    lane_bitvec = lane_low(width, r);
  endfunction
endpackage
