/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Declares the tables of functions, each ended by a row without a name, and what their rows share.
 */
#ifndef TDAT_MODEL_FUNC_TABLES_H
#define TDAT_MODEL_FUNC_TABLES_H

#include "kernel_consts.h"
#include "print_func.h"

extern const struct print_func kernel_ata_funcs[];
extern const struct print_func kernel_misc_funcs[];
extern const struct print_func kernel_name_funcs[];
extern const struct print_func kernel_nvme_funcs[];
extern const struct print_func kernel_scsi_funcs[];
extern const struct print_func kernel_usb_funcs[];
extern const struct print_func kernel_xhci_funcs[];
extern const struct print_func native_funcs[];
extern const struct print_func native_scsi_funcs[];

/* The last kernel whose sources were read. */
#define KERNEL_LAST MODEL_KERNEL(6, 18, 255)
/* since and until of a function that never changed. */
#define ALWAYS 0, MODEL_KERNEL_ANY

/* True from release major.minor on; the unknown kernel counts as the newest. */
static inline bool kernel_from(uint32_t kernel, unsigned major, unsigned minor)
{
	return !kernel || kernel >= MODEL_KERNEL(major, minor, 0);
}

/* Names of the bits of a mask. */
struct kernel_bit {
	uint32_t mask;
	const char *name;
};

/* "{ NAME NAME }": the names of bits that are set, each with a blank behind it. */
void kernel_bits_text(struct tdat_build *out, const struct kernel_bit *bits, size_t count,
		      uint64_t value);

#define KERNEL_COUNT(a) (sizeof(a) / sizeof((a)[0]))
/* names[i], or other where there is none. */
const char *kernel_name_of(const char *const *names, size_t count, uint64_t i, const char *other);
#define KERNEL_NAME(names, i, other) kernel_name_of(names, KERNEL_COUNT(names), i, other)

/* Appends the name of i in the names of the function's row. */
void kernel_put_name(const struct func_args *a, uint64_t i, struct tdat_build *out);
/* A run function that names its argument, and the columns of its row. */
void kernel_named(const struct func_args *a, struct tdat_build *out);
#define NAMES_BY(function, list, none)                                                             \
	.run = function, .names = list, .count = KERNEL_COUNT(list), .other = none
#define NAMES(list, none) NAMES_BY(kernel_named, list, none)

/* n bytes in a buffer that is zero where they end early. */
void kernel_bytes(uint8_t *to, size_t n, const struct func_arg *arg);

/* "(mmu_update)", or "" for an unknown number: the plugin's and the kernel's function share it. */
const char *model_hypercall_name(uint32_t op);

#endif
