/* SPDX-License-Identifier: Apache-2.0
 *
 * The compiler's IR (BIR): data model.  Constructors and edits are in
 * bir_build.h, tables, questions, dump and verifier in bir_query.h, the
 * interpreter in bir_interp.h.
 *
 *   module -> functions -> blocks -> instructions        (doubly linked)
 *          -> locations, registers, queues -> instances -> DMA blocks
 *   Loop, DynamicForLoop, DoWhile hold a region of blocks of their own.
 *
 * Everything lives in the module's arena and is freed with the module.
 * Numbers of ALU ops, dtypes, compares, axes, accumulate commands, wait and
 * update modes are those of isa/bir.def: TPB_BIR_ALU_ADD, TPB_BIR_DTYPE_...
 *
 * Access patterns.  pair[0] is the partition axis of an on-chip operand and
 * the outermost axis of a DRAM operand; the last pair is the fastest.  With
 * elsize = bytes of the operand's dtype (not of the location's):
 *
 *   flat(i0, i1, ...) = offset + elsize * (sum pair[d].step * i_d + expr)
 *
 * is a byte of the location's flat space, in which a partition row is
 * row_bytes long.  So on chip  partition = part + flat / row_bytes  and
 * byte = byte + flat % row_bytes, and pair[0].step = row_bytes / elsize; in
 * DRAM  address = addr + flat.  `offset` is in bytes, steps in elements.
 * Operands are matched by linear order: sides may differ in shape.
 */
#ifndef BIR_BIR_H
#define BIR_BIR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "compiler/bir/arena.h"
#include "isa/isa.h"

/* ------------------------------------------------------------ numbers */

enum bir_engine {
	BIR_ENG_NONE, /* unassigned */
	BIR_ENG_POOL,
	BIR_ENG_ACT,
	BIR_ENG_PE,
	BIR_ENG_DMA, /* a DMA not bound to an engine: SP triggers it */
	BIR_ENG_DVE,
	BIR_ENG_SP,
	BIR_ENG_ALL,
	BIR_NENGINES
};
/* The engines that own a stream, as a mask of 1 << engine. */
#define BIR_ENG_STREAMS 0x6E

enum bir_it {
#define BIR_OP(NAME, ordinal, text, class, engines, ins, outs) \
	BIR_IT_##NAME = ordinal,
#include "compiler/bir/bir_ops.def"
#undef BIR_OP
	BIR_NIT = 110
};

enum bir_class {
	BIR_CLASS_SEQ,
	BIR_CLASS_VEC,
	BIR_CLASS_DMA,
	BIR_CLASS_CTL,  /* ends a block */
	BIR_CLASS_BODY, /* has a region */
	BIR_CLASS_PART  /* DMA block or descriptor: in a queue */
};

/* Edge kinds, ordered: adding an edge again keeps the larger. */
enum bir_edge { BIR_ORDERED = 1, BIR_ANTI, BIR_OUTPUT, BIR_FLOW };

enum bir_mem { BIR_DRAM = 8, BIR_SBUF = 16, BIR_PSUM = 32 };
enum bir_kind { BIR_INTERNAL, BIR_INPUT, BIR_OUTPUT_T, BIR_CONST };

enum bir_dge { BIR_DGE_NONE, BIR_DGE_SW, BIR_DGE_HW, BIR_DGE_UNASSIGNED };

#define BIR_RANK 5  /* dimensions of a shape */
#define BIR_PAIRS 5 /* of a pattern: partition and four free axes */
#define BIR_INS 4   /* operands of an instruction */
#define BIR_OUTS 2
#define BIR_CORES 2

/* Place in the source; file is the module's. line 0: unknown. */
struct bir_pos {
	int line, col;
};

/* id and text as printed: "tpb: error[<id>]: <place>: <text>". */
struct bir_error {
	char id[16];     /* "BIR007" */
	char place[160]; /* "top8.klr:12" */
	char text[240];
};

/* ------------------------------------------------------------ storage */

