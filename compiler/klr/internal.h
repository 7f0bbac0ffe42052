/* SPDX-License-Identifier: Apache-2.0
 *
 * What the parts of the KLR front end share.
 *
 * Contract: after the first error klr_error_at() keeps that one, the lexer
 * delivers only TOK_END, and every loop ends there; so no part has to look
 * for failure before it goes on.
 */
#ifndef COMPILER_KLR_INTERNAL_H
#define COMPILER_KLR_INTERNAL_H

#include "compiler/bir/arena.h"
#include "compiler/klr/klr.h"
#include "isa/isa.h"

#include <stdarg.h>

/* Numbers of the messages, "KLR001"...: docs/reference/klr.md lists them. */
enum klr_id {
	KLR_E_TOKEN = 1,    /* no token */
	KLR_E_SYNTAX = 2,   /* something else was expected */
	KLR_E_OP = 3,       /* unknown operator */
	KLR_E_OPERAND = 4,  /* unknown, missing, twice, of the wrong kind */
	KLR_E_WORD = 5,     /* unknown word of an enumeration */
	KLR_E_TWICE = 6,    /* a name for two things */
	KLR_E_TENSOR = 7,   /* unknown tensor */
	KLR_E_COUNT = 8,    /* more than 128 partitions */
	KLR_E_START = 9,    /* illegal start partition */
	KLR_E_PATTERN = 10, /* pattern outside of its tensor, or malformed */
	KLR_E_PLACE = 11,   /* tensor outside of its memory */
	KLR_E_BRANCH = 12,  /* branch to nowhere, code behind a branch */
	KLR_E_DTYPE = 13,   /* dtype not allowed */
	KLR_E_SHAPE = 14,   /* element counts do not fit */
	KLR_E_REG = 15,     /* register that nothing sets */
	KLR_E_RANGE = 16,   /* number out of range */
	KLR_E_BUILT = 17,   /* the compiler does not build it */
	KLR_E_FILE = 18,    /* data file */
	KLR_E_ENGINE = 19,  /* engine not allowed */
	KLR_E_MEMORY = 20,  /* operand in the wrong memory */
	KLR_E_LIMIT = 21,   /* too long, too deep, out of memory */
	KLR_E_EDGE = 22,    /* edges and cores */
	KLR_E_IMM = 23,     /* immediate of the wrong type */
	KLR_E_LOOP = 24,    /* loop that cannot be */
	KLR_E_ALU = 25      /* ALU op not allowed */
};

/* ------------------------------------------------------------ tokens */

enum klr_tok_kind {
	TOK_END,
	TOK_EOL,
	TOK_NAME,
	TOK_INT,
	TOK_FLOAT,
	TOK_STR,
	TOK_PUNCT /* one character; ".." is P_RANGE, "->" P_ARROW */
};
enum { P_RANGE = 256, P_ARROW };

struct klr_tok {
	enum klr_tok_kind kind;
	int punct;
	const char *s; /* NAME, STR: in the arena, NUL-terminated */
	bool quoted;   /* NAME: never a keyword */
	uint64_t value;
	uint32_t bits; /* FLOAT */
	struct klr_pos pos;
};

/* ------------------------------------------------------------ errors */

struct klr_report {
	const char *path;
	struct klr_error *err;
	struct klr_tok *tok; /* becomes TOK_END, or NULL */
	bool failed;
};

void klr_error_at(struct klr_report *r, struct klr_pos pos, enum klr_id id,
                  const char *fmt, ...) __attribute__((format(printf, 4, 5)));

/* The candidate nearest to a wrong word; hint() is "" or "; did you mean
 * 'x'". */
struct klr_near {
	char want[48], best[48];
	int score;
	char text[80];
};

void klr_near_start(struct klr_near *n, const char *want);
void klr_near_try(struct klr_near *n, const char *candidate);
/* Returns the hint, or otherwise "; " and the text. */
const char *klr_near_hint(struct klr_near *n, const char *otherwise);

/* ------------------------------------------------------------ tables */

struct klr_opinfo {
	int op;
	const char *name;
	bool built;
	const char *operands;
};

struct klr_field {
	char name[24];
	enum klr_kind kind;
	enum klr_group group; /* ENUM */
	bool optional, has_default, ours;
	int def;
};

const struct klr_opinfo *klr_op_at(int index); /* NULL behind the last */
const struct klr_opinfo *klr_op_named(const char *name);
const struct klr_opinfo *klr_op_info(int op);
/* Operands of an operator, in order; their number. */
int klr_fields(const struct klr_opinfo *op,
               struct klr_field field[KLR_MAX_FIELDS]);
