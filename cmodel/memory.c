/* SPDX-License-Identifier: Apache-2.0
 *
 * SBUF and PSUM arrays with their arbiters and read pipelines, and the DRAM
 * port.  Facts: docs/reference/timing.md, "Load and store".
 *
 * A cycle's reads come before its writes: a RAM delivers what was there when
 * the cycle began.  ram_word is what stands at its output for a load.
 */
#include "cmodel/dma.h"
#include "cmodel/vec.h"

#include <string.h>

#define MEMORY_PSUM_WORDS 2048 /* of a partition */
#define MEMORY_REQUESTERS 6    /* the engines and the DMA unit */
#define MEMORY_NOBODY (-1)

static size_t memory_sbuf_part_words(const struct tpb *t)
{
	return (t->cfg.sbuf_part_bytes + 7u) / 8;
}

/* Lane-wide rows, one after another: the rows of the partitions that share
 * them, then those of the next. */
static size_t memory_index(size_t part_words, int partition, uint32_t byte)
{
	unsigned p = (unsigned)partition % TPB_PARTITIONS;
	size_t row = p / TPB_LANES * part_words + byte / 8;

	return row * TPB_LANES + p % TPB_LANES;
}

size_t tpb_sbuf_word(const struct tpb *t, int partition, uint32_t byte)
{
	return memory_index(memory_sbuf_part_words(t), partition, byte);
}

size_t tpb_psum_word(int partition, uint32_t byte)
{
	return memory_index(MEMORY_PSUM_WORDS, partition, byte);
}

size_t tpb_sbuf_words(const struct tpb *t)
{
	return TPB_PARTITIONS * memory_sbuf_part_words(t);
}

size_t tpb_psum_words(void)
{
	return TPB_PARTITIONS * MEMORY_PSUM_WORDS;
}

uint64_t *memory_row(struct tpb *t, bool psum, int partition, uint32_t byte)
{
	size_t words = psum ? MEMORY_PSUM_WORDS : memory_sbuf_part_words(t);
	uint64_t *base = psum ? t->psum : t->sbuf;

	if (byte / 8 >= words) /* only after a planted fault */
		byte = 0;
	return base + memory_index(words, partition, byte);
}

/* Partition of an on-chip address. */
static int memory_partition(uint64_t addr, enum lsu_memory m)
{
	return (int)(addr >> (m == LSU_SBUF ? 18 : 15) & 127);
}

/* The backed word at an on-chip address of memory m. */
static uint64_t *memory_word(struct tpb *t, uint64_t addr, enum lsu_memory m)
{
	int partition = memory_partition(addr, m);

	if (m == LSU_SBUF)
		return &t->sbuf[tpb_sbuf_word(t, partition, addr & 0x3FFFF)];
	return &t->psum[tpb_psum_word(partition, addr & 0x3FFF)];
}

static void memory_log(struct tpb *t, uint64_t addr, uint64_t data,
                       uint8_t mask)
{
	t->write[t->nwrites++] = (struct tpb_write){addr, data, mask};
}

/* ------------------------------------------------------------------ *
 * Answers and pipelines.                                             *
 * ------------------------------------------------------------------ */

/* The answer that is valid for engine e in this cycle, if any. */
static bool memory_answered(const struct tpb_state *s, int e, uint64_t *word)
{
	if (s->sbuf_rsp_valid && s->sbuf_rsp_id == e)
		*word = s->sbuf_rsp_data;
	else if (s->psum_rsp_valid && s->psum_rsp_id == e)
		*word = s->psum_rsp_data;
	else if (s->dram_rsp_valid && s->dram_rsp_id == e)
		*word = s->dram_rsp_data;
	else
		return false;
	return true;
}

/* Several reads of the mover are on their way at a time, all in DRAM or all on
 * chip: in a cycle at most one is answered, the oldest. */
static void memory_deliver(struct tpb *t, struct cycle *c)
{
	uint64_t moved;

	if (memory_answered(&t->s, DMA_CLIENT, &moved))
		mover_answer(t, moved);
	for (unsigned m = c->resp; m != 0; m &= m - 1) {
		int e = cycle_first(m);
		struct tpb_engine_state *g = &t->s.engine[e];
		uint64_t word;

		if (!memory_answered(&t->s, e, &word))
			continue;
		lsu_answer(g, word);
		if (lsu_next(g))
			seq_retire(t, c, e);
	}
}

