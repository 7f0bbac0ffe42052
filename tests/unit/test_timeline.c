/* SPDX-License-Identifier: Apache-2.0
 *
 * The timeline of a run (`tpb cosim --timeline`): every event has the members
 * that its phase needs and no others, slices of a track nest and lie inside
 * the run, and their numbers are those of the run: a slice for each retired
 * bundle, each pushed block and each descriptor, a counter step for each
 * change of a semaphore.
 */
#include "compiler/asm/asm.h"
#include "harness/lockstep.h"
#include "harness/trace.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/unit/json.h"

/* Three engines, both vector units, a queue with two blocks of 1 and 2
 * descriptors that goes round twice. */
static const char source[] =
    "\t.tensor buf, size=256, output\n"
    "\t.queue load, engine=SP\n"
    "\t.block | post s3++\n"
    "\t.desc dma src=[buf], src_bytes=64, dst=[sbuf(0, 0)], dst_bytes=64\n"
    "\t.block | post s3++\n"
    "\t.desc dma src=[buf], src_bytes=8, dst=[buf + 64], dst_bytes=8\n"
    "\t.desc dma src=[buf], src_bytes=8, dst=[buf + 72], dst_bytes=8\n"
    "\t.engine SP\n"
    "\ttrigger name=\"load\", count=4\n"
    "\tnoop | wait s3 >= 4 | post s4++\n"
    "\texit\n"
    "\t.engine POOL\n"
    "\tmov r4, 0\n"
    "l:\tiota base=0, step0=1, num0=8, num1=1, num2=1, num3=1, "
    "multiplier=1, out_dtype=u32, ch=40, dst=[sbuf(0, 0x100), 1:8]\n"
    "\tadd r4, r4, 1\n"
    "\tblt r4, 3, l\n"
    "\texit\n"
    "\t.engine DVE\n"
    "\tts.b in_dtype=u32, out_dtype=u32, op0=logical_shl, imm0=5, ch=8, "
    "src=[sbuf(0, 0x100), 1:2], dst=[sbuf(0, 0x200), 1:2] | wait s4 >= 1\n"
    "\texit\n";

enum { ENGINES = 1, UNITS, DMA, BANK }; /* processes of the file */
#define SP 4
#define POOL 2
#define DVE 3

static struct lockstep *bench;
static struct image *program;

static struct image *assemble(const char *text)
{
	struct image_error err = {0};
	struct image *img = asm_source(text, strlen(text), "line.s", &err);

	if (!img || !image_resolve(img, &err))
		fail_msg("%s %s", err.place, err.text);
	return img;
}

/* Run with a timeline and read it. */
static struct json *traced(struct image *img, struct lockstep_options opt,
                           struct lockstep_result *res)
{
	char path[] = "test_timeline_XXXXXX", *text;
	int fd = mkstemp(path);
	struct json *events;
	size_t n;
	FILE *f;

	assert_true(fd >= 0);
	close(fd);
	opt.timeline = path;
	assert_true(lockstep_run(bench, img, &opt, res));
	f = fopen(path, "r");
	assert_non_null(f);
	text = calloc(1, 1 << 20);
	assert_non_null(text);
	n = fread(text, 1, (1 << 20) - 1, f);
	assert_in_range(n, 1, (1 << 20) - 2);
	fclose(f);
	remove(path);
	events = json_parse(text);
	free(text);
	assert_int_equal(events->kind, JSON_ARRAY);
	return events;
}

static struct lockstep_options plain(void)
{
	return (struct lockstep_options){
	    .seed = 1, .fill = FILL_RANDOM, .compare = true};
}

static int64_t number(const struct json *e, const char *key)
{
	const struct json *m = json_get(e, key);

	if (!m || m->kind != JSON_NUMBER || m->number < 0)
		fail_msg("no number %s", key);
	return m->number;
}

static const char *text(const struct json *e, const char *key)
{
	const struct json *m = json_get(e, key);

	if (!m || m->kind != JSON_STRING || !*m->text)
		fail_msg("no text %s", key);
	return m->text;
}

