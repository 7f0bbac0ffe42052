// SPDX-License-Identifier: Apache-2.0
//
// The scalar ALU and the branch comparator as functions of values.
//
// Operands come zero-extended to 64 bits; `wide` chooses the width w of 64 or 32 bits and `sgn` the
// signed reading.  Results are modulo 2^w, zero-extended.  The operations that take more than one
// cycle (alu_multi) are iterated by tpb_seq and not computed here.
//
// Facts: docs/reference/timing.md, sequencer sheet 14.3.
package tpb_alu_pkg;
  import tpb_pkg::*;

  // Functions take whole fields and look at some of their bits.
  /* verilator lint_off UNUSEDSIGNAL */

  // Dtype bytes whose values have a sign; 0 stands for int32.
  function automatic logic alu_signed(input logic [7:0] tag);
    unique case (tag)
      8'd0, DTYPE_INT32, DTYPE_INT64: alu_signed = 1'b1;
      default: alu_signed = 1'b0;
    endcase
  endfunction

  function automatic logic sign_bit(input logic wide, input logic [63:0] x);
    sign_bit = wide ? x[63] : x[31];
  endfunction

  function automatic logic [63:0] trim(input logic wide, input logic [63:0] x);
    trim = wide ? x : {32'd0, x[31:0]};
  endfunction

  function automatic logic [63:0] sign_extend(input logic wide, input logic [63:0] x);
    sign_extend = wide ? x : {{32{x[31]}}, x[31:0]};
  endfunction

  function automatic logic [63:0] magnitude(input logic sgn, input logic wide,
                                            input logic [63:0] x);
    magnitude = (sgn && sign_bit(wide, x)) ? trim(wide, -x) : x;
  endfunction

  function automatic logic alu_multi(input logic [7:0] op, input logic sgn, input logic wide,
                                     input logic [63:0] b);
    unique case (op)
      ALU_MULT: alu_multi = 1'b1;
      ALU_DIVIDE, ALU_MOD: alu_multi = (b != 64'd0);
      ALU_POW: alu_multi = !(sgn && sign_bit(wide, b));
      default: alu_multi = 1'b0;
    endcase
  endfunction

  // Number of significant bits, 0 for 0.
  function automatic logic [6:0] significant(input logic [63:0] x);
    logic [63:0] y;
    significant = 7'd0;
    y = x;
    for (int i = 5; i >= 0; i--) begin
      if ((y >> (1 << i)) != 64'd0) begin
        significant = significant + 7'(1 << i);
        y = y >> (1 << i);
      end
    end
    if (y != 64'd0) significant = significant + 7'd1;
  endfunction

  // A power with a negative exponent.
  function automatic logic [63:0] pow_negative(input logic wide, input logic [63:0] a,
                                               input logic odd);
    if (a == 64'd1) pow_negative = 64'd1;
    else if (sign_extend(wide, a) == '1) pow_negative = odd ? '1 : 64'd1;
    else pow_negative = 64'd0;
  endfunction

  function automatic logic rsqrt_domain(input logic sgn, input logic wide, input logic [63:0] a);
    rsqrt_domain = (a == 64'd0) || (sgn && sign_bit(wide, a));
  endfunction

  function automatic logic less(input logic sgn, input logic wide, input logic [63:0] a,
                                input logic [63:0] b);
    less = sgn ? ($signed(sign_extend(wide, a)) < $signed(sign_extend(wide, b))) : (a < b);
  endfunction

  // Result of a one-cycle operation.
  function automatic logic [63:0] alu_result(input logic [7:0] op, input logic sgn,
                                             input logic wide, input logic [63:0] a,
                                             input logic [63:0] b);
    logic [63:0] r;
    logic [5:0] n;
    n = {wide && b[5], b[4:0]};
    unique case (op)
      ALU_BYPASS: r = a;
      ALU_BITWISE_NOT: r = ~a;
      ALU_ARITH_SHL, ALU_LOGICAL_SHL: r = a << n;
      ALU_ARITH_SHR: r = $signed(sign_extend(wide, a)) >>> n;
      ALU_LOGICAL_SHR: r = a >> n;
      ALU_ADD: r = a + b;
      ALU_SUBTRACT: r = a - b;
      ALU_DIVIDE: r = '1;
      ALU_MOD: r = a;
      ALU_MAX: r = less(sgn, wide, a, b) ? b : a;
      ALU_MIN: r = less(sgn, wide, b, a) ? b : a;
      ALU_BITWISE_AND: r = a & b;
      ALU_BITWISE_OR: r = a | b;
      ALU_BITWISE_XOR: r = a ^ b;
      ALU_LOGICAL_AND: r = {63'd0, (a != 64'd0) && (b != 64'd0)};
      ALU_LOGICAL_OR: r = {63'd0, (a != 64'd0) || (b != 64'd0)};
      ALU_LOGICAL_XOR: r = {63'd0, (a != 64'd0) != (b != 64'd0)};
      ALU_IS_EQUAL: r = {63'd0, a == b};
      ALU_NOT_EQUAL: r = {63'd0, a != b};
      ALU_IS_GT: r = {63'd0, less(sgn, wide, b, a)};
      ALU_IS_GE: r = {63'd0, !less(sgn, wide, a, b)};
      ALU_IS_LE: r = {63'd0, !less(sgn, wide, b, a)};
      ALU_IS_LT: r = {63'd0, less(sgn, wide, a, b)};
      ALU_ABS: r = magnitude(sgn, wide, a);
      ALU_POW: r = pow_negative(wide, a, b[0]);
      ALU_RSQRT: r = rsqrt_domain(sgn, wide, a) ? '1 : {63'd0, a == 64'd1};
      default: r = 64'd0;
    endcase
    alu_result = trim(wide, r);
  endfunction

  // Sticky flags that a one-cycle operation raises: division by 0, mod by 0, rsqrt domain.
  function automatic logic [2:0] alu_raises(input logic [7:0] op, input logic sgn,
                                            input logic wide, input logic [63:0] a);
    unique case (op)
      ALU_DIVIDE: alu_raises = 3'b001;
      ALU_MOD: alu_raises = 3'b010;
      ALU_RSQRT: alu_raises = rsqrt_domain(sgn, wide, a) ? 3'b100 : 3'b000;
      default: alu_raises = 3'b000;
    endcase
  endfunction

  function automatic logic f32_nan(input logic [31:0] x);
    f32_nan = (x[30:23] == 8'hFF) && (x[22:0] != 23'd0);
  endfunction

  // A float as a signed integer of the same order; both zeros give 0.
  function automatic logic [31:0] f32_order(input logic [31:0] x);
    f32_order = x[31] ? -{1'b0, x[30:0]} : x;
  endfunction

  // Does the comparison `cmp` (1..6, bit 3 ignored) hold at the width and sign of the tag?
  function automatic logic cmp_holds(input logic [7:0] tag, input logic [2:0] cmp,
                                     input logic [31:0] lhs, input logic [31:0] rhs);
    logic [31:0] l, r;
    logic sgn, lt, eq, nan;
    l = lhs;
    r = rhs;
    sgn = 1'b1;
    nan = 1'b0;
    unique case (tag)
      DTYPE_INT8: begin
        l = {{24{lhs[7]}}, lhs[7:0]};
        r = {{24{rhs[7]}}, rhs[7:0]};
      end
      DTYPE_UINT8: begin
        l = {24'd0, lhs[7:0]};
        r = {24'd0, rhs[7:0]};
      end
      DTYPE_INT16: begin
        l = {{16{lhs[15]}}, lhs[15:0]};
        r = {{16{rhs[15]}}, rhs[15:0]};
      end
      DTYPE_UINT16: begin
        l = {16'd0, lhs[15:0]};
        r = {16'd0, rhs[15:0]};
      end
      DTYPE_UINT32: sgn = 1'b0;
      DTYPE_FLOAT32: begin
        nan = f32_nan(lhs) || f32_nan(rhs);
        l = f32_order(lhs);
        r = f32_order(rhs);
      end
      default: sgn = 1'b1;
    endcase
    lt = sgn ? ($signed(l) < $signed(r)) : (l < r);
    eq = (l == r);
    unique case (cmp)
      CMP_LT_IMM[2:0]: cmp_holds = lt && !nan;
      CMP_LE_IMM[2:0]: cmp_holds = (lt || eq) && !nan;
      CMP_EQ_IMM[2:0]: cmp_holds = eq && !nan;
      CMP_NE_IMM[2:0]: cmp_holds = !eq || nan;
      CMP_GE_IMM[2:0]: cmp_holds = !lt && !nan;
      CMP_GT_IMM[2:0]: cmp_holds = !lt && !eq && !nan;
      default: cmp_holds = 1'b1;
    endcase
  endfunction

  /* verilator lint_on UNUSEDSIGNAL */
endpackage
