/* SPDX-License-Identifier: Apache-2.0
 *
 * The wait chain of a deadlock in which DMA queues take part: it names what
 * each engine waits for, the queue that could have helped, and the descriptor
 * at which a stopped queue stands.
 */
#include "compiler/asm/asm.h"
#include "harness/lockstep.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define GOOD                                                            \
	"\t.desc dma src=0x1000, src_num0=1, src_num1=1, src_bytes=8, " \
	"dst=0x1010, dst_num0=1, dst_num1=1, dst_bytes=8\n"
#define BAD                                                             \
	"\t.desc dma src=0x1000, src_num0=1, src_num1=1, src_bytes=8, " \
	"dst=0x2000000000, dst_num0=1, dst_num1=1, dst_bytes=8\n"
/* A queue whose second descriptor is bad, and one that is never used. */
#define QUEUES                                                                 \
	"\t.loaded\n\t.queue load, engine=SP\n\t.block | post s3++\n" GOOD BAD \
	"\t.queue store, engine=ACT\n\t.block | post s4++\n" GOOD

static struct lockstep *bench;

/* Run into the deadlock and look for the texts in the chain, in order. */
static void chain_of(const char *source, const char *const want[])
{
	struct lockstep_options opt = {.seed = 1, .compare = true};
	struct image_error err = {0};
	struct image *img = asm_source(source, strlen(source), "d.s", &err);
	struct lockstep_result res;
	char line[512];
	FILE *f = tmpfile();
	int found = 0;

	assert_non_null(f);
	if (!img || !image_resolve(img, &err))
		fail_msg("%s %s", err.place, err.text);
	assert_true(lockstep_run(bench, img, &opt, &res));
	assert_int_equal(res.verdict, VERDICT_FAULTED);
	lockstep_wait_chain(bench, img, f);
	rewind(f);
	while (fgets(line, sizeof(line), f))
		if (want[found] && strstr(line, want[found]))
			found++;
	fclose(f);
	if (want[found])
		fail_msg("no line '%s'", want[found]);
	image_free(img);
}

static void full_queue(void **state)
{
	(void)state;
	chain_of(QUEUES "\t.engine SP\n\ttrigger queue=0, instance=0, "
	                "count=17\n\texit\n",
	         (const char *const[]){
	             "SP waits for room in queue load, which is stopped",
	             "queue load is stopped in block 0 of 1, descriptor 1 of 2 "
	             "(DMA_DESC); 16 unfinished",
	             "dma src=4096", "chain: SP -> queue load (stopped",
	             "from the model's state", "chain: SP -> queue load",
	             NULL});
}

static void stopped_queue(void **state)
{
	(void)state;
	chain_of(QUEUES "\t.engine SP\n\ttrigger queue=0, instance=0, "
	                "count=1\n\texit\n",
	         (const char *const[]){
	             "SP waits for its queue load, which is stopped",
	             "chain: SP -> queue load (stopped", NULL});
	chain_of(QUEUES "\t.engine SP\n\ttrigger queue=0, instance=0, "
	                "count=1\n\trqueue queue=0, instance=0\n\texit\n",
	         (const char *const[]){
	             "SP waits for idle queue load, which is stopped",
	             "chain: SP -> queue load (stopped", NULL});
}

/* PE waits for a post of `store`, whose engine ACT has not triggered it since
 * it waits for a post of `load`, which is stopped. */
static void through_a_queue(void **state)
{
	(void)state;
	chain_of(
	    QUEUES "\t.engine SP\n\ttrigger queue=0, instance=0, count=1\n"
	           "\tnoop | wait s3 >= 1\n\texit\n"
	           "\t.engine ACT\n\tnoop | wait s3 >= 1\n"
	           "\ttrigger queue=1, instance=0, count=1\n\texit\n"
	           "\t.engine PE\n\tnoop | wait s4 >= 1\n\texit\n",
	    (const char *const[]){
	        "PE waits for s4 >= 1 (is 0)",
	        "could be signalled by queue store at block 0;",
	        "queue store is idle, never used; its engine ACT itself waits",
	        "could be signalled by queue load at block 0;",
	        "chain: PE -> queue store -> ACT -> queue load (stopped",
	        NULL});
}

/* A post of a descriptor, not of its block. */
static void descriptor_post(void **state)
{
	(void)state;
	chain_of("\t.loaded\n\t.queue load, engine=SP\n\t.block\n"
	         "\t.desc dma src=0x1000, src_num0=1, src_num1=1, "
	         "src_bytes=8, dst=0x1010, dst_num0=1, dst_num1=1, "
	         "dst_bytes=8, sem=7, increment=1\n"
	         "\t.engine SP\n\tnoop | wait s7 >= 1\n\texit\n",
	         (const char *const[]){
	             "could be signalled by queue load at block 0, descriptor "
	             "0;",
	             "chain: SP -> queue load -> SP (a circle)", NULL});
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(full_queue),
	    cmocka_unit_test(stopped_queue),
	    cmocka_unit_test(through_a_queue),
	    cmocka_unit_test(descriptor_post),
	};
	int failed;

	bench = lockstep_new();
	if (!bench)
		return 1;
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	lockstep_free(bench);
	return failed;
}
