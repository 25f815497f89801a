/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Writes values of fields as JSON and CSV. */
#ifndef EXPORT_PUT_CELL_H
#define EXPORT_PUT_CELL_H

#include <tdat/cells.h>

#include "core/build.h"

/* How values are written. */
struct export_style {
	bool csv;
	bool hex, strings; /* 64-bit numbers, in JSON */
};

/* JSON texts of functions that were written lately. All zero: none. */
enum { EXPORT_SYMBOL_BITS = 10, EXPORT_SYMBOL_TEXT = 80 };

struct export_symbols {
	struct export_symbol {
		const uint8_t *name; /* of a file's table of symbols, where it never moves */
		uint64_t off;
		size_t len;
		uint8_t text[EXPORT_SYMBOL_TEXT]; /* with its quotes */
	} slots[1 << EXPORT_SYMBOL_BITS];
};

/* What looks up names of functions, and room to make them in. */
struct export_names {
	struct tdat_cells *cells;
	const struct tdat_cell_type *type;
	struct export_symbols *symbols;
	struct tdat_build *text;
};

/*
 * Writes a value; a null is "null" or nothing. False: names of functions in it would make out
 * longer than most; out is as it was then. All else is bounded by the length of the record.
 */
bool export_cell(struct tdat_build *out, const struct export_style *style,
		 const struct export_names *names, const struct tdat_cell *cell, size_t most);

/* Writes the numbers of a list, or of the bits that are set, without brackets. */
void export_items(struct tdat_build *out, const struct export_style *style,
		  const struct tdat_cell *cell);

#endif
