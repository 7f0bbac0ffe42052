/* SPDX-License-Identifier: Apache-2.0
 *
 * What the files of the IR share and nobody else needs: the name table and
 * the table of edges.
 */
#ifndef BIR_INTERNAL_H
#define BIR_INTERNAL_H

#include "compiler/bir/bir_build.h"

enum bir_space {
	BIR_SPACE_FUNC,
	BIR_SPACE_BLOCK,
	BIR_SPACE_INST,
	BIR_SPACE_LOC,
	BIR_SPACE_REG,
	BIR_SPACE_QUEUE
};

struct bir_names *bir_names_new(struct arena *a);
/* Register `object` under `name`, or under "name#2", "name#3", ... when it is
 * taken; returns the copy of the name it got. */
const char *bir_names_add(struct bir_module *m, enum bir_space space,
                          const char *name, void *object);
void *bir_names_find(const struct bir_module *m, enum bir_space space,
                     const char *name);
void bir_names_remove(struct bir_module *m, enum bir_space space,
                      const char *name);

/* The edge pred -> succ, NULL; add assumes that there is none. */
struct bir_dep *bir_edges_find(const struct bir_module *m, int succ, int pred);
void bir_edges_add(struct bir_module *m, struct bir_dep *d);
void bir_edges_remove(struct bir_module *m, const struct bir_dep *d);

#endif
