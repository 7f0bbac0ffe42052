/* SPDX-License-Identifier: Apache-2.0
 *
 * DMA queues of an image: written and read back, each broken record refused
 * by name, loaded form by the sheets' bytes, descriptors judged, and the
 * directives of the assembler.
 *
 * Whether two sides overlap and whether a side is backed is compared with
 * sets of bytes made here run by run.
 *
 * Run alone: test_image_dma.
 */
#include "compiler/asm/asm.h"
#include "image/image.h"
#include "image/side.h"

#include <elf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { SP = 4, ACT = 1 };

static const char text[] =
    "\t.config fp8_ocp, fp8_saturate=0\n"
    "\t.tensor in, size=4096\n"
    "\t.tensor out, size=4096, output\n"
    "\t.dge in\n"
    "\t.dge base=0x1000000000, size=0x1000000\n"
    "\t.queue q0, engine=SP, type=1, special={s3, s40..s42}, group={s255}\n"
    "\t.instance q0a\n"
    "\t.block | post s9 += 5\n"
    "\t.desc dma src=[in + 0x40], src_bytes=256, dst=[sbuf(3, 64)], "
    "dst_step0=0x40000, dst_num0=4, dst_bytes=64, sem=7, increment=2\n"
    "\t.desc dma src=[dge(0) + 0x80], src_bytes=256, "
    "dst=[psum(3, 2, 64)], dst_step0=0x8000, dst_num0=4, dst_bytes=64\n"
    "\t.block\n"
    "\t.instance \"q0\\\"b\"\n"
    "\t.queue q1, engine=ACT\n"
    "\t.block | post e4\n"
    "\t.desc dma src=[sbuf(3, 64)], dst=[var(2) + 0x40], src_bytes=64, "
    "dst_bytes=64\n"
    "\t.engine SP\n"
    "\ttrigger name=\"q0a\", count=2\n"
    "\tsqueue name=\"q0\\\"b\", no_rearm=1\n"
    "\trqueue name=\"q0\"\n"
    "\tdma src=[dge(1) + r5], src_bytes=64, dst=[in], dst_bytes=64\n"
    "\ttrigger name=\"q1\", count=1\n";

static struct image *assemble(const char *s)
{
	struct image_error err = {0};
	struct image *img = asm_source(s, strlen(s), "t.s", &err);

	if (!img)
		fail_msg("%s: %s: %s", err.id, err.place, err.text);
	return img;
}

static void resolve(struct image *img)
{
	struct image_error err = {0};

	if (!image_resolve(img, &err))
		fail_msg("%s: %s: %s", err.id, err.place, err.text);
}

static uint32_t word(const uint8_t *p)
{
	return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 |
	       (uint32_t)p[3] << 24;
}

static uint64_t quad(const uint8_t *p)
{
	return word(p) | (uint64_t)word(p + 4) << 32;
}

/* ---- loaded form ---- */

static void test_records(void **state)
{
	struct image *img = assemble(text);
	const struct image_dma *d = &img->dma;

	(void)state;
	resolve(img);
	assert_true(img->fp8_ocp);
	assert_false(img->fp8_saturate);
	assert_false(img->fp8_nan_suppress);
	assert_int_equal(d->nqueues, 2);
	assert_int_equal(d->ninstances, 3);
	assert_int_equal(d->nblocks, 3);
	assert_int_equal(d->ndescriptors, 3);
	assert_int_equal(d->ndge, 2);
	/* queue: first instance, instances, type, owner, groups */
	assert_int_equal(quad(d->queue[0]), 2ull << 32 | 0);
	assert_int_equal(quad(d->queue[0] + 8), 0x0401);
	assert_int_equal(quad(d->queue[0] + 0x20), 0x8 | 7ull << 40);
	assert_int_equal(d->queue[0][0x5F], 0x80);
	assert_int_equal(quad(d->queue[1]), 1ull << 32 | 2);
	assert_int_equal(quad(d->queue[1] + 8), 0x0102);
	/* instance: first block, blocks */
	assert_int_equal(quad(d->instance[0]), 2ull << 32 | 0);
	assert_int_equal(quad(d->instance[1]), 2);
	assert_int_equal(quad(d->instance[2]), 1ull << 32 | 2);
	/* block: first descriptor, descriptors, update */
	assert_int_equal(quad(d->block[0]), 2ull << 32 | 0);
	assert_int_equal(quad(d->block[0] + 8), 5ull << 32 | 0x0915);
	assert_int_equal(quad(d->block[1]), 2);
	assert_int_equal(quad(d->block[1] + 8), 0);
	assert_int_equal(quad(d->block[2] + 8), 0x0411);
	assert_int_equal(quad(d->dge[0]), 0x1000);
	assert_int_equal(quad(d->dge[0] + 8), 4096);
	assert_int_equal(quad(d->dge[1]), 0x1000000000);
	image_free(img);
}

