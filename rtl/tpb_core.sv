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
// mon_v_o[v] says that the W registers of vector unit v (0 POOL, 1 DVE) do so.  grant_o and retire_o
// are for observation.  Lanes of a vector unit: 8, 16, 32, 64 or 128.
// All inputs feed registers only.  Facts: docs/reference/timing.md.
module tpb_core
  import tpb_pkg::*;
  import tpb_decode_pkg::*;
  import tpb_addr_pkg::*;
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
  input  logic              upd_valid_i,
  input  logic [7:0]        upd_mode_i,
  input  logic [7:0]        upd_id_i,
  input  logic [31:0]       upd_val_i,
  output logic              mon_w_valid_o,
  output logic [36:0]       mon_w_addr_o,
  output logic [63:0]       mon_w_data_o,
  output logic [7:0]        mon_w_mask_o,
  output logic [1:0]        mon_v_o,
  output logic [4:0]        grant_o,
  output logic [4:0]        retire_o
);

  localparam int unsigned SbufRows = 128 / Lanes * (SbufPartBytes / 8);
  localparam int unsigned SbufWidth = $clog2(SbufRows);
  localparam int unsigned PsumRows = 128 / Lanes * (PSUM_BYTES_GEN3 / 8);
  localparam int unsigned PsumWidth = $clog2(PsumRows);

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
    assign running[e] = (state[e] == RUN_RUN);
    assign consume[e] = go[e] ? claim_evt[e] : 2'b00;
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
    .dma_valid_i(upd_valid_i),
    .dma_mode_i (upd_mode_i[3:0]),
    .dma_id_i   (upd_id_i),
    .dma_value_i(upd_val_i)
  );

  tpb_watchdog u_watchdog (
    .clk_i,
    .rst_ni,
    .running_i (running != 5'd0),
    .active_i  ((grant != 5'd0) || (retire != 5'd0) || mem_active || (vec_busy != 5'd0)),
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
  logic [1:0][Lanes-1:0][31:0] v_w_data;
  logic [Lanes*64-1:0]         sbuf_r0, sbuf_r1, psum_r0, psum_r1;

  for (genvar v = 0; v < 2; v++) begin : gen_vec
    tpb_vec #(
      .Lanes        (Lanes),
      .Dve          (v == 1),
      .SbufPartBytes(SbufPartBytes)
    ) u_vec (
      .clk_i,
      .rst_ni,
      .cfg_fp8_i,
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
      .w_data_o  (v_w_data[v]),
      .w_gnt_i   (v_w_gnt[v])
    );
  end

  // POOL has no way to PSUM.
  logic unused_pool;
  assign unused_pool = (^v_r_psum[0]) ^ v_w_psum[0];

  // -------------------------------------------------------------- DMA unit
  // There is none: it would ask and be answered like an engine, in 8-byte words.
  mem_t        dma_req;
  access_t     dma_acc;
  logic [63:0] dma_wdata, dma_rdata;
  logic        dma_gnt, dma_rsp;
  logic        unused_dma;

  assign dma_req = '0;
  assign dma_acc = '0;
  assign dma_wdata = 64'd0;
  assign unused_dma = dma_gnt ^ dma_rsp ^ (^dma_rdata);

  // ---------------------------------------------------------------- memory
  logic [1:0]                sbuf_r_en, psum_r_en;
  logic [1:0][SbufWidth-1:0] sbuf_r_row;
  logic [1:0][PsumWidth-1:0] psum_r_row;
  logic                      sbuf_sel_en, psum_sel_en;
  logic [6:0]                sbuf_sel_lane, psum_sel_lane;
  logic [63:0]               sbuf_word, psum_word;
  logic [1:0]                sbuf_w_unit;
  logic                      sbuf_w_narrow, psum_w_en;
  logic [SbufWidth-1:0]      sbuf_w_row;
  logic [PsumWidth-1:0]      psum_w_row;
  logic [6:0]                sbuf_w_lane;
  logic [7:0]                sbuf_w_mask, psum_w_mask;
  logic [63:0]               sbuf_w_word;
  logic [2:0]                sbuf_w_off;

  tpb_mem #(
    .SbufPartBytes(SbufPartBytes),
    .Lanes        (Lanes),
    .SbufWidth    (SbufWidth),
    .PsumWidth    (PsumWidth)
  ) u_mem (
    .clk_i,
    .rst_ni,
    .req_i          ({dma_req, mem_req}),
    .acc_i          ({dma_acc, mem_acc}),
    .wdata_i        ({dma_wdata, mem_wdata}),
    .gnt_o          ({dma_gnt, mem_gnt}),
    .rsp_o          ({dma_rsp, mem_rsp}),
    .rdata_o        ({dma_rdata, mem_rdata}),
    .active_o       (mem_active),
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
    .psum_w_row_o   (psum_w_row),
    .psum_w_mask_o  (psum_w_mask),
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
    .mon_w_mask_o
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
    .v_data_i  (v_w_data)
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
    .w_narrow_i(1'b0),
    .w_row_i   (psum_w_row),
    .w_lane_i  (v_w_lane[1]),
    .w_mask_i  (psum_w_mask),
    .w_word_i  (64'd0),
    .w_off_i   (v_w_off[1]),
    .v_en_i    (v_w_en),
    .v_data_i  (v_w_data)
  );

  // Phase and register bits of the mode: no effect, and no register form at this port.
  logic unused_upd_mode;
  assign unused_upd_mode = ^upd_mode_i[7:4];

  assign mon_v_o = v_w_gnt;
  assign grant_o = grant;
  assign retire_o = retire;

endmodule