static char phase(const struct json *e)
{
	return *text(e, "ph");
}

/* The members of each phase, none missing and none more. */
static void check_members(const struct json *e, uint64_t cycles)
{
	static const char *const members[][9] = {
	    {"X", "name", "ph", "pid", "tid", "ts", "dur", "args", NULL},
	    {"C", "name", "ph", "pid", "tid", "ts", "args", NULL},
	    {"M", "name", "ph", "pid", "tid", "args", NULL},
	    {"i", "name", "ph", "pid", "tid", "ts", "s", NULL},
	};
	const char *const *m = NULL;
	int want = 0, have = 0;

	assert_int_equal(e->kind, JSON_OBJECT);
	assert_int_equal(strlen(text(e, "ph")), 1);
	for (size_t i = 0; i < sizeof(members) / sizeof(*members); i++)
		if (*members[i][0] == phase(e))
			m = members[i];
	assert_non_null(m);
	for (; m[want + 1]; want++)
		if (!json_get(e, m[want + 1]))
			fail_msg("%s without %s", text(e, "name"), m[want + 1]);
	for (const struct json *c = e->child; c; c = c->next)
		have++;
	assert_int_equal(have, want);
	assert_in_range(number(e, "pid"), ENGINES, BANK);
	if (json_get(e, "args"))
		assert_int_equal(json_get(e, "args")->kind, JSON_OBJECT);
	if (phase(e) != 'M')
		assert_in_range(number(e, "ts"), 0, cycles);
	if (phase(e) == 'X')
		assert_in_range(number(e, "dur"), 1,
		                cycles - (uint64_t)number(e, "ts"));
}

static bool on_track(const struct json *e, int64_t pid, int64_t tid)
{
	return phase(e) == 'X' && number(e, "pid") == pid &&
	       number(e, "tid") == tid;
}

/* Any two slices of a track are apart or one inside the other, and the track
 * has a name. */
static void check_nesting(const struct json *events)
{
	for (const struct json *a = events->child; a; a = a->next) {
		int64_t pid = number(a, "pid"), tid = number(a, "tid");
		bool named = false;

		if (phase(a) != 'X')
			continue;
		for (const struct json *b = events->child; b; b = b->next) {
			int64_t p, q, r, s;

			named |= phase(b) == 'M' && number(b, "pid") == pid &&
			         number(b, "tid") == tid &&
			         !strcmp(text(b, "name"), "thread_name");
			if (a == b || !on_track(b, pid, tid))
				continue;
			p = number(a, "ts");
			q = p + number(a, "dur");
			r = number(b, "ts");
			s = r + number(b, "dur");
			if (q > r && s > p && !(p <= r && s <= q) &&
			    !(r <= p && q <= s))
				fail_msg("%s and %s cross", text(a, "name"),
				         text(b, "name"));
		}
		assert_true(named);
	}
}

/* Slices of a process, and of a track unless -1, whose name begins so. */
static uint64_t count(const struct json *events, int64_t pid, int64_t tid,
                      const char *name)
{
	uint64_t n = 0;

	for (const struct json *e = events->child; e; e = e->next)
		n += phase(e) == 'X' && number(e, "pid") == pid &&
		     (tid < 0 || number(e, "tid") == tid) &&
		     !strncmp(text(e, "name"), name, strlen(name));
	return n;
}

/* Bundles of an engine that retired, by their slices. */
static uint64_t retired(const struct json *events, int engine)
{
	uint64_t n = 0;

	for (const struct json *e = events->child; e; e = e->next)
		if (on_track(e, ENGINES, engine) &&
		    json_get(json_get(e, "args"), "pc")) {
			text(json_get(e, "args"), "text");
			text(json_get(e, "args"), "place");
			n += !json_get(json_get(e, "args"), "end");
		}
	return n;
}

