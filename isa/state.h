/* SPDX-License-Identifier: Apache-2.0
 *
 * The compared state as C types, made from state.def.
 *
 * struct tpb_state holds one element per table row, with the storage type
 * that Verilator gives a register of the same width, so that a field of the
 * model and of the verilated core compare byte for byte.  Unused high bits
 * are 0 on both sides.  isa/ knows neither side.
 */
#ifndef ISA_STATE_H
#define ISA_STATE_H

#include <stddef.h>
#include <stdint.h>

#define TPB_ENGINES 5
#define TPB_VECS 2 /* vector units: 0 POOL, 1 DVE */
#define TPB_REGS 64
#define TPB_SEMS 256
#define TPB_EVENTS 256
#define TPB_STACK 4

/* Lanes of a vector unit: a parameter of the build. */
#ifndef TPB_LANES
#define TPB_LANES 32
#endif
#define TPB_LANE_SLOTS (8 * TPB_LANES)
#define TPB_PARTITIONS 128
#define TPB_QUEUES 16      /* DMA queues of this build */
#define TPB_QUEUE_DEPTH 16 /* unfinished blocks of a queue */
#define TPB_DMA_FIFO 64    /* bytes of the mover's buffer */

/* Storage of a width: 1..8, 9..16, 17..32, 33..64 bits. */
#define STATE_T1 uint8_t
#define STATE_T2 uint8_t
#define STATE_T3 uint8_t
#define STATE_T4 uint8_t
#define STATE_T5 uint8_t
#define STATE_T6 uint8_t
#define STATE_T7 uint8_t
#define STATE_T8 uint8_t
#define STATE_T11 uint16_t
#define STATE_T16 uint16_t
#define STATE_T18 uint32_t
#define STATE_T29 uint32_t
#define STATE_T32 uint32_t
#define STATE_T33 uint64_t
#define STATE_T64 uint64_t

/* A row with count 1 is a scalar, any other an array. */
#define STATE_D1
#define STATE_D2 [2]
#define STATE_D4 [4]
#define STATE_D5 [5]
#define STATE_D8 [8]
#define STATE_D12 [12]
#define STATE_D16 [16]
#define STATE_D64 [64]
#define STATE_D256 [256]
#define STATE_DTPB_QUEUES [TPB_QUEUES]
#define STATE_DTPB_LANES [TPB_LANES]
#define STATE_DTPB_LANE_SLOTS [TPB_LANE_SLOTS]

/* Rows of the kinds that a reader of state.def does not define are skipped:
 * each reader defines one and says which. */
struct tpb_engine_state {
#define STATE_ENGINE(name, width, count, reset, rtl, show, text) \
	STATE_T##width name STATE_D##count;
#include "isa/state.def"
};

/* A vector unit. */
struct tpb_vec_state {
#define STATE_VEC(name, width, count, reset, rtl, show, text) \
	STATE_T##width name STATE_D##count;
#include "isa/state.def"
};

struct tpb_dve_state {
#define STATE_DVE(name, width, count, reset, rtl, show, text) \
	STATE_T##width name STATE_D##count;
#include "isa/state.def"
};

struct tpb_state {
	struct tpb_engine_state engine[TPB_ENGINES];
	struct tpb_vec_state vec[TPB_VECS];
	struct tpb_dve_state dve;
#define STATE_CORE(name, width, count, reset, rtl, show, text) \
	STATE_T##width name STATE_D##count;
#include "isa/state.def"
};

enum state_reset { STATE_ZERO, STATE_ONES, STATE_KEEP };

/* One field of the table, expanded over engines and units. */
struct state_field {
	const char *name; /* "SP.pc", "sem" */
	const char *row;  /* "pc", "sem": the table's name column */
	const char *rtl;  /* dotted path below the top, "u_sem.sem_q" */
	const char *show; /* display form, "HEX", "ENUM_run", ... */
	const char *text; /* one line of meaning */
	int engine;       /* 0..4, or -1 for a field of the core */
	int vec;          /* vector unit 0, 1 of the field, or -1 */
	int width;        /* bits of an element */
	int count;        /* elements */
	int bytes;        /* storage bytes of an element: 1, 2, 4 or 8 */
	size_t offset;    /* of element 0 in struct tpb_state */
	enum state_reset reset;
};

/* All fields: engines in port order, POOL, DVE, then the core. */
extern const struct state_field state_fields[];
extern const int state_nfields;
/* Elements over all fields: what one cycle's comparison covers. */
extern const int state_nelements;

/* Value of element i of field f, zero extended. */
uint64_t state_get(const struct tpb_state *s, int f, int i);
/* Store the low `width` bits of v. */
void state_set(struct tpb_state *s, int f, int i, uint64_t v);
/* Field number of "SP.rf[3]" or "sem[7]" or "wd"; index to *i.
 * -1 when there is no such field or element. */
int state_find(const char *name, int *i);

/* Reset every field as its reset column says. */
void state_reset(struct tpb_state *s);

#endif
