/* SPDX-License-Identifier: Apache-2.0
 *
 * isa_check: rules between the fields of datapath bundles, by the vector fact
 * sheet: element counts, dtype combinations, operation combinations.  What
 * depends on memory (alignment, backing, overlap) is not decidable here.
 */
#include "isa/check.h"

#include <string.h>

/* ---- numbers of a bundle ---- */

/* Elements a channel of a pattern: the product of its counts. */
static uint64_t count(const struct check *c, const char *name)
{
	const struct isa_field *f =
	    isa_field_named(c->op->code, c->form, name, strlen(name));
	int dims = f ? (int)(f->kind - ISA_T1D) + 1 : 0;
	uint64_t n = f != NULL;

	for (int i = 0; i < dims; i++) {
		int off = f->off + 4 + 2 * dims + 2 * i;
		n *= (uint64_t)(c->b[off] | c->b[off + 1] << 8);
	}
	return n;
}

static float as_float(uint32_t word)
{
	float f;

	memcpy(&f, &word, sizeof(f));
	return f;
}

/* ---- rules that many ops share ---- */

static void want_count(struct check *c, const char *name, uint64_t want)
{
	uint64_t n = count(c, name);

	if (n != want)
		check_bad(c, TPB_FAULT_BAD_FIELD, check_off(c, name),
		          "%s has %llu elements, must have %llu", name,
		          (unsigned long long)n, (unsigned long long)want);
}

static void same_count(struct check *c, const char *a, const char *b)
{
	want_count(c, b, count(c, a));
}

static void same_dtype(struct check *c, const char *a, const char *b)
{
	if (check_get(c, a) != check_get(c, b))
		check_bad(c, TPB_FAULT_BAD_DTYPE, check_off(c, b),
		          "%s and %s differ", a, b);
}

static void same_size(struct check *c, const char *a, const char *b)
{
	if (isa_dtype_size(check_get(c, a)) != isa_dtype_size(check_get(c, b)))
		check_bad(c, TPB_FAULT_BAD_DTYPE, check_off(c, b),
		          "%s and %s have different widths", a, b);
}

static void whole_tiles(struct check *c, const char *pattern)
{
	if (check_get(c, "ch") % 32)
		check_bad(c, TPB_FAULT_BAD_FIELD, check_off(c, "ch"),
		          "ch is no multiple of 32");
	if (pattern && count(c, pattern) % 32)
		check_bad(c, TPB_FAULT_BAD_FIELD, check_off(c, pattern),
		          "elements of %s are no multiple of 32", pattern);
}

/* A scalar in a register: its word is a register number and nothing else. */
static void scalar(struct check *c, const char *kind, const char *word)
{
	uint64_t w = check_get(c, word);

	if (check_get(c, kind) == TPB_IMM_REG && w >= TPB_REGISTERS_GEN3)
		check_bad(c, TPB_FAULT_BAD_REG, check_off(c, word),
		          "%s names no register", word);
}

/* The second scalar belongs to the load command alone. */
static void load_scalar(struct check *c)
{
	if (check_get(c, "acc") == TPB_ACC_LOAD_ACC)
		return;
	if (check_get(c, "imm1_kind") || check_get(c, "imm1"))
		check_bad(c, TPB_FAULT_BAD_FIELD, check_off(c, "imm1"),
		          "imm1 without the command that loads it");
}

static bool word_int(uint64_t tag)
{
	return tag == TPB_DTYPE_INT32 || tag == TPB_DTYPE_UINT32;
}

/* ---- elementwise ---- */

static void trap(struct check *c, bool integer)
{
	uint64_t alu = check_get(c, "alu");
	bool divides = alu == TPB_ALU_DIVIDE || alu == TPB_ALU_MOD ||
	               alu == TPB_ALU_DIVIDE_INT || alu == TPB_ALU_MOD_INT;

	if (!(c->b[2] >> 5 & 1))
		return;
	if (c->op->code != TPB_OP_TT_ARITH || !integer || !divides ||
	    count(c, "dst") != 1)
		check_bad(c, TPB_FAULT_BAD_FIELD, 2,
		          "trap bit needs an integer divide or mod of one "
		          "element");
}

