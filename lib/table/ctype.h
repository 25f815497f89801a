/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the C type in a format file says of the values of a field. */
#ifndef TDAT_TABLE_CTYPE_H
#define TDAT_TABLE_CTYPE_H

#include <tdat/event.h>

struct table_ctype {
	uint32_t len;	 /* bytes of one value, or of one element of an array; 0: not known */
	uint32_t widest; /* the same in the kernel that has most; 0: not known */
	bool is_signed;
	bool is_bool;
	bool is_char;	 /* char, not signed or unsigned char: text in arrays */
	bool is_cpumask; /* cpumask_t and its like */
};

/*
 * Reads a type such as "const unsigned long", "__data_loc char[]" or "u8[16]". long_size are
 * the bytes of a C long and of a pointer.
 */
struct table_ctype table_ctype(const char *type, uint32_t long_size);

#endif
