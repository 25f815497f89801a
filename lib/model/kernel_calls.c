/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Finds the kernel's own functions that print fmts call, by name and kernel. Each kernel_*.c has a
 * table of rows. A function that is not found makes an argument that cannot be evaluated: see
 * docs/print-formats.md.
 */
#include "kernel_calls.h"

#include "kernel_call_tables.h"

#include "core/number.h"

static const struct kernel_call *const tables[] = {
	kernel_ata_calls,  kernel_misc_calls, kernel_name_calls, kernel_nvme_calls,
	kernel_scsi_calls, kernel_usb_calls,  kernel_xhci_calls,
};

/* True if the row has that name and is valid for that kernel; kernel 0 is unknown and takes any. */
static bool matches(const struct kernel_call *c, const char *name, size_t len, uint32_t kernel)
{
	if (strlen(c->name) != len || memcmp(c->name, name, len))
		return false;
	return !kernel || (kernel >= c->since && kernel <= c->until);
}

/* Rows of one name are in the order of kernels: the last match is the newest. */
const struct kernel_call *model_kernel_call_find(const char *name, size_t len, uint32_t kernel)
{
	const struct kernel_call *found = NULL;

	for (size_t i = 0; i < KERNEL_COUNT(tables); i++) {
		for (const struct kernel_call *c = tables[i]; c->name; c++) {
			if (matches(c, name, len, kernel))
				found = c;
		}
	}
	return found;
}

/* libata prints masks like this. Bits without a name print nothing, as in the kernel. */
void kernel_bits_text(struct tdat_build *out, const struct kernel_bit *bits, size_t count,
		      uint64_t value)
{
	tdat_build_str(out, "{ ");
	for (size_t i = 0; i < count; i++) {
		if (value & bits[i].mask) {
			tdat_build_str(out, bits[i].name);
			tdat_build_u8(out, ' ');
		}
	}
	tdat_build_u8(out, '}');
}

const char *kernel_name_of(const char *const *names, size_t count, uint64_t i, const char *other)
{
	return i < count && names[i] ? names[i] : other;
}

/* Copies n bytes, so that decoders read a fixed structure: a record may hold fewer, or none. */
void kernel_bytes(uint8_t *to, size_t n, const struct kernel_arg *arg)
{
	size_t have = arg->bytes.len < n ? arg->bytes.len : n;

	memset(to, 0, n);
	if (have)
		memcpy(to, arg->bytes.ptr, have);
}

void kernel_hex_text(struct tdat_build *out, const uint8_t *p, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (i)
			tdat_build_u8(out, ' ');
		tdat_number_x64(out, p[i], 2);
	}
}
