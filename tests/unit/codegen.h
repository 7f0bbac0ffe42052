/* SPDX-License-Identifier: Apache-2.0
 *
 * What the tests of code generation share: a module with an empty block, and
 * the image that it becomes.
 */
#ifndef TESTS_UNIT_CODEGEN_H
#define TESTS_UNIT_CODEGEN_H

#include "compiler/bir/bir_build.h"
#include "compiler/codegen/codegen.h"

#include <string.h>

enum { PE, ACT, POOL, DVE, SP };

#define F32 TPB_BIR_DTYPE_FLOAT32
#define U8 TPB_BIR_DTYPE_UINT8

static struct bir_module *m;
static struct bir_block *blk;
static struct image *img;
static struct compile_error err;

static int setup(void **state)
{
	(void)state;
	memset(&err, 0, sizeof(err));
	m = bir_module_new("k.klr", 3);
	blk = bir_block_new(m, &bir_func_new(m, "main")->body, "entry");
	img = image_new("k");
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	bir_module_free(m);
	image_free(img);
	return 0;
}

#endif
