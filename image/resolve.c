/* SPDX-License-Identifier: Apache-2.0
 *
 * The loader: file form to loaded form, in place, once for both sides.
 *
 *   op            file form                     loaded form
 *   call          +0x0C name, +0x30 args u32    +0x2F 1, +0x30 entry u64,
 *                                               +0x38 args
 *   load.var,     +0x10 variable, +0x14 offset  opcode load / save,
 *   save.var                                    +0x10 address, +0x17 0
 *   trigger,      +0x0C name                    +0x0C queue, instance,
 *   rqueue,                                     +0x2F 1
 *   squeue
 *   dma           both sides: variable or       both sides: address
 *                 table entry, and offset
 *   ret           -                             +0x0C 1 in a keep function
 *   currank       -                             +0x18 value, +0x2F 1
 *
 * Only names, variables and numbers are judged: a bundle that is illegal for
 * another reason goes through and faults on the machine.  Facts: the
 * sequencer sheet's loaded forms.
 */
#include "image/internal.h"

#include <stdarg.h>
#include <stdlib.h>

enum {
	OFF_NAME = 0x0C,  /* name of the callee, up to OFF_MARKER */
	OFF_GROUP = 0x0C, /* currank */
	OFF_KEEP = 0x0C,  /* ret */
	OFF_CHANNEL = 0x0E,
	OFF_ITERATION = 0x10,
	OFF_VARIABLE = 0x10,
	OFF_ADDRESS = 0x10,
	OFF_VAR_OFFSET = 0x14,
	OFF_ADDR_MARKER = 0x17,
	OFF_VALUE = 0x18,
	OFF_MARKER = 0x2F,
	OFF_TARGET = 0x30,
	OFF_ARGS = 0x38
};

/* Runs of bytes of descriptors that are looked at one by one, all in all:
 * about a tenth of a second. */
#define RUN_BUDGET (1ull << 24)

/* Opcodes that live only in other people's files. */
enum { OP_BRANCH_LABEL = 0xCC, OP_FUNCTION_BEGIN = 0xD1 };

bool image_load_fail(const struct image_loader *l, enum image_errno id, int off,
                     const char *fmt, ...)
{
	char what[180], source[60] = "";
	int section = SEC_DESCRIPTORS;
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(what, sizeof(what), fmt, ap);
	va_end(ap);
	if (l->engine >= 0) {
		section = SEC_TEXT + l->engine;
		image_source(l->img, l->engine, l->pc, source, sizeof(source));
	}
	return image_fail(l->err, id, l->img->name, image_section_name[section],
	                  (int64_t)l->pc * TPB_BUNDLE + off,
	                  source[0] ? "%s (from %s)" : "%s", what, source);
}

/* ---- names ---- */

struct name {
	char name[IMAGE_CALLEE_MAX + 1];
	char show[IMAGE_CALLEE_MAX + 1]; /* what of it can be printed */
};

/* The name field as a string of at most max bytes; false with an error when
 * it has no end or something behind its end. */
static bool read_name(const struct image_loader *l, const uint8_t *b,
                      unsigned max, struct name *c)
{
	size_t n = strnlen((const char *)b + OFF_NAME, max);

	memcpy(c->name, b + OFF_NAME, n);
	memcpy(c->show, b + OFF_NAME, n);
	c->name[n] = c->show[n] = '\0';
	for (size_t i = 0; i < n; i++)
		if (c->name[i] <= ' ' || c->name[i] > '~')
			c->show[i] = '?';
	if (n == max && b[OFF_NAME + max] != 0)
		return image_load_fail(
		    l, IMG_CALLEE, OFF_NAME,
		    "name '%s...' is longer than %u bytes; shorten it", c->show,
		    max);
	for (size_t i = n; i < OFF_MARKER - OFF_NAME; i++)
		if (b[OFF_NAME + i] != 0)
			return image_load_fail(
			    l, IMG_CALLEE, (int)(OFF_NAME + i),
			    "bytes behind the name '%s' are not 0; "
			    "clear them",
			    c->show);
	return true;
}

static bool resolve_call(const struct image_loader *l, uint8_t *b)
{
	const char *engine =
	    image_section_name[SEC_TEXT + l->engine] + strlen(".text.");
	const struct image_symbol *f;
	uint32_t args = image_get32(b + OFF_TARGET);
	struct name c;
	int n;

	if (!read_name(l, b, IMAGE_CALLEE_MAX, &c))
		return false;
	/* A marker that is neither form is the machine's to refuse. */
	if (b[OFF_MARKER] != 0)
		return true;
	n = image_function_named(l->img, l->engine, c.name, &f);
	if (n == 0)
		return image_load_fail(
		    l, IMG_NO_FUNCTION, OFF_NAME,
		    "no function '%s' on %s; define it there", c.show, engine);
	if (n > 1)
		return image_load_fail(
		    l, IMG_AMBIGUOUS, OFF_NAME,
		    "%d functions '%s' on %s; rename all but one", n, c.show,
		    engine);
	memset(b + OFF_NAME, 0, OFF_MARKER - OFF_NAME);
	b[OFF_MARKER] = 1;
	image_put(b + OFF_TARGET, f->pc, 8);
	image_put(b + OFF_ARGS, args, 4);
	return true;
}

static void resolve_return(const struct image_loader *l, uint8_t *b)
{
	const struct image_symbol *f =
	    image_function_at(l->img, l->engine, l->pc);

	if (f && f->keep_sems && b[OFF_KEEP] == 0)
		b[OFF_KEEP] = 1;
}

