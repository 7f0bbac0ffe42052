/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernel top8 from its text to its outputs on the IR interpreter, against
 * its oracle.
 */
#include "klr_kernel.h"

#define main oracle_main
#include "kernels/top8/oracle.c"
#undef main

static void test_top8(void **state)
{
	(void)state;
	assert_int_equal(kernel_run("top8", oracle_main), 10);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_top8)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
