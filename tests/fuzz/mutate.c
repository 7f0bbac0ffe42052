/* SPDX-License-Identifier: Apache-2.0
 *
 * Broken images and sources.
 *
 *   mutate [--seed S] [--count N] [--asm] [--first K] [--dump FILE]
 *
 * Takes the good programs of seeds.h, breaks them where it hurts (header
 * fields, records, counts, lengths, splices; tokens and lines of sources) and
 * feeds them to the reader, the loader and the assembler.  Each case must end
 * in an image or in an error with an id.  What is still an image runs on the
 * model until every engine has stopped, or for MAX_CYCLES.
 *
 * Meant for a build with ASan and UBSan, which then also gives the sizes of
 * allocations: the reader must stay within a multiple of its input.  Case k
 * depends on S, k and --asm alone (with it, odd cases are sources), so that
 *
 *   mutate --seed S [--asm] --first K --count 1 --dump FILE
 *
 * repeats it and writes its input down.  Exit status 1 when a case breaks the
 * rule, 2 for bad usage.
 */
#include "cmodel/tpb.h"
#include "compiler/asm/asm.h"
#include "image/image.h"
#include "isa/isa.h"
#include "tests/fuzz/seeds.h"

#include <elf.h>
#include <errno.h>
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_CYCLES 2000
#define MAX_BYTES 32768u
#define MAX_SECTIONS 24
#define MAX_IDS 256
#define HANG_SECONDS 20
#define DRAM_WORDS 4096u

/* ---- random numbers ---- */

static uint64_t rng;

static uint64_t rnd64(void)
{
	uint64_t z = rng += 0x9E3779B97F4A7C15u;

	z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
	z = (z ^ z >> 27) * 0x94D049BB133111EBu;
	return z ^ z >> 31;
}

/* 0 .. n-1, 0 for n = 0. */
static size_t rnd(size_t n)
{
	return n ? (size_t)(rnd64() % n) : 0;
}

/* Numbers at which checks go wrong; `old` is what stands there. */
static uint64_t nasty(uint64_t old, size_t size)
{
	static const uint64_t edge[] = {
	    0,          1,          2,           3,          4,
	    7,          8,          0x3F,        0x40,       0x7F,
	    0x80,       0xFF,       0x100,       0x7FFF,     0x8000,
	    0xFFFF,     0x10000,    0x7FFFFFFF,  0x80000000, 0xFFFFFFC0,
	    0xFFFFFFFF, 1ull << 32, 1ull << 36,  1ull << 63, ~0ull,
	    ~7ull,      ~63ull,     0xFFFFFFFF8,
	};

	switch (rnd(6)) {
	case 0: return old + rnd(17) - 8;
	case 1: return old ^ 1ull << rnd(64);
	case 2: return size + rnd(129) - 64;
	case 3: return rnd64() >> rnd(64);
	default: return edge[rnd(sizeof(edge) / sizeof(*edge))];
	}
}

/* ---- good inputs ---- */

struct part {
	size_t head, body, size, entry;
	bool text;
};

struct good {
	uint8_t *data;
	size_t size, table;
	struct part part[MAX_SECTIONS];
	size_t nparts;
};

static struct good good[2 * FUZZ_SEEDS];
static size_t ngood;

/* ---- counts ---- */

struct count {
	char id[16];
	uint64_t n;
};

static struct {
	uint64_t cases, images, parsed, refused, loaded, ran;
	uint64_t exited, faulted, limit, sources, assembled;
	struct count id[MAX_IDS];
	size_t nids;
} stats;

static uint64_t case_number, seed = 1;
static bool with_asm;

static void say_case(void)
{
	fprintf(stderr,
	        "mutate: case %llu; repeat with: mutate --seed %llu%s "
	        "--first %llu --count 1\n",
	        (unsigned long long)case_number, (unsigned long long)seed,
	        with_asm ? " --asm" : "", (unsigned long long)case_number);
}

static void die(const char *what)
{
	fprintf(stderr, "mutate: %s\n", what);
	say_case();
	exit(1);
}