/* A tensor and its place. */
struct bir_loc {
	struct bir_loc *prev, *next; /* of the module */
	const char *name;
	int id; /* dense, in order of creation */
	enum bir_mem mem;
	enum bir_kind kind;
	int dtype;
	int rank; /* shape[0] on chip: partitions */
	int64_t shape[BIR_RANK];
	int64_t row_bytes;  /* on chip: a partition row; DRAM: all bytes */
	int64_t partitions; /* DRAM: 1 */
	/* place, valid when placed; `fixed`: by the source, not to be moved */
	bool placed, fixed;
	int part;     /* first partition */
	int64_t byte; /* in the partition; PSUM: bank * 2048 + byte in bank */
	int64_t addr; /* DRAM address */
	int var;      /* DRAM variable id, 0: none yet */
	/* initial bytes (row-major, partitions * row_bytes), or NULL: zeros;
	 * inputs may name a file instead, outputs their expected one */
	const uint8_t *init;
	const char *file;
	struct bir_pos pos;
};

/* A scalar register.  Virtual until colouring (phys < 0).  A register on ALL
 * has one value on every engine; expand_all_early gives each engine its own
 * and remembers in `origin` whose copy it is. */
struct bir_reg {
	struct bir_reg *prev, *next; /* of the module */
	const char *name;
	int id; /* dense, in order of creation */
	enum bir_engine engine;
	int bits; /* 32 or 64 (an even pair) */
	int phys; /* first physical register, -1: virtual */
	struct bir_reg *origin;
	/* every value read lies in lo <= v < hi; lo == hi: not known */
	int64_t lo, hi;
	struct bir_pos pos;
};

/* ------------------------------------------------------------ operands */

struct bir_pair {
	int64_t step, num; /* elements; step 0: broadcast */
};

/* One term of an affine expression: coef * register, or coef * the value of
 * a one-element tensor (exactly one of reg and index is set). */
struct bir_term {
	int64_t coef;
	struct bir_reg *reg;
	struct bir_arg *index;
};

/* c + sum of terms.  In an access pattern it counts elements. */
struct bir_expr {
	int64_t c;
	int nterm;
	struct bir_term *term;
};

enum bir_arg_kind {
	BIR_ARG_AP = 1,     /* physical access pattern */
	BIR_ARG_SYM = 2,    /* with an expression */
	BIR_ARG_REGAP = 3,  /* with the address in a register */
	BIR_ARG_IMM = 6,    /* immediate */
	BIR_ARG_SYMIMM = 7, /* immediate that is an expression */
	BIR_ARG_REG = 11,   /* register */
	BIR_ARG_ADDR = 13   /* address of a location (ours; RegisterMove) */
};

enum bir_half { BIR_WHOLE, BIR_LO, BIR_HI };

struct bir_arg {
	enum bir_arg_kind kind;
	int dtype;
	/* AP, SYM, REGAP, ADDR */
	struct bir_loc *loc;
	int npair;
	struct bir_pair pair[BIR_PAIRS];
	int64_t offset; /* bytes in the flat space; REGAP: added to reg */
	/* SYM, SYMIMM */
	struct bir_expr *expr;
	/* REG: the register.  REGAP: holds the address of the first element:
	 * 29-bit on-chip address (32-bit register); a DRAM side of a DMA: bytes
	 * from the start of loc (64 bit); TensorLoad/Save: unified address. */
	struct bir_reg *reg;
	enum bir_half half; /* REG: of a pair */
	/* IMM: integers sign-extended, floats their bit pattern */
	uint64_t imm;
};

/* ------------------------------------------------------------ sync */

struct bir_wait {
	struct bir_wait *next;
	bool event; /* an event, else a semaphore */
	int vid;    /* the synchronizer's own number, -1 */
	int id;     /* bank entry, -1: not bound */
	int mode;   /* TPB_BIR_WAIT_... */
	int64_t value;
	struct bir_reg *reg;   /* GE_REG */
	struct bir_inst *from; /* producer, NULL: unknown */
};

