// SPDX-License-Identifier: Apache-2.0
//
// Conversions between fp32 and the dtypes of the vector ops.
//
// cvt_widen turns an element's raw bits (low bits of a word, the rest ignored) into fp32 bits,
// cvt_narrow turns fp32 bits into an element's raw bits, zero-extended.  Both go by the dtype tag
// and by the three fp8 configuration bits; one rounding, to nearest even.  Tags without a meaning
// here (64-bit dtypes) give 0.
//
// Facts: docs/reference/numerics.md, "Widening to fp32" and the two sections on narrowing.
package tpb_cvt_pkg;
  import tpb_pkg::*;

  // Places of the configuration bits.
  localparam int CVT_OCP = 0;       // tag 14 is e4m3fn
  localparam int CVT_SATURATE = 1;  // fp8 overflow gives the largest number
  localparam int CVT_SUPPRESS = 2;  // an fp8 NaN is written as a zero

  localparam logic [31:0] CVT_NAN = 32'h7FC00000;
  localparam logic [30:0] CVT_INF = 31'h7F800000;

  // Functions take whole numbers and look at some of their bits.
  /* verilator lint_off UNUSEDSIGNAL */

  function automatic logic cvt_is_nan(input logic [31:0] x);
    cvt_is_nan = (x[30:0] > CVT_INF);
  endfunction

  // Zeros above the leading one of a word; 31 for 0.
  function automatic logic [4:0] cvt_zeros(input logic [31:0] x);
    logic [31:0] y;
    y = x;
    cvt_zeros = 5'd0;
    if (y[31:16] == 16'd0) begin
      cvt_zeros[4] = 1'b1;
      y = y << 16;
    end
    if (y[31:24] == 8'd0) begin
      cvt_zeros[3] = 1'b1;
      y = y << 8;
    end
    if (y[31:28] == 4'd0) begin
      cvt_zeros[2] = 1'b1;
      y = y << 4;
    end
    if (y[31:30] == 2'd0) begin
      cvt_zeros[1] = 1'b1;
      y = y << 2;
    end
    cvt_zeros[0] = !y[31];
  endfunction

  // An integer, given as sign and magnitude.
  function automatic logic [31:0] cvt_from_int(input logic s, input logic [31:0] mag);
    logic [31:0] y;
    logic [4:0] n;
    if (mag == 32'd0) begin
      cvt_from_int = 32'd0;
    end else begin
      n = cvt_zeros(mag);
      y = mag << n;
      // The leading one adds the last 1 to the exponent.
      cvt_from_int = {s, 8'd157 - {3'd0, n}, 23'd0} + {8'd0, y[31:8]} +
                     {31'd0, (y[7:0] > 8'h80) || ((y[7:0] == 8'h80) && y[8])};
    end
  endfunction

  function automatic logic [31:0] cvt_from_signed(input logic [31:0] x);
    cvt_from_signed = cvt_from_int(x[31], x[31] ? -x : x);
  endfunction

  // A small float: sign, exponent field, fraction in the high bits of f, bias; Inf and NaN are the
  // caller's.
  function automatic logic [31:0] cvt_from_small(input logic s, input logic [4:0] e,
                                                 input logic [9:0] f, input logic [7:0] bias);
    logic [31:0] y;
    logic [4:0] n;
    if (e != 5'd0) begin
      cvt_from_small = {s, 8'd127 - bias + {3'd0, e}, f, 13'd0};
    end else if (f == 10'd0) begin
      cvt_from_small = {s, 31'd0};
    end else begin
      y = {f, 22'd0};
      n = cvt_zeros(y);
      y = y << n;
      cvt_from_small = {s, 8'd127 - bias - {3'd0, n}, y[30:8]};
    end
  endfunction

  // What an exponent field of all ones means in the formats with infinities.
  function automatic logic [31:0] cvt_from_top(input logic s, input logic nan);
    cvt_from_top = nan ? CVT_NAN : {s, CVT_INF};
  endfunction

  function automatic logic [31:0] cvt_widen(input logic [7:0] tag, input logic [31:0] bits,
                                            input logic [2:0] cfg);
    /* verilator no_inline_task */
    unique case (tag)
      DTYPE_FLOAT32, DTYPE_FLOAT32R: cvt_widen = bits;
      DTYPE_BFLOAT16: cvt_widen = {bits[15:0], 16'd0};
      DTYPE_FLOAT16:
        if (bits[14:10] == 5'h1F) cvt_widen = cvt_from_top(bits[15], bits[9:0] != 10'd0);
        else cvt_widen = cvt_from_small(bits[15], bits[14:10], bits[9:0], 8'd15);
      DTYPE_INT8: cvt_widen = cvt_from_signed({{24{bits[7]}}, bits[7:0]});
      DTYPE_UINT8: cvt_widen = cvt_from_int(1'b0, {24'd0, bits[7:0]});
      DTYPE_INT16: cvt_widen = cvt_from_signed({{16{bits[15]}}, bits[15:0]});
      DTYPE_UINT16: cvt_widen = cvt_from_int(1'b0, {16'd0, bits[15:0]});
      DTYPE_INT32: cvt_widen = cvt_from_signed(bits);
      DTYPE_UINT32: cvt_widen = cvt_from_int(1'b0, bits);
      DTYPE_FP8E3:
        if (bits[6:4] == 3'h7) cvt_widen = cvt_from_top(bits[7], bits[3:0] != 4'd0);
        else cvt_widen = cvt_from_small(bits[7], {2'd0, bits[6:4]}, {bits[3:0], 6'd0}, 8'd3);
      DTYPE_FP8E4:
        if (cfg[CVT_OCP] && bits[6:0] == 7'h7F) cvt_widen = CVT_NAN;
        else if (!cfg[CVT_OCP] && bits[6:3] == 4'hF)
          cvt_widen = cvt_from_top(bits[7], bits[2:0] != 3'd0);
        else cvt_widen = cvt_from_small(bits[7], {1'd0, bits[6:3]}, {bits[2:0], 7'd0}, 8'd7);
      DTYPE_FP8E5:
        if (bits[6:2] == 5'h1F) cvt_widen = cvt_from_top(bits[7], bits[1:0] != 2'd0);
        else cvt_widen = cvt_from_small(bits[7], bits[6:2], {bits[1:0], 8'd0}, 8'd15);
      default: cvt_widen = 32'd0;
    endcase
  endfunction

  // x shifted right by n <= 31 and rounded to nearest even.
  function automatic logic [31:0] cvt_shift(input logic [31:0] x, input logic [4:0] n);
    logic [31:0] out;
    cvt_shift = x >> n;
    out = x & ~(32'hFFFFFFFF << n);
    out = out << 1;  // twice what falls out, against 2^n
    if (out > (32'd1 << n) || (out == (32'd1 << n) && cvt_shift[0])) cvt_shift = cvt_shift + 32'd1;
  endfunction

  // The code of a finite magnitude in a format of m fraction bits and a bias below 127, with as
  // many exponents as it takes.
  function automatic logic [31:0] cvt_code(input logic [30:0] x, input logic [4:0] m,
                                           input logic [7:0] bias);
    logic [7:0] low;  // the fp32 exponent field of the format's smallest normal number
    logic [7:0] n;
    low = 8'd128 - bias;
    if (x[30:23] >= low) begin
      cvt_code = cvt_shift({1'b0, x} - {1'b0, low - 8'd1, 23'd0}, 5'd23 - m);
    end else begin
      n = {3'd0, 5'd23 - m} + (low - x[30:23]);
      // The leading one is bit 23; beyond 25 places even the greatest is below a half.
      cvt_code = (n > 8'd25) ? 32'd0 : cvt_shift({8'd0, 1'b1, x[22:0]}, n[4:0]);
    end
  endfunction

  function automatic logic [31:0] cvt_to_half(input logic [31:0] x);
    logic [31:0] code;
    code = cvt_code(x[30:0], 5'd10, 8'd15);
    if (cvt_is_nan(x)) cvt_to_half = {16'd0, x[31], 15'h7E00};
    else cvt_to_half = {16'd0, x[31], (code > 32'h7BFF) ? 15'h7C00 : code[14:0]};
  endfunction

  // An fp8 format: m and bias as above, the greatest number, the codes of overflow and of NaN.
  // Where the overflow code is the NaN code it obeys the rule of the NaN.
  function automatic logic [31:0] cvt_to_fp8(input logic [31:0] x, input logic [2:0] cfg,
                                             input logic [4:0] m, input logic [7:0] bias,
                                             input logic [6:0] top, input logic [6:0] over,
                                             input logic [6:0] nan);
    logic [31:0] code;
    logic beyond;
    code = cvt_code(x[30:0], m, bias);
    beyond = (x[30:0] == CVT_INF) || (code > {25'd0, top});
    if (cvt_is_nan(x) || (beyond && !cfg[CVT_SATURATE] && over == nan)) begin
      cvt_to_fp8 = cfg[CVT_SUPPRESS] ? {24'd0, x[31], 7'd0} : {25'd0, nan};
    end else if (beyond) begin
      cvt_to_fp8 = {24'd0, x[31], cfg[CVT_SATURATE] ? top : over};
    end else begin
      cvt_to_fp8 = {24'd0, x[31], code[6:0]};
    end
  endfunction

  // Integers of w bits; what is out of range, and a NaN by its sign, goes to the nearer end.
  function automatic logic [31:0] cvt_to_int(input logic [31:0] x, input logic sgn,
                                             input logic [5:0] w);
    logic [31:0] mag, low, high;
    logic [7:0] n;
    logic beyond;
    low = sgn ? (32'hFFFFFFFF << (w - 6'd1)) : 32'd0;
    high = sgn ? ~low : (32'hFFFFFFFF >> (6'd32 - w));
    n = 8'd150 - x[30:23];
    mag = 32'd0;
    beyond = 1'b0;
    if (x[30:23] >= 8'd159) beyond = 1'b1;
    else if (x[30:23] >= 8'd150) mag = {8'd0, 1'b1, x[22:0]} << (x[30:23] - 8'd150);
    else if (x[30:23] >= 8'd126) mag = cvt_shift({8'd0, 1'b1, x[22:0]}, n[4:0]);
    if (x[31]) cvt_to_int = (beyond || mag > -low) ? low : -mag;
    else cvt_to_int = (beyond || mag > high) ? high : mag;
    cvt_to_int = cvt_to_int & (32'hFFFFFFFF >> (6'd32 - w));
  endfunction

  function automatic logic [31:0] cvt_narrow(input logic [7:0] tag, input logic [31:0] x,
                                             input logic [2:0] cfg);
    /* verilator no_inline_task */
    unique case (tag)
      DTYPE_FLOAT32: cvt_narrow = x;
      DTYPE_FLOAT32R:
        if (cvt_is_nan(x)) cvt_narrow = CVT_NAN;
        else cvt_narrow = (x + 32'h7FF + {31'd0, x[12]}) & 32'hFFFFF000;
      DTYPE_BFLOAT16:
        if (cvt_is_nan(x)) cvt_narrow = 32'h00007FC0;
        else cvt_narrow = (x + 32'h7FFF + {31'd0, x[16]}) >> 16;
      DTYPE_FLOAT16: cvt_narrow = cvt_to_half(x);
      DTYPE_INT8: cvt_narrow = cvt_to_int(x, 1'b1, 6'd8);
      DTYPE_UINT8: cvt_narrow = cvt_to_int(x, 1'b0, 6'd8);
      DTYPE_INT16: cvt_narrow = cvt_to_int(x, 1'b1, 6'd16);
      DTYPE_UINT16: cvt_narrow = cvt_to_int(x, 1'b0, 6'd16);
      DTYPE_INT32: cvt_narrow = cvt_to_int(x, 1'b1, 6'd32);
      DTYPE_UINT32: cvt_narrow = cvt_to_int(x, 1'b0, 6'd32);
      DTYPE_FP8E3: cvt_narrow = cvt_to_fp8(x, cfg, 5'd4, 8'd3, 7'h6F, 7'h70, 7'h78);
      DTYPE_FP8E4:
        if (cfg[CVT_OCP]) cvt_narrow = cvt_to_fp8(x, cfg, 5'd3, 8'd7, 7'h7E, 7'h7F, 7'h7F);
        else cvt_narrow = cvt_to_fp8(x, cfg, 5'd3, 8'd7, 7'h77, 7'h78, 7'h7C);
      DTYPE_FP8E5: cvt_narrow = cvt_to_fp8(x, cfg, 5'd2, 8'd15, 7'h7B, 7'h7C, 7'h7E);
      default: cvt_narrow = 32'd0;
    endcase
  endfunction

  /* verilator lint_on UNUSEDSIGNAL */
endpackage
