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

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Longer logs are dropped: filling anew is cheaper. */
#define LOG_MAX (1u << 20)

static uint32_t sbuf_words(void)
{
	return rtl_sbuf_part_bytes() / 8;
}

/* Words of a side's lane bank, QUADRANTS partitions one after another. */
static uint64_t *bank(struct lockstep *ls, enum side side, bool psum, int lane)
{
	size_t words = QUADRANTS * (psum ? PSUM_WORDS : sbuf_words());

	if (side == SIDE_RTL)
		return psum ? rtl_psum(ls->rtl, lane) : rtl_sbuf(ls->rtl, lane);
	return (psum ? ls->model->psum : ls->model->sbuf) +
	       (size_t)lane * words;
}

/* Unified address of a word of a partition. */
static uint64_t address(bool psum, int partition, uint64_t word)
{
	return psum ? ADDR_PSUM + ((uint64_t)partition << 15) + word * 8
	            : ADDR_SBUF + ((uint64_t)partition << 18) + word * 8;
}

uint64_t *lockstep_word(struct lockstep *ls, enum side side, uint64_t addr)
{
	bool psum = addr >= ADDR_PSUM;
	uint64_t offset = addr - (psum ? ADDR_PSUM : ADDR_SBUF);
	uint64_t words = psum ? PSUM_WORDS : sbuf_words();
	uint64_t partition = offset >> (psum ? 15 : 18);
	uint64_t word = (offset & (psum ? 0x7FFF : 0x3FFFF)) / 8;

	if (addr < ADDR_SBUF || partition >= LANES * QUADRANTS || word >= words)
		return NULL;
	return bank(ls, side, psum, (int)(partition % LANES)) +
	       partition / LANES * words + word;
}

void lockstep_log(struct lockstep *ls, uint64_t addr)
{
	struct write_log *log = &ls->log;

	addr &= ~7ull;
	if (!lockstep_word(ls, SIDE_MODEL, addr)) {
		ls->clean = false; /* both sides agree on a wild address */
		return;
	}
	if (log->n == log->cap) {
		size_t cap = log->cap ? 2 * log->cap : 4096;
		uint64_t *p =
		    cap > LOG_MAX ? NULL : realloc(log->addr, cap * sizeof(*p));
		if (!p) {
			ls->clean = false;
			return;
		}
		log->addr = p;
		log->cap = cap;
	}
	log->addr[log->n++] = addr;
}

static void fill_banks(struct lockstep *ls, bool psum)
{
	uint32_t words = psum ? PSUM_WORDS : sbuf_words();

	for (int lane = 0; lane < LANES; lane++) {
		uint64_t *m = bank(ls, SIDE_MODEL, psum, lane);

		for (int q = 0; q < QUADRANTS; q++)
			fill_words(m + (size_t)q * words, words, ls->fill,
			           ls->fill_seed,
			           address(psum, q * LANES + lane, 0));
		memcpy(bank(ls, SIDE_RTL, psum, lane), m,
		       (size_t)QUADRANTS * words * sizeof(*m));
	}
}

static void load_on_chip(struct lockstep *ls, enum fill fill, uint64_t seed)
{
	if (ls->clean && ls->fill == fill && ls->fill_seed == seed) {
		for (size_t i = 0; i < ls->log.n; i++) {
			uint64_t a = ls->log.addr[i];
			uint64_t w = fill_word(fill, seed, a);
			*lockstep_word(ls, SIDE_RTL, a) = w;
			*lockstep_word(ls, SIDE_MODEL, a) = w;
		}
	} else {
		ls->fill = fill;
		ls->fill_seed = seed;
		fill_banks(ls, false);
		fill_banks(ls, true);
	}
	ls->log.n = 0;
	ls->clean = true;
}

static void load_dram(struct lockstep *ls, const struct image *img)
{
	for (int side = 0; side < 2; side++) {
		dram_clear(ls->dram[side], ls->fill, ls->fill_seed);
		for (int i = 0; i < img->ntensors; i++) {
			const struct image_tensor *t = &img->tensor[i];
			if (t->init)
				dram_put(ls->dram[side], t->addr, t->init,
				         t->size);
		}
	}
}

/* Stop whatever an earlier run left going.  A write that stands at a RAM
 * takes place at the edge of the reset, so this comes before the memories. */
static void stop(struct lockstep *ls)
{
	struct rtl_out out;

	rtl_outputs(ls->rtl, &out);
	if (out.mon_valid)
		lockstep_log(ls, out.mon_addr);
	rtl_reset(ls->rtl);
}

/* Fill the registers that reset leaves alone, then reset again: it lets the
 * logic behind them settle. */
static void load_state(struct lockstep *ls, enum fill fill, uint64_t seed)
{
	struct tpb_state *s = &ls->model->s;

	fill_state(s, fill, seed);
	for (int f = 0; f < state_nfields; f++) {
		const struct state_field *d = &state_fields[f];
		if (d->reset == STATE_KEEP)
			memcpy(rtl_field(ls->rtl, f),
			       (const char *)s + d->offset,
			       (size_t)d->count * (size_t)d->bytes);
	}
	rtl_reset(ls->rtl);
	tpb_reset(ls->model);
}

static bool runnable(const struct image *img)
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
		return true;
	return false;
}

bool lockstep_load(struct lockstep *ls, const struct image *img,
                   const struct lockstep_options *opt)
{
	uint32_t len[TPB_ENGINES];

	if (!runnable(img))
		return false;
	ls->img = img;
	ls->model->cfg.rank = img->rank;
	for (int e = 0; e < TPB_ENGINES; e++) {
		len[e] = img->stream[e].len;
		ls->model->cfg.stream[e].bundle =
		    (const uint8_t(*)[TPB_BUNDLE])img->stream[e].bundle;
		ls->model->cfg.stream[e].len = len[e];
	}
	stop(ls);
	rtl_program(ls->rtl, len, img->rank);
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

static bool compare_banks(struct lockstep *ls, bool psum,
                          struct lockstep_result *res)
{
	size_t words = psum ? PSUM_WORDS : sbuf_words();

	for (int lane = 0; lane < LANES; lane++) {
		const uint64_t *a = bank(ls, SIDE_RTL, psum, lane);
		const uint64_t *b = bank(ls, SIDE_MODEL, psum, lane);
		size_t i = 0;

		if (!memcmp(a, b, QUADRANTS * words * sizeof(*a)))
			continue;
		while (a[i] == b[i])
			i++;
		int partition = (int)(i / words) * LANES + lane;
		return word_differs(ls, address(psum, partition, i % words),
		                    res);
	}
	return true;
}

bool lockstep_memories(struct lockstep *ls, bool whole,
                       struct lockstep_result *res)
{
	uint64_t word = 0;

	if (!dram_equal(ls->dram[SIDE_RTL], ls->dram[SIDE_MODEL], &word))
		return word_differs(ls, word * 8, res);
	if (whole || !ls->clean)
		return compare_banks(ls, false, res) &&
		       compare_banks(ls, true, res);
	for (size_t i = 0; i < ls->log.n; i++) {
		uint64_t a = ls->log.addr[i];
		if (*lockstep_word(ls, SIDE_RTL, a) !=
		    *lockstep_word(ls, SIDE_MODEL, a))
			return word_differs(ls, a, res);
	}
	return true;
}

bool lockstep_check_memories(struct lockstep *ls, struct lockstep_result *res)
{
	return lockstep_memories(ls, true, res);
}
