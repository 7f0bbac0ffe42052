/* SPDX-License-Identifier: Apache-2.0
 *
 * What a run was expected to leave behind: output tensors and faults.
 */
#ifndef HARNESS_EXPECT_H
#define HARNESS_EXPECT_H

#include "harness/lockstep.h"

#include <stdbool.h>
#include <stdint.h>

/* ENGINE=CODE[@PC]: an engine that must end FAULTED (or HALTED, when CODE
 * is HALTED). */
struct expect_fault {
	int engine;
	bool halted;
	uint8_t code;
	bool has_pc;
	uint32_t pc;
};

bool expect_fault_parse(const char *text, struct expect_fault *f);

/* Do the ends of all engines match?  Every engine that did not exit must be
 * named, and every named one must have ended so.  Tells on out about the
 * first that does not. */
bool expect_faults(struct lockstep *ls, const struct expect_fault *f, int n,
                   FILE *out);

/* Compare each output tensor on both sides with the file DIR/NAME.bin.
 * Returns the number of tensors checked, -1 after a message on stderr when a
 * file cannot be used, -2 after telling on out what differs. */
int expect_outputs(struct lockstep *ls, const struct image *img,
                   const char *dir, FILE *out);

/* Write each output tensor of the RTL to the file DIR/NAME.bin; false after a
 * message on stderr. */
bool expect_save(struct lockstep *ls, const struct image *img, const char *dir);

#endif
