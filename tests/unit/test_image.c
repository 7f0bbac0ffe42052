/* SPDX-License-Identifier: Apache-2.0
 *
 * The program image: what is written is read back, other people's tools can
 * read it too, each broken field is refused by name, and the loader makes
 * the bytes that the sequencer sheet works out by hand.
 *
 * The bytes of a file are found here by a walk of our own through its ELF
 * tables, not by the code under test.
 *
 * Run alone: test_image.
 */
#include "image/image.h"

#include <dirent.h>
#include <elf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

/* Lets the out-of-memory case come back from the sanitizer's allocator. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
	return "allocator_may_return_null=1";
}

enum { PE, ACT, POOL, DVE, SP };

static char dir[] = "test_image.XXXXXX";
static char path[64];

static int make_dir(void **state)
{
	(void)state;
	if (!mkdtemp(dir))
		return -1;
	snprintf(path, sizeof(path), "%s/a.tpb", dir);
	return 0;
}

static int remove_dir(void **state)
{
	(void)state;
	unlink(path);
	return rmdir(dir);
}

static int entries(void)
{
	DIR *d = opendir(dir);
	int n = 0;

	assert_non_null(d);
	while (readdir(d))
		n++;
	closedir(d);
	return n - 2;
}

static void emit(struct image *img, int engine, uint8_t op)
{
	uint8_t b[TPB_BUNDLE] = {op, 0x10};

	image_emit(img, engine, b, 0, 0);
}

/* An image with everything in it. */
static struct image *sample(void)
{
	static const uint32_t ranks[] = {4, 5, 6, 7, 8, 9};
	static const uint8_t init[13] = "thirteen byt";
	struct image *img = image_new("sample");
	uint8_t b[TPB_BUNDLE] = {0xA4, 0x10};

	img->gen = 2;
	img->rank = 77;
	assert_int_equal(image_add_file(img, "one.s"), 0);
	assert_int_equal(image_add_file(img, "dir name/two.s"), 1);
	for (uint32_t i = 0; i < 40; i++) {
		b[63] = (uint8_t)i;
		assert_int_equal(image_emit(img, SP, b, i & 1, 10 + i), i);
	}
	emit(img, POOL, 0xDF);
	emit(img, POOL, 0xA1);
	image_add_symbol(img, "loop", SP, 3, false, false);
	image_add_symbol(img, "f", SP, 10, true, true);
	img->symbol[1].len = 5;
	image_add_symbol(img, "f", POOL, 1, true, false);
	image_add_symbol(img, "end", SP, 40, false, false);
	image_add_tensor(img, "in", 7, 0x1000, 13, init, false);
	image_add_tensor(img, "out", 3, 0, 0x20, NULL, true);
	image_add_tensor(img, "tail", 0xFFFFFFFF, 0xFFFFFFFF8, 8, "12345678",
	                 false);
	image_add_rank(img, 0, 2, 3, 2, ranks);
	image_add_rank(img, 1, 2, 1, 1, ranks);
	return img;
}

static void assert_same(const struct image *a, const struct image *b)
{
	assert_string_equal(a->name, b->name);
	assert_int_equal(a->gen, b->gen);
	assert_int_equal(a->rank, b->rank);
	assert_int_equal(a->loaded, b->loaded);
	for (int e = 0; e < TPB_ENGINES; e++) {
		const struct image_stream *s = &a->stream[e];
		const struct image_stream *t = &b->stream[e];

		assert_int_equal(s->len, t->len);
		assert_int_equal(!s->line, !t->line);
		for (uint32_t i = 0; i < s->len; i++) {
			assert_memory_equal(s->bundle[i], t->bundle[i], 64);
			if (!s->line)
				continue;
			assert_int_equal(s->line[i].line, t->line[i].line);
			assert_int_equal(s->line[i].file, t->line[i].file);
		}
	}
	assert_int_equal(a->nsymbols, b->nsymbols);
	for (int i = 0; i < a->nsymbols; i++) {
		const struct image_symbol *s = &a->symbol[i];
		const struct image_symbol *t = &b->symbol[i];

		assert_string_equal(s->name, t->name);
		assert_int_equal(s->engine, t->engine);
		assert_int_equal(s->function, t->function);
		assert_int_equal(s->keep_sems, t->keep_sems);
		assert_int_equal(s->pc, t->pc);
		assert_int_equal(s->len, t->len);
	}
	assert_int_equal(a->ntensors, b->ntensors);
	for (int i = 0; i < a->ntensors; i++) {
		const struct image_tensor *s = &a->tensor[i];
		const struct image_tensor *t = &b->tensor[i];

		assert_string_equal(s->name, t->name);
		assert_int_equal(s->id, t->id);
		assert_int_equal(s->addr, t->addr);
		assert_int_equal(s->size, t->size);
		assert_int_equal(s->output, t->output);
		assert_int_equal(!s->init, !t->init);
		if (s->init)
			assert_memory_equal(s->init, t->init, s->size);
	}
	assert_int_equal(a->nranks, b->nranks);
	for (int i = 0; i < a->nranks; i++) {
		const struct image_rank *s = &a->rank_table[i];
		const struct image_rank *t = &b->rank_table[i];

		assert_int_equal(s->core, t->core);
		assert_int_equal(s->group, t->group);
		assert_int_equal(s->iterations, t->iterations);
		assert_int_equal(s->channels, t->channels);
		assert_memory_equal(s->ranks, t->ranks,
		                    4 * s->iterations * s->channels);
	}
	assert_int_equal(a->nfiles, b->nfiles);
	for (int i = 0; i < a->nfiles; i++)
		assert_string_equal(a->file[i], b->file[i]);
}