static void on_alarm(int sig)
{
	static const char text[] = "mutate: a case does not end\n";

	(void)sig;
	/* Not safe in general; nothing is left to be saved. */
	if (write(STDERR_FILENO, text, sizeof(text) - 1) > 0)
		say_case();
	_exit(1);
}

static int by_id(const void *a, const void *b)
{
	const struct count *x = a, *y = b;

	return strcmp(x->id, y->id);
}

/* Every refusal has an id, a place and a text. */
static void count_error(const struct image_error *err)
{
	size_t i = 0;

	if (!err->id[0] || !err->place[0] || !err->text[0])
		die("refused without id, place or text");
	while (i < stats.nids && strcmp(stats.id[i].id, err->id) != 0)
		i++;
	if (i == MAX_IDS)
		die("too many error ids");
	if (i == stats.nids) {
		memcpy(stats.id[i].id, err->id, sizeof(err->id));
		stats.nids++;
	}
	stats.id[i].n++;
}

/* ---- what the sanitizer tells, when there is one ---- */

typedef void alloc_hook(const volatile void *p, size_t n);
typedef void free_hook(const volatile void *p);

int __sanitizer_install_malloc_and_free_hooks(alloc_hook *a, free_hook *f)
    __attribute__((weak));
void __sanitizer_set_death_callback(void (*f)(void)) __attribute__((weak));
const char *__asan_default_options(void);

/* The assembler may take 2^28 bytes of data. */
const char *__asan_default_options(void)
{
	return "max_allocation_size_mb=600:detect_leaks=1";
}

static size_t allocated;

static void on_alloc(const volatile void *p, size_t n)
{
	(void)p;
	allocated += n;
}

static void on_free(const volatile void *p)
{
	(void)p;
}

/* ---- running ---- */

static struct tpb *model;
static uint64_t dram[DRAM_WORDS];

static uint64_t dram_read(void *ctx, uint64_t word)
{
	(void)ctx;
	return dram[word % DRAM_WORDS];
}

static void dram_write(void *ctx, uint64_t word, uint64_t data, uint8_t mask)
{
	uint64_t *at = &dram[word % DRAM_WORDS];

	(void)ctx;
	for (int i = 0; i < 8; i++)
		if (mask >> i & 1)
			*at = (*at & ~(0xFFull << 8 * i)) |
			      (data & 0xFFull << 8 * i);
}

static void make_model(void)
{
	struct tpb_config cfg = {.gen = 3, .sbuf_part_bytes = 64};

	model = tpb_new(&cfg);
	if (!model)
		die("no memory for the model");
	model->dram.read = dram_read;
	model->dram.write = dram_write;
	model->dram_ready = true;
}

/* The same start for every case, whatever the one before left behind. */
static void load_model(const struct image *img)
{
	for (int e = 0; e < TPB_ENGINES; e++)
		model->cfg.stream[e] = (struct tpb_stream){
		    .bundle =
		        (const uint8_t(*)[TPB_BUNDLE])img->stream[e].bundle,
		    .len = img->stream[e].len,
		};
	model->cfg.gen = img->gen;
	model->cfg.rank = img->rank;
	memset(&model->s, 0, sizeof(model->s));
	memset(model->sbuf, 0, tpb_sbuf_words(model) * sizeof(*model->sbuf));
	memset(dram, 0, sizeof(dram));
	for (int i = 0; i < img->ntensors; i++) {
		const struct image_tensor *t = &img->tensor[i];

		for (uint64_t k = 0; t->init && k < t->size && k < 4096; k++)
			dram_write(NULL, (t->addr + k) / 8,
			           (uint64_t)t->init[k]
			               << 8 * ((t->addr + k) % 8),
			           (uint8_t)(1u << (t->addr + k) % 8));
	}
	tpb_reset(model);
}

