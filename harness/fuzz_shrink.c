/* SPDX-License-Identifier: Apache-2.0
 *
 * A failing program made smaller.
 *
 * Three moves, each kept if the same thing still differs first: take an
 * engine away, cut a stream short, put NoOps in place of bundles.  Bundles
 * keep their places, so that branch targets stay right.  What a program
 * means no longer matters: both sides must agree about any program.
 */
#include "harness/fuzz.h"

#include <string.h>

/* A run that differs costs a filling of all memories. */
#define TRIES 1000

struct shrink {
	struct lockstep *ls;
	struct image *img;
	struct lockstep_options opt;
	const char *what;
	int tries;
};

/* Queues whole: which of them are used shows in the bundles. */
static void copy_queues(const struct image *img, struct image *c)
{
	struct image_error err;
	int inst = 0, block = 0, desc = 0;

	for (int q = 0; q < img->nqueues; q++) {
		const struct image_queue *u = &img->queue[q];
		image_add_queue(c, u->name, u->type, u->owner, u->special,
		                u->normal);
		for (int i = inst + (int)u->instances; inst < i; inst++) {
			const struct image_instance *n = &img->instance[inst];
			image_add_instance(c, n->name);
			for (int k = block + (int)n->blocks; block < k;
			     block++) {
				const struct image_block *b =
				    &img->block[block];
				image_add_block(c, b->mode, b->id, b->operand);
				for (int d = desc + (int)b->descriptors;
				     desc < d; desc++)
					image_add_descriptor(
					    c, img->descriptor[desc]);
			}
		}
	}
	/* It was resolved before. */
	image_resolve(c, &err);
}

static struct image *copy(const struct image *img)
{
	struct image *c = image_new(img->name);

	c->gen = img->gen;
	c->rank = img->rank;
	c->loaded = img->loaded;
	c->fp8_ocp = img->fp8_ocp;
	c->fp8_saturate = img->fp8_saturate;
	c->fp8_nan_suppress = img->fp8_nan_suppress;
	for (int e = 0; e < TPB_ENGINES; e++)
		for (uint32_t i = 0; i < img->stream[e].len; i++)
			image_emit(c, e, img->stream[e].bundle[i], 0, 0);
	for (int i = 0; i < img->ntensors; i++) {
		const struct image_tensor *t = &img->tensor[i];
		image_add_tensor(c, t->name, t->id, t->addr, t->size, t->init,
		                 t->output);
	}
	copy_queues(img, c);
	return c;
}

/* Does what is there now still show the same difference first? */
static bool shows(struct shrink *s)
{
	struct lockstep_result r;
	uint32_t bundles = 0;

	for (int e = 0; e < TPB_ENGINES; e++)
		bundles += s->img->stream[e].len;
	if (!bundles || s->tries++ >= TRIES)
		return false;
	return lockstep_run(s->ls, s->img, &s->opt, &r) &&
	       r.verdict == VERDICT_DIFFERS && !strcmp(r.what, s->what);
}

static bool cut(struct shrink *s, int e, uint32_t len)
{
	uint32_t old = s->img->stream[e].len;

	s->img->stream[e].len = len;
	if (shows(s))
		return true;
	s->img->stream[e].len = old;
	return false;
}

/* NoOps for n bundles from `at`. */
static void blank(struct shrink *s, int e, uint32_t at, uint32_t n)
{
	static const uint8_t noop[TPB_BUNDLE] = {TPB_OP_NOOP, 0x10};
	uint8_t old[TPB_BUNDLE * 1024];
	uint8_t(*b)[TPB_BUNDLE] = s->img->stream[e].bundle + at;
	bool change = false;

	memcpy(old, b, (size_t)n * TPB_BUNDLE);
	for (uint32_t i = 0; i < n; i++) {
		change |= memcmp(b[i], noop, TPB_BUNDLE) != 0;
		memcpy(b[i], noop, TPB_BUNDLE);
	}
	if (change && !shows(s))
		memcpy(b, old, (size_t)n * TPB_BUNDLE);
}

static void shrink_engine(struct shrink *s, int e)
{
	struct image_stream *st = &s->img->stream[e];
	uint32_t step = st->len / 2;

	while (step) {
		if (st->len <= step || !cut(s, e, st->len - step))
			step /= 2;
	}
	step = st->len < 1024 ? st->len : 1024;
	for (; step; step /= 2)
		for (uint32_t at = 0; at < st->len; at += step)
			blank(s, e, at,
			      st->len - at < step ? st->len - at : step);
}

struct image *fuzz_shrink(struct lockstep *ls, const struct image *img,
                          const struct lockstep_options *opt,
                          const struct lockstep_result *seen, FILE *out)
{
	struct shrink s = {
	    .ls = ls, .img = copy(img), .opt = *opt, .what = seen->what};

	s.opt.max_cycles = seen->cycles + 2000;
	/* What one pass takes away lets the next one take more. */
	for (int pass = 0; pass < 2; pass++) {
		for (int e = 0; e < TPB_ENGINES; e++)
			if (s.img->stream[e].len)
				cut(&s, e, 0);
		for (int e = 0; e < TPB_ENGINES; e++)
			shrink_engine(&s, e);
	}
	fprintf(out, "shrink: %d runs\n", s.tries);
	for (int e = 0; e < TPB_ENGINES; e++) {
		uint32_t left = 0, len = s.img->stream[e].len;
		for (uint32_t i = 0; i < len; i++)
			left += s.img->stream[e].bundle[i][0] != TPB_OP_NOOP;
		fprintf(out,
		        "shrink: engine %d: %u of %u bundles, %u no NoOp\n", e,
		        len, img->stream[e].len, left);
	}
	return s.img;
}
