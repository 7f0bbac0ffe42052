/* SPDX-License-Identifier: Apache-2.0
 *
 * The pipeline: which pass runs when, and what the verifier may demand after
 * it.  The order is binding (docs/reference/compiler.md says why).
 */
#include "compiler/compile.h"

#include "compiler/codegen/codegen.h"
#include "compiler/passes/pass.h"

#include <stdlib.h>
#include <string.h>

/* A pass, and what holds from its end on. */
struct pass {
	const char *name;
	bool (*run)(struct bir_module *m, struct pass_ctx *c);
	unsigned ensures;
};

static const struct pass passes[] = {
    {"lower_select", pass_lower_select, 0},
    {"legalize", pass_legalize, BIR_V_LOWERED},
    {"assign_engines", pass_assign_engines, 0},
    {"alloc_mem", pass_alloc_mem, BIR_V_PLACED},
    {"build_fdeps", pass_build_fdeps, 0},
    {"anti_dependency_analyzer", pass_anti_dependency_analyzer, 0},
    {"dep_reduction", pass_dep_reduction, 0},
    {"cfg_normalize", pass_cfg_normalize, 0},
    {"lower_control", pass_lower_control, 0},
    {"lnc_barriercheck", pass_lnc_barriercheck, 0},
    {"bir_racecheck", pass_bir_racecheck, 0},
    {"lower_dma", pass_lower_dma, 0},
    {"expand_all_early", pass_expand_all_early, 0},
    {"lower_branch", pass_lower_branch,
     BIR_V_TERMINATED | BIR_V_FLAT | BIR_V_ENGINES | BIR_V_NO_CROSS},
    {"alloc_queues", pass_alloc_queues, 0},
    {"synchronizer", pass_synchronizer, 0},
    {"alloc_semaphores", pass_alloc_semaphores, BIR_V_BOUND},
    {"mem2reg", pass_mem2reg, 0},
    {"seq_inst_opt", pass_seq_inst_opt, 0},
    {"lower_sync", pass_lower_sync, 0},
    {"lower_dve", pass_lower_dve, 0},
    {"lower_ap", pass_lower_ap, BIR_V_NO_SYM},
    {"regalloc", pass_regalloc, BIR_V_COLORED},
    {"expand_all_final", pass_expand_all_final, BIR_V_NO_ALL},
};

#define NPASSES ((int)(sizeof passes / sizeof *passes))

const char *compile_pass_name(int n)
{
	return n >= 0 && n < NPASSES ? passes[n].name : NULL;
}

/* Is the name in a list with commas, or the list "all"? */
static bool listed(const char *list, const char *name)
{
	size_t n = strlen(name);

	if (!list)
		return false;
	if (!strcmp(list, "all"))
		return true;
	for (const char *p = list; *p; p += *p == ',') {
		size_t len = strcspn(p, ",");

		if (len == n && !strncmp(p, name, n))
			return true;
		p += len;
	}
	return false;
}

/* A list that names no pass is a mistake of the user's. */
static bool check_list(const struct bir_module *m, struct pass_ctx *c,
                       const char *list)
{
	char name[64];

	for (const char *p = list ? list : "all"; *p && strcmp(p, "all");
	     p += *p == ',') {
		size_t len = strcspn(p, ",");
		bool known = false;

		for (int k = 0; k < NPASSES; k++)
			known |= strlen(passes[k].name) == len &&
			         !strncmp(p, passes[k].name, len);
		snprintf(name, sizeof name, "%.*s", (int)len, p);
		if (!known)
			return pass_fail(c, m, NULL, "CMP040",
			                 "there is no pass %s; the passes are "
			                 "listed in docs/reference/compiler.md",
			                 name);
		p += len;
	}
	return true;
}

static FILE *log_of(const struct compile_opts *opts)
{
	return opts->log ? opts->log : stderr;
}

static void dump(const struct bir_module *m, const struct compile_opts *opts,
                 const char *when, const char *name)
{
	char *text = bir_print(m);

	fprintf(log_of(opts), "; %s %s\n%s", when, name, text);
	free(text);
}

/* `after` NULL: what the front end made, so the kernel is at fault. */
static bool verify(struct bir_module *m, struct pass_ctx *c, unsigned flags,
                   const char *after)
{
	struct bir_error bad;

	if (c->opts->no_verify || bir_verify(m, flags, &bad))
		return true;
	memcpy(c->err->id, bad.id, sizeof c->err->id);
	memcpy(c->err->place, bad.place, sizeof c->err->place);
	if (after)
		snprintf(c->err->text, sizeof c->err->text,
		         "%.150s (after %s); a defect of the compiler, report "
		         "it",
		         bad.text, after);
	else
		snprintf(c->err->text, sizeof c->err->text,
		         "%.190s; change the statement", bad.text);
	return false;
}

static bool run(struct bir_module *m, struct pass_ctx *c, const struct pass *p)
{
	const struct compile_opts *opts = c->opts;
	bool ok;

	if (listed(opts->dump_before, p->name))
		dump(m, opts, "before", p->name);
	c->scratch = arena_new();
	c->stat[0] = 0;
	ok = p->run(m, c);
	arena_free(c->scratch);
	c->scratch = NULL;
	if (ok && opts->stats)
		fprintf(log_of(opts), "%s: %s\n", p->name, c->stat);
	if (ok && listed(opts->dump_after, p->name))
		dump(m, opts, "after", p->name);
	return ok;
}

bool compile_lower(struct bir_module *m, const struct compile_opts *opts,
                   struct compile_error *err)
{
	struct pass_ctx c = {.opts = opts, .err = err};
	unsigned flags = 0;

	if (opts->gen)
		m->gen = opts->gen;
	if (opts->cores)
		m->cores = opts->cores;
	if (!check_list(m, &c, opts->dump_before) ||
	    !check_list(m, &c, opts->dump_after) ||
	    !check_list(m, &c, opts->skip) ||
	    !check_list(m, &c, opts->stop_after) || !verify(m, &c, 0, NULL))
		return false;
	for (const struct pass *p = passes; p < passes + NPASSES; p++) {
		if (!listed(opts->skip, p->name)) {
			flags |= p->ensures;
			if (!run(m, &c, p) || !verify(m, &c, flags, p->name))
				return false;
		}
		if (opts->stop_after && !strcmp(opts->stop_after, p->name))
			break;
	}
	return true;
}

bool tpb_compile(struct bir_module *m, const struct compile_opts *opts,
                 struct image *out, struct compile_error *err)
{
	return compile_lower(m, opts, err) &&
	       codegen_module(m, m->gen, out, err);
}
