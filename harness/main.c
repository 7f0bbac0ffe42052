/* SPDX-License-Identifier: Apache-2.0
 *
 * The program tpb: finds the subcommand and runs it.
 */
#include "harness/cmd.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define VERSION "tpb 0.1"

static const struct command {
	const char *name, *text;
	int (*run)(int argc, char **argv);
} commands[] = {
    {"asm", "assemble a source file to a program image", cmd_asm},
    {"dis", "print a program image as assembly", cmd_dis},
    {"compile", "compile a kernel to a program image", cmd_compile},
    {"interp", "run a kernel in the interpreter of the IR", cmd_interp},
    {"cosim", "run a program on RTL and model in lockstep", cmd_cosim},
    {"run", "execute a program on the model, fast, without cycles", cmd_run},
    {"fuzz", "run random programs in lockstep", cmd_fuzz},
    {"kfuzz", "run random kernels in interpreter and model", cmd_kfuzz},
    {"conform", "try the vector ops against an oracle", cmd_conform},
    {"plants", "prove that every compared field is watched", cmd_plants},
    {"reglist", "list RTL registers that nobody compares", cmd_reglist},
    {"fields", "list the compared fields", cmd_fields},
    {"bench", "measure RTL, model and lockstep speed", cmd_bench},
};

#define NCOMMANDS (sizeof(commands) / sizeof(*commands))

static void help(void)
{
	printf("Usage: tpb COMMAND [OPTION...] [ARG...]\n"
	       "Co-simulate the control side of a tensor processing block.\n\n"
	       "Commands ('tpb COMMAND --help' for more):\n");
	for (size_t i = 0; i < NCOMMANDS; i++)
		printf("  %-9s %s\n", commands[i].name, commands[i].text);
	printf("\nExit status: 0 done or PASS, 1 a negative verdict, 2 bad "
	       "input or usage.\n");
}

int main(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : "";

	if (!strcmp(name, "--help") || !strcmp(name, "-?")) {
		help();
		return CMD_OK;
	}
	if (!strcmp(name, "--version") || !strcmp(name, "-V")) {
		puts(VERSION);
		return CMD_OK;
	}
	for (size_t i = 0; i < NCOMMANDS; i++)
		if (!strcmp(name, commands[i].name)) {
			int status = commands[i].run(argc - 1, argv + 1);
			/* A full disk must not look like a PASS. */
			if (fflush(stdout) || ferror(stdout))
				status = cmd_error("FIL004", "standard output",
				                   "cannot be written; see "
				                   "where it goes");
			return status;
		}
	return cmd_error("USE000", "command line", "%s%s%s; see 'tpb --help'",
	                 *name ? "no command '" : "no command", name,
	                 *name ? "'" : "");
}