static void run(const struct image *img)
{
	bool exited = true;
	int n = 0;

	load_model(img);
	while (n < MAX_CYCLES && !tpb_done(model)) {
		tpb_step(model);
		n++;
	}
	stats.ran++;
	for (int e = 0; e < TPB_ENGINES; e++) {
		uint8_t s = model->s.engine[e].state;

		if (s != TPB_RUN_EXITED && s != TPB_RUN_ABSENT)
			exited = false;
	}
	if (!tpb_done(model))
		stats.limit++;
	else if (exited)
		stats.exited++;
	else
		stats.faulted++;
	/* The image goes away. */
	for (int e = 0; e < TPB_ENGINES; e++)
		model->cfg.stream[e] = (struct tpb_stream){0};
}

/* ---- one input ---- */

struct names {
	const struct image *img;
	int engine;
	char buf[300];
};

static const char *label(const void *ctx, uint32_t pc)
{
	struct names *n = (struct names *)(uintptr_t)ctx;

	return image_place(n->img, n->engine, pc, n->buf, sizeof(n->buf));
}

/* Print what `tpb dis` would. */
static void print(const struct image *img)
{
	struct names n = {.img = img};
	struct isa_names names = {.ctx = &n, .label = label};
	enum isa_form form = img->loaded ? ISA_LOADED : ISA_FILE;
	char text[1024];

	for (n.engine = 0; n.engine < TPB_ENGINES; n.engine++) {
		const struct image_stream *s = &img->stream[n.engine];
		uint32_t pc = s->len ? (uint32_t)rnd(s->len) : 0;

		if (pc < s->len)
			isa_dis(s->bundle[pc], form, &names, text,
			        sizeof(text));
		image_source(img, n.engine, pc, text, sizeof(text));
	}
}

/* Print, load, print, run; frees the image. */
static void use(struct image *img)
{
	struct image_error err = {0};

	print(img);
	if (image_resolve(img, &err)) {
		stats.loaded++;
		print(img);
		run(img);
	} else {
		count_error(&err);
	}
	image_free(img);
}

static void try_image(const uint8_t *data, size_t size)
{
	struct image_error err = {0};
	struct image *img;

	stats.images++;
	allocated = 0;
	img = image_parse(data, size, "mutant", &err);
	if (allocated > 64 * size + 65536)
		die("the reader allocates more than 64 times its input");
	if (img) {
		stats.parsed++;
		use(img);
	} else {
		stats.refused++;
		count_error(&err);
	}
}

static void try_source(const uint8_t *data, size_t size)
{
	struct image_error err = {0};
	struct image *img;

	stats.sources++;
	img = asm_source((const char *)data, size, "mutant.s", &err);
	if (img) {
		stats.assembled++;
		use(img);
	} else {
		count_error(&err);
	}
}

/* ---- making the good images ---- */

static uint8_t *read_file(const char *path, size_t *size)
{
	uint8_t *data = malloc(MAX_BYTES);
	FILE *f = fopen(path, "rb");

	if (!data || !f)
		die("cannot read a good image");
	*size = fread(data, 1, MAX_BYTES, f);
	fclose(f);
	return data;
}

/* Where headers and records are, from the file's own tables. */
static void map_parts(struct good *g)
{
	Elf64_Ehdr h;
	Elf64_Shdr s;

	memcpy(&h, g->data, sizeof(h));
	g->table = h.e_shoff;
	for (size_t i = 0; i < h.e_shnum && i < MAX_SECTIONS; i++) {
		size_t at = h.e_shoff + i * sizeof(s);

		memcpy(&s, g->data + at, sizeof(s));
		g->part[g->nparts++] = (struct part){
		    .head = at,
		    .body = s.sh_offset,
		    .size = s.sh_size,
		    .entry = s.sh_entsize ? s.sh_entsize : 4,
		    .text = (s.sh_flags & SHF_EXECINSTR) != 0,
		};
	}
}

static void add_good(const struct image *img, const char *path)
{
	struct image_error err = {0};
	struct good *g = &good[ngood++];

	if (!image_write(img, path, &err))
		die(err.text);
	g->data = read_file(path, &g->size);
	unlink(path);
	map_parts(g);
}

