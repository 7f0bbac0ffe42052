// SPDX-License-Identifier: Apache-2.0
//
// The sequencer of one engine: fetch, issue stage, registers, scalar ALU, load/store.
//
// A bundle stands in the issue stage until `grant_i`.  Everything that it needs from the rest of
// the core is asked for and answered inside one cycle, in this order, each step from the one before
// and without a loop:
//
//   lane0_o, lane1_o -> hold_i     the waits of the bundle hold in the bank as it is (tpb_sem)
//   ready_o, claims  -> grant_i    port order, claims and joins (tpb_grant)
//   go_o             -            events of the waits are consumed at the end of the cycle
//   mem_req_o        -> mem_gnt_i  one element of a load or store (tpb_mem); only from registers
//   retire_o, upd_o, clr_*_o       what the bank takes over at the end of the cycle
//
//   cycle          t          t+1         t+2
//   fetch_en/pc    A
//   fetch_data                bundle A
//   issue stage                           bundle A, granted at the earliest
//
// fetch_data_i, mem_rsp_* and deadlock_i feed registers only.  Facts: docs/reference/timing.md.
module tpb_seq
  import tpb_pkg::*;
  import tpb_decode_pkg::*;
  import tpb_alu_pkg::*;
  import tpb_addr_pkg::*;
