/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels in the text form of KLR: tree, parser, printer, checker, and the way
 * into the compiler's IR.  docs/reference/klr.md is the language.
 *
 * Contract: klr_parse() reads nothing beyond text[0..len) and accepts any
 * bytes; a tree that it returns has passed klr_check().  klr_print() of a tree
 * parses to an equal tree.  Strings and nodes belong to the kernel and live
 * until klr_free().
 *
 * Operators, operands and enumerations: klr_ops.def, klr_enums.def (the public
 * KLR schema).  Ours are structured loops, explicit strides of dynamic
 * addresses, names of data files and queues, select, register operands.
 */
#ifndef COMPILER_KLR_KLR_H
#define COMPILER_KLR_KLR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define KLR_MAX_TEXT (16u << 20)
#define KLR_MAX_DIMS 8
#define KLR_MAX_DEPTH 16 /* of nested loops */
#define KLR_MAX_FIELDS 16

enum klr_op {
#define KLR_OP(number, name, built, operands) KLR_OP_##name = number,
#include "compiler/klr/klr_ops.def"
#undef KLR_OP
};

enum klr_word {
#define KLR_ENUM(GROUP, number, word) KLR_##GROUP##_##word = number,
#include "compiler/klr/klr_enums.def"
#undef KLR_ENUM
};

struct klr_error {
	char id[16];     /* "KLR007" */
	char place[160]; /* "top8.klr:4:12" */
	char text[240];
	uint32_t line, col;
};

struct klr_pos {
	uint32_t line, col;
};

enum klr_group { /* the enumerations */
	         KLR_G_NONE,
	         KLR_G_MEMORY,
	         KLR_G_DTYPE,
	         KLR_G_PERF,
	         KLR_G_ENGINE,
	         KLR_G_ALU,
	         KLR_G_THRESHOLD,
	         KLR_G_ACC,
	         KLR_G_FUNC,
	         KLR_G_AFFINE,
	         KLR_G_DGE,
	         KLR_G_REVERSE,
	         KLR_G_AXES,
	         KLR_G_TRANSPOSE,
	         KLR_G_BRANCH,
	         KLR_G_BUFFER
};

enum klr_memory { KLR_HBM, KLR_SBUF, KLR_PSUM, KLR_REG, KLR_SHARED, KLR_OWN };
enum klr_class { KLR_LOCAL, KLR_INPUT, KLR_OUTPUT, KLR_CONST, KLR_BUFFER };

/* A declared tensor.  part and byte are -1 where it has no address yet; byte
 * counts from the start of the partition, in PSUM too. */
struct klr_tensor {
	const char *name, *file, *address;
	enum klr_class class;
	enum klr_memory memory;
	int dtype;
	int ndims;
	int64_t dims[KLR_MAX_DIMS];
	int64_t part, byte, par_size, free_size;
	bool shared, rotation;
	struct klr_pos pos;
	struct klr_tensor *next;
};

struct klr_pair {
	int64_t step, num, offset;
};

struct klr_slice { /* a coordinate has l only */
	bool range;
	int64_t l, u, step;
};

/* What is added to an address at run time: value(reg) * stride elements, or
 * KLR's form, the value of a register or of an index tensor times the step of
 * pair `dim`. */
enum klr_term_kind { KLR_T_STRIDE, KLR_T_SCALAR, KLR_T_VECTOR };
struct klr_term {
	enum klr_term_kind kind;
	const char *reg;     /* NULL: ref */
	struct klr_ref *ref; /* index tensor */
	int64_t stride, dim;
	struct klr_pos pos;
	struct klr_term *next;
};

/* A tensor reference.  AXES is KLR's AccessPattern, RAW its placed forms and
 * its numbered register. */
enum klr_access {
	KLR_A_SIMPLE,
	KLR_A_BASIC,
	KLR_A_PAIRS,
	KLR_A_AXES,
	KLR_A_RAW
};
struct klr_ref {
	const char *name;
	struct klr_tensor *tensor; /* NULL: RAW */
	enum klr_access access;
	int ndims; /* slices, pairs */
	struct klr_slice slice[KLR_MAX_DIMS];
	struct klr_pair pair[KLR_MAX_DIMS];
	int64_t offset;
	int64_t par_num, par_offset, free_offset;
	int naxes;
	int64_t axis[KLR_MAX_DIMS];
	enum klr_memory memory; /* RAW; REG: offset is its number */
	struct klr_term *terms;
	int dtype; /* override, -1: none; RAW: its type */
	struct klr_pos pos;
};

