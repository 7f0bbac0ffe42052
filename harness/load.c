/* SPDX-License-Identifier: Apache-2.0
 *
 * Memories and state of both sides: loaded before a run, compared after it.
 *
 * One function gives both sides the same bytes.  Filling 30 MB of SBUF and
 * PSUM anew costs some 20 ms a side, more than a short program runs; so the
 * words that a run wrote are logged, and when the next run asks for the
 * same fill only those are repaired.  That is sound because nothing but the
 * comparison of memories whole vouches for the other words: a run that ended
 * with a difference marks everything for filling.
 */
#include "harness/cmd.h"
#include "harness/fill.h"
#include "harness/lockstep_priv.h"
#include "harness/program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Longer logs are dropped: filling anew is cheaper. */
#define LOG_MAX (1u << 20)

static uint32_t sbuf_words(void)
{
	return rtl_sbuf_part_bytes() / 8;
}

/* A side's SBUF or PSUM, row-major: the lanes of a word side by side. */
static uint64_t *memory(struct lockstep *ls, enum side side, bool psum)
{
	if (side == SIDE_RTL)
		return psum ? rtl_psum(ls->rtl) : rtl_sbuf(ls->rtl);
	return psum ? ls->model->psum : ls->model->sbuf;
}

/* Where word `word` of a partition lies in it. */
static size_t place(bool psum, uint64_t partition, uint64_t word)
{
	uint64_t words = psum ? PSUM_WORDS : sbuf_words();

	return (size_t)((partition / TPB_LANES * words + word) * TPB_LANES +
	                partition % TPB_LANES);
}

/* Unified address of a word of a partition. */
static uint64_t address(bool psum, int partition, uint64_t word)
{
	return psum ? ADDR_PSUM + ((uint64_t)partition << 15) + word * 8
	            : ADDR_SBUF + ((uint64_t)partition << 18) + word * 8;
}

/* From a partition to the next. */
static uint64_t step_of(uint64_t addr)
{
	return addr >= ADDR_PSUM ? 1u << 15 : 1u << 18;
}

/* Partition and word of an on-chip address. */
static void parts(uint64_t addr, uint64_t *partition, uint64_t *word)
{
	bool psum = addr >= ADDR_PSUM;
	uint64_t offset = addr - (psum ? ADDR_PSUM : ADDR_SBUF);

	*partition = offset >> (psum ? 15 : 18);
	*word = (offset & (psum ? 0x7FFF : 0x3FFFF)) / 8;
}

/* Is there such a word in so many partitions from this one on? */
static bool exists(uint64_t addr, uint32_t lanes)
{
	uint64_t words = addr >= ADDR_PSUM ? PSUM_WORDS : sbuf_words();
	uint64_t partition, word;

	parts(addr, &partition, &word);
	return addr >= ADDR_SBUF && partition < TPB_PARTITIONS &&
	       lanes <= TPB_PARTITIONS - partition && word < words;
}

uint64_t *lockstep_word(struct lockstep *ls, enum side side, uint64_t addr)
{
	bool psum = addr >= ADDR_PSUM;
	uint64_t partition, word;

	if (!exists(addr, 1))
		return NULL;
	parts(addr, &partition, &word);
	return memory(ls, side, psum) + place(psum, partition, word);
}

void lockstep_log(struct lockstep *ls, uint64_t addr, uint32_t lanes)
{
	struct write_log *log = &ls->log;

	addr &= ~7ull;
	if (!exists(addr, lanes)) {
		ls->clean = false; /* both sides agree on a wild address */
		return;
	}
	if (log->n == log->cap) {
		size_t cap = log->cap ? 2 * log->cap : 4096;
		struct logged *p =
		    cap > LOG_MAX ? NULL : realloc(log->at, cap * sizeof(*p));
		if (!p) {
			ls->clean = false;
			return;
		}
		log->at = p;
		log->cap = cap;
	}
	log->at[log->n++] = (struct logged){addr, lanes};
}

static void copy_memory(struct lockstep *ls, bool psum)
{
	size_t words = psum ? PSUM_WORDS : sbuf_words();

	memcpy(memory(ls, SIDE_RTL, psum), memory(ls, SIDE_MODEL, psum),
	       TPB_PARTITIONS * words * sizeof(uint64_t));
}

static void copy_slots(struct lockstep *ls)
{
	const struct tpb *t = ls->model;

	memcpy(rtl_vacc(ls->rtl), t->vacc, sizeof(t->vacc));
	memcpy(rtl_vmatch(ls->rtl), t->vmatch, sizeof(t->vmatch));
}

/* A field of the core := that of the model. */
static void copy_field(struct lockstep *ls, int f)
{
	const struct state_field *d = &state_fields[f];

	memcpy(rtl_field(ls->rtl, f), (const char *)&ls->model->s + d->offset,
	       (size_t)d->count * (size_t)d->bytes);
}

