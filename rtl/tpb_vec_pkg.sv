// SPDX-License-Identifier: Apache-2.0
//
// A lane of a vector unit: what its two stages compute, as functions of values.
//
// vec_ctl0 and vec_ctl1 turn a bundle into what the stages X0 and X1 do in every lane, once a
// cycle; vec_x0, vec_b, vec_fold and vec_x1 do it in one lane.  The arithmetic is that of
// tpb_lane_pkg.
//
// Facts: docs/reference/vector.md "Pipeline", docs/reference/numerics.md.
package tpb_vec_pkg;
  import tpb_pkg::*;
  import tpb_ap_pkg::*;
  import tpb_cvt_pkg::*;
  import tpb_fp_pkg::*;
  import tpb_lane_pkg::*;

  // First value of a lane: x, y raw elements, X, Y widened, s a scalar.
  localparam logic [3:0] X0None = 4'd0;
  localparam logic [3:0] X0Raw = 4'd1;      // x
  localparam logic [3:0] X0Wide = 4'd2;     // X
  localparam logic [3:0] X0Second = 4'd3;   // y
  localparam logic [3:0] X0Second32 = 4'd4;  // Y
  localparam logic [3:0] X0Scalar = 4'd5;   // s
  localparam logic [3:0] X0Arith = 4'd6;    // op(X, Y)
  localparam logic [3:0] X0Int = 4'd7;      // op(x, y) of words
  localparam logic [3:0] X0Bits = 4'd8;     // op(x, y) of w bits
  localparam logic [3:0] X0ArithS = 4'd9;   // op(X, s)
  localparam logic [3:0] X0BitsS = 4'd10;   // op(x, s) of w bits
  localparam logic [3:0] X0Recip = 4'd11;   // 1 / X

  typedef struct packed {
    logic [3:0] kind;
    logic [7:0] op;
    logic       swap;
    logic       sgn;       // integer path: signed operands, signed result
    logic       out_sgn;
    logic       second;    // the second value is written
    logic       replaces;  // it is x, else a truth value
    logic       polarity;
    logic [3:0] tag0;
    logic [3:0] tag1;
  } ctl0_t;

  // Result of a lane: t the first value, v another one (scalar, fold, slot).
  localparam logic [3:0] X1Raw = 4'd0;      // low bits of t
  localparam logic [3:0] X1Narrow = 4'd1;   // narrow(t)
  localparam logic [3:0] X1Arith = 4'd2;    // narrow(op(t, v))
  localparam logic [3:0] X1Bits = 4'd3;     // op(t, v) of w bits
  localparam logic [3:0] X1Other = 4'd4;    // low bits of v, or of its negative
  localparam logic [3:0] X1OtherN = 4'd5;   // narrow(v), or of its negative
  localparam logic [3:0] X1Gen = 4'd6;      // narrow(t as an integer)
  localparam logic [3:0] X1Index = 4'd7;    // v where hit, else all ones
  localparam logic [3:0] X1Replace = 4'd8;  // narrow(v) where hit, else the second value

  // Running value of a lane; 0: none.
  localparam logic [1:0] FoldArith = 2'd1;
  localparam logic [1:0] FoldInt = 2'd2;
  localparam logic [1:0] FoldBits = 2'd3;

  // The other value; 0: the scalar.
  localparam logic [1:0] FromFold = 2'd1;
  localparam logic [1:0] FromSlot = 2'd2;  // accumulator or search slot

  typedef struct packed {
    logic [3:0] kind;
    logic [1:0] from;
    logic [7:0] op;
    logic       swap;
    logic       sgn;
    logic       out_sgn;
    logic       negate;
    logic [1:0] fold;
    logic       acc;     // the fold is the accumulator's
    logic [3:0] tag0;
    logic [3:0] tag2;
  } ctl1_t;

  // Functions take whole fields and look at some of their bits.
  /* verilator lint_off UNUSEDSIGNAL */

  // The integer path of TensorTensor has every op but this one.
  function automatic logic vec_int(input shape_t s, input logic [7:0] alu);
    vec_int = ap_word(s.tag0) && ap_word(s.tag2) &&
              ((s.op == OP_TR_ARITH) ||
               ((s.op == OP_TT_ARITH) && ap_word(s.tag1) && (alu != ALU_RSQRT)));
  endfunction

  function automatic ctl0_t vec_ctl0(input shape_t s, input logic [511:0] raw);
    /* verilator no_inline_task */
    ap_bundle_t b;
    b = raw;
    vec_ctl0 = '0;
    vec_ctl0.tag0 = s.tag0;
    vec_ctl0.tag1 = s.tag1;
    vec_ctl0.sgn = ap_signed(s.tag0);
    vec_ctl0.out_sgn = ap_signed(s.tag2);
    vec_ctl0.op = b['h24];
    vec_ctl0.swap = b['h26][0];
    vec_ctl0.polarity = 1'b1;
    unique case (s.op)
      OP_TT_ARITH: begin
        vec_ctl0.kind = vec_int(s, b['h0E]) ? X0Int : X0Arith;
        vec_ctl0.op = b['h0E];
      end
      OP_TT_BITVEC: begin
        vec_ctl0.kind = X0Bits;
        vec_ctl0.op = b['h0E];
      end
      OP_TS_ARITH, OP_TS_REDUCE, OP_TS_CUMULATIVE: vec_ctl0.kind = X0ArithS;
      OP_TS_BITVEC: vec_ctl0.kind = X0BitsS;
      OP_TR_ARITH: vec_ctl0.kind = vec_int(s, b['h24]) ? X0Raw : X0Wide;
      OP_TR_BITVEC, OP_COPY: vec_ctl0.kind = X0Raw;
      OP_CAST: vec_ctl0.kind = (s.tag0 == s.tag2) ? X0Raw : X0Wide;
      OP_RECIPROCAL: vec_ctl0.kind = X0Recip;
      OP_MEMSET, OP_IOTA: vec_ctl0.kind = X0Scalar;
      OP_MAX8, OP_MATCH_LOAD, OP_FIND_INDEX8: vec_ctl0.kind = X0Wide;
      OP_MATCH_REPLACE8: begin
        vec_ctl0.kind = X0Wide;
        vec_ctl0.second = 1'b1;
        vec_ctl0.replaces = 1'b1;
      end
      OP_COPY_PRED: begin
        vec_ctl0.kind = X0Second;
        vec_ctl0.second = 1'b1;
      end
      OP_CAST_PRED: begin
        vec_ctl0.kind = (s.tag1 == s.tag2) ? X0Second : X0Second32;
        vec_ctl0.second = 1'b1;
      end
      OP_COPY_PRED_SCALAR: begin
        vec_ctl0.kind = X0Scalar;
        vec_ctl0.second = 1'b1;
        vec_ctl0.polarity = b['h21][0];
      end
      default: vec_ctl0.kind = X0None;
    endcase
  endfunction

  // many: walk 2 has more than one element; one: walk 0 has just one.
  function automatic ctl1_t vec_ctl1(input shape_t s, input logic [511:0] raw, input logic many,
                                     input logic one);
    /* verilator no_inline_task */
    ap_bundle_t b;
    b = raw;
    vec_ctl1 = '0;
    vec_ctl1.tag0 = s.tag0;
    vec_ctl1.tag2 = s.tag2;
    vec_ctl1.sgn = ap_signed(s.tag0);
    vec_ctl1.out_sgn = ap_signed(s.tag2);
    vec_ctl1.op = b['h25];
    vec_ctl1.swap = b['h26][1];
    vec_ctl1.kind = X1Raw;
    unique case (s.op)
      OP_TT_ARITH: if (!vec_int(s, b['h0E])) vec_ctl1.kind = X1Narrow;
      OP_RECIPROCAL: vec_ctl1.kind = X1Narrow;
      OP_TS_ARITH: vec_ctl1.kind = X1Arith;
      OP_TS_BITVEC: vec_ctl1.kind = X1Bits;
      OP_TS_REDUCE, OP_TS_CUMULATIVE: begin
        vec_ctl1.fold = FoldArith;
        vec_ctl1.from = FromFold;
        vec_ctl1.acc = 1'b1;
        vec_ctl1.kind = ((s.op == OP_TS_REDUCE) && (many || one)) ? X1Narrow : X1OtherN;
      end
      OP_TR_ARITH: begin
        vec_ctl1.op = b['h24];
        vec_ctl1.swap = 1'b1;  // the running value is on the left
        vec_ctl1.from = FromFold;
        vec_ctl1.negate = b['h23][0];
        vec_ctl1.fold = vec_int(s, b['h24]) ? FoldInt : FoldArith;
        vec_ctl1.kind = vec_int(s, b['h24]) ? X1Other : X1OtherN;
      end
      OP_TR_BITVEC: begin
        vec_ctl1.op = b['h24];
        vec_ctl1.swap = 1'b1;
        vec_ctl1.from = FromFold;
        vec_ctl1.fold = FoldBits;
        vec_ctl1.kind = X1Other;
      end
      OP_CAST: if (s.tag0 != s.tag2) vec_ctl1.kind = X1Narrow;
      OP_CAST_PRED: if (s.tag1 != s.tag2) vec_ctl1.kind = X1Narrow;
      OP_MAX8: begin
        vec_ctl1.from = FromSlot;
        vec_ctl1.kind = X1OtherN;
      end
      OP_FIND_INDEX8: begin
        vec_ctl1.from = FromSlot;
        vec_ctl1.kind = X1Index;
      end
      OP_MATCH_REPLACE8: vec_ctl1.kind = X1Replace;
      OP_READ_ACC: begin
        vec_ctl1.acc = 1'b1;
        vec_ctl1.from = FromSlot;
        vec_ctl1.negate = b['h21][0];
        vec_ctl1.kind = X1OtherN;
      end
      OP_IOTA: if (!ap_word(s.tag2)) vec_ctl1.kind = X1Gen;
      default: ;
    endcase
  endfunction

  // The element at a byte of a 64-bit word.
  function automatic logic [31:0] vec_raw(input logic [3:0] tag, input logic [2:0] off,
                                          input logic [63:0] word);
    logic [63:0] at;
    at = word >> {off, 3'd0};
    vec_raw = lane_low(ap_log(tag), at[31:0]);
  endfunction

  // Ops of the integer path that a 0 on the right makes raise bit 0, or bit 1 of alu_flags.
  function automatic logic vec_mods(input logic [7:0] alu);
    vec_mods = (alu == ALU_MOD) || (alu == ALU_MOD_INT);
  endfunction

  function automatic logic vec_divides(input logic [7:0] alu);
    vec_divides = (alu == ALU_DIVIDE) || (alu == ALU_DIVIDE_INT) || vec_mods(alu);
  endfunction

  // An element of a row of SBUF or PSUM.
  function automatic logic [31:0] vec_element(input logic [3:0] tag, input logic [2:0] off,
                                              input logic psum, input logic [63:0] sbuf_word,
                                              input logic [63:0] psum_word);
    /* verilator no_inline_task */
    vec_element = vec_raw(tag, off, psum ? psum_word : sbuf_word);
  endfunction

  // The scalar of a lane that stands in the bundle: s0 of X0, and the same for s1 of X1.
  function automatic logic [31:0] vec_word0(input logic [511:0] raw);
    /* verilator no_inline_task */
    ap_bundle_t b;
    b = raw;
    vec_word0 = (b[0] == OP_COPY_PRED_SCALAR) ? b['h2F:'h2C] : b['h2B:'h28];
  endfunction

  function automatic logic [31:0] vec_word1(input logic [511:0] raw);
    /* verilator no_inline_task */
    ap_bundle_t b;
    b = raw;
    vec_word1 = (b[0] == OP_MATCH_REPLACE8) ? b['h2B:'h28] : b['h2F:'h2C];
  endfunction

  // For a simulator: a call in a branch of ?:, or of an if with one assignment in each branch, is
  // done in any case; so operands are chosen before the call.

  // The first value.  psum, off: of the rows of R0 and R1; s: the scalar, fill or generated word.
  function automatic logic [31:0] vec_x0(input ctl0_t c, input logic [2:0] cfg,
                                         input logic [1:0] psum, input logic [5:0] off,
                                         input logic [63:0] sbuf0, input logic [63:0] psum0,
                                         input logic [63:0] sbuf1, input logic [63:0] psum1,
                                         input logic [31:0] s);
    /* verilator no_inline_task */
    logic [31:0] x, y;
    lane_int_t i;
    x = vec_raw(c.tag0, off[2:0], psum[0] ? psum0 : sbuf0);
    y = 32'd0;
    if ((c.kind != X0ArithS) && (c.kind != X0Scalar)) begin
      y = vec_raw(c.tag1, off[5:3], psum[1] ? psum1 : sbuf1);
    end
    i = '0;
    unique case (c.kind)
      X0Raw: vec_x0 = x;
      X0Wide: vec_x0 = cvt_widen({4'd0, c.tag0}, x, cfg);
      X0Second: vec_x0 = y;
      X0Second32: vec_x0 = cvt_widen({4'd0, c.tag1}, y, cfg);
      X0Arith: begin
        if (c.tag0 != DTYPE_FLOAT32[3:0]) x = cvt_widen({4'd0, c.tag0}, x, cfg);
        if (c.tag1 != DTYPE_FLOAT32[3:0]) y = cvt_widen({4'd0, c.tag1}, y, cfg);
        vec_x0 = lane_arith(c.op, x, y);
      end
      X0Int: begin
        i = lane_int(c.op, c.sgn, c.out_sgn, x, y);
        vec_x0 = i.word;
      end
      X0Bits: vec_x0 = lane_bitvec(c.op, ap_log(c.tag0), x, y);
      X0ArithS: begin
        if (c.tag0 != DTYPE_FLOAT32[3:0]) x = cvt_widen({4'd0, c.tag0}, x, cfg);
        vec_x0 = lane_arith(c.op, c.swap ? s : x, c.swap ? x : s);
      end
      X0BitsS: vec_x0 = lane_bitvec(c.op, ap_log(c.tag0), c.swap ? s : x, c.swap ? x : s);
      X0Recip: vec_x0 = fp_div(FP_ONE, cvt_widen({4'd0, c.tag0}, x, cfg));
      default: vec_x0 = s;
    endcase
  endfunction

  // The second value, from x.
  function automatic logic [31:0] vec_b(input ctl0_t c, input logic [31:0] x);
    /* verilator no_inline_task */
    vec_b = c.replaces ? x : {31'd0, (x != 32'd0) == c.polarity};
  endfunction

  // The value that a fold into the accumulator starts from.
  function automatic logic [31:0] vec_start(input logic [7:0] command, input logic [7:0] op,
                                            input logic [31:0] acc, input logic [31:0] s1);
    unique case (command)
      ACC_ACCUMULATE: vec_start = acc;
      ACC_LOAD_ACC: vec_start = s1;
      default:
        unique case (op)
          ALU_MULT: vec_start = FP_ONE;
          ALU_MAX: vec_start = {1'b1, FP_INF};
          ALU_MIN: vec_start = {1'b0, FP_INF};
          default: vec_start = 32'd0;
        endcase
    endcase
  endfunction

  // A step of a fold with element t.  c is the running value; a first element starts from itself
  // or, folded into the accumulator, from what the command says.
  function automatic logic [31:0] vec_fold(input ctl1_t k, input logic first,
                                           input logic [7:0] command, input logic [31:0] acc,
                                           input logic [31:0] s1, input logic [31:0] running,
                                           input logic [31:0] t);
    /* verilator no_inline_task */
    logic [31:0] c;
    lane_int_t i;
    i = '0;
    c = (first && k.acc) ? vec_start(command, k.op, acc, s1) : running;
    if (first && !k.acc) begin
      vec_fold = t;
    end else begin
      unique case (k.fold)
        FoldInt: begin
          i = lane_int(k.op, k.sgn, k.out_sgn, c, t);
          vec_fold = i.word;
        end
        FoldBits: vec_fold = lane_bitvec(k.op, ap_log(k.tag0), c, t);
        default: vec_fold = lane_arith(k.op, k.swap ? c : t, k.swap ? t : c);
      endcase
    end
  endfunction

  // The result.
  function automatic logic [31:0] vec_x1(input ctl1_t k, input logic [2:0] cfg,
                                         input logic [31:0] t, input logic [31:0] second,
                                         input logic [31:0] s1, input logic [31:0] u,
                                         input logic [31:0] slot, input logic hit);
    /* verilator no_inline_task */
    logic [31:0] r, v;
    logic raw;
    unique case (k.from)
      FromFold: v = u;
      FromSlot: v = slot;
      default: v = s1;
    endcase
    raw = 1'b0;
    unique case (k.kind)
      X1Narrow: r = t;
      X1Arith: r = lane_arith(k.op, k.swap ? v : t, k.swap ? t : v);
      X1OtherN: r = k.negate ? fp_neg(v) : v;
      X1Gen: r = cvt_from_signed(t);
      X1Replace: begin
        r = hit ? v : second;
        raw = !hit;
      end
      default: begin
        raw = 1'b1;
        unique case (k.kind)
          X1Bits: r = lane_bitvec(k.op, ap_log(k.tag2), k.swap ? v : t, k.swap ? t : v);
          X1Other: r = k.negate ? lane_int_neg(k.sgn, k.out_sgn, v) : v;
          X1Index: r = hit ? v : 32'hFFFFFFFF;
          default: r = t;
        endcase
      end
    endcase
    vec_x1 = r;
    if (raw) begin
      vec_x1 = lane_low(ap_log(k.tag2), r);
    end else if (k.tag2 != DTYPE_FLOAT32[3:0]) begin
      vec_x1 = cvt_narrow({4'd0, k.tag2}, r, cfg);
    end
  endfunction

  /* verilator lint_on UNUSEDSIGNAL */
endpackage
