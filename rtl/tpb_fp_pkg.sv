// SPDX-License-Identifier: Apache-2.0
//
// fp32 arithmetic as functions of bit patterns, in integers only.
//
// Every function takes and returns fp32 bits, rounds once (fp_rsqrt and fp_mod as their texts say)
// to nearest even, keeps denormals and yields FP_NAN for every NaN.  All are combinational; a
// caller calls them under the enable of its lane.  Nothing is wider than 64 bits, and what is
// common is tested first: the verilated core calls fp_add and fp_mul once a lane and cycle.
//
// Facts: docs/reference/numerics.md, "fp32 functors" and "mod".
package tpb_fp_pkg;

  localparam logic [31:0] FP_NAN = 32'h7FC00000;
  localparam logic [31:0] FP_ONE = 32'h3F800000;
  localparam logic [30:0] FP_INF = 31'h7F800000;  // magnitude
  localparam logic [7:0] FP_TOP = 8'hFF;          // exponent field of Inf and NaN

  // Functions take whole numbers and look at some of their bits.
  /* verilator lint_off UNUSEDSIGNAL */

  function automatic logic fp_is_nan(input logic [31:0] x);
    fp_is_nan = (x[30:0] > FP_INF);
  endfunction

  // A number as a signed integer of the same order; both zeros give 0.
  function automatic logic signed [31:0] fp_order(input logic [31:0] x);
    fp_order = x[31] ? -$signed({1'b0, x[30:0]}) : $signed(x);
  endfunction

  function automatic logic fp_lt(input logic [31:0] a, input logic [31:0] b);
    fp_lt = !fp_is_nan(a) && !fp_is_nan(b) && (fp_order(a) < fp_order(b));
  endfunction

  function automatic logic fp_le(input logic [31:0] a, input logic [31:0] b);
    fp_le = !fp_is_nan(a) && !fp_is_nan(b) && (fp_order(a) <= fp_order(b));
  endfunction

  function automatic logic fp_eq(input logic [31:0] a, input logic [31:0] b);
    fp_eq = !fp_is_nan(a) && !fp_is_nan(b) && (fp_order(a) == fp_order(b));
  endfunction

  // The NaN rule for a result that is one of the operands.
  function automatic logic [31:0] fp_canonical(input logic [31:0] x);
    fp_canonical = fp_is_nan(x) ? FP_NAN : x;
  endfunction

  function automatic logic [31:0] fp_abs(input logic [31:0] x);
    fp_abs = fp_canonical({1'b0, x[30:0]});
  endfunction

  function automatic logic [31:0] fp_neg(input logic [31:0] x);
    fp_neg = fp_canonical({!x[31], x[30:0]});
  endfunction

  // Left operand on a tie and beside a NaN on the right.
  function automatic logic [31:0] fp_max(input logic [31:0] a, input logic [31:0] b);
    fp_max = fp_canonical(fp_lt(a, b) ? b : a);
  endfunction

  function automatic logic [31:0] fp_min(input logic [31:0] a, input logic [31:0] b);
    fp_min = fp_canonical(fp_lt(b, a) ? b : a);
  endfunction

  // Zeros above the leading one; 63 for 0.
  function automatic logic [5:0] fp_zeros(input logic [63:0] x);
    logic [63:0] y;
    y = x;
    fp_zeros = 6'd0;
    if (y[63:32] == 32'd0) begin
      fp_zeros[5] = 1'b1;
      y = y << 32;
    end
    if (y[63:48] == 16'd0) begin
      fp_zeros[4] = 1'b1;
      y = y << 16;
    end
    if (y[63:56] == 8'd0) begin
      fp_zeros[3] = 1'b1;
      y = y << 8;
    end
    if (y[63:60] == 4'd0) begin
      fp_zeros[2] = 1'b1;
      y = y << 4;
    end
    if (y[63:62] == 2'd0) begin
      fp_zeros[1] = 1'b1;
      y = y << 2;
    end
    fp_zeros[0] = !y[63];
  endfunction

  // x shifted right by n > 0; what falls out stays in bit 0 as a sticky bit.
  function automatic logic [63:0] fp_shrink(input logic [63:0] x, input int n);
    logic [63:0] y;
    if (n > 63) begin
      fp_shrink = {63'd0, x != 64'd0};
    end else begin
      y = x >> n[5:0];
      fp_shrink = {y[63:1], y[0] || ((y << n[5:0]) != x)};
    end
  endfunction

  // (-1)^s * m / 2^63 * 2^(e - 127) rounded to fp32; m is not 0 and may carry a sticky bit 0.
  function automatic logic [31:0] fp_round(input logic s, input int e, input logic [63:0] m);
    /* verilator no_inline_task */
    logic [63:0] y;
    logic [5:0] n;
    int x;
    y = m;
    x = e;
    if (!y[63]) begin
      if (y[62]) begin
        y = y << 1;
        x = x - 1;
      end else begin
        n = fp_zeros(y);
        y = y << n;
        x = x - {26'd0, n};
      end
    end
    if (x >= 255) begin
      fp_round = {s, FP_INF};
    end else begin
      if (x < 1) begin
        y = fp_shrink(y, 1 - x);
        x = 1;
      end
      // The leading one, if there is one, adds 1 to the exponent; so does a carry out of the
      // fraction, and it makes an infinity of the largest number.
      fp_round = {s, x[7:0] - 8'd1, 23'd0} + {8'd0, y[63:40]} +
                 {31'd0, (y[39:0] > 40'h8000000000) || ((y[39:0] == 40'h8000000000) && y[40])};
    end
  endfunction

  // Exponent and significand as they stand: a denormal has the smallest exponent and no leading
  // one.
  function automatic logic [7:0] fp_exp(input logic [31:0] x);
    fp_exp = (x[30:23] == 8'd0) ? 8'd1 : x[30:23];
  endfunction

  function automatic logic [23:0] fp_sig(input logic [31:0] x);
    fp_sig = {x[30:23] != 8'd0, x[22:0]};
  endfunction

  // A sum in which a NaN or an infinity takes part.
  function automatic logic [31:0] fp_add_special(input logic [31:0] a, input logic [31:0] b);
    if (fp_is_nan(a) || fp_is_nan(b)) fp_add_special = FP_NAN;
    else if (a[30:23] != FP_TOP) fp_add_special = b;
    else if (b[30:23] != FP_TOP || a[31] == b[31]) fp_add_special = a;
    else fp_add_special = FP_NAN;
  endfunction

  function automatic logic [31:0] fp_add(input logic [31:0] a, input logic [31:0] b);
    /* verilator no_inline_task */
    logic [31:0] x, y;  // the greater and the smaller magnitude
    logic [63:0] mx, my;
    logic [7:0] d;
    x = (b[30:0] > a[30:0]) ? b : a;
    y = (b[30:0] > a[30:0]) ? a : b;
    d = fp_exp(x) - fp_exp(y);
    if (x[30:23] == FP_TOP) begin
      fp_add = fp_add_special(a, b);
    end else if (d > 8'd25) begin
      // y is below half of the smaller of the two steps around x.
      fp_add = x;
    end else begin
      mx = {1'b0, fp_sig(x), 39'd0};
      my = {1'b0, fp_sig(y), 39'd0} >> d[4:0];
      mx = (x[31] == y[31]) ? mx + my : mx - my;
      if (mx == 64'd0) fp_add = {x[31] && y[31], 31'd0};
      else fp_add = fp_round(x[31], {24'd0, fp_exp(x)} + 1, mx);
    end
  endfunction

  function automatic logic [31:0] fp_sub(input logic [31:0] a, input logic [31:0] b);
    fp_sub = fp_add(a, {!b[31], b[30:0]});
  endfunction

  function automatic logic [31:0] fp_mul(input logic [31:0] a, input logic [31:0] b);
    /* verilator no_inline_task */
    logic s;
    logic [63:0] p;
    s = a[31] ^ b[31];
    if (a[30:23] == FP_TOP || b[30:23] == FP_TOP) begin
      if (fp_is_nan(a) || fp_is_nan(b) || a[30:0] == 31'd0 || b[30:0] == 31'd0) fp_mul = FP_NAN;
      else fp_mul = {s, FP_INF};
    end else begin
      p = {40'd0, fp_sig(a)} * {40'd0, fp_sig(b)};
      if (p == 64'd0) fp_mul = {s, 31'd0};
      else fp_mul = fp_round(s, {24'd0, fp_exp(a)} + {24'd0, fp_exp(b)} - 126, p << 16);
    end
  endfunction

  // Zeros above the leading one of a 24-bit significand.
  function automatic logic [5:0] fp_sig_zeros(input logic [23:0] m);
    fp_sig_zeros = m[23] ? 6'd0 : fp_zeros({m, 40'd0});
  endfunction

  // A quotient of finite numbers that are not 0.
  function automatic logic [31:0] fp_quotient(input logic [31:0] a, input logic [31:0] b);
    logic [63:0] x, y, q;
    logic [5:0] na, nb;
    na = fp_sig_zeros(fp_sig(a));
    nb = fp_sig_zeros(fp_sig(b));
    // 24 bits each, so 26 or 27 bits of quotient; the remainder becomes the sticky bit.
    x = {14'd0, fp_sig(a) << na, 26'd0};
    y = {40'd0, fp_sig(b) << nb};
    q = x / y;
    x = x - q * y;
    fp_quotient = fp_round(a[31] ^ b[31],
        {24'd0, fp_exp(a)} - {24'd0, fp_exp(b)} - {26'd0, na} + {26'd0, nb} + 127,
        {q[26:0], 36'd0, x != 64'd0});
  endfunction

  function automatic logic [31:0] fp_div(input logic [31:0] a, input logic [31:0] b);
    /* verilator no_inline_task */
    logic s;
    s = a[31] ^ b[31];
    if (fp_is_nan(a) || fp_is_nan(b)) begin
      fp_div = FP_NAN;
    end else if (a[30:23] == FP_TOP) begin
      fp_div = (b[30:23] == FP_TOP) ? FP_NAN : {s, FP_INF};
    end else if (b[30:0] == 31'd0) begin
      fp_div = (a[30:0] == 31'd0) ? FP_NAN : {s, FP_INF};
    end else if (b[30:23] == FP_TOP || a[30:0] == 31'd0) begin
      fp_div = {s, 31'd0};
    end else begin
      fp_div = fp_quotient(a, b);
    end
  endfunction

  // Root of a finite number above 0: 26 digits by trial, the remainder as sticky bit.
  function automatic logic [31:0] fp_root(input logic [31:0] a);
    logic [63:0] rem, root, trial;
    logic [51:0] rad;
    logic [5:0] n;
    int e;
    n = fp_sig_zeros(fp_sig(a));
    e = {24'd0, fp_exp(a)} - {26'd0, n} - 127;
    // An odd exponent gives its odd part to the radicand, which is then in [1, 4) * 2^50.
    rad = {1'b0, fp_sig(a) << n, 27'd0};
    if (e[0]) rad = rad << 1;
    rem = 64'd0;
    root = 64'd0;
    for (int i = 0; i < 26; i++) begin
      rem = {rem[61:0], rad[51:50]};
      rad = rad << 2;
      trial = {root[61:0], 2'b01};
      root = {root[62:0], rem >= trial};
      rem = (rem >= trial) ? rem - trial : rem;
    end
    fp_root = fp_round(1'b0, (e >>> 1) + 127, {root[25:0], 37'd0, rem != 64'd0});
  endfunction

  function automatic logic [31:0] fp_sqrt(input logic [31:0] a);
    /* verilator no_inline_task */
    if (fp_is_nan(a)) fp_sqrt = FP_NAN;
    else if (a[30:0] == 31'd0) fp_sqrt = a;
    else if (a[31]) fp_sqrt = FP_NAN;
    else if (a[30:23] == FP_TOP) fp_sqrt = a;
    else fp_sqrt = fp_root(a);
  endfunction

  function automatic logic [31:0] fp_rsqrt(input logic [31:0] a);
    fp_rsqrt = fp_div(FP_ONE, fp_sqrt(a));
  endfunction

  // Exact remainder of finite magnitudes, with a's sign; |a| >= |b| > 0 in the exponents.
  // A step takes up to 40 bits of the difference of the exponents, 253 at most.
  function automatic logic [31:0] fp_remainder(input logic [31:0] a, input logic [31:0] b);
    logic [63:0] r, y;
    logic [7:0] d, step;
    d = fp_exp(a) - fp_exp(b);
    y = {40'd0, fp_sig(b)};
    r = {40'd0, fp_sig(a)} % y;
    for (int i = 0; i < 7; i++) begin
      if (d != 8'd0) begin
        step = (d > 8'd40) ? 8'd40 : d;
        r = (r << step[5:0]) % y;
        d = d - step;
      end
    end
    if (r == 64'd0) fp_remainder = {a[31], 31'd0};
    else fp_remainder = fp_round(a[31], {24'd0, fp_exp(b)} + 40, r);
  endfunction

  function automatic logic [31:0] fp_mod(input logic [31:0] a, input logic [31:0] b);
    /* verilator no_inline_task */
    logic [31:0] r;
    if (fp_is_nan(a) || fp_is_nan(b) || a[30:23] == FP_TOP || b[30:0] == 31'd0) begin
      fp_mod = FP_NAN;
    end else begin
      r = (a[30:0] < b[30:0]) ? a : fp_remainder(a, b);
      if (r[30:0] == 31'd0) fp_mod = {b[31], 31'd0};
      else if (r[31] == b[31]) fp_mod = r;
      else fp_mod = fp_add(r, b);
    end
  endfunction

  /* verilator lint_on UNUSEDSIGNAL */
endpackage