static void tensor_tensor(struct check *c, bool bits)
{
	bool integer = word_int(check_get(c, "in0_dtype")) &&
	               word_int(check_get(c, "in1_dtype")) &&
	               word_int(check_get(c, "out_dtype"));

	same_count(c, "src0", "src1");
	same_count(c, "src0", "dst");
	if (bits) {
		same_size(c, "in0_dtype", "in1_dtype");
		same_size(c, "in0_dtype", "out_dtype");
		return;
	}
	if (check_get(c, "alu") >= TPB_ALU_ADD_INT && !integer)
		check_bad(c, TPB_FAULT_BAD_DTYPE, 0x0C,
		          "int32 operation on other dtypes");
	trap(c, integer);
}

static bool shift_left(uint64_t alu)
{
	return alu == TPB_ALU_ARITH_SHL || alu == TPB_ALU_LOGICAL_SHL;
}

static bool shift_right(uint64_t alu)
{
	return alu == TPB_ALU_ARITH_SHR || alu == TPB_ALU_LOGICAL_SHR;
}

static void tensor_scalar(struct check *c, bool bits)
{
	uint64_t op0 = check_get(c, "op0"), op1 = check_get(c, "op1");

	same_count(c, "src", "dst");
	scalar(c, "imm0_kind", "imm0");
	scalar(c, "imm1_kind", "imm1");
	if (!op0 && op1)
		check_bad(c, TPB_FAULT_BAD_FIELD, 0x25,
		          "op1 after a bypass in op0");
	if (!bits)
		return;
	same_dtype(c, "in_dtype", "out_dtype");
	if (((shift_left(op0) && shift_right(op1)) ||
	     (shift_right(op0) && shift_left(op1))) &&
	    isa_dtype_size(check_get(c, "in_dtype")) != 4)
		check_bad(c, TPB_FAULT_BAD_DTYPE, 0x20,
		          "left and right shift need a 4-byte dtype");
}

static void tensor_scalar_fold(struct check *c, bool reduce)
{
	uint64_t n = count(c, "src"), out = count(c, "dst");

	scalar(c, "imm0_kind", "imm0");
	scalar(c, "imm1_kind", "imm1");
	load_scalar(c);
	if (!reduce || out != 1)
		want_count(c, "dst", n);
}

static void scalar_tensor_tensor(struct check *c, bool bits)
{
	same_count(c, "src0", "src1");
	same_count(c, "src0", "dst");
	scalar(c, "imm0_kind", "imm0");
	if (!bits)
		return;
	same_size(c, "in0_dtype", "in1_dtype");
	same_size(c, "in0_dtype", "out_dtype");
	same_dtype(c, "in0_dtype", "imm0_dtype");
}

static void exponential(struct check *c)
{
	same_count(c, "src", "dst");
	scalar(c, "imm0_kind", "imm0");
	scalar(c, "imm1_kind", "imm1");
	load_scalar(c);
}

/* ---- folds ---- */

static void windows(struct check *c)
{
	uint64_t n = count(c, "src"), out = count(c, "dst");

	if (out && n % out)
		check_bad(c, TPB_FAULT_BAD_FIELD, check_off(c, "dst"),
		          "%llu elements do not make %llu equal windows",
		          (unsigned long long)n, (unsigned long long)out);
	if (n < out)
		check_bad(c, TPB_FAULT_BAD_FIELD, check_off(c, "dst"),
		          "more results than elements");
}

static void reduce(struct check *c, bool bits, bool tiles)
{
	windows(c);
	if (bits)
		same_size(c, "in_dtype", "out_dtype");
	if (tiles)
		whole_tiles(c, "src");
}

static void cross(struct check *c, bool bits)
{
	bool c_only = check_get(c, "axis") == TPB_CROSS_AXIS_C;

	want_count(c, "dst", c_only ? count(c, "src") : 1);
	if (bits)
		same_size(c, "in_dtype", "out_dtype");
	else if (check_get(c, "command") != TPB_CROSS_AVERAGE &&
	         check_get(c, "weight"))
		check_bad(c, TPB_FAULT_BAD_FIELD, 0x28,
		          "a weight without an average");
}

