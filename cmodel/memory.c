/* SPDX-License-Identifier: Apache-2.0
 *
 * SBUF and PSUM arrays with their arbiters and read pipelines, and the DRAM
 * port.  Facts: docs/reference/timing.md, "Load and store".
 *
 * The RAM output registers of the hardware are not kept: in the cycle in
 * which a read leaves the RAM its engine stands in phase RESP on the same
 * element, so the word is found again through that engine's address, and no
 * write can have come between.
 */
#include "cmodel/cycle.h"

#define MEMORY_LANES 32
#define MEMORY_QUADRANTS 4
#define MEMORY_PSUM_WORDS 2048 /* of a partition */

static size_t memory_sbuf_part_words(const struct tpb *t)
{
	return (t->cfg.sbuf_part_bytes + 7u) / 8;
}

static size_t memory_index(size_t part_words, int partition, uint32_t byte)
{
	size_t lane = (size_t)(partition & (MEMORY_LANES - 1));
	size_t quadrant = (size_t)(partition >> 5 & (MEMORY_QUADRANTS - 1));

	return (lane * MEMORY_QUADRANTS + quadrant) * part_words + byte / 8;
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
	return MEMORY_LANES * MEMORY_QUADRANTS * memory_sbuf_part_words(t);
}

size_t tpb_psum_words(void)
{
	return MEMORY_LANES * MEMORY_QUADRANTS * MEMORY_PSUM_WORDS;
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

/* The word that leaves a RAM for engine id in this cycle. */
static uint64_t memory_read(struct tpb *t, uint8_t id, enum lsu_memory m)
{
	uint64_t addr;

	if (id >= TPB_ENGINES)
		return 0;
	addr = lsu_address(&t->s.engine[id]);
	if (lsu_memory(&t->cfg, addr) != m)
		return 0;
	return *memory_word(t, addr, m);
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

static void memory_deliver(struct tpb *t, struct cycle *c)
{
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
		s->sbuf_rsp_data = memory_read(t, s->sbuf_s1_id, LSU_SBUF);
	}
	s->psum_rsp_valid = s->psum_s1_valid;
	if (s->psum_s1_valid) {
		s->psum_rsp_id = s->psum_s1_id;
		s->psum_rsp_data = memory_read(t, s->psum_s1_id, LSU_PSUM);
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

/* First requester in cyclic order from *rr; moves *rr behind it. */
static int memory_arbitrate(unsigned want, uint8_t *rr)
{
	unsigned e = *rr % TPB_ENGINES;

	while (!(want >> e & 1))
		e = e + 1 == TPB_ENGINES ? 0 : e + 1;
	*rr = (uint8_t)(e + 1 == TPB_ENGINES ? 0 : e + 1);
	return (int)e;
}

static void memory_grant_onchip(struct tpb *t, int e, uint64_t addr,
                                enum lsu_memory m)
{
	struct tpb_state *s = &t->s;
	struct tpb_engine_state *g = &s->engine[e];
	uint8_t lane = (uint8_t)(memory_partition(addr, m) % MEMORY_LANES);

	if (cycle_byte(g, 0) == TPB_OP_TENSOR_SAVE) {
		uint64_t *word = memory_word(t, addr, m), bits = 0;
		uint8_t mask;
		uint64_t data = lsu_data(g, addr, &mask);

		for (int i = 0; i < 8; i++)
			if (mask >> i & 1)
				bits |= 0xFFull << 8 * i;
		*word = (*word & ~bits) | data;
		memory_log(t, addr & ~7ull, data, mask);
	} else if (m == LSU_SBUF) {
		s->sbuf_s1_valid = 1;
		s->sbuf_s1_id = (uint8_t)e;
		s->sbuf_s1_lane = lane;
	} else {
		s->psum_s1_valid = 1;
		s->psum_s1_id = (uint8_t)e;
		s->psum_s1_lane = lane;
	}
}

static void memory_grant_dram(struct tpb *t, int e, uint64_t addr)
{
	struct tpb_state *s = &t->s;
	struct tpb_engine_state *g = &s->engine[e];

	s->dreq_valid = 1;
	s->dreq_we = cycle_byte(g, 0) == TPB_OP_TENSOR_SAVE;
	s->dreq_id = (uint8_t)e;
	s->dreq_addr = addr >> 3;
	s->dreq_data = 0;
	s->dreq_mask = 0;
	if (s->dreq_we)
		s->dreq_data = lsu_data(g, addr, &s->dreq_mask);
}

/* want[m] asks for memory m; port: the DRAM register was free all cycle. */
static void memory_requests(struct tpb *t, struct cycle *c, bool port)
{
	uint8_t *rr[] = {&t->s.sbuf_rr, &t->s.psum_rr, &t->s.dram_rr};
	uint64_t addr[TPB_ENGINES];
	unsigned want[LSU_NOWHERE + 1] = {0};

	for (unsigned m = c->req; m != 0; m &= m - 1) {
		int e = cycle_first(m);

		addr[e] = lsu_address(&t->s.engine[e]);
		want[lsu_memory(&t->cfg, addr[e])] |= 1u << e;
	}
	if (!port)
		want[LSU_DRAM] = 0;
	for (int m = LSU_SBUF; m <= LSU_DRAM; m++) {
		if (want[m] == 0)
			continue;
		int e = memory_arbitrate(want[m], rr[m]);
		struct tpb_engine_state *g = &t->s.engine[e];

		if (m == LSU_DRAM)
			memory_grant_dram(t, e, addr[e]);
		else
			memory_grant_onchip(t, e, addr[e], (enum lsu_memory)m);
		c->moved = true;
		if (cycle_byte(g, 0) != TPB_OP_TENSOR_SAVE)
			g->phase = TPB_PHASE_RESP;
		else if (lsu_next(g))
			seq_retire(t, c, e);
	}
}

/* Answers reach their engines first, then the pipelines move by a cycle,
 * then the requests of this cycle enter them. */
void memory_cycle(struct tpb *t, struct cycle *c)
{
	struct tpb_state *s = &t->s;
	bool port = !s->dreq_valid;

	if (s->sbuf_rsp_valid | s->psum_rsp_valid | s->dram_rsp_valid) {
		c->moved = true;
		memory_deliver(t, c);
	}
	memory_shift_onchip(t);
	memory_shift_dram(t);
	if (c->req != 0)
		memory_requests(t, c, port);
}
