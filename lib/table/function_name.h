/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Texts of addresses: the function that lies there. */
#ifndef TDAT_TABLE_FUNCTION_NAME_H
#define TDAT_TABLE_FUNCTION_NAME_H

#include "builder.h"
#include "decode_run.h"
#include "model/symbols.h"

/*
 * Of a longer name so many bytes and a mark are given out, so that a column of a small file cannot
 * take gigabytes. Kernels have at most 511 (KSYM_NAME_LEN), and a module's name behind it.
 */
enum { TABLE_FUNCTION_NAME_MAX = 576 };

/*
 * The index of the name in the builder's dictionary, where it gets the address as key if keyed: all
 * rows have the same symbols. Where there is none, with number that of the address, else below 0. A
 * lack of memory sets the builder's failed. text: room for the name.
 */
int32_t table_add_symbol(struct table_builder *b, struct tdat_build *text,
			 const struct model_symbols *symbols, uint64_t addr, bool number,
			 bool keyed);

static inline int32_t table_symbol_index(struct table_builder *b, struct tdat_build *text,
					 const struct model_symbols *symbols, uint64_t addr,
					 bool number, bool keyed)
{
	const int32_t index = keyed ? table_dict_key(b->dict, addr) : TABLE_DICT_NEW;

	return index != TABLE_DICT_NEW ? index
				       : table_add_symbol(b, text, symbols, addr, number, keyed);
}

/*
 * Puts the names of a list of addresses of len bytes each. An address without a function is its
 * number, as are those behind the names that together reach the limit print_len, since a crafted
 * stack must not grow without end.
 */
void table_put_symbols(struct table_builder *b, struct tdat_build *text,
		       const struct table_input *in, struct tdat_span addrs, uint8_t len, bool big,
		       bool keyed);

#endif
