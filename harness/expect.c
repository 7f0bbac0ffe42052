/* SPDX-License-Identifier: Apache-2.0
 *
 * Expected outputs and faults; see expect.h.
 */
#include "harness/expect.h"

#include "harness/cmd.h"
#include "harness/lockstep_priv.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static int engine_named(const char *text, size_t len)
{
	for (int e = 0; e < TPB_ENGINES; e++)
		if (strlen(lockstep_engine[e]) == len &&
		    !strncmp(lockstep_engine[e], text, len))
			return e;
	return -1;
}

bool expect_fault_parse(const char *text, struct expect_fault *f)
{
	size_t len = strcspn(text, "=");
	int64_t code;
	uint64_t pc;

	memset(f, 0, sizeof(*f));
	f->engine = engine_named(text, len);
	if (f->engine < 0 || text[len] != '=')
		return false;
	text += len + 1;
	len = strcspn(text, "@");
	f->halted = len == 6 && !strncmp(text, "HALTED", 6);
	code = f->halted ? 0 : isa_enum_value("fault", text, len);
	if (code < 0 || (code == 0 && !f->halted))
		return false;
	f->code = (uint8_t)code;
	if (text[len] != '@')
		return true;
	if (!cmd_u64(text + len + 1, &pc) || pc > UINT32_MAX)
		return false;
	f->has_pc = true;
	f->pc = (uint32_t)pc;
	return true;
}

static const char *end_text(const struct tpb_engine_state *e)
{
	const char *t = e->state == TPB_RUN_FAULTED
	                    ? isa_enum_text("fault", e->fault)
	                    : isa_enum_text("run", e->state);
	return t ? t : "?";
}

static bool ends_so(const struct tpb_engine_state *e,
                    const struct expect_fault *f)
{
	if (f->halted ? e->state != TPB_RUN_HALTED
	              : e->state != TPB_RUN_FAULTED || e->fault != f->code)
		return false;
	return !f->has_pc || e->pc == f->pc;
}

bool expect_faults(struct lockstep *ls, const struct expect_fault *f, int n,
                   FILE *out)
{
	bool named[TPB_ENGINES] = {false};
	struct tpb_state s;

	lockstep_state(ls, SIDE_RTL, &s);
	for (int i = 0; i < n; i++) {
		const struct tpb_engine_state *e = &s.engine[f[i].engine];

		named[f[i].engine] = true;
		if (ends_so(e, &f[i]))
			continue;
		fprintf(out, "%s ended %s at pc %" PRIu32 ", expected %s",
		        lockstep_engine[f[i].engine], end_text(e), e->pc,
		        f[i].halted ? "HALTED"
		                    : isa_enum_text("fault", f[i].code));
		if (f[i].has_pc)
			fprintf(out, " at pc %" PRIu32, f[i].pc);
		fputc('\n', out);
		return false;
	}
	for (int e = 0; e < TPB_ENGINES; e++)
		if (!named[e] && s.engine[e].state != TPB_RUN_EXITED &&
		    s.engine[e].state != TPB_RUN_ABSENT) {
			fprintf(out,
			        "%s ended %s at pc %" PRIu32 ", unexpected\n",
			        lockstep_engine[e], end_text(&s.engine[e]),
			        s.engine[e].pc);
			return false;
		}
	return true;
}

static bool same(struct lockstep *ls, const struct image_tensor *t,
                 const uint8_t *want, uint8_t *have, FILE *out)
{
	static const char *const name[2] = {"RTL", "model"};

	for (enum side side = SIDE_RTL; side <= SIDE_MODEL; side++) {
		uint64_t i = 0;

		dram_get(ls->dram[side], t->addr, have, t->size);
		if (!memcmp(want, have, t->size))
			continue;
		while (want[i] == have[i])
			i++;
		fprintf(out,
		        "output %s, byte %" PRIu64 " (DRAM 0x%" PRIx64
		        "): %s has 0x%02x, expected 0x%02x\n",
		        t->name, i, t->addr + i, name[side], have[i], want[i]);
		return false;
	}
	return true;
}

/* 1: equal, -1: unusable file, -2: differs. */
static int check_output(struct lockstep *ls, const struct image_tensor *t,
                        const char *dir, FILE *out)
{
	size_t size = 0, len = strlen(dir) + strlen(t->name) + 6;
	char *path = malloc(len);
	uint8_t *have = malloc(t->size);
	char *want = NULL;
	int r = -1;

	if (path && have) {
		snprintf(path, len, "%s/%s.bin", dir, t->name);
		want = cmd_read_file(path, &size);
	} else {
		cmd_error("MEM002", t->name,
		          "out of memory; expect smaller outputs");
	}
	if (want && size != t->size)
		cmd_error("EXP001", path,
		          "%zu bytes, the tensor has %" PRIu64 "; make it anew",
		          size, t->size);
	else if (want)
		r = same(ls, t, (const uint8_t *)want, have, out) ? 1 : -2;
	free(path);
	free(have);
	free(want);
	return r;
}

int expect_outputs(struct lockstep *ls, const struct image *img,
                   const char *dir, FILE *out)
{
	int checked = 0;

	for (int i = 0; i < img->ntensors; i++) {
		int r;

		if (!img->tensor[i].output)
			continue;
		r = check_output(ls, &img->tensor[i], dir, out);
		if (r < 0)
			return r;
		checked++;
	}
	return checked;
}

static bool save(struct lockstep *ls, const struct image_tensor *t,
                 const char *dir)
{
	size_t len = strlen(dir) + strlen(t->name) + 6;
	char *path = malloc(len);
	uint8_t *have = malloc(t->size);
	FILE *f = NULL;
	bool ok = path && have;

	if (!ok)
		cmd_error("MEM002", t->name,
		          "out of memory; save smaller outputs");
	if (ok) {
		snprintf(path, len, "%s/%s.bin", dir, t->name);
		dram_get(ls->dram[SIDE_RTL], t->addr, have, t->size);
		f = fopen(path, "wb");
		ok = f && fwrite(have, 1, t->size, f) == t->size;
		if (f)
			ok = fclose(f) == 0 && ok;
		if (!ok)
			cmd_error("FIL004", path,
			          "cannot be written; check the folder");
	}
	free(path);
	free(have);
	return ok;
}

bool expect_save(struct lockstep *ls, const struct image *img, const char *dir)
{
	for (int i = 0; i < img->ntensors; i++)
		if (img->tensor[i].output && !save(ls, &img->tensor[i], dir))
			return false;
	return true;
}