struct bir_update {
	struct bir_update *next;
	bool event;
	int vid, id;
	int mode; /* TPB_BIR_UPDATE_... */
	int64_t value;
	int core; /* another core's bank, -1: own */
};

/* A dependency edge: succ waits for pred.  It is on two lists. */
struct bir_dep {
	struct bir_inst *pred, *succ;
	enum bir_edge kind;
	bool carried;                        /* from an earlier iteration */
	struct bir_dep *in_prev, *in_next;   /* edges into succ */
	struct bir_dep *out_prev, *out_next; /* edges out of pred */
};

/* ------------------------------------------------------------ payloads */

struct bir_alu { /* TensorScalar(Ptr); TensorTensor and TensorReduce: op0 */
	int op0, op1;    /* TPB_BIR_ALU_...; op1 BYPASS: one op */
	bool rev0, rev1; /* swap operands */
	int acc;         /* TPB_BIR_ACC_..., IDLE */
	int axis;        /* TensorReduce: TPB_BIR_AXIS_... */
	bool negate, transpose;
};

struct bir_memset {
	bool random;
	uint32_t fill; /* bit pattern in the dtype of dst */
};

struct bir_iota {
	int32_t base, mult; /* mult: channel multiplier */
	int npair;
	struct bir_pair pair[4]; /* last is the fastest; numbers, not places */
};

struct bir_cpred {            /* CopyPredicated */
	bool reverse;         /* write where the mask is 0 (scalar source) */
	bool false_fill;      /* marker of lower_select's path B */
	bool can_read_uninit; /* path A */
	bool reduce;          /* SelectReduce: not built */
};

struct bir_dma {           /* DMACopy, Load, Save, descriptors */
	const char *queue; /* asked for by the source, or NULL */
	enum bir_dge dge;
	int qos;
	bool oob_skip; /* out of range: skip, not an error */
};

struct bir_trigger {
	struct bir_queue *queue; /* NULL until alloc_queues */
	struct bir_inst *block;  /* the block it is meant to fire */
	int count;               /* entries to fire */
};

/* A DMA block: IT 107, an instruction outside of any basic block.  It has a
 * name, edges and an update like any other, so it can be a producer. */
struct bir_dmablock {
	struct bir_inst *trigger;
	struct bir_queue *queue;       /* NULL until alloc_queues */
	int instance, id;              /* position in the queue's instance */
	struct bir_inst *first, *last; /* descriptors, linked by next/prev */
	int ndesc;
};

struct bir_sqi { /* Switch- and ResetQueueInstance */
	struct bir_queue *queue;
	int instance;
	bool no_rearm;
};

struct bir_branch { /* CompareAndBranch; UnconditionalBranch: on_true */
	int cmp;    /* TPB_BIR_CMP_... */
	struct bir_block *on_true, *on_false;
};

struct bir_hint {
	int hint; /* 0 likely taken, 1 likely not */
	struct bir_inst *branch;
};

struct bir_greset {
	bool range; /* first..last, else the mask */
	int first, last;
	uint8_t mask[32]; /* bit id % 8 of byte id / 8 */
};

struct bir_cbar {
	int id; /* -1: not numbered */
	int ncore, core[BIR_CORES];
};

struct bir_rank {
	int world, iter, channel;
};

/* The blocks of a function or of a structured op, in layout order. */
struct bir_region {
	struct bir_block *first, *last;
	struct bir_func *func;
	struct bir_inst *owner; /* the structured op, NULL: the function */
};

/* Loop: iv from lb while iv < ub (step > 0) or iv > ub (step < 0).
 * DynamicForLoop: ub is ub + coef * ubreg, read once before the first trip.
 * DoWhile: body, then again while cond != 0. */
struct bir_loop {
	struct bir_region body;
	struct bir_reg *iv, *ubreg, *cond;
	int64_t lb, ub, step, coef;
};

