// SPDX-License-Identifier: Apache-2.0
//
// The sequencer of one engine: fetch, issue stage, registers, scalar ALU, load/store.
//
// A bundle stands in the issue stage until `grant_i`.  Everything that it needs from the rest of
// the core is asked for and answered inside one cycle, in this order, each step from the one before
// and without a loop:
//
//   lane*_o, value*_o -> hold_i     the waits of the bundle hold in the bank as it is (tpb_sem)
//   ready_o, claims   -> grant_i    port order, claims and joins (tpb_grant)
//   go_o                            granted without fault: its waits consume their events
//   vec_check_o, vec_value_o -> vec_ready_i, vec_verdict_i  operands of a vector bundle (tpb_vec)
//   mem_req_o         -> mem_gnt_i  one element of a load or store (tpb_mem); from registers only
//   vec_done_i                      the vector unit has written its last row
//   q_op_o            -> q_ready_i, q_fault_i  a queue bundle (tpb_dma); later q_step_o
//   retire_o, upd_o, clr_*_o        what the bank takes over at the end of the cycle
//
//   cycle          t          t+1         t+2
//   fetch_en/pc    A
//   fetch_data                bundle A
//   issue stage                           bundle A, granted at the earliest
//
// len_i, rank_i, fetch_data_i, mem_rdata_i and deadlock_i feed registers only.
//
// For the simulator: what costs time is done under `grant_i || work`, so that an engine that waits
// or has stopped costs little more than its wait.  State is public_flat_rd: the harness reads it,
// and writes it between clocks; with public_flat_rw Verilator would evaluate everything behind it
// once more in each clock.
//
// Facts: docs/reference/timing.md.
module tpb_seq
  import tpb_pkg::*;
  import tpb_decode_pkg::*;
  import tpb_alu_pkg::*;
  import tpb_addr_pkg::*;
  import tpb_ap_pkg::*;
  import tpb_decode_vec_pkg::*;
  import tpb_dma_pkg::*;
