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
  localparam logic [7:0] OP_DMA_HARDWARE = 8'hB8;
  localparam logic [7:0] OP_DMA_HW_INDIRECT = 8'hBB;
  localparam logic [7:0] OP_DMA_B2 = 8'hB2;
  localparam logic [7:0] OP_SBUF_COPY = 8'hBF;
  localparam logic [7:0] OP_DMA_INDIRECT = 8'hC4;
  localparam logic [7:0] OP_DMA_ACCUMULATE = 8'hCA;
  localparam logic [7:0] OP_DMA_BOUND = 8'hD6;
  localparam logic [7:0] OP_DMA_DYNAMIC = 8'hDA;
  localparam logic [7:0] OP_FLUSH = 8'hA3;
  localparam logic [7:0] OP_CSR_WRITE = 8'hA5;
  localparam logic [7:0] OP_NOTIFY = 8'hA6;
  localparam logic [7:0] OP_ORDERING = 8'hB1;
  localparam logic [7:0] OP_POLL_SEM = 8'hB3;
  localparam logic [7:0] OP_TEST_SEM = 8'hB4;
  localparam logic [7:0] OP_PREFETCH_HINT = 8'hB5;
  localparam logic [7:0] OP_BRANCH_LABEL = 8'hCC;
  localparam logic [7:0] OP_FUNCTION_BEGIN = 8'hD1;
  localparam logic [7:0] OP_ACT_LOAD_PSEUDO = 8'hC6;
  localparam logic [7:0] OP_LOAD_STATIONARY = 8'h01;
  localparam logic [7:0] OP_MATMUL = 8'h02;
  localparam logic [7:0] OP_LOAD_WEIGHT_MX = 8'h09;
  localparam logic [7:0] OP_MATMUL_MX = 8'h0A;
  localparam logic [7:0] OP_ACTIVATE = 8'h21;
  localparam logic [7:0] OP_ACT_LOAD = 8'h23;
  localparam logic [7:0] OP_ACT_READ_ACC = 8'h24;
  localparam logic [7:0] OP_ACTIVATE2 = 8'h25;
  localparam logic [7:0] OP_EXPONENTIAL = 8'h30;
  localparam logic [7:0] OP_TT_ARITH = 8'h41;
  localparam logic [7:0] OP_TR_ARITH = 8'h42;
  localparam logic [7:0] OP_TS_ARITH = 8'h43;
  localparam logic [7:0] OP_TSP_ARITH = 8'h44;
  localparam logic [7:0] OP_POOL = 8'h45;
  localparam logic [7:0] OP_COPY = 8'h46;
  localparam logic [7:0] OP_CAST = 8'h47;
  localparam logic [7:0] OP_RECIPROCAL = 8'h48;
  localparam logic [7:0] OP_MEMSET = 8'h49;
  localparam logic [7:0] OP_REG_LOAD = 8'h4A;
  localparam logic [7:0] OP_REG_STORE = 8'h4B;
  localparam logic [7:0] OP_RNG = 8'h4D;
  localparam logic [7:0] OP_TC_ARITH = 8'h4E;
  localparam logic [7:0] OP_TT_BITVEC = 8'h51;
  localparam logic [7:0] OP_TR_BITVEC = 8'h52;
  localparam logic [7:0] OP_TS_BITVEC = 8'h53;
  localparam logic [7:0] OP_TSP_BITVEC = 8'h54;
  localparam logic [7:0] OP_MAX_POOL_SELECT = 8'h58;
  localparam logic [7:0] OP_TC_BITVEC = 8'h5E;
  localparam logic [7:0] OP_BN_STATS_OLD = 8'h60;
  localparam logic [7:0] OP_BN_STATS = 8'h61;
  localparam logic [7:0] OP_BN_AGGREGATE = 8'h62;
  localparam logic [7:0] OP_BN_GRADIENTS = 8'h63;
  localparam logic [7:0] OP_BN_PARAM = 8'h64;
  localparam logic [7:0] OP_BN_BACKPROP = 8'h65;
  localparam logic [7:0] OP_LOAD_PARAM_RAM = 8'h66;
  localparam logic [7:0] OP_GATHER_LOAD = 8'h67;
  localparam logic [7:0] OP_GATHER = 8'h68;
  localparam logic [7:0] OP_SHUFFLE_MASK = 8'h69;
  localparam logic [7:0] OP_SHUFFLE = 8'h6A;
  localparam logic [7:0] OP_TRANSPOSE = 8'h6B;
  localparam logic [7:0] OP_MAX8 = 8'h6C;
  localparam logic [7:0] OP_MATCH_LOAD = 8'h6D;
  localparam logic [7:0] OP_FIND_INDEX8 = 8'h6E;
  localparam logic [7:0] OP_MATCH_REPLACE8 = 8'h6F;
  localparam logic [7:0] OP_COPY_PRED = 8'h72;
  localparam logic [7:0] OP_TS_ADDR = 8'h74;
  localparam logic [7:0] OP_RAND_GET_OLD = 8'h76;
  localparam logic [7:0] OP_RAND_GET = 8'h77;
  localparam logic [7:0] OP_RAND_SET = 8'h78;
  localparam logic [7:0] OP_CR_ARITH = 8'h7C;
  localparam logic [7:0] OP_CR_BITVEC = 8'h7D;
  localparam logic [7:0] OP_IOTA = 8'h7E;
  localparam logic [7:0] OP_DROPOUT = 8'h7F;
  localparam logic [7:0] OP_BN_STATS_T = 8'h82;
  localparam logic [7:0] OP_TR_ARITH_T = 8'h83;
  localparam logic [7:0] OP_TR_BITVEC_T = 8'h84;
  localparam logic [7:0] OP_TT_BF16_ADD = 8'h8A;
  localparam logic [7:0] OP_TT_BF16_MULT = 8'h8B;
  localparam logic [7:0] OP_TR_BF16_ADD = 8'h8C;
  localparam logic [7:0] OP_TR_BF16_MAX = 8'h8D;
  localparam logic [7:0] OP_BN_PARAM2 = 8'h8E;
  localparam logic [7:0] OP_TT_BF16_SUB = 8'h8F;
  localparam logic [7:0] OP_AFFINE_SELECT = 8'h92;
  localparam logic [7:0] OP_TS_ARITH_T = 8'h93;
  localparam logic [7:0] OP_BN_GRADIENTS2 = 8'h94;
  localparam logic [7:0] OP_TS_SELECT = 8'h98;
  localparam logic [7:0] OP_CAST_PRED = 8'h99;
  localparam logic [7:0] OP_TS_REDUCE = 8'h9A;
  localparam logic [7:0] OP_READ_ACC = 8'h9B;
  localparam logic [7:0] OP_STT_OLD = 8'h9C;
  localparam logic [7:0] OP_STT_ARITH = 8'h9D;
  localparam logic [7:0] OP_STT_BITVEC = 8'h9E;
  localparam logic [7:0] OP_ENGINE_NOP = 8'h9F;
  localparam logic [7:0] OP_RANGE_SELECT = 8'hBC;
  localparam logic [7:0] OP_SEQ_BOUNDS = 8'hBE;
  localparam logic [7:0] OP_RAND_SET_OLD = 8'hD0;
  localparam logic [7:0] OP_SPARSITY = 8'hE0;
  localparam logic [7:0] OP_SPARSITY_TAG = 8'hE1;
  localparam logic [7:0] OP_RAND2 = 8'hE2;
  localparam logic [7:0] OP_QUANTIZE_MX = 8'hE3;
  localparam logic [7:0] OP_TT_SCAN = 8'hE5;
  localparam logic [7:0] OP_TS_CUMULATIVE = 8'hE6;
  localparam logic [7:0] OP_INDIRECT_COPY = 8'hE7;
  localparam logic [7:0] OP_COPY_PRED_SCALAR = 8'hE8;
  localparam logic [7:0] OP_READ_INDICES = 8'hE9;
  localparam logic [7:0] OP_SELECT_REDUCE = 8'hEA;
  localparam logic [7:0] OP_EXTENDED = 8'hF0;
  localparam logic [7:0] OP_NONZERO_COUNT = 8'hF2;
  localparam logic [7:0] OP_PRED = 8'hF4;
  localparam logic [7:0] OP_EXEC = 8'hF5;
  localparam logic [7:0] OP_CF = 8'hF6;
  localparam logic [7:0] OP_RGN = 8'hF7;

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
  localparam logic [2:0] PHASE_ISSUE = 3'h0;
  localparam logic [2:0] PHASE_ALU = 3'h1;
  localparam logic [2:0] PHASE_REQ = 3'h2;
  localparam logic [2:0] PHASE_RESP = 3'h3;
  localparam logic [2:0] PHASE_VEC = 3'h4;
  localparam logic [2:0] PHASE_DMA = 3'h5;

  // vuop: what the issue stage of a vector unit does next.
  localparam logic [2:0] VUOP_IDLE = 3'h0;
  localparam logic [2:0] VUOP_SCAL = 3'h1;
  localparam logic [2:0] VUOP_ELEM = 3'h2;
  localparam logic [2:0] VUOP_EMIT = 3'h3;
  localparam logic [2:0] VUOP_DRAIN = 3'h4;

  // vbeat: kind of a beat of a vector unit.
  localparam logic [1:0] VBEAT_SCAL = 2'h0;
  localparam logic [1:0] VBEAT_ELEM = 2'h1;
  localparam logic [1:0] VBEAT_EMIT = 2'h2;

  // mover: what the mover of the DMA unit does.
  localparam logic [2:0] MOVER_IDLE = 3'h0;
  localparam logic [2:0] MOVER_BLOCK = 3'h1;
  localparam logic [2:0] MOVER_FETCH = 3'h2;
  localparam logic [2:0] MOVER_DESC = 3'h3;
  localparam logic [2:0] MOVER_CHECK = 3'h4;
  localparam logic [2:0] MOVER_MOVE = 3'h5;
  localparam logic [2:0] MOVER_POST = 3'h6;
  localparam logic [2:0] MOVER_DONE = 3'h7;

  // client: requester of a narrow memory access.
  localparam logic [2:0] CLIENT_PE = 3'h0;
  localparam logic [2:0] CLIENT_ACT = 3'h1;
  localparam logic [2:0] CLIENT_POOL = 3'h2;
  localparam logic [2:0] CLIENT_DVE = 3'h3;
  localparam logic [2:0] CLIENT_SP = 3'h4;
  localparam logic [2:0] CLIENT_DMA = 3'h5;

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

  // imm: kind of a scalar operand.
  localparam logic [7:0] IMM_INLINE = 8'h0;
  localparam logic [7:0] IMM_POINTER = 8'h1;
  localparam logic [7:0] IMM_REG = 8'h2;

  // bias: kind of the bias of an activation, its own order.
  localparam logic [7:0] BIAS_POINTER = 8'h0;
  localparam logic [7:0] BIAS_INLINE = 8'h1;
  localparam logic [7:0] BIAS_REG = 8'h2;

  // acc: accumulator command.
  localparam logic [7:0] ACC_IDLE = 8'h0;
  localparam logic [7:0] ACC_ZERO = 8'h1;
  localparam logic [7:0] ACC_ACCUMULATE = 8'h2;
  localparam logic [7:0] ACC_ZERO_ACC = 8'h3;
  localparam logic [7:0] ACC_LOAD_ACC = 8'h4;

  // axis: free axes of a reduction.
  localparam logic [7:0] AXIS_X = 8'h2;
  localparam logic [7:0] AXIS_XY = 8'h3;
  localparam logic [7:0] AXIS_XYZ = 8'h4;
  localparam logic [7:0] AXIS_XYZW = 8'h5;

  // cross: command of a reduction across partitions.
  localparam logic [7:0] CROSS_ADD = 8'h0;
  localparam logic [7:0] CROSS_AVERAGE = 8'h1;
  localparam logic [7:0] CROSS_MAX = 8'h2;
  localparam logic [7:0] CROSS_OR = 8'h3;
  localparam logic [7:0] CROSS_AND = 8'h4;
  localparam logic [7:0] CROSS_XOR = 8'h5;

  // cross_axis: axis of a reduction across partitions.
  localparam logic [7:0] CROSS_AXIS_XYZWC = 8'h0;
  localparam logic [7:0] CROSS_AXIS_C = 8'h1;

  // pool: function of a pool bundle.
  localparam logic [7:0] POOL_MAX = 8'h1;
  localparam logic [7:0] POOL_AVG = 8'h2;

  // dropout: meaning of the threshold of a dropout.
  localparam logic [7:0] DROPOUT_DROP = 8'h0;
  localparam logic [7:0] DROPOUT_KEEP = 8'h1;

  // rng_algo: random algorithm byte.
  localparam logic [7:0] RNG_ALGO_LFSR = 8'h0;
  localparam logic [7:0] RNG_ALGO_PCG32 = 8'h1;
  localparam logic [7:0] RNG_ALGO_PHILOX = 8'h2;
  localparam logic [7:0] RNG_ALGO_XORWOW = 8'h3;

  // random: distribution of a random op.
  localparam logic [7:0] RANDOM_RAW = 8'h0;
  localparam logic [7:0] RANDOM_UNIFORM = 8'h1;
  localparam logic [7:0] RANDOM_NORMAL = 8'h2;
  localparam logic [7:0] RANDOM_BINOMIAL = 8'h3;

  // mask: mask mode, bits 1:0 of byte +0x02 of a vector bundle.
  localparam logic [1:0] MASK_EXEC = 2'h0;
  localparam logic [1:0] MASK_ZERO = 2'h1;
  localparam logic [1:0] MASK_PRED = 2'h2;
  localparam logic [1:0] MASK_ALL = 2'h3;

  // act: function code of an activation.
  localparam logic [7:0] ACT_IDENTITY = 8'h1;
  localparam logic [7:0] ACT_RELU = 8'h2;
  localparam logic [7:0] ACT_LRELU = 8'h3;
  localparam logic [7:0] ACT_PRELU = 8'h4;
  localparam logic [7:0] ACT_SIGMOID = 8'h5;
  localparam logic [7:0] ACT_TANH = 8'h6;
  localparam logic [7:0] ACT_EXP = 8'h7;
  localparam logic [7:0] ACT_SQRT = 8'h8;
  localparam logic [7:0] ACT_SOFTPLUS = 8'h9;
  localparam logic [7:0] ACT_LN = 8'hA;
  localparam logic [7:0] ACT_SIN = 8'h13;
  localparam logic [7:0] ACT_ERF = 8'h15;
  localparam logic [7:0] ACT_D_ERF = 8'h16;
  localparam logic [7:0] ACT_GELU = 8'h17;
  localparam logic [7:0] ACT_MISH = 8'h18;
  localparam logic [7:0] ACT_GELU_TANH = 8'h19;
  localparam logic [7:0] ACT_GELU_SIG = 8'h1A;
  localparam logic [7:0] ACT_ARCTAN = 8'h1C;
  localparam logic [7:0] ACT_RSQRT = 8'h1D;
  localparam logic [7:0] ACT_SQUARE = 8'h1E;
  localparam logic [7:0] ACT_SIGN = 8'h1F;
  localparam logic [7:0] ACT_D_GELU = 8'h20;
  localparam logic [7:0] ACT_ABS = 8'h21;
  localparam logic [7:0] ACT_ABS_RSQRT = 8'h22;
  localparam logic [7:0] ACT_IS_FINITE = 8'h23;
  localparam logic [7:0] ACT_SILU = 8'h24;
  localparam logic [7:0] ACT_D_SILU = 8'h25;
  localparam logic [7:0] ACT_D_GELU_SIG = 8'h26;
  localparam logic [7:0] ACT_COPY = 8'h80;
  localparam logic [7:0] ACT_RECIPROCAL = 8'h81;

  // addr4: marker in the top byte of a 32-bit operand address.
  localparam logic [7:0] ADDR4_IMM = 8'h0;
  localparam logic [7:0] ADDR4_INDIRECT = 8'h20;
  localparam logic [7:0] ADDR4_SHAPE_REG = 8'h40;
  localparam logic [7:0] ADDR4_REG = 8'h80;
  localparam logic [7:0] ADDR4_INDIRECT_REG = 8'hA0;
  localparam logic [7:0] ADDR4_BOTH_REG = 8'hC0;

  // addr8: mode in the top byte of a DMA address.
  localparam logic [7:0] ADDR8_UNIFIED = 8'h0;
  localparam logic [7:0] ADDR8_STATIC = 8'h10;
  localparam logic [7:0] ADDR8_TABLE = 8'h20;
  localparam logic [7:0] ADDR8_REG = 8'h28;
  localparam logic [7:0] ADDR8_PAIR = 8'h2C;

  // dge: kind byte of a DMA descriptor.
  localparam logic [7:0] DGE_PLAIN = 8'h0;
  localparam logic [7:0] DGE_INDIRECT = 8'h1;
  localparam logic [7:0] DGE_TRANSPOSE = 8'h2;
  localparam logic [7:0] DGE_GATHER_TRANSPOSE = 8'h3;

  // dma_op: compute op of the hardware descriptor.
  localparam logic [7:0] DMA_OP_NONE = 8'h0;
  localparam logic [7:0] DMA_OP_ADD = 8'h1;
  localparam logic [7:0] DMA_OP_MULT = 8'h2;
  localparam logic [7:0] DMA_OP_MAX = 8'h3;
  localparam logic [7:0] DMA_OP_MIN = 8'h4;

  // rmw: read-modify-write of an accumulating transfer.
  localparam logic [7:0] RMW_COPY = 8'h0;
  localparam logic [7:0] RMW_ADD = 8'h1;
  localparam logic [7:0] RMW_MIN = 8'h2;
  localparam logic [7:0] RMW_MAX = 8'h3;

  // copy_mode: what a DMA copy does.
  localparam logic [7:0] COPY_MODE_COPY = 8'h0;
  localparam logic [7:0] COPY_MODE_TRANSPOSE = 8'h1;
  localparam logic [7:0] COPY_MODE_CCE = 8'h2;
  localparam logic [7:0] COPY_MODE_REPLICATE = 8'h3;

  // queue_type: type of a DMA queue.
  localparam logic [7:0] QUEUE_TYPE_INPUT = 8'h0;
  localparam logic [7:0] QUEUE_TYPE_OUTPUT = 8'h1;
  localparam logic [7:0] QUEUE_TYPE_DATA = 8'h2;
  localparam logic [7:0] QUEUE_TYPE_PINNED_WEIGHT = 8'h3;
  localparam logic [7:0] QUEUE_TYPE_INDIRECT = 8'h4;
  localparam logic [7:0] QUEUE_TYPE_EMBEDDING = 8'h5;
  localparam logic [7:0] QUEUE_TYPE_COLLECTIVE = 8'h6;
  localparam logic [7:0] QUEUE_TYPE_ACT_TABLE = 8'h7;
  localparam logic [7:0] QUEUE_TYPE_DYNAMIC = 8'h8;

  // bir_engine: EngineType of the IR.
  localparam logic [7:0] BIR_ENGINE_NONE = 8'h0;
  localparam logic [7:0] BIR_ENGINE_POOL = 8'h1;
  localparam logic [7:0] BIR_ENGINE_ACT = 8'h2;
  localparam logic [7:0] BIR_ENGINE_PE = 8'h3;
  localparam logic [7:0] BIR_ENGINE_DMA = 8'h4;
  localparam logic [7:0] BIR_ENGINE_DVE = 8'h5;
  localparam logic [7:0] BIR_ENGINE_SP = 8'h6;
  localparam logic [7:0] BIR_ENGINE_ALL = 8'h7;

  // klr_engine: engine numbers of the kernel language.
  localparam logic [7:0] KLR_ENGINE_ACT = 8'h2;
  localparam logic [7:0] KLR_ENGINE_DMA = 8'h3;
  localparam logic [7:0] KLR_ENGINE_DVE = 8'h4;
  localparam logic [7:0] KLR_ENGINE_PE = 8'h5;
  localparam logic [7:0] KLR_ENGINE_POOL = 8'h6;
  localparam logic [7:0] KLR_ENGINE_SP = 8'h7;

  // sync_class: InstSyncType.
  localparam logic [7:0] SYNC_CLASS_DATAPATH = 8'h0;
  localparam logic [7:0] SYNC_CLASS_SEQUENCER = 8'h1;
  localparam logic [7:0] SYNC_CLASS_DMA = 8'h2;

  // sync_ref: what a wait or update refers to.
  localparam logic [7:0] SYNC_REF_EVENT = 8'h0;
  localparam logic [7:0] SYNC_REF_SEMAPHORE = 8'h1;

  // memory_type: MemoryType, bit flags.
  localparam logic [7:0] MEMORY_TYPE_UNALLOCATED = 8'h1;
  localparam logic [7:0] MEMORY_TYPE_INPUT = 8'h2;
  localparam logic [7:0] MEMORY_TYPE_OUTPUT = 8'h4;
  localparam logic [7:0] MEMORY_TYPE_DRAM = 8'h8;
  localparam logic [7:0] MEMORY_TYPE_SB = 8'h10;
  localparam logic [7:0] MEMORY_TYPE_PSUM = 8'h20;
  localparam logic [7:0] MEMORY_TYPE_RNGSTATE = 8'h40;
  localparam logic [7:0] MEMORY_TYPE_REG = 8'h80;

  // space: MemoryAddressSpace of DRAM.
  localparam logic [7:0] SPACE_LOCAL = 8'h0;
  localparam logic [7:0] SPACE_SHARED = 8'h1;
  localparam logic [7:0] SPACE_DEBUG = 8'h2;

  // ap_kind: kind of an access pattern.
  localparam logic [7:0] AP_KIND_PHYSICAL = 8'h1;
  localparam logic [7:0] AP_KIND_SYMBOLIC = 8'h2;
  localparam logic [7:0] AP_KIND_REGISTER = 8'h3;

  // arg_kind: kind of an argument.
  localparam logic [7:0] ARG_KIND_REGISTER_AP = 8'h3;
  localparam logic [7:0] ARG_KIND_IMMEDIATE = 8'h6;
  localparam logic [7:0] ARG_KIND_SYMBOLIC = 8'h7;
  localparam logic [7:0] ARG_KIND_ARRAY = 8'h8;
  localparam logic [7:0] ARG_KIND_REGISTER = 8'hB;

  // dge_type: DGEType.
  localparam logic [7:0] DGE_TYPE_NONE = 8'h0;
  localparam logic [7:0] DGE_TYPE_SWDGE = 8'h1;
  localparam logic [7:0] DGE_TYPE_HWDGE = 8'h2;
  localparam logic [7:0] DGE_TYPE_UNASSIGNED = 8'h3;

  // tsc_mode: TSCMode.
  localparam logic [7:0] TSC_MODE_REDUCE = 8'h0;
  localparam logic [7:0] TSC_MODE_CUMULATIVE = 8'h1;
  localparam logic [7:0] TSC_MODE_SCAN = 8'h2;

  // memset_mode: MemsetMode.
  localparam logic [7:0] MEMSET_MODE_CONST = 8'h0;
  localparam logic [7:0] MEMSET_MODE_RANDOM = 8'h1;

  // bir_pool: PoolFunction of the IR; the wire byte is one more.
  localparam logic [7:0] BIR_POOL_MAX = 8'h0;
  localparam logic [7:0] BIR_POOL_AVG = 8'h1;

  // klr_dropout: DropoutThresholdType of the kernel language.
  localparam logic [7:0] KLR_DROPOUT_DROP = 8'h1;
  localparam logic [7:0] KLR_DROPOUT_KEEP = 8'h2;

  // encode: CodeGenMode of the encoder.
  localparam logic [7:0] ENCODE_COLLECT = 8'h0;
  localparam logic [7:0] ENCODE_GENERATE = 8'h1;
  localparam logic [7:0] ENCODE_CHECK = 8'h2;

  // debug_cmd: debug command, header byte +0x02 of the runtime.
  localparam logic [7:0] DEBUG_CMD_NONE = 8'h0;
  localparam logic [7:0] DEBUG_CMD_NOTIFY = 8'h1;
  localparam logic [7:0] DEBUG_CMD_START = 8'h3;
  localparam logic [7:0] DEBUG_CMD_FINISH = 8'h5;
  localparam logic [7:0] DEBUG_CMD_START_END = 8'h7;
  localparam logic [7:0] DEBUG_CMD_INS_FIELD = 8'h9;

  // pred_op: sub-operation of a predicate bundle.
  localparam logic [5:0] PRED_OP_CMP = 6'h0;
  localparam logic [5:0] PRED_OP_AND = 6'h1;
  localparam logic [5:0] PRED_OP_OR = 6'h2;
  localparam logic [5:0] PRED_OP_ANDN = 6'h3;
  localparam logic [5:0] PRED_OP_XOR = 6'h4;
  localparam logic [5:0] PRED_OP_NOT = 6'h5;
  localparam logic [5:0] PRED_OP_MOV = 6'h6;
  localparam logic [5:0] PRED_OP_CLR = 6'h7;
  localparam logic [5:0] PRED_OP_SET = 6'h8;
  localparam logic [5:0] PRED_OP_TAIL = 6'h9;
  localparam logic [5:0] PRED_OP_SBF = 6'hA;
  localparam logic [5:0] PRED_OP_FIRST = 6'hB;
  localparam logic [5:0] PRED_OP_COUNT = 6'hC;
  localparam logic [5:0] PRED_OP_FROMTILE = 6'hD;
  localparam logic [5:0] PRED_OP_TOTILE = 6'hE;

  // exec_op: sub-operation of an EXEC bundle.
  localparam logic [5:0] EXEC_OP_SAVE_AND = 6'h0;
  localparam logic [5:0] EXEC_OP_SAVE_ANDN = 6'h1;
  localparam logic [5:0] EXEC_OP_ELSE = 6'h2;
  localparam logic [5:0] EXEC_OP_RESTORE = 6'h3;
  localparam logic [5:0] EXEC_OP_BREAK = 6'h4;
  localparam logic [5:0] EXEC_OP_EXIT = 6'h5;
  localparam logic [5:0] EXEC_OP_AND = 6'h6;
  localparam logic [5:0] EXEC_OP_READ = 6'h7;
  localparam logic [5:0] EXEC_OP_BZ = 6'h8;
  localparam logic [5:0] EXEC_OP_BNZ = 6'h9;

  // cf_op: sub-operation of a control-frame bundle.
  localparam logic [5:0] CF_OP_IF = 6'h0;
  localparam logic [5:0] CF_OP_IFN = 6'h1;
  localparam logic [5:0] CF_OP_ELSE = 6'h2;
  localparam logic [5:0] CF_OP_LOOP = 6'h3;
  localparam logic [5:0] CF_OP_LOOPN = 6'h4;
  localparam logic [5:0] CF_OP_TEST = 6'h5;
  localparam logic [5:0] CF_OP_BREAK = 6'h6;
  localparam logic [5:0] CF_OP_CONT = 6'h7;
  localparam logic [5:0] CF_OP_LATCH = 6'h8;
  localparam logic [5:0] CF_OP_NEXT = 6'h9;
  localparam logic [5:0] CF_OP_END = 6'hA;

  // rgn_op: sub-operation of a region bundle.
  localparam logic [5:0] RGN_OP_BEGIN = 6'h0;
  localparam logic [5:0] RGN_OP_STRIP = 6'h1;
  localparam logic [5:0] RGN_OP_END = 6'h2;

  // region: mode of a region.
  localparam logic [7:0] REGION_SEQ = 8'h0;
  localparam logic [7:0] REGION_PAR = 8'h1;

  // cc: compare code of a predicate compare.
  localparam logic [3:0] CC_EQ = 4'h0;
  localparam logic [3:0] CC_NE = 4'h1;
  localparam logic [3:0] CC_LT = 4'h2;
  localparam logic [3:0] CC_LE = 4'h3;
  localparam logic [3:0] CC_GT = 4'h4;
  localparam logic [3:0] CC_GE = 4'h5;
  localparam logic [3:0] CC_UNO = 4'h6;

  // cmp_type: type of a predicate compare.
  localparam logic [3:0] CMP_TYPE_SIGNED = 4'h0;
  localparam logic [3:0] CMP_TYPE_UNSIGNED = 4'h1;
  localparam logic [3:0] CMP_TYPE_FLOAT = 4'h2;

  // operand: operand kind of a predicate bundle.
  localparam logic [3:0] OPERAND_TILE = 4'h0;
  localparam logic [3:0] OPERAND_REG = 4'h1;
  localparam logic [3:0] OPERAND_IMM = 4'h2;

  // frame_kind: kind of a control frame.
  localparam logic [1:0] FRAME_KIND_NONE = 2'h0;
  localparam logic [1:0] FRAME_KIND_IF = 2'h1;
  localparam logic [1:0] FRAME_KIND_SHORT = 2'h2;
  localparam logic [1:0] FRAME_KIND_LOOP = 2'h3;

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
  localparam logic [31:0] VEC_FIXED_CYCLES = 32'd7;

  // Constants of the generations.
  localparam logic [31:0] ARCH_LEVEL_GEN2 = 32'd20;
  localparam logic [31:0] ARCH_LEVEL_GEN3 = 32'd30;
  localparam logic [31:0] ARCH_LEVEL_GEN4 = 32'd40;
  localparam logic [31:0] SBUF_PARTITIONS_GEN2 = 32'd128;
  localparam logic [31:0] SBUF_PARTITIONS_GEN3 = 32'd128;
  localparam logic [31:0] SBUF_PARTITIONS_GEN4 = 32'd128;
  localparam logic [31:0] SBUF_BYTES_GEN2 = 32'd196608;
  localparam logic [31:0] SBUF_BYTES_GEN3 = 32'd229376;
  localparam logic [31:0] SBUF_BYTES_GEN4 = 32'd262144;
  localparam logic [31:0] SBUF_STRIDE_GEN2 = 32'd262144;
  localparam logic [31:0] SBUF_STRIDE_GEN3 = 32'd262144;
  localparam logic [31:0] SBUF_STRIDE_GEN4 = 32'd262144;
  localparam logic [31:0] SBUF_MIDDLE_GEN2 = 32'd64;
  localparam logic [31:0] SBUF_MIDDLE_GEN3 = 32'd64;
  localparam logic [31:0] SBUF_MIDDLE_GEN4 = 32'd64;
  localparam logic [31:0] SBUF_RESERVED_GEN2 = 32'd16384;
  localparam logic [31:0] SBUF_RESERVED_GEN3 = 32'd16392;
  localparam logic [31:0] SBUF_RESERVED_GEN4 = 32'd16392;
  localparam logic [31:0] SBUF_WORD_GEN2 = 32'd8;
  localparam logic [31:0] SBUF_WORD_GEN3 = 32'd8;
  localparam logic [31:0] SBUF_WORD_GEN4 = 32'd8;
  localparam logic [31:0] PSUM_PARTITIONS_GEN2 = 32'd128;
  localparam logic [31:0] PSUM_PARTITIONS_GEN3 = 32'd128;
  localparam logic [31:0] PSUM_PARTITIONS_GEN4 = 32'd128;
  localparam logic [31:0] PSUM_BANKS_GEN2 = 32'd8;
  localparam logic [31:0] PSUM_BANKS_GEN3 = 32'd8;
  localparam logic [31:0] PSUM_BANKS_GEN4 = 32'd8;
  localparam logic [31:0] PSUM_BANK_BYTES_GEN2 = 32'd2048;
  localparam logic [31:0] PSUM_BANK_BYTES_GEN3 = 32'd2048;
  localparam logic [31:0] PSUM_BANK_BYTES_GEN4 = 32'd2048;
  localparam logic [31:0] PSUM_BYTES_GEN2 = 32'd16384;
  localparam logic [31:0] PSUM_BYTES_GEN3 = 32'd16384;
  localparam logic [31:0] PSUM_BYTES_GEN4 = 32'd16384;
  localparam logic [31:0] PSUM_STRIDE_GEN2 = 32'd32768;
  localparam logic [31:0] PSUM_STRIDE_GEN3 = 32'd32768;
  localparam logic [31:0] PSUM_STRIDE_GEN4 = 32'd32768;
  localparam logic [31:0] PSUM_BASE_GEN2 = 32'd33554432;
  localparam logic [31:0] PSUM_BASE_GEN3 = 32'd33554432;
  localparam logic [31:0] PSUM_BASE_GEN4 = 32'd33554432;
  localparam logic [31:0] PSUM_WINDOW_GEN2 = 32'd4194304;
  localparam logic [31:0] PSUM_WINDOW_GEN3 = 32'd4194304;
  localparam logic [31:0] PSUM_WINDOW_GEN4 = 32'd4194304;
  localparam logic [31:0] PE_ROWS_GEN2 = 32'd128;
  localparam logic [31:0] PE_ROWS_GEN3 = 32'd128;
  localparam logic [31:0] PE_ROWS_GEN4 = 32'd128;
  localparam logic [31:0] PE_COLS_GEN2 = 32'd128;
  localparam logic [31:0] PE_COLS_GEN3 = 32'd128;
  localparam logic [31:0] PE_COLS_GEN4 = 32'd128;
  localparam logic [31:0] POOL_CHANNELS_GEN2 = 32'd128;
  localparam logic [31:0] POOL_CHANNELS_GEN3 = 32'd128;
  localparam logic [31:0] POOL_CHANNELS_GEN4 = 32'd128;
  localparam logic [31:0] ACT_CHANNELS_GEN2 = 32'd128;
  localparam logic [31:0] ACT_CHANNELS_GEN3 = 32'd128;
  localparam logic [31:0] ACT_CHANNELS_GEN4 = 32'd128;
  localparam logic [31:0] QUADRANT_GEN2 = 32'd32;
  localparam logic [31:0] QUADRANT_GEN3 = 32'd32;
  localparam logic [31:0] QUADRANT_GEN4 = 32'd32;
  localparam logic [31:0] INDIRECT_GROUP_GEN2 = 32'd16;
  localparam logic [31:0] INDIRECT_GROUP_GEN3 = 32'd16;
  localparam logic [31:0] INDIRECT_GROUP_GEN4 = 32'd16;
  localparam logic [31:0] HBM_CORE_GIB_GEN2 = 32'd16;
  localparam logic [31:0] HBM_CORE_GIB_GEN3 = 32'd24;
  localparam logic [31:0] HBM_CORE_GIB_GEN4 = 32'd36;
  localparam logic [31:0] HBM_DEVICE_GIB_GEN2 = 32'd32;
  localparam logic [31:0] HBM_DEVICE_GIB_GEN3 = 32'd24;
  localparam logic [31:0] HBM_DEVICE_GIB_GEN4 = 32'd36;
  localparam logic [31:0] CORES_DEVICE_GEN2 = 32'd2;
  localparam logic [31:0] CORES_DEVICE_GEN3 = 32'd2;
  localparam logic [31:0] CORES_DEVICE_GEN4 = 32'd2;
  localparam logic [31:0] DEVICES_BOARD_GEN2 = 32'd2;
  localparam logic [31:0] DEVICES_BOARD_GEN3 = 32'd2;
  localparam logic [31:0] DEVICES_BOARD_GEN4 = 32'd2;
  localparam logic [31:0] ENGINE_COPIES_GEN2 = 32'd1;
  localparam logic [31:0] ENGINE_COPIES_GEN3 = 32'd1;
  localparam logic [31:0] ENGINE_COPIES_GEN4 = 32'd1;
  localparam logic [31:0] SEMAPHORES_GEN2 = 32'd256;
  localparam logic [31:0] SEMAPHORES_GEN3 = 32'd256;
  localparam logic [31:0] SEMAPHORES_GEN4 = 32'd256;
  localparam logic [31:0] EVENTS_GEN2 = 32'd256;
  localparam logic [31:0] EVENTS_GEN3 = 32'd256;
  localparam logic [31:0] EVENTS_GEN4 = 32'd256;
  localparam logic [31:0] RESERVED_SEMAPHORES_GEN2 = 32'd3;
  localparam logic [31:0] RESERVED_SEMAPHORES_GEN3 = 32'd3;
  localparam logic [31:0] RESERVED_SEMAPHORES_GEN4 = 32'd3;
  localparam logic [31:0] RESERVED_EVENTS_GEN2 = 32'd12;
  localparam logic [31:0] RESERVED_EVENTS_GEN3 = 32'd12;
  localparam logic [31:0] RESERVED_EVENTS_GEN4 = 32'd12;
  localparam logic [31:0] REGISTERS_GEN2 = 32'd64;
  localparam logic [31:0] REGISTERS_GEN3 = 32'd64;
  localparam logic [31:0] REGISTERS_GEN4 = 32'd64;
  localparam logic [31:0] ALLOC_REGISTERS_GEN2 = 32'd62;
  localparam logic [31:0] ALLOC_REGISTERS_GEN3 = 32'd62;
  localparam logic [31:0] ALLOC_REGISTERS_GEN4 = 32'd62;
  localparam logic [31:0] DMA_QUEUES_GEN2 = 32'd176;
  localparam logic [31:0] DMA_QUEUES_GEN3 = 32'd176;
  localparam logic [31:0] DMA_QUEUES_GEN4 = 32'd176;
  localparam logic [31:0] HWDGE_QUEUES_GEN2 = 32'd2;
  localparam logic [31:0] HWDGE_QUEUES_GEN3 = 32'd2;
  localparam logic [31:0] HWDGE_QUEUES_GEN4 = 32'd2;
  localparam logic [31:0] DMA_PACKET_DESCS_GEN2 = 32'd64;
  localparam logic [31:0] DMA_PACKET_DESCS_GEN3 = 32'd64;
  localparam logic [31:0] DMA_PACKET_DESCS_GEN4 = 32'd64;
  localparam logic [31:0] DMA_MAX_TRANSFER_GEN2 = 32'd65536;
  localparam logic [31:0] DMA_MAX_TRANSFER_GEN3 = 32'd65536;
  localparam logic [31:0] DMA_MAX_TRANSFER_GEN4 = 32'd65536;
  localparam logic [31:0] DMA_ENGINE_TILE_GEN2 = 32'd4096;
  localparam logic [31:0] DMA_ENGINE_TILE_GEN3 = 32'd4096;
  localparam logic [31:0] DMA_ENGINE_TILE_GEN4 = 32'd4096;
  localparam logic [31:0] DMA_CCE_SOURCES_GEN2 = 32'd16;
  localparam logic [31:0] DMA_CCE_SOURCES_GEN3 = 32'd16;
  localparam logic [31:0] DMA_CCE_SOURCES_GEN4 = 32'd16;
  localparam logic [31:0] DMA_ENGINES_GEN2 = 32'd16;
  localparam logic [31:0] DMA_ENGINES_GEN3 = 32'd16;
  localparam logic [31:0] DMA_ENGINES_GEN4 = 32'd16;
  localparam logic [31:0] DMA_WIDTH_GEN2 = 32'd32;
  localparam logic [31:0] DMA_WIDTH_GEN3 = 32'd32;
  localparam logic [31:0] DMA_WIDTH_GEN4 = 32'd32;
  localparam logic [31:0] SWDGE_BLOCK_DESCS_GEN2 = 32'd1020;
  localparam logic [31:0] SWDGE_BLOCK_DESCS_GEN3 = 32'd1020;
  localparam logic [31:0] SWDGE_BLOCK_DESCS_GEN4 = 32'd1020;
  localparam logic [31:0] HWDGE_BLOCK_DESCS_GEN2 = 32'd65520;
  localparam logic [31:0] HWDGE_BLOCK_DESCS_GEN3 = 32'd65520;
  localparam logic [31:0] HWDGE_BLOCK_DESCS_GEN4 = 32'd65520;
  localparam logic [31:0] DMA_QUEUE_DEPTH_GEN2 = 32'd16;
  localparam logic [31:0] DMA_QUEUE_DEPTH_GEN3 = 32'd16;
  localparam logic [31:0] DMA_QUEUE_DEPTH_GEN4 = 32'd16;
  localparam logic [31:0] DGE_ENTRIES_GEN2 = 32'd64;
  localparam logic [31:0] DGE_ENTRIES_GEN3 = 32'd64;
  localparam logic [31:0] DGE_ENTRIES_GEN4 = 32'd64;
  localparam logic [31:0] ACT_TABLES_GEN2 = 32'd8;
  localparam logic [31:0] ACT_TABLES_GEN3 = 32'd8;
  localparam logic [31:0] ACT_TABLES_GEN4 = 32'd8;
  localparam logic [31:0] COST_CLOCK_GEN2 = 32'd140;
  localparam logic [31:0] COST_CLOCK_GEN3 = 32'd120;
  localparam logic [31:0] COST_CLOCK_GEN4 = 32'd120;
  localparam logic [31:0] COST_CLOCK_DVE_GEN2 = 32'd112;
  localparam logic [31:0] COST_CLOCK_DVE_GEN3 = 32'd96;
  localparam logic [31:0] COST_CLOCK_DVE_GEN4 = 32'd120;
  localparam logic [31:0] LNC_GEN2 = 32'd1;
  localparam logic [31:0] LNC_GEN3 = 32'd2;
  localparam logic [31:0] LNC_GEN4 = 32'd2;
  localparam logic [31:0] PREDICATES_GEN2 = 32'd0;
  localparam logic [31:0] PREDICATES_GEN3 = 32'd8;
  localparam logic [31:0] PREDICATES_GEN4 = 32'd8;
  localparam logic [31:0] SIMT_LANES_GEN2 = 32'd0;
  localparam logic [31:0] SIMT_LANES_GEN3 = 32'd32;
  localparam logic [31:0] SIMT_LANES_GEN4 = 32'd32;
  localparam logic [31:0] FRAMES_GEN2 = 32'd0;
  localparam logic [31:0] FRAMES_GEN3 = 32'd8;
  localparam logic [31:0] FRAMES_GEN4 = 32'd8;

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
      OP_DMA_TRIGGER: op_built = 1'b1;
      OP_RESET_QUEUE: op_built = 1'b1;
      OP_SWITCH_QUEUE: op_built = 1'b1;
      OP_TT_ARITH: op_built = 1'b1;
      OP_TR_ARITH: op_built = 1'b1;
      OP_TS_ARITH: op_built = 1'b1;
      OP_COPY: op_built = 1'b1;
      OP_CAST: op_built = 1'b1;
      OP_RECIPROCAL: op_built = 1'b1;
      OP_MEMSET: op_built = 1'b1;
      OP_TT_BITVEC: op_built = 1'b1;
      OP_TR_BITVEC: op_built = 1'b1;
      OP_TS_BITVEC: op_built = 1'b1;
      OP_MAX8: op_built = 1'b1;
      OP_MATCH_LOAD: op_built = 1'b1;
      OP_FIND_INDEX8: op_built = 1'b1;
      OP_MATCH_REPLACE8: op_built = 1'b1;
      OP_COPY_PRED: op_built = 1'b1;
      OP_IOTA: op_built = 1'b1;
      OP_CAST_PRED: op_built = 1'b1;
      OP_TS_REDUCE: op_built = 1'b1;
      OP_READ_ACC: op_built = 1'b1;
      OP_TS_CUMULATIVE: op_built = 1'b1;
      OP_COPY_PRED_SCALAR: op_built = 1'b1;
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
      OP_DMA_TRIGGER: op_named = 64'h000F800000003FFF;
      OP_RESET_QUEUE: op_named = 64'h0000800000003FFF;
      OP_SWITCH_QUEUE: op_named = 64'hF800800000003FFF;
      OP_TT_ARITH: op_named = 64'hFFFFFFFFFFFFFFFF;
      OP_TR_ARITH: op_named = 64'hFFFFF03FFFFFFFFF;
      OP_TS_ARITH: op_named = 64'hFFFFFFFFFFFF1FFF;
      OP_COPY: op_named = 64'hFFFFF027FFFFFFFF;
      OP_CAST: op_named = 64'hFFFFF027FFFFFFFF;
      OP_RECIPROCAL: op_named = 64'hFFFFF027FFFFFFFF;
      OP_MEMSET: op_named = 64'hFFFFFF15F0000FFF;
      OP_TT_BITVEC: op_named = 64'hFFFFFFFFFFFFFFFF;
      OP_TR_BITVEC: op_named = 64'hFFFFF03FFFFFFFFF;
      OP_TS_BITVEC: op_named = 64'hFFFFFFFFFFFF1FFF;
      OP_MAX8: op_named = 64'h0FFF0007FFFFFFFF;
      OP_MATCH_LOAD: op_named = 64'h000000050FFF0FFF;
      OP_FIND_INDEX8: op_named = 64'h0FFF0007FFFFFFFF;
      OP_MATCH_REPLACE8: op_named = 64'hFFFFFF07FFFFFFFF;
      OP_COPY_PRED: op_named = 64'hFFFFFFFFFFFFFFFF;
      OP_IOTA: op_named = 64'hFFFFF0F6FFFFFFFF;
      OP_CAST_PRED: op_named = 64'hFFFFFFFFFFFFFFFF;
      OP_TS_REDUCE: op_named = 64'hFFFFFFFFFFFF1FFF;
      OP_READ_ACC: op_named = 64'h000FF007F0000FFF;
      OP_TS_CUMULATIVE: op_named = 64'hFFFFFFFFFFFF1FFF;
      OP_COPY_PRED_SCALAR: op_named = 64'hFFFFFE07FFFF0FFF;
      default: op_named = 64'h0;
    endcase
  endfunction

  /* verilator lint_on UNUSEDPARAM */
endpackage
