// SPDX-License-Identifier: Apache-2.0
//
// The DMA unit: 16 queues, the bundles that drive them, the look-up of what the program says of a
// queue, and the mover.
//
// An engine at a queue bundle shows it on q_*_i while it stands in the issue stage; q_ready_o tells
// that the unit can take it, q_fault_o that it faults at its grant.  A trigger then pushes a block
// in every cycle with q_room_o's answer 1, a switch goes through its four steps (step_i).
//
// Program port: prog_en_o asks for record prog_idx_o of array prog_sel_o; prog_data_i is the answer
// in the next cycle, and in that cycle only.  It goes to the mover, then to the engines in port
// order, then to the look-up.
//
//   cycle        t     t+1
//   prog_en_o    1
//   prog_idx_o   I
//   prog_data_i        record I
//
// Facts: docs/reference/dma.md.
module tpb_dma
  import tpb_pkg::*;
  import tpb_addr_pkg::*;
  import tpb_dma_pkg::*;
#(
  parameter int unsigned SbufPartBytes = 229376
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  input  logic [2:0]        cfg_fp8_i,
  input  logic [7:0]        queues_i,
  // Engines.
  input  logic [4:0][1:0]   q_op_i,     // QueueNone .. QueueSwitch
  input  logic [4:0]        q_issue_i,  // the bundle waits for its grant
  input  logic [4:0][7:0]   q_id_i,
  input  logic [4:0][7:0]   q_inst_i,
  input  logic [4:0]        q_keep_i,   // no_rearm
  output logic [4:0]        q_ready_o,
  output logic [4:0]        q_fault_o,
  output logic [4:0]        q_empty_o,  // the instance has no blocks
  output logic [4:0]        q_room_o,
  output logic [4:0]        drained_o,
  input  logic [4:0]        rewind_i,   // a reset retires
  input  queue_step_t [4:0] step_i,
  output logic [4:0]        sw_port_o,  // the port is the engine's
  output logic              switched_o, // a switch retires
  // Program port.
  output logic              prog_en_o,
  output logic [1:0]        prog_sel_o,
  output logic [31:0]       prog_idx_o,
  input  logic [511:0]      prog_data_i,
  // Memories.
  output mem_t              rd_req_o,
  output logic [36:0]       rd_addr_o,
  output mem_t              wr_req_o,
  output logic [36:0]       wr_addr_o,
  output logic [7:0]        wr_mask_o,
  output logic [63:0]       wr_data_o,
  input  mem_t              mem_gnt_i,
  input  logic              rsp_i,
  input  logic [63:0]       rdata_i,
  // Update of the bank.
  output logic              upd_valid_o,
  output logic [3:0]        upd_mode_o,
  output logic [7:0]        upd_id_o,
  output logic [31:0]       upd_value_o,
  output logic              active_o
);

  localparam int unsigned Queues = 16;
  localparam logic [4:0]  Depth = 5'd16;

  localparam logic [1:0] LookRest = 2'd0;
  localparam logic [1:0] LookQueue = 2'd1;
  localparam logic [1:0] LookAsk = 2'd2;
  localparam logic [1:0] LookInst = 2'd3;

  localparam logic [1:0] SelQueue = 2'd0;
  localparam logic [1:0] SelInst = 2'd1;
  localparam logic [1:0] SelBlock = 2'd2;
  localparam logic [1:0] SelDesc = 2'd3;

  logic        q_known_q [Queues] /*verilator public_flat_rd*/;
  logic        q_stop_q [Queues] /*verilator public_flat_rd*/;
  logic [4:0]  q_busy_q [Queues] /*verilator public_flat_rd*/;
  logic [2:0]  q_owner_q [Queues] /*verilator public_flat_rd*/;
  logic [7:0]  q_ninst_q [Queues] /*verilator public_flat_rd*/;
  logic [7:0]  q_inst_q [Queues] /*verilator public_flat_rd*/;
  logic [1:0]  dl_state_q /*verilator public_flat_rd*/;
  logic [4:0]  dl_q_q /*verilator public_flat_rd*/;
  logic [15:0] q_blocks_q [Queues] /*verilator public_flat_rd*/;
  logic [15:0] q_cursor_q [Queues] /*verilator public_flat_rd*/;
  logic [15:0] q_oldest_q [Queues] /*verilator public_flat_rd*/;
  logic [15:0] q_desc_q [Queues] /*verilator public_flat_rd*/;
  logic [31:0] q_first_q [Queues] /*verilator public_flat_rd*/;
  logic [31:0] q_finst_q [Queues] /*verilator public_flat_rd*/;

  // ------------------------------------------------------------------ mover
  logic [15:0] pending, at_work;
  logic [3:0]  pick, served;
  logic        next_desc, done, stop, ask_block, ask_desc, mover_busy;
  logic [31:0] mover_idx;

  // Written out: one expression is one evaluation for a simulator, a loop is sixteen.
  logic any_work;
  assign any_work = ((q_busy_q[15] | q_busy_q[14] | q_busy_q[13] | q_busy_q[12] |
                      q_busy_q[11] | q_busy_q[10] | q_busy_q[9] | q_busy_q[8] |
                      q_busy_q[7] | q_busy_q[6] | q_busy_q[5] | q_busy_q[4] |
                      q_busy_q[3] | q_busy_q[2] | q_busy_q[1] | q_busy_q[0]) != 5'd0);

  always_comb begin
    at_work = 16'd0;
    if (any_work) begin
      at_work = {q_busy_q[15] != 5'd0, q_busy_q[14] != 5'd0, q_busy_q[13] != 5'd0,
                        q_busy_q[12] != 5'd0, q_busy_q[11] != 5'd0, q_busy_q[10] != 5'd0,
                        q_busy_q[9] != 5'd0, q_busy_q[8] != 5'd0, q_busy_q[7] != 5'd0,
                        q_busy_q[6] != 5'd0, q_busy_q[5] != 5'd0, q_busy_q[4] != 5'd0,
                        q_busy_q[3] != 5'd0, q_busy_q[2] != 5'd0, q_busy_q[1] != 5'd0,
                        q_busy_q[0] != 5'd0};
    end
  end

  always_comb begin
    pending = 16'd0;
    if (at_work != 16'd0) begin
      for (int q = 0; q < 16; q++) pending[q] = at_work[q] && !q_stop_q[q];
    end
  end

  tpb_mover #(
    .SbufPartBytes(SbufPartBytes)
  ) u_mover (
    .clk_i,
    .rst_ni,
    .cfg_fp8_i,
    .pending_i  (pending),
    .pick_o     (pick),
    .block_i    (q_first_q[pick] + {16'd0, q_oldest_q[pick]}),
    .queue_o    (served),
    .desc_i     (q_desc_q[served]),
    .next_o     (next_desc),
    .done_o     (done),
    .stop_o     (stop),
    .busy_o     (mover_busy),
    .ask_block_o(ask_block),
    .ask_desc_o (ask_desc),
    .ask_idx_o  (mover_idx),
    .data_i     (prog_data_i),
    .rd_req_o,
    .rd_addr_o,
    .wr_req_o,
    .wr_addr_o,
    .wr_mask_o,
    .wr_data_o,
    .mem_gnt_i,
    .rsp_i,
    .rdata_i,
    .upd_valid_o,
    .upd_mode_o,
    .upd_id_o,
    .upd_value_o
  );

  // ---------------------------------------------------------------- engines
  logic [4:0] strange;  // names a queue that the look-up does not know yet

  always_comb begin : p_engines
    logic [3:0] q;
    logic       exists;
    q = 4'd0;
    exists = 1'b0;
    q_ready_o = 5'd0;
    q_fault_o = 5'd0;
    q_empty_o = 5'd0;
    q_room_o = 5'd0;
    strange = 5'd0;
    if (q_op_i != '0) begin
      for (int e = 0; e < 5; e++) begin
        q = q_id_i[e][3:0];
        exists = 1'b0;
        if (q_op_i[e] != QueueNone) begin
          exists = (q_id_i[e] < queues_i) && (q_id_i[e][7:4] == 4'd0);
          strange[e] = q_issue_i[e] && exists && !q_known_q[q];
          q_fault_o[e] = !exists;
          if (exists) begin
            if (q_owner_q[q] != 3'(e)) q_fault_o[e] = 1'b1;
            if ((q_op_i[e] == QueueSwitch) || (q_inst_i[e] != 8'hFF)) begin
              if (q_inst_i[e] >= q_ninst_q[q]) q_fault_o[e] = 1'b1;
              if ((q_op_i[e] != QueueSwitch) && (q_inst_i[e] != q_inst_q[q])) q_fault_o[e] = 1'b1;
            end
          end
          q_ready_o[e] = !exists || (q_known_q[q] && (q_fault_o[e] || !at_work[q] ||
                                                       (q_op_i[e] == QueueTrigger)));
          q_empty_o[e] = (q_blocks_q[q] == 16'd0);
          q_room_o[e] = (q_busy_q[q] < Depth);
        end
      end
    end
  end

  always_comb begin
    drained_o = 5'b11111;
    if (at_work != 16'd0) begin
      for (int q = 0; q < 16; q++) begin
        for (int e = 0; e < 5; e++) begin
          if (at_work[q] && q_known_q[q] && (q_owner_q[q] == 3'(e))) drained_o[e] = 1'b0;
        end
      end
    end
  end

  // What the engines do there, by kinds.
  logic [4:0] push, sw_inst, sw_take, sw_queue, sw_done;

  always_comb begin
    push = 5'd0;
    sw_inst = 5'd0;
    sw_take = 5'd0;
    sw_queue = 5'd0;
    sw_done = 5'd0;
    if (step_i != '0) begin
      for (int e = 0; e < 5; e++) begin
        push[e] = step_i[e].push;
        sw_inst[e] = step_i[e].ask_inst;
        sw_take[e] = step_i[e].take_inst;
        sw_queue[e] = step_i[e].ask_queue;
        sw_done[e] = step_i[e].done;
      end
    end
  end

  assign switched_o = (sw_done != 5'd0);

  // ----------------------------------------------------------- program port
  logic       look_ask, look_port;
  logic [3:0] look_id;

  always_comb begin
    look_ask = 1'b0;
    look_id = dl_q_q[3:0];
    if ((dl_state_q == LookRest) && (strange != 5'd0)) begin
      look_ask = 1'b1;
      for (int e = 4; e >= 0; e--) if (strange[e]) look_id = q_id_i[e][3:0];
    end else if (dl_state_q == LookAsk) begin
      look_ask = 1'b1;
    end
  end

  always_comb begin
    prog_en_o = 1'b0;
    prog_sel_o = 2'd0;
    prog_idx_o = 32'd0;
    sw_port_o = 5'd0;
    look_port = 1'b0;
    if (ask_block || ask_desc) begin
      prog_en_o = 1'b1;
      prog_sel_o = ask_block ? SelBlock : SelDesc;
      prog_idx_o = mover_idx;
    end else if ((sw_inst | sw_queue) != 5'd0) begin
      prog_en_o = 1'b1;
      for (int e = 4; e >= 0; e--) begin
        if (sw_inst[e] || sw_queue[e]) begin
          sw_port_o = 5'd1 << e;
          prog_sel_o = sw_inst[e] ? SelInst : SelQueue;
          prog_idx_o = sw_inst[e] ? q_finst_q[q_id_i[e][3:0]] + {24'd0, q_inst_i[e]}
                                    : {28'd0, q_id_i[e][3:0]};
        end
      end
    end else if (look_ask) begin
      prog_en_o = 1'b1;
      look_port = 1'b1;
      prog_sel_o = (dl_state_q == LookAsk) ? SelInst : SelQueue;
      prog_idx_o = (dl_state_q == LookAsk) ? q_finst_q[look_id] : {28'd0, look_id};
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      dl_state_q <= LookRest;
    end else if ((dl_state_q != LookRest) || look_port) begin
      unique case (dl_state_q)
        LookRest: begin
          dl_q_q <= {1'b0, look_id};
          dl_state_q <= LookQueue;
        end
        LookQueue: dl_state_q <= LookAsk;
        LookAsk: if (look_port) dl_state_q <= LookInst;
        default: dl_state_q <= LookRest;
      endcase
    end
  end

  // ----------------------------------------------------------------- queues
  function automatic logic [15:0] following(input logic [15:0] index, input logic [15:0] blocks);
    following = (index + 16'd1 == blocks) ? 16'd0 : index + 16'd1;
  endfunction

  // A switch of the queue retires and starts at block 0.
  function automatic logic restart(input logic [3:0] q);
    restart = switched[q] && (!kept[q] || (q_cursor_q[q] >= q_blocks_q[q]));
  endfunction

  // The look-up has the queue's first instance.
  function automatic logic looked(input logic [3:0] q);
    looked = (dl_state_q == LookInst) && (dl_q_q[3:0] == q);
  endfunction

  // What the engines do to each queue; at most one does something to a queue.
  logic        touched;
  logic [15:0] pushed, rewound, taken, switched, kept;
  logic [7:0]  named;  // instance of the switch that retires

  assign touched = (push | rewind_i | sw_take | sw_done) != 5'd0;

  always_comb begin
    pushed = 16'd0;
    rewound = 16'd0;
    taken = 16'd0;
    switched = 16'd0;
    kept = 16'd0;
    named = 8'd0;
    if (touched) begin
      for (int e = 0; e < 5; e++) begin
        if (push[e]) pushed[q_id_i[e][3:0]] = 1'b1;
        if (rewind_i[e]) rewound[q_id_i[e][3:0]] = 1'b1;
        if (sw_take[e]) taken[q_id_i[e][3:0]] = 1'b1;
        if (sw_done[e]) begin
          switched[q_id_i[e][3:0]] = 1'b1;
          kept[q_id_i[e][3:0]] = q_keep_i[e];
          named = q_inst_i[e];
        end
      end
    end
  end

  // All elements of the arrays change in one run of assignments, without a statement between them:
  // a simulator then needs one flag, not one an element.
  always_ff @(posedge clk_i) begin : p_queues
    logic [15:0][4:0]  busy;
    logic [15:0][7:0]  inst;
    logic [15:0][15:0] cursor, oldest, blocks;
    logic [15:0][31:0] first;
    if (!rst_ni) begin
      for (int q = 0; q < 16; q++) begin
        q_known_q[q] <= 1'b0;
        q_stop_q[q] <= 1'b0;
        q_busy_q[q] <= 5'd0;
        q_cursor_q[q] <= 16'd0;
        q_oldest_q[q] <= 16'd0;
        q_desc_q[q] <= 16'd0;
      end
    end else begin
      if (dl_state_q == LookQueue) begin
        q_finst_q[dl_q_q[3:0]] <= prog_data_i[31:0];
        q_ninst_q[dl_q_q[3:0]] <= prog_data_i[39:32];
        q_owner_q[dl_q_q[3:0]] <= prog_data_i[74:72];
      end
      if (dl_state_q == LookInst) q_known_q[dl_q_q[3:0]] <= 1'b1;
      if (stop) q_stop_q[served] <= 1'b1;
      if (next_desc || done) q_desc_q[served] <= done ? 16'd0 : q_desc_q[served] + 16'd1;
      if (touched || done) begin
        for (int q = 0; q < 16; q++) begin
          busy[q] = q_busy_q[q] + {4'd0, pushed[q]} - {4'd0, done && (served == 4'(q))};
          cursor[q] = q_cursor_q[q];
          oldest[q] = q_oldest_q[q];
          if (rewound[q] || restart(4'(q))) begin
            cursor[q] = 16'd0;
            oldest[q] = 16'd0;
          end else begin
            if (switched[q]) oldest[q] = q_cursor_q[q];
            else if (done && (served == 4'(q))) oldest[q] = following(q_oldest_q[q], q_blocks_q[q]);
            if (pushed[q]) cursor[q] = following(q_cursor_q[q], q_blocks_q[q]);
          end
        end
        for (int q = 0; q < 16; q++) begin
          q_busy_q[q] <= busy[q];
          q_cursor_q[q] <= cursor[q];
          q_oldest_q[q] <= oldest[q];
        end
      end
      if ((taken != 16'd0) || (switched != 16'd0) || (dl_state_q == LookInst)) begin
        for (int q = 0; q < 16; q++) begin
          first[q] = q_first_q[q];
          blocks[q] = q_blocks_q[q];
          inst[q] = q_inst_q[q];
          if (taken[q] || looked(4'(q))) begin
            first[q] = prog_data_i[31:0];
            blocks[q] = prog_data_i[47:32];
          end
          if (looked(4'(q))) inst[q] = 8'd0;
          else if (switched[q]) inst[q] = named;
        end
        for (int q = 0; q < 16; q++) begin
          q_first_q[q] <= first[q];
          q_blocks_q[q] <= blocks[q];
          q_inst_q[q] <= inst[q];
        end
      end
    end
  end

  assign active_o = mover_busy || (pending != 16'd0) || (step_i != '0) ||
                    (dl_state_q != LookRest) || look_port;

endmodule
