/* SPDX-License-Identifier: Apache-2.0
 *
 * `tpb asm IN.s -o OUT.tpb` and `tpb dis FILE.tpb [--loaded]`.
 *
 * What dis prints is a whole program: assembling it gives an image with the
 * same bundles, symbols, tensors and rank records.
 */
#include "harness/cmd.h"

#include "compiler/asm/asm.h"
#include "isa/isa.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINE_SIZE 1024

struct args {
	const char *in, *out;
	bool loaded;
};

/* ---- asm ---- */

static error_t asm_option(int key, char *arg, struct argp_state *state)
{
	struct args *args = state->input;

	switch (key) {
	case 'o': args->out = arg; return 0;
	case ARGP_KEY_ARG:
		if (args->in) {
			cmd_error("USE003", arg,
			          "one source file at a time; remove this");
			return ECANCELED;
		}
		args->in = arg;
		return 0;
	case ARGP_KEY_END:
		if (args->in && args->out)
			return 0;
		cmd_error("USE004", "asm",
		          "source or output is missing; "
		          "write tpb asm IN.s -o OUT.tpb");
		return ECANCELED;
	default: return ARGP_ERR_UNKNOWN;
	}
}

int cmd_asm(int argc, char **argv)
{
	static const struct argp_option options[] = {
	    {"output", 'o', "FILE", 0, "write the image to FILE", 0}, {0}};
	static const struct argp argp = {
	    options,
	    asm_option,
	    "IN.s -o OUT.tpb",
	    "Assemble a source file (docs/reference/assembly.md).",
	    NULL,
	    NULL,
	    NULL};
	struct args args = {0};
	struct image_error err = {0};
	struct image *img;
	size_t size = 0;
	char *text;
	bool ok;

	if (cmd_parse(&argp, argc, argv, &args))
		return CMD_BAD;
	text = cmd_read_file(args.in, &size);
	if (!text)
		return CMD_BAD;
	img = asm_source(text, size, args.in, &err);
	free(text);
	ok = img && image_write(img, args.out, &err);
	image_free(img);
	return ok ? CMD_OK : cmd_image_error(&err);
}

/* ---- dis ---- */

static error_t dis_option(int key, char *arg, struct argp_state *state)
{
	struct args *args = state->input;

	switch (key) {
	case 'l': args->loaded = true; return 0;
	case ARGP_KEY_ARG:
		if (args->in) {
			cmd_error("USE003", arg,
			          "one image at a time; remove this");
			return ECANCELED;
		}
		args->in = arg;
		return 0;
	case ARGP_KEY_END:
		if (args->in)
			return 0;
		cmd_error("USE004", "dis",
		          "no image is given; "
		          "write tpb dis FILE.tpb");
		return ECANCELED;
	default: return ARGP_ERR_UNKNOWN;
	}
}

struct listing {
	const struct image *img;
	int engine;
	bool unchecked;
	int *head, *next; /* symbols at a pc of the engine, -1 ends */
	bool *ends;       /* a function ends before this pc */
};

/* Can the assembler read the name back? */
static bool plain_name(const char *s)
{
	size_t n = strspn(s, "abcdefghijklmnopqrstuvwxyz"
	                     "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.$");

	if (n == 0 || s[n] || strchr(".$0123456789", s[0]) || strstr(s, ".."))
		return false;
	if (strchr("rse", s[0]) && s[1])
		return strspn(s + 1, "0123456789") + 1 != n;
	return true;
}

static const char *label_at(const void *ctx, uint32_t pc)
{
	const struct listing *l = ctx;

	if (pc > l->img->stream[l->engine].len)
		return NULL;
	for (int i = l->head[pc]; i >= 0; i = l->next[i])
		if (plain_name(l->img->symbol[i].name))
			return l->img->symbol[i].name;
	return NULL;
}

static void print_data(const struct image_tensor *t, const char *name)
{
	uint64_t i = 0, run;

	printf("\t.data %s\n", name);
	while (i < t->size) {
		for (run = 0; i + run < t->size; run++)
			if (t->init[i + run] != t->init[i])
				break;
		if (run >= 16) {
			printf("\t.fill %llu, 0x%02X\n",
			       (unsigned long long)run, t->init[i]);
			i += run;
			continue;
		}
		printf("\t.byte 0x%02X", t->init[i++]);
		while (i < t->size && i % 16)
			printf(", 0x%02X", t->init[i++]);
		printf("\n");
	}
}