static void test_loaded_bundles(void **state)
{
	struct image *img = assemble(text);
	const struct image_dma *d = &img->dma;
	uint8_t(*b)[64] = img->stream[SP].bundle;

	(void)state;
	for (int twice = 0; twice < 2; twice++) {
		resolve(img);
		assert_int_equal(quad(d->descriptor[0]), 0x10D4);
		assert_int_equal(quad(d->descriptor[0] + 0x10), 0x1040);
		assert_int_equal(quad(d->descriptor[0] + 0x28), 0x10000C0040);
		assert_int_equal(quad(d->descriptor[1] + 0x10), 0x1080);
		assert_int_equal(quad(d->descriptor[1] + 0x28), 0x1002019040);
		assert_int_equal(quad(d->descriptor[2] + 0x28), 0x2040);
		/* trigger: queue 0, instance 0, count 2 */
		assert_int_equal(quad(b[0] + 0x0C), 0);
		assert_int_equal(b[0][0x2F], 1);
		assert_int_equal(word(b[0] + 0x30), 2);
		/* switch: queue 0, instance 1, cursor kept */
		assert_int_equal(quad(b[1] + 0x0C), 0x0100);
		assert_int_equal(b[1][0x2F], 1);
		assert_int_equal(word(b[1] + 0x3B), 0x101);
		/* reset: the queue's name means whichever is current */
		assert_int_equal(quad(b[2] + 0x0C), 0xFF00);
		assert_int_equal(b[2][0x2F], 1);
		/* register mode stays, the other side is an address */
		assert_int_equal(quad(b[3] + 0x10), 0x2800000100000005);
		assert_int_equal(quad(b[3] + 0x28), 0x1000);
		/* an instance of the queue's name comes first */
		assert_int_equal(quad(b[4] + 0x0C), 0x0001);
	}
	image_free(img);
}

/* ---- the file ---- */

static char path[] = "test_image_dma.XXXXXX";

static uint8_t *file_of(struct image *img, size_t *size)
{
	struct image_error err = {0};
	uint8_t *b = malloc(1 << 16);
	int fd;
	FILE *f;

	strcpy(path + strlen(path) - 6, "XXXXXX");
	fd = mkstemp(path);
	assert_true(fd >= 0);
	close(fd);
	if (!image_write(img, path, &err))
		fail_msg("%s: %s: %s", err.id, err.place, err.text);
	f = fopen(path, "rb");
	assert_non_null(f);
	*size = fread(b, 1, 1 << 16, f);
	fclose(f);
	unlink(path);
	return b;
}

static void test_round_trip(void **state)
{
	(void)state;
	for (int loaded = 0; loaded < 2; loaded++) {
		struct image *a = assemble(text), *c;
		struct image_error err = {0};
		uint8_t *b;
		size_t size;

		if (loaded)
			resolve(a);
		b = file_of(a, &size);
		c = image_parse(b, size, "m.tpb", &err);
		if (!c)
			fail_msg("%s: %s: %s", err.id, err.place, err.text);
		assert_int_equal(c->fp8_ocp, true);
		assert_int_equal(c->fp8_saturate, false);
		assert_int_equal(c->nqueues, 2);
		for (int i = 0; i < 2; i++) {
			assert_string_equal(c->queue[i].name, a->queue[i].name);
			assert_int_equal(c->queue[i].type, a->queue[i].type);
			assert_int_equal(c->queue[i].owner, a->queue[i].owner);
			assert_int_equal(c->queue[i].instances,
			                 a->queue[i].instances);
			assert_memory_equal(c->queue[i].special,
			                    a->queue[i].special, 32);
			assert_memory_equal(c->queue[i].normal,
			                    a->queue[i].normal, 32);
		}
		assert_string_equal(c->instance[1].name, "q0\"b");
		assert_int_equal(c->ndescriptors, 3);
		assert_memory_equal(c->descriptor, a->descriptor, 3 * 64);
		assert_int_equal(c->ndge, 2);
		for (int i = 0; i < 2; i++) {
			assert_int_equal(c->dge[i].id, a->dge[i].id);
			assert_int_equal(c->dge[i].base, a->dge[i].base);
			assert_int_equal(c->dge[i].size, a->dge[i].size);
		}
		/* both load to the same */
		resolve(a);
		resolve(c);
		assert_memory_equal(c->dma.queue, a->dma.queue, 2 * 96);
		assert_memory_equal(c->dma.instance, a->dma.instance, 3 * 8);
		assert_memory_equal(c->dma.block, a->dma.block, 3 * 16);
		assert_memory_equal(c->dma.descriptor, a->dma.descriptor,
		                    3 * 64);
		assert_memory_equal(c->dma.dge, a->dma.dge, 2 * 16);
		free(b);
		image_free(a);
		image_free(c);
	}
}

