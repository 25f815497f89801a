/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Values of the fields of single events, by the schema of tables (tdat/table.h): the same columns
 * and the same values as the table of the event's type has, for those who take one event after
 * the other. docs/tables.md says what becomes of which field; columns of every event are not among
 * them, so that no field is renamed for one.
 *
 *   tdat_cells_new(&cells, err);
 *   tdat_cells_type(cells, file, format, &type, err);      // once for each format
 *   for (i = 0; i < type->column_count; i++)
 *           tdat_cells_get(cells, type, i, event->record, &cell, err);
 *   tdat_cells_free(cells);
 *
 * Threads: a tdat_cells, with its types, belongs to one thread.
 *
 * Owners: a tdat_cells is the caller's to free, before the files are closed. Types belong to it.
 */
#ifndef TDAT_CELLS_H
#define TDAT_CELLS_H

#include <tdat/event.h>
#include <tdat/file.h>

TDAT_BEGIN_DECLS

struct tdat_cells;

enum tdat_cell_kind {
	TDAT_CELL_NULL,	 /* the field does not lie in the record, or has no name or symbol */
	TDAT_CELL_BOOL,	 /* number is 0 or 1 */
	TDAT_CELL_INT,	 /* number: of len bytes in the trace, here with 64 bits */
	TDAT_CELL_TEXT,	 /* bytes, which may be no UTF-8 */
	TDAT_CELL_BYTES, /* bytes of no known type */
	TDAT_CELL_INTS,	 /* bytes: integers of len bytes each */
	TDAT_CELL_BITS,	 /* bytes: words of len bytes; a list of the numbers of bits that are set */
	TDAT_CELL_SYMBOL,  /* bytes: a function's name; number: the offset in it */
	TDAT_CELL_SYMBOLS, /* bytes: addresses of len bytes each, for tdat_cells_symbol */
	TDAT_CELL_JSON	   /* bytes: one JSON value, in UTF-8 */
};

/* One value. Its bytes are valid until the next call with the same tdat_cells. */
struct tdat_cell {
	enum tdat_cell_kind kind;
	uint8_t len;
	bool is_signed; /* INT, INTS: number stands for an int64_t */
	bool big;	/* INTS, BITS, SYMBOLS: byte order of bytes */
	uint64_t number;
	struct tdat_span bytes;
};

/* What a format's columns are. Only the library makes these; members are appended. */
struct tdat_cell_type {
	const struct tdat_event_format *format;
	const char *const *columns; /* names: UTF-8, each different without regard to case */
	size_t column_count;
};

/* tdat_cells_new makes a reader of values; tdat_cells_free frees it, NULL is allowed. */
TDAT_API enum tdat_status tdat_cells_new(struct tdat_cells **out, struct tdat_error *err);
TDAT_API void tdat_cells_free(struct tdat_cells *cells);

/*
 * tdat_cells_type makes the columns of a format of file, which takes time: call it once for each.
 * *type belongs to cells.
 */
TDAT_API enum tdat_status tdat_cells_type(struct tdat_cells *cells, struct tdat_file *file,
					  const struct tdat_event_format *format,
					  const struct tdat_cell_type **type,
					  struct tdat_error *err);

/*
 * tdat_cells_get reads the value of a column in a record of the type. It fails only without
 * memory.
 */
TDAT_API enum tdat_status tdat_cells_get(struct tdat_cells *cells,
					 const struct tdat_cell_type *type, size_t column,
					 struct tdat_span record, struct tdat_cell *cell,
					 struct tdat_error *err);

/*
 * tdat_cells_symbol returns the name of the function that an address lies in, and the offset in
 * it; ptr is NULL where there is none. The bytes are valid until the file is closed.
 */
TDAT_API struct tdat_span tdat_cells_symbol(struct tdat_cells *cells,
					    const struct tdat_cell_type *type, uint64_t addr,
					    uint64_t *off);

TDAT_END_DECLS
#endif