static void pool(struct check *c)
{
	windows(c);
	if (check_get(c, "function") == TPB_POOL_MAX &&
	    check_get(c, "scale") != 0x3F800000)
		check_bad(c, TPB_FAULT_BAD_FIELD, 0x28,
		          "scale of a maximum is not 1.0");
}

/* ---- copies and selections ---- */

static void copy(struct check *c)
{
	same_count(c, "src", "dst");
	switch (c->op->code) {
	case TPB_OP_COPY: same_size(c, "in_dtype", "out_dtype"); break;
	case TPB_OP_SHUFFLE:
		same_dtype(c, "in_dtype", "out_dtype");
		whole_tiles(c, NULL);
		break;
	case TPB_OP_TRANSPOSE:
		same_dtype(c, "in_dtype", "out_dtype");
		whole_tiles(c, "src");
		if (c->b[0x1E] != 1 || c->b[0x1F])
			check_bad(c, TPB_FAULT_BAD_FIELD, 0x1E,
			          "outermost count of src is not 1");
		break;
	default: break;
	}
}

static void copy_predicated(struct check *c)
{
	same_count(c, "mask", "dst");
	if (c->op->code == TPB_OP_COPY_PRED_SCALAR) {
		same_dtype(c, "imm0_dtype", "out_dtype");
		scalar(c, "imm0_kind", "imm0");
		return;
	}
	same_count(c, "mask", "src");
	if (c->op->code == TPB_OP_COPY_PRED)
		same_dtype(c, "src_dtype", "out_dtype");
	if (c->op->code == TPB_OP_SELECT_REDUCE)
		scalar(c, "fill_kind", "fill");
}

static void range_select(struct check *c)
{
	float base = as_float(check_word(c, 0x10));
	double end = (double)base + (double)count(c, "src");

	same_count(c, "src", "dst");
	scalar(c, "bound0_kind", "bound0");
	scalar(c, "bound1_kind", "bound1");
	if (!(base >= 0) || end > 16777216 || base != (float)(uint32_t)base)
		check_bad(c, TPB_FAULT_BAD_FIELD, 0x10,
		          "base is no whole number with base + N <= 2^24");
}

/* Iota and AffineSelect: their own counts beside the pattern. */
static void generator(struct check *c, int first, int dims, const char *pattern)
{
	uint64_t n = 1;

	for (int i = 0; i < dims; i++) {
		int off = first + 2 * i;
		uint64_t k = (uint64_t)(c->b[off] | c->b[off + 1] << 8);
		if (!k)
			check_bad(c, TPB_FAULT_BAD_FIELD, off,
			          "count %d of the index is 0", i);
		n *= k;
	}
	want_count(c, pattern, n);
}

/* ---- search ---- */

static void scan_length(struct check *c)
{
	uint64_t n = count(c, "src");

	if (n < 8 || n > 16384)
		check_bad(c, TPB_FAULT_BAD_FIELD, check_off(c, "src"),
		          "%llu elements, 8 to 16384 are legal",
		          (unsigned long long)n);
}

static void search(struct check *c)
{
	scan_length(c);
	if (c->op->code != TPB_OP_MATCH_REPLACE8) {
		want_count(c, "dst", 8);
		return;
	}
	same_count(c, "src", "dst");
	same_dtype(c, "in_dtype", "out_dtype");
}

static void gather_load(struct check *c)
{
	uint64_t n = count(c, "src"), want = check_get(c, "count");

	if (want < 1 || want > 512 || want != n)
		check_bad(c, TPB_FAULT_BAD_FIELD, 0x28,
		          "count is %llu, src has %llu, at most 512",
		          (unsigned long long)want, (unsigned long long)n);
}

/* ---- fills and random ---- */

static void fill(struct check *c)
{
	want_count(c, "dst", check_get(c, "count"));
}

static void rand_state(struct check *c, const char *pattern, bool set)
{
	uint64_t n = count(c, pattern);
	bool words = n == 6 ? c->gen >= 3 : n == 24 && c->gen >= 4;

	if (!words && !(set && n == 1 && check_get(c, "ch") == 1))
		check_bad(c, TPB_FAULT_BAD_FIELD, check_off(c, pattern),
		          "%llu state words, not legal here",
		          (unsigned long long)n);
}