static void write_image(const struct image *img)
{
	struct image_error err = {0};

	if (!image_write(img, path, &err))
		fail_msg("%s: %s: %s", err.id, err.place, err.text);
}

static void test_round_trip(void **state)
{
	struct image_error err = {0};
	struct image *a = sample(), *b;
	struct stat st;
	mode_t mask = umask(0);

	(void)state;
	umask(mask);
	for (int loaded = 0; loaded < 2; loaded++) {
		a->loaded = loaded;
		write_image(a);
		b = image_read(path, &err);
		if (!b)
			fail_msg("%s: %s: %s", err.id, err.place, err.text);
		assert_same(a, b);
		image_free(b);
	}
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0666 & ~mask);
	image_free(a);
}

static void test_empty_image(void **state)
{
	struct image_error err = {0};
	struct image *a = image_new("empty"), *b;

	(void)state;
	/* Lost on the way, for there is no stream to be in. */
	image_add_symbol(a, "start", DVE, 0, false, false);
	write_image(a);
	b = image_read(path, &err);
	assert_non_null(b);
	assert_string_equal(b->name, "empty");
	assert_int_equal(b->gen, 3);
	assert_int_equal(b->nsymbols, 0);
	image_free(a);
	image_free(b);
}

static void test_placing(void **state)
{
	struct image *img = image_new("placing");

	(void)state;
	image_add_tensor(img, "a", 1, 0, 9, NULL, false);
	image_add_tensor(img, "b", 2, 0x1018, 8, NULL, false);
	image_add_tensor(img, "c", 3, 0, 16, NULL, false);
	image_add_tensor(img, "d", 4, 0, 8, NULL, false);
	assert_int_equal(img->tensor[0].addr, 0x1000);
	assert_int_equal(img->tensor[2].addr, 0x1020);
	assert_int_equal(img->tensor[3].addr, 0x1010);
	image_free(img);
}

/* ---- other people's tools ---- */

/* What a command prints on both outputs; NULL when there is no such one. */
static char *output_of(const char *tool, const char *options)
{
	char command[200], *text = calloc(1, 65536);
	FILE *p;
	size_t n;

	snprintf(command, sizeof(command),
	         "command -v %s >/dev/null && LC_ALL=C %s %s %s 2>&1", tool,
	         tool, options, path);
	p = popen(command, "r");
	assert_non_null(p);
	n = fread(text, 1, 65535, p);
	pclose(p);
	if (n)
		return text;
	free(text);
	return NULL;
}

static const char *const sections[] = {
    ".text.POOL", ".text.SP",   ".tpb.meta",  ".tpb.tensors",
    ".tpb.data",  ".tpb.ranks", ".tpb.files", ".tpb.lines",
};

static void test_tools(void **state)
{
	struct image *img = sample();
	char *readelf, *objdump;

	(void)state;
	write_image(img);
	image_free(img);
	readelf = output_of("readelf", "-aW");
	objdump = output_of("objdump", "-h");
	if (!readelf || !objdump) {
		free(readelf);
		free(objdump);
		skip();
	}
	for (size_t i = 0; i < sizeof(sections) / sizeof(*sections); i++) {
		assert_non_null(strstr(readelf, sections[i]));
		assert_non_null(strstr(objdump, sections[i]));
	}
	assert_null(strstr(readelf, ".text.PE"));
	assert_non_null(strstr(readelf, ".symtab"));
	assert_non_null(strstr(readelf, " loop\n"));
	assert_non_null(strstr(readelf, "FUNC    LOCAL"));
	assert_null(strcasestr(readelf, "warning"));
	assert_null(strcasestr(readelf, "error"));
	assert_null(strstr(readelf, "readelf:"));
	assert_null(strcasestr(objdump, "warning"));
	assert_null(strstr(objdump, "objdump:"));
	assert_non_null(strstr(objdump, "elf64-little"));
	free(readelf);
	free(objdump);
}

/* ---- broken files ---- */

static uint8_t *file_bytes(size_t *size)
{
	struct image *img = sample();
	uint8_t *bytes = malloc(65536);
	FILE *f;

	write_image(img);
	image_free(img);
	f = fopen(path, "rb");
	assert_non_null(f);
	*size = fread(bytes, 1, 65536, f);
	fclose(f);
	assert_in_range(*size, 1, 65535);
	return bytes;
}

/* The header of a section in the bytes of a file. */
static Elf64_Shdr *header_of(uint8_t *bytes, const char *name)
{
	Elf64_Ehdr *h = (Elf64_Ehdr *)(void *)bytes;
	Elf64_Shdr *s = (Elf64_Shdr *)(void *)(bytes + h->e_shoff);
	const uint8_t *names = bytes + s[h->e_shstrndx].sh_offset;

	for (int i = 1; i < h->e_shnum; i++)
		if (!strcmp((const char *)names + s[i].sh_name, name))
			return &s[i];
	fail_msg("no section %s", name);
	return NULL;
}

