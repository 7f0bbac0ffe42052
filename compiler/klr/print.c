/* SPDX-License-Identifier: Apache-2.0
 *
 * A KLR tree to text.
 *
 * Contract: the text parses to an equal tree.  Operands stand in the order of
 * the wire; what has its default is left out; a name that the lexer would not
 * take as one stands in quotes.
 */
#include "compiler/klr/internal.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define INT PRId64

static void print_ref(FILE *f, const struct klr_ref *r);

/* ------------------------------------------------------------ words */

static bool is_plain(const char *s)
{
	static const char *const reserved[] = {
	    "kernel",    "input",      "output",      "constant", "buffer",
	    "for",       "in",         "step",        "core",     "edge",
	    "noReorder", "as",         "at",          "from",     "axes",
	    "scalar",    "vector",     "reg",         "pointer",  "inf",
	    "nan",       "bits",       "skip",        "error",    "unspecified",
	    "true",      "false",      "dram",        "hbm",      "sbuf",
	    "psum",      "shared_hbm", "private_hbm",
	};

	for (size_t i = 0; i < sizeof(reserved) / sizeof(reserved[0]); i++)
		if (!strcmp(s, reserved[i]))
			return false;
	if (!*s || (*s >= '0' && *s <= '9') || *s == '.' || *s == '$')
		return false;
	if (strstr(s, "..") || s[strlen(s) - 1] == '.')
		return false;
	return !s[strspn(s, "abcdefghijklmnopqrstuvwxyz"
	                    "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.$")];
}

static void print_quoted(FILE *f, const char *s, char quote)
{
	fputc(quote, f);
	for (; *s; s++) {
		unsigned char c = (unsigned char)*s;

		if (c < ' ' || c > '~')
			fprintf(f, "\\x%02x", c);
		else
			fprintf(f, "%s%c",
			        *s == '\\' || *s == quote ? "\\" : "", c);
	}
	fputc(quote, f);
}

static void print_name(FILE *f, const char *s)
{
	if (is_plain(s))
		fputs(s, f);
	else
		print_quoted(f, s, '\'');
}

static void print_float(FILE *f, uint32_t bits)
{
	char buf[40];
	float x;

	memcpy(&x, &bits, 4);
	if ((bits & 0x7FFFFFFF) == 0x7F800000) {
		fputs(bits >> 31 ? "-inf" : "inf", f);
	} else if (isnan(x)) {
		if ((bits & 0x7FFFFFFF) == 0x7FC00000)
			fputs(bits >> 31 ? "-nan" : "nan", f);
		else
			fprintf(f, "bits(0x%08" PRIx32 ")", bits);
	} else {
		snprintf(buf, sizeof(buf), "%.9g", (double)x);
		fprintf(f, "%s%s", buf, strpbrk(buf, ".e") ? "" : ".0");
	}
}

/* ------------------------------------------------------------ references */

static void print_pairs(FILE *f, const struct klr_pair *pair, int n)
{
	for (int i = 0; i < n; i++) {
		fprintf(f, "(%" INT ",%" INT, pair[i].step, pair[i].num);
		if (pair[i].offset)
			fprintf(f, ",%" INT, pair[i].offset);
		fputc(')', f);
	}
}

static void print_slices(FILE *f, const struct klr_ref *r)
{
	for (int i = 0; i < r->ndims; i++) {
		const struct klr_slice *s = &r->slice[i];

		fprintf(f, "%s%" INT, i ? ", " : "", s->l);
		if (s->range)
			fprintf(f, ":%" INT, s->u);
		if (s->range && s->step != 1)
			fprintf(f, ":%" INT, s->step);
	}
}

static void print_raw(FILE *f, const struct klr_ref *r)
{
	fprintf(f, "%s[", klr_enum_word(KLR_G_MEMORY, r->memory));
	print_name(f, r->name);
	fprintf(f, ", %s, %" INT "; ", klr_enum_word(KLR_G_DTYPE, r->dtype),
	        r->memory == KLR_HBM ? r->offset : r->par_num);
	print_pairs(f, r->pair, r->ndims);
	if (r->memory != KLR_HBM)
		fprintf(f, "; %" INT ", %" INT, r->par_offset, r->free_offset);
	fputc(']', f);
}

