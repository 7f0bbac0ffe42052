/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside the program generator: what its files share.
 *
 *   gen.c        a program as a whole
 *   gen_flow.c   regions: loops, functions, what goes on beside each other
 *   gen_sync.c   what engines say to each other
 *   gen_fence.c  fences between it, and values that go back
 *   gen_wait.c   wait and update modes as functions of values
 *   gen_emit.c   a bundle with its waits and update
 *   gen_ops.c    the payload of a bundle
 *   gen_mem.c    addresses of loads and saves
 *   gen_vec*.c   bundles of the vector units (gen_vec.h)
 *   gen_dma*.c   queues, and the bundles that drive them (gen_dma.h)
 *   gen_desc.c   descriptors
 *   gen_fault.c  endings by a fault
 *   gen_bias*.c  what a coverage bin asks for
 *
 * Why programs end.  There is one order of everything that is emitted, and
 * each wait is emitted behind the posts it needs.  So only two things could
 * go wrong: a post that is undone before its waiter looks, and a post that
 * comes a second time (in a loop) before the first was taken.  Against both
 * each semaphore and event has one use between two fences, and bodies of
 * loops and functions leave all values as they found them.  `val` and `evt`
 * hold what is known: the value behind the last emitted bundle in the order.
 *
 * Ids 0..239 are dealt out under a rotation; 240..255 belong to the
 * completions of DMA and are only ever updated.
 */
#ifndef HARNESS_GEN_PRIV_H
#define HARNESS_GEN_PRIV_H

#include "harness/gen.h"
#include "harness/gen_rng.h"

#include <string.h>

/* Parts of the id space, before the rotation. */
enum gen_ids {
	IDS_STILL = 0,   /* semaphores always 0; events 0..3 clear, 4..7 set */
	IDS_SCRATCH = 8, /* updated by everybody, awaited by nobody */
	IDS_PRIVATE = 24,
	NPRIVATE = 2, /* an engine and frame */
	NFRAMES = 5,  /* main and the functions */
	NFUNCS = NFRAMES - 1,
	IDS_POOL = IDS_PRIVATE + NPRIVATE * NFRAMES * TPB_ENGINES,
	FUNC_POOL = 18,
	IDS_MAIN = IDS_POOL + NFUNCS * FUNC_POOL,
	IDS_END = 240
};

/* Registers.  0..31, 62, 63 are data. */
enum gen_regs {
	NDATA = 32,
	R_COUNTER = 32, /* loop counters, 3 a frame */
	R_KNOWN = 48,   /* constants, from the prologue on */
	NKNOWN = 8,
	R_TEMP = 56, /* used by the next bundle */
	NTEMP = 4,
	R_LIMIT = 60 /* right side of a loop's compare */
};

#define GEN_LOOPS 3 /* nesting in a frame */

/* DRAM: addresses for loads of pointers, then what everybody writes. */
#define GEN_POINTERS 0x1000u
#define GEN_NPOINTERS 32
#define GEN_CONSTANTS (GEN_POINTERS + 8 * GEN_NPOINTERS)
#define GEN_NCONSTANTS 16
#define GEN_DRAM 0x2000u

/* What a coverage bin asks for, -1: nothing. */
struct gen_bias {
	int op, wait, wait2, update;
	int alu, alu_dtype, alu_imm;
	int cmp, cmp_dtype;
	int ls_dtype, ls_mem, ls_reg, ls_count;
	int move_count, move_source;
	int fault;                    /* code, or GEN_HALT */
	int fault_op;                 /* opcode of the faulting bundle */
	int engines;                  /* number of them */
	int must;                     /* mask of engines that take part */
	int culprit;                  /* mask of engines that fault */
	int vec_in, vec_in1, vec_out; /* dtypes */
	int vec_alu, vec_alu1, vec_rev, vec_cmd;
	int vec_kind0, vec_kind1; /* of scalars */
	int vec_ch, vec_start, vec_dims;
	int vec_step;  /* 0 none, 1 up, 2 down, 3 mixed */
	int vec_mem;   /* a bit an operand: in PSUM */
	int vec_reg;   /* address form */
	int bad_place; /* item of badvec */
	int bad_start; /* start partition / 32, 0: between */
	int dma;       /* 1: many queues and long triggers */
	int dma_src, dma_dst, dma_in, dma_out; /* memories and dtypes */
	int dma_mode;                          /* update of blocks */
	int dma_long;                          /* 1: runs of 65536 bytes */
	int crowd; /* 1: meet as often as possible */
	int calls; /* 1: many deep calls that wipe */
	int sure;  /* 1: not only likely */
};