enum where { ELF, HEAD, BODY };

#define EH(f) ELF, "", offsetof(Elf64_Ehdr, f), sizeof(((Elf64_Ehdr *)0)->f)
#define SH(s, f) HEAD, s, offsetof(Elf64_Shdr, f), sizeof(((Elf64_Shdr *)0)->f)
#define BY(s, o, n) BODY, s, o, n
#define SYM(i, f)                                                        \
	BODY, ".symtab", i * sizeof(Elf64_Sym) + offsetof(Elf64_Sym, f), \
	    sizeof(((Elf64_Sym *)0)->f)

/* Store one number in a good file. */
static const struct patch {
	const char *id;    /* that the reader must report */
	const char *place; /* part of */
	enum where where;
	const char *section;
	size_t off, width;
	uint64_t value;
} patches[] = {
    {"IMG002", "ELF+0x0", ELF, "", 0, 1, 0x7E},
    {"IMG002", "ELF+0x4", ELF, "", EI_CLASS, 1, ELFCLASS32},
    {"IMG002", "ELF+0x4", ELF, "", EI_DATA, 1, ELFDATA2MSB},
    {"IMG002", "ELF+0x4", ELF, "", EI_VERSION, 1, 0},
    {"IMG002", "ELF+0x4", EH(e_version), 2},
    {"IMG002", "ELF+0x4", EH(e_type), ET_EXEC},
    {"IMG002", "ELF+0x4", EH(e_machine), EM_X86_64},
    {"IMG003", "ELF+0x34", EH(e_ehsize), 63},
    {"IMG003", "ELF+0x34", EH(e_shentsize), 0},
    {"IMG003", "ELF+0x34", EH(e_phnum), 1},
    {"IMG003", "ELF+0x28", EH(e_shoff), UINT64_MAX - 7},
    {"IMG003", "ELF+0x28", EH(e_shoff), 0x41},
    {"IMG003", "ELF+0x28", EH(e_shnum), 0},
    {"IMG003", "ELF+0x28", EH(e_shnum), 0xFFFF},
    {"IMG003", "ELF+0x28", EH(e_shnum), 0x400},
    {"IMG003", "ELF+0x28", EH(e_shstrndx), 0x40},
    {"IMG004", "section+0x1", SH(".text.POOL", sh_offset), 1ull << 40},
    {"IMG004", "section+0x1", SH(".text.POOL", sh_size), UINT64_MAX},
    {"IMG004", "section+0x1", SH(".text.POOL", sh_addralign), 3},
    {"IMG004", "section+0x1", SH(".text.POOL", sh_flags), SHF_COMPRESSED},
    {"IMG004", "section+0x1", SH(".text.POOL", sh_type), SHT_NOBITS},
    {"IMG004", ".text.POOL", SH(".text.POOL", sh_type), SHT_REL},
    {"IMG004", ".strtab", SH(".strtab", sh_type), SHT_PROGBITS},
    {"IMG004", ".symtab", SH(".symtab", sh_type), SHT_STRTAB},
    {"IMG005", "section+0x2", SH(".text.SP", sh_name), 0x10000},
    {"IMG006", ".symtab", SH(".symtab", sh_name), 0},
    {"IMG006", ".strtab", SH(".strtab", sh_name), 0},
    {"IMG006", ".tpb.meta", SH(".tpb.meta", sh_name), 0},
    {"IMG009", ".tpb.meta+0x0", BY(".tpb.meta", 7, 1), 'e'},
    {"IMG009", ".tpb.meta+0x0", SH(".tpb.meta", sh_size), 8},
    {"IMG010", ".tpb.meta+0x8", BY(".tpb.meta", 8, 4), 1},
    {"IMG010", ".tpb.meta+0x8", BY(".tpb.meta", 8, 4), 0},
    {"IMG011", ".tpb.meta+0xC", BY(".tpb.meta", 0x0C, 4), 1},
    {"IMG011", ".tpb.meta+0xC", BY(".tpb.meta", 0x0C, 4), 5},
    {"IMG011", ".tpb.meta+0x14", BY(".tpb.meta", 0x14, 4), 0x10},
    {"IMG011", ".tpb.meta+0x14", BY(".tpb.meta", 0x14, 4), 0x34},
    {"IMG011", ".tpb.meta+0x18", BY(".tpb.meta", 0x18, 4), 0x10},
    {"IMG011", ".tpb.meta", SH(".tpb.meta", sh_size), 0x28},
    {"IMG011", ".tpb.meta+0x14", SH(".text.SP", sh_name), 0},
    {"IMG012", ".text.SP", SH(".text.SP", sh_size), 0x7F},
    {"IMG012", ".text.SP", SH(".text.SP", sh_size), 0},
    {"IMG012", ".text.SP", SH(".text.SP", sh_entsize), 32},
    {"IMG013", ".tpb.meta+0x1C", BY(".tpb.meta", 0x1C, 4), 0x7FFFFFFF},
    {"IMG013", ".tpb.meta+0x1C", BY(".tpb.meta", 0x1C, 4), 0},
    {"IMG013", ".symtab+0x18", SYM(1, st_name), 0xFFFFFFFF},
    {"IMG013", ".symtab+0x18", SYM(1, st_name), 0},
    {"IMG013", ".symtab+0x30", SYM(2, st_name), 0xFFFF},
    {"IMG013", ".tpb.tensors+0x28", BY(".tpb.tensors", 0x28, 4), 0x10000},
    {"IMG013", ".tpb.tensors+0x28", BY(".tpb.tensors", 0x28, 4), 0},
    {"IMG013", ".tpb.files+0x4", BY(".tpb.files", 4, 4), 0x10000},
    {"IMG013", ".tpb.files+0x4", BY(".tpb.files", 4, 4), 0},
    {"IMG013", ".tpb.meta+0x1C", BY(".strtab", 1, 1), 0x1B},
    {"IMG014", ".symtab", SH(".symtab", sh_size), 25},
    {"IMG014", ".symtab", SH(".symtab", sh_entsize), 0},
    {"IMG014", ".symtab", SH(".symtab", sh_link), 1},
    {"IMG014", ".symtab+0x18", SYM(1, st_value), 0x41},
    {"IMG014", ".symtab+0x18", SYM(1, st_value), 41 * 64},
    {"IMG014", ".symtab+0x18", SYM(1, st_value), 1ull << 38},
    {"IMG014", ".symtab+0x18", SYM(1, st_size), 64},
    {"IMG014", ".symtab+0x30", SYM(2, st_size), 31 * 64},
    {"IMG014", ".symtab+0x30", SYM(2, st_size), UINT64_MAX - 63},
    {"IMG014", ".symtab+0x30", SYM(2, st_shndx), 3},
    {"IMG014", ".symtab+0x30", SYM(2, st_shndx), SHN_ABS},
    {"IMG014", ".symtab+0x30", SYM(2, st_info), STT_OBJECT},
    {"IMG014", ".symtab+0x30", SYM(2, st_info), STT_NOTYPE},
    {"IMG014", ".symtab+0x30", SYM(2, st_other), 0x81},
    {"IMG015", ".tpb.tensors", SH(".tpb.tensors", sh_size), 0x29},
    {"IMG015", ".tpb.tensors+0x40", BY(".tpb.tensors", 0x40, 4), 4},
    {"IMG015", ".tpb.tensors+0x40", BY(".tpb.tensors", 0x44, 4), 1},
    {"IMG016", ".tpb.tensors+0x8", BY(".tpb.tensors", 0x08, 8), 0x1004},
    {"IMG016", ".tpb.tensors+0x8", BY(".tpb.tensors", 0x08, 8), 1ull << 36},
    {"IMG016", ".tpb.tensors+0x8", BY(".tpb.tensors", 0x08, 8), ~7ull},
    {"IMG016", ".tpb.tensors+0x30", BY(".tpb.tensors", 0x30, 8), 0xFFFFFFFF8},
    {"IMG016", ".tpb.tensors+0x38", BY(".tpb.tensors", 0x38, 8), 0},
    {"IMG016", ".tpb.tensors+0x38", BY(".tpb.tensors", 0x38, 8),
     (1ull << 32) + 1},
    {"IMG017", ".tpb.tensors", BY(".tpb.tensors", 0x2C, 4), 7},
    {"IMG018", ".tpb.tensors", BY(".tpb.tensors", 0x30, 8), 0x1008},
    {"IMG018", ".tpb.tensors", BY(".tpb.tensors", 0x30, 8), 0xFE8},
    {"IMG019", ".tpb.tensors+0x20", BY(".tpb.tensors", 0x20, 8), 8},
    {"IMG019", ".tpb.tensors+0x70", BY(".tpb.tensors", 0x70, 8), 0},
    {"IMG019", ".tpb.tensors+0x48", BY(".tpb.tensors", 0x48, 8), 8},
    {"IMG019", ".tpb.tensors+0x20", BY(".tpb.tensors", 0x10, 8), 1u << 30},
    {"IMG019", ".tpb.tensors+0x20", BY(".tpb.tensors", 0x10, 8), 0},
    {"IMG019", ".tpb.tensors+0x20", BY(".tpb.tensors", 0x10, 8), ~0ull},
    {"IMG019", ".tpb.tensors+0x70", SH(".tpb.data", sh_size), 0x10},
    {"IMG019", ".tpb.data+0x18", SH(".tpb.data", sh_size), 0x20},
    {"IMG020", ".tpb.ranks+0x0", BY(".tpb.ranks", 8, 4), 0},
    {"IMG020", ".tpb.ranks+0x0", BY(".tpb.ranks", 8, 4), 0x80000000},
    {"IMG020", ".tpb.ranks+0x0", BY(".tpb.ranks", 8, 8), ~0ull},
    {"IMG020", ".tpb.ranks+0x28", SH(".tpb.ranks", sh_size), 0x34},
    {"IMG020", ".tpb.ranks", BY(".tpb.ranks", 0x28, 4), 0},
    {"IMG021", ".tpb.files", SH(".tpb.files", sh_size), 7},
    {"IMG022", ".tpb.lines", SH(".tpb.lines", sh_size), 41 * 8},
    {"IMG022", ".tpb.lines+0x10", BY(".tpb.lines", 0x10 + 4, 2), 2},
    {"IMG022", ".tpb.lines+0x10", BY(".tpb.lines", 0x10 + 6, 2), 1},
    {"IMG022", ".tpb.lines+0x18", BY(".tpb.lines", 0x18, 4), 0},
};

