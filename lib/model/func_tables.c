/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Finds the functions that print fmts call, by name and kernel. Each kernel_*.c has a table of the
 * kernel's own, native_func.c and native_scsi.c have those of plugins. A function of the kernel
 * that is not found makes an argument that cannot be evaluated: see docs/print-formats.md.
 */
#include "func_tables.h"

static const struct print_func *const kernel_tables[] = {
	kernel_ata_funcs,  kernel_misc_funcs, kernel_name_funcs, kernel_nvme_funcs,
	kernel_scsi_funcs, kernel_usb_funcs,  kernel_xhci_funcs,
};
static const struct print_func *const plugin_tables[] = {native_funcs, native_scsi_funcs};

/* True if the row has that name and is valid for that kernel; kernel 0 is unknown and takes any. */
static bool matches(const struct print_func *f, const char *name, size_t len, uint32_t kernel)
{
	if (strlen(f->name) != len || memcmp(f->name, name, len))
		return false;
	return !kernel || (kernel >= f->since && kernel <= f->until);
}

/* Rows of one name are in the order of kernels: the last match is the newest. */
static const struct print_func *find(const struct print_func *const *tables, size_t count,
				     const char *name, size_t len, uint32_t kernel)
{
	const struct print_func *found = NULL;

	for (size_t i = 0; i < count; i++)
		for (const struct print_func *f = tables[i]; f->name; f++)
			if (matches(f, name, len, kernel))
				found = f;
	return found;
}

const struct print_func *kernel_func_find(const char *name, size_t len, uint32_t kernel)
{
	return find(kernel_tables, KERNEL_COUNT(kernel_tables), name, len, kernel);
}

const struct print_func *plugin_func_find(const char *name, size_t len)
{
	return find(plugin_tables, KERNEL_COUNT(plugin_tables), name, len, 0);
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

void kernel_put_name(const struct func_args *a, uint64_t i, struct tdat_build *out)
{
	tdat_build_str(out, kernel_name_of(a->func->names, a->func->count, i, a->func->other));
}

void kernel_named(const struct func_args *a, struct tdat_build *out)
{
	kernel_put_name(a, a->v[0].num, out);
}

/* Copies n bytes, so that decoders read a fixed structure: a record may hold fewer, or none. */
void kernel_bytes(uint8_t *to, size_t n, const struct func_arg *arg)
{
	size_t have = arg->bytes.len < n ? arg->bytes.len : n;

	memset(to, 0, n);
	if (have)
		memcpy(to, arg->bytes.ptr, have);
}
