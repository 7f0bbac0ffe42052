/* SPDX-License-Identifier: Apache-2.0
 *
 * What is tried: each vector op with its dtypes, and the pattern classes.
 *
 * With one source every legal pair of input and output dtype; with two, a set
 * in which each pair of any two of the three appears.  Legal dtypes:
 * docs/reference/decode.md, "Vector bundles".
 */
#include "harness/conform.h"

#include <string.h>

#define MAX_COMBOS 2048

const char *const conform_class_name[CLASSES] = {
    "contiguous", "strided",  "negative", "broadcast", "2d",
    "transpose",  "in_place", "shifted",  "psum_src",  "psum_dst",
    "register",   "partial",  "pointer"};

/* All dtypes of the datapaths; the sets are parts of it. */
static const uint8_t tags[] = {
    TPB_DTYPE_INT32,   TPB_DTYPE_UINT32,  TPB_DTYPE_INT8,     TPB_DTYPE_UINT8,
    TPB_DTYPE_INT16,   TPB_DTYPE_UINT16,  TPB_DTYPE_FP8E3,    TPB_DTYPE_FP8E4,
    TPB_DTYPE_FP8E5,   TPB_DTYPE_FLOAT16, TPB_DTYPE_BFLOAT16, TPB_DTYPE_FLOAT32,
    TPB_DTYPE_FLOAT32R};

struct set {
	int from, n; /* in tags */
};

static const struct set DP = {0, 12}, DPR = {0, 13}, NW = {2, 10},
                        NWR = {2, 11}, INT = {0, 6}, ACC = {6, 7};

static struct conform_combo combos[MAX_COMBOS];
static int ncombos;

static uint8_t tag_of(struct set s, int i)
{
	return tags[s.from + i % s.n];
}

static void add(uint8_t op, uint8_t in0, uint8_t in1, uint8_t out)
{
	if (ncombos < MAX_COMBOS)
		combos[ncombos++] = (struct conform_combo){op, in0, in1, out};
}

static bool same_size(uint8_t a, uint8_t b)
{
	return isa_dtype_size(a) == isa_dtype_size(b);
}

/* Every pair; sized: only those of one width. */
static void pairs(uint8_t op, struct set in, struct set out, bool sized)
{
	for (int i = 0; i < in.n; i++)
		for (int o = 0; o < out.n; o++)
			if (!sized || same_size(tag_of(in, i), tag_of(out, o)))
				add(op, tag_of(in, i), 0, tag_of(out, o));
}

/* The same dtype in and out, or only one of the two. */
static void equals(uint8_t op, struct set s, bool in, bool out)
{
	for (int i = 0; i < s.n; i++)
		add(op, in ? tag_of(s, i) : 0, 0, out ? tag_of(s, i) : 0);
}

static void tensor_tensor(void)
{
	/* The words by themselves: only they take the integer path. */
	for (int i = 0; i < 8; i++)
		add(TPB_OP_TT_ARITH, tags[i & 1], tags[i >> 1 & 1],
		    tags[i >> 2 & 1]);
	for (int i = 0; i < DP.n; i++)
		for (int o = 0; o < DPR.n; o++)
			if (i > 1 || o > 1 || (i + o) % DP.n > 1)
				add(TPB_OP_TT_ARITH, tag_of(DP, i),
				    tag_of(DP, i + o), tag_of(DPR, o));
	for (int i = 0; i < INT.n; i++)
		for (int k = 0; k < INT.n; k++)
			for (int o = 0; o < INT.n; o++)
				if (same_size(tags[i], tags[k]) &&
				    same_size(tags[i], tags[o]))
					add(TPB_OP_TT_BITVEC, tags[i], tags[k],
					    tags[o]);
}

static void predicated(void)
{
	for (int i = 0; i < DP.n; i++)
		for (int k = 0; k < INT.n; k++)
			add(TPB_OP_COPY_PRED, tag_of(INT, k), tag_of(DP, i),
			    tag_of(DP, i));
	for (int i = 0; i < DP.n; i++)
		for (int k = 0; k < INT.n; k++)
			add(TPB_OP_COPY_PRED_SCALAR, tag_of(INT, k), 0,
			    tag_of(DP, i));
	for (int i = 0; i < DP.n; i++)
		for (int o = 0; o < DP.n; o++)
			add(TPB_OP_CAST_PRED, tag_of(INT, i + o), tag_of(DP, i),
			    tag_of(DP, o));
}

const struct conform_combo *conform_combos(int *n)
{
	if (ncombos == 0) {
		tensor_tensor();
		pairs(TPB_OP_TS_ARITH, DP, DPR, false);
		equals(TPB_OP_TS_BITVEC, INT, true, true);
		pairs(TPB_OP_TS_REDUCE, NW, NWR, false);
		pairs(TPB_OP_TS_CUMULATIVE, NW, NWR, false);
		equals(TPB_OP_READ_ACC, ACC, false, true);
		pairs(TPB_OP_TR_ARITH, DP, DPR, false);
		pairs(TPB_OP_TR_BITVEC, INT, INT, true);
		pairs(TPB_OP_COPY, DPR, DPR, true);
		pairs(TPB_OP_CAST, DPR, DPR, false);
		pairs(TPB_OP_RECIPROCAL, DP, DPR, false);
		equals(TPB_OP_MEMSET, DPR, false, true);
		equals(TPB_OP_IOTA, DPR, false, true);
		pairs(TPB_OP_MAX8, NW, NWR, false);
		equals(TPB_OP_MATCH_LOAD, NW, true, false);
		for (int i = 0; i < NW.n; i++) {
			add(TPB_OP_FIND_INDEX8, tag_of(NW, i), 0,
			    TPB_DTYPE_UINT16);
			add(TPB_OP_FIND_INDEX8, tag_of(NW, i), 0,
			    TPB_DTYPE_UINT32);
		}
		equals(TPB_OP_MATCH_REPLACE8, NW, true, true);
		predicated();
	}
	*n = ncombos;
	return combos;
}

static bool has_scalars(uint8_t op)
{
	return op == TPB_OP_TS_ARITH || op == TPB_OP_TS_BITVEC ||
	       op == TPB_OP_TS_REDUCE || op == TPB_OP_TS_CUMULATIVE ||
	       op == TPB_OP_COPY_PRED_SCALAR;
}

bool conform_has(const struct conform_combo *c, enum conform_class class)
{
	bool one = c->op == TPB_OP_READ_ACC; /* element */

	switch (class) {
	case CLASS_STRIDED:
	case CLASS_NEGATIVE:
	case CLASS_BROADCAST:
	case CLASS_2D:
	case CLASS_TRANSPOSE: return !one;
	case CLASS_IN_PLACE:
	case CLASS_SHIFTED: return c->in0 && c->out;
	case CLASS_PSUM_SRC: return c->in0 != 0;
	case CLASS_PSUM_DST:
		return isa_dtype_size(c->out) == 4 && c->op != TPB_OP_IOTA;
	case CLASS_POINTER: return has_scalars(c->op);
	default: return true;
	}
}

const char *conform_dtypes(const struct conform_combo *c, char *buf,
                           size_t size)
{
	const char *in0 = c->in0 ? isa_enum_text("dtype", c->in0) : "";
	const char *in1 = c->in1 ? isa_enum_text("dtype", c->in1) : "";
	const char *out = c->out ? isa_enum_text("dtype", c->out) : "none";

	snprintf(buf, size, "%s%s%s%s%s", in0, c->in1 ? "," : "", in1,
	         c->in0 ? "-" : "", out);
	return buf;
}
