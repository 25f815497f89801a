/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Values of the fields of single events, for callers that process one event at a time. Columns and
 * values are the same as in the table of the event's type (tdat/table.h, docs/tables.md), without
 * the columns that all events share. In the table, a field is renamed if its name is the name of
 * one of the shared columns; here it is not.
 *
 *   tdat_cells_new(&cells, err);
 *   tdat_cells_type(cells, file, format, &type, err);      // once for each format
 *   for (i = 0; i < type->column_count; i++)
 *           tdat_cells_get(cells, type, i, event->record, &cell, err);
 *   tdat_cells_free(cells);
 *
 * Threads: a tdat_cells and its types belong to one thread.
 *
 * Owners: the caller frees a tdat_cells before it closes the files. Types belong to it.
 */
#ifndef TDAT_CELLS_H
#define TDAT_CELLS_H

#include <tdat/event.h>
#include <tdat/file.h>

TDAT_BEGIN_DECLS

struct tdat_cells;

enum tdat_cell_kind {
	TDAT_CELL_NULL,	   /* the field is not in the record, or has no name or symbol */
	TDAT_CELL_BOOL,	   /* number is 0 or 1 */
	TDAT_CELL_INT,	   /* number: an integer of len bytes, extended to 64 bits */
	TDAT_CELL_TEXT,	   /* bytes, which may be invalid UTF-8 */
	TDAT_CELL_BYTES,   /* bytes of unknown type */
	TDAT_CELL_INTS,	   /* bytes: integers of len bytes each */
	TDAT_CELL_BITS,	   /* bytes: words of len bytes; the value lists the set bits */
	TDAT_CELL_SYMBOL,  /* bytes: a function's name; number: the offset in the function */
	TDAT_CELL_SYMBOLS, /* bytes: addresses of len bytes each, for tdat_cells_symbol */
	TDAT_CELL_JSON	   /* bytes: one JSON value, in UTF-8 */
};

/* One value. Its bytes are valid until the next call with the same tdat_cells. */
struct tdat_cell {
	enum tdat_cell_kind kind;
	uint8_t len;
	bool is_signed; /* INT, INTS: number contains an int64_t */
	bool big;	/* INTS, BITS, SYMBOLS: bytes are big-endian */
	uint64_t number;
	struct tdat_span bytes;
};

/*
 * The columns of a format. Only the library creates these structs; later versions append members.
 */
struct tdat_cell_type {
	const struct tdat_event_format *format;
	const char *const *columns; /* names: UTF-8, unique even if case is ignored */
	size_t column_count;
};

/* tdat_cells_new creates a reader of values; tdat_cells_free frees it, NULL is allowed. */
TDAT_API enum tdat_status tdat_cells_new(struct tdat_cells **out, struct tdat_error *err);
TDAT_API void tdat_cells_free(struct tdat_cells *cells);

/*
 * tdat_cells_type determines the columns of a format of file. This takes time: call it once per
 * format. *type belongs to cells.
 */
TDAT_API enum tdat_status tdat_cells_type(struct tdat_cells *cells, struct tdat_file *file,
					  const struct tdat_event_format *format,
					  const struct tdat_cell_type **type,
					  struct tdat_error *err);

/*
 * tdat_cells_get reads the value of a column in a record of the type. It fails only if memory runs
 * out.
 */
TDAT_API enum tdat_status tdat_cells_get(struct tdat_cells *cells,
					 const struct tdat_cell_type *type, size_t column,
					 struct tdat_span record, struct tdat_cell *cell,
					 struct tdat_error *err);

/*
 * tdat_cells_symbol returns the name of the function that contains an address, and sets *off to the
 * offset of the address in the function. ptr is NULL if no known function contains the address. The
 * bytes are valid until the file is closed.
 */
TDAT_API struct tdat_span tdat_cells_symbol(struct tdat_cells *cells,
					    const struct tdat_cell_type *type, uint64_t addr,
					    uint64_t *off);

TDAT_END_DECLS
#endif
