// SPDX-License-Identifier: Apache-2.0
//
// A vector unit: the check of a bundle's operands, its walks, and the pipeline of Lanes lanes.
//
// The bundle stands in the issue stage of the sequencer, which asks (check_i), grants (grant_i;
// go_i without fault) and retires it (done_o).  Registers that hold addresses are read by number:
// reg_o and value_i in the same cycle.
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
// Wide registers are arrays of one element: Verilator keeps a shadow copy of other ones and moves
// it in every cycle.
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
  logic [11:0][15:0]      vi_q [1] /*verilator public_flat_rd*/;
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
  logic [11:0][31:0]      vb_q [1] /*verilator public_flat_rd*/;
  logic [3:0][31:0]       vw_en_q /*verilator public_flat_rd*/;
  logic [Lanes-1:0][31:0] vs0_q [1] /*verilator public_flat_rd*/;
  logic [Lanes-1:0][31:0] vs1_q [1] /*verilator public_flat_rd*/;
  logic [Lanes-1:0][31:0] vx1_t_q [1] /*verilator public_flat_rd*/;
  logic [Lanes-1:0][31:0] vx1_b_q [1] /*verilator public_flat_rd*/;
  logic [Lanes-1:0][31:0] vfold_q [1] /*verilator public_flat_rd*/;
  logic [Lanes-1:0][31:0] vw_data_q /*verilator public_flat_rd*/;

  // ---------------------------------------------------------- the bundle
  shape_t           shape;
  logic [2:0][1:0]  log;            // element size of the walks
  logic [2:0][63:0] steps, counts;
  logic [4:0][28:0] base;
  logic [31:0]      word0, word1;   // scalars s0, s1 that stand in the bundle

  always_comb begin : p_bundle
    place_t place;
    place = '0;
    base = '0;
    shape = '0;
    log = '0;
    steps = '0;
    counts = '0;
    word0 = 32'd0;
    word1 = 32'd0;
    if (check_i || (vuop_q != VUOP_IDLE)) begin
      base = {vbase_q[4], vbase_q[3], vbase_q[2], vbase_q[1], vbase_q[0]};
      shape = ap_shape(bundle_i);
      log = {ap_log(shape.tag2), ap_log(shape.tag1), ap_log(shape.tag0)};
      for (int w = 0; w < 3; w++) begin
        counts[w] = ApOne;
        if (shape.walk[w]) begin
          place = ap_place(shape.op, 2'(w));
          steps[w] = ap_steps(bundle_i, place);
          counts[w] = ap_counts(bundle_i, place);
        end
      end
      word0 = vec_word0(bundle_i);
      word1 = vec_word1(bundle_i);
    end
  end

  // ----------------------------------------------------------------- check
  logic [1:0]       present;
  logic [1:0][28:0] addr;

  tpb_vec_check #(
    .Dve          (Dve),
    .SbufPartBytes(SbufPartBytes)
  ) u_check (
    .check_i,
    .step_i   (vchk_q),
    .bad_i    (vbad_q),
    .base0_i  (base[0]),
    .shape_i  (shape),
    .bundle_i,
    .reg_o,
    .value_i,
    .verdict_o,
    .present_o(present),
    .addr_o   (addr)
  );

  assign ready_o = check_i && (vchk_q == 2'd3);

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

  // ------------------------------------------------------ the issue stage
  logic            move;        // the pipeline is not held up by a write
  logic [1:0]      kind;
  logic            first, last, emit, last_elem, last_beat, last_pass;
  logic [2:0][2:0] dim;
  logic [2:0]      fly;         // beats in X0, X1, W will write
  logic [2:0][17:0] fly_addr;
  logic [2:0][3:0] fly_pass;
  logic [1:0]      reads;
  logic [1:0][2:0] off;

  assign move = !vw_valid_q || w_gnt_i;
  assign done_o = (vuop_q == VUOP_DRAIN) && !vx0_valid_q && !vx1_valid_q && move;

  always_comb begin
    fly = 3'd0;
    fly_addr = '0;
    fly_pass = '0;
    if (vuop_q != VUOP_IDLE) begin
      fly = {vw_valid_q, vx1_valid_q && vx1_emit_q, vx0_valid_q && vx0_emit_q};
      fly_addr = {vw_addr_q, vx1_addr_q, vx0_addr_q};
      fly_pass = {vw_pass_q, vx1_pass_q, vx0_pass_q};
    end
  end

  tpb_vec_beat #(
    .Lanes        (Lanes),
    .SbufPartBytes(SbufPartBytes)
  ) u_beat (
    .uop_i      (vuop_q),
    .shape_i    (shape),
    .log_i      (log),
    .counts_i   (counts),
    .index_i    (vi_q[0]),
    .byte_i     ({vb_q[0][4][17:0], vb_q[0][0][17:0]}),
    .base_i     (base),
    .pass_i     (vpass_q),
    .ve_i       (ve_q),
    .vk_i       (vk_q),
    .vr_i       (vr_q),
    .vlen_i     (vlen_q),
    .fly_i      (fly),
    .fly_addr_i (fly_addr),
    .fly_pass_i (fly_pass),
    .kind_o     (kind),
    .first_o    (first),
    .last_o     (last),
    .emit_o     (emit),
    .last_elem_o(last_elem),
    .last_beat_o(last_beat),
    .last_pass_o(last_pass),
    .dim_o      (dim),
    .go_o       (beat_o),
    .reads_o    (reads),
    .off_o      (off),
    .r_sbuf_o,
    .r_psum_o,
    .row_o
  );

  // Byte of the partition at which walk w starts; Iota's generator has a number instead.
  function automatic logic [31:0] start_of(input int w);
    start_of = ((w == 0) && shape.generator) ? bundle_i[8*'h0C +: 32] :
                                               {14'd0, ap_start(base[w])};
  endfunction

  // Sub-walk of one pattern: where the dim that steps stands next.
  function automatic logic [31:0] next_of(input int w, input logic [1:0] d);
    next_of = vb_q[0][4 * w + {30'd0, d}] +
              ({{16{steps[w][{d, 4'd15}]}}, steps[w][{d, 4'd0} +: 16]} << log[w]);
  endfunction

  // Walks 0 and 1 move with the elements, walk 2 with what is emitted.
  always_ff @(posedge clk_i) begin : p_walks
    logic [2:0] step, home;  // walks that step, that go back to the start
    logic [11:0][15:0] vi;
    logic [11:0][31:0] vb;
    if (go_i) begin
      vb = vb_q[0];
      for (int w = 0; w < 3; w++) if (shape.walk[w]) vb[4 * w +: 4] = {4{start_of(w)}};
      vi_q[0] <= '0;
      vb_q[0] <= vb;
    end else if (issue_i) begin
      step = {emit && !last_beat, {2{(kind == VBEAT_ELEM) && !last_elem}} & shape.walk[1:0]};
      home = {last_beat && shape.walk[2],
              {2{(kind == VBEAT_ELEM) && last_elem}} & shape.walk[1:0]};
      vi = vi_q[0];
      vb = vb_q[0];
      for (int w = 0; w < 3; w++) begin
        if (home[w]) begin
          vi[4 * w +: 4] = '0;
          vb[4 * w +: 4] = {4{start_of(w)}};
        end else if (step[w]) begin
          for (int d = 0; d < 4; d++) begin
            if (3'(d) == dim[w]) vi[4 * w + d] = vi[4 * w + d] + 16'd1;
            if (3'(d) < dim[w]) vi[4 * w + d] = '0;
            if (3'(d) <= dim[w]) vb[4 * w + d] = next_of(w, dim[w][1:0]);
          end
        end
      end
      vi_q[0] <= vi;
      vb_q[0] <= vb;
    end
  end

  always_ff @(posedge clk_i) begin : p_issue
    logic folds;
    if (!rst_ni) begin
      vuop_q <= VUOP_IDLE;
    end else if (go_i || issue_i) begin
      folds = (shape.op == OP_TR_ARITH) || (shape.op == OP_TR_BITVEC);
      if (go_i) begin
        vpass_q <= 4'd0;
        vk_q <= 32'd0;
        vr_q <= 32'd0;
        ve_q <= 3'd0;
        if (folds) vlen_q <= ap_group(counts[0], counts[2]);
      end else if (kind == VBEAT_EMIT) begin
        ve_q <= ve_q + 3'd1;
      end else if (kind == VBEAT_ELEM) begin
        vk_q <= last_elem ? 32'd0 : vk_q + 32'd1;
        if (folds) vr_q <= last ? 32'd0 : vr_q + 32'd1;
      end
      if (!go_i && last_beat && !last_pass) vpass_q <= vpass_q + 4'd1;
      if (go_i || (last_beat && !last_pass)) begin
        vuop_q <= (shape.ptr != 2'd0) ? VUOP_SCAL : VUOP_ELEM;
      end else if (last_beat) begin
        vuop_q <= VUOP_DRAIN;
      end else if (kind == VBEAT_SCAL) begin
        vuop_q <= VUOP_ELEM;
      end else if ((kind == VBEAT_ELEM) && last_elem) begin
        vuop_q <= VUOP_EMIT;
      end
    end else if (done_o) begin
      vuop_q <= VUOP_IDLE;
    end
  end

  // -------------------------------------------------------------------- X0
  logic        x0_go, x1_go;        // the beat of the stage moves on
  logic [7:0]  x0_lanes, x1_lanes;  // lanes that work in its pass
  ctl0_t       ctl0;
  logic [1:0]  psum;                // R0, R1 have read PSUM
  int          lane0, lane1;        // lane of their rows for lane 0 of the unit
  logic [31:0] gen, gen_step;       // inline scalar, fill, or Iota's word of lane 0; step of a lane

  assign x0_valid_o = vx0_valid_q;
  assign x0_go = move && vx0_valid_q;
  assign x1_go = move && vx1_valid_q;

  function automatic logic [7:0] lanes_in(input logic [3:0] pass);
    logic [31:0] rest;
    rest = {24'd0, shape.n} - {28'd0, pass} * Lanes;
    lanes_in = (rest > Lanes) ? 8'(Lanes) : rest[7:0];
  endfunction

  // A row of more than 32 partitions may be entered inside.
  if (Lanes > 32) begin : gen_lane0
    assign lane0 = int'(ap_part((vx0_kind_q == VBEAT_SCAL) ? base[3] : base[0]));
    assign lane1 = int'(ap_part((vx0_kind_q == VBEAT_SCAL) ? base[4] : base[1]));
  end else begin : gen_no_lane0
    assign lane0 = 0;
    assign lane1 = 0;
  end

  always_comb begin
    x0_lanes = 8'd0;
    ctl0 = '0;
    psum = 2'b00;
    gen = 32'd0;
    gen_step = 32'd0;
    if (x0_go) begin
      x0_lanes = lanes_in(vx0_pass_q);
      ctl0 = vec_ctl0(shape, bundle_i);
      psum = (vx0_kind_q == VBEAT_SCAL) ? {ap_psum(base[4]), ap_psum(base[3])} :
                                          {ap_psum(base[1]), ap_psum(base[0])};
      gen = word0;
      if (shape.generator) begin
        gen_step = bundle_i[8*'h24 +: 32];
        gen = vx0_gen_q + {28'd0, vx0_pass_q} * Lanes * gen_step;
      end
    end
  end

  // Division by 0 on the integer path.
  always_comb begin : p_flags
    logic divides, mods;
    divides = 1'b0;
    mods = 1'b0;
    flags_o = 2'b00;
    if ((ctl0.kind == X0Int) && (vx0_kind_q == VBEAT_ELEM)) begin
      divides = vec_divides(ctl0.op);
      mods = vec_mods(ctl0.op);
    end
    if (divides) begin
      for (int j = 0; j < int'(Lanes); j++) begin
        if ((8'(j) < x0_lanes) &&
            (vec_element(ctl0.tag1, vx0_off1_q, Dve && psum[1],
                         sbuf1_i[64 * ((j + lane1) % int'(Lanes)) +: 64],
                         psum1_i[64 * ((j + lane1) % int'(Lanes)) +: 64]) == 32'd0)) begin
          flags_o[mods] = 1'b1;
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
        if (reads[0]) vx0_off0_q <= off[0];
        if (reads[1]) vx0_off1_q <= off[1];
        if (emit) vx0_addr_q <= vb_q[0][8][17:0];
        if (kind == VBEAT_ELEM) vx0_idx_q <= vk_q;
        if (kind == VBEAT_EMIT) vx0_idx_q <= {29'd0, ve_q};
        if (shape.generator) vx0_gen_q <= vb_q[0][0];
      end
    end
  end

  always_ff @(posedge clk_i) begin : p_x0_scalars
    logic [Lanes-1:0][31:0] v, w;
    if (x0_go && (vx0_kind_q == VBEAT_SCAL)) begin
      v = vs0_q[0];
      w = vs1_q[0];
      for (int j = 0; j < int'(Lanes); j++) begin
        if ((8'(j) < x0_lanes) && shape.ptr[0]) begin
          v[j] = vec_element(shape.tag_s, vx0_off0_q, Dve && psum[0],
                             sbuf0_i[64 * ((j + lane0) % int'(Lanes)) +: 64],
                             psum0_i[64 * ((j + lane0) % int'(Lanes)) +: 64]);
        end
        if ((8'(j) < x0_lanes) && shape.ptr[1]) begin
          w[j] = vec_element(shape.tag_s, vx0_off1_q, Dve && psum[1],
                             sbuf1_i[64 * ((j + lane1) % int'(Lanes)) +: 64],
                             psum1_i[64 * ((j + lane1) % int'(Lanes)) +: 64]);
        end
      end
      vs0_q[0] <= v;
      vs1_q[0] <= w;
    end
  end

  always_ff @(posedge clk_i) begin : p_x0
    logic [Lanes-1:0][31:0] t;
    if (x0_go && (vx0_kind_q == VBEAT_ELEM) && (ctl0.kind != X0None)) begin
      t = vx1_t_q[0];
      for (int j = 0; j < int'(Lanes); j++) begin
        if (8'(j) < x0_lanes) begin
          t[j] = vec_x0(ctl0, cfg_fp8_i, psum & {2{Dve}}, {vx0_off1_q, vx0_off0_q},
                        sbuf0_i[64 * ((j + lane0) % int'(Lanes)) +: 64],
                        psum0_i[64 * ((j + lane0) % int'(Lanes)) +: 64],
                        sbuf1_i[64 * ((j + lane1) % int'(Lanes)) +: 64],
                        psum1_i[64 * ((j + lane1) % int'(Lanes)) +: 64],
                        shape.ptr[0] ? vs0_q[0][j] : gen + j * gen_step);
        end
      end
      vx1_t_q[0] <= t;
    end
  end

  always_ff @(posedge clk_i) begin : p_x0_second
    logic [Lanes-1:0][31:0] s;
    if (x0_go && (vx0_kind_q == VBEAT_ELEM) && ctl0.second) begin
      s = vx1_b_q[0];
      for (int j = 0; j < int'(Lanes); j++) begin
        if (8'(j) < x0_lanes) begin
          s[j] = vec_b(ctl0, vec_element(ctl0.tag0, vx0_off0_q, Dve && psum[0],
                                         sbuf0_i[64 * ((j + lane0) % int'(Lanes)) +: 64],
                                         psum0_i[64 * ((j + lane0) % int'(Lanes)) +: 64]));
        end
      end
      vx1_b_q[0] <= s;
    end
  end

  // -------------------------------------------------------------------- X1
  ctl1_t                    ctl1;
  logic [Lanes-1:0][31:0]   fold, value;  // value: the accumulator, or a search slot
  logic [Lanes-1:0]         hit;          // the slot is hit

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

  // Running values at the end of the cycle.
  always_comb begin
    fold = '0;
    if (ctl1.fold != 2'd0) begin
      fold = vfold_q[0];
      for (int j = 0; j < int'(Lanes); j++) begin
        if (8'(j) < x1_lanes) begin
          fold[j] = vec_fold(ctl1, vx1_first_q, bundle_i[8*'h0C +: 8], value[j],
                             shape.ptr[1] ? vs1_q[0][j] : word1, vfold_q[0][j], vx1_t_q[0][j]);
        end
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (ctl1.fold != 2'd0) vfold_q[0] <= fold;
  end

  always_ff @(posedge clk_i) begin : p_w
    logic [Lanes-1:0][31:0] r;
    logic [127:0] en;
    logic masked;
    if (!rst_ni) begin
      vw_valid_q <= 1'b0;
    end else if (move && (vuop_q != VUOP_IDLE)) begin
      vw_valid_q <= vx1_valid_q && vx1_emit_q;
      if (vx1_valid_q && vx1_emit_q) begin
        vw_pass_q <= vx1_pass_q;
        vw_addr_q <= vx1_addr_q;
        r = vw_data_q;
        en = '0;
        masked = (shape.op == OP_COPY_PRED) || (shape.op == OP_CAST_PRED) ||
                 (shape.op == OP_COPY_PRED_SCALAR);
        for (int j = 0; j < int'(Lanes); j++) begin
          if (8'(j) < x1_lanes) begin
            en[j] = !masked || vx1_b_q[0][j][0];
            r[j] = vec_x1(ctl1, cfg_fp8_i, vx1_t_q[0][j], vx1_b_q[0][j],
                          shape.ptr[1] ? vs1_q[0][j] : word1, fold[j], value[j], hit[j]);
          end
        end
        vw_en_q <= en;
        vw_data_q <= r;
      end
    end
  end

  // ------------------------------------------------------------------ slots
  if (Dve) begin : gen_slots
    logic        rd_acc, rd_match, step, acc_we;
    logic [6:0]  part0, part1;

    always_comb begin : p_slots
      logic        folds, searches;
      logic [28:0] start;  // of the operand whose partitions they belong to
      folds = 1'b0;
      searches = 1'b0;
      start = 29'd0;
      rd_acc = 1'b0;
      rd_match = 1'b0;
      step = 1'b0;
      acc_we = 1'b0;
      part0 = 7'd0;
      part1 = 7'd0;
      if (x0_go || x1_go) begin
        folds = (shape.op == OP_TS_REDUCE) || (shape.op == OP_TS_CUMULATIVE);
        searches = (shape.op == OP_FIND_INDEX8) || (shape.op == OP_MATCH_REPLACE8);
        start = (shape.op == OP_MATCH_LOAD) ? base[0] : base[2];
        if (x0_go && vx0_first_q) begin
          rd_acc = folds || (shape.op == OP_READ_ACC);
          rd_match = searches && (vx0_kind_q == VBEAT_ELEM);
          part0 = ap_lane0(start, vx0_pass_q, Lanes);
        end
        if (x1_go) begin
          step = (vx1_kind_q == VBEAT_ELEM) &&
                 ((shape.op == OP_MAX8) || (shape.op == OP_MATCH_LOAD) || searches);
          acc_we = folds && vx1_last_q;
          part1 = ap_lane0(start, vx1_pass_q, Lanes);
        end
      end
    end

    tpb_slots #(
      .Lanes(Lanes)
    ) u_slots (
      .clk_i,
      .rst_ni,
      .rd_acc_i  (rd_acc),
      .rd_match_i(rd_match),
      .part0_i   (part0),
      .step_i    (step),
      .op_i      (shape.op),
      .first_i   (vx1_first_q),
      .last_i    (vx1_last_q),
      .idx_i     (vx1_idx_q),
      .lanes_i   (x1_lanes),
      .part1_i   (part1),
      .t_i       (vx1_t_q[0]),
      .acc_i     (ctl1.acc && vx1_first_q),
      .emit_i    (x1_go && (vx1_kind_q == VBEAT_EMIT)),
      .pick_i    ((shape.op == OP_MAX8) ? ~vx1_idx_q[2:0] : vx1_idx_q[2:0]),
      .value_o   (value),
      .hit_o     (hit),
      .acc_we_i  (acc_we),
      .new_acc_i (fold)
    );
  end else begin : gen_no_slots
    assign value = '0;
    assign hit = '0;
  end

  // --------------------------------------------------------------------- W
  always_comb begin
    w_sbuf_o = 1'b0;
    w_psum_o = 1'b0;
    w_row_o = 20'd0;
    w_off_o = 3'd0;
    w_log_o = 2'd0;
    w_lane_o = 7'd0;
    if (vw_valid_q) begin
      w_psum_o = ap_psum(base[2]);
      w_sbuf_o = !w_psum_o;
      w_row_o = ap_row(base[2], vw_pass_q, vw_addr_q, Lanes, SbufPartBytes);
      w_off_o = vw_addr_q[2:0];
      w_log_o = log[2];
      if (Lanes > 32) w_lane_o = ap_part(base[2]);
    end
  end

  assign w_en_o = Lanes'({vw_en_q});
  assign w_data_o = vw_data_q;

endmodule