/* ---- variables ---- */

static int by_id(const void *a, const void *b)
{
	const struct image_tensor *const *x = a;
	const struct image_tensor *const *y = b;

	return ((*x)->id > (*y)->id) - ((*x)->id < (*y)->id);
}

const struct image_tensor *image_variable(const struct image_loader *l,
                                          uint32_t id)
{
	struct image_tensor key = {.id = id};
	const struct image_tensor *k = &key, **hit;

	hit = bsearch(&k, l->by_id, (size_t)l->img->ntensors, sizeof(*l->by_id),
	              by_id);
	return hit ? *hit : NULL;
}

static bool resolve_access(const struct image_loader *l, uint8_t *b, uint8_t op)
{
	uint32_t id = image_get32(b + OFF_VARIABLE);
	uint32_t offset = image_get32(b + OFF_VAR_OFFSET);
	const struct image_tensor *t = image_variable(l, id);

	if (!t)
		return image_load_fail(l, IMG_NO_VARIABLE, OFF_VARIABLE,
		                       "no tensor has id %u; declare it", id);
	if (offset >= t->size)
		return image_load_fail(
		    l, IMG_OFFSET, OFF_VAR_OFFSET,
		    "offset 0x%X is outside of tensor '%.40s' of "
		    "0x%llX bytes; stay inside",
		    offset, t->name, (unsigned long long)t->size);
	b[0] = op;
	image_put(b + OFF_ADDRESS, t->addr + offset, 7);
	b[OFF_ADDR_MARKER] = 0;
	return true;
}

/* ---- queues ---- */

static bool resolve_queue(const struct image_loader *l, uint8_t *b)
{
	bool instance = b[0] == TPB_OP_SWITCH_QUEUE;
	uint8_t number[2];
	struct name c;

	/* A marker that is neither form is the machine's to refuse. */
	if (b[OFF_MARKER] != 0)
		return true;
	if (!read_name(l, b, IMAGE_QUEUE_MAX, &c))
		return false;
	if (!image_find_queue(l, c.name, instance, number))
		return image_load_fail(
		    l, IMG_NO_QUEUE, OFF_NAME,
		    "no %s is named '%s'; declare it",
		    instance ? "queue instance" : "queue or instance", c.show);
	memset(b + OFF_NAME, 0, OFF_MARKER - OFF_NAME);
	memcpy(b + OFF_NAME, number, sizeof(number));
	b[OFF_MARKER] = 1;
	return true;
}

/* ---- ranks ---- */

/* This version has one core, number 0. */
static void resolve_rank(const struct image_loader *l, uint8_t *b)
{
	uint32_t value = l->img->rank;

	if (b[OFF_MARKER] != 0)
		return;
	for (int i = 0; i < l->img->nranks; i++) {
		const struct image_rank *r = &l->img->rank_table[i];

		if (r->core != 0 || r->group != b[OFF_GROUP])
			continue;
		value = r->ranks[(uint64_t)(b[OFF_ITERATION] % r->iterations) *
		                     r->channels +
		                 b[OFF_CHANNEL] % r->channels];
		break;
	}
	image_put(b + OFF_VALUE, value, 4);
	b[OFF_MARKER] = 1;
}

/* ---- all bundles ---- */

static bool resolve_bundle(struct image_loader *l, uint8_t *b)
{
	switch (b[0]) {
	case TPB_OP_CALL: return b[OFF_MARKER] == 1 || resolve_call(l, b);
	case TPB_OP_RETURN: resolve_return(l, b); return true;
	case TPB_OP_TENSOR_LOAD_VAR:
		return resolve_access(l, b, TPB_OP_TENSOR_LOAD);
	case TPB_OP_TENSOR_SAVE_VAR:
		return resolve_access(l, b, TPB_OP_TENSOR_SAVE);
	case TPB_OP_CUR_RANK: resolve_rank(l, b); return true;
	case TPB_OP_DMA_TRIGGER:
	case TPB_OP_RESET_QUEUE:
	case TPB_OP_SWITCH_QUEUE: return resolve_queue(l, b);
	case TPB_OP_DMA_DIRECT: return image_resolve_dma(l, b);
	case OP_BRANCH_LABEL:
	case OP_FUNCTION_BEGIN:
		return image_load_fail(l, IMG_MARKER, 0,
		                       "opcode 0x%02X marks a place and is no "
		                       "instruction; use a symbol",
		                       b[0]);
	default: return true;
	}
}

bool image_resolve(struct image *img, struct image_error *err)
{
	struct image_loader l = {.img = img, .err = err, .budget = RUN_BUDGET};
	bool ok;

	if (!image_check(img, img->name, err))
		return false;
	l.by_id = image_alloc(NULL, (size_t)img->ntensors, sizeof(*l.by_id));
	for (int i = 0; i < img->ntensors; i++)
		l.by_id[i] = &img->tensor[i];
	qsort(l.by_id, (size_t)img->ntensors, sizeof(*l.by_id), by_id);
	l.names = image_queue_names(img);
	ok = image_resolve_dge(&l, img);
	for (l.engine = 0; l.engine < TPB_ENGINES && ok && !img->loaded;
	     l.engine++) {
		const struct image_stream *s = &img->stream[l.engine];

		for (l.pc = 0; l.pc < s->len && ok; l.pc++)
			ok = resolve_bundle(&l, s->bundle[l.pc]);
	}
	ok = ok && image_resolve_queues(&l, img);
	free(l.by_id);
	free(l.names);
	if (ok)
		img->loaded = true;
	return ok;
}