static void memory_shift_onchip(struct tpb *t)
{
	struct tpb_state *s = &t->s;

	s->sbuf_rsp_valid = s->sbuf_s1_valid;
	if (s->sbuf_s1_valid) {
		s->sbuf_rsp_id = s->sbuf_s1_id;
		s->sbuf_rsp_data = t->ram_word[LSU_SBUF];
	}
	s->psum_rsp_valid = s->psum_s1_valid;
	if (s->psum_s1_valid) {
		s->psum_rsp_id = s->psum_s1_id;
		s->psum_rsp_data = t->ram_word[LSU_PSUM];
	}
	s->sbuf_s1_valid = 0;
	s->psum_s1_valid = 0;
}

/* The port takes the standing request; true when an answer will come. */
static bool memory_hand_over(struct tpb *t, struct tpb_answer *answer)
{
	struct tpb_state *s = &t->s;

	s->dreq_valid = 0;
	if (s->dreq_we) {
		t->dram.write(t->dram.ctx, s->dreq_addr, s->dreq_data,
		              s->dreq_mask);
		memory_log(t, s->dreq_addr << 3, s->dreq_data, s->dreq_mask);
		return false;
	}
	answer->valid = true;
	answer->id = s->dreq_id;
	answer->data = t->dram.read(t->dram.ctx, s->dreq_addr);
	return true;
}

/* Hand over what stands at the port, then move the answers on their way by
 * one step. */
static void memory_shift_dram(struct tpb *t)
{
	struct tpb_state *s = &t->s;
	struct tpb_answer *in = &t->answer[TPB_DRAM_LATENCY - 1];

	if (s->dreq_valid && t->dram_ready)
		t->nanswers += memory_hand_over(t, in);
	s->dram_rsp_valid = t->answer[0].valid;
	if (t->nanswers == 0)
		return;
	if (t->answer[0].valid) {
		s->dram_rsp_id = t->answer[0].id;
		s->dram_rsp_data = t->answer[0].data;
		t->nanswers--;
	}
	for (int i = 0; i + 1 < TPB_DRAM_LATENCY; i++)
		t->answer[i] = t->answer[i + 1];
	in->valid = false;
}

/* ------------------------------------------------------------------ *
 * Requests.                                                          *
 * ------------------------------------------------------------------ */

/* The narrow requests of a cycle, by memory (enum lsu_memory). */
struct memory_asks {
	unsigned want[LSU_NOWHERE + 1]; /* a bit a requester */
	int candidate[LSU_NOWHERE];     /* the first in cyclic order */
	uint64_t addr[TPB_ENGINES];
	struct mover_access mover[LSU_NOWHERE];
};

static uint8_t *memory_rr(struct tpb *t, int m)
{
	return m == LSU_SBUF   ? &t->s.sbuf_rr
	       : m == LSU_PSUM ? &t->s.psum_rr
	                       : &t->s.dram_rr;
}

static int memory_first(unsigned want, unsigned rr)
{
	if (want == 0)
		return MEMORY_NOBODY;
	for (unsigned i = 0; i < MEMORY_REQUESTERS; i++) {
		unsigned k = (rr + i) % MEMORY_REQUESTERS;

		if (want >> k & 1)
			return (int)k;
	}
	return MEMORY_NOBODY;
}

static void memory_grant_onchip(struct tpb *t, int e,
                                const struct mover_access *a, enum lsu_memory m)
{
	struct tpb_state *s = &t->s;
	uint8_t lane = (uint8_t)(memory_partition(a->addr, m) % TPB_LANES);
	uint64_t *word = memory_word(t, a->addr, m);

	if (a->write) {
		uint64_t bits = 0;

		for (int i = 0; i < 8; i++)
			if (a->mask >> i & 1)
				bits |= 0xFFull << 8 * i;
		*word = (*word & ~bits) | a->data;
		memory_log(t, a->addr & ~7ull, a->data, a->mask);
		return;
	}
	t->ram_word[m] = *word;
	if (m == LSU_SBUF) {
		s->sbuf_s1_valid = 1;
		s->sbuf_s1_id = (uint8_t)e;
		s->sbuf_s1_lane = lane;
	} else {
		s->psum_s1_valid = 1;
		s->psum_s1_id = (uint8_t)e;
		s->psum_s1_lane = lane;
	}
}

static void memory_grant_dram(struct tpb *t, int e,
                              const struct mover_access *a)
{
	struct tpb_state *s = &t->s;

	s->dreq_valid = 1;
	s->dreq_we = a->write;
	s->dreq_id = (uint8_t)e;
	s->dreq_addr = a->addr >> 3;
	s->dreq_data = a->data;
	s->dreq_mask = a->mask;
}

