/* SPDX-License-Identifier: Apache-2.0
 *
 * The search instructions of the interpreter: eight largest, their places,
 * their replacement.
 */
#include "compiler/bir/interp.h"

#include <string.h>

/* Eight slots filled in order of arrival; a value moves down past every slot
 * that it exceeds strictly, so equal values keep their order, and a NaN in a
 * slot lets everything pass. */
static void max8(struct bir_interp *t, int64_t n, struct interp_walk s,
                 struct interp_walk o)
{
	uint32_t slot[8] = {0}, c, x;
	int filled = 0, j;
	int64_t k;

	for (k = 0; k < n; k++, interp_next(&s)) {
		c = num_widen(s.dtype, interp_get(&s));
		for (j = 0; j < filled; j++)
			if (num_gt(c, slot[j])) {
				x = slot[j];
				slot[j] = c;
				c = x;
			}
		if (filled < 8)
			slot[filled++] = c;
	}
	for (j = 0; j < 8; j++, interp_next(&o))
		interp_put(&o, num_narrow(&t->num, o.dtype, slot[j]));
}

static void load8(struct interp_walk w, uint32_t slot[8])
{
	int j;

	for (j = 0; j < 8; j++, interp_next(&w))
		slot[j] = num_widen(w.dtype, interp_get(&w));
}

/* Slot that an element matches, each only once; -1: none. */
static int match(const uint32_t slot[8], bool used[8], uint32_t x)
{
	int j;

	for (j = 0; j < 8; j++)
		if (!used[j] && num_eq(slot[j], x)) {
			used[j] = true;
			return j;
		}
	return -1;
}

static void find8(int64_t n, const uint32_t slot[8], struct interp_walk s,
                  struct interp_walk o)
{
	uint32_t index[8];
	bool used[8] = {false};
	int64_t k;
	int j;

	memset(index, 0xFF, sizeof index);
	for (k = 0; k < n; k++, interp_next(&s)) {
		j = match(slot, used, num_widen(s.dtype, interp_get(&s)));
		if (j >= 0)
			index[j] = (uint32_t)k;
	}
	for (j = 0; j < 8; j++, interp_next(&o))
		interp_put(&o, index[j]);
}

static void replace8(struct bir_interp *t, int64_t n, const uint32_t slot[8],
                     uint32_t with, struct interp_walk s, struct interp_walk o)
{
	bool used[8] = {false};
	uint64_t raw;
	int64_t k;

	for (k = 0; k < n; k++) {
		raw = interp_get(&s);
		if (match(slot, used, num_widen(s.dtype, raw)) >= 0)
			raw = num_narrow(&t->num, o.dtype, with);
		interp_put(&o, raw);
		interp_next(&s);
		interp_next(&o);
	}
}

bool interp_search(struct bir_interp *t, const struct bir_inst *i)
{
	bool max = i->it == BIR_IT_MAX;
	const struct bir_arg *data = i->in[max ? 0 : 1];
	struct interp_walk ws, wo, wv;
	int64_t p, n = bir_ap_free(data);
	uint32_t slot[8];

	if (!interp_open(t, i, data, &ws, NULL) ||
	    !interp_open(t, i, i->out[0], &wo, NULL) ||
	    (!max && !interp_open(t, i, i->in[0], &wv, NULL)))
		return false;
	if (n < 8 || n > 16384)
		return interp_fail(t, i, "BIR032",
		                   "searches 8 to 16384 elements");
	for (p = 0; p < wo.num[0]; p++) {
		if (max) {
			max8(t, n, interp_channel(&ws, p),
			     interp_channel(&wo, p));
			continue;
		}
		load8(interp_channel(&wv, p), slot);
		if (i->it == BIR_IT_MAX_INDEX)
			find8(n, slot, interp_channel(&ws, p),
			      interp_channel(&wo, p));
		else
			replace8(t, n, slot, i->u.replace,
			         interp_channel(&ws, p),
			         interp_channel(&wo, p));
	}
	return true;
}