void lockstep_copy(struct lockstep *ls)
{
	for (int f = 0; f < state_nfields; f++)
		copy_field(ls, f);
	copy_memory(ls, false);
	copy_memory(ls, true);
	copy_slots(ls);
	dram_copy(ls->dram[SIDE_RTL], ls->dram[SIDE_MODEL]);
}

static void fill_memory(struct lockstep *ls, bool psum)
{
	uint32_t words = psum ? PSUM_WORDS : sbuf_words();
	uint64_t *m = memory(ls, SIDE_MODEL, psum);

	for (int row = 0; row < TPB_PARTITIONS; row += TPB_LANES) {
		uint64_t lane[TPB_LANES];

		for (int l = 0; l < TPB_LANES; l++)
			lane[l] = address(psum, row + l, 0);
		fill_rows(m + place(psum, (uint64_t)row, 0), words, ls->fill,
		          ls->fill_seed, lane);
	}
	copy_memory(ls, psum);
}

/* The RAMs of DVE; small, so filled anew each time. */
static void fill_slots(struct lockstep *ls)
{
	struct tpb *t = ls->model;
	uint64_t where = FILL_SLOTS;

	for (int p = 0; p < TPB_PARTITIONS; p++) {
		t->vacc[p] =
		    (uint32_t)fill_word(ls->fill, ls->fill_seed, where++ * 8);
		for (int k = 0; k < 8; k++)
			t->vmatch[p][k] = (uint32_t)fill_word(
			    ls->fill, ls->fill_seed, where++ * 8);
	}
	copy_slots(ls);
}

/* Give the logged words their fill again. */
static void repair(struct lockstep *ls, const struct logged *at)
{
	uint64_t a = at->addr;

	for (uint32_t j = 0; j < at->lanes; j++, a += step_of(a)) {
		uint64_t w = fill_word(ls->fill, ls->fill_seed, a);
		*lockstep_word(ls, SIDE_RTL, a) = w;
		*lockstep_word(ls, SIDE_MODEL, a) = w;
	}
}

static void load_on_chip(struct lockstep *ls, enum fill fill, uint64_t seed)
{
	if (ls->clean && ls->fill == fill && ls->fill_seed == seed) {
		for (size_t i = 0; i < ls->log.n; i++)
			repair(ls, &ls->log.at[i]);
	} else {
		ls->fill = fill;
		ls->fill_seed = seed;
		fill_memory(ls, false);
		fill_memory(ls, true);
	}
	fill_slots(ls);
	ls->log.n = 0;
	ls->clean = true;
}

static void load_dram(struct lockstep *ls, const struct image *img)
{
	for (int side = 0; side < 2; side++) {
		dram_clear(ls->dram[side], ls->fill, ls->fill_seed);
		program_tensors(ls->dram[side], img);
	}
}

/* Stop whatever an earlier run left going.  A write that stands at a RAM
 * takes place at the edge of the reset, so this comes before the memories. */
static void stop(struct lockstep *ls)
{
	struct rtl_out out;

	rtl_outputs(ls->rtl, &out);
	for (int k = 0; k < 2; k++)
		if (out.mon[k].valid)
			lockstep_log(ls, out.mon[k].addr, 1);
	if (out.row)
		ls->clean = false;
	rtl_reset(ls->rtl);
}

/* Fill the registers that reset leaves alone, then reset again: it lets the
 * logic behind them settle. */
static void load_state(struct lockstep *ls, enum fill fill, uint64_t seed)
{
	fill_state(&ls->model->s, fill, seed);
	for (int f = 0; f < state_nfields; f++)
		if (state_fields[f].reset == STATE_KEEP)
			copy_field(ls, f);
	rtl_reset(ls->rtl);
	tpb_reset(ls->model);
}

/* Limits of this build's DMA unit: what its registers can count. */
static bool queues_fit(const struct image *img)
{
	const struct image_dma *d = &img->dma;
	uint32_t most = 0;

	for (uint32_t i = 0; i < d->ninstances; i++)
		most |= (uint32_t)(d->instance[i][6] | d->instance[i][7]);
	for (uint32_t i = 0; i < d->nblocks; i++)
		most |= (uint32_t)(d->block[i][6] | d->block[i][7]);
	if (d->nqueues > TPB_QUEUES)
		cmd_error("RUN005", img->name,
		          "%u DMA queues, this core has %d; share queues",
		          (unsigned)d->nqueues, TPB_QUEUES);
	else if (most)
		cmd_error("RUN006", img->name,
		          "65536 blocks or descriptors in one piece, 65535 are "
		          "the limit; split it");
	else
		return true;
	return false;
}

bool lockstep_runnable(const struct image *img)
{
	uint64_t bundles = 0;

	for (int e = 0; e < TPB_ENGINES; e++)
		bundles += img->stream[e].len;
	if (!img->loaded)
		cmd_error("RUN001", img->name,
		          "names are not resolved; load the image first");
	else if (img->gen != rtl_gen())
		cmd_error("RUN002", img->name,
		          "made for gen%d, this core is gen%d; build the "
		          "program for gen%d",
		          img->gen, rtl_gen(), rtl_gen());
	else if (!bundles)
		cmd_error("RUN003", img->name,
		          "no engine has code; write at least one bundle");
	else
		return queues_fit(img);
	return false;
}

