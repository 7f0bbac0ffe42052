// SPDX-License-Identifier: Apache-2.0
//
// The core: five sequencers, two vector units, the semaphore bank, the memories and the watchdog.
//
// Engine e of every 5-element port is PE 0, ACT 1, POOL 2, DVE 3, SP 4.
//
// Fetch port of engine e: with fetch_en_o[e] in cycle t the harness gives bundle fetch_pc_o[e] on
// fetch_data_i[e] in cycle t + 1 and holds it until it answers the next request; 64 zero bytes at
// and past len_i[e].
//
// DRAM port: a request stands until dram_ready_i; addresses count 8-byte words.  The answer to a
// read handed over in cycle h comes with dram_rvalid_i in cycle h + DRAM_LATENCY - 1.
//
//   cycle         h     h+1   ...   h+7   h+8
//   dram_valid_o  1     0
//   dram_ready_i  1
//   dram_rvalid_i                   1
//   answer in the core                    1
//
// len_i, rank_i and cfg_fp8_i {nan_suppress, saturate, ocp} are static.  Reset is synchronous; one
// cycle is enough.  mon_w_* is the 8-byte on-chip write that takes effect at the end of the cycle,
// mon_v_o[v] says that the W registers of vector unit v (0 POOL, 1 DVE) do so.  grant_o and
// retire_o are for observation.  Lanes of a vector unit: 8, 16, 32, 64 or 128.
// All inputs feed registers only.  Facts: docs/reference/timing.md.
module tpb_core
  import tpb_pkg::*;
  import tpb_decode_pkg::*;
  import tpb_addr_pkg::*;
  import tpb_dma_pkg::*;