/* File form and loaded form of every seed.  They must all be good and end
 * by themselves, or what follows would test nothing. */
static void make_good(void)
{
	char dir[] = "mutate.XXXXXX", path[40];

	if (!mkdtemp(dir))
		die("cannot make a folder here");
	snprintf(path, sizeof(path), "%s/good.tpb", dir);
	for (size_t i = 0; i < FUZZ_SEEDS; i++) {
		struct image_error err = {0};
		struct image *img = asm_source(
		    fuzz_seed[i], strlen(fuzz_seed[i]), "seed.s", &err);

		if (!img)
			die(err.text);
		add_good(img, path);
		if (!image_resolve(img, &err))
			die(err.text);
		add_good(img, path);
		run(img);
		image_free(img);
	}
	rmdir(dir);
	if (stats.exited != FUZZ_SEEDS)
		die("a good program does not end");
	memset(&stats, 0, sizeof(stats));
}

/* ---- breaking bytes ---- */

static uint8_t work[MAX_BYTES];
static size_t work_size;

static void store(size_t at, size_t width)
{
	uint64_t v = 0;

	if (at > work_size || width > work_size - at)
		return;
	memcpy(&v, work + at, width);
	v = nasty(v, work_size);
	memcpy(work + at, &v, width);
}

/* Put n bytes from src at `at`, over what is there or between it. */
static void paste(size_t at, const uint8_t *src, size_t n, bool insert)
{
	if (at > work_size)
		return;
	if (insert) {
		if (n > MAX_BYTES - work_size)
			return;
		memmove(work + at + n, work + at, work_size - at);
		work_size += n;
	} else if (n > work_size - at) {
		n = work_size - at;
	}
	memmove(work + at, src, n);
}

static void cut(size_t at, size_t n)
{
	if (at >= work_size)
		return;
	if (n > work_size - at)
		n = work_size - at;
	memmove(work + at, work + at + n, work_size - at - n);
	work_size -= n;
}

/* ---- breaking images ---- */

static void break_header(void)
{
	static const struct {
		uint8_t off, width;
	} field[] = {
	    {4, 1},  {5, 1},  {6, 1},  {16, 2}, {18, 2}, {20, 4},
	    {24, 8}, {32, 8}, {40, 8}, {48, 4}, {52, 2}, {54, 2},
	    {56, 2}, {58, 2}, {60, 2}, {62, 2},
	};
	size_t i = rnd(sizeof(field) / sizeof(*field));

	store(field[i].off, field[i].width);
}

static void break_section(const struct good *g)
{
	static const struct {
		uint8_t off, width;
	} field[] = {
	    {0, 4},  {4, 4},  {8, 8},  {16, 8}, {24, 8},
	    {32, 8}, {40, 4}, {44, 4}, {48, 8}, {56, 8},
	};
	const struct part *p = &g->part[rnd(g->nparts)];
	size_t i = rnd(sizeof(field) / sizeof(*field));

	store(p->head + field[i].off, field[i].width);
}

/* A whole header, or one field of it, from another section. */
static void mix_sections(const struct good *g)
{
	size_t a = g->part[rnd(g->nparts)].head;
	size_t b = g->part[rnd(g->nparts)].head;
	size_t off = 4 * rnd(16), n = rnd(2) ? 64 - off : 4;

	if (a + 64 <= work_size && b + 64 <= work_size)
		memmove(work + a + off, work + b + off, n);
}

static void break_record(const struct good *g)
{
	const struct part *p = &g->part[rnd(g->nparts)];
	size_t word = p->entry >= 4 ? p->entry / 4 : 1;
	size_t n = p->size / p->entry;

	if (!n || p->text)
		return;
	store(p->body + rnd(n) * p->entry + 4 * rnd(word), (size_t)1 << rnd(4));
}