static Elf64_Shdr *section(uint8_t *b, const char *name)
{
	Elf64_Ehdr *e = (Elf64_Ehdr *)b;
	Elf64_Shdr *s = (Elf64_Shdr *)(b + e->e_shoff);
	const char *names = (char *)b + s[e->e_shstrndx].sh_offset;

	for (int i = 1; i < e->e_shnum; i++)
		if (!strcmp(names + s[i].sh_name, name))
			return &s[i];
	fail_msg("no section %s", name);
	return NULL;
}

/* One number of a good file is changed. */
static const struct {
	const char *id, *place, *section;
	size_t off, width;
	uint64_t value;
} broken[] = {
    {"IMG013", ".tpb.queues+0x0", ".tpb.queues", 0, 4, 0x10000},
    {"IMG023", ".tpb.queues+0x4", ".tpb.queues", 4, 1, 9},
    {"IMG023", ".tpb.queues+0x5", ".tpb.queues", 5, 1, 5},
    {"IMG023", ".tpb.queues+0x6", ".tpb.queues", 6, 2, 1},
    {"IMG023", ".tpb.queues+0x8", ".tpb.queues", 8, 4, 0},
    {"IMG023", ".tpb.queues+0x54", ".tpb.queues", 0x54, 4, 256},
    {"IMG023", ".tpb.queues", ".tpb.queues", 8, 4, 3},
    {"IMG023", ".tpb.instances", ".tpb.instances", 4, 4, 9},
    {"IMG013", ".tpb.instances+0x8", ".tpb.instances", 8, 4, 1 << 20},
    {"IMG023", ".tpb.instances+0x4", ".tpb.instances", 4, 4, 65536},
    {"IMG024", ".tpb.blocks+0x0", ".tpb.blocks", 0, 4, 65536},
    {"IMG024", ".tpb.blocks", ".tpb.blocks", 0, 4, 1},
    {"IMG024", ".tpb.blocks+0x4", ".tpb.blocks", 4, 1, 6},
    {"IMG024", ".tpb.blocks+0x4", ".tpb.blocks", 4, 1, 0x95},
    {"IMG024", ".tpb.blocks+0x6", ".tpb.blocks", 6, 2, 1},
    {"IMG024", ".tpb.blocks+0x11", ".tpb.blocks", 0x11, 1, 1},
    {"IMG024", ".tpb.blocks+0x20", ".tpb.blocks", 0x20, 4, 1},
    {"IMG025", ".tpb.dge+0x4", ".tpb.dge", 4, 4, 1},
    {"IMG025", ".tpb.dge+0x8", ".tpb.dge", 8, 8, 8},
    {"IMG025", ".tpb.dge+0x20", ".tpb.dge", 0x20, 8, 1ull << 55},
    {"IMG025", ".tpb.dge+0x20", ".tpb.dge", 0x28, 8, 0},
    {"IMG011", ".tpb.meta+0x18", ".tpb.meta", 0x18, 4, 0x20},
};