/* The access of the candidate of memory m. */
static struct mover_access memory_access(const struct tpb *t,
                                         const struct memory_asks *k, int m)
{
	int e = k->candidate[m];
	const struct tpb_engine_state *g;
	struct mover_access a = {0};

	if (e == DMA_CLIENT)
		return k->mover[m];
	g = &t->s.engine[e];
	a.addr = k->addr[e];
	a.write = cycle_byte(g, 0) == TPB_OP_TENSOR_SAVE;
	if (a.write)
		a.data = lsu_data(g, a.addr, &a.mask);
	return a;
}

/* port: the DRAM register was free all cycle. */
static void memory_ask(struct tpb *t, const struct cycle *c, bool port,
                       unsigned mover, struct memory_asks *k)
{
	memset(k->want, 0, sizeof(k->want));
	for (unsigned m = c->req; m != 0; m &= m - 1) {
		int e = cycle_first(m);

		k->addr[e] = lsu_address(&t->s.engine[e]);
		k->want[lsu_memory(&t->cfg, k->addr[e])] |= 1u << e;
	}
	for (int m = LSU_SBUF; m < LSU_NOWHERE; m++)
		k->want[m] |= (mover >> m & 1) << DMA_CLIENT;
	if (!port)
		k->want[LSU_DRAM] = 0;
	for (int m = LSU_SBUF; m < LSU_NOWHERE; m++)
		k->candidate[m] = memory_first(k->want[m], *memory_rr(t, m));
}

/* The candidate of memory m is granted. */
static void memory_grant(struct tpb *t, struct cycle *c,
                         const struct memory_asks *k, int m)
{
	int e = k->candidate[m];
	struct mover_access a = memory_access(t, k, m);

	*memory_rr(t, m) = (uint8_t)((e + 1) % MEMORY_REQUESTERS);
	if (m == LSU_DRAM)
		memory_grant_dram(t, e, &a);
	else
		memory_grant_onchip(t, e, &a, (enum lsu_memory)m);
	c->moved = true;
	if (e == DMA_CLIENT)
		mover_grant(t, &a);
	else if (!a.write)
		t->s.engine[e].phase = TPB_PHASE_RESP;
	else if (lsu_next(&t->s.engine[e]))
		seq_retire(t, c, e);
}

/* Who gets which port. */
static void memory_arbitrate(struct tpb *t, const struct cycle *c,
                             const struct memory_asks *k, struct ports *p)
{
	bool narrow = k->want[LSU_SBUF] | k->want[LSU_PSUM];

	vec_ask_write(t, p, c->vec);
	if (!narrow && (c->vec == 1 || c->vec == 2)) {
		vec_ask_read(t, p, c->vec);
		ports_alone(t, p, c->vec == 2);
		return;
	}
	for (int m = LSU_SBUF; m <= LSU_PSUM; m++)
		if (k->candidate[m] != MEMORY_NOBODY) {
			p->narrow[m].write = memory_access(t, k, m).write;
			p->narrow[m].read = !p->narrow[m].write;
		}
	ports_write(t, p);
	vec_ask_read(t, p, c->vec);
	ports_read(t, p);
}

/* Decisions first, then all reads, then the writes. */
static void memory_ports(struct tpb *t, struct cycle *c,
                         const struct memory_asks *k)
{
	struct ports p = {.narrow = {{0}}};

	memory_arbitrate(t, c, k, &p);
	vec_read(t, &p, c->vec);
	for (int m = LSU_SBUF; m <= LSU_PSUM; m++)
		if (p.narrow[m].granted)
			memory_grant(t, c, k, m);
	if (k->candidate[LSU_DRAM] != MEMORY_NOBODY)
		memory_grant(t, c, k, LSU_DRAM);
	vec_cycle(t, c, &p, c->vec);
}

/* Answers reach their engines first, then the pipelines move by a cycle,
 * then the requests of this cycle enter them. */
void memory_cycle(struct tpb *t, struct cycle *c)
{
	struct tpb_state *s = &t->s;
	bool port = !s->dreq_valid;
	struct memory_asks k; /* written where its want says so */
	unsigned mover = mover_asks(t, k.mover);

	if (cycle_memory_busy(t)) {
		if (s->sbuf_rsp_valid | s->psum_rsp_valid | s->dram_rsp_valid) {
			c->moved = true;
			memory_deliver(t, c);
		}
		memory_shift_onchip(t);
		memory_shift_dram(t);
	}
	if ((c->req | c->vec | mover) == 0)
		return;
	memory_ask(t, c, port, mover, &k);
	memory_ports(t, c, &k);
}
