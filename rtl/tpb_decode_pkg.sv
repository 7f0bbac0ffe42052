// SPDX-License-Identifier: Apache-2.0
//
// The decoder: what is wrong with a bundle.
//
// decode() is a pure function of the 64 bytes at the fetch port.  tpb_seq calls it once a bundle,
// in the cycle in which the bundle enters the issue stage.  The verdict is the lowest fault code
// that applies, FAULT_NONE for a legal bundle.  DMA bundles are not decoded: FAULT_ILLEGAL_OPCODE.
//
// Facts: docs/reference/decode.md.  Byte +0xN of the bundle is b[N], bits 8N+7:8N.
package tpb_decode_pkg;
  import tpb_pkg::*;

  typedef logic [63:0][7:0] bundle_t;

  // First half of the 8-byte sync block; the other half is the value.  Waits and updates travel in
  // the same shape.
  typedef struct packed {
    logic [7:0]  upd_id;
    logic [7:0]  upd_mode;
    logic [7:0]  wait_id;
    logic [7:0]  wait_mode;
  } sync_t;

  // Join at which a ready bundle stands.
  localparam logic [1:0] JoinNone = 2'd0;
  localparam logic [1:0] JoinBarrier = 2'd1;
  localparam logic [1:0] JoinReturn = 2'd2;
  localparam logic [1:0] JoinExit = 2'd3;

  // What a retiring bundle clears in the bank.
  localparam logic [1:0] ClrNone = 2'd0;
  localparam logic [1:0] ClrRange = 2'd1;
  localparam logic [1:0] ClrMask = 2'd2;
  localparam logic [1:0] ClrAll = 2'd3;

  // One flag a fault code, lowest code first from the left.
  typedef struct packed {
    logic unresolved;
    logic reserved;
    logic field;
    logic dtype;
    logic regid;
  } verdict_t;

  // Bits of a bundle that must be 0 because the op does not name their byte.
  function automatic logic [511:0] unnamed(input logic [7:0] op);
    logic [63:0] named;
    named = op_named(op);
    for (int i = 0; i < 64; i++) unnamed[8 * i +: 8] = {8{!named[i]}};
  endfunction

  localparam logic [511:0] NotEventSemaphore = unnamed(OP_EVENT_SEMAPHORE);
  localparam logic [511:0] NotDrain = unnamed(OP_DRAIN);
  localparam logic [511:0] NotBare = unnamed(OP_NOOP);
  localparam logic [511:0] NotMove = unnamed(OP_REGISTER_MOVE);
  localparam logic [511:0] NotAlu = unnamed(OP_REGISTER_ALU);
  localparam logic [511:0] NotBranch = unnamed(OP_BRANCH);
  localparam logic [511:0] NotGroupReset = unnamed(OP_GROUP_RESET);
  localparam logic [511:0] NotReturn = unnamed(OP_RETURN);
  localparam logic [511:0] NotCall = unnamed(OP_CALL);
  localparam logic [511:0] NotCoreBarrier = unnamed(OP_CORE_BARRIER);
  localparam logic [511:0] NotTrigger = unnamed(OP_DMA_TRIGGER);
  localparam logic [511:0] NotResetQueue = unnamed(OP_RESET_QUEUE);
  localparam logic [511:0] NotSwitchQueue = unnamed(OP_SWITCH_QUEUE);
  localparam logic [511:0] NotCurRank = unnamed(OP_CUR_RANK);
  localparam logic [511:0] NotGlobalRank = unnamed(OP_GLOBAL_RANK);
  localparam logic [511:0] NotBranchHint = unnamed(OP_BRANCH_HINT);
  localparam logic [511:0] NotCompletion = unnamed(OP_COMPLETION);
  localparam logic [511:0] NotExit = unnamed(OP_EXIT);

  // Functions take whole fields and look at some of their bits.
  /* verilator lint_off UNUSEDSIGNAL */

  function automatic logic bad_reg(input logic [7:0] id);
    bad_reg = (id[7:6] != 2'd0);
  endfunction

  function automatic logic bad_pair(input logic [7:0] id);
    bad_pair = (id[7:6] != 2'd0) || id[0];
  endfunction

  function automatic logic wait_known(input logic [7:0] mode);
    unique case (mode)
      WAIT_NONE, WAIT_EQ_IMM, WAIT_LT_IMM, WAIT_LE_IMM, WAIT_GT_IMM, WAIT_GE_IMM,
      WAIT_EVT_SET, WAIT_EVT_SET_CLR, WAIT_EVT_CLR, WAIT_EVT_CLR_SET,
      WAIT_EQ_REG, WAIT_LT_REG, WAIT_LE_REG, WAIT_GT_REG, WAIT_GE_REG: wait_known = 1'b1;
      default: wait_known = 1'b0;
    endcase
  endfunction

  function automatic logic update_known(input logic [7:0] mode);
    unique case (mode)
      UPDATE_NONE,
      UPDATE_EVT_SET, UPDATE_EVT_CLR, UPDATE_INC, UPDATE_DEC,
      UPDATE_ADD_IMM, UPDATE_SUB_IMM, UPDATE_WR_IMM,
      UPDATE_EVT_SET_C, UPDATE_EVT_CLR_C, UPDATE_INC_C, UPDATE_DEC_C,
      UPDATE_ADD_IMM_C, UPDATE_SUB_IMM_C, UPDATE_WR_IMM_C,
      UPDATE_ADD_REG, UPDATE_SUB_REG, UPDATE_WR_REG,
      UPDATE_ADD_REG_C, UPDATE_SUB_REG_C, UPDATE_WR_REG_C: update_known = 1'b1;
      default: update_known = 1'b0;
    endcase
  endfunction

  function automatic logic consumes(input logic [7:0] mode);
    consumes = (mode == WAIT_EVT_SET_CLR) || (mode == WAIT_EVT_CLR_SET);
  endfunction

  function automatic logic cmp_known(input logic [7:0] mode);
    unique case (mode)
      CMP_ALWAYS, CMP_LT_IMM, CMP_LE_IMM, CMP_EQ_IMM, CMP_NE_IMM, CMP_GE_IMM, CMP_GT_IMM,
      CMP_LT_REG, CMP_LE_REG, CMP_EQ_REG, CMP_NE_REG, CMP_GE_REG, CMP_GT_REG: cmp_known = 1'b1;
      default: cmp_known = 1'b0;
    endcase
  endfunction

  function automatic logic alu_known(input logic [7:0] op);
    unique case (op)
      8'h17, 8'h1C, 8'h1E, 8'h1F: alu_known = 1'b0;
      default: alu_known = (op[7:5] == 3'd0);
    endcase
  endfunction

  // Tags of a 32-bit or narrower scalar.
  function automatic logic scalar_dtype(input logic [7:0] tag);
    unique case (tag)
      DTYPE_INT8, DTYPE_UINT8, DTYPE_INT16, DTYPE_UINT16,
      DTYPE_INT32, DTYPE_UINT32, DTYPE_FLOAT32: scalar_dtype = 1'b1;
      default: scalar_dtype = 1'b0;
    endcase
  endfunction

  // A register that a mode byte with bit 7 names in its dword.
  function automatic logic bad_value_reg(input logic [7:0] mode, input logic [31:0] value);
    bad_value_reg = mode[7] && (value[31:6] != 26'd0);
  endfunction

  function automatic verdict_t check_sync(input logic [7:0] op, input sync_t s,
                                          input logic [31:0] value);
    /*verilator no_inline_task*/
    check_sync = '0;
    if (s.wait_mode != WAIT_NONE) begin
      if (!wait_known(s.wait_mode)) check_sync.field = 1'b1;
      else if (bad_value_reg(s.wait_mode, value)) check_sync.regid = 1'b1;
      if (consumes(s.wait_mode) &&
          ((op == OP_BARRIER) || (op == OP_RETURN) || (op == OP_CORE_BARRIER) ||
           (op == OP_EXIT))) begin
        check_sync.field = 1'b1;
      end
    end else if (s.wait_id != 8'd0) begin
      check_sync.reserved = 1'b1;
    end
    if (s.upd_mode != UPDATE_NONE) begin
      if (!update_known(s.upd_mode)) check_sync.field = 1'b1;
      else if (bad_value_reg(s.upd_mode, value)) check_sync.regid = 1'b1;
    end else if ((s.upd_id != 8'd0) || ((s.wait_mode == WAIT_NONE) && (value != 32'd0))) begin
      check_sync.reserved = 1'b1;
    end
  endfunction

  function automatic verdict_t check_event_semaphore(input bundle_t b);
    /*verilator no_inline_task*/
    logic [31:0] wait_value, upd_value;
    logic core_ok;
    wait_value = b['h27:'h24];
    upd_value = b['h2B:'h28];
    check_event_semaphore = '0;
    if (b['h20] == WAIT_NONE) begin
      check_event_semaphore.reserved = (b['h21] != 8'd0) || (wait_value != 32'd0);
    end else if (!wait_known(b['h20])) begin
      check_event_semaphore.field = 1'b1;
    end else begin
      check_event_semaphore.regid = bad_value_reg(b['h20], wait_value);
    end
    if (b['h22] == UPDATE_NONE) begin
      if ((b['h23] != 8'd0) || (upd_value != 32'd0)) check_event_semaphore.reserved = 1'b1;
    end else begin
      if (!update_known(b['h22])) check_event_semaphore.field = 1'b1;
      else if (bad_value_reg(b['h22], upd_value)) check_event_semaphore.regid = 1'b1;
      if (b['h06] != UPDATE_NONE) check_event_semaphore.field = 1'b1;
    end
    // The only core is number 0.
    core_ok = (b['h2C] == 8'h80) && (b['h22] != UPDATE_NONE);
    if ((b['h2C] != 8'd0) && !core_ok) check_event_semaphore.field = 1'b1;
  endfunction

  function automatic verdict_t check_move(input bundle_t b);
    /*verilator no_inline_task*/
    logic [7:0] n;
    check_move = '0;
    n = b['h0C];
    if ((n == 8'd0) || (n > 8'd8)) begin
      check_move.field = 1'b1;
      n = 8'd1;
    end
    check_move.dtype = (b['h0D] != DTYPE_INT32) && (b['h0D] != DTYPE_UINT32) &&
                       (b['h0D] != DTYPE_FLOAT32);
    if (b['h0E] > SOURCE_IMM) check_move.field = 1'b1;
    if ((n == 8'd2) && (b['h0E] != SOURCE_IMM)) check_move.field = 1'b1;
    if ((n == 8'd2) && (bad_pair(b['h18]) || (b['h19] != b['h18] + 8'd1))) begin
      check_move.regid = 1'b1;
    end
    for (int i = 0; i < 8; i++) begin
      if (8'(i) < n) begin
        if (bad_reg(b['h18 + i])) check_move.regid = 1'b1;
        if ((b['h0E] == SOURCE_REG) && bad_reg(b['h10 + i])) check_move.regid = 1'b1;
      end else begin
        if (b['h18 + i] != 8'd0) check_move.reserved = 1'b1;
        if ((b['h0E] == SOURCE_REG) && (b['h10 + i] != 8'd0)) check_move.reserved = 1'b1;
        if ((b['h0E] == SOURCE_IMM) && (b['h20 + 4 * i +: 4] != 32'd0)) begin
          check_move.reserved = 1'b1;
        end
      end
    end
    if ((b['h0E] == SOURCE_IMM) && (b['h17:'h10] != 64'd0)) check_move.reserved = 1'b1;
    if ((b['h0E] == SOURCE_REG) && (b['h3F:'h20] != 256'd0)) check_move.reserved = 1'b1;
  endfunction

  function automatic verdict_t check_alu(input bundle_t b);
    /*verilator no_inline_task*/
    logic wide, imm;
    check_alu = '0;
    wide = b['h0E][0];
    imm = b['h0E][1];
    check_alu.field = !alu_known(b['h0C]) || (b['h0D] != 8'd1) || (b['h0E] > 8'd3);
    check_alu.regid = bad_reg(b['h10]) || bad_reg(b['h11]) || (!imm && bad_reg(b['h12]));
    if (b['h13] != 8'd0) check_alu.reserved = 1'b1;
    if (imm && (b['h12] != 8'd0)) check_alu.reserved = 1'b1;
    if (!imm && (b['h1F:'h18] != 64'd0)) check_alu.reserved = 1'b1;
    if (wide) begin
      check_alu.dtype = (b['h0F] != DTYPE_UINT64);
      if (bad_pair(b['h10]) || bad_pair(b['h11]) || (!imm && bad_pair(b['h12])) ||
          (b['h14] != b['h10]) || (b['h15] != b['h14] + 8'd1)) begin
        check_alu.regid = 1'b1;
      end
    end else begin
      check_alu.dtype = (b['h0F] != 8'd0) && (b['h0F] != DTYPE_INT32) &&
                        (b['h0F] != DTYPE_UINT32) && (b['h0F] != DTYPE_UINT64) &&
                        (b['h0F] != DTYPE_INT64);
      if (b['h15:'h14] != 16'd0) check_alu.reserved = 1'b1;
      if (imm && (b['h1F:'h1C] != 32'd0)) check_alu.reserved = 1'b1;
    end
  endfunction

  function automatic verdict_t check_branch(input bundle_t b);
    /*verilator no_inline_task*/
    check_branch = '0;
    check_branch.field = !cmp_known(b['h0C]) || (b['h0E] != 8'd3) || (b['h37:'h34] != 32'd0);
    if (b['h0C] == CMP_ALWAYS) begin
      check_branch.reserved = (b['h0D] != 8'd0) || (b['h13:'h10] != 32'd0) ||
                              (b['h21:'h20] != 16'd0);
    end else begin
      check_branch.dtype = !scalar_dtype(b['h0D]);
      check_branch.regid = bad_reg(b['h20]);
      if (!b['h0C][3]) begin
        check_branch.reserved = (b['h21] != 8'd0);
      end else begin
        check_branch.reserved = (b['h13:'h10] != 32'd0);
        if (bad_reg(b['h21])) check_branch.regid = 1'b1;
      end
    end
  endfunction

  function automatic verdict_t check_lsu(input bundle_t b);
    /*verilator no_inline_task*/
    logic [15:0] n;
    logic [63:0] eight, used;
    logic [7:0] forbidden;
    check_lsu = '0;
    check_lsu.dtype = !scalar_dtype(b['h0C]) && (b['h0C] != DTYPE_UINT64);
    check_lsu.field = (b['h0D] != 8'd0);
    n = 16'(b['h0E]) * 16'(b['h0F]);
    if ((n == 16'd0) || (n > 16'd32)) begin
      check_lsu.field = 1'b1;
      n = 16'd0;
    end
    if (b['h17] == MARKER_REG) begin
      check_lsu.regid = bad_pair(b['h10]) || (b['h11] != b['h10] + 8'd1);
      check_lsu.reserved = (b['h16:'h12] != 40'd0);
    end else if (b['h17] != MARKER_IMM) begin
      check_lsu.field = 1'b1;
    end
    // The register list, eight entries at a time.
    forbidden = (b['h0C] == DTYPE_UINT64) ? 8'hC1 : 8'hC0;
    for (int i = 0; i < 4; i++) begin
      eight = b['h20 + 8 * i +: 8];
      if (eight != 64'd0) begin
        used = (n >= 16'(8 * i + 8)) ? '1 :
               (n <= 16'(8 * i)) ? '0 : ~(64'hFFFF_FFFF_FFFF_FFFF << {n[2:0], 3'd0});
        if ((eight & used & {8{forbidden}}) != 64'd0) check_lsu.regid = 1'b1;
        if ((eight & ~used) != 64'd0) check_lsu.reserved = 1'b1;
      end
    end
  endfunction

  function automatic verdict_t check_group_reset(input bundle_t b);
    /*verilator no_inline_task*/
    check_group_reset = '0;
    unique case (b['h0C])
      CLEAR_RANGE: begin
        check_group_reset.field = (b['h0D] > b['h0E]);
        check_group_reset.reserved = (b['h3F:'h20] != 256'd0);
      end
      CLEAR_MASK: check_group_reset.reserved = (b['h0E:'h0D] != 16'd0);
      default: check_group_reset.field = 1'b1;
    endcase
  endfunction

  // What the row of an op says, with the bytes that it does not name.
  function automatic verdict_t check_op(input logic [511:0] raw);
    /*verilator no_inline_task*/
    bundle_t b;
    logic stray;
    b = raw;
    check_op = '0;
    stray = 1'b0;
    case (b[0])
      OP_EVENT_SEMAPHORE: begin
        check_op = check_event_semaphore(b);
        stray = |(raw & NotEventSemaphore);
      end
      OP_DRAIN: stray = |(raw & NotDrain);
      OP_REGISTER_MOVE: begin
        check_op = check_move(b);
        stray = |(raw & NotMove);
      end
      OP_REGISTER_ALU: begin
        check_op = check_alu(b);
        stray = |(raw & NotAlu);
      end
      OP_BRANCH: begin
        check_op = check_branch(b);
        stray = |(raw & NotBranch);
      end
      OP_TENSOR_LOAD, OP_TENSOR_SAVE: check_op = check_lsu(b);
      OP_GROUP_RESET: begin
        check_op = check_group_reset(b);
        stray = |(raw & NotGroupReset);
      end
      OP_RETURN: begin
        check_op.field = (b['h0C] > 8'd1);
        stray = |(raw & NotReturn);
      end
      OP_CALL: begin
        check_op.unresolved = (b['h2F] != 8'd1);
        check_op.field = (b['h37:'h34] != 32'd0);
        stray = |(raw & NotCall);
      end
      OP_CORE_BARRIER: begin
        check_op.field = (b['h0F:'h0D] != 24'd0);
        stray = |(raw & NotCoreBarrier);
      end
      OP_CUR_RANK: begin
        check_op.unresolved = (b['h2F] != 8'd1);
        check_op.regid = bad_reg(b['h12]);
        stray = |(raw & NotCurRank);
      end
      OP_GLOBAL_RANK: begin
        check_op.field = (b['h0C] != 8'd1);
        check_op.regid = bad_reg(b['h17]);
        stray = |(raw & NotGlobalRank);
      end
      OP_BRANCH_HINT: begin
        check_op.field = (b['h0C] > HINT_UNLIKELY) || (b['h37:'h34] != 32'd0);
        stray = |(raw & NotBranchHint);
      end
      OP_DMA_TRIGGER: begin
        check_op.unresolved = (b['h2F] != 8'd1);
        stray = |(raw & NotTrigger);
      end
      OP_RESET_QUEUE: begin
        check_op.unresolved = (b['h2F] != 8'd1);
        stray = |(raw & NotResetQueue);
      end
      OP_SWITCH_QUEUE: begin
        check_op.unresolved = (b['h2F] != 8'd1);
        check_op.field = (b['h3B] > 8'd1) || (b['h3F:'h3C] != 32'd1);
        stray = |(raw & NotSwitchQueue);
      end
      OP_COMPLETION: stray = |(raw & NotCompletion);
      OP_EXIT: begin
        check_op.field = (b['h0C] != 8'd1);
        stray = |(raw & NotExit);
      end
      // Halt, NoOp and the barrier carry their sync block only.
      default: stray = |(raw & NotBare);
    endcase
    check_op.reserved = check_op.reserved || stray;
  endfunction

  function automatic logic [4:0] lowest(input verdict_t v);
    if (v.unresolved) lowest = FAULT_UNRESOLVED;
    else if (v.reserved) lowest = FAULT_RESERVED;
    else if (v.field) lowest = FAULT_BAD_FIELD;
    else if (v.dtype) lowest = FAULT_BAD_DTYPE;
    else if (v.regid) lowest = FAULT_BAD_REG;
    else lowest = FAULT_NONE;
  endfunction

  // Bundles of the sequencer; those of the vector units: tpb_decode_vec_pkg.
  function automatic logic [4:0] decode(input logic [511:0] raw, input logic past_end,
                                        input logic gen2);
    /*verilator no_inline_task*/
    logic [7:0] op;
    verdict_t v;
    op = raw[7:0];
    if (past_end) begin
      decode = FAULT_END_OF_STREAM;
    end else if ((op == OP_TENSOR_LOAD_VAR) || (op == OP_TENSOR_SAVE_VAR)) begin
      decode = (raw[31:8] != 24'h00_0010) ? FAULT_BAD_HEADER : FAULT_UNRESOLVED;
    end else if (!op_built(op) || (gen2 && (op == OP_CORE_BARRIER))) begin
      decode = FAULT_ILLEGAL_OPCODE;
    end else if (raw[31:8] != 24'h00_0010) begin
      decode = FAULT_BAD_HEADER;
    end else begin
      v = check_op(raw);
      if (raw[95:32] != 64'd0) v = v | check_sync(op, raw[63:32], raw[95:64]);
      decode = lowest(v);
    end
  endfunction

  /* verilator lint_on UNUSEDSIGNAL */
endpackage