#(
  parameter int unsigned SbufPartBytes = 229376,
  parameter int unsigned Gen = 3,
  parameter bit [2:0]    Engine = 3'd4
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  // Static: bundles in the stream, value of GetGlobalRankId.
  input  logic [31:0]  len_i,
  input  logic [31:0]  rank_i,
  // Fetch port: data one cycle after the request, held until the next answer.
  output logic         fetch_en_o,
  output logic [31:0]  fetch_pc_o,
  input  logic [511:0] fetch_data_i,
  // Waits of the bundle, register thresholds resolved; lane 1 is that of EventSemaphore.
  output sync_t        lane0_o,
  output logic [31:0]  value0_o,
  output sync_t        lane1_o,
  output logic [31:0]  value1_o,
  input  logic         hold_i,
  // Grant.
  output logic [2:0]   state_o,
  output logic         ready_o,
  output logic [1:0]   join_o,
  output logic [1:0]   claim_evt_o,
  output logic         claim_sem_o,
  input  logic         grant_i,
  output logic         go_o,
  // Retire: update (mode 0: none) and clear of the bank.
  output logic         retire_o,
  output sync_t        upd_o,
  output logic [31:0]  upd_value_o,
  output logic [1:0]   clr_mode_o,
  output logic [15:0]  clr_range_o,
  output logic [255:0] clr_mask_o,
  // Memory.
  output mem_t         mem_req_o,
  output access_t      mem_acc_o,
  output logic [63:0]  mem_wdata_o,
  input  logic         mem_gnt_i,
  input  logic         mem_rsp_i,
  input  logic [63:0]  mem_rdata_i,
  // Vector unit of the engine, if it has one.
  output logic         vec_check_o,
  output logic         vec_go_o,
  output logic [511:0] bundle_o,
  input  logic [1:0][5:0]  vec_reg_i,
  output logic [1:0][31:0] vec_value_o,
  input  logic         vec_ready_i,
  input  logic [1:0]   vec_verdict_i,
  input  logic         vec_done_i,
  input  logic [1:0]   vec_flags_i,
  output logic         vec_busy_o,
  // DMA unit.
  output logic [1:0]   q_op_o,
  output logic         q_issue_o,
  input  logic         q_ready_i,
  input  logic         q_fault_i,
  input  logic         q_empty_i,
  input  logic         q_room_i,
  input  logic         drained_i,
  output logic         q_none_o,    // a trigger finds no block
  output logic         q_rewind_o,  // a reset retires
  output queue_step_t  q_step_o,
  input  logic         sw_port_i,
  // Watchdog.
  input  logic         deadlock_i
);

  // ---------------------------------------------------------------- state
  logic [2:0]   state_q /*verilator public_flat_rd*/;
  logic [4:0]   fault_q /*verilator public_flat_rd*/;
  logic [31:0]  pc_q /*verilator public_flat_rd*/;
  logic [31:0]  fetch_pc_q /*verilator public_flat_rd*/;
  logic         d_valid_q /*verilator public_flat_rd*/;
  logic         x_valid_q /*verilator public_flat_rd*/;
  logic [4:0]   x_fault_q /*verilator public_flat_rd*/;
  logic [2:0]   phase_q /*verilator public_flat_rd*/;
  logic [511:0] bundle_q /*verilator public_flat_rd*/;
  logic [2:0]   depth_q /*verilator public_flat_rd*/;
  logic [31:0]  stack_q [4] /*verilator public_flat_rd*/;
  logic [31:0]  rf_q [64] /*verilator public_flat_rd*/;
  logic [2:0]   alu_flags_q /*verilator public_flat_rd*/;
  logic [31:0]  upd_val_q /*verilator public_flat_rd*/;
  logic [6:0]   alu_cnt_q /*verilator public_flat_rd*/;
  logic [63:0]  alu_acc_q /*verilator public_flat_rd*/;
  logic [63:0]  alu_a_q /*verilator public_flat_rd*/;
  logic [63:0]  alu_b_q /*verilator public_flat_rd*/;
  logic [4:0]   lsu_i0_q /*verilator public_flat_rd*/;
  logic [4:0]   lsu_i1_q /*verilator public_flat_rd*/;
  logic [1:0]   lsu_bad_q /*verilator public_flat_rd*/;
  logic [63:0]  lsu_base_q /*verilator public_flat_rd*/;
  logic [1:0]   dq_step_q /*verilator public_flat_rd*/;
  logic [31:0]  dq_left_q /*verilator public_flat_rd*/;

  // ------------------------------------------------- fields of the bundle
  bundle_t    b;
  logic [7:0] op;
  logic       is_lsu;
  logic       is_vec;

  localparam bit HasVec = (Engine == ENGINE_POOL) || (Engine == ENGINE_DVE);

  assign b = bundle_q;
  assign op = bundle_q[7:0];
  assign is_lsu = (op[7:1] == OP_TENSOR_LOAD[7:1]);  // TensorLoad, TensorSave

  assign is_vec = HasVec && ap_vector(op);

  // What stands in the issue stage of a running engine.
  logic issue;  // a bundle without decode fault that waits for its grant
  logic work;   // one that does something without a grant: address check, later phases
  logic other;  // nothing, or a bundle with a decode fault

  always_comb begin
    issue = 1'b0;
    work = 1'b0;
    other = 1'b0;
    if (state_q == RUN_RUN) begin
      if (!x_valid_q || (x_fault_q != FAULT_NONE)) begin
        other = 1'b1;
      end else begin
        issue = (phase_q == PHASE_ISSUE);
        work = !issue || is_lsu;
      end
    end
  end

  // ---------------------------------------------------------------- waits
  always_comb begin
    lane0_o = '0;
    value0_o = 32'd0;
    lane1_o = '0;
    value1_o = 32'd0;
    if (issue) begin
      lane0_o = b['h07:'h04];
      value0_o = b['h04][7] ? rf_q[b['h08][5:0]] : b['h0B:'h08];
      if (op == OP_EVENT_SEMAPHORE) begin
        lane1_o = b['h23:'h20];
        value1_o = b['h20][7] ? rf_q[b['h24][5:0]] : b['h27:'h24];
      end
    end
  end

  // ----------------------------------------------------------- vector unit
  assign bundle_o = bundle_q;
  assign vec_check_o = issue && is_vec;
  assign vec_busy_o = HasVec && (phase_q == PHASE_VEC);

  always_comb begin
    vec_value_o = '0;
    if (vec_check_o) vec_value_o = {rf_q[vec_reg_i[1]], rf_q[vec_reg_i[0]]};
  end

  // --------------------------------------------------------- queue bundles
  logic [1:0] queue;  // the op, when a bundle without decode fault stands here

  always_comb begin
    queue = QueueNone;
    if (issue || work) begin
      unique case (op)
        OP_DMA_TRIGGER: queue = QueueTrigger;
        OP_RESET_QUEUE: queue = QueueReset;
        OP_SWITCH_QUEUE: queue = QueueSwitch;
        default: queue = QueueNone;
      endcase
    end
  end

  always_comb begin
    q_step_o = '0;
    if ((queue != QueueNone) && (phase_q == PHASE_DMA)) begin
      if (queue == QueueTrigger) begin
        q_step_o.push = q_room_i;
      end else if (queue == QueueSwitch) begin
        unique case (dq_step_q)
          SwitchInst: q_step_o.ask_inst = 1'b1;
          SwitchTake: q_step_o.take_inst = 1'b1;
          SwitchQueue: q_step_o.ask_queue = 1'b1;
          SwitchDone: q_step_o.done = 1'b1;
          default: ;
        endcase
      end
    end
  end

  assign q_op_o = queue;
  assign q_issue_o = issue;

  // -------------------------------------------------------------- address
  // The current element of a load or store, while it is checked and while it is accessed.
  logic [63:0] lsu_base;
  logic [2:0]  lsu_low;      // address[2:0]
  logic [1:0]  lsu_verdict;
  logic        lsu_last;
  logic [5:0]  lsu_reg;

  // Entry of the register list that an element belongs to.
  function automatic logic [4:0] list_index(input logic [4:0] i0, input logic [4:0] i1,
                                            input logic [4:0] n0);
    list_index = i0 + 5'(i1 * n0);
  endfunction

  always_comb begin : p_address
    logic [63:0] addr;
    addr = 64'd0;
    lsu_base = 64'd0;
    lsu_low = 3'd0;
    lsu_verdict = 2'd0;
    lsu_last = 1'b0;
    lsu_reg = 6'd0;
    mem_req_o = '0;
    mem_acc_o = '0;
    mem_wdata_o = 64'd0;
    if (work && is_lsu) begin
      if (phase_q != PHASE_ISSUE) lsu_base = lsu_base_q;
      else if (b['h17] == MARKER_REG) lsu_base = {rf_q[b['h11][5:0]], rf_q[b['h10][5:0]]};
      else lsu_base = {8'd0, b['h16:'h10]};
      addr = element_addr(lsu_base, log_size(b['h0C]), lsu_i0_q, b['h1B:'h18],
                          lsu_i1_q, b['h1F:'h1C]);
      lsu_low = addr[2:0];
      lsu_last = (8'(lsu_i0_q) + 8'd1 == b['h0E]) && (8'(lsu_i1_q) + 8'd1 == b['h0F]);
      lsu_reg = bundle_q[{1'b1, list_index(lsu_i0_q, lsu_i1_q, b['h0E][4:0]), 3'd0} +: 6];
      if (phase_q == PHASE_ISSUE) begin
        lsu_verdict = lsu_bad_q | addr_verdict(addr, log_size(b['h0C]), op == OP_TENSOR_SAVE,
                                               Gen == 2, SbufPartBytes);
      end else if (phase_q == PHASE_REQ) begin
        mem_req_o = addr_mem(addr[36], addr[25]);
        mem_acc_o.addr = addr[36:0];
        if (op == OP_TENSOR_SAVE) begin
          mem_acc_o.write = 1'b1;
          mem_acc_o.mask = byte_mask(log_size(b['h0C]), addr[2:0]);
          mem_wdata_o = store_data(log_size(b['h0C]), addr[2:0],
                                   {rf_q[{lsu_reg[5:1], 1'b1}], rf_q[lsu_reg]});
        end
      end
    end
  end

  // ------------------------------------------------------ ready and claims
  function automatic logic sem_wait(input logic [2:0] mode);
    sem_wait = (mode != 3'd0) && (mode < 3'd6);
  endfunction

  always_comb begin
    ready_o = 1'b0;
    join_o = JoinNone;
    claim_evt_o = 2'b00;
    claim_sem_o = 1'b0;
    if (issue && hold_i) begin
      ready_o = is_lsu ? lsu_last : is_vec ? vec_ready_i : 1'b1;
      claim_evt_o = {consumes(lane1_o.wait_mode), consumes(lane0_o.wait_mode)};
      unique case (op)
        OP_EVENT_SEMAPHORE, OP_NOOP: begin
          // An update of a semaphore on which the same bundle waits; one lane has an update.
          if ((lane0_o.upd_mode[3:0] | lane1_o.upd_mode[3:0]) > UPDATE_EVT_CLR[3:0]) begin
            claim_sem_o = (sem_wait(lane0_o.wait_mode[2:0]) &&
                           (lane0_o.wait_id == (lane0_o.upd_id | lane1_o.upd_id))) ||
                          (sem_wait(lane1_o.wait_mode[2:0]) &&
                           (lane1_o.wait_id == (lane0_o.upd_id | lane1_o.upd_id)));
          end
        end
        OP_BARRIER: begin
          ready_o = drained_i;
          join_o = JoinBarrier;
        end
        OP_RETURN: begin
          ready_o = drained_i || (depth_q == 3'd0);
          if ((b['h0C] == 8'd0) && (depth_q != 3'd0)) join_o = JoinReturn;
        end
        OP_EXIT: begin
          ready_o = drained_i;
          join_o = JoinExit;
        end
        OP_HALT, OP_CORE_BARRIER: ready_o = drained_i;
        OP_DRAIN: ready_o = drained_i || (b['h28] == 8'd0);
        OP_DMA_TRIGGER, OP_RESET_QUEUE, OP_SWITCH_QUEUE: ready_o = q_ready_i;
        default: join_o = JoinNone;
      endcase
    end
  end

  // --------------------------------------------------- grant and retirement
  logic        stay;       // granted, and stays longer than this cycle
  logic        elem_done;  // the current element of a load or store is done
  logic        advance;
  logic        redirect;
  logic [31:0] target;
  logic [4:0]  fault_d;    // the engine faults at the end of this cycle

  // Second operand of the ALU, zero-extended.
  function automatic logic [63:0] second(input logic wide, input logic imm,
                                         input logic [63:0] value, input logic [5:0] id);
    second[31:0] = imm ? value[31:0] : rf_q[id];
    second[63:32] = !wide ? 32'd0 : imm ? value[63:32] : rf_q[{id[5:1], 1'b1}];
  endfunction

  always_comb begin
    go_o = 1'b0;
    vec_go_o = 1'b0;
    q_rewind_o = 1'b0;
    q_none_o = 1'b0;
    retire_o = 1'b0;
    stay = 1'b0;
    elem_done = 1'b0;
    advance = 1'b0;
    redirect = 1'b0;
    target = 32'd0;
    fault_d = FAULT_NONE;
    upd_o = '0;
    upd_value_o = 32'd0;
    clr_mode_o = ClrNone;
    if (grant_i || work) begin
      unique case (op)
        OP_REGISTER_ALU: begin
          stay = grant_i && alu_multi(b['h0C], alu_signed(b['h0F]), b['h0E][0],
                                      second(b['h0E][0], b['h0E][1], b['h1F:'h18], b['h12][5:0]));
          retire_o = grant_i ? !stay : (alu_cnt_q == 7'd0);
        end
        OP_BRANCH: begin
          retire_o = 1'b1;
          target = b['h33:'h30];
          redirect = (b['h0C] == CMP_ALWAYS) ||
                     cmp_holds(b['h0D], b['h0C][2:0], rf_q[b['h20][5:0]],
                               b['h0C][3] ? rf_q[b['h21][5:0]] : b['h13:'h10]);
        end
        OP_TENSOR_LOAD, OP_TENSOR_SAVE: begin
          if (grant_i) begin
            stay = 1'b1;
            if (lsu_verdict[Misaligned]) fault_d = FAULT_MISALIGNED;
            else if (lsu_verdict[Unbacked]) fault_d = FAULT_BAD_ADDR;
          end else if (phase_q != PHASE_ISSUE) begin
            elem_done = (phase_q == PHASE_RESP) ? mem_rsp_i :
                        (mem_gnt_i && (op == OP_TENSOR_SAVE));
            retire_o = elem_done && lsu_last;
          end
        end
        OP_CALL: begin
          retire_o = 1'b1;
          target = b['h33:'h30];
          redirect = 1'b1;
          if (depth_q[2]) fault_d = FAULT_STACK_OVERFLOW;
        end
        OP_RETURN: begin
          retire_o = 1'b1;
          target = stack_q[depth_q[1:0] - 2'd1];
          redirect = 1'b1;
          if (b['h0C] == 8'd0) clr_mode_o = ClrAll;
          if (depth_q == 3'd0) fault_d = FAULT_STACK_UNDERFLOW;
        end
        OP_DMA_TRIGGER: begin
          if (grant_i) begin
            stay = (b['h33:'h30] != 32'd0) && !q_empty_i;
            retire_o = !stay;
            if (q_fault_i) fault_d = FAULT_DMA_QUEUE;
          end else begin
            retire_o = q_step_o.push && (dq_left_q == 32'd1);
          end
        end
        OP_RESET_QUEUE: begin
          retire_o = 1'b1;
          if (q_fault_i) fault_d = FAULT_DMA_QUEUE;
        end
        OP_SWITCH_QUEUE: begin
          if (grant_i) begin
            stay = 1'b1;
            if (q_fault_i) fault_d = FAULT_DMA_QUEUE;
          end else begin
            retire_o = q_step_o.done;
          end
        end
        OP_GROUP_RESET: begin
          retire_o = 1'b1;
          clr_mode_o = (b['h0C] == CLEAR_RANGE) ? ClrRange : ClrMask;
        end
        default: begin
          retire_o = !is_vec || vec_done_i;
          if (is_vec && grant_i) begin
            stay = 1'b1;
            retire_o = 1'b0;
            if (vec_verdict_i[ApMisaligned]) fault_d = FAULT_MISALIGNED;
            else if (vec_verdict_i[ApBad]) fault_d = FAULT_BAD_ADDR;
          end
        end
      endcase
      if (fault_d != FAULT_NONE) begin
        stay = 1'b0;
        retire_o = 1'b0;
        redirect = 1'b0;
        clr_mode_o = ClrNone;
      end else if (grant_i) begin
        go_o = 1'b1;
        vec_go_o = is_vec;
        q_rewind_o = (queue == QueueReset);
        q_none_o = (queue == QueueTrigger) && (b['h33:'h30] != 32'd0) && q_empty_i;
      end
      if (retire_o) begin
        advance = (op != OP_EXIT);
        if ((op == OP_EVENT_SEMAPHORE) && (b['h06] == UPDATE_NONE)) begin
          upd_o = b['h23:'h20];
          upd_value_o = b['h22][7] ? rf_q[b['h28][5:0]] : b['h2B:'h28];
        end else if (b['h06] != UPDATE_NONE) begin
          upd_o = b['h07:'h04];
          upd_value_o = !grant_i ? upd_val_q : b['h06][7] ? rf_q[b['h08][5:0]] : b['h0B:'h08];
        end
      end
    end else if (other) begin
      advance = !x_valid_q;
      if (x_valid_q) fault_d = x_fault_q;
    end
  end

  assign state_o = state_q;
  assign clr_range_o = {b['h0E], b['h0D]};
  assign clr_mask_o = bundle_q[511:256];
  assign fetch_en_o = advance;
  assign fetch_pc_o = redirect ? target : fetch_pc_q;

  // ----------------------------------------- run state, stack, fetch, issue
  always_ff @(posedge clk_i) begin : p_control
    logic past_end;
    logic [2:0] depth;
    if (!rst_ni) begin
      state_q <= (len_i == 32'd0) ? RUN_ABSENT : RUN_RUN;
      fault_q <= FAULT_NONE;
      depth_q <= 3'd0;
      pc_q <= 32'd0;
      fetch_pc_q <= 32'd0;
      d_valid_q <= 1'b0;
      x_valid_q <= 1'b0;
      x_fault_q <= FAULT_NONE;
    end else if (deadlock_i) begin
      if (state_q == RUN_RUN) begin
        state_q <= RUN_FAULTED;
        fault_q <= FAULT_DEADLOCK;
      end
    end else if (fault_d != FAULT_NONE) begin
      state_q <= RUN_FAULTED;
      fault_q <= fault_d;
    end else if (retire_o || advance) begin
      if (retire_o) begin
        depth = depth_q;
        case (op)
          OP_HALT: state_q <= RUN_HALTED;
          OP_EXIT: state_q <= RUN_EXITED;
          OP_CALL: begin
            stack_q[depth[1:0]] <= pc_q + 32'd1;
            depth_q <= depth + 3'd1;
          end
          OP_RETURN: depth_q <= depth - 3'd1;
          default: ;
        endcase
      end
      if (advance) begin
        x_valid_q <= d_valid_q && !redirect;
        if (redirect) begin
          pc_q <= target;
        end else if (d_valid_q) begin
          pc_q <= fetch_pc_q - 32'd1;
          past_end = ((fetch_pc_q - 32'd1) >= len_i);
          x_fault_q <= (ap_vector(fetch_data_i[7:0]) && !past_end) ?
                       decode_vec(fetch_data_i, Engine, Gen) :
                       decode(fetch_data_i, past_end, Gen == 2);
          bundle_q <= fetch_data_i;
        end
        d_valid_q <= 1'b1;
        fetch_pc_q <= fetch_pc_o + 32'd1;
      end
    end
  end

  // -------------------------------------- registers, multi-cycle ALU, memory
  // Result of the multi-cycle operations, from the registers of the iteration.
  function automatic logic [63:0] alu_final(input logic [7:0] alu_op, input logic neg_quotient,
                                            input logic neg_rest, input logic [63:0] acc,
                                            input logic [63:0] a, input logic [63:0] m);
    unique case (alu_op)
      ALU_MULT: alu_final = a * m;
      ALU_DIVIDE: alu_final = neg_quotient ? -a : a;
      ALU_MOD: alu_final = neg_rest ? -acc : acc;
      default: alu_final = acc;
    endcase
  endfunction

  always_ff @(posedge clk_i) begin : p_exec
    logic        wide, sgn, over, we;
    logic [5:0]  dst;
    logic [63:0] src1, src2, shifted, result;
    // The registers as they are: all of them are read before the first is written.
    logic [2:0]  phase;
    logic [6:0]  cnt;
    logic [4:0]  i0, i1;
    logic [63:0] acc, x, y;
    if (!rst_ni) begin
      phase_q <= PHASE_ISSUE;
      alu_cnt_q <= 7'd0;
      lsu_i0_q <= 5'd0;
      lsu_i1_q <= 5'd0;
      lsu_bad_q <= 2'd0;
      alu_flags_q <= 3'd0;
      dq_step_q <= SwitchInst;
      for (int i = 0; i < 64; i++) rf_q[i] <= '1;
    end else if (go_o || work) begin
      phase = phase_q;
      cnt = alu_cnt_q;
      acc = alu_acc_q;
      x = alu_a_q;
      y = alu_b_q;
      i0 = lsu_i0_q;
      i1 = lsu_i1_q;
      we = 1'b0;
      wide = 1'b0;
      dst = 6'd0;
      result = 64'd0;
      if (stay) upd_val_q <= b['h06][7] ? rf_q[b['h08][5:0]] : b['h0B:'h08];
      case (op)
        OP_REGISTER_ALU: begin
          sgn = alu_signed(b['h0F]);
          wide = b['h0E][0];
          src1 = {wide ? rf_q[{b['h11][5:1], 1'b1}] : 32'd0, rf_q[b['h11][5:0]]};
          src2 = second(wide, b['h0E][1], b['h1F:'h18], b['h12][5:0]);
          dst = b['h10][5:0];
          if (retire_o) begin
            we = 1'b1;
            if (go_o) begin
              result = alu_result(b['h0C], sgn, wide, src1, src2);
              alu_flags_q <= alu_flags_q | alu_raises(b['h0C], sgn, wide, src1);
            end else begin
              result = alu_final(b['h0C], sgn && (sign_bit(wide, src1) != sign_bit(wide, src2)),
                                 sgn && sign_bit(wide, src1), acc, x, y);
              phase_q <= PHASE_ISSUE;
            end
          end else if (stay) begin
            phase_q <= PHASE_ALU;
            unique case (b['h0C])
              ALU_MULT: begin
                alu_a_q <= src1;
                alu_b_q <= src2;
              end
              ALU_POW: begin
                alu_acc_q <= 64'd1;
                alu_a_q <= src1;
                alu_b_q <= src2;
                alu_cnt_q <= significant(src2);
              end
              default: begin
                alu_acc_q <= 64'd0;
                alu_a_q <= magnitude(sgn, wide, src1);
                alu_b_q <= magnitude(sgn, wide, src2);
                alu_cnt_q <= wide ? 7'd64 : 7'd32;
              end
            endcase
          end else begin
            alu_cnt_q <= cnt - 7'd1;
            if (b['h0C] == ALU_POW) begin
              if (y[0]) alu_acc_q <= acc * x;
              alu_a_q <= x * x;
              alu_b_q <= {1'b0, y[63:1]};
            end else begin
              // The shifted accumulator has 65 bits; the 65th is acc[63].
              shifted = {acc[62:0], sign_bit(wide, x)};
              over = acc[63] || (shifted >= y);
              alu_acc_q <= over ? shifted - y : shifted;
              alu_a_q <= trim(wide, {x[62:0], over});
            end
          end
        end
        OP_TENSOR_LOAD, OP_TENSOR_SAVE: begin
          if (go_o) begin
            phase_q <= PHASE_REQ;
            lsu_base_q <= lsu_base;
            lsu_i0_q <= 5'd0;
            lsu_i1_q <= 5'd0;
            lsu_bad_q <= 2'd0;
          end else if (elem_done || ((phase == PHASE_ISSUE) && !lsu_last)) begin
            // On to the next element.
            if (lsu_last || (8'(i0) + 8'd1 == b['h0E])) begin
              lsu_i0_q <= 5'd0;
              lsu_i1_q <= lsu_last ? 5'd0 : i1 + 5'd1;
            end else begin
              lsu_i0_q <= i0 + 5'd1;
            end
            if (phase == PHASE_ISSUE) lsu_bad_q <= lsu_verdict;
            else phase_q <= lsu_last ? PHASE_ISSUE : PHASE_REQ;
          end else if ((phase == PHASE_REQ) && mem_gnt_i) begin
            phase_q <= PHASE_RESP;
          end
          we = elem_done && (op == OP_TENSOR_LOAD);
          wide = (b['h0C] == DTYPE_UINT64);
          dst = lsu_reg;
          result = load_data(b['h0C], lsu_low, mem_rdata_i);
        end
        OP_REGISTER_MOVE: begin
          we = (b['h0C] == 8'd1);
          dst = b['h18][5:0];
          result[31:0] = (b['h0E] == SOURCE_IMM) ? b['h23:'h20] : rf_q[b['h10][5:0]];
          if (!we) begin
            // Past the last entry, the last one again.
            for (int i = 0; i < 8; i++) begin
              rf_q[b['h18 + ((8'(i) < b['h0C]) ? 8'(i) : b['h0C] - 8'd1)][5:0]] <=
                  (b['h0E] == SOURCE_IMM) ?
                  b['h20 + 4 * ((8'(i) < b['h0C]) ? 8'(i) : b['h0C] - 8'd1) +: 4] :
                  rf_q[b['h10 + ((8'(i) < b['h0C]) ? 8'(i) : b['h0C] - 8'd1)][5:0]];
            end
          end
        end
        OP_DMA_TRIGGER: begin
          if (stay) begin
            phase_q <= PHASE_DMA;
            dq_left_q <= b['h33:'h30];
          end else if (q_step_o.push) begin
            dq_left_q <= dq_left_q - 32'd1;
            if (retire_o) phase_q <= PHASE_ISSUE;
          end
        end
        OP_SWITCH_QUEUE: begin
          if (stay) begin
            phase_q <= PHASE_DMA;
            dq_step_q <= SwitchInst;
          end else if (sw_port_i || q_step_o.take_inst || q_step_o.done) begin
            dq_step_q <= dq_step_q + 2'd1;
            if (q_step_o.done) phase_q <= PHASE_ISSUE;
          end
        end
        OP_CUR_RANK: begin
          we = 1'b1;
          dst = b['h12][5:0];
          result[31:0] = b['h1B:'h18];
        end
        OP_GLOBAL_RANK: begin
          we = 1'b1;
          dst = b['h17][5:0];
          result[31:0] = rank_i;
        end
        default: begin
          if (is_vec) begin
            if (go_o) phase_q <= PHASE_VEC;
            else if (retire_o) phase_q <= PHASE_ISSUE;
            if (vec_flags_i != 2'd0) alu_flags_q <= alu_flags_q | {1'b0, vec_flags_i};
          end
        end
      endcase
      if (we) begin
        // A narrow result is written twice to the same register.
        rf_q[dst] <= result[31:0];
        rf_q[wide ? {dst[5:1], 1'b1} : dst] <= wide ? result[63:32] : result[31:0];
      end
    end
  end

endmodule