/* Bundles stay bundles; only their meaning changes. */
static void break_bundle(const struct good *g)
{
	const struct part *p = &g->part[rnd(g->nparts)];
	size_t at, n = p->size / TPB_BUNDLE;
	int ops = 0;

	if (!p->text || !n)
		return;
	at = p->body + rnd(n) * TPB_BUNDLE;
	switch (rnd(5)) {
	case 0:
		while (isa_op_at(ops))
			ops++;
		if (at < work_size)
			work[at] = isa_op_at((int)rnd((size_t)ops))->code;
		break;
	case 1: store(at + 4 + rnd(8), 1); break;
	case 2: store(at + 12 + 4 * rnd(13), 4); break;
	case 3: store(at + rnd(64), 1); break;
	default:
		if (at + TPB_BUNDLE <= work_size)
			paste(p->body + rnd(n) * TPB_BUNDLE, work + at,
			      TPB_BUNDLE, false);
	}
}

/* One entry more or less in a section, and everything behind it moved and
 * its place corrected: a file that is whole again and says something else. */
static void resize(struct good *g)
{
	struct part *p = &g->part[rnd(g->nparts)];
	size_t unit = p->entry % 8 ? 8 : p->entry, n = p->size / unit;
	size_t at = p->body + rnd(n) * unit, after = p->body + n * unit;
	bool grow = rnd(3) != 0;
	size_t shift = grow ? unit : 0 - unit;

	if (!n || after > work_size || work_size + unit > MAX_BYTES)
		return;
	if (grow)
		paste(rnd(2) ? at : after, work + at, unit, true);
	else
		cut(at, unit);
	g->table += shift;
	memcpy(work + offsetof(Elf64_Ehdr, e_shoff), &g->table, 8);
	p->size += shift;
	for (size_t i = 0; i < g->nparts; i++) {
		struct part *q = &g->part[i];

		q->head += shift;
		if (q != p && q->body > p->body)
			q->body += shift;
		if (q->head + sizeof(Elf64_Shdr) > work_size)
			continue;
		memcpy(work + q->head + offsetof(Elf64_Shdr, sh_offset),
		       &q->body, 8);
		memcpy(work + q->head + offsetof(Elf64_Shdr, sh_size), &q->size,
		       8);
	}
}

static void break_image(struct good *g)
{
	const struct good *other = &good[rnd(ngood)];
	size_t at = rnd(work_size), from = rnd(other->size);
	size_t n = 1 + rnd(rnd(2) ? 8 : 256);

	switch (rnd(20)) {
	case 0: break_header(); break;
	case 1:
	case 2: break_section(g); break;
	case 3: mix_sections(g); break;
	case 4:
	case 5:
	case 6:
	case 7: break_record(g); break;
	case 8:
	case 9:
	case 10: break_bundle(g); break;
	case 11:
	case 12:
	case 13: resize(g); break;
	case 14: store(at & ~7ull, (size_t)1 << rnd(4)); break;
	case 15:
		if (at < work_size)
			work[at] ^= (uint8_t)(1u << rnd(8));
		break;
	case 16: work_size = rnd(4) ? at : rnd(128); break;
	case 17: cut(rnd(2) ? at : at & ~63ull, rnd(2) ? n : 64); break;
	case 18:
		if (n > other->size - from)
			n = other->size - from;
		paste(rnd(2) ? at : from, other->data + from, n, rnd(2));
		break;
	default:
		/* The tables of another image behind our bytes. */
		if (g->table < work_size && other->table < other->size)
			paste(g->table, other->data + other->table,
			      other->size - other->table, false);
	}
}

/* ---- breaking sources ---- */

