/* SPDX-License-Identifier: Apache-2.0
 *
 * lower_dve (L31): choose the table set of the vector engine.
 *
 * A set lists the opcodes that its tables serve.  The opcodes of the module's
 * DVE bundles are collected by the encoder; the first set in file order that
 * holds all of them is the module's (`dve_profile`).  Nothing is stamped into
 * bundles.  Rosters: the sets of each generation as far as they are public;
 * where a set's list is not, it is left out.
 *
 * Cost: one walk of the encoder.
 */
#include "compiler/codegen/codegen.h"
#include "compiler/passes/pass.h"

#include <stdio.h>
#include <string.h>

struct profile {
	const char *name;
	int gen;
	uint8_t op[80]; /* ends with 0 */
};

/* In every default set. */
#define COMMON                                                                 \
	65, 66, 67, 68, 69, 70, 71, 72, 73, 77, 78, 81, 82, 83, 84, 88, 94,    \
	    97, 98, 99, 100, 101, 102, 105, 106, 107, 108, 109, 110, 111, 114, \
	    127, 130, 131, 132, 142, 148, 153, 157, 158, 229, 232, 234
/* From gen3 on. */
#define LATER 96, 147, 152, 154, 155, 188, 230, 233, 240

static const struct profile profiles[] = {
    {"default", 2, {COMMON, 140, 141, 159}},
    {"transformer", 2, {65,  66,  67,  68,  69,  70,  71,  72,  73,  77,
                        78,  81,  82,  83,  84,  94,  97,  98,  99,  100,
                        101, 102, 105, 106, 107, 114, 127, 130, 131, 132,
                        138, 139, 140, 141, 142, 143, 148, 153, 154, 155,
                        157, 158, 159, 229, 230, 232, 234}},
    {"default", 3, {COMMON, LATER}},
    {"default", 4, {COMMON, LATER, 48, 119, 120, 224, 225, 226, 227}},
    {"saturate", 4, {COMMON, LATER, 48, 119, 120, 224, 225, 226, 227}},
};

static bool in(const struct profile *p, int op)
{
	return memchr(p->op, op, sizeof p->op) != NULL;
}

static bool covers(const struct profile *p, const struct codegen_count *used,
                   int dve)
{
	for (int op = 1; op < 256; op++) {
		const struct isa_opinfo *info = isa_op((uint8_t)op);

		if (used->n[dve][op] && info && !strcmp(info->klass, "VEC") &&
		    !in(p, op))
			return false;
	}
	return true;
}

static bool none(struct bir_module *m, struct pass_ctx *c,
                 const struct codegen_count *used, int dve)
{
	char list[120] = "";
	const struct profile *p = profiles;

	while (p->gen != m->gen &&
	       p < profiles + sizeof profiles / sizeof *profiles - 1)
		p++;
	for (int op = 1; op < 256; op++) {
		const struct isa_opinfo *info = isa_op((uint8_t)op);
		size_t n = strlen(list);

		if (used->n[dve][op] && info && !strcmp(info->klass, "VEC") &&
		    !in(p, op))
			snprintf(list + n, sizeof list - n, "%s%s",
			         n ? ", " : "", info->mnemonic);
	}
	return pass_fail(c, m, NULL, "CMP028",
	                 "no table set of gen%d's vector engine has %s; run it "
	                 "on another engine or compile for another generation",
	                 m->gen, list);
}

bool pass_lower_dve(struct bir_module *m, struct pass_ctx *c)
{
	struct codegen_count *used =
	    ARENA_NEW(c->scratch, struct codegen_count);
	int dve = bir_engine_stream(BIR_ENG_DVE), ops = 0;

	if (!codegen_collect(m, m->gen, used, c->err))
		return false;
	for (int op = 0; op < 256; op++)
		ops += used->n[dve][op] > 0;
	for (size_t k = 0; k < sizeof profiles / sizeof *profiles; k++)
		if (profiles[k].gen == m->gen &&
		    covers(&profiles[k], used, dve)) {
			m->dve_profile = profiles[k].name;
			pass_stat(c, "profile=%s opcodes=%d", m->dve_profile,
			          ops);
			return true;
		}
	return none(m, c, used, dve);
}