static void refused(const void *bytes, size_t size, const char *id,
                    const char *place)
{
	struct image_error err = {0};
	struct image *img = image_parse(bytes, size, "m.tpb", &err);

	if (img || strcmp(err.id, id) || !strstr(err.place, place) ||
	    strncmp(err.place, "m.tpb:", 6) || !strstr(err.text, "; "))
		fail_msg("want %s at %s, have %s at %s: %s", id, place,
		         img ? "an image" : err.id, err.place, err.text);
}

static void test_broken(void **state)
{
	size_t size;
	uint8_t *good = file_bytes(&size), *bad = malloc(size);

	(void)state;
	for (size_t i = 0; i < sizeof(patches) / sizeof(*patches); i++) {
		const struct patch *p = &patches[i];
		uint8_t *at = bad;

		memcpy(bad, good, size);
		if (p->where == HEAD)
			at = (uint8_t *)header_of(bad, p->section);
		else if (p->where == BODY)
			at += header_of(bad, p->section)->sh_offset;
		memcpy(at + p->off, &p->value, p->width);
		if (!memcmp(bad, good, size))
			fail_msg("patch %zu changes nothing", i);
		refused(bad, size, p->id, p->place);
	}
	free(good);
	free(bad);
}

/* Cases that need more than one number. */
static void test_broken_more(void **state)
{
	static uint8_t zero[64] = {0};
	size_t size;
	uint8_t *b = file_bytes(&size);
	Elf64_Shdr *files = header_of(b, ".tpb.files");
	Elf64_Shdr *meta = header_of(b, ".tpb.meta");
	uint8_t *names = b + header_of(b, ".shstrtab")->sh_offset;
	uint8_t *tensors = b + header_of(b, ".tpb.tensors")->sh_offset;
	Elf64_Word name = files->sh_name;

	(void)state;
	refused(b, 0, "IMG002", "ELF");
	refused(zero, 64, "IMG002", "ELF");
	for (size_t n = 1; n < size; n++) {
		uint8_t *cut = malloc(n);

		memcpy(cut, b, n);
		refused(cut, n, n < 64 ? "IMG002" : "IMG003", "ELF");
		free(cut);
	}
	files->sh_name = meta->sh_name;
	refused(b, size, "IMG007", ".tpb.meta");
	files->sh_name = name;
	names[name + strlen(".tpb.")] = 'g';
	refused(b, size, "IMG008", "section+");
	names[name + strlen(".tpb.")] = 'f';
	memcpy(tensors + 0x28, tensors, 4);
	refused(b, size, "IMG017", ".tpb.tensors");
	free(b);
}