bool lockstep_load(struct lockstep *ls, const struct image *img,
                   const struct lockstep_options *opt)
{
	struct rtl_program program;

	if (!lockstep_runnable(img))
		return false;
	ls->img = img;
	program_model(&ls->model->cfg, img);
	program = program_rtl(img);
	stop(ls);
	rtl_load(ls->rtl, &program);
	memset(&ls->port, 0, sizeof(ls->port));
	load_on_chip(ls, opt->fill,
	             opt->fill_seed ? opt->fill_seed : opt->seed);
	load_dram(ls, img);
	load_state(ls, opt->fill, opt->seed);
	return true;
}

/* ------------------------------------------------------------------ *
 * After the run.                                                     *
 * ------------------------------------------------------------------ */

static bool word_differs(struct lockstep *ls, uint64_t addr,
                         struct lockstep_result *res)
{
	const char *name = addr >= ADDR_PSUM   ? "PSUM"
	                   : addr >= ADDR_SBUF ? "SBUF"
	                                       : "DRAM";
	uint64_t base = addr >= ADDR_PSUM   ? ADDR_PSUM
	                : addr >= ADDR_SBUF ? ADDR_SBUF
	                                    : 0;

	if (base) {
		res->rtl = *lockstep_word(ls, SIDE_RTL, addr);
		res->model = *lockstep_word(ls, SIDE_MODEL, addr);
	} else {
		res->rtl = dram_read(ls->dram[SIDE_RTL], addr / 8);
		res->model = dram_read(ls->dram[SIDE_MODEL], addr / 8);
	}
	res->verdict = VERDICT_DIFFERS;
	res->bad_cycle = res->cycles;
	res->bad_field = -1;
	res->bad_index = 0;
	snprintf(res->what, sizeof(res->what), "%s[0x%llX]", name,
	         (unsigned long long)(addr - base));
	ls->clean = false;
	return false;
}

static bool compare_memory(struct lockstep *ls, bool psum,
                           struct lockstep_result *res)
{
	size_t words = psum ? PSUM_WORDS : sbuf_words(), i = 0;
	const uint64_t *a = memory(ls, SIDE_RTL, psum);
	const uint64_t *b = memory(ls, SIDE_MODEL, psum);

	if (!memcmp(a, b, TPB_PARTITIONS * words * sizeof(*a)))
		return true;
	while (a[i] == b[i])
		i++;
	size_t row = i / TPB_LANES;
	int partition = (int)(row / words * TPB_LANES + i % TPB_LANES);
	return word_differs(ls, address(psum, partition, row % words), res);
}

/* n words of a RAM of DVE. */
static bool compare_ram(const char *name, const uint32_t *rtl,
                        const uint32_t *model, int n,
                        struct lockstep_result *res)
{
	for (int i = 0; i < n; i++) {
		if (rtl[i] == model[i])
			continue;
		res->verdict = VERDICT_DIFFERS;
		res->bad_cycle = res->cycles;
		res->bad_field = -1;
		res->bad_index = 0;
		res->rtl = rtl[i];
		res->model = model[i];
		snprintf(res->what, sizeof(res->what), "%s[%d]", name, i);
		return false;
	}
	return true;
}

/* Accumulators and match slots. */
static bool compare_slots(struct lockstep *ls, struct lockstep_result *res)
{
	const struct tpb *t = ls->model;

	return compare_ram("vacc", rtl_vacc(ls->rtl), t->vacc, TPB_PARTITIONS,
	                   res) &&
	       compare_ram("vmatch", rtl_vmatch(ls->rtl), t->vmatch[0],
	                   TPB_PARTITIONS * 8, res);
}

bool lockstep_memories(struct lockstep *ls, bool whole,
                       struct lockstep_result *res)
{
	uint64_t word = 0;

	if (!dram_equal(ls->dram[SIDE_RTL], ls->dram[SIDE_MODEL], &word))
		return word_differs(ls, word * 8, res);
	if (!compare_slots(ls, res))
		return false;
	if (whole || !ls->clean)
		return compare_memory(ls, false, res) &&
		       compare_memory(ls, true, res);
	for (size_t i = 0; i < ls->log.n; i++) {
		uint64_t a = ls->log.at[i].addr;

		for (uint32_t j = 0; j < ls->log.at[i].lanes; j++) {
			if (*lockstep_word(ls, SIDE_RTL, a) !=
			    *lockstep_word(ls, SIDE_MODEL, a))
				return word_differs(ls, a, res);
			a += step_of(a);
		}
	}
	return true;
}

bool lockstep_check_memories(struct lockstep *ls, struct lockstep_result *res)
{
	return lockstep_memories(ls, true, res);
}
