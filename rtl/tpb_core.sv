// SPDX-License-Identifier: Apache-2.0
//
// The core: five sequencers, their semaphore bank, the memories and the watchdog.
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

  localparam int unsigned SbufWords = 4 * (SbufPartBytes / 8);
  localparam int unsigned SbufWidth = $clog2(SbufWords);
  localparam int unsigned PsumWords = 4 * 2048;
  localparam int unsigned PsumWidth = $clog2(PsumWords);

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

  for (genvar e = 0; e < 5; e++) begin : gen_engine
    tpb_seq #(
      .SbufPartBytes(SbufPartBytes),
      .Gen          (Gen)
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
      .deadlock_i  (deadlock)
    );
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
    .active_i  ((grant != 5'd0) || (retire != 5'd0) || mem_active),
    .deadlock_o(deadlock)
  );

  logic                 sbuf_rd, sbuf_wr, sbuf_sel_en;
  logic [4:0]           sbuf_lane, sbuf_sel_lane;
  logic [SbufWidth-1:0] sbuf_addr;
  logic [7:0]           sbuf_mask;
  logic [63:0]          sbuf_wdata, sbuf_rdata;
  logic                 psum_rd, psum_sel_en;
  logic [4:0]           psum_lane, psum_sel_lane;
  logic [PsumWidth-1:0] psum_addr;
  logic [63:0]          psum_rdata;

  tpb_mem #(
    .SbufPartBytes(SbufPartBytes),
    .SbufWidth    (SbufWidth),
    .PsumWidth    (PsumWidth)
  ) u_mem (
    .clk_i,
    .rst_ni,
    .req_i          (mem_req),
    .acc_i          (mem_acc),
    .wdata_i        (mem_wdata),
    .gnt_o          (mem_gnt),
    .rsp_o          (mem_rsp),
    .rdata_o        (mem_rdata),
    .active_o       (mem_active),
    .sbuf_rd_o      (sbuf_rd),
    .sbuf_wr_o      (sbuf_wr),
    .sbuf_lane_o    (sbuf_lane),
    .sbuf_addr_o    (sbuf_addr),
    .sbuf_mask_o    (sbuf_mask),
    .sbuf_wdata_o   (sbuf_wdata),
    .sbuf_sel_en_o  (sbuf_sel_en),
    .sbuf_sel_lane_o(sbuf_sel_lane),
    .sbuf_rdata_i   (sbuf_rdata),
    .psum_rd_o      (psum_rd),
    .psum_lane_o    (psum_lane),
    .psum_addr_o    (psum_addr),
    .psum_sel_en_o  (psum_sel_en),
    .psum_sel_lane_o(psum_sel_lane),
    .psum_rdata_i   (psum_rdata),
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
    .Words(SbufWords)
  ) u_sbuf (
    .clk_i,
    .acc_rd_i   (sbuf_rd),
    .acc_wr_i   (sbuf_wr),
    .acc_lane_i (sbuf_lane),
    .acc_addr_i (sbuf_addr),
    .acc_mask_i (sbuf_mask),
    .acc_wdata_i(sbuf_wdata),
    .sel_en_i   (sbuf_sel_en),
    .sel_lane_i (sbuf_sel_lane),
    .rdata_o    (sbuf_rdata)
  );

  tpb_sram #(
    .Words(PsumWords)
  ) u_psum (
    .clk_i,
    .acc_rd_i   (psum_rd),
    .acc_wr_i   (1'b0),
    .acc_lane_i (psum_lane),
    .acc_addr_i (psum_addr),
    .acc_mask_i (8'd0),
    .acc_wdata_i(64'd0),
    .sel_en_i   (psum_sel_en),
    .sel_lane_i (psum_sel_lane),
    .rdata_o    (psum_rdata)
  );

  // Phase and register bits of the mode: no effect, and no register form at this port.
  logic unused_upd_mode;
  assign unused_upd_mode = ^upd_mode_i[7:4];

  // The vector units take these.
  logic unused_vec;
  assign unused_vec = (^cfg_fp8_i) ^ (Lanes == 0);
  assign mon_v_o = 2'b00;

  assign grant_o = grant;
  assign retire_o = retire;

endmodule
