/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels as the commands take them.
 */
#ifndef HARNESS_KERNEL_H
#define HARNESS_KERNEL_H

struct bir_module;
struct compile_opts;
struct image;

/* The IR of a kernel file.  data: where its data files are, NULL: beside it.
 * NULL after a message on stderr. */
struct bir_module *kernel_lower(const char *path, const char *data, int gen);

/* Its program image, in file form. */
struct image *kernel_image(const char *path, const char *data,
                           const struct compile_opts *opts);

#endif
