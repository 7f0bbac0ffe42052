/* SPDX-License-Identifier: Apache-2.0
 *
 * A scanner for the registers and instances of our SystemVerilog.
 *
 * It knows as much of the language as rtl/ uses: one module a file or more,
 * comments, strings, named generate blocks, instances `module #(...) name (`,
 * and the house rule that a register's name ends in _q.  It does not judge
 * the source: verilator has read it before.
 */
#ifndef HARNESS_VSCAN_H
#define HARNESS_VSCAN_H

#include <stdbool.h>
#include <stddef.h>

#define VSCAN_NAME 64
#define VSCAN_PATH 192

struct vscan_reg {
	char module[VSCAN_NAME];
	char name[VSCAN_PATH]; /* with its generate blocks: "gen_a.x_q" */
	char file[VSCAN_PATH];
	int line;
	bool misnamed; /* assigned in always_ff, but no _q */
};

struct vscan_inst {
	char parent[VSCAN_NAME], module[VSCAN_NAME];
	char name[VSCAN_PATH]; /* likewise */
};

struct vscan {
	struct vscan_reg *reg;
	size_t nregs;
	struct vscan_inst *inst;
	size_t ninsts;
};

/* Add what a source text declares.  false: out of memory. */
bool vscan_text(struct vscan *v, const char *text, const char *file);
void vscan_free(struct vscan *v);

/* Call fn for each register under a module, with its path from there:
 * "u_mem.dram_rr_q".  Elements of generate arrays have one path. */
typedef void vscan_fn(void *ctx, const char *path, const struct vscan_reg *r);
void vscan_walk(const struct vscan *v, const char *module, vscan_fn *fn,
                void *ctx);

#endif
