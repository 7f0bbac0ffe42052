/* SPDX-License-Identifier: Apache-2.0
 *
 * A loaded image as the two sides take it: what the model's configuration,
 * the core's static inputs and the DRAM of a side get from it, each in one
 * place.  Nothing is copied but numbers and the initial bytes of tensors; the
 * image must outlive the run.
 */
#ifndef HARNESS_PROGRAM_H
#define HARNESS_PROGRAM_H

#include "cmodel/tpb.h"
#include "harness/dram.h"
#include "harness/rtl.h"
#include "image/image.h"

/* Streams, DMA program, rank, profile and fp8 bits; the rest of *cfg stays.
 * A reset of the model must follow. */
void program_model(struct tpb_config *cfg, const struct image *img);
struct rtl_program program_rtl(const struct image *img);

/* The initial bytes of the tensors that have some. */
void program_tensors(struct dram *d, const struct image *img);
/* A DRAM as the model's port. */
struct tpb_dram program_port(struct dram *d);

#endif
