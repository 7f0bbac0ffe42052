/* SPDX-License-Identifier: Apache-2.0
 *
 * One kernel, run in every way there is, and the outputs compared.
 *
 * The module that the front end leaves, in the interpreter, is what the
 * others are held against: it has no pass and no machine in it.  The model's
 * on-chip bytes that the kernel can see begin with a pattern, so nothing
 * depends on the kernels before.
 */
#include "harness/gen_kernel.h"

#include "cmodel/tpb.h"
#include "compiler/bir/bir_build.h"
#include "compiler/bir/bir_interp.h"
#include "compiler/compile.h"
#include "compiler/klr/klr.h"
#include "harness/dram.h"
#include "harness/fill.h"
#include "harness/gen_rng.h"
#include "harness/program.h"
#include "image/image.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_STEPS 1000000
#define MAX_CYCLES 3000000
#define SBUF_BYTES 229376
#define MAX_OUTPUTS 32
#define PATTERN 0xA5C3960FA5C3960Full

struct kernel_bench {
	struct tpb *model;
	struct dram *dram;
	struct lockstep *ls;
	bool plant;
};

/* The kernel at hand. */
struct job {
	struct kernel_bench *b;
	struct klr_kernel *k;
	uint64_t seed;
	struct kernel_verdict *v;
	/* what the interpreter says of the lowered module */
	uint8_t *want[MAX_OUTPUTS];
	int nwant;
};

struct kernel_bench *kernel_bench_new(struct lockstep *ls)
{
	struct tpb_config cfg = {
	    .gen = 3, .sbuf_part_bytes = SBUF_BYTES, .fp8_saturate = true};
	struct kernel_bench *b = calloc(1, sizeof(*b));

	if (!b)
		return NULL;
	b->ls = ls;
	b->model = tpb_new(&cfg);
	b->dram = dram_new();
	if (!b->model || !b->dram) {
		kernel_bench_free(b);
		return NULL;
	}
	b->model->dram = program_port(b->dram);
	b->model->dram_ready = true;
	return b;
}

void kernel_bench_free(struct kernel_bench *b)
{
	if (!b)
		return;
	if (b->model)
		tpb_free(b->model);
	if (b->dram)
		dram_free(b->dram);
	free(b);
}

void kernel_bench_plant(struct kernel_bench *b, bool on)
{
	b->plant = on;
}

/* ------------------------------------------------------------ verdicts */

