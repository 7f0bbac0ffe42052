/* SPDX-License-Identifier: Apache-2.0
 *
 * What the parts of the assembler share.
 *
 * The source is read twice.  The first pass counts bundles and collects
 * names, the second encodes.  After the first error the lexer delivers only
 * TOK_END, so no part has to check for failure before it goes on; every loop
 * must end at TOK_END.
 */
#ifndef COMPILER_ASM_INTERNAL_H
#define COMPILER_ASM_INTERNAL_H

#include "compiler/asm/asm.h"
#include "isa/isa.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ASM_MAX_BUNDLES (1u << 20)
#define ASM_MAX_NAMES (1u << 16)
#define ASM_MAX_TEXT (16u << 20)
#define ASM_MAX_INIT (1ull << 28)
#define ASM_MAX_DEPTH 64
#define ASM_HASH 4096u
#define ASM_DRAM_END (1ull << 36)
#define ASM_DRAM_BASE 0x1000u

enum asm_kind {
	TOK_END, /* end of the text, or an error happened */
	TOK_EOL,
	TOK_NAME,
	TOK_DIRECTIVE, /* name with a leading dot */
	TOK_INT,
	TOK_FLOAT,
	TOK_STR, /* "..." , text without the quotes */
	TOK_HEX, /* x"..." , text without x and the quotes */
	TOK_PUNCT
};

/* Punctuation of two characters; one character stands for itself. */
enum asm_punct {
	P_SHL = 256,
	P_SHR,
	P_LE,
	P_GE,
	P_EQ,
	P_NE,
	P_AND,
	P_OR,
	P_INC,
	P_DEC,
	P_ADDEQ,
	P_SUBEQ,
	P_RANGE
};

struct asm_tok {
	enum asm_kind kind;
	int punct;
	const char *text;
	size_t len;
	uint64_t value; /* TOK_INT */
	uint32_t line, col;
};

/* Where the lexer stands; copied to look ahead. */
struct asm_pos {
	const char *p, *line_start;
	uint32_t line;
	struct asm_tok tok;
};

enum asm_sym_kind {
	SYM_EQU,
	SYM_SEM,
	SYM_EVENT,
	SYM_TENSOR,
	SYM_LABEL,
	SYM_FUNC, /* scope: engine, its entry there */
	SYM_KEEP  /* scope: ASM_FUNCS, its keep flag */
};

/* Scopes: labels and functions live in that of their engine. */
enum { ASM_GLOBAL = TPB_ENGINES, ASM_FUNCS };

struct asm_sym {
	const char *name; /* into the source text */
	size_t len;
	int scope;
	enum asm_sym_kind kind;
	bool known;      /* value is set: ids and addresses come after pass 1 */
	int64_t value;   /* constant, id, pc, keep flag or tensor index */
	uint32_t fn_len; /* bundles of a function */
	uint32_t line, col;
	int next; /* hash chain */
};

struct asm_tensor {
	int sym;
	uint64_t size, addr;
	uint32_t id;
	bool has_addr, has_id, output;
	uint8_t *init;
	uint32_t line, col;
};

struct asm_state {
	/* Source. */
	const char *place;
	const char *end;
	struct asm_pos pos;
	int pass;       /* 1 or 2; 0: a single line */
	bool labels_ok; /* expressions may name labels */
	bool failed;
	struct image_error *err;
	/* Where the program grows. */
	int engine;
	uint32_t pc[TPB_ENGINES];
	int func[TPB_ENGINES]; /* open function, -1 none */
	int gen;
	uint32_t rank;
	bool loaded, unchecked;
	struct image *img;
	int file;
	/* Names. */
	struct asm_sym *sym;
	int nsyms, sym_cap;
	int hash[ASM_HASH];
	bool sem_used[TPB_SEMS], evt_used[TPB_EVENTS];
	/* Tensors, and the one that data directives fill. */
	struct asm_tensor *tensor;
	int ntensors, tensor_cap;
	int data;
	uint64_t data_at, init_total;
};

/* An instruction while it is parsed. */
struct asm_inst {
	struct asm_tok name; /* the mnemonic as written */
	size_t base;         /* length of its part before the suffix */
	const char *suffix;  /* after the dot, NULL: none */
	size_t suffix_len;
	uint8_t b[TPB_BUNDLE];
};

