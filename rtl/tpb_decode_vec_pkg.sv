// SPDX-License-Identifier: Apache-2.0
//
// The decoder of vector bundles: what is wrong with one.
//
// decode_vec() is a pure function of the 64 bytes at the fetch port, the engine and the generation,
// called as decode() of tpb_decode_pkg is, and for the bundles that ap_vector() names.
//
// Facts: docs/reference/decode.md, "Vector bundles"; places of patterns: tpb_ap_pkg.
package tpb_decode_vec_pkg;
  import tpb_pkg::*;
  import tpb_ap_pkg::*;
  import tpb_decode_pkg::*;

  // Sets of dtypes, bit t for wire tag t.
  localparam logic [15:0] SetI = 16'h033C;     // 8, 16, 32-bit integers
  localparam logic [15:0] SetDP = 16'hE7FC;    // and the floats
  localparam logic [15:0] SetDPR = 16'hEFFC;   // and float32r
  localparam logic [15:0] SetNW = 16'hE4FC;    // DP without 32-bit integers
  localparam logic [15:0] SetNWR = 16'hECFC;
  localparam logic [15:0] SetIndex = 16'h0220;  // uint16, uint32
  localparam logic [15:0] SetAcc = 16'hECC0;   // floats and float32r

  // Sets of ALU bytes below 0x40, bit c for code c.
  localparam logic [63:0] AluArith = 64'h000000002B7CE3F1;
  localparam logic [63:0] AluGeneral = 64'h00000000037CE371;
  localparam logic [63:0] AluBitvec = 64'h0000000000031C0E;
  localparam logic [63:0] AluFold = 64'h0000000000000370;
  localparam logic [63:0] AluReduce = 64'h000000000000E370;
  localparam logic [63:0] AluMagnitude = 64'h0000000300000000;  // abs_max, abs_min: gen4
  localparam logic [63:0] AluLogic = 64'h0000000000001C00;

  // Functions take whole fields and look at some of their bits.
  /* verilator lint_off UNUSEDSIGNAL */

  // Is the opcode one of this engine?
  function automatic logic vec_on(input logic [7:0] op, input logic [2:0] engine, input logic gen2);
    unique case (op)
      OP_TT_ARITH, OP_TT_BITVEC, OP_COPY, OP_CAST, OP_MEMSET, OP_TR_BITVEC:
        vec_on = (engine == ENGINE_POOL) || (engine == ENGINE_DVE);
      OP_IOTA: vec_on = (engine == ENGINE_POOL);
      OP_TS_REDUCE, OP_TS_CUMULATIVE, OP_READ_ACC: vec_on = (engine == ENGINE_DVE) && !gen2;
      default: vec_on = (engine == ENGINE_DVE);
    endcase
  endfunction

  function automatic logic in_set(input logic [7:0] tag, input logic [15:0] set);
    in_set = (tag[7:4] == 4'd0) && set[tag[3:0]];
  endfunction

  function automatic logic in_alu(input logic [7:0] code, input logic [63:0] set);
    in_alu = (code[7:6] == 2'd0) && set[code[5:0]];
  endfunction

  // The integer band.
  function automatic logic in_band(input logic [7:0] code);
    in_band = (code >= ALU_ADD_INT) && (code <= ALU_MOD_INT);
  endfunction

  // A wire tag that holds a dtype of such a size; other bytes fail at their set.
  function automatic logic same_size(input logic [7:0] a, input logic [7:0] b);
    same_size = (ap_log(a[3:0]) == ap_log(b[3:0]));
  endfunction

  function automatic verdict_t check_pattern(input logic [511:0] raw, input place_t p,
                                             input logic [63:0] counts, input logic address);
    /*verilator no_inline_task*/
    logic [31:0] word;
    word = ap_at(raw, p.at);
    check_pattern = '0;
    check_pattern.field = (counts[15:0] == 16'd0) || (counts[31:16] == 16'd0) ||
                          (counts[47:32] == 16'd0) || (counts[63:48] == 16'd0) ||
                          (ap_product(counts) >= 64'h1_0000_0000);
    check_pattern.regid = address && word[31] && bad_reg(word[7:0]);
  endfunction

  function automatic verdict_t check_scalar(input logic [7:0] kind, input logic [31:0] word);
    check_scalar = '0;
    check_scalar.field = (kind > IMM_REG);
    check_scalar.regid = (kind == IMM_REG) && (word[31:6] != 26'd0);
  endfunction

  // Rows 41, 51, 72, 99.
  function automatic verdict_t check_two(input bundle_t b, input logic [63:0] n0,
                                         input logic [63:0] n1, input logic [63:0] n2,
                                         input logic [63:0] arith);
    /*verilator no_inline_task*/
    logic [7:0] t0, t1, t2;
    t0 = {4'd0, b['h0C][3:0]};
    t1 = {4'd0, b['h0C][7:4]};
    t2 = b['h0D];
    check_two = '0;
    check_two.field = (n0 != n1) || (n0 != n2);
    unique case (b[0])
      OP_TT_ARITH: begin
        check_two.dtype = !in_set(t0, SetDP) || !in_set(t1, SetDP) || !in_set(t2, SetDPR);
        if (in_band(b['h0E])) begin
          if (!ap_word(t0[3:0]) || !ap_word(t1[3:0]) || !ap_word(t2[3:0])) check_two.dtype = 1'b1;
        end else if (!in_alu(b['h0E], arith)) begin
          check_two.field = 1'b1;
        end
      end
      OP_TT_BITVEC: begin
        check_two.dtype = !in_set(t0, SetI) || !in_set(t1, SetI) || !in_set(t2, SetI) ||
                          !same_size(t0, t1) || !same_size(t0, t2);
        if (!in_alu(b['h0E], AluBitvec)) check_two.field = 1'b1;
      end
      default: begin
        check_two.dtype = !in_set(t0, SetI) || !in_set(t1, SetDP) || !in_set(t2, SetDP) ||
                          ((b[0] == OP_COPY_PRED) && (t1 != t2));
        if (b['h0E] != 8'd0) check_two.field = 1'b1;
      end
    endcase
  endfunction

  // Rows 43, 53, 9A, E6.
  function automatic verdict_t check_scalars(input bundle_t b, input logic [63:0] n0,
                                             input logic [63:0] n2, input logic [63:0] arith,
                                             input logic [63:0] general);
    /*verilator no_inline_task*/
    logic left, right;
    check_scalars = check_scalar(b['h23], b['h2B:'h28]) | check_scalar(b['h27], b['h2F:'h2C]);
    if (b['h26] > 8'd3) check_scalars.field = 1'b1;
    if ((n0 != n2) && !((b[0] == OP_TS_REDUCE) && (n2 == 64'd1))) check_scalars.field = 1'b1;
    unique case (b[0])
      OP_TS_ARITH: begin
        check_scalars.dtype = !in_set(b['h20], SetDP) || !in_set(b['h21], SetDPR);
        if ((b['h0C] != 8'd0) || !in_alu(b['h24], arith) || !in_alu(b['h25], arith) ||
            ((b['h24] == 8'd0) && (b['h25] != 8'd0))) begin
          check_scalars.field = 1'b1;
        end
      end
      OP_TS_BITVEC: begin
        left = (b['h24] == ALU_ARITH_SHL) || (b['h24] == ALU_LOGICAL_SHL) ||
               (b['h25] == ALU_ARITH_SHL) || (b['h25] == ALU_LOGICAL_SHL);
        right = (b['h24] == ALU_ARITH_SHR) || (b['h24] == ALU_LOGICAL_SHR) ||
                (b['h25] == ALU_ARITH_SHR) || (b['h25] == ALU_LOGICAL_SHR);
        check_scalars.dtype = !in_set(b['h20], SetI) || !in_set(b['h21], SetI) ||
                              (b['h20] != b['h21]) ||
                              (left && right && (ap_log(b['h20][3:0]) != 2'd2));
        if ((b['h0C] != 8'd0) || !in_alu(b['h24], AluBitvec) ||
            !in_alu(b['h25], AluBitvec | 64'd1)) begin
          check_scalars.field = 1'b1;
        end
      end
      default: begin
        check_scalars.dtype = !in_set(b['h20], SetNW) || !in_set(b['h21], SetNWR);
        if ((b['h0C] < ACC_ACCUMULATE) || (b['h0C] > ACC_LOAD_ACC) ||
            !in_alu(b['h24], general) || !in_alu(b['h25], AluFold) ||
            ((b['h0C] != ACC_LOAD_ACC) && ((b['h27] != 8'd0) || (b['h2F:'h2C] != 32'd0)))) begin
          check_scalars.field = 1'b1;
        end
      end
    endcase
  endfunction

  // Rows 42, 52.
  function automatic verdict_t check_reduce(input bundle_t b, input logic [63:0] n0,
                                            input logic [63:0] n2, input logic [63:0] reduce);
    /*verilator no_inline_task*/
    check_reduce = '0;
    check_reduce.field = (b['h25] < AXIS_X) || (b['h25] > AXIS_XYZW) || (n2 > n0);
    if (n2[31:0] != 32'd0) begin
      if ((n0[31:0] % n2[31:0]) != 32'd0) check_reduce.field = 1'b1;
    end
    if (b[0] == OP_TR_ARITH) begin
      check_reduce.dtype = !in_set(b['h20], SetDP) || !in_set(b['h21], SetDPR);
      if ((b['h23] > 8'd1) || !in_alu(b['h24], reduce)) check_reduce.field = 1'b1;
    end else begin
      check_reduce.dtype = !in_set(b['h20], SetI) || !in_set(b['h21], SetI) ||
                           !same_size(b['h20], b['h21]);
      if ((b['h23] != 8'd0) || !in_alu(b['h24], AluLogic)) check_reduce.field = 1'b1;
    end
  endfunction

  // The other rows, which have at most one source.
  function automatic verdict_t check_one(input bundle_t b, input logic [63:0] n0,
                                         input logic [63:0] n2);
    /*verilator no_inline_task*/
    logic [7:0] t0, t2;
    logic few;
    t0 = b['h20];
    t2 = b['h21];
    few = (n0 < 64'd8) || (n0 > 64'd16384);
    check_one = '0;
    unique case (b[0])
      OP_COPY: begin
        check_one.dtype = !in_set(t0, SetDPR) || !in_set(t2, SetDPR) || !same_size(t0, t2);
        check_one.field = (b['h25] != 8'd0) || (n0 != n2);
      end
      OP_CAST, OP_RECIPROCAL: begin
        check_one.dtype = !in_set(t0, (b[0] == OP_CAST) ? SetDPR : SetDP) || !in_set(t2, SetDPR);
        check_one.field = (b['h25] != 8'd0) || (n0 != n2);
      end
      OP_MEMSET: begin
        check_one.dtype = !in_set(t0, SetDPR);
        check_one.field = (b['h24] != 8'd0) || ({32'd0, b['h1F:'h1C]} != n2);
      end
      OP_MAX8, OP_FIND_INDEX8: begin
        check_one.dtype = !in_set(t0, SetNW) ||
                          !in_set(t2, (b[0] == OP_MAX8) ? SetNWR : SetIndex);
        check_one.field = few || (n2 != 64'd8);
      end
      OP_MATCH_LOAD: begin
        check_one.dtype = !in_set(t0, SetNW);
        check_one.field = (n0 != 64'd8);
      end
      OP_MATCH_REPLACE8: begin
        check_one.dtype = !in_set(t0, SetNW) || !in_set(t2, SetNW) || (t0 != t2);
        check_one.field = few || (n0 != n2);
      end
      OP_COPY_PRED_SCALAR: begin
        check_one = check_scalar(b['h2B], b['h2F:'h2C]);
        check_one.dtype = !in_set(t0, SetI) || !in_set(b['h29], SetDP) ||
                          !in_set(b['h2A], SetDP) || (b['h29] != b['h2A]);
        if ((b['h21] > 8'd1) || (n0 != n2)) check_one.field = 1'b1;
      end
      OP_READ_ACC: begin
        check_one.dtype = !in_set(t0, SetAcc);
        check_one.field = (b['h1F:'h1C] != 32'd1) || (b['h21] > 8'd1) || (n2 != 64'd1);
      end
      default: begin  // Iota
        check_one.dtype = !in_set(t2, SetDPR);
        check_one.field = (n0 != n2);
      end
    endcase
  endfunction

  function automatic verdict_t check_vec(input logic [511:0] raw, input logic gen4);
    /*verilator no_inline_task*/
    bundle_t b;
    shape_t shape;
    place_t p0, p1, p2;
    logic [63:0] c0, c1, c2, n0, n1, n2, magnitude;
    b = raw;
    shape = ap_shape(raw);
    magnitude = gen4 ? AluMagnitude : 64'd0;
    check_vec = '0;
    p0 = ap_place(b[0], 2'd0);
    p1 = ap_place(b[0], 2'd1);
    p2 = ap_place(b[0], 2'd2);
    c0 = ap_counts(raw, p0);
    c1 = ap_counts(raw, p1);
    c2 = ap_counts(raw, p2);
    n0 = ap_product(c0);
    n1 = ap_product(c1);
    n2 = ap_product(c2);
    if (shape.walk[0]) check_vec = check_pattern(raw, p0, c0, !shape.generator);
    if (shape.walk[1]) check_vec = check_vec | check_pattern(raw, p1, c1, 1'b1);
    if (shape.walk[2]) check_vec = check_vec | check_pattern(raw, p2, c2, 1'b1);
    unique case (b[0])
      OP_TT_ARITH, OP_TT_BITVEC, OP_COPY_PRED, OP_CAST_PRED:
        check_vec = check_vec | check_two(b, n0, n1, n2, AluArith | magnitude);
      OP_TS_ARITH, OP_TS_BITVEC, OP_TS_REDUCE, OP_TS_CUMULATIVE:
        check_vec = check_vec | check_scalars(b, n0, n2, AluArith | magnitude,
                                              AluGeneral | magnitude);
      OP_TR_ARITH, OP_TR_BITVEC:
        check_vec = check_vec | check_reduce(b, n0, n2, AluReduce | magnitude);
      default: check_vec = check_vec | check_one(b, n0, n2);
    endcase
    if ((shape.n == 8'd0) || (shape.n > 8'd128)) check_vec.field = 1'b1;
    if ((raw & unnamed(b[0])) != 512'd0) check_vec.reserved = 1'b1;
  endfunction

  function automatic logic [4:0] decode_vec(input logic [511:0] raw, input logic [2:0] engine,
                                            input logic [31:0] gen);
    /*verilator no_inline_task*/
    verdict_t v;
    if (!op_built(raw[7:0]) || !vec_on(raw[7:0], engine, gen == 32'd2)) begin
      decode_vec = FAULT_ILLEGAL_OPCODE;
    end else if (raw[31:8] != 24'h00_0010) begin
      decode_vec = FAULT_BAD_HEADER;
    end else begin
      v = check_vec(raw, gen == 32'd4);
      if (raw[95:32] != 64'd0) v = v | check_sync(raw[7:0], raw[63:32], raw[95:64]);
      decode_vec = lowest(v);
    end
  endfunction

  /* verilator lint_on UNUSEDSIGNAL */
endpackage