#define GEN_HALT 100

/* Waits and update of a bundle; registers of REG modes are found for the
 * values by gen_put(). */
struct sync {
	uint8_t wait, wait_id, wait2, wait2_id, update, update_id;
	uint32_t wait_v, wait2_v, update_v;
	bool atomic; /* a lock: only 0xA0 and 0xA4 promise it */
};

struct gen_function {
	uint8_t engines;
	bool wipes; /* its Return, or one below it, clears semaphores */
	bool keep;  /* its own Return does not */
	uint32_t pc[TPB_ENGINES];
	int64_t cost[TPB_ENGINES];
};

/* Queues: see gen_dma.h. */
enum gen_queue_kind { GEN_NO_QUEUE, GEN_FREE, GEN_TALK, GEN_BAD };

struct gen_queue {
	uint8_t owner, kind;
	uint8_t inst; /* the current one, of a free queue */
	int ninst;
	int time;                       /* rough, of a block */
	uint8_t group[2][TPB_SEMS / 8]; /* semaphores that a switch clears */
};

struct gen_block {
	uint8_t queue, inst, mode, id;
	uint32_t operand;
	int ndesc;
	uint8_t desc[4][TPB_BUNDLE];
};

struct gen_dma {
	struct gen_queue queue[TPB_QUEUES];
	int nqueues, limit; /* made so far, in the end */
	struct gen_block *block;
	int nblocks, cap;
};

struct region {
	struct region *parent;
	uint8_t engines;
	int frame;
	int first, end; /* ids, before the rotation, of both banks */
	int loops;      /* nesting in this frame */
	int callee;     /* first function that may be called */
	bool wipe_ok;   /* semaphores may all become 0 */
	bool dirty;     /* something since the last fence */
	bool can_fence; /* has the ids below, or needs none */
	uint8_t fence_sem, fence_evt[TPB_ENGINES];
	uint32_t used_sem[8], used_evt[8]; /* since it began */
};

struct gen {
	struct rng rng;
	const struct gen_options *opt;
	struct image *img;
	struct gen_bias bias;
	struct gen_end *end;
	uint8_t all; /* participants */
	int rotate;
	uint32_t val[TPB_SEMS];
	bool evt[TPB_EVENTS];
	/* Region that used the id since its last fence, NULL: free. */
	const struct region *sem_user[TPB_SEMS], *evt_user[TPB_EVENTS];
	struct gen_function func[NFUNCS];
	int nfuncs;
	bool wiped; /* by a call in this function */
	struct gen_dma dma;
	int64_t trigger_time; /* of the trigger being made */
	uint32_t known[TPB_ENGINES][NKNOWN];
	uint64_t pointer[GEN_NPOINTERS];
	uint32_t constant[GEN_NCONSTANTS]; /* in memory, behind those */
	uint8_t temp;                      /* next of the temporaries */
	int frame;      /* whose private ids waits and updates may use */
	bool plain;     /* add no waits and updates to bundles */
	bool stateless; /* ... only such that change nothing known */
	bool aimed;     /* the fault that is wanted was made */
	bool stopped;   /* the engine being emitted is never drained again */
	int arms;       /* nesting of conditional code */
	int64_t mult;   /* runs of the code being emitted */
	int64_t est[TPB_ENGINES]; /* estimated time */
};

