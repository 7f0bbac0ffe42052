/* SPDX-License-Identifier: Apache-2.0
 *
 * The text form of a plant: FIELD[#index]@CYCLE[:rtl|model][^MASK].
 */
#ifndef HARNESS_PLANT_H
#define HARNESS_PLANT_H

#include "harness/lockstep.h"

#include <stdbool.h>
#include <stddef.h>

/* "SP.rf[3]@100", "SP.rf#3@100:model^0x80".  Without a side: rtl; without a
 * mask: bit 0.  false, with what is wrong in why, when it is none. */
bool plant_parse(const char *text, struct plant *p, char *why, size_t size);

/* The text that plant_parse reads back. */
const char *plant_text(const struct plant *p, char *buf, size_t size);

#endif
