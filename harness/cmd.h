/* SPDX-License-Identifier: Apache-2.0
 *
 * The subcommands of the program tpb.
 *
 * Each takes its own argument vector (argv[0] is its name) and returns the
 * exit status of the program: 0 done or PASS, 1 a negative verdict, 2 bad
 * input or usage with one message on stderr:
 *
 *   tpb: error[<ID>]: <place>: <what>; <what to do>
 */
#ifndef HARNESS_CMD_H
#define HARNESS_CMD_H

#include "image/image.h"

#include <argp.h>
#include <stdint.h>

enum { CMD_OK = 0, CMD_NEGATIVE = 1, CMD_BAD = 2 };

int cmd_asm(int argc, char **argv);
int cmd_dis(int argc, char **argv);
int cmd_compile(int argc, char **argv);
int cmd_interp(int argc, char **argv);
int cmd_cosim(int argc, char **argv);
int cmd_run(int argc, char **argv);
int cmd_fuzz(int argc, char **argv);
int cmd_kfuzz(int argc, char **argv);
int cmd_conform(int argc, char **argv);
int cmd_plants(int argc, char **argv);
int cmd_reglist(int argc, char **argv);
int cmd_fields(int argc, char **argv);
int cmd_bench(int argc, char **argv);

/* Print an error in the form above; returns CMD_BAD. */
int cmd_error(const char *id, const char *place, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* The same for an error of the image library or the assembler. */
int cmd_image_error(const struct image_error *err);

/* argp_parse with usage errors in the form above.  Returns 0, or CMD_BAD
 * after a message.  --help and --usage exit. */
int cmd_parse(const struct argp *argp, int argc, char **argv, void *input);

/* How many threads or processes this machine can run at a time, from 1 to
 * most. */
int cmd_cores(int most);

/* A whole number, decimal, 0x or 0 octal; false when text is anything else
 * or does not fit 64 bits. */
bool cmd_u64(const char *text, uint64_t *v);
/* The same for the value of an option: 0, or ECANCELED after a message; any
 * number, or one from low to high. */
error_t cmd_number(const char *option, const char *arg, uint64_t *v);
error_t cmd_range(const char *option, const char *arg, uint64_t low,
                  uint64_t high, uint64_t *v);

/* The whole of a file; NULL with a message when it cannot be read. */
char *cmd_read_file(const char *path, size_t *size);

/* Read a .tpb file, assemble a .s file or compile a .klr file, and resolve
 * it.  NULL after a message on stderr.  data: where a kernel's data files are,
 * NULL: beside it. */
struct image *cmd_load(const char *path);
struct image *cmd_load_data(const char *path, const char *data);

#endif