static void test_broken(void **state)
{
	struct image *img = assemble(text);
	size_t size;
	uint8_t *good = file_of(img, &size), *bad = malloc(size);

	(void)state;
	for (size_t i = 0; i < sizeof(broken) / sizeof(*broken); i++) {
		struct image_error err = {0};
		struct image *got;

		memcpy(bad, good, size);
		memcpy(bad + section(bad, broken[i].section)->sh_offset +
		           broken[i].off,
		       &broken[i].value, broken[i].width);
		got = image_parse(bad, size, "m.tpb", &err);
		if (got || strcmp(err.id, broken[i].id) ||
		    !strstr(err.place, broken[i].place) ||
		    !strstr(err.text, "; "))
			fail_msg("row %zu: %s at %s: %s", i, err.id, err.place,
			         err.text);
	}
	/* sections that are no whole records */
	for (int i = 0; i < 5; i++) {
		static const char *const name[] = {
		    ".tpb.queues", ".tpb.instances", ".tpb.blocks",
		    ".tpb.descriptors", ".tpb.dge"};
		static const char *const id[] = {"IMG023", "IMG023", "IMG024",
		                                 "IMG024", "IMG025"};
		struct image_error err = {0};

		memcpy(bad, good, size);
		section(bad, name[i])->sh_size--;
		assert_null(image_parse(bad, size, "m.tpb", &err));
		assert_string_equal(err.id, id[i]);
	}
	free(good);
	free(bad);
	image_free(img);
}

/* ---- what the loader refuses ---- */

#define HEAD                                               \
	"\t.tensor a, size=0x10000\n\t.tensor b, size=8\n" \
	"\t.queue q\n\t.block\n"

static const struct {
	const char *id, *place, *text;
} unloadable[] = {
    {"IMG035", ".text.SP+0xC", "trigger name=\"x\", count=1"},
    {"IMG035", ".text.SP+0xC", HEAD "\tsqueue name=\"x\""},
    /* a queue's name is no instance */
    {"IMG035", ".text.SP+0xC",
     "\t.queue p\n\t.instance i\n\tsqueue name=\"p\""},
    {"IMG032", ".text.SP+0x2C",
     HEAD "\t.unchecked\n\ttrigger name=\"q\", b[0x2C]=1"},
    {"IMG033", ".text.SP+0x14",
     HEAD "\tdma src=[var(9)], dst=[a], src_bytes=1, dst_bytes=1"},
    {"IMG034", ".text.SP+0x28",
     HEAD "\tdma src=[a], dst=[b + 8], src_bytes=1, dst_bytes=1"},
    {"IMG034", ".text.SP+0x10",
     HEAD "\tdma src=[0x20000000], dst=[a], src_bytes=1, dst_bytes=1"},
    {"IMG025", ".text.SP+0x14",
     HEAD "\tdma src=[dge(0)], dst=[a], src_bytes=1, dst_bytes=1"},
    {"IMG039", ".text.SP+0x0",
     HEAD "\tdma src=[a], dst=[a + 7], src_bytes=8, dst_bytes=8"},
    {"IMG039", ".tpb.descriptors+0x0",
     HEAD "\t.desc dma src=[a], dst=[a], src_bytes=8, dst_bytes=8"},
    {"IMG037", ".tpb.descriptors+0x0",
     "\t.dge base=0, size=64\n" HEAD
     "\t.desc dma src=[dge(0) + r1], dst=[b], src_bytes=8, "
     "dst_bytes=8"},
    {"IMG037", ".tpb.descriptors+0x0",
     HEAD "\t.desc dma src=[a], dst=[b], src_bytes=8, dst_bytes=8, "
          "src_limit_on=1"},
    {"IMG037", ".tpb.descriptors+0x24",
     HEAD "\t.unchecked\n\t.desc dma src=[a], dst=[b], src_bytes=8, "
          "dst_bytes=4"},
    {"IMG037", ".tpb.descriptors+0x0", HEAD "\t.unchecked\n\t.desc noop"},
    /* converts: multiples of the element size */
    {"IMG037", ".tpb.descriptors+0x10",
     HEAD "\t.desc dma src=[a + 2], dst=[b], src_bytes=4, "
          "dst_bytes=2, src_dtype=f32, dst_dtype=bf16"},
    {"IMG037", ".tpb.descriptors+0x28",
     HEAD "\t.desc dma src=[a], dst=[b], src_bytes=8, dst_bytes=2, "
          "dst_num0=2, dst_step0=3, src_dtype=f32, dst_dtype=bf16"},
    {"IMG038", ".tpb.descriptors+0x28",
     HEAD "\t.desc dma src=[a], dst=[sbuf(0, 0x37FF9)], src_bytes=8, "
          "dst_bytes=8"},
    {"IMG038", ".tpb.descriptors+0x10",
     HEAD "\t.desc dma src=[psum(127, 0, 0)], dst=[b], src_num0=2, "
          "src_step0=0x8000, src_bytes=4, dst_bytes=8"},
    {"IMG038", ".tpb.descriptors+0x10",
     HEAD "\t.desc dma src=[a], dst=[b], src_num0=2, "
          "src_step0=-0x10000, src_bytes=4, dst_bytes=8"},
};

