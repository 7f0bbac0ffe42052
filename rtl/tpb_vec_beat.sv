// SPDX-License-Identifier: Apache-2.0
//
// The beat at the issue stage of a vector unit: what it is, what it reads, and whether a beat in
// flight still has to write there.
//
// Combinational, from registers.  go_o: the beat may be issued as soon as it has the ports that
// r_sbuf_o and r_psum_o name (bit 0 R0, bit 1 R1).  dim_o: the dim in which a walk steps, 4 at its
// last position.
//
// Facts: docs/reference/vector.md "Beats".
module tpb_vec_beat
  import tpb_pkg::*;
  import tpb_ap_pkg::*;
#(
  parameter int unsigned Lanes = 32,
  parameter int unsigned SbufPartBytes = 229376
) (
  input  logic [2:0]        uop_i,
  input  shape_t            shape_i,
  input  logic [2:0][1:0]   log_i,
  input  logic [2:0][63:0]  counts_i,
  input  logic [11:0][15:0] index_i,
  input  logic [1:0][17:0]  byte_i,    // of walks 0 and 1
  input  logic [4:0][28:0]  base_i,
  input  logic [3:0]        pass_i,
  input  logic [2:0]        ve_i,
  input  logic [31:0]       vk_i,
  input  logic [31:0]       vr_i,
  input  logic [31:0]       vlen_i,
  // Beats in X0, X1 and W that will write.
  input  logic [2:0]        fly_i,
  input  logic [2:0][17:0]  fly_addr_i,
  input  logic [2:0][3:0]   fly_pass_i,
  // The beat.
  output logic [1:0]        kind_o,
  output logic              first_o,
  output logic              last_o,
  output logic              emit_o,
  output logic              last_elem_o,
  output logic              last_beat_o,  // of the pass
  output logic              last_pass_o,
  output logic [2:0][2:0]   dim_o,
  output logic              go_o,
  output logic [1:0]        reads_o,      // R0, R1
  output logic [1:0][2:0]   off_o,        // byte of the word that they read
  output logic [1:0]        r_sbuf_o,
  output logic [1:0]        r_psum_o,
  output logic [1:0][19:0]  row_o
);

  logic             active, hazard;
  logic [1:0][28:0] from;  // start addresses of what the ports read
  logic [1:0][17:0] at;    // byte in the partition

  logic unused_tags;
  assign unused_tags = ^{shape_i.tag0, shape_i.tag1, shape_i.tag2, shape_i.tag_s};

  assign active = (uop_i != VUOP_IDLE) && (uop_i != VUOP_DRAIN);

  // Do the bytes of an element that port i reads meet those that beat f will write?
  function automatic logic meets(input logic [1:0] f, input logic i);
    meets = fly_i[f] && (ap_psum(from[i]) == ap_psum(base_i[2])) &&
            (ap_lane0(from[i], pass_i, Lanes) == ap_lane0(base_i[2], fly_pass_i[f], Lanes)) &&
            ({1'b0, at[i]} < {1'b0, fly_addr_i[f]} + (19'd1 << log_i[2])) &&
            ({1'b0, fly_addr_i[f]} < {1'b0, at[i]} + (19'd1 << log_i[i]));
  endfunction

  always_comb begin
    dim_o = '0;
    last_elem_o = 1'b0;
    last_pass_o = 1'b0;
    if (active) begin
      dim_o[0] = ap_dim(index_i[3:0], counts_i[0]);
      dim_o[1] = ap_dim(index_i[7:4], counts_i[1]);
      dim_o[2] = ap_dim(index_i[11:8], counts_i[2]);
      last_elem_o = (shape_i.walk[0] && !shape_i.generator) ? dim_o[0][2] : dim_o[2][2];
      last_pass_o = ({28'd0, pass_i} + 32'd1) * Lanes >= {24'd0, shape_i.n};
    end
  end

  always_comb begin
    kind_o = VBEAT_SCAL;
    first_o = 1'b0;
    last_o = 1'b0;
    emit_o = 1'b0;
    last_beat_o = 1'b0;
    reads_o = 2'b00;
    from = '0;
    at = '0;
    if (active) begin
      unique case (uop_i)
        VUOP_SCAL: begin
          reads_o = shape_i.ptr;
          from = base_i[4:3];
          at = {ap_start(base_i[4]), ap_start(base_i[3])};
        end
        VUOP_EMIT: begin
          kind_o = VBEAT_EMIT;
          first_o = (ve_i == 3'd0);
          last_o = (ve_i == 3'd7);
          emit_o = 1'b1;
          last_beat_o = last_o;
        end
        default: begin
          kind_o = VBEAT_ELEM;
          first_o = (vk_i == 32'd0);
          last_o = last_elem_o;
          last_beat_o = last_elem_o;
          emit_o = 1'b1;
          unique case (shape_i.op)
            OP_TR_ARITH, OP_TR_BITVEC: begin
              first_o = (vr_i == 32'd0);
              last_o = (vr_i == vlen_i - 32'd1);
              emit_o = last_o;
            end
            OP_TS_REDUCE: emit_o = (counts_i[2] != ApOne) || last_elem_o;
            OP_MAX8, OP_FIND_INDEX8: begin
              emit_o = 1'b0;
              last_beat_o = 1'b0;
            end
            OP_MATCH_LOAD: emit_o = 1'b0;
            default: ;
          endcase
          reads_o = {shape_i.walk[1], shape_i.walk[0] && !shape_i.generator};
          from = base_i[1:0];
          at = byte_i;
        end
      endcase
    end
  end

  always_comb begin
    hazard = 1'b0;
    if ((kind_o == VBEAT_ELEM) && (fly_i != 3'd0)) begin
      hazard = (reads_o[0] && (meets(2'd0, 1'b0) || meets(2'd1, 1'b0) || meets(2'd2, 1'b0))) ||
               (reads_o[1] && (meets(2'd0, 1'b1) || meets(2'd1, 1'b1) || meets(2'd2, 1'b1)));
    end
  end

  assign go_o = active && !hazard;
  assign off_o = {at[1][2:0], at[0][2:0]};

  always_comb begin
    r_sbuf_o = 2'b00;
    r_psum_o = 2'b00;
    row_o = '0;
    if (go_o) begin
      r_psum_o = reads_o & {ap_psum(from[1]), ap_psum(from[0])};
      r_sbuf_o = reads_o & ~r_psum_o;
      row_o[0] = ap_row(from[0], pass_i, at[0], Lanes, SbufPartBytes);
      row_o[1] = ap_row(from[1], pass_i, at[1], Lanes, SbufPartBytes);
    end
  end

endmodule