/* Many records that share one long name ask for more than their file. */
static void test_shared_names(void **state)
{
	struct image_error err = {0};
	struct image *img = image_new("shared"), *back;
	char name[4001] = "";
	uint8_t *b = malloc(1u << 20), *files;
	size_t size;
	FILE *f;

	(void)state;
	memset(name, 'n', sizeof(name) - 1);
	for (int i = 0; i < 2000; i++)
		image_add_file(img, i ? "x" : name);
	write_image(img);
	image_free(img);
	f = fopen(path, "rb");
	assert_non_null(f);
	size = fread(b, 1, 1u << 20, f);
	fclose(f);
	back = image_parse(b, size, "m.tpb", &err);
	assert_non_null(back);
	image_free(back);
	files = b + header_of(b, ".tpb.files")->sh_offset;
	for (int i = 1; i < 2000; i++)
		memcpy(files + 4 * i, files, 4);
	refused(b, size, "IMG013", ".tpb.files+");
	free(b);
}

static void test_name_rules(void **state)
{
	static const struct {
		int len;
		char fill;
		bool good;
	} row[] = {
	    {0, 'a', false},   {1, 'a', true},  {255, 'a', true},
	    {256, 'a', false}, {3, ' ', false}, {3, 0x7F, false},
	    {3, '\n', false},  {3, '~', true},  {3, '!', true},
	    {3, -1, false},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(row) / sizeof(*row); i++) {
		struct image_error err = {0};
		struct image *img = image_new("names");
		char name[300] = "";

		memset(name, row[i].fill, (size_t)row[i].len);
		emit(img, SP, 0xA4);
		image_add_symbol(img, name, SP, 0, false, false);
		assert_int_equal(image_write(img, path, &err), row[i].good);
		if (!row[i].good)
			assert_string_equal(err.id, "IMG013");
		image_free(img);
	}
}

/* Whatever bit is wrong: an image or an error with a name.  What was read can
 * be written and is the same when it comes back. */
static void test_bit_flips(void **state)
{
	size_t size;
	uint8_t *b = file_bytes(&size);
	int images = 0, errors = 0;

	(void)state;
	for (size_t i = 0; i < 8 * size; i++) {
		struct image_error err = {0};
		struct image *img;

		b[i / 8] ^= (uint8_t)(1u << i % 8);
		img = image_parse(b, size, "flip", &err);
		b[i / 8] ^= (uint8_t)(1u << i % 8);
		if (img)
			images++;
		else if (!strncmp(err.id, "IMG0", 4) && err.place[0])
			errors++;
		else
			fail_msg("bit %zu: no error id", i);
		if (img && i % 37 == 0) {
			struct image *back;

			write_image(img);
			back = image_read(path, &err);
			assert_non_null(back);
			assert_same(img, back);
			image_free(back);
		}
		image_free(img);
	}
	/* Bundles are free, tables are not. */
	assert_true(images > 42 * 64 * 8);
	assert_true(errors > 12 * 8 * 8);
	free(b);
}