enum klr_kind { /* of an operand in klr_ops.def */
	        KLR_K_REF,
	        KLR_K_REFS,
	        KLR_K_OPERAND,
	        KLR_K_IMM,
	        KLR_K_IMMS,
	        KLR_K_INT,
	        KLR_K_INTS,
	        KLR_K_INTSS,
	        KLR_K_F32,
	        KLR_K_BOOL,
	        KLR_K_STR,
	        KLR_K_REG,
	        KLR_K_REGINT,
	        KLR_K_LABEL,
	        KLR_K_PATTERN,
	        KLR_K_OOB,
	        KLR_K_MISS,
	        KLR_K_GROUP,
	        KLR_K_ENUM
};

enum klr_value_kind {
	KLR_V_NONE, /* an optional operand that is missing */
	KLR_V_INT,
	KLR_V_FLOAT,    /* bits of an fp32 number */
	KLR_V_REGISTER, /* numbered register: `reg 3` */
	KLR_V_POINTER,
	KLR_V_REF,
	KLR_V_NAME, /* register or label */
	KLR_V_STR,
	KLR_V_BOOL,
	KLR_V_ENUM,
	KLR_V_PATTERN,
	KLR_V_SKIP, /* also "unspecified" */
	KLR_V_ERROR,
	KLR_V_LIST
};

struct klr_ramp {
	int64_t offset, multiplier;
	int npairs;
	struct klr_pair pair[KLR_MAX_DIMS];
};

struct klr_value {
	enum klr_value_kind kind;
	int64_t i; /* INT, REGISTER, BOOL, ENUM */
	uint32_t bits;
	const char *s;
	struct klr_ref *ref;
	struct klr_ramp *ramp;
	struct klr_value *item; /* LIST */
	int nitems;
	struct klr_pos pos;
};

struct klr_at { /* where KLR's front end found it; line 0: unknown */
	const char *file;
	int64_t line, col, line_end, col_end;
};

enum klr_stmt_kind { KLR_S_OP, KLR_S_LOOP };
struct klr_stmt {
	enum klr_stmt_kind kind;
	struct klr_pos pos;
	struct klr_stmt *next;
	/* OP: value[i] belongs to operand i of the operator */
	int op;
	const char *name; /* or NULL */
	struct klr_value value[KLR_MAX_FIELDS];
	struct klr_at at;
	/* LOOP: for var in lo..hi step step */
	const char *var;
	struct klr_value lo, hi;
	int64_t step;
	struct klr_stmt *body;
};

struct klr_block {
	const char *label;
	bool no_reorder;
	struct klr_stmt *body;
	struct klr_pos pos;
	struct klr_block *next;
};

struct klr_body {
	struct klr_block *blocks;
	struct klr_body *next;
};

struct klr_edge {
	const char *from;
	const char **to;
	int nto;
	struct klr_pos pos;
	struct klr_edge *next;
};

struct arena;
struct klr_names;
struct klr_kernel {
	const char *name;
	const char *path;
	struct klr_tensor *tensors; /* in the order of the text */
	struct klr_body *bodies;    /* one a core */
	struct klr_edge *edges;
	struct klr_names *tensor_names;
	struct arena *arena;
};

/* Returns NULL and fills *err if the text is no good kernel.  path is for
 * messages and for finding data files. */
struct klr_kernel *klr_parse(const char *text, size_t len, const char *path,
                             struct klr_error *err);
void klr_free(struct klr_kernel *k);

/* The text of a kernel, NUL-terminated, to be freed by the caller; NULL when
 * out of memory. */
char *klr_print(const struct klr_kernel *k);

/* Equal but for positions in the text. */
bool klr_equal(const struct klr_kernel *a, const struct klr_kernel *b);

/* The rules that need no machine state: docs/reference/klr.md, section Checks.
 * gen is 2, 3 or 4. */
bool klr_check(const struct klr_kernel *k, int gen, struct klr_error *err);

struct klr_lower_opts {
	int gen;              /* 0: 3 */
	int core;             /* whose body */
	const char *data_dir; /* of input files; NULL: where the kernel is */
	bool no_data;         /* do not read input files */
};

/* The compiler's IR of a kernel; opts may be NULL.  The kernel may be freed
 * afterwards.  bir_module_free() frees the module. */
struct bir_module *klr_lower(const struct klr_kernel *k,
                             const struct klr_lower_opts *opts,
                             struct klr_error *err);

#endif