static inline uint8_t gen_id(const struct gen *g, int id)
{
	return (uint8_t)((id + g->rotate) % IDS_END);
}

static inline bool gen_has(uint8_t engines, int e)
{
	return engines >> e & 1;
}

static inline int gen_count(uint8_t engines)
{
	return __builtin_popcount(engines);
}

/* A random engine of a mask. */
static inline int gen_any(struct gen *g, uint8_t engines)
{
	int n = rng_below(&g->rng, gen_count(engines)), e = 0;

	while (!gen_has(engines, e) || n--)
		e++;
	return e;
}

/* The wanted value half of the time, or -1. */
static inline int gen_wanted(struct gen *g, int want)
{
	if (want < 0)
		return -1;
	return g->bias.sure > 0 || rng_chance(&g->rng, 50) ? want : -1;
}

static inline void gen_word(uint8_t *b, int off, uint32_t v)
{
	for (int i = 0; i < 4; i++)
		b[off + i] = (uint8_t)(v >> 8 * i);
}

static inline void gen_quad(uint8_t *b, int off, uint64_t v)
{
	gen_word(b, off, (uint32_t)v);
	gen_word(b, off + 4, (uint32_t)(v >> 32));
}

static inline uint32_t gen_pc(const struct gen *g, int e)
{
	return g->img->stream[e].len;
}

/* gen_emit.c */

/* An otherwise empty bundle of an op. */
void gen_begin(uint8_t b[TPB_BUNDLE], uint8_t op);
/* Emit a bundle with waits and update (s may be NULL), and perhaps some
 * harmless ones more; registers they need are loaded before it.  Returns
 * its PC. */
uint32_t gen_put(struct gen *g, int e, uint8_t b[TPB_BUNDLE],
                 const struct sync *s);
/* Can any op carry it, or only 0xA0? */
bool gen_fits(const struct sync *s);
/* Make a jump, branch or call at pc go to the next bundle. */
void gen_land(struct gen *g, int e, uint32_t pc);
/* reg := v, plain. */
void gen_set_reg(struct gen *g, int e, int reg, uint32_t v);
/* reg, reg + 1 := v, plain. */
void gen_set_pair(struct gen *g, int e, int reg, uint64_t v);

/* gen_wait.c */

bool gen_wait_needs(uint8_t mode);
bool gen_update_needs(uint8_t mode);
/* A random wait mode on semaphores that can hold for a value, with a
 * threshold; near: it holds for few other values. */
uint8_t gen_wait_for(struct gen *g, uint32_t v, bool near, uint32_t *t);
/* The threshold of a given mode; false: no threshold makes it hold. */
bool gen_threshold(struct gen *g, uint8_t mode, uint32_t v, bool near,
                   uint32_t *t);
/* What an update makes of a semaphore. */
uint32_t gen_updated(uint8_t mode, uint32_t v, uint32_t operand);
/* A mode that adds (or subtracts) `by` and its operand. */
uint8_t gen_add_mode(struct gen *g, int32_t by, uint32_t *operand);
uint8_t gen_random_update(struct gen *g);
/* Set or clear, either phase. */
uint8_t gen_event_update(struct gen *g, bool set);

/* gen_ops.c */

/* One bundle of any kind, with s if given. */
void gen_filler(struct gen *g, int e, const struct sync *s);
/* A random legal payload of an op that goes on with the next bundle (call:
 * to it); registers it needs may be loaded before. */
void gen_payload(struct gen *g, int e, uint8_t op, uint8_t b[TPB_BUNDLE]);
/* Interesting 32 bits. */
uint32_t gen_value(struct gen *g);
/* Some fillers. */
void gen_straight(struct gen *g, int e, int n);

/* gen_mem.c */

