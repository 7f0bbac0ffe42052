// SPDX-License-Identifier: Apache-2.0
//
// A vector unit: the check of a bundle's operands, its walks, and the pipeline of Lanes lanes.
//
// The bundle stands in the issue stage of the sequencer, which asks (check_i), grants (grant_i; go_i
// without fault) and retires it (done_o).  Registers that hold addresses are read by number: reg_o
// and value_i in the same cycle.
//
//   cycle     0 .. 3       3        4         5         6         7
//   check_i   1
//   step      walks 0 1 2  scalars
//   ready_o                1
//   beat                            issue     X0        X1        W
//                                   row read  op0       op1       row write
//
// Memory: a beat that wants rows (r_*_o, row*_o) or none (beat_o alone) is issued with issue_i; the
// rows are at sbuf*_i, psum*_i from the next cycle on and stay until the next read.  W asks with
// w_sbuf_o or w_psum_o until w_gnt_i; the unit stands still in the cycles without.
//
// The registers follow vector.md; all is done under vuop_q, so that an idle unit costs nothing.
// Facts: docs/reference/vector.md.
module tpb_vec
  import tpb_pkg::*;
  import tpb_ap_pkg::*;
  import tpb_vec_pkg::*;
#(
  parameter int unsigned Lanes = 32,
  parameter bit          Dve = 1'b1,
  parameter int unsigned SbufPartBytes = 229376
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  input  logic [2:0]             cfg_fp8_i,
  // Sequencer.
  input  logic                   check_i,
  input  logic                   grant_i,
  input  logic                   go_i,
  input  logic [511:0]           bundle_i,
  output logic [1:0][5:0]        reg_o,
  input  logic [1:0][31:0]       value_i,
  output logic                   ready_o,
  output logic [1:0]             verdict_o,
  output logic                   done_o,
  output logic [1:0]             flags_o,  // integer division, mod by 0
  // Row reads: bit or index 0 is port R0, 1 is R1.
  output logic                   beat_o,
  output logic [1:0]             r_sbuf_o,
  output logic [1:0]             r_psum_o,
  output logic [1:0][19:0]       row_o,
  output logic                   x0_valid_o,
  input  logic                   issue_i,
  input  logic [Lanes*64-1:0]    sbuf0_i,
  input  logic [Lanes*64-1:0]    sbuf1_i,
  input  logic [Lanes*64-1:0]    psum0_i,
  input  logic [Lanes*64-1:0]    psum1_i,
  // Row write: byte w_off_o of the words of a row, lane 0 of the unit at lane w_lane_o of the row.
  output logic                   w_sbuf_o,
  output logic                   w_psum_o,
  output logic [19:0]            w_row_o,
  output logic [2:0]             w_off_o,
  output logic [1:0]             w_log_o,
  output logic [6:0]             w_lane_o,
  output logic [Lanes-1:0]       w_en_o,
  output logic [Lanes-1:0][31:0] w_data_o,
  input  logic                   w_gnt_i
);

  // ---------------------------------------------------------------- state
  logic [1:0]             vchk_q /*verilator public_flat_rd*/;
  logic [1:0]             vbad_q /*verilator public_flat_rd*/;
  logic [2:0]             vuop_q /*verilator public_flat_rd*/;
  logic [2:0]             ve_q /*verilator public_flat_rd*/;
  logic [3:0]             vpass_q /*verilator public_flat_rd*/;
  logic                   vx0_valid_q /*verilator public_flat_rd*/;
  logic [1:0]             vx0_kind_q /*verilator public_flat_rd*/;
  logic                   vx0_first_q /*verilator public_flat_rd*/;
  logic                   vx0_last_q /*verilator public_flat_rd*/;
  logic                   vx0_emit_q /*verilator public_flat_rd*/;
  logic [3:0]             vx0_pass_q /*verilator public_flat_rd*/;
  logic [2:0]             vx0_off0_q /*verilator public_flat_rd*/;
  logic [2:0]             vx0_off1_q /*verilator public_flat_rd*/;
  logic                   vx1_valid_q /*verilator public_flat_rd*/;
  logic [1:0]             vx1_kind_q /*verilator public_flat_rd*/;
  logic                   vx1_first_q /*verilator public_flat_rd*/;
  logic                   vx1_last_q /*verilator public_flat_rd*/;
  logic                   vx1_emit_q /*verilator public_flat_rd*/;
  logic [3:0]             vx1_pass_q /*verilator public_flat_rd*/;
  logic                   vw_valid_q /*verilator public_flat_rd*/;
  logic [3:0]             vw_pass_q /*verilator public_flat_rd*/;
  logic [11:0][15:0]      vi_q /*verilator public_flat_rd*/;
  logic [17:0]            vx0_addr_q /*verilator public_flat_rd*/;
  logic [17:0]            vx1_addr_q /*verilator public_flat_rd*/;
  logic [17:0]            vw_addr_q /*verilator public_flat_rd*/;
  logic [31:0]            vk_q /*verilator public_flat_rd*/;
  logic [31:0]            vr_q /*verilator public_flat_rd*/;
  logic [31:0]            vlen_q /*verilator public_flat_rd*/;
  logic [31:0]            vx0_idx_q /*verilator public_flat_rd*/;
  logic [31:0]            vx0_gen_q /*verilator public_flat_rd*/;
  logic [31:0]            vx1_idx_q /*verilator public_flat_rd*/;
  logic [28:0]            vbase_q [5] /*verilator public_flat_rd*/;
  logic [11:0][31:0]      vb_q /*verilator public_flat_rd*/;
  logic [3:0][31:0]       vw_en_q /*verilator public_flat_rd*/;
  logic [Lanes-1:0][31:0] vs0_q /*verilator public_flat_rd*/;
  logic [Lanes-1:0][31:0] vs1_q /*verilator public_flat_rd*/;
  logic [Lanes-1:0][31:0] vx1_t_q /*verilator public_flat_rd*/;
  logic [Lanes-1:0][31:0] vx1_b_q /*verilator public_flat_rd*/;
  logic [Lanes-1:0][31:0] vfold_q /*verilator public_flat_rd*/;
  logic [Lanes-1:0][31:0] vw_data_q /*verilator public_flat_rd*/;

  // ---------------------------------------------------------- the bundle
  shape_t           shape;
  logic [2:0][1:0]  log;            // element size of the walks
  logic [2:0][63:0] steps, counts;

  always_comb begin
    shape = '0;
    log = '0;
    steps = '0;
    counts = '0;
    if (check_i || (vuop_q != VUOP_IDLE)) begin
      shape = ap_shape(bundle_i);
      log = {ap_log(shape.tag2), ap_log(shape.tag1), ap_log(shape.tag0)};
      for (int w = 0; w < 3; w++) begin
        steps[w] = ap_steps(bundle_i, ap_place(shape.op, 2'(w)));
        counts[w] = ap_counts(bundle_i, ap_place(shape.op, 2'(w)));
      end
    end
  end

  // ----------------------------------------------------------------- check
  logic [1:0][31:0] word;     // address words of this step
  logic [1:0]       present;
  logic [1:0][28:0] addr;
  logic [1:0]       log_s;    // element size behind a pointer

  assign log_s = ap_log(shape.tag_s);
  assign reg_o = {word[1][5:0], word[0][5:0]};
  assign ready_o = check_i && (vchk_q == 2'd3);

  always_comb begin
    word = '0;
    present = 2'b00;
    if (check_i) begin
      if (vchk_q == 2'd3) begin
        word = {ap_scalar(bundle_i, 1'b1), ap_scalar(bundle_i, 1'b0)};
        present = shape.ptr;
      end else begin
        word[0] = ap_first(bundle_i, ap_place(shape.op, vchk_q));
        present[0] = shape.walk[vchk_q];
      end
    end
  end

  // A step of the check for an operand: 0 a walk, or s0; 1 s1.
  function automatic logic [1:0] check(input logic which);
    check = 2'd0;
    if (vchk_q == 2'd3) begin
      check = ap_verdict(addr[which], log_s, shape.n, 64'd0, ApOne, Dve, SbufPartBytes);
    end else begin
      check = ap_verdict(addr[0], log[vchk_q], shape.n, steps[vchk_q], counts[vchk_q],
                         Dve && ((vchk_q != 2'd2) || (log[2] == 2'd2)), SbufPartBytes);
      if ((vchk_q == 2'd1) && ap_clash(vbase_q[0], addr[0])) check[ApBad] = 1'b1;
    end
    if (ap_malformed(word[which], value_i[which])) check[ApBad] = 1'b1;
  endfunction

  always_comb begin
    addr = '0;
    verdict_o = 2'd0;
    if (check_i) begin
      verdict_o = vbad_q;
      if (shape.generator && (vchk_q == 2'd0)) begin
        addr[0] = word[0][28:0];  // a number, no address
      end else begin
        addr[0] = word[0][31] ? value_i[0][28:0] : word[0][28:0];
        addr[1] = word[1][31] ? value_i[1][28:0] : word[1][28:0];
        if (present[0]) verdict_o = verdict_o | check(1'b0);
        if (present[1]) verdict_o = verdict_o | check(1'b1);
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      vchk_q <= 2'd0;
      vbad_q <= 2'd0;
    end else if (check_i) begin
      if (grant_i) begin
        vchk_q <= 2'd0;
        vbad_q <= 2'd0;
      end else if (vchk_q != 2'd3) begin
        vchk_q <= vchk_q + 2'd1;
        vbad_q <= verdict_o;
      end
      if (present[0]) vbase_q[{1'b0, vchk_q}] <= addr[0];
      if (present[1]) vbase_q[4] <= addr[1];
    end
  end

  // ------------------------------------------------------------------ rows
  localparam int unsigned SbufWords = SbufPartBytes / 8;
  localparam int unsigned PsumWords = PSUM_BYTES_GEN3 / 8;

  // Partition of lane 0 in a pass of the operand that starts at an address; the row of its word.
  function automatic logic [6:0] part_of(input logic [28:0] start, input logic [3:0] pass);
    part_of = ap_part(start) + 7'({28'd0, pass} * Lanes);
  endfunction

  function automatic logic [19:0] row_of(input logic [28:0] start, input logic [3:0] pass,
                                         input logic [14:0] at);
    row_of = 20'(32'(part_of(start, pass)) / Lanes * (ap_psum(start) ? PsumWords : SbufWords)) +
             {5'd0, at};
  endfunction

  // Lane of a row for lane j of the unit: a row of more than 32 partitions may be entered inside.
  function automatic int lane_of(input logic [28:0] start, input int j);
    lane_of = (Lanes > 32) ? ((32'(ap_part(start)) + j) & (int'(Lanes) - 1)) : j;
  endfunction

  // Lanes that work in a pass.
  function automatic logic [7:0] lanes_in(input logic [3:0] pass);
    logic [31:0] rest;
    rest = {24'd0, shape.n} - {28'd0, pass} * Lanes;
    lanes_in = (rest > Lanes) ? 8'(Lanes) : rest[7:0];
  endfunction

  // ----------------------------------------------------------------- beats
  logic             move;       // the pipeline is not held up by a write
  logic [2:0][2:0]  dim;        // of the walks: the dim that steps, or 4
  logic [2:0]       step, home;  // walks that step, that go back to the start
  logic [1:0]       kind;
  logic             first, last, emit, hazard;
  logic             last_elem, last_beat, last_pass;
  logic [1:0]       reads;      // R0, R1
  logic [1:0][28:0] from;       // start addresses of what they read
  logic [1:0][17:0] at;         // byte in the partition

  assign move = !vw_valid_q || w_gnt_i;

  // Do the bytes of an element meet those that a beat in flight will write?
  function automatic logic meets(input logic valid, input logic [17:0] to, input logic [3:0] pass,
                                 input logic [28:0] start, input logic [17:0] byte0,
                                 input logic [1:0] log0);
    meets = valid && (ap_psum(start) == ap_psum(vbase_q[2])) &&
            ({1'b0, part_of(start, vpass_q)} == {1'b0, part_of(vbase_q[2], pass)}) &&
            ({1'b0, byte0} < {1'b0, to} + (19'd1 << log[2])) &&
            ({1'b0, to} < {1'b0, byte0} + (19'd1 << log0));
  endfunction

  function automatic logic meets_any(input logic [28:0] start, input logic [17:0] byte0,
                                     input logic [1:0] log0);
    meets_any = meets(vx0_valid_q && vx0_emit_q, vx0_addr_q, vx0_pass_q, start, byte0, log0) ||
                meets(vx1_valid_q && vx1_emit_q, vx1_addr_q, vx1_pass_q, start, byte0, log0) ||
                meets(vw_valid_q, vw_addr_q, vw_pass_q, start, byte0, log0);
  endfunction

  always_comb begin
    dim = '0;
    kind = VBEAT_SCAL;
    first = 1'b0;
    last = 1'b0;
    emit = 1'b0;
    hazard = 1'b0;
    last_elem = 1'b0;
    last_beat = 1'b0;
    last_pass = 1'b0;
    reads = 2'b00;
    from = '0;
    at = '0;
    if ((vuop_q != VUOP_IDLE) && (vuop_q != VUOP_DRAIN)) begin
      for (int w = 0; w < 3; w++) dim[w] = ap_dim(vi_q[4 * w +: 4], counts[w]);
      last_elem = (shape.walk[0] && !shape.generator) ? dim[0][2] : dim[2][2];
      last_pass = ({28'd0, vpass_q} + 32'd1) * Lanes >= {24'd0, shape.n};
      unique case (vuop_q)
        VUOP_SCAL: begin
          reads = shape.ptr;
          from = {vbase_q[4], vbase_q[3]};
          at = {ap_start(vbase_q[4]), ap_start(vbase_q[3])};
        end
        VUOP_EMIT: begin
          kind = VBEAT_EMIT;
          first = (ve_q == 3'd0);
          last = (ve_q == 3'd7);
          emit = 1'b1;
          last_beat = last;
        end
        default: begin
          kind = VBEAT_ELEM;
          first = (vk_q == 32'd0);
          last = last_elem;
          last_beat = last_elem;
          emit = 1'b1;
          unique case (shape.op)
            OP_TR_ARITH, OP_TR_BITVEC: begin
              first = (vr_q == 32'd0);
              last = (vr_q == vlen_q - 32'd1);
              emit = last;
            end
            OP_TS_REDUCE: emit = (counts[2] != ApOne) || last_elem;
            OP_MAX8, OP_FIND_INDEX8: begin
              emit = 1'b0;
              last_beat = 1'b0;
            end
            OP_MATCH_LOAD: emit = 1'b0;
            default: ;
          endcase
          reads = {shape.walk[1], shape.walk[0] && !shape.generator};
          from = {vbase_q[1], vbase_q[0]};
          at = {vb_q[4][17:0], vb_q[0][17:0]};
          hazard = (reads[0] && meets_any(from[0], at[0], log[0])) ||
                   (reads[1] && meets_any(from[1], at[1], log[1]));
        end
      endcase
    end
  end

  always_comb begin
    beat_o = 1'b0;
    r_sbuf_o = 2'b00;
    r_psum_o = 2'b00;
    row_o = '0;
    if ((vuop_q != VUOP_IDLE) && (vuop_q != VUOP_DRAIN) && !hazard) begin
      beat_o = 1'b1;
      for (int i = 0; i < 2; i++) begin
        if (reads[i]) begin
          r_psum_o[i] = ap_psum(from[i]);
          r_sbuf_o[i] = !ap_psum(from[i]);
          row_o[i] = row_of(from[i], vpass_q, at[i][17:3]);
        end
      end
    end
  end

  // ------------------------------------------------------ the issue stage
  assign done_o = (vuop_q == VUOP_DRAIN) && !vx0_valid_q && !vx1_valid_q && move;

  // Walks 0 and 1 move with the elements, walk 2 with what is emitted.
  assign step = {emit && !last_beat, {2{(kind == VBEAT_ELEM) && !last_elem}} & shape.walk[1:0]};
  assign home = {last_beat && shape.walk[2],
                 {2{(kind == VBEAT_ELEM) && last_elem}} & shape.walk[1:0]};

  function automatic logic [31:0] start_of(input int w);
    start_of = ((w == 0) && shape.generator) ? ap_at(bundle_i, 6'h0C) : {14'd0, ap_start(vbase_q[w])};
  endfunction

  always_ff @(posedge clk_i) begin : p_issue
    logic [11:0][15:0] vi;
    logic [11:0][31:0] vb;
    logic [31:0] next;
    if (!rst_ni) begin
      vuop_q <= VUOP_IDLE;
    end else if (go_i) begin
      vuop_q <= (shape.ptr != 2'd0) ? VUOP_SCAL : VUOP_ELEM;
      vpass_q <= 4'd0;
      vk_q <= 32'd0;
      vr_q <= 32'd0;
      ve_q <= 3'd0;
      if ((shape.op == OP_TR_ARITH) || (shape.op == OP_TR_BITVEC)) begin
        vlen_q <= ap_group(counts[0], counts[2]);
      end
      vb = vb_q;
      for (int w = 0; w < 3; w++) if (shape.walk[w]) vb[4 * w +: 4] = {4{start_of(w)}};
      vi_q <= '0;
      vb_q <= vb;
    end else if (issue_i) begin
      vi = vi_q;
      vb = vb_q;
      for (int w = 0; w < 3; w++) begin
        if (home[w]) begin
          vi[4 * w +: 4] = '0;
          vb[4 * w +: 4] = {4{start_of(w)}};
        end else if (step[w]) begin
          next = '0;
          for (int d = 3; d >= 0; d--) begin
            if (dim[w] == 3'(d)) begin
              vi[4 * w + d] = vi[4 * w + d] + 16'd1;
              next = vb[4 * w + d] +
                     ({{16{steps[w][16 * d + 15]}}, steps[w][16 * d +: 16]} << log[w]);
              vb[4 * w + d] = next;
            end else if (3'(d) < dim[w]) begin
              vi[4 * w + d] = '0;
              vb[4 * w + d] = next;
            end
          end
        end
      end
      vi_q <= vi;
      vb_q <= vb;
      unique case (kind)
        VBEAT_SCAL: vuop_q <= VUOP_ELEM;
        VBEAT_EMIT: ve_q <= ve_q + 3'd1;
        default: begin
          vk_q <= last_elem ? 32'd0 : vk_q + 32'd1;
          if ((shape.op == OP_TR_ARITH) || (shape.op == OP_TR_BITVEC)) begin
            vr_q <= last ? 32'd0 : vr_q + 32'd1;
          end
          if (last_elem && !last_beat) vuop_q <= VUOP_EMIT;
        end
      endcase
      if (last_beat) begin
        if (last_pass) begin
          vuop_q <= VUOP_DRAIN;
        end else begin
          vpass_q <= vpass_q + 4'd1;
          vuop_q <= (shape.ptr != 2'd0) ? VUOP_SCAL : VUOP_ELEM;
        end
      end
    end else if (done_o) begin
      vuop_q <= VUOP_IDLE;
    end
  end

  // -------------------------------------------------------------------- X0
  logic        x0_go, x1_go;
  logic [7:0]  x0_lanes, x1_lanes;
  ctl0_t       ctl0;
  logic [1:0]  x0_psum;  // R0, R1 read PSUM
  logic [1:0][28:0] x0_from;

  assign x0_valid_o = vx0_valid_q;
  assign x0_go = move && vx0_valid_q;
  assign x1_go = move && vx1_valid_q;

  // The 8-byte words that lane j read.
  function automatic logic [63:0] word0(input int j);
    word0 = (Dve && x0_psum[0]) ? psum0_i[64 * lane_of(x0_from[0], j) +: 64] :
                                  sbuf0_i[64 * lane_of(x0_from[0], j) +: 64];
  endfunction

  function automatic logic [63:0] word1(input int j);
    word1 = (Dve && x0_psum[1]) ? psum1_i[64 * lane_of(x0_from[1], j) +: 64] :
                                  sbuf1_i[64 * lane_of(x0_from[1], j) +: 64];
  endfunction

  always_comb begin
    x0_lanes = 8'd0;
    ctl0 = '0;
    x0_from = '0;
    flags_o = 2'b00;
    if (x0_go) begin
      x0_lanes = lanes_in(vx0_pass_q);
      ctl0 = vec_ctl0(shape, bundle_i);
      x0_from = (vx0_kind_q == VBEAT_SCAL) ? {vbase_q[4], vbase_q[3]} : {vbase_q[1], vbase_q[0]};
    end
    x0_psum = {ap_psum(x0_from[1]), ap_psum(x0_from[0])};
    if ((ctl0.kind == X0Int) && vec_divides(ctl0.op)) begin
      for (int j = 0; j < int'(Lanes); j++) begin
        if ((8'(j) < x0_lanes) && (vec_raw(ctl0.tag1, vx0_off1_q, word1(j)) == 32'd0)) begin
          flags_o[vec_mods(ctl0.op)] = 1'b1;
        end
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      vx0_valid_q <= 1'b0;
    end else if (move && (vuop_q != VUOP_IDLE)) begin
      vx0_valid_q <= issue_i;
      if (issue_i) begin
        vx0_kind_q <= kind;
        vx0_first_q <= first;
        vx0_last_q <= last;
        vx0_emit_q <= emit;
        vx0_pass_q <= vpass_q;
        if (reads[0]) vx0_off0_q <= at[0][2:0];
        if (reads[1]) vx0_off1_q <= at[1][2:0];
        if (emit) vx0_addr_q <= vb_q[8][17:0];
        if (kind == VBEAT_ELEM) vx0_idx_q <= vk_q;
        if (kind == VBEAT_EMIT) vx0_idx_q <= {29'd0, ve_q};
        if (shape.generator) vx0_gen_q <= vb_q[0];
      end
    end
  end

  // What a lane has for a scalar: a word of the bundle or what is behind the pointer.
  function automatic logic [31:0] scalar0(input int j);
    unique case (shape.op)
      OP_IOTA: scalar0 = vx0_gen_q + (32'(vx0_pass_q) * Lanes + j) * ap_at(bundle_i, 6'h24);
      OP_COPY_PRED_SCALAR: scalar0 = shape.ptr[0] ? vs0_q[j] : ap_at(bundle_i, 6'h2C);
      default: scalar0 = shape.ptr[0] ? vs0_q[j] : ap_at(bundle_i, 6'h28);
    endcase
  endfunction

  always_ff @(posedge clk_i) begin : p_x0
    logic [Lanes-1:0][31:0] v, w;
    if (x0_go && (vx0_kind_q == VBEAT_SCAL)) begin
      v = vs0_q;
      w = vs1_q;
      for (int j = 0; j < int'(Lanes); j++) begin
        if (8'(j) < x0_lanes) begin
          if (shape.ptr[0]) v[j] = vec_raw(shape.tag_s, vx0_off0_q, word0(j));
          if (shape.ptr[1]) w[j] = vec_raw(shape.tag_s, vx0_off1_q, word1(j));
        end
      end
      vs0_q <= v;
      vs1_q <= w;
    end
  end

  always_ff @(posedge clk_i) begin : p_x0_t
    logic [Lanes-1:0][31:0] v;
    if (x0_go && (vx0_kind_q == VBEAT_ELEM) && (ctl0.kind != X0None)) begin
      v = vx1_t_q;
      for (int j = 0; j < int'(Lanes); j++) begin
        if (8'(j) < x0_lanes) begin
          v[j] = vec_x0(ctl0, cfg_fp8_i, {vx0_off1_q, vx0_off0_q}, word0(j), word1(j), scalar0(j));
        end
      end
      vx1_t_q <= v;
    end
  end

  always_ff @(posedge clk_i) begin : p_x0_b
    logic [Lanes-1:0][31:0] v;
    if (x0_go && (vx0_kind_q == VBEAT_ELEM) && ctl0.second) begin
      v = vx1_b_q;
      for (int j = 0; j < int'(Lanes); j++) begin
        if (8'(j) < x0_lanes) v[j] = vec_b(ctl0, vx0_off0_q, word0(j));
      end
      vx1_b_q <= v;
    end
  end

  // -------------------------------------------------------------------- X1
  ctl1_t                    ctl1;
  logic [Lanes-1:0][31:0]   fold, acc;
  logic [Lanes*8-1:0][31:0] slot;
  logic [Lanes-1:0][7:0]    slot_hit;
  logic [Lanes-1:0]         hit;

  always_comb begin
    x1_lanes = 8'd0;
    ctl1 = '0;
    if (x1_go) begin
      x1_lanes = lanes_in(vx1_pass_q);
      ctl1 = vec_ctl1(shape, bundle_i, counts[2] != ApOne, counts[0] == ApOne);
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      vx1_valid_q <= 1'b0;
    end else if (move && (vuop_q != VUOP_IDLE)) begin
      vx1_valid_q <= vx0_valid_q && (vx0_kind_q != VBEAT_SCAL);
      if (vx0_valid_q && (vx0_kind_q != VBEAT_SCAL)) begin
        vx1_kind_q <= vx0_kind_q;
        vx1_first_q <= vx0_first_q;
        vx1_last_q <= vx0_last_q;
        vx1_emit_q <= vx0_emit_q;
        vx1_pass_q <= vx0_pass_q;
        if (vx0_emit_q) vx1_addr_q <= vx0_addr_q;
        vx1_idx_q <= vx0_idx_q;
      end
    end
  end

  function automatic logic [31:0] scalar1(input int j);
    scalar1 = shape.ptr[1] ? vs1_q[j] : ap_at(bundle_i, 6'h2C);
  endfunction

  function automatic logic [31:0] start1(input int j);
    start1 = vec_start(bundle_i[8*'h0C +: 8], ctl1.op, acc[j], scalar1(j));
  endfunction

  always_comb begin
    fold = '0;
    if (ctl1.fold != 2'd0) begin
      for (int j = 0; j < int'(Lanes); j++) begin
        if (8'(j) < x1_lanes) begin
          if (vx1_first_q && !ctl1.acc) fold[j] = vx1_t_q[j];
          else fold[j] = vec_fold(ctl1, vx1_first_q ? start1(j) : vfold_q[j], vx1_t_q[j]);
        end
      end
    end
  end

  always_ff @(posedge clk_i) begin : p_fold
    logic [Lanes-1:0][31:0] v;
    if (ctl1.fold != 2'd0) begin
      v = vfold_q;
      for (int j = 0; j < int'(Lanes); j++) if (8'(j) < x1_lanes) v[j] = fold[j];
      vfold_q <= v;
    end
  end

  // The other value of a lane's result, and whether a slot was hit.
  function automatic logic [31:0] other(input int j);
    unique case (shape.op)
      OP_TS_ARITH, OP_TS_BITVEC: other = scalar1(j);
      OP_MATCH_REPLACE8: other = ap_at(bundle_i, 6'h28);
      OP_MAX8: other = slot[8 * j + {29'd0, ~vx1_idx_q[2:0]}];
      OP_FIND_INDEX8: other = slot[8 * j + {29'd0, vx1_idx_q[2:0]}];
      OP_READ_ACC: other = acc[j];
      default: other = fold[j];
    endcase
  endfunction

  always_ff @(posedge clk_i) begin : p_w
    logic [Lanes-1:0][31:0] v;
    logic [127:0] en;
    if (!rst_ni) begin
      vw_valid_q <= 1'b0;
    end else if (move && (vuop_q != VUOP_IDLE)) begin
      vw_valid_q <= vx1_valid_q && vx1_emit_q;
      if (vx1_valid_q && vx1_emit_q) begin
        vw_pass_q <= vx1_pass_q;
        vw_addr_q <= vx1_addr_q;
        v = vw_data_q;
        en = '0;
        for (int j = 0; j < int'(Lanes); j++) begin
          if (8'(j) < x1_lanes) begin
            en[j] = !masked || vx1_b_q[j][0];
            v[j] = vec_x1(ctl1, cfg_fp8_i, (replace && !hit[j]) ? vx1_b_q[j] : vx1_t_q[j],
                          other(j), replace ? hit[j] : slot_hit[j][vx1_idx_q[2:0]]);
          end
        end
        vw_en_q <= en;
        vw_data_q <= v;
      end
    end
  end

  logic masked, replace;
  assign masked = (shape.op == OP_COPY_PRED) || (shape.op == OP_CAST_PRED) ||
                  (shape.op == OP_COPY_PRED_SCALAR);
  assign replace = (shape.op == OP_MATCH_REPLACE8);

  if (Dve) begin : gen_slots
    logic fold_acc, search;
    assign fold_acc = (shape.op == OP_TS_REDUCE) || (shape.op == OP_TS_CUMULATIVE);
    assign search = (shape.op == OP_FIND_INDEX8) || replace;
    logic [28:0] home_of;  // the operand whose partitions they belong to
    assign home_of = (shape.op == OP_MATCH_LOAD) ? vbase_q[0] : vbase_q[2];

    tpb_slots #(
      .Lanes(Lanes)
    ) u_slots (
      .clk_i,
      .rst_ni,
      .rd_acc_i  (x0_go && vx0_first_q && (fold_acc || (shape.op == OP_READ_ACC))),
      .rd_match_i(x0_go && vx0_first_q && search && (vx0_kind_q == VBEAT_ELEM)),
      .part0_i   (part_of(home_of, vx0_pass_q)),
      .step_i    (x1_go && (vx1_kind_q == VBEAT_ELEM) &&
                  ((shape.op == OP_MAX8) || (shape.op == OP_MATCH_LOAD) || search)),
      .op_i      (shape.op),
      .first_i   (vx1_first_q),
      .last_i    (vx1_last_q),
      .idx_i     (vx1_idx_q),
      .lanes_i   (x1_lanes),
      .part1_i   (part_of(home_of, vx1_pass_q)),
      .t_i       (vx1_t_q),
      .use_acc_i (ctl1.acc && vx1_first_q),
      .acc_we_i  (x1_go && fold_acc && vx1_last_q),
      .acc_i     (fold),
      .acc_o     (acc),
      .hit_o     (hit),
      .slot_o    (slot),
      .slot_hit_o(slot_hit)
    );
  end else begin : gen_no_slots
    for (genvar j = 0; j < Lanes; j++) begin : gen_lane
      assign acc[j] = 32'd0;
      assign hit[j] = 1'b0;
      assign slot[8*j +: 8] = 256'd0;
      assign slot_hit[j] = 8'd0;
    end
  end

  // --------------------------------------------------------------------- W
  assign w_sbuf_o = vw_valid_q && !ap_psum(vbase_q[2]);
  assign w_psum_o = vw_valid_q && ap_psum(vbase_q[2]);
  assign w_row_o = row_of(vbase_q[2], vw_pass_q, vw_addr_q[17:3]);
  assign w_off_o = vw_addr_q[2:0];
  assign w_log_o = log[2];
  assign w_lane_o = 7'(lane_of(vbase_q[2], 0));
  assign w_en_o = Lanes'({vw_en_q});
  assign w_data_o = vw_data_q;

endmodule