/* Predicate of an instruction: runs if expr cmp 0 (an _IMM compare). */
struct bir_pred {
	struct bir_pred *next;
	struct bir_expr *expr;
	int cmp;
};

/* ------------------------------------------------------------ code */

struct bir_inst {
	struct bir_inst *prev, *next; /* of block, or of a DMA block */
	struct bir_block *block;      /* NULL: in no basic block */
	const char *name;             /* unique in the module */
	int id;                       /* dense, in order of creation */
	enum bir_it it;
	enum bir_engine engine;
	int engine_id;
	struct bir_pos pos;
	int nin, nout;
	struct bir_arg *in[BIR_INS], *out[BIR_OUTS];
	struct bir_pred *pred; /* all must hold */
	struct bir_wait *wait;
	struct bir_update *update;
	struct bir_dep *preds, *succs; /* in_next, out_next */
	int order;                     /* scratch of the running pass */
	void *aux;                     /* likewise */
	union {
		struct bir_alu alu; /* TENSOR_*, also RegisterAlu: op0 */
		struct bir_memset memset;
		struct bir_iota iota;
		uint32_t replace; /* MatchReplace: fp32 bits */
		struct bir_cpred cpred;
		bool can_read_uninit; /* copies */
		bool negated;         /* DveReadAccumulator */
		struct bir_dma dma;
		struct bir_trigger trigger;
		struct bir_dmablock dmablock;
		struct bir_sqi sqi;
		struct bir_branch branch;
		struct bir_hint hint;
		struct bir_func *callee;
		struct bir_greset greset;
		int drain; /* count, 1 in a fence */
		struct bir_cbar cbar;
		struct bir_rank rank;
		struct bir_loop loop;
	} u;
};

struct bir_block {
	struct bir_block *prev, *next; /* of region */
	struct bir_region *region;
	const char *name; /* unique in the module */
	int id;
	struct bir_inst *first, *last;
	/* the block of order 128 that lower_branch made this one of: blocks of
	 * one origin are one synchronisation region; itself by default */
	struct bir_block *origin;
	struct bir_pos pos;
	int order;
	void *aux;
};

struct bir_func {
	struct bir_func *prev, *next;
	const char *name;
	struct bir_region body;
	bool control_lowered; /* function attribute 18 */
	bool too_many_spills;
	struct bir_pos pos;
};

/* A list of DMA blocks that a cursor walks. */
struct bir_instance {
	struct bir_instance *next;
	const char *name;
	int nblock, cap;
	struct bir_inst **block; /* IT 107, in firing order */
};

struct bir_queue {
	struct bir_queue *prev, *next;
	const char *name; /* at most 31 bytes */
	int id;
	enum bir_engine engine; /* that triggers it */
	int type;               /* sheet: 0 input, 1 output, 2 data, ... */
	int ninstance;
	struct bir_instance *instance;  /* list */
	int sem_vid, sem_id;            /* completion semaphore, -1 */
	uint8_t special[32], group[32]; /* semaphore groups, by id */
};

struct bir_names; /* hash tables of bir_build.c */

struct bir_module {
	struct arena *arena;
	const char *path; /* source file, for messages */
	const char *name;
	int gen;                       /* 2, 3, 4 */
	int cores;                     /* lnc_size, 1 or 2 */
	int core;                      /* this module's core */
	struct bir_func *first, *last; /* main is first */
	struct bir_loc *loc, *last_loc;
	struct bir_reg *reg, *last_reg;
	struct bir_queue *queue, *last_queue;
	int nfunc, nblock, ninst, nloc, nreg, nqueue; /* created so far */
	unsigned engines;      /* U as 1 << engine, 0: not known yet */
	bool feature_no_rearm; /* neff_feature_SQI_no_rearm */
	bool fp8_ocp, fp8_saturate, fp8_nan_suppress;
	const char *dve_profile; /* chosen by lower_dve */
	struct bir_names *names;
};

#include "compiler/bir/bir_query.h"

#endif