static void print_tensors(const struct image *img)
{
	char made[32];

	for (int i = 0; i < img->ntensors; i++) {
		const struct image_tensor *t = &img->tensor[i];
		const char *name = t->name;

		if (!plain_name(name)) {
			snprintf(made, sizeof(made), "tensor_%u", t->id);
			name = made;
		}
		printf("\t.tensor %s, size=%llu, addr=0x%llX, id=%u%s\n", name,
		       (unsigned long long)t->size, (unsigned long long)t->addr,
		       t->id, t->output ? ", output" : "");
		if (t->init)
			print_data(t, name);
	}
}

static void print_ranks(const struct image *img)
{
	for (int i = 0; i < img->nranks; i++) {
		const struct image_rank *r = &img->rank_table[i];
		uint32_t n = r->iterations * r->channels;

		printf("\t.rank core=%u, group=%u, iterations=%u, "
		       "channels=%u : ",
		       r->core, r->group, r->iterations, r->channels);
		for (uint32_t k = 0; k < n; k++)
			printf("%s%u", k ? ", " : "", r->ranks[k]);
		printf("\n");
	}
}

static void print_quoted(const char *s)
{
	putchar('"');
	for (; *s; s++)
		printf(*s == '"' || *s == '\\' ? "\\%c" : "%c", *s);
	putchar('"');
}

static void print_group(const char *key, const uint8_t mask[TPB_SEMS / 8])
{
	const char *sep = "";
	bool any = false;

	for (int i = 0; i < TPB_SEMS / 8; i++)
		any |= mask[i];
	if (!any)
		return;
	printf(", %s={", key);
	for (int i = 0; i < TPB_SEMS; i++)
		if (mask[i / 8] >> i % 8 & 1) {
			printf("%ss%d", sep, i);
			sep = ", ";
		}
	putchar('}');
}

/* The update as the disassembler writes that of a bundle. */
static void print_block(const struct image_block *b)
{
	uint8_t noop[TPB_BUNDLE] = {TPB_OP_NOOP, 0x10, 0,       0,
	                            0,           0,    b->mode, b->id};
	char buf[LINE_SIZE];

	for (int i = 0; i < 4; i++)
		noop[8 + i] = (uint8_t)(b->operand >> (8 * i));
	isa_dis(noop, ISA_FILE, NULL, buf, sizeof(buf));
	printf("\t.block%s\n", buf + strlen("noop"));
}

static void print_descriptor(const struct image *img, const uint8_t *d)
{
	enum isa_form form = img->loaded ? ISA_LOADED : ISA_FILE;
	char buf[LINE_SIZE];
	bool raw;

	isa_dis(d, form, NULL, buf, sizeof(buf));
	raw = d[0] != TPB_OP_DMA_DIRECT || d[4] || d[6] || buf[0] == '.';
	if (raw) {
		printf("\t.unchecked\n\t.desc .bundle");
		for (int i = 0; i < TPB_BUNDLE; i += 4)
			printf("%s0x%02X%02X%02X%02X", i ? ", " : " ", d[i + 3],
			       d[i + 2], d[i + 1], d[i]);
		printf("\n\t.checked\n");
	} else {
		printf("\t.desc %s\n", buf);
	}
}

static void print_queues(const struct image *img)
{
	int n = 0, b = 0, d = 0;

	for (int i = 0; i < img->nqueues; i++) {
		const struct image_queue *q = &img->queue[i];

		printf("\n\t.queue ");
		print_quoted(q->name);
		printf(", engine=%s, type=%u",
		       isa_enum_text("engine", q->owner), q->type);
		print_group("special", q->special);
		print_group("group", q->normal);
		putchar('\n');
		for (int in = n + (int)q->instances; n < in; n++) {
			printf("\t.instance ");
			print_quoted(img->instance[n].name);
			putchar('\n');
			for (int bl = b + (int)img->instance[n].blocks; b < bl;
			     b++) {
				print_block(&img->block[b]);
				for (int ds =
				         d + (int)img->block[b].descriptors;
				     d < ds; d++)
					print_descriptor(img,
					                 img->descriptor[d]);
			}
		}
	}
}

/* What is no code, tensor or queue. */
static void print_settings(const struct image *img)
{
	const char *sep = "\t.config ";
	const struct {
		const char *text; /* that turns the default over */
		bool other;
	} bits[] = {{"fp8_ocp", img->fp8_ocp},
	            {"fp8_saturate=0", !img->fp8_saturate},
	            {"fp8_nan_suppress", img->fp8_nan_suppress}};

	if (img->rank)
		printf("\t.global_rank %u\n", img->rank);
	if (img->loaded)
		printf("\t.loaded\n");
	for (int i = 0; i < 3; i++)
		if (bits[i].other) {
			printf("%s%s", sep, bits[i].text);
			sep = ", ";
		}
	if (*sep == ',')
		putchar('\n');
}