static void test_refused(void **state)
{

	(void)state;
	for (size_t i = 0; i < sizeof(unloadable) / sizeof(*unloadable); i++) {
		struct image_error err = {0};
		struct image *img = assemble(unloadable[i].text);

		if (image_resolve(img, &err) ||
		    strcmp(err.id, unloadable[i].id) ||
		    !strstr(err.place, unloadable[i].place) ||
		    !strstr(err.text, "; "))
			fail_msg("row %zu: %s at %s: %s", i, err.id, err.place,
			         err.text);
		/* In a loaded image they are the machine's. */
		img->loaded = true;
		assert_true(image_resolve(img, &err));
		image_free(img);
	}
}

/* ---- sides ---- */

/* Bytes of a side in a space of SPACE bytes from BASE. */
enum { BASE = 0x40000, SPACE = 0x80000 };

static bool mark(const struct image_side *s, uint8_t *set, uint8_t bit)
{
	bool inside = true;

	for (uint32_t j = 0; j < s->num[1]; j++)
		for (uint32_t i = 0; i < s->num[0]; i++) {
			int64_t at = s->base + i * s->step[0] + j * s->step[1];

			for (uint32_t k = 0; k < s->bytes; k++)
				if (at + k >= BASE && at + k < BASE + SPACE)
					set[at + k - BASE] |= bit;
				else
					inside = false;
		}
	return inside;
}

static uint64_t rng = 0x9E3779B97F4A7C15;

static uint32_t draw(uint32_t n)
{
	rng ^= rng << 13;
	rng ^= rng >> 7;
	rng ^= rng << 17;
	return (uint32_t)(rng >> 33) % n;
}

static struct image_side random_side(void)
{
	struct image_side s = {
	    .base = BASE + SPACE / 2 + (int64_t)draw(600),
	    .step = {(int64_t)draw(80) - 40, (int64_t)draw(400) - 200},
	    .num = {1 + draw(6), 1 + draw(6)},
	    .bytes = 1 + draw(12),
	};

	if (draw(3) == 0)
		s.step[0] = s.bytes;
	return s;
}

static void test_overlap(void **state)
{
	uint8_t *set = calloc(1, SPACE);
	int seen[2] = {0};

	(void)state;
	for (int n = 0; n < 3000; n++) {
		struct image_side a = random_side(), b = random_side();
		uint64_t budget = 1 << 20, none = 0;
		bool want = false, got;

		memset(set, 0, SPACE);
		assert_true(mark(&a, set, 1) && mark(&b, set, 2));
		for (int i = 0; i < SPACE && !want; i++)
			want = set[i] == 3;
		got = image_sides_overlap(&a, &b, &budget);
		if (got != want)
			fail_msg("case %d: overlap %d, want %d", n, got, want);
		/* without a budget never too lenient */
		assert_true(image_sides_overlap(&a, &b, &none) || !want);
		seen[want]++;
	}
	assert_true(seen[0] > 300 && seen[1] > 300);
	free(set);
}

/* A run lies in one partition's first 224 KiB of SBUF, or 16 KiB of PSUM. */
static bool backed(const struct image_side *s)
{
	for (uint32_t j = 0; j < s->num[1]; j++)
		for (uint32_t i = 0; i < s->num[0]; i++) {
			int64_t at = s->base - (1ll << 36) + i * s->step[0] +
			             j * s->step[1];
			bool psum = at >= 0x2000000;

			if (at < 0 || at >= 0x2400000 ||
			    at % (psum ? 0x8000 : 0x40000) + s->bytes >
			        (psum ? 16384 : 229376))
				return false;
		}
	return true;
}

static void test_backed(void **state)
{
	int seen[2] = {0};

	(void)state;
	for (int n = 0; n < 4000; n++) {
		bool psum = draw(2);
		int64_t part = psum ? 0x8000 : 0x40000;
		int64_t use = psum ? 16384 : 229376;
		uint64_t budget = 1 << 20;
		struct image_side s = {
		    .base = (1ll << 36) + (psum ? 0x2000000 : 0) +
		            draw(128) * part + use - draw(4000),
		    .step = {draw(3) ? part : (int64_t)draw(200) - 100,
		             draw(3) ? (int64_t)draw(600) - 300 : -part},
		    .num = {1 + draw(20), 1 + draw(8)},
		    .bytes = 1 + draw(900),
		};
		bool want = backed(&s);
		bool got = image_side_backed(&s, 3, &budget);

		if (got != want)
			fail_msg("case %d: backed %d, want %d", n, got, want);
		seen[want]++;
	}
	assert_true(seen[0] > 300 && seen[1] > 300);
}