static const char *const token[] = {
    ".tensor",
    ".sem",
    ".event",
    ".engine",
    ".func",
    ".endfunc",
    ".equ",
    ".data",
    ".word",
    ".fill",
    ".rank",
    ".loaded",
    ".gen",
    ".bundle",
    ".byte",
    ".f32",
    ".ascii",
    ".unchecked",
    "mov",
    "mov64",
    "add",
    "bge",
    "jmp",
    "call",
    "ret",
    "exit",
    "load",
    "save",
    "noop",
    "evsem",
    "greset",
    "barrier",
    "currank",
    "hint",
    "trigger",
    "dma",
    "matmul",
    "branch",
    "event",
    "wait",
    "post",
    "take",
    "claim",
    "val",
    "keep",
    "output",
    "size=",
    "addr=",
    "id=",
    "n=(",
    "step=(",
    "addr(",
    "size(",
    "f32(",
    "bits(",
    "x\"00ff",
    "b[0x0C]",
    "r63",
    "r64",
    "s255",
    "e256",
    "r4",
    "@",
    "..",
    "++",
    "--",
    "<<",
    "&&",
    "||",
    "\\",
    "\"",
    "'",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "|",
    ";",
    ":",
    ",",
    "=",
    "\n",
    "\t",
    "\r",
    "0",
    "-1",
    "0x",
    "0b2",
    "1e999",
    "nan",
    ".",
    "1_0",
    "2147483648",
    "4294967296",
    "9223372036854775807",
    "0xFFFFFFFFFFFFFFFF",
    "18446744073709551616",
    "-9223372036854775808",
    "loop",
    "sum",
    "SP",
    "ACT",
};

#define TOKENS (sizeof(token) / sizeof(*token))

/* Start of a word of the source near a random place, and its length. */
static size_t word_at(size_t *len)
{
	static const char blank[] = " \t\n,;|()[]{}=+";
	size_t at = rnd(work_size), end;

	while (at > 0 && !memchr(blank, work[at - 1], sizeof(blank) - 1))
		at--;
	end = at;
	while (end < work_size && !memchr(blank, work[end], sizeof(blank) - 1))
		end++;
	*len = end - at;
	return at;
}

static size_t line_at(size_t *len)
{
	size_t at = rnd(work_size), end;

	while (at > 0 && work[at - 1] != '\n')
		at--;
	end = at;
	while (end < work_size && work[end] != '\n')
		end++;
	*len = end < work_size ? end + 1 - at : end - at;
	return at;
}

static void repeat(size_t at)
{
	static const char many[] = "(-~!{[\"\\\n0fx,";
	uint8_t run_of[512];
	size_t n = 1 + rnd(sizeof(run_of));

	memset(run_of, many[rnd(sizeof(many) - 1)], n);
	paste(at, run_of, n, true);
}

static void break_number(size_t at, size_t len)
{
	char text[32];
	int n;

	if (!len || work[at] < '0' || work[at] > '9')
		return;
	n = snprintf(
	    text, sizeof(text), rnd(2) ? "%llu" : "0x%llX",
	    (unsigned long long)nasty(
	        strtoull((const char[]){(char)work[at], 0}, NULL, 10), 64));
	cut(at, len);
	paste(at, (const uint8_t *)text, (size_t)n, true);
}

static void break_line(void)
{
	uint8_t copy[512];
	size_t n, at = line_at(&n);

	if (!n || n > sizeof(copy))
		return;
	memcpy(copy, work + at, n);
	if (rnd(2))
		cut(at, n);
	if (rnd(3))
		paste(rnd(2) ? at : line_at(&(size_t){0}), copy, n, true);
}

static void break_source(void)
{
	const char *other = fuzz_seed[rnd(FUZZ_SEEDS)];
	const char *t = token[rnd(TOKENS)];
	size_t n, at = rnd(work_size), from = rnd(strlen(other));

	switch (rnd(12)) {
	case 0:
		if (at < work_size)
			work[at] ^= (uint8_t)(1u << rnd(8));
		break;
	case 1:
		if (at < work_size)
			work[at] = (uint8_t)rnd(256);
		break;
	case 2: cut(at, 1 + rnd(8)); break;
	case 3:
	case 4:
		at = word_at(&n);
		cut(at, n);
		paste(at, (const uint8_t *)t, strlen(t), true);
		break;
	case 5: paste(at, (const uint8_t *)t, strlen(t), true); break;
	case 6:
	case 7: break_line(); break;
	case 8:
		at = word_at(&n);
		break_number(at, n);
		break;
	case 9: repeat(at); break;
	case 10: work_size = at; break;
	default:
		n = strlen(other) - from;
		n = 1 + rnd(n < 200 ? n : 200);
		paste(at, (const uint8_t *)other + from, n, rnd(2));
	}
}

