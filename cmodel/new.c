/* SPDX-License-Identifier: Apache-2.0
 *
 * Making, resetting and ending a model.
 */
#include "cmodel/dma.h"
#include "cmodel/vec.h"

#include <stdlib.h>
#include <string.h>

/* A model without DRAM behind its port reads zeros and drops writes. */
static uint64_t new_no_read(void *ctx, uint64_t word)
{
	(void)ctx;
	(void)word;
	return 0;
}

static void new_no_write(void *ctx, uint64_t word, uint64_t data, uint8_t mask)
{
	(void)ctx;
	(void)word;
	(void)data;
	(void)mask;
}

struct tpb *tpb_new(const struct tpb_config *cfg)
{
	struct tpb *t = calloc(1, sizeof(*t));

	if (!t)
		return NULL;
	t->cfg = *cfg;
	t->dram.read = new_no_read;
	t->dram.write = new_no_write;
	t->dram_ready = true;
	/* A row more, for lanes that a planted fault moves beyond the end. */
	t->sbuf = calloc(tpb_sbuf_words(t) + TPB_LANES, sizeof(*t->sbuf));
	t->psum = calloc(tpb_psum_words() + TPB_LANES, sizeof(*t->psum));
	t->unit = calloc(TPB_VECS, sizeof(*t->unit));
	if (!t->sbuf || !t->psum || !t->unit) {
		tpb_free(t);
		return NULL;
	}
	return t;
}

void tpb_free(struct tpb *t)
{
	if (!t)
		return;
	for (int e = 0; e < TPB_ENGINES; e++)
		free(t->verdicts[e].code);
	free(t->sbuf);
	free(t->psum);
	free(t->unit);
	free(t);
}

/* Forget the verdicts of the old streams.  Without memory for the new ones
 * the model decodes each bundle as it comes. */
static void new_verdicts(struct tpb *t)
{
	for (int e = 0; e < TPB_ENGINES; e++) {
		struct tpb_verdicts *v = &t->verdicts[e];
		uint32_t len = t->cfg.stream[e].len;

		if (len > v->len) {
			free(v->code);
			v->code = malloc(len);
			v->len = v->code ? len : 0;
		}
		if (v->len)
			memset(v->code, TPB_VERDICT_UNKNOWN, v->len);
	}
}

void tpb_reset(struct tpb *t)
{
	state_reset(&t->s);
	for (int e = 0; e < TPB_ENGINES; e++)
		if (t->cfg.stream[e].len == 0)
			t->s.engine[e].state = TPB_RUN_ABSENT;
	new_verdicts(t);
	memset(t->answer, 0, sizeof(t->answer));
	t->nanswers = 0;
	t->dprog.valid = false;
	t->cycle = 0;
	t->granted = 0;
	t->retired = 0;
	t->nwrites = 0;
	t->row[0].valid = false;
	t->row[1].valid = false;
}

bool tpb_done(const struct tpb *t)
{
	for (int e = 0; e < TPB_ENGINES; e++)
		if (t->s.engine[e].state == TPB_RUN_RUN)
			return false;
	return !t->s.dreq_valid && t->nanswers == 0 &&
	       t->s.dm_state == TPB_MOVER_IDLE && dma_pending(&t->s) == 0;
}