static void print_access(FILE *f, const struct klr_ref *r)
{
	switch (r->access) {
	case KLR_A_BASIC:
		fputc('[', f);
		print_slices(f, r);
		break;
	case KLR_A_PAIRS:
		fprintf(f, "[%" INT "; ", r->offset);
		print_pairs(f, r->pair, r->ndims);
		break;
	case KLR_A_AXES:
		fprintf(f, "[axes %" INT "; ", r->par_num);
		print_pairs(f, r->pair, r->ndims);
		fprintf(f, "; %" INT ", %" INT, r->par_offset, r->free_offset);
		for (int i = 0; i < r->naxes; i++)
			fprintf(f, "%s%" INT, i ? ", " : "; ", r->axis[i]);
		break;
	default: return;
	}
	fputc(']', f);
}

static void print_terms(FILE *f, const struct klr_term *t)
{
	for (; t; t = t->next) {
		fputs(" + ", f);
		if (t->kind == KLR_T_STRIDE) {
			print_name(f, t->reg);
			if (t->stride != 1)
				fprintf(f, "*%" INT, t->stride);
			continue;
		}
		fputs(t->kind == KLR_T_SCALAR ? "scalar(" : "vector(", f);
		if (t->reg)
			print_name(f, t->reg);
		else
			print_ref(f, t->ref);
		fprintf(f, ", %" INT ")", t->dim);
	}
}

static void print_ref(FILE *f, const struct klr_ref *r)
{
	if (r->access == KLR_A_RAW) {
		print_raw(f, r);
		return;
	}
	print_name(f, r->name);
	print_access(f, r);
	print_terms(f, r->terms);
	if (r->dtype >= 0)
		fprintf(f, ":%s", klr_enum_word(KLR_G_DTYPE, r->dtype));
}

/* ------------------------------------------------------------ values */

static void print_value(FILE *f, const struct klr_value *v, enum klr_group g)
{
	switch (v->kind) {
	case KLR_V_NONE: break;
	case KLR_V_INT: fprintf(f, "%" INT, v->i); break;
	case KLR_V_FLOAT: print_float(f, v->bits); break;
	case KLR_V_REGISTER: fprintf(f, "reg %" INT, v->i); break;
	case KLR_V_POINTER: fputs("pointer", f); break;
	case KLR_V_REF: print_ref(f, v->ref); break;
	case KLR_V_NAME: print_name(f, v->s); break;
	case KLR_V_STR: print_quoted(f, v->s, '"'); break;
	case KLR_V_BOOL: fputs(v->i ? "true" : "false", f); break;
	case KLR_V_ENUM: fputs(klr_enum_word(g, v->i), f); break;
	case KLR_V_SKIP:
		fputs(g == KLR_G_NONE ? "skip" : "unspecified", f);
		break;
	case KLR_V_ERROR: fputs("error", f); break;
	case KLR_V_PATTERN:
		fprintf(f, "[%" INT "; ", v->ramp->offset);
		print_pairs(f, v->ramp->pair, v->ramp->npairs);
		fprintf(f, "; %" INT "]", v->ramp->multiplier);
		break;
	case KLR_V_LIST:
		fputc('[', f);
		for (int i = 0; i < v->nitems; i++) {
			if (i)
				fputs(", ", f);
			print_value(f, &v->item[i], g);
		}
		fputc(']', f);
		break;
	}
}

static bool is_default(const struct klr_field *f, const struct klr_value *v)
{
	if (v->kind == KLR_V_NONE)
		return true;
	if (!f->has_default)
		return false;
	if (f->kind == KLR_K_OOB)
		return v->kind == KLR_V_SKIP;
	return v->i == f->def;
}

static void print_op(FILE *f, const struct klr_stmt *s)
{
	const struct klr_opinfo *op = klr_op_info(s->op);
	struct klr_field fields[KLR_MAX_FIELDS];
	int n = klr_fields(op, fields), shown = 0;

	fputs(op->name, f);
	for (int i = 0; i < n; i++)
		if (fields[i].group == KLR_G_ENGINE &&
		    !is_default(&fields[i], &s->value[i]))
			fprintf(f, " @%s",
			        klr_enum_word(KLR_G_ENGINE, s->value[i].i));
	fputc('(', f);
	for (int i = 0; i < n; i++) {
		/* the word of KLR_V_SKIP depends on the kind */
		enum klr_group g = fields[i].kind == KLR_K_GROUP
		                       ? KLR_G_MEMORY
		                       : fields[i].group;

		if (g == KLR_G_ENGINE || is_default(&fields[i], &s->value[i]))
			continue;
		fprintf(f, "%s%s=", shown++ ? ", " : "", fields[i].name);
		print_value(f, &s->value[i], g);
	}
	fputc(')', f);
	if (s->name) {
		fputs(" as ", f);
		print_name(f, s->name);
	}
	if (s->at.line || s->at.col || s->at.line_end >= 0 || s->at.file) {
		fputs(" at ", f);
		if (s->at.file)
			print_quoted(f, s->at.file, '"');
		fprintf(f, " %" INT ":%" INT, s->at.line, s->at.col);
		if (s->at.line_end >= 0)
			fprintf(f, " - %" INT ":%" INT, s->at.line_end,
			        s->at.col_end);
	}
	fputc('\n', f);
}

