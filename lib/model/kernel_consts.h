/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Declares the values of names that kernels leave in print fmts: enumerators that a kernel does
 * not replace by numbers when it exports a format (IOPRIO_CLASS_RT, HRTIMER_MODE_ABS).
 */
#ifndef TDAT_MODEL_KERNEL_CONSTS_H
#define TDAT_MODEL_KERNEL_CONSTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A kernel's version as one number, for comparisons; 0: not known. */
#define MODEL_KERNEL(major, minor, patch)                                                          \
	((uint32_t)(major) << 16 | (uint32_t)(minor) << 8 | (uint32_t)(patch))
#define MODEL_KERNEL_ANY UINT32_MAX /* until: all later kernels, too */

enum { MODEL_KERNEL_CONST_NAME = 51 }; /* longest name in the table and its NUL */

/*
 * One name in one range of kernels, both ends included. Names are stored in place, because
 * pointers would need relocations whenever the program starts.
 */
struct model_kernel_const {
	char name[MODEL_KERNEL_CONST_NAME];
	int32_t value;
	uint32_t since;
	uint32_t until;
	bool changed; /* other kernels have another value: not valid where the kernel is unknown */
};

/* Sorted by name, then by range. */
extern const struct model_kernel_const model_kernel_consts[];
extern const size_t model_kernel_const_count;

/*
 * The value of name in this kernel. False: not known, or not for this kernel. Kernel 0
 * is unknown and knows only names that had one value in all kernels.
 */
bool model_kernel_const(const char *name, size_t len, uint32_t kernel, int64_t *value);

#endif
