// SPDX-License-Identifier: Apache-2.0
//
// The bank of a core: 256 counting semaphores and 256 events.
//
// Waits are answered in the cycle in which they are asked, from the registers as they are;
// hold_o[e] is 1 when both lanes of engine e hold (a lane with mode 0 always does).
//
// What happens at the end of a cycle counts as if done one after the other, each step on the values
// that the step before left:
//
//   a  consumed events, port order (consume_i, of the lanes of this cycle)
//   b  clears of retiring bundles
//   c  updates of retiring bundles, port order
//   d  the update of the DMA unit
//
// dma_*_i feed registers only.  Facts: docs/reference/timing.md "Bank".
module tpb_sem
  import tpb_pkg::*;
  import tpb_decode_pkg::*;
(
  input  logic               clk_i,
  input  logic               rst_ni,
  input  sync_t [4:0]        lane0_i,
  input  logic  [4:0][31:0]  value0_i,
  input  sync_t [4:0]        lane1_i,
  input  logic  [4:0][31:0]  value1_i,
  output logic  [4:0]        hold_o,
  input  logic  [4:0][1:0]   consume_i,
  input  logic  [4:0]        retire_i,
  input  sync_t [4:0]        upd_i,       // update of a retiring bundle, mode 0: none
  input  logic  [4:0][31:0]  upd_value_i,
  input  logic  [4:0][1:0]   clr_mode_i,  // ClrNone .. ClrAll
  input  logic  [4:0][15:0]  clr_range_i, // {last, first}
  input  logic  [4:0][255:0] clr_mask_i,
  input  logic               clr_pair_i,  // and both of clr_pair_mask_i, from outside the core
  input  logic  [511:0]      clr_pair_mask_i,
  input  logic               empty_i,     // a trigger found no block
  input  logic               dma_valid_i, // the DMA unit's update
  input  logic  [3:0]        dma_mode_i,
  input  logic  [7:0]        dma_id_i,
  input  logic  [31:0]       dma_value_i
);

  logic [31:0]  sem_q [256] /*verilator public_flat_rd*/;
  logic [255:0] evt_q /*verilator public_flat_rd*/;
  logic [3:0]   core_flags_q /*verilator public_flat_rd*/;
  logic [7:0]   evt_id_q /*verilator public_flat_rd*/;

  // ---------------------------------------------------------------- waits
  function automatic logic sem_holds(input logic [2:0] mode, input logic [31:0] sem,
                                     input logic [31:0] value);
    unique case (mode)
      WAIT_EQ_IMM[2:0]: sem_holds = (sem == value);
      WAIT_LT_IMM[2:0]: sem_holds = ($signed(sem) < $signed(value));
      WAIT_LE_IMM[2:0]: sem_holds = ($signed(sem) <= $signed(value));
      WAIT_GT_IMM[2:0]: sem_holds = ($signed(sem) > $signed(value));
      default: sem_holds = ($signed(sem) >= $signed(value));
    endcase
  endfunction

  for (genvar e = 0; e < 5; e++) begin : gen_hold
    logic hold0, hold1;
    always_comb begin
      hold0 = 1'b1;
      hold1 = 1'b1;
      if (lane0_i[e].wait_mode != WAIT_NONE) begin
        if (lane0_i[e].wait_mode[2:1] == 2'b11) begin
          hold0 = evt_q[lane0_i[e].wait_id] != lane0_i[e].wait_mode[3];
        end else begin
          hold0 = sem_holds(lane0_i[e].wait_mode[2:0], sem_q[lane0_i[e].wait_id],
                            value0_i[e]);
        end
      end
      if (lane1_i[e].wait_mode != WAIT_NONE) begin
        if (lane1_i[e].wait_mode[2:1] == 2'b11) begin
          hold1 = evt_q[lane1_i[e].wait_id] != lane1_i[e].wait_mode[3];
        end else begin
          hold1 = sem_holds(lane1_i[e].wait_mode[2:0], sem_q[lane1_i[e].wait_id],
                            value1_i[e]);
        end
      end
    end
    assign hold_o[e] = hold0 && hold1;
  end

  // --------------------------------------------------------------- clears
  function automatic logic [255:0] clear_union(input logic [4:0][1:0] mode,
                                               input logic [4:0][15:0] range,
                                               input logic [4:0][255:0] mask);
    clear_union = '0;
    for (int e = 0; e < 5; e++) begin
      unique case (mode[e])
        ClrNone: ;
        ClrRange: begin
          clear_union = clear_union |
                        ((256'('1) << range[e][7:0]) & (256'('1) >> ~range[e][15:8]));
        end
        ClrMask: clear_union = clear_union | mask[e];
        default: clear_union = '1;
      endcase
    end
  endfunction

  logic clear;

  assign clear = (clr_mode_i != '0) || clr_pair_i;

  // -------------------------------------------------------------- updates
  function automatic logic is_sem(input logic [3:0] mode);
    is_sem = (mode > UPDATE_EVT_CLR[3:0]);
  endfunction

  function automatic logic is_evt(input logic [3:0] mode);
    is_evt = (mode != 4'd0) && (mode <= UPDATE_EVT_CLR[3:0]);
  endfunction

  // Flag of a set (of a set event) or clear (of a clear one).
  function automatic logic [1:0] hit(input logic set);
    hit = set ? 2'b01 : 2'b10;
  endfunction

  function automatic logic [31:0] updated(input logic [3:0] mode, input logic [31:0] sem,
                                          input logic [31:0] value);
    unique case (mode)
      UPDATE_INC[3:0]: updated = sem + 32'd1;
      UPDATE_DEC[3:0]: updated = sem - 32'd1;
      UPDATE_ADD_IMM[3:0]: updated = sem + value;
      UPDATE_SUB_IMM[3:0]: updated = sem - value;
      default: updated = value;
    endcase
  endfunction

  // Events after consumption and updates.
  logic [4:0]       upd_sem, upd_evt;
  logic             sem_any, evt_any;
  logic [255:0]     evt_new;
  logic [1:0]       evt_flags;  // bit 0: a set event was set, bit 1: a clear one was cleared
  logic [7:0]       evt_first;  // the first of those

  always_comb begin
    upd_sem = 5'd0;
    upd_evt = 5'd0;
    if (retire_i != 5'd0) begin
      for (int e = 0; e < 5; e++) begin
        if (upd_i[e].upd_mode != 8'd0) begin
          upd_sem[e] = is_sem(upd_i[e].upd_mode[3:0]);
          upd_evt[e] = is_evt(upd_i[e].upd_mode[3:0]);
        end
      end
    end
  end

  assign sem_any = (upd_sem != 5'd0);
  assign evt_any = (upd_evt != 5'd0) || (consume_i != '0);

  always_comb begin
    evt_new = '0;
    evt_flags = 2'b00;
    evt_first = 8'd0;
    if (evt_any) begin
      evt_new = evt_q;
      for (int e = 0; e < 5; e++) begin
        if (consume_i[e][0]) evt_new[lane0_i[e].wait_id] = lane0_i[e].wait_mode[3];
        if (consume_i[e][1]) evt_new[lane1_i[e].wait_id] = lane1_i[e].wait_mode[3];
      end
      for (int e = 0; e < 5; e++) begin
        if (upd_evt[e]) begin
          if (evt_new[upd_i[e].upd_id] == upd_i[e].upd_mode[0]) begin
            if (evt_flags == 2'b00) evt_first = upd_i[e].upd_id;
            evt_flags = evt_flags | hit(upd_i[e].upd_mode[0]);
          end
          evt_new[upd_i[e].upd_id] = upd_i[e].upd_mode[0];
        end
      end
    end
  end

  function automatic logic evt_now(input logic [7:0] id);
    evt_now = evt_any ? evt_new[id] : evt_q[id];
  endfunction

  function automatic logic [255:0] with_event(input logic [255:0] evt, input logic [7:0] id,
                                              input logic value);
    with_event = evt;
    with_event[id] = value;
  endfunction

  // All of it in the flops' own block: the mask of a switch comes from outside.
  always_ff @(posedge clk_i) begin : p_sem
    logic [255:0]     clr;
    logic [4:0][31:0] value;  // after the updates of the engines up to each
    logic [31:0]      last;
    if (!rst_ni || clear || sem_any || (dma_valid_i && is_sem(dma_mode_i))) begin
      clr = '0;
      if (!rst_ni || clear) begin
        clr = !rst_ni ? '1 : clear_union(clr_mode_i, clr_range_i, clr_mask_i);
        if (clr_pair_i) clr = clr | clr_pair_mask_i[255:0] | clr_pair_mask_i[511:256];
        // One condition for all: a simulator then needs one flag, not one an element.
        for (int i = 0; i < 4; i++) begin
          for (int j = 0; j < 64; j++) begin
            sem_q[64 * i + j] <= clr[64 * i + j] ? 32'd0 : sem_q[64 * i + j];
          end
        end
      end
      value = '0;
      for (int e = 0; e < 5; e++) begin
        if (rst_ni && upd_sem[e]) begin
          value[e] = clr[upd_i[e].upd_id] ? 32'd0 : sem_q[upd_i[e].upd_id];
          for (int f = 0; f < e; f++) begin
            if (upd_sem[f] && (upd_i[f].upd_id == upd_i[e].upd_id)) value[e] = value[f];
          end
          value[e] = updated(upd_i[e].upd_mode[3:0], value[e], upd_value_i[e]);
          sem_q[upd_i[e].upd_id] <= value[e];
        end
      end
      if (rst_ni && dma_valid_i && is_sem(dma_mode_i)) begin
        last = clr[dma_id_i] ? 32'd0 : sem_q[dma_id_i];
        for (int e = 0; e < 5; e++)
          if (upd_sem[e] && (upd_i[e].upd_id == dma_id_i)) last = value[e];
        sem_q[dma_id_i] <= updated(dma_mode_i, last, dma_value_i);
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      evt_q <= '0;
      core_flags_q <= 4'd0;
      evt_id_q <= 8'd0;
    end else if (dma_valid_i && is_evt(dma_mode_i)) begin
      if (empty_i) core_flags_q[2] <= 1'b1;
      core_flags_q[1:0] <= core_flags_q[1:0] | evt_flags |
                           ((evt_now(dma_id_i) == dma_mode_i[0]) ? hit(dma_mode_i[0]) : 2'b00);
      if (core_flags_q[1:0] == 2'b00) begin
        if (evt_flags != 2'b00) evt_id_q <= evt_first;
        else if (evt_now(dma_id_i) == dma_mode_i[0]) evt_id_q <= dma_id_i;
      end
      evt_q <= with_event(evt_any ? evt_new : evt_q, dma_id_i, dma_mode_i[0]);
    end else if (evt_any || empty_i) begin
      if (empty_i) core_flags_q[2] <= 1'b1;
      if (evt_any) evt_q <= evt_new;
      core_flags_q[1:0] <= core_flags_q[1:0] | evt_flags;
      if ((core_flags_q[1:0] == 2'b00) && (evt_flags != 2'b00)) evt_id_q <= evt_first;
    end
  end

endmodule