#(
  parameter int unsigned SbufPartBytes = 229376,
  parameter int unsigned Gen = 3,
  parameter int unsigned Lanes = 32
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  input  logic [4:0][31:0]  len_i,
  input  logic [31:0]       rank_i,
  input  logic [2:0]        cfg_fp8_i,
  output logic [4:0]        fetch_en_o,
  output logic [4:0][31:0]  fetch_pc_o,
  input  logic [4:0][511:0] fetch_data_i,
  output logic              dram_valid_o,
  input  logic              dram_ready_i,
  output logic              dram_we_o,
  output logic [32:0]       dram_addr_o,
  output logic [63:0]       dram_wdata_o,
  output logic [7:0]        dram_wmask_o,
  output logic [2:0]        dram_id_o,
  input  logic              dram_rvalid_i,
  input  logic [2:0]        dram_rid_i,
  input  logic [63:0]       dram_rdata_i,
  input  logic [7:0]        dma_queues_i,
  output logic              dprog_en_o,
  output logic [1:0]        dprog_sel_o,
  output logic [31:0]       dprog_idx_o,
  input  logic [767:0]      dprog_data_i,
  output logic              mon_w_valid_o,
  output logic [36:0]       mon_w_addr_o,
  output logic [63:0]       mon_w_data_o,
  output logic [7:0]        mon_w_mask_o,
  output logic              mon_p_valid_o,
  output logic [36:0]       mon_p_addr_o,
  output logic [63:0]       mon_p_data_o,
  output logic [7:0]        mon_p_mask_o,
  output logic [1:0]        mon_v_o,
  output logic [4:0]        grant_o,
  output logic [4:0]        retire_o
);

  localparam int unsigned SbufRows = 128 / Lanes * (SbufPartBytes / 8);
  localparam int unsigned SbufWidth = $clog2(SbufRows);
  localparam int unsigned PsumRows = 128 / Lanes * (PSUM_BYTES_GEN3 / 8);
  localparam int unsigned PsumWidth = $clog2(PsumRows);

  // Static inputs, registered: one that fed logic would cost a simulator an evaluation more.
  logic [2:0] cfg_fp8_q;
  logic [7:0] dma_queues_q;

  always_ff @(posedge clk_i) begin
    cfg_fp8_q <= cfg_fp8_i;
    dma_queues_q <= dma_queues_i;
  end

  // Engines and grants.
  sync_t    [4:0]        lane0, lane1, upd;
  logic     [4:0][31:0]  value0, value1, upd_value;
  logic     [4:0]        hold, ready, claim_sem, grant, go, retire, running;
  logic     [4:0][2:0]   state;
  logic     [4:0][1:0]   join_kind, claim_evt, consume, clr_mode;
  logic     [4:0][15:0]  clr_range;
  logic     [4:0][255:0] clr_mask;
  // Memory.
  mem_t     [4:0]        mem_req;
  access_t  [4:0]        mem_acc;
  logic     [4:0][63:0]  mem_wdata, mem_rdata;
  logic     [4:0]        mem_gnt, mem_rsp;
  logic                  mem_active;
  logic                  deadlock;
  // DMA unit.
  logic     [4:0][1:0]   q_op;
  logic     [4:0][7:0]   q_id, q_inst, b_id, b_inst;
  logic     [4:0]        b_keep;
  logic                  active;
  logic     [4:0]        q_issue, q_ready, q_fault, q_empty, q_room, q_none, q_rewind;
  logic     [4:0]        drained, q_keep, sw_port;
  queue_step_t [4:0]     q_step;
  logic                  switched;
  logic                  dma_active, upd_valid;
  logic     [3:0]        upd_mode;
  logic     [7:0]        upd_id;
  logic     [31:0]       upd_val;
  // Vector units of engines 2 and 3; the other engines have none.
  logic     [4:0]        vec_check, vec_go, vec_ready, vec_done, vec_busy;
  logic     [4:0][511:0] bundle;
  logic     [4:0][1:0][5:0]  vec_reg;
  logic     [4:0][1:0][31:0] vec_value;
  logic     [4:0][1:0]   vec_verdict, vec_flags;

  for (genvar e = 0; e < 5; e++) begin : gen_engine
    tpb_seq #(
      .SbufPartBytes(SbufPartBytes),
      .Gen          (Gen),
      .Engine       (3'(e))
    ) u_seq (
      .clk_i,
      .rst_ni,
      .len_i       (len_i[e]),
      .rank_i,
      .fetch_en_o  (fetch_en_o[e]),
      .fetch_pc_o  (fetch_pc_o[e]),
      .fetch_data_i(fetch_data_i[e]),
      .lane0_o     (lane0[e]),
      .value0_o    (value0[e]),
      .lane1_o     (lane1[e]),
      .value1_o    (value1[e]),
      .hold_i      (hold[e]),
      .state_o     (state[e]),
      .ready_o     (ready[e]),
      .join_o      (join_kind[e]),
      .claim_evt_o (claim_evt[e]),
      .claim_sem_o (claim_sem[e]),
      .grant_i     (grant[e]),
      .go_o        (go[e]),
      .retire_o    (retire[e]),
      .upd_o       (upd[e]),
      .upd_value_o (upd_value[e]),
      .clr_mode_o  (clr_mode[e]),
      .clr_range_o (clr_range[e]),
      .clr_mask_o  (clr_mask[e]),
      .mem_req_o   (mem_req[e]),
      .mem_acc_o   (mem_acc[e]),
      .mem_wdata_o (mem_wdata[e]),
      .mem_gnt_i   (mem_gnt[e]),
      .mem_rsp_i   (mem_rsp[e]),
      .mem_rdata_i (mem_rdata[e]),
      .vec_check_o  (vec_check[e]),
      .vec_go_o     (vec_go[e]),
      .bundle_o     (bundle[e]),
      .vec_reg_i    (vec_reg[e]),
      .vec_value_o  (vec_value[e]),
      .vec_ready_i  (vec_ready[e]),
      .vec_verdict_i(vec_verdict[e]),
      .vec_done_i   (vec_done[e]),
      .vec_flags_i  (vec_flags[e]),
      .vec_busy_o   (vec_busy[e]),
      .q_op_o       (q_op[e]),
      .q_issue_o    (q_issue[e]),
      .q_ready_i    (q_ready[e]),
      .q_fault_i    (q_fault[e]),
      .q_empty_i    (q_empty[e]),
      .q_room_i     (q_room[e]),
      .drained_i    (drained[e]),
      .q_none_o     (q_none[e]),
      .q_rewind_o   (q_rewind[e]),
      .q_step_o     (q_step[e]),
      .sw_port_i    (sw_port[e]),
      .deadlock_i   (deadlock)
    );
    if ((e < 2) || (e > 3)) begin : gen_no_vec
      logic unused_vec;
      assign unused_vec = vec_check[e] ^ vec_go[e] ^ (^bundle[e]) ^ (^vec_value[e]);
      assign vec_reg[e] = '0;
      assign vec_ready[e] = 1'b0;
      assign vec_verdict[e] = 2'd0;
      assign vec_done[e] = 1'b0;
      assign vec_flags[e] = 2'd0;
    end
    assign b_id[e] = bundle[e][8*'h0C +: 8];
    assign b_inst[e] = bundle[e][8*'h0D +: 8];
    assign b_keep[e] = bundle[e][8*'h3B];
    assign running[e] = (state[e] == RUN_RUN);
    assign consume[e] = go[e] ? claim_evt[e] : 2'b00;
  end

  // Fields of the bundles, for those that stand at a queue.
  always_comb begin
    q_id = '0;
    q_inst = '0;
    q_keep = 5'd0;
    if (q_op != '0) begin
      q_id = b_id;
      q_inst = b_inst;
      q_keep = b_keep;
    end
  end

  always_comb begin
    active = 1'b1;
    if ((grant == 5'd0) && (retire == 5'd0)) begin
      active = mem_active || (vec_busy != 5'd0) || dma_active;
    end
  end

  tpb_grant u_grant (
    .state_i    (state),
    .ready_i    (ready),
    .join_i     (join_kind),
    .claim_evt_i(claim_evt),
    .claim_sem_i(claim_sem),
    .lane0_i    (lane0),
    .lane1_i    (lane1),
    .grant_o    (grant)
  );

  tpb_sem u_sem (
    .clk_i,
    .rst_ni,
    .lane0_i    (lane0),
    .value0_i   (value0),
    .lane1_i    (lane1),
    .value1_i   (value1),
    .hold_o     (hold),
    .consume_i  (consume),
    .retire_i   (retire),
    .upd_i      (upd),
    .upd_value_i(upd_value),
    .clr_mode_i (clr_mode),
    .clr_range_i(clr_range),
    .clr_mask_i (clr_mask),
    .clr_pair_i (switched),
    .clr_pair_mask_i(dprog_data_i[767:256]),
    .empty_i    (q_none != 5'd0),
    .dma_valid_i(upd_valid),
    .dma_mode_i (upd_mode),
    .dma_id_i   (upd_id),
    .dma_value_i(upd_val)
  );

  tpb_watchdog u_watchdog (
    .clk_i,
    .rst_ni,
    .running_i (running != 5'd0),
    .active_i  (active),
    .deadlock_o(deadlock)
  );

  // ---------------------------------------------------------- vector units
  // Index 0 POOL, 1 DVE.
  logic [1:0]                  v_beat, v_x0, v_issue;
  logic [1:0][1:0]             v_r_sbuf, v_r_psum;
  logic [1:0][1:0][19:0]       v_row;
  logic [1:0]                  v_w_sbuf, v_w_psum, v_w_gnt;
  logic [1:0][19:0]            v_w_row;
  logic [1:0][2:0]             v_w_off;
  logic [1:0][1:0]             v_w_log;
  logic [1:0][6:0]             v_w_lane;
  logic [1:0][Lanes-1:0]       v_w_en;
  logic [Lanes*64-1:0]         sbuf_r0, sbuf_r1, psum_r0, psum_r1;

  for (genvar v = 0; v < 2; v++) begin : gen_vec
    logic [Lanes-1:0][31:0] w_data;
    tpb_vec #(
      .Lanes        (Lanes),
      .Dve          (v == 1),
      .SbufPartBytes(SbufPartBytes)
    ) u_vec (
      .clk_i,
      .rst_ni,
      .cfg_fp8_i (cfg_fp8_q),
      .check_i   (vec_check[v+2]),
      .grant_i   (grant[v+2]),
      .go_i      (vec_go[v+2]),
      .bundle_i  (bundle[v+2]),
      .reg_o     (vec_reg[v+2]),
      .value_i   (vec_value[v+2]),
      .ready_o   (vec_ready[v+2]),
      .verdict_o (vec_verdict[v+2]),
      .done_o    (vec_done[v+2]),
      .flags_o   (vec_flags[v+2]),
      .beat_o    (v_beat[v]),
      .r_sbuf_o  (v_r_sbuf[v]),
      .r_psum_o  (v_r_psum[v]),
      .row_o     (v_row[v]),
      .x0_valid_o(v_x0[v]),
      .issue_i   (v_issue[v]),
      .sbuf0_i   (sbuf_r0),
      .sbuf1_i   (sbuf_r1),
      .psum0_i   (psum_r0),
      .psum1_i   (psum_r1),
      .w_sbuf_o  (v_w_sbuf[v]),
      .w_psum_o  (v_w_psum[v]),
      .w_row_o   (v_w_row[v]),
      .w_off_o   (v_w_off[v]),
      .w_log_o   (v_w_log[v]),
      .w_lane_o  (v_w_lane[v]),
      .w_en_o    (v_w_en[v]),
      .w_data_o  (w_data),
      .w_gnt_i   (v_w_gnt[v])
    );
  end

  // POOL has no way to PSUM.
  logic unused_pool;
  assign unused_pool = (^v_r_psum[0]) ^ v_w_psum[0];

  // -------------------------------------------------------------- DMA unit
  mem_t        dma_rd_req, dma_wr_req, dma_gnt;
  access_t     dma_rd_acc, dma_wr_acc;
  logic [36:0] dma_rd_addr, dma_wr_addr;
  logic [63:0] dma_wr_data, dma_rdata;
  logic [7:0]  dma_wr_mask;
  logic        dma_rsp, unused_dma_gnt;
  access_t [5:0]      acc;
  logic [4:0][63:0]   wdata;

  tpb_dma #(
    .SbufPartBytes(SbufPartBytes)
  ) u_dma (
    .clk_i,
    .rst_ni,
    .cfg_fp8_i  (cfg_fp8_q),
    .queues_i   (dma_queues_q),
    .q_op_i     (q_op),
    .q_issue_i  (q_issue),
    .q_id_i     (q_id),
    .q_inst_i   (q_inst),
    .q_keep_i   (q_keep),
    .q_ready_o  (q_ready),
    .q_fault_o  (q_fault),
    .q_empty_o  (q_empty),
    .q_room_o   (q_room),
    .drained_o  (drained),
    .rewind_i   (q_rewind),
    .step_i     (q_step),
    .sw_port_o  (sw_port),
    .switched_o (switched),
    .prog_en_o  (dprog_en_o),
    .prog_sel_o (dprog_sel_o),
    .prog_idx_o (dprog_idx_o),
    .prog_data_i(dprog_data_i[511:0]),
    .rd_req_o   (dma_rd_req),
    .rd_addr_o  (dma_rd_addr),
    .wr_req_o   (dma_wr_req),
    .wr_addr_o  (dma_wr_addr),
    .wr_mask_o  (dma_wr_mask),
    .wr_data_o  (dma_wr_data),
    .mem_gnt_i  (dma_gnt),
    .rsp_i      (dma_rsp),
    .rdata_i    (dma_rdata),
    .upd_valid_o(upd_valid),
    .upd_mode_o (upd_mode),
    .upd_id_o   (upd_id),
    .upd_value_o(upd_val),
    .active_o   (dma_active)
  );

  always_comb begin
    dma_rd_acc = '0;
    dma_wr_acc = '0;
    acc = '0;
    wdata = '0;
    if ((mem_req != '0) || (dma_rd_req != '0) || (dma_wr_req != '0)) begin
      dma_rd_acc.addr = dma_rd_addr;
      dma_wr_acc.write = 1'b1;
      dma_wr_acc.addr = dma_wr_addr;
      dma_wr_acc.mask = dma_wr_mask;
      acc = {dma_rd_acc, mem_acc};
      wdata = mem_wdata;
    end
  end

  // ---------------------------------------------------------------- memory
  logic [1:0]                sbuf_r_en, psum_r_en;
  logic [1:0][SbufWidth-1:0] sbuf_r_row;
  logic [1:0][PsumWidth-1:0] psum_r_row;
  logic                      sbuf_sel_en, psum_sel_en;
  logic [6:0]                sbuf_sel_lane, psum_sel_lane;
  logic [63:0]               sbuf_word, psum_word;
  logic [1:0]                sbuf_w_unit;
  logic                      sbuf_w_narrow, psum_w_en, psum_w_narrow;
  logic [SbufWidth-1:0]      sbuf_w_row;
  logic [PsumWidth-1:0]      psum_w_row;
  logic [6:0]                sbuf_w_lane, psum_w_lane;
  logic [7:0]                sbuf_w_mask, psum_w_mask;
  logic [63:0]               sbuf_w_word, psum_w_word;
  logic [2:0]                sbuf_w_off;

  tpb_mem #(
    .SbufPartBytes(SbufPartBytes),
    .Lanes        (Lanes),
    .SbufWidth    (SbufWidth),
    .PsumWidth    (PsumWidth)
  ) u_mem (
    .clk_i,
    .rst_ni,
    .req_i          ({dma_rd_req, mem_req}),
    .acc_i          (acc),
    .wdata_i        (wdata),
    .gnt_o          ({unused_dma_gnt, mem_gnt}),
    .rsp_o          ({dma_rsp, mem_rsp}),
    .rdata_o        ({dma_rdata, mem_rdata}),
    .active_o       (mem_active),
    .dma_w_req_i    (dma_wr_req),
    .dma_w_acc_i    (dma_wr_acc),
    .dma_w_data_i   (dma_wr_data),
    .dma_gnt_o      (dma_gnt),
    .v_beat_i       (v_beat),
    .v_r_sbuf_i     (v_r_sbuf),
    .v_r_psum_i     (v_r_psum[1]),
    .v_row_i        (v_row),
    .v_x0_i         (v_x0),
    .v_issue_o      (v_issue),
    .v_w_sbuf_i     (v_w_sbuf),
    .v_w_psum_i     (v_w_psum[1]),
    .v_w_row_i      (v_w_row),
    .v_w_lane_i     (v_w_lane),
    .v_w_off_i      (v_w_off),
    .v_w_log_i      (v_w_log),
    .v_w_gnt_o      (v_w_gnt),
    .sbuf_r_en_o    (sbuf_r_en),
    .sbuf_r_row_o   (sbuf_r_row),
    .sbuf_sel_en_o  (sbuf_sel_en),
    .sbuf_sel_lane_o(sbuf_sel_lane),
    .sbuf_word_i    (sbuf_word),
    .sbuf_w_unit_o  (sbuf_w_unit),
    .sbuf_w_narrow_o(sbuf_w_narrow),
    .sbuf_w_row_o   (sbuf_w_row),
    .sbuf_w_lane_o  (sbuf_w_lane),
    .sbuf_w_mask_o  (sbuf_w_mask),
    .sbuf_w_word_o  (sbuf_w_word),
    .sbuf_w_off_o   (sbuf_w_off),
    .psum_r_en_o    (psum_r_en),
    .psum_r_row_o   (psum_r_row),
    .psum_sel_en_o  (psum_sel_en),
    .psum_sel_lane_o(psum_sel_lane),
    .psum_word_i    (psum_word),
    .psum_w_en_o    (psum_w_en),
    .psum_w_narrow_o(psum_w_narrow),
    .psum_w_row_o   (psum_w_row),
    .psum_w_lane_o  (psum_w_lane),
    .psum_w_mask_o  (psum_w_mask),
    .psum_w_word_o  (psum_w_word),
    .dram_valid_o,
    .dram_ready_i,
    .dram_we_o,
    .dram_addr_o,
    .dram_wdata_o,
    .dram_mask_o    (dram_wmask_o),
    .dram_id_o,
    .dram_rvalid_i,
    .dram_rid_i,
    .dram_rdata_i,
    .mon_w_valid_o,
    .mon_w_addr_o,
    .mon_w_data_o,
    .mon_w_mask_o,
    .mon_p_valid_o,
    .mon_p_addr_o,
    .mon_p_data_o,
    .mon_p_mask_o
  );

  tpb_sram #(
    .Lanes(Lanes),
    .Rows (SbufRows)
  ) u_sbuf (
    .clk_i,
    .r0_en_i   (sbuf_r_en[0]),
    .r0_row_i  (sbuf_r_row[0]),
    .r0_data_o (sbuf_r0),
    .r1_en_i   (sbuf_r_en[1]),
    .r1_row_i  (sbuf_r_row[1]),
    .r1_data_o (sbuf_r1),
    .sel_en_i  (sbuf_sel_en),
    .sel_lane_i(sbuf_sel_lane),
    .word_o    (sbuf_word),
    .w_unit_i  (sbuf_w_unit),
    .w_narrow_i(sbuf_w_narrow),
    .w_row_i   (sbuf_w_row),
    .w_lane_i  (sbuf_w_lane),
    .w_mask_i  (sbuf_w_mask),
    .w_word_i  (sbuf_w_word),
    .w_off_i   (sbuf_w_off),
    .v_en_i    (v_w_en),
    .v0_data_i (gen_vec[0].w_data),
    .v1_data_i (gen_vec[1].w_data)
  );

  tpb_sram #(
    .Lanes(Lanes),
    .Rows (PsumRows)
  ) u_psum (
    .clk_i,
    .r0_en_i   (psum_r_en[0]),
    .r0_row_i  (psum_r_row[0]),
    .r0_data_o (psum_r0),
    .r1_en_i   (psum_r_en[1]),
    .r1_row_i  (psum_r_row[1]),
    .r1_data_o (psum_r1),
    .sel_en_i  (psum_sel_en),
    .sel_lane_i(psum_sel_lane),
    .word_o    (psum_word),
    .w_unit_i  ({psum_w_en, 1'b0}),
    .w_narrow_i(psum_w_narrow),
    .w_row_i   (psum_w_row),
    .w_lane_i  (psum_w_lane),
    .w_mask_i  (psum_w_mask),
    .w_word_i  (psum_w_word),
    .w_off_i   (v_w_off[1]),
    .v_en_i    (v_w_en),
    .v0_data_i (gen_vec[0].w_data),
    .v1_data_i (gen_vec[1].w_data)
  );

  assign mon_v_o = v_w_gnt;
  assign grant_o = grant;
  assign retire_o = retire;

endmodule
