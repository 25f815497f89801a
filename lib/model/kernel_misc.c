/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Holds functions of print fmts that belong to no larger family. A row of the table below has
 * the name, the kinds of arguments and the kernels in which it exists; func_tables.c finds
 * it. Add a helper here if no other kernel_*.c fits.
 */
#include "func_tables.h"

/*
 * decode_prq_descriptor() of the Intel IOMMU driver: the layout of a page request descriptor of the
 * VT-d specification. The arguments are its four words.
 */
static void page_request(const struct func_args *a, struct tdat_build *out)
{
	unsigned long long w0 = a->v[0].num;
	unsigned long long w1 = a->v[1].num;

	tdat_build_printf(out, "rid=0x%llx addr=0x%llx %c%c%c%c%c pasid=0x%llx index=0x%llx",
			  w0 >> 16 & 0xffff, w1 >> 12, w1 & 1 ? 'r' : '-', w1 >> 1 & 1 ? 'w' : '-',
			  w0 >> 52 & 1 ? 'x' : '-', w0 >> 53 & 1 ? 'p' : '-',
			  w1 >> 2 & 1 ? 'l' : '-', w0 >> 32 & 0xfffff, w1 >> 3 & 0x1ff);
	/* The private data is valid only if its bit is set. */
	if (w0 >> 9 & 1)
		tdat_build_printf(out, " private=0x%llx/0x%llx\n", (unsigned long long)a->v[2].num,
				  (unsigned long long)a->v[3].num);
}

const struct print_func kernel_misc_funcs[] = {
	{"decode_prq_descriptor", "..nnnn", 0, KERNEL_LAST, .run = page_request},
	{.name = NULL},
};
