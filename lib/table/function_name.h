/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Texts of addresses: the function that lies there. */
#ifndef TDAT_TABLE_FUNCTION_NAME_H
#define TDAT_TABLE_FUNCTION_NAME_H

#include "core/build.h"
#include "model/symbols.h"

/*
 * Of a longer name so many bytes and a mark are given out, so that a column of a small file cannot
 * take gigabytes. Kernels have at most 511 (KSYM_NAME_LEN), and a module's name behind it.
 */
enum { TABLE_FUNCTION_NAME_MAX = 576 };

/*
 * Makes out "name+0x10", or the name alone at the function's start. Where there is none: with
 * number "0x" and the address, else false. symbols may be NULL.
 */
bool table_function_name(struct tdat_build *out, const struct model_symbols *symbols, uint64_t addr,
			 bool number);

#endif