static void print_stmts(FILE *f, const struct klr_stmt *s, int depth)
{
	for (; s; s = s->next) {
		for (int i = 0; i < depth; i++)
			fputc('\t', f);
		if (s->kind == KLR_S_OP) {
			print_op(f, s);
			continue;
		}
		fputs("for ", f);
		print_name(f, s->var);
		fputs(" in ", f);
		print_value(f, &s->lo, KLR_G_NONE);
		fputs("..", f);
		print_value(f, &s->hi, KLR_G_NONE);
		if (s->step != 1)
			fprintf(f, " step %" INT, s->step);
		fputs(" {\n", f);
		print_stmts(f, s->body, depth + 1);
		for (int i = 0; i < depth; i++)
			fputc('\t', f);
		fputs("}\n", f);
	}
}

/* ------------------------------------------------------------ structure */

static void print_tensor(FILE *f, const struct klr_tensor *t)
{
	static const char *const classes[] = {"", "input ", "output ",
	                                      "constant ", "buffer "};

	fputs(classes[t->class], f);
	if (t->class == KLR_LOCAL || t->memory != KLR_HBM)
		fprintf(f, "%s ", klr_enum_word(KLR_G_MEMORY, t->memory));
	print_name(f, t->name);
	fprintf(f, ": %s[", klr_enum_word(KLR_G_DTYPE, t->dtype));
	for (int i = 0; i < t->ndims; i++)
		fprintf(f, "%s%" INT, i ? ", " : "", t->dims[i]);
	fputc(']', f);
	if (t->file) {
		fputs(" from ", f);
		print_quoted(f, t->file, '"');
	}
	if (t->part >= 0)
		fprintf(f, ", partition=%" INT, t->part);
	if (t->byte >= 0 && t->memory == KLR_PSUM)
		fprintf(f, ", bank=%" INT ", byte=%" INT,
		        t->byte / TPB_PSUM_BANK_BYTES_GEN3,
		        t->byte % TPB_PSUM_BANK_BYTES_GEN3);
	else if (t->byte >= 0)
		fprintf(f, ", byte=%" INT, t->byte);
	if (t->par_size >= 0)
		fprintf(f, ", parSize=%" INT, t->par_size);
	if (t->free_size >= 0)
		fprintf(f, ", freeSize=%" INT, t->free_size);
	if (t->address) {
		fputs(", address=", f);
		print_name(f, t->address);
	}
	fprintf(f, "%s%s\n", t->shared ? ", shared" : "",
	        t->rotation ? ", rotation" : "");
}

static void print_body(FILE *f, const struct klr_body *body)
{
	for (const struct klr_block *b = body->blocks; b; b = b->next) {
		print_name(f, b->label);
		fprintf(f, ":%s\n", b->no_reorder ? " noReorder" : "");
		print_stmts(f, b->body, 1);
	}
}

static void print_kernel(FILE *f, const struct klr_kernel *k)
{
	int n = 0;

	fputs("kernel ", f);
	print_name(f, k->name);
	fputs("\n\n", f);
	for (const struct klr_tensor *t = k->tensors; t; t = t->next)
		print_tensor(f, t);
	for (const struct klr_body *b = k->bodies; b; b = b->next) {
		fputc('\n', f);
		if (k->bodies->next)
			fprintf(f, "core %d {\n", n++);
		print_body(f, b);
		if (k->bodies->next)
			fputs("}\n", f);
	}
	for (const struct klr_edge *e = k->edges; e; e = e->next) {
		fputs("edge ", f);
		print_name(f, e->from);
		fputs(" -> ", f);
		for (int i = 0; i < e->nto; i++) {
			fputs(i ? ", " : "", f);
			print_name(f, e->to[i]);
		}
		fputc('\n', f);
	}
}

char *klr_print(const struct klr_kernel *k)
{
	char *text = NULL;
	size_t size = 0;
	FILE *f = open_memstream(&text, &size);

	if (!f)
		return NULL;
	print_kernel(f, k);
	if (fclose(f) != 0) {
		free(text);
		return NULL;
	}
	return text;
}
