/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Declares the tables that kernel_calls.c joins, each ended by a row without a name. */
#ifndef TDAT_MODEL_KERNEL_CALL_TABLES_H
#define TDAT_MODEL_KERNEL_CALL_TABLES_H

#include "kernel_call.h"
#include "kernel_consts.h"

extern const struct kernel_call kernel_ata_calls[];
extern const struct kernel_call kernel_misc_calls[];
extern const struct kernel_call kernel_name_calls[];
extern const struct kernel_call kernel_nvme_calls[];
extern const struct kernel_call kernel_scsi_calls[];
extern const struct kernel_call kernel_usb_calls[];
extern const struct kernel_call kernel_xhci_calls[];

/* Argument kinds of a row. */
#define SEQ KERNEL_ARG_SEQ
#define NUM KERNEL_ARG_NUM
#define BYTES KERNEL_ARG_BYTES
#define TEXT KERNEL_ARG_TEXT
/* The last kernel whose sources were read. */
#define KERNEL_LAST MODEL_KERNEL(6, 18, 255)

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

/* names[i], or other where there is none. */
const char *kernel_name_of(const char *const *names, size_t count, uint64_t i, const char *other);

/* n bytes in a buffer that is zero where they end early. */
void kernel_bytes(uint8_t *to, size_t n, const struct kernel_arg *arg);

/* "00 11 22": bytes as %*ph prints them. */
void kernel_hex_text(struct tdat_build *out, const uint8_t *p, size_t n);

#define KERNEL_COUNT(a) (sizeof(a) / sizeof((a)[0]))

#endif