static bool ends(struct job *j, enum kernel_end end, const char *id,
                 const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Always false; the first verdict stands. */
static bool ends(struct job *j, enum kernel_end end, const char *id,
                 const char *format, ...)
{
	va_list ap;

	if (j->v->end != KERNEL_PASS)
		return false;
	j->v->end = end;
	snprintf(j->v->id, sizeof(j->v->id), "%s", id);
	va_start(ap, format);
	vsnprintf(j->v->what, sizeof(j->v->what), format, ap);
	va_end(ap);
	return false;
}

/* Limits of machine and compiler that a valid kernel may meet. */
static bool is_limit(const char *id)
{
	static const char *const limit[] = {"CGN010", "CMP006", "CMP015",
	                                    "CMP016", "CMP023", "CMP030"};

	for (size_t i = 0; i < sizeof(limit) / sizeof(*limit); i++)
		if (!strcmp(limit[i], id))
			return true;
	return false;
}

static bool refused(struct job *j, const char *id, const char *place,
                    const char *text)
{
	return ends(j, is_limit(id) ? KERNEL_LIMIT : KERNEL_COMPILE, id,
	            "%s: %s: %s", id, place, text);
}

/* ------------------------------------------------------------ inputs */

/* Half of the tensors hold any bits, the others small numbers. */
static void fill_input(struct rng *r, int dtype, uint8_t *at, size_t n)
{
	size_t size = (size_t)bir_dtype_size(dtype);
	bool small = rng_chance(r, 60);

	for (size_t i = 0; i + size <= n; i += size) {
		uint32_t v = rng_u32(r);

		if (small && bir_dtype_float(dtype) && size > 1) {
			float f = (float)rng_range(r, -64, 64) / 4;
			uint32_t w;

			memcpy(&w, &f, 4);
			v = dtype == TPB_BIR_DTYPE_BFLOAT16  ? w >> 16
			    : dtype == TPB_BIR_DTYPE_FLOAT32 ? w
			                                     : v & 0xBFFF;
		} else if (small) {
			v = (uint32_t)rng_range(r, -8, 8);
		}
		memcpy(at + i, &v, size);
	}
}

/* Inputs depend on seed and name alone, so that what is left of a kernel keeps
 * them. */
static void load_inputs(struct job *j, struct bir_module *m)
{
	for (struct bir_loc *l = m->loc; l; l = l->next) {
		uint64_t seed = j->seed;
		struct rng r;
		uint8_t *at;

		if (l->kind != BIR_INPUT)
			continue;
		for (const char *p = l->name; *p; p++)
			seed = fill_hash(seed, (uint8_t)*p);
		rng_seed(&r, seed);
		at = arena_alloc(m->arena, bir_loc_bytes(l));
		memset(at, 0, bir_loc_bytes(l));
		fill_input(&r, l->dtype, at, bir_loc_bytes(l));
		l->init = at;
	}
}

/* ------------------------------------------------------------ the front */

static bool parse(struct job *j, const char *text)
{
	struct klr_error err = {0};
	struct klr_kernel *again;
	char *print;

	j->k = klr_parse(text, strlen(text), "random.klr", &err);
	if (!j->k)
		return ends(j, KERNEL_REFUSED, err.id, "%s: %s: %s", err.id,
		            err.place, err.text);
	print = klr_print(j->k);
	if (!print)
		abort();
	again = klr_parse(print, strlen(print), "printed.klr", &err);
	if (!again)
		ends(j, KERNEL_PRINTED, err.id, "%s: %s: %s", err.id, err.place,
		     err.text);
	else if (!klr_equal(j->k, again))
		ends(j, KERNEL_PRINTED, "", "the print reads to another tree");
	klr_free(again);
	free(print);
	return j->v->end == KERNEL_PASS;
}

static struct bir_module *lower(struct job *j)
{
	struct klr_lower_opts opts = {.gen = 3, .no_data = true};
	struct klr_error err = {0};
	struct bir_module *m = klr_lower(j->k, &opts, &err);

	if (!m) {
		ends(j, KERNEL_REFUSED, err.id, "%s: %s: %s", err.id, err.place,
		     err.text);
		return NULL;
	}
	load_inputs(j, m);
	return m;
}

/* ------------------------------------------------------------ interpreter */

/* One output against what it must be; `got` is of its size. */
static bool compare(struct job *j, enum kernel_end end, const char *where,
                    const struct bir_loc *l, int n, const uint8_t *got)
{
	size_t size = bir_loc_bytes(l), i = 0;

	while (i < size && got[i] == j->want[n][i])
		i++;
	if (i == size)
		return true;
	return ends(j, end, "",
	            "%s: %s byte 0x%zX is 0x%02X, the interpreter before the "
	            "passes has 0x%02X",
	            where, l->name, i, got[i], j->want[n][i]);
}

/* Keep the outputs (the first time) or compare them. */
static bool outputs(struct job *j, const struct bir_module *m,
                    const struct bir_interp *t, const char *where)
{
	struct bir_error err = {0};
	bool first = !j->nwant;
	int n = 0;

	for (const struct bir_loc *l = m->loc; l; l = l->next) {
		uint8_t *got;
		bool ok;

		if (l->kind != BIR_OUTPUT_T || n == MAX_OUTPUTS)
			continue;
		got = malloc(bir_loc_bytes(l));
		if (!got)
			abort();
		if (!bir_interp_read(t, l->name, got, bir_loc_bytes(l), &err)) {
			free(got);
			return ends(j, KERNEL_INTERP, err.id, "%s: %s: %s",
			            err.id, err.place, err.text);
		}
		if (first) {
			j->want[j->nwant++] = got;
			j->v->bytes += bir_loc_bytes(l);
			continue;
		}
		ok = compare(j, KERNEL_PASSES, where, l, n++, got);
		free(got);
		if (!ok)
			return false;
	}
	return true;
}

static bool interpret(struct job *j, struct bir_module *m, const char *where)
{
	struct bir_error err = {0};
	struct bir_interp *t = bir_interp_new(m, &err);
	bool ok = t != NULL;

	for (const struct bir_loc *l = m->loc; ok && l; l = l->next)
		if (l->kind == BIR_INPUT)
			ok = bir_interp_load(t, l->name, l->init,
			                     bir_loc_bytes(l), &err);
	ok = ok && bir_interp_run(t, MAX_STEPS, &err);
	if (!ok) {
		ends(j, KERNEL_INTERP, err.id, "%s: %s: %s: %s", where, err.id,
		     err.place, err.text);
	} else {
		ok = outputs(j, m, t, where);
		if (!j->v->steps)
			j->v->steps = (uint64_t)bir_interp_steps(t);
	}
	bir_interp_free(t);
	return ok;
}

/* Behind a pass that the seed names. */
static bool after_pass(struct job *j)
{
	struct compile_opts opts = {.gen = 3};
	struct compile_error err = {0};
	struct bir_module *m = lower(j);
	char where[64];
	int passes = 1; /* there is one at least */
	bool ok;

	while (compile_pass_name(passes))
		passes++;
	opts.stop_after =
	    compile_pass_name((int)(fill_hash(j->seed, 7) % (uint64_t)passes));
	if (!m)
		return false;
	snprintf(where, sizeof(where), "after %s", opts.stop_after);
	ok = compile_lower(m, &opts, &err)
	         ? interpret(j, m, where)
	         : refused(j, err.id, err.place, err.text);
	bir_module_free(m);
	return ok;
}

/* ------------------------------------------------------------ model */

static struct image *compile(struct job *j, struct bir_module *m)
{
	struct compile_opts opts = {.gen = 3};
	struct compile_error err = {0};
	struct image_error bad = {0};
	struct image *img = image_new(m->name);

	if (!tpb_compile(m, &opts, img, &err))
		refused(j, err.id, err.place, err.text);
	else if (!image_resolve(img, &bad))
		refused(j, bad.id, bad.place, bad.text);
	else
		return img;
	image_free(img);
	return NULL;
}

/* The on-chip bytes of the kernel's tensors. */
static void fill_chip(struct tpb *t, const struct bir_module *m)
{
	for (const struct bir_loc *l = m->loc; l; l = l->next) {
		if (l->mem == BIR_DRAM || !l->placed)
			continue;
		for (int p = l->part; p < l->part + l->partitions; p++)
			for (int64_t i = l->byte & ~INT64_C(7);
			     i < l->byte + l->row_bytes; i += 8) {
				uint32_t at = (uint32_t)i;

				if (l->mem == BIR_PSUM)
					t->psum[tpb_psum_word(p, at)] = PATTERN;
				else
					t->sbuf[tpb_sbuf_word(t, p, at)] =
					    PATTERN;
			}
	}
}

static void load_model(struct job *j, const struct image *img,
                       const struct bir_module *m)
{
	struct tpb *t = j->b->model;

	program_model(&t->cfg, img);
	dram_clear(j->b->dram, FILL_ZERO, 0);
	program_tensors(j->b->dram, img);
	fill_chip(t, m);
	fill_state(&t->s, FILL_RANDOM, j->seed);
	tpb_reset(t);
}

/* Flip a bit of the first input: the check of this check. */
static void plant(struct job *j, const struct bir_module *m)
{
	for (const struct bir_loc *l = m->loc; l; l = l->next)
		if (l->kind == BIR_INPUT) {
			uint8_t byte = l->init[0] ^ 0x40;

			dram_put(j->b->dram, (uint64_t)l->addr, &byte, 1);
			return;
		}
}

/* All outputs of a DRAM. */
static bool compare_dram(struct job *j, const struct bir_module *m, bool rtl)
{
	int n = 0;

	for (const struct bir_loc *l = m->loc; l; l = l->next) {
		size_t size = bir_loc_bytes(l);
		uint8_t *got;
		bool ok;

		if (l->kind != BIR_OUTPUT_T || n == j->nwant)
			continue;
		got = malloc(size);
		if (!got)
			abort();
		if (rtl)
			lockstep_dram(j->b->ls, true, (uint64_t)l->addr, got,
			              size);
		else
			dram_get(j->b->dram, (uint64_t)l->addr, got, size);
		ok = compare(j, rtl ? KERNEL_RTL : KERNEL_MODEL,
		             rtl ? "RTL" : "model", l, n++, got);
		free(got);
		if (!ok)
			return false;
	}
	return true;
}

static bool run_model(struct job *j, const struct image *img,
                      const struct bir_module *m)
{
	struct tpb *t = j->b->model;
	uint64_t n = 0;

	load_model(j, img, m);
	if (j->b->plant)
		plant(j, m);
	while (n < MAX_CYCLES && !tpb_done(t)) {
		tpb_step(t);
		n++;
	}
	j->v->cycles = n;
	for (int e = 0; e < TPB_ENGINES; e++) {
		uint8_t s = t->s.engine[e].state;

		if (s != TPB_RUN_EXITED && s != TPB_RUN_ABSENT)
			return ends(j, KERNEL_ENDS, "",
			            "engine %d is in state %d after %" PRIu64
			            " cycles of the model",
			            e, s, n);
	}
	return compare_dram(j, m, false);
}

static bool run_rtl(struct job *j, const struct image *img,
                    const struct bir_module *m)
{
	struct lockstep_options opt = {.seed = 1,
	                               .fill = FILL_ZERO,
	                               .max_cycles = MAX_CYCLES,
	                               .compare = true,
	                               .fill_seed = 1,
	                               .quick_memory = true};
	struct lockstep_result res = {.verdict = VERDICT_TIMEOUT};

	if (!lockstep_run(j->b->ls, img, &opt, &res))
		return ends(j, KERNEL_RTL, "", "the image cannot be run");
	if (res.verdict != VERDICT_PASS)
		return ends(j, KERNEL_RTL, "",
		            "lockstep: verdict %d, %s in cycle %" PRIu64
		            ": rtl=0x%" PRIX64 " model=0x%" PRIX64,
		            (int)res.verdict, res.what, res.bad_cycle, res.rtl,
		            res.model);
	return compare_dram(j, m, true);
}

static bool machine(struct job *j)
{
	struct bir_module *m = lower(j);
	struct image *img = m ? compile(j, m) : NULL;
	bool ok =
	    img && run_model(j, img, m) && (!j->b->ls || run_rtl(j, img, m));

	for (int e = 0; e < TPB_ENGINES; e++)
		j->b->model->cfg.stream[e] = (struct tpb_stream){0};
	image_free(img);
	if (m)
		bir_module_free(m);
	return ok;
}

/* ------------------------------------------------------------ */

static bool front(struct job *j)
{
	struct bir_module *m = lower(j);
	bool ok = m && interpret(j, m, "before the passes");

	if (m)
		bir_module_free(m);
	return ok;
}

void kernel_judge(struct kernel_bench *b, const char *text, uint64_t seed,
                  struct kernel_verdict *v)
{
	struct job j = {.b = b, .seed = seed, .v = v};

	*v = (struct kernel_verdict){.end = KERNEL_PASS};
	if (parse(&j, text) && front(&j) && after_pass(&j))
		machine(&j);
	v->outputs = j.nwant;
	for (int i = 0; i < j.nwant; i++)
		free(j.want[i]);
	klr_free(j.k);
}
