/* SPDX-License-Identifier: Apache-2.0
 *
 * What the parts of the register allocator share: the registers of one engine
 * as nodes of an interference graph.
 */
#ifndef PASSES_REGALLOC_H
#define PASSES_REGALLOC_H

#include "compiler/passes/pass.h"

struct reg_node {
	struct bir_reg *r;
	int width;   /* 1, or 2: an even pair */
	double cost; /* of spilling it, by uses and loop depth */
	bool fixed;  /* came with a number */
	bool temp;   /* made by spilling: never spilled again */
	int color;   /* -1: none */
	int *adj;    /* neighbours */
	int nadj, cap;
};

struct reg_graph {
	struct bir_module *m;
	struct arena *a;
	enum bir_engine e;
	int limit; /* registers there are */
	struct reg_node *node;
	int n;
	int *index;               /* node of a register id, -1 */
	struct bir_block **block; /* of the module, in order */
	int nblock;
	int *depth;             /* loop depth by block */
	struct bir_inst **call; /* all Calls */
	int ncall;
};

/* Nodes, costs and edges from the module as it is. */
void reg_graph_build(struct reg_graph *g, const bool *temp, int ntemp);

/* Numbers for all nodes; returns the nodes left without one, in *left. */
int reg_color(struct reg_graph *g, int **left);

#endif