/* Entry by entry; one of a tensor by its variable id has no name here. */
static void print_dge(const struct image *img)
{
	for (int i = 0; i < img->ndge; i++) {
		const struct image_dge *e = &img->dge[i];

		if (e->id)
			printf("\t.dge var(%u)\n", e->id);
		else
			printf("\t.dge base=0x%llX, size=0x%llX\n",
			       (unsigned long long)e->base,
			       (unsigned long long)e->size);
	}
}

static void print_symbols(const struct listing *l, uint32_t pc)
{
	bool begins = false;

	for (int i = l->head[pc]; i >= 0; i = l->next[i])
		begins |= l->img->symbol[i].function;
	if (l->ends[pc] && !begins && pc < l->img->stream[l->engine].len)
		printf("\t.endfunc\n");
	for (int i = l->head[pc]; i >= 0; i = l->next[i]) {
		const struct image_symbol *s = &l->img->symbol[i];

		if (!plain_name(s->name))
			printf("\t; a name that cannot be written\n");
		else if (s->function)
			printf("\t.func %s%s\n", s->name,
			       s->keep_sems ? " keep" : "");
		else
			printf("%s:\n", s->name);
	}
}

static void print_bundle(struct listing *l, uint32_t pc)
{
	struct isa_names names = {l, label_at};
	char buf[LINE_SIZE];
	bool raw;

	isa_dis(l->img->stream[l->engine].bundle[pc],
	        l->img->loaded ? ISA_LOADED : ISA_FILE, &names, buf,
	        sizeof(buf));
	raw = !strncmp(buf, ".bundle", 7);
	if (raw != l->unchecked)
		printf("\t%s\n", raw ? ".unchecked" : ".checked");
	l->unchecked = raw;
	printf("\t%-40s ; %u\n", buf, pc);
}

/* Chain the symbols of the engine by pc, in the order of the image. */
static void index_symbols(struct listing *l)
{
	uint32_t n = l->img->stream[l->engine].len;

	for (uint32_t pc = 0; pc <= n; pc++)
		l->head[pc] = -1;
	for (int i = l->img->nsymbols - 1; i >= 0; i--) {
		const struct image_symbol *s = &l->img->symbol[i];

		if (s->engine != l->engine || s->pc > n)
			continue;
		l->next[i] = l->head[s->pc];
		l->head[s->pc] = i;
		if (s->function && s->len && s->len <= n - s->pc)
			l->ends[s->pc + s->len] = true;
	}
}

static bool print_engine(const struct image *img, int engine)
{
	struct listing l = {.img = img, .engine = engine};
	size_t n = img->stream[engine].len;
	bool ok;

	l.head = calloc(n + 1, sizeof(*l.head));
	l.ends = calloc(n + 1, sizeof(*l.ends));
	l.next = calloc((size_t)img->nsymbols + 1, sizeof(*l.next));
	ok = l.head && l.ends && l.next;
	if (ok) {
		index_symbols(&l);
		printf("\n\t.engine %s\n",
		       isa_enum_text("engine", (uint64_t)engine));
		for (uint32_t pc = 0; pc < n; pc++) {
			print_symbols(&l, pc);
			print_bundle(&l, pc);
		}
		print_symbols(&l, (uint32_t)n);
		if (l.unchecked)
			printf("\t.checked\n");
	}
	free(l.head);
	free(l.ends);
	free(l.next);
	return ok;
}

static bool print_image(const struct image *img)
{
	printf("; %s\n\t.gen %d\n", img->name, img->gen);
	print_settings(img);
	print_tensors(img);
	print_ranks(img);
	print_dge(img);
	print_queues(img);
	for (int e = 0; e < TPB_ENGINES; e++)
		if (img->stream[e].len && !print_engine(img, e))
			return false;
	return true;
}

int cmd_dis(int argc, char **argv)
{
	static const struct argp_option options[] = {
	    {"loaded", 'l', NULL, 0,
	     "print the bundles as the machine fetches them", 0},
	    {0}};
	static const struct argp argp = {
	    options,    dis_option,
	    "FILE.tpb", "Print a program image as assembly.",
	    NULL,       NULL,
	    NULL};
	struct args args = {0};
	struct image_error err = {0};
	struct image *img;
	bool ok;

	if (cmd_parse(&argp, argc, argv, &args))
		return CMD_BAD;
	img = image_read(args.in, &err);
	if (!img || (args.loaded && !image_resolve(img, &err))) {
		image_free(img);
		return cmd_image_error(&err);
	}
	ok = print_image(img);
	image_free(img);
	if (!ok)
		return cmd_error("SYS001", "dis",
		                 "out of memory; free some and try again");
	return CMD_OK;
}
