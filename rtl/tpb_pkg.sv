// SPDX-License-Identifier: Apache-2.0
//
// Opcodes, enumerations, timing and constants.
// generated from isa/*.def by tpbgen, do not edit
package tpb_pkg;
  // A table is whole whether or not a design uses all of it.
  /* verilator lint_off UNUSEDPARAM */

  // Opcodes.
  localparam logic [7:0] OP_EVENT_SEMAPHORE = 8'hA0;
  localparam logic [7:0] OP_HALT = 8'hA1;
  localparam logic [7:0] OP_DRAIN = 8'hA2;
  localparam logic [7:0] OP_NOOP = 8'hA4;
  localparam logic [7:0] OP_REGISTER_MOVE = 8'hA7;
  localparam logic [7:0] OP_REGISTER_ALU = 8'hA8;
  localparam logic [7:0] OP_BRANCH = 8'hA9;
  localparam logic [7:0] OP_TENSOR_LOAD = 8'hAA;
  localparam logic [7:0] OP_TENSOR_SAVE = 8'hAB;
  localparam logic [7:0] OP_GROUP_RESET = 8'hB0;
  localparam logic [7:0] OP_TENSOR_SAVE_VAR = 8'hCD;
  localparam logic [7:0] OP_TENSOR_LOAD_VAR = 8'hCE;
  localparam logic [7:0] OP_RETURN = 8'hD2;
  localparam logic [7:0] OP_CALL = 8'hD3;
  localparam logic [7:0] OP_BARRIER = 8'hD5;
  localparam logic [7:0] OP_CORE_BARRIER = 8'hD8;
  localparam logic [7:0] OP_CUR_RANK = 8'hDB;
  localparam logic [7:0] OP_GLOBAL_RANK = 8'hDC;
  localparam logic [7:0] OP_BRANCH_HINT = 8'hDD;
  localparam logic [7:0] OP_COMPLETION = 8'hDE;
  localparam logic [7:0] OP_EXIT = 8'hDF;
  localparam logic [7:0] OP_DMA_TRIGGER = 8'hC1;
  localparam logic [7:0] OP_RESET_QUEUE = 8'hC2;
  localparam logic [7:0] OP_SWITCH_QUEUE = 8'hCF;
  localparam logic [7:0] OP_DMA_DIRECT = 8'hD4;

  // engine: hardware engine index, port order of every arbiter.
  localparam logic [2:0] ENGINE_PE = 3'h0;
  localparam logic [2:0] ENGINE_ACT = 3'h1;
  localparam logic [2:0] ENGINE_POOL = 3'h2;
  localparam logic [2:0] ENGINE_DVE = 3'h3;
  localparam logic [2:0] ENGINE_SP = 3'h4;

  // run: state of an engine's sequencer.
  localparam logic [2:0] RUN_RUN = 3'h0;
  localparam logic [2:0] RUN_EXITED = 3'h1;
  localparam logic [2:0] RUN_HALTED = 3'h2;
  localparam logic [2:0] RUN_FAULTED = 3'h3;
  localparam logic [2:0] RUN_ABSENT = 3'h4;

  // phase: what the bundle in the issue stage is doing.
  localparam logic [1:0] PHASE_ISSUE = 2'h0;
  localparam logic [1:0] PHASE_ALU = 2'h1;
  localparam logic [1:0] PHASE_REQ = 2'h2;
  localparam logic [1:0] PHASE_RESP = 2'h3;

  // fault: fault codes; the lowest applicable one is reported.
  localparam logic [4:0] FAULT_NONE = 5'h0;
  localparam logic [4:0] FAULT_END_OF_STREAM = 5'h1;
  localparam logic [4:0] FAULT_ILLEGAL_OPCODE = 5'h2;
  localparam logic [4:0] FAULT_BAD_HEADER = 5'h3;
  localparam logic [4:0] FAULT_UNRESOLVED = 5'h4;
  localparam logic [4:0] FAULT_RESERVED = 5'h5;
  localparam logic [4:0] FAULT_BAD_FIELD = 5'h6;
  localparam logic [4:0] FAULT_BAD_DTYPE = 5'h7;
  localparam logic [4:0] FAULT_BAD_REG = 5'h8;
  localparam logic [4:0] FAULT_MISALIGNED = 5'h9;
  localparam logic [4:0] FAULT_BAD_ADDR = 5'hA;
  localparam logic [4:0] FAULT_STACK_OVERFLOW = 5'hB;
  localparam logic [4:0] FAULT_STACK_UNDERFLOW = 5'hC;
  localparam logic [4:0] FAULT_DMA_QUEUE = 5'hD;
  localparam logic [4:0] FAULT_DMA_DESC = 5'hE;
  localparam logic [4:0] FAULT_DEADLOCK = 5'hF;
  localparam logic [4:0] FAULT_FRAME = 5'h10;
  localparam logic [4:0] FAULT_DIV_ZERO = 5'h11;

  // wait: wait mode byte; bit 7: the threshold is a register.
  localparam logic [7:0] WAIT_NONE = 8'h0;
  localparam logic [7:0] WAIT_EQ_IMM = 8'h1;
  localparam logic [7:0] WAIT_LT_IMM = 8'h2;
  localparam logic [7:0] WAIT_LE_IMM = 8'h3;
  localparam logic [7:0] WAIT_GT_IMM = 8'h4;
  localparam logic [7:0] WAIT_GE_IMM = 8'h5;
  localparam logic [7:0] WAIT_EVT_SET = 8'h6;
  localparam logic [7:0] WAIT_EVT_SET_CLR = 8'h7;
  localparam logic [7:0] WAIT_EVT_CLR = 8'hE;
  localparam logic [7:0] WAIT_EVT_CLR_SET = 8'hF;
  localparam logic [7:0] WAIT_EQ_REG = 8'h81;
  localparam logic [7:0] WAIT_LT_REG = 8'h82;
  localparam logic [7:0] WAIT_LE_REG = 8'h83;
  localparam logic [7:0] WAIT_GT_REG = 8'h84;
  localparam logic [7:0] WAIT_GE_REG = 8'h85;

  // update: update mode byte; bit 4: phase, bit 7: register operand.
  localparam logic [7:0] UPDATE_NONE = 8'h0;
  localparam logic [7:0] UPDATE_EVT_SET = 8'h1;
  localparam logic [7:0] UPDATE_EVT_CLR = 8'h2;
  localparam logic [7:0] UPDATE_INC = 8'h3;
  localparam logic [7:0] UPDATE_DEC = 8'h4;
  localparam logic [7:0] UPDATE_ADD_IMM = 8'h5;
  localparam logic [7:0] UPDATE_SUB_IMM = 8'h7;
  localparam logic [7:0] UPDATE_WR_IMM = 8'h9;
  localparam logic [7:0] UPDATE_EVT_SET_C = 8'h11;
  localparam logic [7:0] UPDATE_EVT_CLR_C = 8'h12;
  localparam logic [7:0] UPDATE_INC_C = 8'h13;
  localparam logic [7:0] UPDATE_DEC_C = 8'h14;
  localparam logic [7:0] UPDATE_ADD_IMM_C = 8'h15;
  localparam logic [7:0] UPDATE_SUB_IMM_C = 8'h17;
  localparam logic [7:0] UPDATE_WR_IMM_C = 8'h19;
  localparam logic [7:0] UPDATE_ADD_REG = 8'h85;
  localparam logic [7:0] UPDATE_SUB_REG = 8'h87;
  localparam logic [7:0] UPDATE_WR_REG = 8'h89;
  localparam logic [7:0] UPDATE_ADD_REG_C = 8'h95;
  localparam logic [7:0] UPDATE_SUB_REG_C = 8'h97;
  localparam logic [7:0] UPDATE_WR_REG_C = 8'h99;

  // dtype: dtype wire tag.
  localparam logic [7:0] DTYPE_UINT64 = 8'h1;
  localparam logic [7:0] DTYPE_INT8 = 8'h2;
  localparam logic [7:0] DTYPE_UINT8 = 8'h3;
  localparam logic [7:0] DTYPE_INT16 = 8'h4;
  localparam logic [7:0] DTYPE_UINT16 = 8'h5;
  localparam logic [7:0] DTYPE_BFLOAT16 = 8'h6;
  localparam logic [7:0] DTYPE_FLOAT16 = 8'h7;
  localparam logic [7:0] DTYPE_INT32 = 8'h8;
  localparam logic [7:0] DTYPE_UINT32 = 8'h9;
  localparam logic [7:0] DTYPE_FLOAT32 = 8'hA;
  localparam logic [7:0] DTYPE_FLOAT32R = 8'hB;
  localparam logic [7:0] DTYPE_INT64 = 8'hC;
  localparam logic [7:0] DTYPE_FP8E3 = 8'hD;
  localparam logic [7:0] DTYPE_FP8E4 = 8'hE;
  localparam logic [7:0] DTYPE_FP8E5 = 8'hF;
  localparam logic [7:0] DTYPE_FP4X4 = 8'h10;

  // alu: ALU operation wire byte.
  localparam logic [7:0] ALU_BYPASS = 8'h0;
  localparam logic [7:0] ALU_BITWISE_NOT = 8'h1;
  localparam logic [7:0] ALU_ARITH_SHL = 8'h2;
  localparam logic [7:0] ALU_ARITH_SHR = 8'h3;
  localparam logic [7:0] ALU_ADD = 8'h4;
  localparam logic [7:0] ALU_SUBTRACT = 8'h5;
  localparam logic [7:0] ALU_MULT = 8'h6;
  localparam logic [7:0] ALU_DIVIDE = 8'h7;
  localparam logic [7:0] ALU_MAX = 8'h8;
  localparam logic [7:0] ALU_MIN = 8'h9;
  localparam logic [7:0] ALU_BITWISE_AND = 8'hA;
  localparam logic [7:0] ALU_BITWISE_OR = 8'hB;
  localparam logic [7:0] ALU_BITWISE_XOR = 8'hC;
  localparam logic [7:0] ALU_LOGICAL_AND = 8'hD;
  localparam logic [7:0] ALU_LOGICAL_OR = 8'hE;
  localparam logic [7:0] ALU_LOGICAL_XOR = 8'hF;
  localparam logic [7:0] ALU_LOGICAL_SHL = 8'h10;
  localparam logic [7:0] ALU_LOGICAL_SHR = 8'h11;
  localparam logic [7:0] ALU_IS_EQUAL = 8'h12;
  localparam logic [7:0] ALU_IS_GT = 8'h13;
  localparam logic [7:0] ALU_IS_GE = 8'h14;
  localparam logic [7:0] ALU_IS_LE = 8'h15;
  localparam logic [7:0] ALU_IS_LT = 8'h16;
  localparam logic [7:0] ALU_NOT_EQUAL = 8'h18;
  localparam logic [7:0] ALU_ABS = 8'h19;
  localparam logic [7:0] ALU_POW = 8'h1A;
  localparam logic [7:0] ALU_MOD = 8'h1B;
  localparam logic [7:0] ALU_RSQRT = 8'h1D;
  localparam logic [7:0] ALU_ABS_MAX = 8'h20;
  localparam logic [7:0] ALU_ABS_MIN = 8'h21;
  localparam logic [7:0] ALU_ADD_INT = 8'hC4;
  localparam logic [7:0] ALU_MULT_INT = 8'hC5;
  localparam logic [7:0] ALU_SUBTRACT_INT = 8'hC6;
  localparam logic [7:0] ALU_DIVIDE_INT = 8'hC7;
  localparam logic [7:0] ALU_MOD_INT = 8'hC8;

  // cmp: branch compare byte; bit 3: right side is a register.
  localparam logic [7:0] CMP_ALWAYS = 8'h0;
  localparam logic [7:0] CMP_LT_IMM = 8'h1;
  localparam logic [7:0] CMP_LE_IMM = 8'h2;
  localparam logic [7:0] CMP_EQ_IMM = 8'h3;
  localparam logic [7:0] CMP_NE_IMM = 8'h4;
  localparam logic [7:0] CMP_GE_IMM = 8'h5;
  localparam logic [7:0] CMP_GT_IMM = 8'h6;
  localparam logic [7:0] CMP_LT_REG = 8'h9;
  localparam logic [7:0] CMP_LE_REG = 8'hA;
  localparam logic [7:0] CMP_EQ_REG = 8'hB;
  localparam logic [7:0] CMP_NE_REG = 8'hC;
  localparam logic [7:0] CMP_GE_REG = 8'hD;
  localparam logic [7:0] CMP_GT_REG = 8'hE;

  // clear: clear mode of GroupResetSemaphores.
  localparam logic [7:0] CLEAR_RANGE = 8'h1;
  localparam logic [7:0] CLEAR_MASK = 8'h2;

  // hint: branch outcome hint.
  localparam logic [7:0] HINT_LIKELY = 8'h0;
  localparam logic [7:0] HINT_UNLIKELY = 8'h1;

  // source: operand source of RegisterMove.
  localparam logic [7:0] SOURCE_REG = 8'h0;
  localparam logic [7:0] SOURCE_IMM = 8'h1;

  // marker: address marker of TensorLoad/TensorSave.
  localparam logic [7:0] MARKER_IMM = 8'h0;
  localparam logic [7:0] MARKER_REG = 8'h80;

  // Timing: docs/reference/timing.md.
  localparam logic [31:0] DRAM_LATENCY = 32'd8;
  localparam logic [31:0] WATCHDOG_LIMIT = 32'd1024;
  localparam logic [31:0] FIRST_ISSUE = 32'd2;
  localparam logic [31:0] BRANCH_LOST = 32'd1;
  localparam logic [31:0] POST_TO_ISSUE = 32'd1;
  localparam logic [31:0] MULT_CYCLES = 32'd2;
  localparam logic [31:0] DIV32_CYCLES = 32'd34;
  localparam logic [31:0] DIV64_CYCLES = 32'd66;
  localparam logic [31:0] SRAM_LOAD_CYCLES = 32'd4;
  localparam logic [31:0] SRAM_SAVE_CYCLES = 32'd2;
  localparam logic [31:0] DRAM_LOAD_CYCLES = 32'd11;

  // Constants of the generations.
  localparam logic [31:0] ARCH_LEVEL_GEN2 = 32'd20;
  localparam logic [31:0] ARCH_LEVEL_GEN3 = 32'd30;
  localparam logic [31:0] ARCH_LEVEL_GEN4 = 32'd40;
  localparam logic [31:0] SBUF_BYTES_GEN2 = 32'd196608;
  localparam logic [31:0] SBUF_BYTES_GEN3 = 32'd229376;
  localparam logic [31:0] SBUF_BYTES_GEN4 = 32'd262144;
  localparam logic [31:0] SBUF_PARTITIONS_GEN2 = 32'd128;
  localparam logic [31:0] SBUF_PARTITIONS_GEN3 = 32'd128;
  localparam logic [31:0] SBUF_PARTITIONS_GEN4 = 32'd128;
  localparam logic [31:0] PSUM_BANKS_GEN2 = 32'd8;
  localparam logic [31:0] PSUM_BANKS_GEN3 = 32'd8;
  localparam logic [31:0] PSUM_BANKS_GEN4 = 32'd8;
  localparam logic [31:0] PSUM_BANK_BYTES_GEN2 = 32'd2048;
  localparam logic [31:0] PSUM_BANK_BYTES_GEN3 = 32'd2048;
  localparam logic [31:0] PSUM_BANK_BYTES_GEN4 = 32'd2048;
  localparam logic [31:0] PSUM_PARTITIONS_GEN2 = 32'd128;
  localparam logic [31:0] PSUM_PARTITIONS_GEN3 = 32'd128;
  localparam logic [31:0] PSUM_PARTITIONS_GEN4 = 32'd128;

  // The machine of this tree executes the opcode.
  function automatic logic op_built(input logic [7:0] op);
    case (op)
      OP_EVENT_SEMAPHORE: op_built = 1'b1;
      OP_HALT: op_built = 1'b1;
      OP_DRAIN: op_built = 1'b1;
      OP_NOOP: op_built = 1'b1;
      OP_REGISTER_MOVE: op_built = 1'b1;
      OP_REGISTER_ALU: op_built = 1'b1;
      OP_BRANCH: op_built = 1'b1;
      OP_TENSOR_LOAD: op_built = 1'b1;
      OP_TENSOR_SAVE: op_built = 1'b1;
      OP_GROUP_RESET: op_built = 1'b1;
      OP_RETURN: op_built = 1'b1;
      OP_CALL: op_built = 1'b1;
      OP_BARRIER: op_built = 1'b1;
      OP_CORE_BARRIER: op_built = 1'b1;
      OP_CUR_RANK: op_built = 1'b1;
      OP_GLOBAL_RANK: op_built = 1'b1;
      OP_BRANCH_HINT: op_built = 1'b1;
      OP_COMPLETION: op_built = 1'b1;
      OP_EXIT: op_built = 1'b1;
      default: op_built = 1'b0;
    endcase
  endfunction

  // Bytes that the loaded form of a built opcode names, a bit a byte, with 0..11.
  function automatic logic [63:0] op_named(input logic [7:0] op);
    case (op)
      OP_EVENT_SEMAPHORE: op_named = 64'h00001FFF00000FFF;
      OP_HALT: op_named = 64'h0000000000000FFF;
      OP_DRAIN: op_named = 64'h0000010000000FFF;
      OP_NOOP: op_named = 64'h0000000000000FFF;
      OP_REGISTER_MOVE: op_named = 64'hFFFFFFFFFFFF7FFF;
      OP_REGISTER_ALU: op_named = 64'h00000000FF3FFFFF;
      OP_BRANCH: op_named = 64'h00FF0003000F7FFF;
      OP_TENSOR_LOAD: op_named = 64'hFFFFFFFFFFFFFFFF;
      OP_TENSOR_SAVE: op_named = 64'hFFFFFFFFFFFFFFFF;
      OP_GROUP_RESET: op_named = 64'hFFFFFFFF00007FFF;
      OP_RETURN: op_named = 64'h0000000000001FFF;
      OP_CALL: op_named = 64'h0FFF800000000FFF;
      OP_BARRIER: op_named = 64'h0000000000000FFF;
      OP_CORE_BARRIER: op_named = 64'h000FFFFF000FFFFF;
      OP_CUR_RANK: op_named = 64'h000080000F355FFF;
      OP_GLOBAL_RANK: op_named = 64'h0000000000801FFF;
      OP_BRANCH_HINT: op_named = 64'h00FF000000001FFF;
      OP_COMPLETION: op_named = 64'h000000000001FFFF;
      OP_EXIT: op_named = 64'h0000000000001FFF;
      default: op_named = 64'h0;
    endcase
  endfunction

  /* verilator lint_on UNUSEDPARAM */
endpackage