/* ---- lexer.c ---- */
void asm_start(struct asm_state *a, const char *text, size_t size);
void asm_next(struct asm_state *a);
void asm_skip_line(struct asm_state *a);
bool asm_at(const struct asm_state *a, int punct);
bool asm_at_end(const struct asm_state *a);
bool asm_accept(struct asm_state *a, int punct);
void asm_expect(struct asm_state *a, int punct, const char *hint);
bool asm_is(const struct asm_tok *t, const char *text);
bool asm_accept_name(struct asm_state *a, const char *text);
/* "r12" -> 12 for letter 'r'; -1 when of another shape, -2 too large. */
int asm_bank(const struct asm_tok *t, char letter, int limit);
/* Punctuation that follows the current token. */
int asm_peek_punct(struct asm_state *a);
/* Record the first error, at t. */
void asm_error(struct asm_state *a, const struct asm_tok *t, int id,
               const char *fmt, ...) __attribute__((format(printf, 4, 5)));
/* "'text'" of a token for messages, at most 40 bytes, printable. */
const char *asm_show(const struct asm_tok *t, char buf[48]);
/* Byte of a quoted text at *i, escapes resolved; -1 at its end. */
int asm_char(struct asm_state *a, const struct asm_tok *t, size_t *i);

/* Error classes, the number in "ASMnnn". */
enum {
	ASM_LEX = 1,
	ASM_SYNTAX,
	ASM_UNKNOWN,
	ASM_DUPLICATE,
	ASM_RANGE,
	ASM_KIND,
	ASM_SYNC,
	ASM_ILLEGAL,
	ASM_LIMIT,
	ASM_ORDER
};

/* ---- symbols.c ---- */
int asm_find(const struct asm_state *a, int scope, const char *s, size_t len);
/* Index of the new symbol, -1 after an error. */
int asm_define(struct asm_state *a, const struct asm_tok *t, int scope,
               enum asm_sym_kind kind, int64_t value, bool known);
void asm_check_name(struct asm_state *a, const struct asm_tok *t);
/* After pass 1: give ids and addresses to what has none. */
void asm_allocate(struct asm_state *a);
/* A semaphore or an event by number or name. */
uint8_t asm_sync_ref(struct asm_state *a, bool *event);

/* ---- expr.c ---- */
int64_t asm_expr(struct asm_state *a);
/* bits wide, signed or unsigned; masked to the width. */
uint64_t asm_value(struct asm_state *a, int bits, const char *what);
uint64_t asm_uint(struct asm_state *a, uint64_t max, const char *what);
uint32_t asm_target(struct asm_state *a);
uint32_t asm_float(struct asm_state *a);
uint8_t asm_reg(struct asm_state *a);
bool asm_at_reg(const struct asm_state *a);
/* One register, or a list in braces; the count. */
int asm_reg_list(struct asm_state *a, uint8_t *reg, int max);

/* ---- directives.c, data.c ---- */
void asm_directive(struct asm_state *a);
bool asm_data_directive(struct asm_state *a, const struct asm_tok *d);
void asm_rank_record(struct asm_state *a);
void asm_raw_bundle(struct asm_state *a, uint8_t b[TPB_BUNDLE]);

/* ---- queue.c ---- */
bool asm_queue_directive(struct asm_state *a, const struct asm_tok *d);

/* ---- asm.c ---- */
/* An instruction or .bundle at the current token, up to the end of the line,
 * checked but for its engine. */
void asm_bundle(struct asm_state *a, struct asm_inst *in);

/* ---- encode.c, memory.c: lines with a form of their own ---- */
/* false: the mnemonic has none. */
bool asm_sugar(struct asm_state *a, struct asm_inst *in);
/* var(V) or the name of a tensor: its id; -1: the text is something else. */
int64_t asm_variable_id(struct asm_state *a);
/* 64-bit operand address of a dma: a number, or [ADDRESS]. */
void asm_addr8(struct asm_state *a, uint8_t *p);
void asm_load_save(struct asm_state *a, struct asm_inst *in, bool save);
void asm_put32(uint8_t *p, uint32_t v);
void asm_put64(uint8_t *p, uint64_t v);
/* Wire tag of the suffix, dflt without one. */
uint8_t asm_dtype(struct asm_state *a, const struct asm_inst *in, uint8_t dflt);
void asm_no_suffix(struct asm_state *a, const struct asm_inst *in);

/* ---- sync.c ---- */
void asm_sync_clauses(struct asm_state *a, struct asm_inst *in);

/* ---- generic.c ---- */
void asm_generic(struct asm_state *a, struct asm_inst *in,
                 const struct isa_opinfo *op);

#endif