static void test_files(void **state)
{
	struct image_error err = {0};
	struct image *img = sample();
	char bad[80];
	int before = entries();

	(void)state;
	snprintf(bad, sizeof(bad), "%s/none/a.tpb", dir);
	assert_null(image_read(bad, &err));
	assert_string_equal(err.id, "IMG001");
	assert_string_equal(err.place, bad);
	assert_null(image_read(dir, &err));
	assert_string_equal(err.id, "IMG001");
	assert_false(image_write(img, bad, &err));
	assert_string_equal(err.id, "IMG040");
	assert_string_equal(err.place, bad);
	/* A directory stands where the file should go. */
	snprintf(bad, sizeof(bad), "%s/sub", dir);
	assert_int_equal(mkdir(bad, 0777), 0);
	assert_false(image_write(img, bad, &err));
	assert_string_equal(err.id, "IMG040");
	assert_int_equal(rmdir(bad), 0);
	assert_int_equal(entries(), before);
	/* What could not be read back is not written. */
	snprintf(bad, sizeof(bad), "%s/b.tpb", dir);
	img->tensor[0].addr = 4;
	assert_false(image_write(img, bad, &err));
	assert_string_equal(err.id, "IMG016");
	assert_int_equal(entries(), before);
	img->tensor[0].addr = 0x1000;
	img->gen = 5;
	assert_false(image_write(img, bad, &err));
	assert_string_equal(err.id, "IMG011");
	assert_int_equal(entries(), before);
	image_free(img);
}

/* A child that asks for more than any machine has. */
static void test_no_memory(void **state)
{
	int fd[2], status = 0;
	char text[4096] = "";
	size_t n = 0;
	ssize_t got;
	pid_t pid;

	(void)state;
	assert_int_equal(pipe(fd), 0);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		dup2(fd[1], STDERR_FILENO);
		image_add_rank(image_new("big"), 0, 0, UINT32_MAX, UINT32_MAX,
		               NULL);
		_exit(0);
	}
	close(fd[1]);
	while (n < sizeof(text) - 1 &&
	       (got = read(fd[0], text + n, sizeof(text) - 1 - n)) > 0)
		n += (size_t)got;
	close(fd[0]);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 2);
	assert_non_null(strstr(text, "tpb: error[IMG050]: "));
}

/* ---- the loader ---- */

struct bytes {
	int off;
	const char *hex; /* "A4 10" */
};

/* A bundle from rows of the sheet: everything else is 0. */
static void build(uint8_t b[64], const struct bytes *rows)
{
	memset(b, 0, 64);
	for (; rows->hex; rows++) {
		const char *p = rows->hex;
		int at = rows->off;

		while (*p)
			b[at++] = (uint8_t)strtoul(p, (char **)&p, 16);
	}
}

static struct image *loader_image(void)
{
	static const uint32_t ranks[] = {90, 91, 92, 93, 94, 95};
	struct image *img = image_new("load.tpb");

	img->rank = 11;
	image_add_tensor(img, "v", 7, 0x1000, 0x24, NULL, false);
	image_add_tensor(img, "w", 9, 0xFFFFFFFF0, 16, NULL, false);
	image_add_rank(img, 1, 5, 1, 1, ranks);
	image_add_rank(img, 0, 5, 2, 3, ranks);
	/* "f" begins at 40 on SP and at 2 on ACT. */
	for (int i = 0; i < 50; i++)
		emit(img, SP, 0xA4);
	for (int i = 0; i < 4; i++)
		emit(img, ACT, 0xA4);
	image_add_symbol(img, "f", SP, 40, true, false);
	image_add_symbol(img, "label", SP, 41, false, false);
	image_add_symbol(img, "keeper", SP, 44, true, true);
	img->symbol[2].len = 3;
	image_add_symbol(img, "short", SP, 20, true, true);
	img->symbol[3].len = 2;
	image_add_symbol(img, "f", ACT, 2, true, true);
	image_add_symbol(img, "a23456789b23456789c23456789d2345678", SP, 45,
	                 true, false);
	image_add_symbol(img, "twin", SP, 46, true, false);
	image_add_symbol(img, "twin", SP, 47, true, false);
	return img;
}