static void check_all(const struct json *events, uint64_t cycles)
{
	for (const struct json *e = events->child; e; e = e->next)
		check_members(e, cycles);
	check_nesting(events);
}

static void whole_run(void **state)
{
	struct lockstep_result bare, res;
	struct lockstep_options opt = plain();
	struct json *events;

	(void)state;
	assert_true(lockstep_run(bench, program, &opt, &bare));
	assert_int_equal(bare.verdict, VERDICT_PASS);
	events = traced(program, opt, &res);
	assert_true(res.digest == bare.digest);
	check_all(events, res.cycles);
	for (int e = 0; e < TPB_ENGINES; e++)
		assert_int_equal(retired(events, e), res.retired[e]);
	assert_int_equal(res.retired[POOL], 11);
	/* Four blocks of 1 and 2 descriptors, also at the mover. */
	assert_int_equal(count(events, DMA, -1, "load block"), 4);
	assert_int_equal(count(events, DMA, 0, "load descriptor"), 6);
	assert_int_equal(count(events, DMA, -1, "load descriptor"), 12);
	/* Three times 40 channels on POOL, 8 on DVE. */
	assert_int_equal(count(events, UNITS, 0, "iota"), 3);
	assert_int_equal(count(events, UNITS, 0, "ELEM"),
	                 3 * ((40 + TPB_LANES - 1) / TPB_LANES));
	assert_int_equal(count(events, UNITS, 1, "ts.b"), 1);
	assert_int_equal(count(events, ENGINES, DVE, "wait s4 >= 1"), 1);
	assert_int_equal(count(events, ENGINES, SP, "wait s3 >= 4"), 1);
	assert_int_equal(count(events, ENGINES, -1, "wait the exit join"), 2);
	json_free(events);
}

/* s3 counts the blocks, from 0 in cycle 0 on. */
static void counters(void **state)
{
	struct lockstep_result res;
	struct json *events = traced(program, plain(), &res);
	int64_t value = 0, last = 0;

	(void)state;
	for (const struct json *e = events->child; e; e = e->next) {
		if (phase(e) != 'C' || strcmp(text(e, "name"), "s3"))
			continue;
		assert_int_equal(number(json_get(e, "args"), "value"), value);
		assert_true(value ? number(e, "ts") > last
		                  : number(e, "ts") == 0);
		last = number(e, "ts");
		value++;
	}
	assert_int_equal(value, 5);
	json_free(events);
}

/* Is there a step of s3 to this value at this time? */
static bool stepped(const struct json *events, int64_t value, int64_t at)
{
	for (const struct json *e = events->child; e; e = e->next)
		if (phase(e) == 'C' && !strcmp(text(e, "name"), "s3") &&
		    number(json_get(e, "args"), "value") == value &&
		    number(e, "ts") == at)
			return true;
	return false;
}

/* A wait ends in the cycle in which its semaphore has the value; a window that
 * ends right before that cycle shows the step at its end. */
static void wait_meets_its_post(void **state)
{
	struct lockstep_options opt = plain();
	struct lockstep_result res;
	struct json *events = traced(program, opt, &res);
	int64_t post = -1, end = -1;

	(void)state;
	for (const struct json *e = events->child; e; e = e->next) {
		if (phase(e) == 'C' && !strcmp(text(e, "name"), "s3") &&
		    number(json_get(e, "args"), "value") == 4)
			post = number(e, "ts");
		if (on_track(e, ENGINES, SP) &&
		    !strcmp(text(e, "name"), "wait s3 >= 4"))
			end = number(e, "ts") + number(e, "dur");
	}
	assert_true(post > 0);
	assert_int_equal(end, post);
	json_free(events);
	opt.timeline_to = (uint64_t)post - 1;
	events = traced(program, opt, &res);
	assert_true(stepped(events, 4, post));
	json_free(events);
	opt.timeline_to--;
	events = traced(program, opt, &res);
	assert_false(stepped(events, 4, post));
	json_free(events);
}