/* Counts of 65,535 each way do not take long. */
static void test_large(void **state)
{
	struct image_side a = {
	    .base = 0, .step = {2, 1 << 20}, .num = {65535, 65535}, .bytes = 1};
	struct image_side b = a;
	uint64_t budget = 1 << 20;

	(void)state;
	b.base = 1;
	assert_true(image_sides_overlap(&a, &b, &budget));
	assert_true(image_side_backed(&a, 3, &budget));
	b.base = 1ll << 37;
	assert_false(image_sides_overlap(&a, &b, &budget));
	a.step[1] = 1 << 21;
	assert_false(image_side_backed(&a, 3, &budget));
}

/* ---- the assembler ---- */

static void test_asm_errors(void **state)
{
	static const struct {
		const char *id, *text;
	} row[] = {
	    {"ASM010", ".instance a"},
	    {"ASM010", ".block"},
	    {"ASM010", ".queue q\n.instance i\n.desc dma src=[1], dst=[2], "
	               "src_bytes=1, dst_bytes=1"},
	    {"ASM006", ".queue q\n.block\n.desc noop"},
	    {"ASM008", ".queue q\n.block\n.desc dma src=1, dst=2"},
	    {"ASM007", ".queue q\n.block | wait s1 >= 2"},
	    {"ASM007", ".queue q\n.block | post s1 += r2"},
	    {"ASM007", ".queue q\n.block\n.desc dma src=[1], dst=[9], "
	               "src_bytes=1, dst_bytes=1 | post s1++"},
	    {"ASM005", ".queue a2345678901234567890123456789012"},
	    {"ASM005", ".queue \"\""},
	    {"ASM005", ".queue q, type=9"},
	    {"ASM003", ".queue q, kind=1"},
	    {"ASM006", ".queue q, group={e1}"},
	    {"ASM005", ".queue q, group={s9..s4}"},
	    {"ASM003", ".config fp9"},
	    {"ASM005", ".config fp8_ocp=2"},
	    {"ASM002", ".dge size=1"},
	    {"ASM005", "mov r1, sbuf(128, 0)"},
	    {"ASM005", "mov r1, psum(0, 8, 0)"},
	    {"ASM005", "dma src=[dge(64)], dst=[0]"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(row) / sizeof(*row); i++) {
		struct image_error err = {0};
		struct image *img =
		    asm_source(row[i].text, strlen(row[i].text), "t.s", &err);

		if (img || strcmp(err.id, row[i].id))
			fail_msg("row %zu: %s: %s", i, img ? "fine" : err.id,
			         err.text);
	}
}

/* asm(dis(x)) = x for every address form of a dma. */
static void test_dis(void **state)
{
	static const char *const row[] = {
	    "dma src=[var(7) + 0x20], src_num0=1, src_num1=1, src_bytes=64, "
	    "dst=[0xC0040], dst_step0=-64, dst_num0=1, dst_num1=1, "
	    "dst_bytes=64",
	    "dma src=[dge(3) + 0x0], src_num0=1, src_num1=1, src_bytes=64, "
	    "dst=[dge(63) + r63], dst_num0=1, dst_num1=1, dst_bytes=64",
	    "dma src=[dge(0) + pair(r62)], src_num0=1, src_num1=1, "
	    "src_bytes=64, dst=[0x0], dst_num0=1, dst_num1=1, dst_bytes=64",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(row) / sizeof(*row); i++) {
		struct image_error err = {0};
		uint8_t b[64];
		char buf[1024];

		if (asm_line(row[i], b, &err))
			fail_msg("%s: %s", err.id, err.text);
		isa_dis(b, ISA_FILE, NULL, buf, sizeof(buf));
		assert_string_equal(buf, row[i]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_records),
	    cmocka_unit_test(test_loaded_bundles),
	    cmocka_unit_test(test_round_trip),
	    cmocka_unit_test(test_broken),
	    cmocka_unit_test(test_refused),
	    cmocka_unit_test(test_overlap),
	    cmocka_unit_test(test_backed),
	    cmocka_unit_test(test_large),
	    cmocka_unit_test(test_asm_errors),
	    cmocka_unit_test(test_dis),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