/* File form and loaded form, by the rows of the sheet. */
static const struct {
	int engine, pc;
	struct bytes file[6], loaded[6];
} resolved[] = {
    /* load variable 7 + 0x20 (int32) -> R5, variable 7 at DRAM 0x1000 */
    {SP,
     0,
     {{0, "CE 10"},
      {0x0C, "08 00 01 01"},
      {0x10, "07 00 00 00 20 00 00 00 01 00 00 00 01 00 00 00"},
      {0x20, "05"}},
     {{0, "AA 10"},
      {0x0C, "08 00 01 01"},
      {0x10, "20 10 00 00 00 00 00 00 01 00 00 00 01 00 00 00"},
      {0x20, "05"}}},
    /* save to the last byte of the 36-bit space */
    {ACT,
     1,
     {{0, "CD 10"}, {0x10, "09 00 00 00 0F"}, {0x20, "05"}},
     {{0, "AB 10"}, {0x10, "FF FF FF FF 0F"}, {0x20, "05"}}},
    /* call "f", entry 40 on SP, 2 on ACT */
    {SP,
     1,
     {{0, "D3 10"}, {0x0C, "66"}},
     {{0, "D3 10"}, {0x2F, "01 28 00 00 00 00 00 00 00"}}},
    {ACT,
     3,
     {{0, "D3 10"}, {0x0C, "66"}, {0x30, "78 56 34 12"}},
     {{0, "D3 10"},
      {0x2F, "01 02 00 00 00 00 00 00 00"},
      {0x38, "78 56 34 12"}}},
    /* the longest name there is */
    {SP,
     2,
     {{0, "D3 10"},
      {0x0C, "61 32 33 34 35 36 37 38 39 62 32 33 34 35 36 37 38 39"},
      {0x1E, "63 32 33 34 35 36 37 38 39 64 32 33 34 35 36 37 38"}},
     {{0, "D3 10"}, {0x2F, "01 2D"}}},
    /* return: in a function that does not keep, before any, in one that
     * keeps, in one of two bundles, behind its end */
    {SP, 40, {{0, "D2 10"}}, {{0, "D2 10"}}},
    {SP, 3, {{0, "D2 10"}}, {{0, "D2 10"}}},
    {SP, 44, {{0, "D2 10"}}, {{0, "D2 10"}, {0x0C, "01"}}},
    {SP, 21, {{0, "D2 10"}}, {{0, "D2 10"}, {0x0C, "01"}}},
    {SP, 22, {{0, "D2 10"}}, {{0, "D2 10"}}},
    {ACT, 2, {{0, "D2 10"}}, {{0, "D2 10"}, {0x0C, "01"}}},
    {ACT, 0, {{0, "D2 10"}}, {{0, "D2 10"}}},
    /* rank: group 2 has no record, so the core's global rank */
    {SP,
     4,
     {{0, "DB 10"}, {0x0C, "02 00 01 00 03 00 08 00 05 00"}},
     {{0, "DB 10"},
      {0x0C, "02 00 01 00 03 00 08 00 05 00"},
      {0x18, "0B"},
      {0x2F, "01"}}},
    /* group 5: iteration 3 mod 2, channel 5 mod 3 -> ranks[1 * 3 + 2] */
    {SP,
     5,
     {{0, "DB 10"}, {0x0C, "05 00 05 00 03 00 08"}},
     {{0, "DB 10"},
      {0x0C, "05 00 05 00 03 00 08"},
      {0x18, "5F"},
      {0x2F, "01"}}},
    /* loaded already, or none of the loader's business */
    {SP, 6, {{0, "D3 10"}, {0x2F, "01 99"}}, {{0, "D3 10"}, {0x2F, "01 99"}}},
    {SP,
     7,
     {{0, "C1 10"}, {0x0C, "03 00"}, {0x2F, "01 02"}},
     {{0, "C1 10"}, {0x0C, "03 00"}, {0x2F, "01 02"}}},
    {SP,
     8,
     {{0, "DB 10"}, {0x18, "07"}, {0x2F, "01"}},
     {{0, "DB 10"}, {0x18, "07"}, {0x2F, "01"}}},
    {SP, 9, {{0, "D3 99"}, {0x2F, "02"}}, {{0, "D3 99"}, {0x2F, "02"}}},
    {SP, 10, {{0, "00 77 12"}}, {{0, "00 77 12"}}},
    {SP, 20, {{0, "D2 10"}, {0x0C, "05"}}, {{0, "D2 10"}, {0x0C, "05"}}},
    {SP,
     12,
     {{0, "D3 10"}, {0x0C, "66 00 01"}, {0x2F, "01 99"}},
     {{0, "D3 10"}, {0x0C, "66 00 01"}, {0x2F, "01 99"}}},
    {SP, 11, {{0, "D2 10"}, {0x0C, "05"}}, {{0, "D2 10"}, {0x0C, "05"}}},
};

#define NRESOLVED (sizeof(resolved) / sizeof(*resolved))

static void test_resolve(void **state)
{
	struct image_error err = {0};
	struct image *img = loader_image();
	uint8_t b[64];

	(void)state;
	for (size_t i = 0; i < NRESOLVED; i++) {
		build(b, resolved[i].file);
		memcpy(img->stream[resolved[i].engine].bundle[resolved[i].pc],
		       b, 64);
	}
	if (!image_resolve(img, &err))
		fail_msg("%s: %s: %s", err.id, err.place, err.text);
	assert_true(img->loaded);
	for (int twice = 0; twice < 2; twice++) {
		for (size_t i = 0; i < NRESOLVED; i++) {
			int e = resolved[i].engine, pc = resolved[i].pc;

			build(b, resolved[i].loaded);
			if (memcmp(img->stream[e].bundle[pc], b, 64))
				fail_msg("case %zu has other bytes", i);
		}
		assert_true(image_resolve(img, &err));
	}
	image_free(img);
}