/* Any window is whole in itself: slices are cut at its ends. */
static void windows(void **state)
{
	struct lockstep_options opt = plain();
	struct lockstep_result res;

	(void)state;
	for (uint64_t from = 0; from < 120; from += 7) {
		struct json *events;

		opt.timeline_from = from;
		opt.timeline_to = from + 20;
		events = traced(program, opt, &res);
		check_all(events, from + 21);
		for (const struct json *e = events->child; e; e = e->next)
			if (phase(e) != 'M')
				assert_in_range(number(e, "ts"), from,
				                from + 21);
		json_free(events);
	}
}

/* A fault: its bundle says so and is not counted as retired. */
static void faults(void **state)
{
	struct image *img = assemble("\t.engine SP\n\tmov r4, 1\n"
	                             "\tnoop | wait s9 >= 1\n");
	struct lockstep_result res;
	struct json *events = traced(img, plain(), &res);
	bool told = false;

	(void)state;
	assert_int_equal(res.verdict, VERDICT_FAULTED);
	check_all(events, res.cycles);
	assert_int_equal(res.retired[SP], 1);
	assert_int_equal(retired(events, SP), 1);
	for (const struct json *e = events->child; e; e = e->next)
		if (on_track(e, ENGINES, SP) &&
		    json_get(json_get(e, "args"), "end"))
			told = !strcmp(text(json_get(e, "args"), "end"),
			               "DEADLOCK");
	assert_true(told);
	assert_int_equal(count(events, ENGINES, SP, "wait s9 >= 1"), 1);
	json_free(events);
	image_free(img);
}

/* A difference ends the timeline, with a mark that names it. */
static void difference(void **state)
{
	struct lockstep_options opt = plain();
	struct lockstep_result res;
	struct json *events;
	int marks = 0;

	(void)state;
	opt.plant = (struct plant){.on = true, .cycle = 30, .mask = 4};
	opt.plant.field = state_find("POOL.vk", &opt.plant.index);
	events = traced(program, opt, &res);
	assert_int_equal(res.verdict, VERDICT_DIFFERS);
	check_all(events, 30);
	for (const struct json *e = events->child; e; e = e->next)
		if (phase(e) == 'i') {
			assert_int_equal(number(e, "ts"), 30);
			assert_string_equal(text(e, "s"), "g");
			assert_non_null(strstr(text(e, "name"), "POOL.vk"));
			marks++;
		}
	assert_int_equal(marks, 1);
	json_free(events);
}

/* Whatever a name holds, the file stays JSON; one that does not fit is left
 * out whole. */
static void escapes(void **state)
{
	char args[64] = "", json[80];
	struct json *j;

	(void)state;
	trace_text(args, sizeof(args), "a", "q\" b\\ n\n u\xC3\xA4");
	trace_number(args, sizeof(args), "b", UINT64_MAX >> 1);
	trace_text(args, sizeof(args), "c",
	           "0123456789012345678901234567890123456789");
	snprintf(json, sizeof(json), "{%s}", args);
	j = json_parse(json);
	assert_string_equal(text(j, "a"), "q\" b\\ n? u??");
	assert_int_equal(number(j, "b"), INT64_MAX);
	assert_null(json_get(j, "c"));
	json_free(j);
}

static void cannot_be_written(void **state)
{
	struct lockstep_options opt = plain();
	struct lockstep_result res;

	(void)state;
	opt.timeline = "no/such/directory/t.json";
	assert_false(lockstep_run(bench, program, &opt, &res));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(whole_run),
	    cmocka_unit_test(counters),
	    cmocka_unit_test(wait_meets_its_post),
	    cmocka_unit_test(windows),
	    cmocka_unit_test(faults),
	    cmocka_unit_test(difference),
	    cmocka_unit_test(escapes),
	    cmocka_unit_test(cannot_be_written),
	};
	int failed;

	bench = lockstep_new();
	if (!bench)
		return 1;
	program = assemble(source);
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	lockstep_free(bench);
	image_free(program);
	return failed;
}