/* ---- cases ---- */

static const char *dump;

static void write_dump(void)
{
	FILE *f = fopen(dump, "wb");

	if (!f || fwrite(work, 1, work_size, f) != work_size || fclose(f)) {
		fprintf(stderr,
		        "tpb: error[FUZ001]: %s: %s; choose another "
		        "file\n",
		        dump, strerror(errno));
		exit(2);
	}
}

static void one_case(uint64_t k)
{
	bool source = with_asm && k % 2;
	size_t times;

	case_number = k;
	rng = seed * 0xD1342543DE82EF95u + k;
	rng = rnd64();
	times = 1 + rnd(rnd(4) ? 2 : 8);
	if (source) {
		const char *s = fuzz_seed[rnd(FUZZ_SEEDS)];

		work_size = strlen(s);
		memcpy(work, s, work_size);
		while (times--)
			break_source();
	} else {
		struct good g = good[rnd(ngood)];

		work_size = g.size;
		memcpy(work, g.data, work_size);
		while (times--)
			break_image(&g);
	}
	if (dump)
		write_dump();
	stats.cases++;
	if (source)
		try_source(work, work_size);
	else
		try_image(work, work_size);
}

static uint64_t number(const char *text)
{
	char *end;
	unsigned long long v;

	errno = 0;
	v = strtoull(text, &end, 0);
	if (errno || *end || end == text || *text == '-') {
		fprintf(stderr,
		        "tpb: error[FUZ002]: %s: not a number; give "
		        "one\n",
		        text);
		exit(2);
	}
	return v;
}

static void report(void)
{
	printf(
	    "mutate: images=%llu parsed=%llu refused=%llu loaded=%llu "
	    "ran=%llu asm=%llu assembled=%llu seed=%llu\n",
	    (unsigned long long)stats.images, (unsigned long long)stats.parsed,
	    (unsigned long long)stats.refused, (unsigned long long)stats.loaded,
	    (unsigned long long)stats.ran, (unsigned long long)stats.sources,
	    (unsigned long long)stats.assembled, (unsigned long long)seed);
	printf("mutate: ends exited=%llu faulted=%llu limit=%llu\n",
	       (unsigned long long)stats.exited,
	       (unsigned long long)stats.faulted,
	       (unsigned long long)stats.limit);
	qsort(stats.id, stats.nids, sizeof(*stats.id), by_id);
	for (size_t i = 0; i < stats.nids; i++)
		printf("mutate: %s=%llu\n", stats.id[i].id,
		       (unsigned long long)stats.id[i].n);
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
	    {"seed", required_argument, NULL, 's'},
	    {"count", required_argument, NULL, 'c'},
	    {"asm", no_argument, NULL, 'a'},
	    {"first", required_argument, NULL, 'f'},
	    {"dump", required_argument, NULL, 'd'},
	    {0},
	};
	uint64_t count = 10000, first = 0;
	int c;

	while ((c = getopt_long(argc, argv, "", options, NULL)) != -1) {
		switch (c) {
		case 's': seed = number(optarg); break;
		case 'c': count = number(optarg); break;
		case 'a': with_asm = true; break;
		case 'f': first = number(optarg); break;
		case 'd': dump = optarg; break;
		default: return 2;
		}
	}
	signal(SIGALRM, on_alarm);
	if (__sanitizer_set_death_callback)
		__sanitizer_set_death_callback(say_case);
	make_model();
	make_good();
	if (__sanitizer_install_malloc_and_free_hooks)
		__sanitizer_install_malloc_and_free_hooks(on_alloc, on_free);
	for (uint64_t k = 0; k < count; k++) {
		if (k % 256 == 0)
			alarm(HANG_SECONDS);
		one_case(first + k);
	}
	report();
	for (size_t i = 0; i < ngood; i++)
		free(good[i].data);
	tpb_free(model);
	return 0;
}