static void rand2(struct check *c)
{
	float lo = as_float(check_word(c, 0x28));
	float hi = as_float(check_word(c, 0x2C));

	scalar(c, "min_kind", "min");
	scalar(c, "max_kind", "max");
	if (!check_get(c, "min_kind") && !check_get(c, "max_kind") &&
	    !(lo < hi))
		check_bad(c, TPB_FAULT_BAD_FIELD, 0x28, "min is not below max");
}

static void dropout(struct check *c)
{
	uint64_t rate = check_get(c, "rate_dtype"), kind = c->b[0x23];
	uint64_t in = check_get(c, "in_dtype");
	bool half = rate == TPB_DTYPE_BFLOAT16 || rate == TPB_DTYPE_FLOAT16;
	bool integer = in < TPB_DTYPE_BFLOAT16 || word_int(in);

	same_count(c, "src", "dst");
	same_dtype(c, "in_dtype", "out_dtype");
	scalar(c, "rate_kind", "rate");
	if (half && (kind == TPB_IMM_INLINE || integer))
		check_bad(c, TPB_FAULT_BAD_DTYPE, 0x24,
		          "16-bit rate needs float data and a pointer");
}

/* ---- batch normalization ---- */

static void bn_stats(struct check *c, bool tiles)
{
	uint64_t n = count(c, "src");

	want_count(c, "dst", 6);
	if (as_float(check_word(c, 0x28)) != (float)(n - n / 2) ||
	    as_float(check_word(c, 0x2C)) != (float)(n / 2))
		check_bad(c, TPB_FAULT_BAD_FIELD, 0x28,
		          "words +0x28, +0x2C are not the halves of %llu",
		          (unsigned long long)n);
	if (tiles)
		whole_tiles(c, "src");
}

static void bn_aggregate(struct check *c)
{
	want_count(c, "dst", 2);
	if (count(c, "src") % 3)
		check_bad(c, TPB_FAULT_BAD_FIELD, check_off(c, "src"),
		          "elements of src are no multiple of 3");
}

static void bn_gradients(struct check *c)
{
	same_count(c, "x", "dy");
	want_count(c, "dst", 3);
	scalar(c, "mean_kind", "mean");
	scalar(c, "var_kind", "var");
}

static void bn_param(struct check *c)
{
	bool second = c->op->code == TPB_OP_BN_PARAM2;

	want_count(c, second ? "scale" : "coeff", second ? 1 : 3);
	scalar(c, "mean_kind", "mean");
	if (second)
		scalar(c, "coeff_kind", "coeff");
}

static void bn_backprop(struct check *c)
{
	same_count(c, "x", "dy");
	same_count(c, "x", "dst");
}

/* ---- activation ---- */

static void activate(struct check *c)
{
	bool prelu = check_get(c, "function") == TPB_ACT_PRELU;
	bool load = check_get(c, "acc") == TPB_ACC_LOAD_ACC;

	same_count(c, "src", "dst");
	scalar(c, "scale_kind", "scale");
	scalar(c, "bias_kind", "bias");
	if (prelu && load)
		check_bad(c, TPB_FAULT_BAD_FIELD, 0x0E,
		          "alpha of prelu cannot load the accumulator");
	if (prelu || load)
		scalar(c, "alpha_kind", "alpha");
	else if (check_get(c, "alpha_kind") == TPB_IMM_REG)
		check_bad(c, TPB_FAULT_BAD_FIELD, 0x0C,
		          "alpha kind is reg, but nobody takes alpha");
	if (check_get(c, "bias_kind") == TPB_BIAS_INLINE &&
	    check_get(c, "bias_dtype") != TPB_DTYPE_FLOAT32)
		check_bad(c, TPB_FAULT_BAD_DTYPE, 0x20,
		          "an inline bias is f32");
}

/* ---- dispatch ---- */