#(
  parameter int unsigned SbufPartBytes = 229376,
  parameter int unsigned Gen = 3
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
  output sync_t        lane1_o,
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
  output logic [1:0]   clr_mode_o,
  output logic [15:0]  clr_range_o,
  output logic [255:0] clr_mask_o,
  // Memory.
  output mem_req_t     mem_req_o,
  output logic [63:0]  mem_wdata_o,
  input  logic         mem_gnt_i,
  input  logic         mem_rsp_i,
  input  logic [63:0]  mem_rdata_i,
  // Watchdog.
  input  logic         deadlock_i
);

  // Joins, and what a retiring bundle clears in the bank.
  localparam logic [1:0] JoinNone = 2'd0, JoinBarrier = 2'd1, JoinReturn = 2'd2, JoinExit = 2'd3;
  localparam logic [1:0] ClrNone = 2'd0, ClrRange = 2'd1, ClrMask = 2'd2, ClrAll = 2'd3;

  // ---------------------------------------------------------------- state
  logic [2:0]   state_q /*verilator public_flat_rd*/;
  logic [4:0]   fault_q /*verilator public_flat_rd*/;
  logic [31:0]  pc_q /*verilator public_flat_rd*/;
  logic [31:0]  fetch_pc_q /*verilator public_flat_rd*/;
  logic         d_valid_q /*verilator public_flat_rd*/;
  logic         x_valid_q /*verilator public_flat_rd*/;
  logic [4:0]   x_fault_q /*verilator public_flat_rd*/;
  logic [1:0]   phase_q /*verilator public_flat_rd*/;
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

  // ------------------------------------------------- fields of the bundle
  bundle_t    b;
  logic [7:0] op;
  logic       is_lsu;

  assign b = bundle_q;
  assign op = bundle_q[7:0];
  assign is_lsu = (op == OP_TENSOR_LOAD) || (op == OP_TENSOR_SAVE);

  // A bundle without decode fault stands in the issue stage; `issue`: and waits for its grant.
  logic running, issue;
  assign running = (state_q == RUN_RUN) && x_valid_q && (x_fault_q == FAULT_NONE);
  assign issue = running && (phase_q == PHASE_ISSUE);

  // ---------------------------------------------------------------- waits
  always_comb begin
    lane0_o = '0;
    lane1_o = '0;
    if (issue) begin
      lane0_o = bundle_q[95:32];
      if (lane0_o.wait_mode[7]) lane0_o.value = rf_q[lane0_o.value[5:0]];
      if (op == OP_EVENT_SEMAPHORE) begin
        lane1_o = {b['h27:'h24], b['h23], b['h22], b['h21], b['h20]};
        if (lane1_o.wait_mode[7]) lane1_o.value = rf_q[lane1_o.value[5:0]];
      end
    end
  end

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
    mem_wdata_o = 64'd0;
    if (running && is_lsu) begin
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
        mem_req_o.valid = 1'b1;
        mem_req_o.mem = addr_mem(addr[36], addr[25]);
        mem_req_o.addr = addr[36:0];
        if (op == OP_TENSOR_SAVE) begin
          mem_req_o.write = 1'b1;
          mem_req_o.mask = byte_mask(log_size(b['h0C]), addr[2:0]);
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
      ready_o = !is_lsu || lsu_last;
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
        OP_BARRIER: join_o = JoinBarrier;
        OP_RETURN: if ((b['h0C] == 8'd0) && (depth_q != 3'd0)) join_o = JoinReturn;
        OP_EXIT: join_o = JoinExit;
        default: join_o = JoinNone;
      endcase
    end
  end

  // --------------------------------------------------- grant and retirement
  logic        redirect;
  logic [31:0] target;
  logic [4:0]  run_fault;       // found at the grant
  // Result, one or two registers.
  logic        res_we, res_wide;
  logic [5:0]  res_reg;
  logic [63:0] res_data;
  logic [2:0]  res_flags;
  // Course of a bundle that stays longer than a cycle.
  logic        stay;            // granted in this cycle, and does not retire in it
  logic        step_we;
  logic [1:0]  phase_d;
  logic [6:0]  alu_cnt_d;
  logic [4:0]  lsu_i0_d, lsu_i1_d;
  logic [1:0]  lsu_bad_d;
  logic        alu_we;
  logic [63:0] alu_acc_d, alu_a_d, alu_b_d;

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

  always_comb begin : p_act
    logic        wide, sgn, top;
    logic [63:0] src1, src2, shifted;
    wide = 1'b0;
    sgn = 1'b0;
    top = 1'b0;
    src1 = 64'd0;
    src2 = 64'd0;
    shifted = 64'd0;
    go_o = 1'b0;
    retire_o = 1'b0;
    redirect = 1'b0;
    target = 32'd0;
    run_fault = FAULT_NONE;
    res_we = 1'b0;
    res_wide = 1'b0;
    res_reg = 6'd0;
    res_data = 64'd0;
    res_flags = 3'd0;
    stay = 1'b0;
    step_we = 1'b0;
    phase_d = PHASE_ISSUE;
    alu_cnt_d = 7'd0;
    lsu_i0_d = 5'd0;
    lsu_i1_d = 5'd0;
    lsu_bad_d = 2'd0;
    alu_we = 1'b0;
    alu_acc_d = 64'd0;
    alu_a_d = 64'd0;
    alu_b_d = 64'd0;
    upd_o = '0;
    clr_mode_o = ClrNone;
    if (grant_i || (running && (is_lsu || (phase_q != PHASE_ISSUE)))) begin
      go_o = grant_i;
      retire_o = grant_i;
      unique case (op)
        OP_REGISTER_ALU: begin
          wide = b['h0E][0];
          sgn = alu_signed(b['h0F]);
          src1[31:0] = rf_q[b['h11][5:0]];
          src2[31:0] = b['h0E][1] ? b['h1B:'h18] : rf_q[b['h12][5:0]];
          if (wide) begin
            src1[63:32] = rf_q[{b['h11][5:1], 1'b1}];
            src2[63:32] = b['h0E][1] ? b['h1F:'h1C] : rf_q[{b['h12][5:1], 1'b1}];
          end
          res_wide = wide;
          res_reg = b['h10][5:0];
          if (!grant_i) begin
            step_we = 1'b1;
            if (alu_cnt_q == 7'd0) begin
              retire_o = 1'b1;
              res_we = 1'b1;
              res_data = alu_final(b['h0C], sgn && (sign_bit(wide, src1) != sign_bit(wide, src2)),
                                   sgn && sign_bit(wide, src1), alu_acc_q, alu_a_q, alu_b_q);
            end else begin
              phase_d = PHASE_ALU;
              alu_cnt_d = alu_cnt_q - 7'd1;
              alu_we = 1'b1;
              if (b['h0C] == ALU_POW) begin
                alu_acc_d = alu_b_q[0] ? alu_acc_q * alu_a_q : alu_acc_q;
                alu_a_d = alu_a_q * alu_a_q;
                alu_b_d = {1'b0, alu_b_q[63:1]};
              end else begin
                // The shifted accumulator has 65 bits; the 65th is alu_acc_q[63].
                shifted = {alu_acc_q[62:0], sign_bit(wide, alu_a_q)};
                top = alu_acc_q[63] || (shifted >= alu_b_q);
                alu_acc_d = top ? shifted - alu_b_q : shifted;
                alu_a_d = trim(wide, {alu_a_q[62:0], top});
                alu_b_d = alu_b_q;
              end
            end
          end else if (alu_multi(b['h0C], sgn, wide, src2)) begin
            retire_o = 1'b0;
            stay = 1'b1;
            step_we = 1'b1;
            phase_d = PHASE_ALU;
            alu_we = 1'b1;
            alu_a_d = src1;
            alu_b_d = src2;
            unique case (b['h0C])
              ALU_MULT: alu_acc_d = alu_acc_q;
              ALU_POW: begin
                alu_acc_d = 64'd1;
                alu_cnt_d = significant(src2);
              end
              default: begin
                alu_a_d = magnitude(sgn, wide, src1);
                alu_b_d = magnitude(sgn, wide, src2);
                alu_cnt_d = wide ? 7'd64 : 7'd32;
              end
            endcase
          end else begin
            res_we = 1'b1;
            res_data = alu_result(b['h0C], sgn, wide, src1, src2);
            res_flags = alu_raises(b['h0C], sgn, wide, src1);
          end
        end
        OP_BRANCH: begin
          target = b['h33:'h30];
          redirect = (b['h0C] == CMP_ALWAYS) ||
                     cmp_holds(b['h0D], b['h0C][2:0], rf_q[b['h20][5:0]],
                               b['h0C][3] ? rf_q[b['h21][5:0]] : b['h13:'h10]);
        end
        OP_TENSOR_LOAD, OP_TENSOR_SAVE: begin
          retire_o = 1'b0;
          // The next element, unless something below says otherwise.
          if (8'(lsu_i0_q) + 8'd1 == b['h0E]) begin
            lsu_i1_d = lsu_i1_q + 5'd1;
          end else begin
            lsu_i0_d = lsu_i0_q + 5'd1;
            lsu_i1_d = lsu_i1_q;
          end
          unique case (phase_q)
            PHASE_ISSUE: begin
              if (!lsu_last) begin
                step_we = 1'b1;
                lsu_bad_d = lsu_verdict;
              end else if (grant_i) begin
                if (lsu_verdict[Misaligned]) run_fault = FAULT_MISALIGNED;
                else if (lsu_verdict[Unbacked]) run_fault = FAULT_BAD_ADDR;
                else begin
                  stay = 1'b1;
                  step_we = 1'b1;
                  phase_d = PHASE_REQ;
                  lsu_i0_d = 5'd0;
                  lsu_i1_d = 5'd0;
                end
              end
            end
            PHASE_REQ: begin
              if (mem_gnt_i && (op == OP_TENSOR_LOAD)) begin
                step_we = 1'b1;
                phase_d = PHASE_RESP;
                lsu_i0_d = lsu_i0_q;
                lsu_i1_d = lsu_i1_q;
              end else if (mem_gnt_i) begin
                step_we = 1'b1;
                phase_d = PHASE_REQ;
                retire_o = lsu_last;
              end
            end
            default: begin
              if (mem_rsp_i) begin
                step_we = 1'b1;
                phase_d = PHASE_REQ;
                retire_o = lsu_last;
                res_we = 1'b1;
                res_wide = (b['h0C] == DTYPE_UINT64);
                res_reg = lsu_reg;
                res_data = load_data(b['h0C], lsu_low, mem_rdata_i);
              end
            end
          endcase
          if (retire_o) begin
            phase_d = PHASE_ISSUE;
            lsu_i0_d = 5'd0;
            lsu_i1_d = 5'd0;
          end
        end
        OP_REGISTER_MOVE: begin
          // One register; more are written on their own.
          res_we = (b['h0C] == 8'd1);
          res_reg = b['h18][5:0];
          res_data[31:0] = (b['h0E] == SOURCE_IMM) ? b['h23:'h20] : rf_q[b['h10][5:0]];
        end
        OP_CUR_RANK: begin
          res_we = 1'b1;
          res_reg = b['h12][5:0];
          res_data[31:0] = b['h1B:'h18];
        end
        OP_GLOBAL_RANK: begin
          // rank_i enters at the register.
          res_we = 1'b1;
          res_reg = b['h17][5:0];
        end
        OP_CALL: begin
          target = b['h33:'h30];
          redirect = 1'b1;
          if (depth_q[2]) run_fault = FAULT_STACK_OVERFLOW;
        end
        OP_RETURN: begin
          target = stack_q[depth_q[1:0] - 2'd1];
          redirect = 1'b1;
          if (b['h0C] == 8'd0) clr_mode_o = ClrAll;
          if (depth_q == 3'd0) run_fault = FAULT_STACK_UNDERFLOW;
        end
        OP_GROUP_RESET: clr_mode_o = (b['h0C] == CLEAR_RANGE) ? ClrRange : ClrMask;
        default: ;
      endcase
      if (run_fault != FAULT_NONE) begin
        go_o = 1'b0;
        retire_o = 1'b0;
        redirect = 1'b0;
        clr_mode_o = ClrNone;
      end
      if (retire_o) begin
        if ((op == OP_EVENT_SEMAPHORE) && (b['h06] == UPDATE_NONE)) begin
          upd_o.upd_mode = b['h22];
          upd_o.upd_id = b['h23];
          upd_o.value = b['h22][7] ? rf_q[b['h28][5:0]] : b['h2B:'h28];
        end else if (b['h06] != UPDATE_NONE) begin
          upd_o.upd_mode = b['h06];
          upd_o.upd_id = b['h07];
          upd_o.value = !grant_i ? upd_val_q : b['h06][7] ? rf_q[b['h08][5:0]] : b['h0B:'h08];
        end
      end
    end
  end

  assign state_o = state_q;
  assign clr_range_o = {b['h0E], b['h0D]};
  assign clr_mask_o = bundle_q[511:256];

  // Granted with a fault, or standing with one from decode.
  logic faulted;
  assign faulted = (grant_i && !go_o) ||
                   ((state_q == RUN_RUN) && x_valid_q && (x_fault_q != FAULT_NONE));

  // ---------------------------------------------------------------- fetch
  logic advance;
  assign advance = (state_q == RUN_RUN) && (!x_valid_q || (retire_o && (op != OP_EXIT)));
  assign fetch_en_o = advance;
  assign fetch_pc_o = redirect ? target : fetch_pc_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      pc_q <= 32'd0;
      fetch_pc_q <= 32'd0;
      d_valid_q <= 1'b0;
      x_valid_q <= 1'b0;
      x_fault_q <= FAULT_NONE;
    end else if (advance) begin
      d_valid_q <= 1'b1;
      fetch_pc_q <= fetch_pc_o + 32'd1;
      if (redirect) begin
        x_valid_q <= 1'b0;
        pc_q <= target;
      end else if (d_valid_q) begin
        x_valid_q <= 1'b1;
        pc_q <= fetch_pc_q - 32'd1;
        x_fault_q <= decode(fetch_data_i, (fetch_pc_q - 32'd1) >= len_i, Gen == 2);
        bundle_q <= fetch_data_i;
      end else begin
        x_valid_q <= 1'b0;
      end
    end
  end

  // ------------------------------------------------- run state, fault, stack
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= (len_i == 32'd0) ? RUN_ABSENT : RUN_RUN;
      fault_q <= FAULT_NONE;
      depth_q <= 3'd0;
    end else if (deadlock_i) begin
      if (state_q == RUN_RUN) begin
        state_q <= RUN_FAULTED;
        fault_q <= FAULT_DEADLOCK;
      end
    end else if (faulted) begin
      state_q <= RUN_FAULTED;
      fault_q <= x_fault_q | run_fault;
    end else if (go_o) begin
      case (op)
        OP_HALT: state_q <= RUN_HALTED;
        OP_EXIT: state_q <= RUN_EXITED;
        OP_CALL: begin
          stack_q[depth_q[1:0]] <= pc_q + 32'd1;
          depth_q <= depth_q + 3'd1;
        end
        OP_RETURN: depth_q <= depth_q - 3'd1;
        default: ;
      endcase
    end
  end

  // --------------------------------------- phase, load/store, multi-cycle ALU
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      phase_q <= PHASE_ISSUE;
      alu_cnt_q <= 7'd0;
      lsu_i0_q <= 5'd0;
      lsu_i1_q <= 5'd0;
      lsu_bad_q <= 2'd0;
    end else if (step_we) begin
      phase_q <= phase_d;
      alu_cnt_q <= alu_cnt_d;
      lsu_i0_q <= lsu_i0_d;
      lsu_i1_q <= lsu_i1_d;
      lsu_bad_q <= lsu_bad_d;
      if (stay) begin
        upd_val_q <= b['h06][7] ? rf_q[b['h08][5:0]] : b['h0B:'h08];
        if (is_lsu) lsu_base_q <= lsu_base;
      end
      if (alu_we) begin
        alu_acc_q <= alu_acc_d;
        alu_a_q <= alu_a_d;
        alu_b_q <= alu_b_d;
      end
    end
  end

  // ------------------------------------------------------------- registers
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      alu_flags_q <= 3'd0;
      for (int i = 0; i < 64; i++) rf_q[i] <= '1;
    end else if (res_we) begin
      alu_flags_q <= alu_flags_q | res_flags;
      // A narrow result is written twice to the same register.
      rf_q[res_reg] <= (op == OP_GLOBAL_RANK) ? rank_i : res_data[31:0];
      rf_q[res_wide ? {res_reg[5:1], 1'b1} : res_reg] <=
          res_wide ? res_data[63:32] : (op == OP_GLOBAL_RANK) ? rank_i : res_data[31:0];
    end else if (go_o && (op == OP_REGISTER_MOVE)) begin
      // Past the last entry, the last one again.
      for (int i = 0; i < 8; i++) begin
        rf_q[b['h18 + ((8'(i) < b['h0C]) ? 8'(i) : b['h0C] - 8'd1)][5:0]] <=
            (b['h0E] == SOURCE_IMM) ?
            b['h20 + 4 * ((8'(i) < b['h0C]) ? 8'(i) : b['h0C] - 8'd1) +: 4] :
            rf_q[b['h10 + ((8'(i) < b['h0C]) ? 8'(i) : b['h0C] - 8'd1)][5:0]];
      end
    end
  end

endmodule
