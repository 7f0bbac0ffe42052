/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether two KLR trees say the same.  Every member of the tree but the
 * positions in the text is compared here, by itself and not through the
 * printer, so that a member that the printer forgets shows in the tests.
 */
#include "compiler/klr/internal.h"

#include <string.h>

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

static bool same_pairs(const struct klr_pair *a, const struct klr_pair *b,
                       int n)
{
	for (int i = 0; i < n; i++)
		if (a[i].step != b[i].step || a[i].num != b[i].num ||
		    a[i].offset != b[i].offset)
			return false;
	return true;
}

static bool same_tensor(const struct klr_tensor *a, const struct klr_tensor *b)
{
	if (!same_text(a->name, b->name) || !same_text(a->file, b->file) ||
	    !same_text(a->address, b->address) || a->class != b->class ||
	    a->memory != b->memory || a->dtype != b->dtype ||
	    a->ndims != b->ndims)
		return false;
	for (int i = 0; i < a->ndims; i++)
		if (a->dims[i] != b->dims[i])
			return false;
	return a->part == b->part && a->byte == b->byte &&
	       a->par_size == b->par_size && a->free_size == b->free_size &&
	       a->shared == b->shared && a->rotation == b->rotation;
}

static bool same_ref(const struct klr_ref *a, const struct klr_ref *b);

static bool same_terms(const struct klr_term *a, const struct klr_term *b)
{
	for (; a && b; a = a->next, b = b->next)
		if (a->kind != b->kind || !same_text(a->reg, b->reg) ||
		    !same_ref(a->ref, b->ref) || a->stride != b->stride ||
		    a->dim != b->dim)
			return false;
	return !a && !b;
}

static bool same_ref(const struct klr_ref *a, const struct klr_ref *b)
{
	if (!a || !b)
		return a == b;
	if (!same_text(a->name, b->name) || !a->tensor != !b->tensor ||
	    a->access != b->access || a->ndims != b->ndims ||
	    a->offset != b->offset || a->par_num != b->par_num ||
	    a->par_offset != b->par_offset ||
	    a->free_offset != b->free_offset || a->naxes != b->naxes ||
	    a->memory != b->memory || a->dtype != b->dtype)
		return false;
	for (int i = 0; i < a->naxes; i++)
		if (a->axis[i] != b->axis[i])
			return false;
	for (int i = 0; i < a->ndims; i++)
		if (a->slice[i].range != b->slice[i].range ||
		    a->slice[i].l != b->slice[i].l ||
		    a->slice[i].u != b->slice[i].u ||
		    a->slice[i].step != b->slice[i].step)
			return false;
	return same_pairs(a->pair, b->pair, a->ndims) &&
	       same_terms(a->terms, b->terms);
}

static bool same_ramp(const struct klr_ramp *a, const struct klr_ramp *b)
{
	if (!a || !b)
		return a == b;
	return a->offset == b->offset && a->multiplier == b->multiplier &&
	       a->npairs == b->npairs &&
	       same_pairs(a->pair, b->pair, a->npairs);
}

static bool same_value(const struct klr_value *a, const struct klr_value *b)
{
	if (a->kind != b->kind || a->i != b->i || a->bits != b->bits ||
	    !same_text(a->s, b->s) || a->nitems != b->nitems ||
	    !same_ref(a->ref, b->ref) || !same_ramp(a->ramp, b->ramp))
		return false;
	for (int i = 0; i < a->nitems; i++)
		if (!same_value(&a->item[i], &b->item[i]))
			return false;
	return true;
}

static bool same_stmts(const struct klr_stmt *a, const struct klr_stmt *b)
{
	for (; a && b; a = a->next, b = b->next) {
		if (a->kind != b->kind || a->op != b->op ||
		    !same_text(a->name, b->name) ||
		    !same_text(a->var, b->var) || a->step != b->step ||
		    !same_value(&a->lo, &b->lo) || !same_value(&a->hi, &b->hi))
			return false;
		if (!same_text(a->at.file, b->at.file) ||
		    a->at.line != b->at.line || a->at.col != b->at.col ||
		    a->at.line_end != b->at.line_end ||
		    a->at.col_end != b->at.col_end)
			return false;
		for (int i = 0; i < KLR_MAX_FIELDS; i++)
			if (!same_value(&a->value[i], &b->value[i]))
				return false;
		if (!same_stmts(a->body, b->body))
			return false;
	}
	return !a && !b;
}

static bool same_bodies(const struct klr_body *a, const struct klr_body *b)
{
	for (; a && b; a = a->next, b = b->next) {
		const struct klr_block *x = a->blocks, *y = b->blocks;

		for (; x && y; x = x->next, y = y->next)
			if (!same_text(x->label, y->label) ||
			    x->no_reorder != y->no_reorder ||
			    !same_stmts(x->body, y->body))
				return false;
		if (x || y)
			return false;
	}
	return !a && !b;
}

static bool same_edges(const struct klr_edge *a, const struct klr_edge *b)
{
	for (; a && b; a = a->next, b = b->next) {
		if (!same_text(a->from, b->from) || a->nto != b->nto)
			return false;
		for (int i = 0; i < a->nto; i++)
			if (!same_text(a->to[i], b->to[i]))
				return false;
	}
	return !a && !b;
}

bool klr_equal(const struct klr_kernel *a, const struct klr_kernel *b)
{
	const struct klr_tensor *x = a->tensors, *y = b->tensors;

	if (!same_text(a->name, b->name))
		return false;
	for (; x && y; x = x->next, y = y->next)
		if (!same_tensor(x, y))
			return false;
	return !x && !y && same_bodies(a->bodies, b->bodies) &&
	       same_edges(a->edges, b->edges);
}