void gen_access(struct gen *g, int e, uint8_t op, uint8_t b[TPB_BUNDLE]);
/* An access that faults: MISALIGNED or BAD_ADDR. */
void gen_bad_access(struct gen *g, int e, uint8_t op, int code,
                    uint8_t b[TPB_BUNDLE]);
/* Addresses that accesses may find in memory. */
void gen_pointers(struct gen *g);

/* gen_vec*.c */

/* A random legal vector bundle; registers that it needs are loaded before. */
void gen_vector(struct gen *g, int e, uint8_t op, uint8_t b[TPB_BUNDLE]);
/* One that faults: MISALIGNED or BAD_ADDR. */
void gen_bad_vector(struct gen *g, int e, uint8_t op, int code,
                    uint8_t b[TPB_BUNDLE]);
/* A vector op of POOL or DVE. */
uint8_t gen_vector_op(struct gen *g, int e);
bool gen_is_vector(uint8_t op);
static inline bool gen_has_unit(int e)
{
	return e == TPB_ENGINE_POOL || e == TPB_ENGINE_DVE;
}
/* Is the op built, and executed by the engine? */
bool gen_carries(const struct gen *g, int e, uint8_t op);
int64_t gen_vector_cost(const uint8_t *b);

/* gen_dma.c, gen_dma_talk.c */

/* The queues of the program. */
void gen_queues(struct gen *g);
/* Is there a queue for gen_queue_op()? */
bool gen_has_queue(struct gen *g, int e);
/* A random trigger, reset or switch; a NoOp where it cannot be. */
void gen_queue_op(struct gen *g, int e, uint8_t op, uint8_t b[TPB_BUNDLE]);
/* One that faults with DMA_QUEUE. */
void gen_bad_queue_op(struct gen *g, int e, uint8_t op, uint8_t b[TPB_BUNDLE]);
/* Have a bad descriptor stop a queue of an engine, which will never be
 * drained again; false: it has none. */
bool gen_stop_queue(struct gen *g, int e);
/* Posts of the DMA unit that engines wait for. */
void gen_dma_talk(struct gen *g, struct region *r);
/* All queues into the image. */
void gen_put_queues(struct gen *g);

/* gen_fence.c */

/* A free id of the region, -1: none found. */
int gen_take_sem(struct gen *g, struct region *r);
int gen_take_evt(struct gen *g, struct region *r);
void gen_mark(uint32_t *bits, int id);
/* Everything before it in the engines of the region happens before
 * everything behind it. */
void gen_fence(struct gen *g, struct region *r);
/* Take the ids that fences need; false: too few. */
bool gen_fence_ids(struct gen *g, struct region *r);
/* Bring all values back, and fence where needed. */
void gen_restore(struct gen *g, struct region *r, const uint32_t *val,
                 const bool *evt, bool semaphores);
/* The event := v, by engine e. */
void gen_put_evt(struct gen *g, int e, uint8_t id, bool v);
/* Every semaphore is 0 from here on. */
void gen_wiped(struct gen *g);

/* gen_sync.c */

/* Some talk between the engines. */
void gen_talk(struct gen *g, struct region *r);

/* gen_flow.c */

/* Fill a region up to an estimated time. */
void gen_region(struct gen *g, struct region *r, int64_t until);
/* Part of a region for some of its engines; give back with close. */
struct region gen_open(struct gen *g, struct region *r, uint8_t engines);
void gen_close(struct gen *g, struct region *r);
void gen_functions(struct gen *g);
int64_t gen_time(const struct gen *g, uint8_t engines);

/* gen_fault.c */

/* End an engine by a fault; the deadlock of one is that of all that wait
 * for it at Exit: true. */
bool gen_fault(struct gen *g, int e);

/* gen_bias.c */

void gen_bias(struct gen_bias *bias, int bin);

/* gen_bias_vec.c: rows of the vector units and the DMA unit. */
void gen_bias_units(struct gen_bias *bias, int row, const uint8_t v[3]);

#endif