static void more(struct check *c)
{
	switch (c->op->code) {
	case TPB_OP_MEMSET:
	case TPB_OP_RNG:
	case TPB_OP_READ_INDICES: fill(c); break;
	case TPB_OP_IOTA: generator(c, 0x18, 4, "dst"); break;
	case TPB_OP_AFFINE_SELECT:
		generator(c, 0x2A, 3, "src");
		same_count(c, "src", "dst");
		break;
	case TPB_OP_MAX8:
	case TPB_OP_FIND_INDEX8:
	case TPB_OP_MATCH_REPLACE8: search(c); break;
	case TPB_OP_MATCH_LOAD: want_count(c, "values", 8); break;
	case TPB_OP_GATHER_LOAD: gather_load(c); break;
	case TPB_OP_GATHER: same_count(c, "index", "dst"); break;
	case TPB_OP_NONZERO_COUNT:
		want_count(c, "dst", count(c, "src") + 1);
		break;
	case TPB_OP_SEQ_BOUNDS:
		want_count(c, "dst", 2 * count(c, "src"));
		break;
	case TPB_OP_RAND_GET: rand_state(c, "dst", false); break;
	case TPB_OP_RAND_SET: rand_state(c, "src", true); break;
	case TPB_OP_RAND2: rand2(c); break;
	case TPB_OP_DROPOUT: dropout(c); break;
	case TPB_OP_BN_STATS: bn_stats(c, false); break;
	case TPB_OP_BN_STATS_T: bn_stats(c, true); break;
	case TPB_OP_BN_AGGREGATE: bn_aggregate(c); break;
	case TPB_OP_BN_GRADIENTS:
	case TPB_OP_BN_GRADIENTS2: bn_gradients(c); break;
	case TPB_OP_BN_PARAM:
	case TPB_OP_BN_PARAM2: bn_param(c); break;
	case TPB_OP_BN_BACKPROP: bn_backprop(c); break;
	case TPB_OP_ACTIVATE: activate(c); break;
	case TPB_OP_READ_ACC:
	case TPB_OP_ACT_READ_ACC: want_count(c, "dst", 1); break;
	default: break;
	}
}

void check_vec(struct check *c)
{
	if (strcmp(c->op->klass, "VEC"))
		return;
	if (c->op->code != TPB_OP_TT_ARITH)
		trap(c, false);
	switch (c->op->code) {
	case TPB_OP_TT_ARITH: tensor_tensor(c, false); break;
	case TPB_OP_TT_BITVEC: tensor_tensor(c, true); break;
	case TPB_OP_TS_ARITH_T: whole_tiles(c, "src"); /* fall through */
	case TPB_OP_TS_ARITH: tensor_scalar(c, false); break;
	case TPB_OP_TS_BITVEC: tensor_scalar(c, true); break;
	case TPB_OP_TS_REDUCE: tensor_scalar_fold(c, true); break;
	case TPB_OP_TS_CUMULATIVE: tensor_scalar_fold(c, false); break;
	case TPB_OP_STT_ARITH:
	case TPB_OP_TT_SCAN: scalar_tensor_tensor(c, false); break;
	case TPB_OP_STT_BITVEC: scalar_tensor_tensor(c, true); break;
	case TPB_OP_EXPONENTIAL: exponential(c); break;
	case TPB_OP_TR_ARITH: reduce(c, false, false); break;
	case TPB_OP_TR_ARITH_T: reduce(c, false, true); break;
	case TPB_OP_TR_BITVEC: reduce(c, true, false); break;
	case TPB_OP_TR_BITVEC_T: reduce(c, true, true); break;
	case TPB_OP_CR_ARITH: cross(c, false); break;
	case TPB_OP_CR_BITVEC: cross(c, true); break;
	case TPB_OP_POOL: pool(c); break;
	case TPB_OP_COPY:
	case TPB_OP_CAST:
	case TPB_OP_RECIPROCAL:
	case TPB_OP_SHUFFLE:
	case TPB_OP_TRANSPOSE: copy(c); break;
	case TPB_OP_COPY_PRED:
	case TPB_OP_CAST_PRED:
	case TPB_OP_COPY_PRED_SCALAR:
	case TPB_OP_SELECT_REDUCE: copy_predicated(c); break;
	case TPB_OP_RANGE_SELECT: range_select(c); break;
	default: more(c); break;
	}
}