static const struct {
	const char *id, *place;
	struct bytes file[4];
} unresolved[] = {
    {"IMG030", "+0x14C", {{0, "D3 10"}, {0x0C, "67"}}},
    {"IMG030", "+0x14C", {{0, "D3 10"}}},
    /* a label is no function */
    {"IMG030", "+0x14C", {{0, "D3 10"}, {0x0C, "6C 61 62 65 6C"}}},
    {"IMG031", "+0x14C", {{0, "D3 10"}, {0x0C, "74 77 69 6E"}}},
    {"IMG032",
     "+0x14C",
     {{0, "D3 10"},
      {0x0C, "61 61 61 61 61 61 61 61 61 61 61 61 61 61 61 61 61 61"},
      {0x1E, "61 61 61 61 61 61 61 61 61 61 61 61 61 61 61 61 61 61"}}},
    {"IMG032", "+0x150", {{0, "D3 10"}, {0x0C, "66 00 00 00 01"}}},
    {"IMG033", "+0x150", {{0, "CE 10"}, {0x10, "08"}}},
    {"IMG034", "+0x154", {{0, "CE 10"}, {0x10, "07 00 00 00 24"}}},
    {"IMG034", "+0x154", {{0, "CD 10"}, {0x10, "07 00 00 00 FC FF FF FF"}}},
    {"IMG035", "+0x14C", {{0, "C1 10"}, {0x0C, "71 30"}, {0x30, "02"}}},
    {"IMG035", "+0x14C", {{0, "C2 10"}, {0x0C, "71 30"}}},
    {"IMG035", "+0x14C", {{0, "CF 10"}, {0x0C, "71 30 62"}, {0x3B, "01 01"}}},
    {"IMG036", "+0x140", {{0, "CC 10"}}},
    {"IMG036", "+0x140", {{0, "D1 10"}, {0x0C, "66"}}},
};

static void test_unresolved(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(unresolved) / sizeof(*unresolved); i++) {
		struct image_error err = {0};
		struct image *img = loader_image();
		uint8_t *b = img->stream[SP].bundle[5];
		char place[64];

		snprintf(place, sizeof(place), "load.tpb:.text.SP%s",
		         unresolved[i].place);
		build(b, unresolved[i].file);
		assert_false(image_resolve(img, &err));
		assert_string_equal(err.id, unresolved[i].id);
		assert_string_equal(err.place, place);
		assert_false(img->loaded);
		/* The same bytes in a loaded image are the machine's. */
		img->loaded = true;
		assert_true(image_resolve(img, &err));
		image_free(img);
	}
}

/* An image made in memory is judged too. */
static void test_resolve_checks(void **state)
{
	struct image_error err = {0};
	struct image *img = loader_image();

	(void)state;
	img->tensor[1].id = 7;
	assert_false(image_resolve(img, &err));
	assert_string_equal(err.id, "IMG017");
	image_free(img);
}

/* ---- look-ups ---- */

static void test_places(void **state)
{
	static const struct {
		int engine;
		uint32_t pc;
		const char *place, *source;
	} row[] = {
	    {SP, 0, "0", "one.s:10"},
	    {SP, 2, "2", "one.s:12"},
	    {SP, 3, "loop", "dir name/two.s:13"},
	    {SP, 9, "loop+6", "dir name/two.s:19"},
	    {SP, 10, "f", "one.s:20"},
	    {SP, 39, "f+29", "dir name/two.s:49"},
	    {SP, 41, "end+1", ""},
	    {POOL, 0, "0", ""},
	    {POOL, 1, "f", ""},
	    {DVE, 3, "3", ""},
	    {PE, 3, "3", ""},
	};
	struct image *img = sample();
	char buf[64];

	(void)state;
	for (size_t i = 0; i < sizeof(row) / sizeof(*row); i++) {
		assert_string_equal(image_place(img, row[i].engine, row[i].pc,
		                                buf, sizeof(buf)),
		                    row[i].place);
		assert_string_equal(image_source(img, row[i].engine, row[i].pc,
		                                 buf, sizeof(buf)),
		                    row[i].source);
	}
	/* The first of several names; symbols that came later count. */
	image_add_symbol(img, "other", SP, 10, false, false);
	image_add_symbol(img, "late", SP, 12, false, false);
	assert_string_equal(image_place(img, SP, 11, buf, sizeof(buf)), "f+1");
	assert_string_equal(image_place(img, SP, 13, buf, sizeof(buf)),
	                    "late+1");
	assert_string_equal(image_place(img, SP, 13, buf, 4), "lat");
	image_free(img);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_round_trip),
	    cmocka_unit_test(test_empty_image),
	    cmocka_unit_test(test_placing),
	    cmocka_unit_test(test_tools),
	    cmocka_unit_test(test_broken),
	    cmocka_unit_test(test_broken_more),
	    cmocka_unit_test(test_shared_names),
	    cmocka_unit_test(test_name_rules),
	    cmocka_unit_test(test_bit_flips),
	    cmocka_unit_test(test_files),
	    cmocka_unit_test(test_no_memory),
	    cmocka_unit_test(test_resolve),
	    cmocka_unit_test(test_unresolved),
	    cmocka_unit_test(test_resolve_checks),
	    cmocka_unit_test(test_places),
	};

	return cmocka_run_group_tests(tests, make_dir, remove_dir);
}
