/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernel select from its text to its outputs on the IR interpreter, against
 * its oracle.
 */
#include "klr_kernel.h"

#define main oracle_main
#include "kernels/select/oracle.c"
#undef main

static void test_select(void **state)
{
	(void)state;
	assert_int_equal(kernel_run("select", oracle_main), 6);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_select)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
