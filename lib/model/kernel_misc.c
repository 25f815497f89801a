/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Holds functions of print fmts that belong to no larger family. A row of the table below has
 * the name, the number of arguments and the kernels in which it exists; kernel_calls.c finds
 * it. Add a helper here if no other kernel_*.c fits.
 */
#include "kernel_call_tables.h"

/*
 * decode_prq_descriptor() of the Intel IOMMU driver: the layout of a page request descriptor of the
 * VT-d specification. Arguments 2 to 5 are its four words.
 */
static uint64_t page_request(const struct kernel_arg *args, bool big, uint32_t kernel,
			     struct tdat_build *out)
{
	unsigned long long w0 = args[2].num;
	unsigned long long w1 = args[3].num;

	(void)big;
	(void)kernel;
	tdat_build_printf(out, "rid=0x%llx addr=0x%llx %c%c%c%c%c pasid=0x%llx index=0x%llx",
			  w0 >> 16 & 0xffff, w1 >> 12, w1 & 1 ? 'r' : '-', w1 >> 1 & 1 ? 'w' : '-',
			  w0 >> 52 & 1 ? 'x' : '-', w0 >> 53 & 1 ? 'p' : '-',
			  w1 >> 2 & 1 ? 'l' : '-', w0 >> 32 & 0xfffff, w1 >> 3 & 0x1ff);
	/* The private data is valid only if its bit is set. */
	if (w0 >> 9 & 1)
		tdat_build_printf(out, " private=0x%llx/0x%llx\n", (unsigned long long)args[4].num,
				  (unsigned long long)args[5].num);
	return 0;
}

const struct kernel_call kernel_misc_calls[] = {
	{"decode_prq_descriptor",
	 6,
	 {SEQ, SEQ, NUM, NUM, NUM, NUM},
	 true,
	 0,
	 false,
	 0,
	 KERNEL_LAST,
	 page_request},
	{NULL, 0, {0}, false, 0, false, 0, 0, NULL},
};
