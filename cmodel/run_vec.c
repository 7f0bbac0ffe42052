/* SPDX-License-Identifier: Apache-2.0
 *
 * The fast path: a vector bundle whole.
 *
 * Element after element, which is the order that the machine keeps where an
 * element reads what an earlier one wrote; or, when an op has nothing to do
 * with its neighbours, many rows at a time (run_row.c).
 */
#include "cmodel/run_priv.h"

uint64_t run_vector(struct tpb *t, int e)
{
	int u = e == TPB_ENGINE_DVE;
	struct tpb_vec_state *v = &t->s.vec[u];
	const struct vec_op *op = &t->unit[u].op;
	bool rows = run_rows_can(op);

	while (v->vuop != TPB_VUOP_DRAIN) {
		if (rows && v->vuop == TPB_VUOP_ELEM) {
			run_rows(t, u);
			vec_end_of_pass(v, op);
		} else {
			vec_beat(t, u);
		}
	}
	v->vuop = TPB_VUOP_IDLE;
	t->row[u].valid = false;
	return op->walk[op->lead].total * (uint64_t)op->n;
}
