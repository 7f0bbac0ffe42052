// SPDX-License-Identifier: Apache-2.0
//
// Operands of a vector bundle: where its patterns stand, their dtypes, and the check of an address.
//
// A pattern of d dims is an address word, d steps (signed 16 bits) and d counts (16 bits).  Dims
// that it does not have step by 0 and count 1.  Walks 0 and 1 are sources, walk 2 the destination;
// Iota's generator is walk 0.
//
// Facts: docs/reference/vector.md, "Operands" and "Check and grant".
package tpb_ap_pkg;
  import tpb_pkg::*;

  // Bits of a verdict.
  localparam int unsigned ApMisaligned = 0;
  localparam int unsigned ApBad = 1;

  typedef logic [63:0][7:0] ap_bundle_t;

  // Place of a pattern in the bundle; dims 0: the op has no such walk.
  typedef struct packed {
    logic [2:0] dims;
    logic [5:0] at;
  } place_t;

  // What the unit wants to know of a bundle in each cycle.
  typedef struct packed {
    logic [7:0] op;
    logic [7:0] n;           // channels
    logic [2:0] walk;        // the op has walk 0, 1, 2
    logic       generator;   // walk 0 reads nothing
    logic [1:0] ptr;         // s0, s1 are pointers
    logic [3:0] tag0;
    logic [3:0] tag1;
    logic [3:0] tag2;
    logic [3:0] tag_s;       // of the elements behind a pointer
  } shape_t;

  // Functions take whole fields and look at some of their bits.
  /* verilator lint_off UNUSEDSIGNAL */

  // Ops of the vector units as against those of the sequencer, of built opcodes.
  function automatic logic ap_vector(input logic [7:0] op);
    ap_vector = (op[7:5] != 3'b101) && (op[7:5] != 3'b110);
  endfunction

  // Size of an element as a power of 2, from the low bits of its tag.
  function automatic logic [1:0] ap_log(input logic [3:0] tag);
    unique case (tag)
      DTYPE_INT32[3:0], DTYPE_UINT32[3:0], DTYPE_FLOAT32[3:0], DTYPE_FLOAT32R[3:0]: ap_log = 2'd2;
      DTYPE_INT16[3:0], DTYPE_UINT16[3:0], DTYPE_BFLOAT16[3:0], DTYPE_FLOAT16[3:0]: ap_log = 2'd1;
      default: ap_log = 2'd0;
    endcase
  endfunction

  function automatic logic ap_signed(input logic [3:0] tag);
    ap_signed = (tag == DTYPE_INT8[3:0]) || (tag == DTYPE_INT16[3:0]) || (tag == DTYPE_INT32[3:0]);
  endfunction

  // 32-bit integers.
  function automatic logic ap_word(input logic [3:0] tag);
    ap_word = (tag == DTYPE_INT32[3:0]) || (tag == DTYPE_UINT32[3:0]);
  endfunction

  function automatic place_t ap_place(input logic [7:0] op, input logic [1:0] walk);
    /* verilator no_inline_task */
    ap_place = '0;
    unique case (op)
      OP_TT_ARITH, OP_TT_BITVEC, OP_COPY_PRED, OP_CAST_PRED:
        ap_place = {3'd3, walk + 2'd1, 4'h0};
      OP_TS_ARITH, OP_TS_BITVEC, OP_TS_REDUCE, OP_TS_CUMULATIVE, OP_COPY_PRED_SCALAR:
        if (walk == 2'd0) ap_place = {3'd3, 6'h10};
        else if (walk == 2'd2) ap_place = {3'd3, 6'h30};
      OP_TR_ARITH, OP_TR_BITVEC, OP_COPY, OP_CAST, OP_RECIPROCAL, OP_MATCH_REPLACE8, OP_IOTA:
        if (walk == 2'd0) ap_place = {3'd4, 6'h0C};
        else if (walk == 2'd2) ap_place = {3'd4, 6'h2C};
      OP_MEMSET: if (walk == 2'd2) ap_place = {3'd4, 6'h2C};
      OP_MAX8, OP_FIND_INDEX8:
        if (walk == 2'd0) ap_place = {3'd4, 6'h0C};
        else if (walk == 2'd2) ap_place = {3'd2, 6'h30};
      OP_MATCH_LOAD: if (walk == 2'd0) ap_place = {3'd2, 6'h10};
      OP_READ_ACC: if (walk == 2'd2) ap_place = {3'd1, 6'h2C};
      default: ;
    endcase
  endfunction

  // Word at byte +0xN of a bundle.
  function automatic logic [31:0] ap_at(input logic [511:0] raw, input logic [5:0] n);
    ap_at = raw[{n, 3'd0} +: 32];
  endfunction

  function automatic logic [31:0] ap_first(input logic [511:0] raw, input place_t p);
    ap_first = ap_at(raw, p.at);
  endfunction

  function automatic logic [63:0] ap_steps(input logic [511:0] raw, input place_t p);
    /* verilator no_inline_task */
    unique case (p.dims)
      3'd4: ap_steps = {ap_at(raw, p.at + 6'd8), ap_at(raw, p.at + 6'd4)};
      3'd3: ap_steps = {16'd0, raw[{p.at + 6'd8, 3'd0} +: 16], ap_at(raw, p.at + 6'd4)};
      3'd2: ap_steps = {32'd0, ap_at(raw, p.at + 6'd4)};
      3'd1: ap_steps = {48'd0, raw[{p.at + 6'd4, 3'd0} +: 16]};
      default: ap_steps = 64'd0;
    endcase
  endfunction

  localparam logic [63:0] ApOne = 64'h0001_0001_0001_0001;  // one element

  function automatic logic [63:0] ap_counts(input logic [511:0] raw, input place_t p);
    /* verilator no_inline_task */
    unique case (p.dims)
      3'd4: ap_counts = {ap_at(raw, p.at + 6'd16), ap_at(raw, p.at + 6'd12)};
      3'd3: ap_counts = {16'd1, ap_at(raw, p.at + 6'd12), raw[{p.at + 6'd10, 3'd0} +: 16]};
      3'd2: ap_counts = {32'h0001_0001, ap_at(raw, p.at + 6'd8)};
      3'd1: ap_counts = {48'h0001_0001_0001, raw[{p.at + 6'd6, 3'd0} +: 16]};
      default: ap_counts = ApOne;
    endcase
  endfunction

  function automatic logic [63:0] ap_product(input logic [63:0] counts);
    /* verilator no_inline_task */
    ap_product = (64'(counts[15:0]) * 64'(counts[31:16])) *
                 (64'(counts[47:32]) * 64'(counts[63:48]));
  endfunction

  // How often the elements of one pattern go into those of another.
  function automatic logic [31:0] ap_group(input logic [63:0] counts, input logic [63:0] few);
    logic [63:0] n, m;
    n = ap_product(counts);
    m = ap_product(few);
    ap_group = (m[31:0] == 32'd0) ? 32'd0 : n[31:0] / m[31:0];
  endfunction

  function automatic shape_t ap_shape(input logic [511:0] raw);
    /* verilator no_inline_task */
    ap_bundle_t b;
    b = raw;
    ap_shape = '0;
    ap_shape.op = b[0];
    ap_shape.n = b['h22];
    ap_shape.walk = 3'b101;
    ap_shape.tag0 = b['h20][3:0];
    ap_shape.tag2 = b['h21][3:0];
    unique case (b[0])
      OP_TT_ARITH, OP_TT_BITVEC, OP_COPY_PRED, OP_CAST_PRED: begin
        ap_shape.n = b['h0F];
        ap_shape.walk = 3'b111;
        ap_shape.tag0 = b['h0C][3:0];
        ap_shape.tag1 = b['h0C][7:4];
        ap_shape.tag2 = b['h0D][3:0];
      end
      OP_TS_ARITH, OP_TS_BITVEC, OP_TS_REDUCE, OP_TS_CUMULATIVE: begin
        ap_shape.ptr = {b['h27] != IMM_INLINE, b['h23] != IMM_INLINE};
        ap_shape.tag_s = (b[0] == OP_TS_BITVEC) ? b['h20][3:0] : DTYPE_FLOAT32[3:0];
      end
      OP_MEMSET, OP_READ_ACC: begin
        ap_shape.walk = 3'b100;
        ap_shape.tag2 = b['h20][3:0];
      end
      OP_MATCH_LOAD: ap_shape.walk = 3'b001;
      OP_COPY_PRED_SCALAR: begin
        ap_shape.ptr = {1'b0, b['h2B] != IMM_INLINE};
        ap_shape.tag_s = b['h29][3:0];
        ap_shape.tag2 = b['h2A][3:0];
      end
      OP_IOTA: begin
        ap_shape.generator = 1'b1;
        ap_shape.tag0 = DTYPE_UINT8[3:0];  // it steps by single units
      end
      default: ;
    endcase
  endfunction

  // Address word of scalar 0 or 1; a register that kind 2 names in the form that kind 1 has for it.
  function automatic logic [31:0] ap_scalar(input logic [511:0] raw, input logic which);
    /* verilator no_inline_task */
    ap_bundle_t b;
    b = raw;
    if (which) ap_scalar = {b['h27] == IMM_REG, 31'd0} | b['h2F:'h2C];
    else if (b[0] == OP_COPY_PRED_SCALAR) ap_scalar = {b['h2B] == IMM_REG, 31'd0} | b['h2F:'h2C];
    else ap_scalar = {b['h23] == IMM_REG, 31'd0} | b['h2B:'h28];
  endfunction

  // ------------------------------------------------------------- addresses
  // Parts of an address that passed the check.
  function automatic logic ap_psum(input logic [28:0] addr);
    ap_psum = (addr[28:22] == 7'h08);
  endfunction

  function automatic logic [6:0] ap_part(input logic [28:0] addr);
    ap_part = ap_psum(addr) ? addr[21:15] : addr[24:18];
  endfunction

  function automatic logic [17:0] ap_start(input logic [28:0] addr);
    ap_start = ap_psum(addr) ? {3'd0, addr[14:0]} : addr[17:0];
  endfunction

  // A word that is no address, or a register that holds none.
  function automatic logic ap_malformed(input logic [31:0] word, input logic [31:0] value);
    ap_malformed = word[31] ? ((word[30:6] != 25'd0) || (value[31:29] != 3'd0)) :
                              (word[30:29] != 2'd0);
  endfunction

  // An element with a byte below 0, or at or past the limit.
  function automatic logic ap_outside(input logic [17:0] start, input logic [1:0] log,
                                      input logic [63:0] steps, input logic [63:0] counts,
                                      input logic [31:0] limit);
    logic signed [63:0] low, high, reach;
    low = $signed({46'd0, start});
    high = low + (64'sd1 << log) - 64'sd1;
    for (int d = 0; d < 4; d++) begin
      reach = ($signed({{48{steps[16 * d + 15]}}, steps[16 * d +: 16]}) *
               $signed({48'd0, counts[16 * d +: 16] - 16'd1})) <<< log;
      if (reach < 0) low = low + reach;
      else high = high + reach;
    end
    ap_outside = (low < 0) || (high >= $signed({32'd0, limit}));
  endfunction

  // n rounded up to 32s may start at every multiple of its power of 2.
  function automatic logic ap_bad_start(input logic [6:0] part, input logic [7:0] n);
    if (n <= 8'd32) ap_bad_start = (part[4:0] != 5'd0);
    else if (n <= 8'd64) ap_bad_start = (part[5:0] != 6'd0);
    else ap_bad_start = (part != 7'd0);
  endfunction

  // Verdict on a well-formed operand.  psum_ok: it may be in PSUM.
  function automatic logic [1:0] ap_verdict(input logic [28:0] addr, input logic [1:0] log,
                                            input logic [7:0] n, input logic [63:0] steps,
                                            input logic [63:0] counts, input logic psum_ok,
                                            input logic [31:0] sbuf_bytes);
    /* verilator no_inline_task */
    ap_verdict[ApMisaligned] = ((addr[2:0] & ~(3'b111 << log)) != 3'd0);
    ap_verdict[ApBad] = (!ap_psum(addr) && (addr[28:25] != 4'd0)) ||
                        (ap_psum(addr) && !psum_ok) || ap_bad_start(ap_part(addr), n) ||
                        ap_outside(ap_start(addr), log, steps, counts,
                                   ap_psum(addr) ? PSUM_BYTES_GEN3 : sbuf_bytes);
  endfunction

  // Two sources that the ports cannot read side by side.
  function automatic logic ap_clash(input logic [28:0] a, input logic [28:0] b);
    ap_clash = (ap_psum(a) && ap_psum(b)) ||
               ((a[28:25] == 4'd0) && (b[28:25] == 4'd0) && (ap_part(a) != ap_part(b)));
  endfunction

  // ------------------------------------------------------------------- rows
  // Partition of lane 0 in a pass over the operand that starts at an address.
  function automatic logic [6:0] ap_lane0(input logic [28:0] start, input logic [3:0] pass,
                                          input logic [31:0] lanes);
    /* verilator no_inline_task */
    ap_lane0 = ap_part(start) + 7'({28'd0, pass} * lanes);
  endfunction

  // Row of the word at a byte of those partitions.
  function automatic logic [19:0] ap_row(input logic [28:0] start, input logic [3:0] pass,
                                         input logic [17:0] at, input logic [31:0] lanes,
                                         input logic [31:0] sbuf_bytes);
    /* verilator no_inline_task */
    ap_row = 20'({25'd0, ap_lane0(start, pass, lanes)} / lanes *
                 (ap_psum(start) ? PSUM_BYTES_GEN3 / 8 : sbuf_bytes / 8)) + {5'd0, at[17:3]};
  endfunction

  // ------------------------------------------------------------------ walks
  // The lowest dim that can still step; bit 2: none can, the walk is at its last position.
  function automatic logic [2:0] ap_dim(input logic [63:0] index, input logic [63:0] counts);
    /* verilator no_inline_task */
    ap_dim = 3'd4;
    for (int d = 3; d >= 0; d--) begin
      if (17'(index[16 * d +: 16]) + 17'd1 < 17'(counts[16 * d +: 16])) ap_dim = 3'(d);
    end
  endfunction

  /* verilator lint_on UNUSEDSIGNAL */
endpackage