/* Index of a named operand, -1. */
int klr_field_index(int op, const char *name);

/* Number of a word, -1; word of a number, NULL. */
int klr_enum_value(enum klr_group g, const char *word);
const char *klr_enum_word(enum klr_group g, int64_t value);
const char *klr_group_text(enum klr_group g); /* "dtype" */
/* The words of a group for a message. */
void klr_enum_near(enum klr_group g, struct klr_near *n);

int klr_dtype_bir(int dtype); /* TPB_BIR_DTYPE_... */
int klr_dtype_size(int dtype);
int klr_alu_bir(int op); /* TPB_BIR_ALU_... */

/* Names to things.  put() returns what was there before. */
struct klr_names *klr_names_new(struct arena *a);
void *klr_names_get(const struct klr_names *n, const char *name);
void *klr_names_put(struct klr_names *n, const char *name, void *thing);

/* ------------------------------------------------------------ lexer */

struct klr_lex { /* where the lexer stands; copied to look ahead */
	const char *p, *end, *line_start;
	uint32_t line;
	int depth;       /* of brackets: line ends do not count inside */
	uint64_t square; /* a bit a bracket, 1: [ */
};

struct klr_parser {
	struct klr_lex lex;
	struct klr_tok tok;
	struct klr_kernel *k;
	struct klr_report rep;
	int nesting;
	struct klr_tensor *last_tensor;
};

void klr_next(struct klr_parser *p);
/* The token behind the current one. */
struct klr_tok klr_peek(struct klr_parser *p);
bool klr_is(const struct klr_parser *p, int punct);
bool klr_word(const struct klr_parser *p, const char *word);
/* Take a punctuation mark if it is there. */
bool klr_take(struct klr_parser *p, int punct);
/* It must be there. */
void klr_need(struct klr_parser *p, int punct, const char *where);
/* "'x'", "the end of the line" */
const char *klr_show(const struct klr_tok *t, char buf[48]);

/* ------------------------------------------------------------ parser */

/* An error: `what` is missing. */
void klr_expected(struct klr_parser *p, const char *what);
int64_t klr_parse_int(struct klr_parser *p);
const char *klr_parse_name(struct klr_parser *p, const char *what);
int klr_parse_enum(struct klr_parser *p, enum klr_group g);
/* (step,num[,offset]) ...; their number. */
int klr_parse_pairs(struct klr_parser *p, struct klr_pair *pair);
struct klr_ref *klr_parse_ref(struct klr_parser *p);
void klr_parse_value(struct klr_parser *p, const struct klr_field *f,
                     struct klr_value *v);
void klr_parse_decl(struct klr_parser *p);
bool klr_is_decl(const struct klr_parser *p);
struct klr_stmt *klr_parse_stmts(struct klr_parser *p);

/* ------------------------------------------------------------ checks */

/* What a pattern touches, its run-time terms left out.  Elements are those of
 * the reference's dtype. */
struct klr_view {
	int dtype, size;
	int npairs;
	struct klr_pair pair[KLR_MAX_DIMS];
	int64_t offset; /* elements in flat space */
	int64_t count;  /* elements of the pattern */
	int64_t parts;  /* on chip: partitions of the pattern, else 1 */
	int64_t free;   /* elements of one of them */
	int64_t start;  /* on chip: first partition, tensor's own included */
	int64_t row;    /* elements of a partition row; DRAM: of all */
};

/* Elements of a tensor without its first dimension. */
int64_t klr_free_elements(const struct klr_tensor *t);
bool klr_on_chip(const struct klr_tensor *t);
/* Pattern of a checked reference. */
void klr_view(const struct klr_ref *r, struct klr_view *v);

struct klr_checker {
	struct klr_report rep;
	const struct klr_kernel *k;
	int gen;
	struct klr_names *labels, *regs, *stmts;
	const struct klr_stmt *loop[KLR_MAX_DEPTH];
	int depth;
};

void klr_check_tensor(struct klr_checker *c, const struct klr_tensor *t);
void klr_check_ref(struct klr_checker *c, const struct klr_ref *r);
void klr_check_op(struct klr_checker *c, const struct klr_stmt *s);
/* The loop around the current statement that counts in this register. */
const struct klr_stmt *klr_check_loop(const struct klr_checker *c,
                                      const char *reg);

#endif
