/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside the report: what its files share.
 */
#ifndef HARNESS_REPORT_PRIV_H
#define HARNESS_REPORT_PRIV_H

#include "image/image.h"
#include "isa/state.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define REPORT_COLUMNS 100

/* A line, cut to the columns. */
void report_line(FILE *out, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* Is it a field of the DMA unit? */
bool report_of_dma(int field);

/* Does a bundle drive a queue? */
bool report_queue_bundle(const uint8_t *bundle);

/* The state of the unit that the difference is about, RTL s[0] and model s[1]:
 * the DMA unit when the field is one of its, else what the bundle of the
 * engine uses.  At most 7 lines.  field and engine may be -1. */
void report_unit(const struct image *img, const struct tpb_state s[2],
                 int field, int index, int engine, FILE *out);

#endif
