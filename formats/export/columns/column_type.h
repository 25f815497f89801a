/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The columns of a table, read once from its Arrow schema, for exporters that take record
 * batches (struct tdat_columns_ops). What is not in enum column_kind is refused here, so that
 * an exporter knows all types that it can meet.
 *
 * Source: "The Arrow C data interface", data type description and binary encoding of metadata,
 * https://arrow.apache.org/docs/format/CDataInterface.html
 */
#ifndef EXPORT_COLUMN_TYPE_H
#define EXPORT_COLUMN_TYPE_H

#include <tdat/arrow.h>
#include <tdat/error.h>

enum column_kind {
	COLUMN_BOOL,	  /* "b" */
	COLUMN_INT,	  /* "c" "C" "s" "S" "i" "I" "l" "L" */
	COLUMN_DOUBLE,	  /* "g" */
	COLUMN_TEXT,	  /* "u" */
	COLUMN_BYTES,	  /* "z" */
	COLUMN_TIMESTAMP, /* "tsn:" with a zone or without, int64 nanoseconds */
	COLUMN_DURATION,  /* "tDn", int64 nanoseconds */
};

/* Bytes of the Arrow encoding of key and value pairs; ptr NULL: there are none. */
struct column_metadata {
	void *ptr;
	size_t len;
};

struct column_type {
	char *name;
	enum column_kind kind; /* of a list: that of its items */
	uint8_t width;	       /* bytes of a number, 1, 2, 4 or 8; else 0 */
	bool is_signed;	       /* of an integer */
	bool as_signed;	       /* an integer that is written as the next wider one with a sign,
				* of 64 bits as decimal(20,0); set by exporters that do so */
	bool nullable;
	bool is_list; /* "+l" */
	bool item_nullable;
	char *item_name;     /* of a list, else NULL */
	uint8_t index_width; /* a text in a dictionary: bytes of the index; else 0 */
	bool index_signed;
	bool dictionary_ordered;
	char *zone; /* of a timestamp with a time zone, else NULL */
	struct column_metadata metadata;
};

struct column_types {
	struct column_type *v;
	size_t count;
	struct column_metadata metadata; /* of the table */
};

/*
 * Reads the schema and keeps copies of its texts. Fails with TDAT_E_USAGE where the schema is
 * no struct, has no column or a column of another type, or a name that is no UTF-8. After a
 * failure there is nothing to free. what names the format in sentences: "Parquet".
 */
enum tdat_status column_types_init(struct column_types *types, const struct ArrowSchema *schema,
				   const char *what, struct tdat_error *err);
void column_types_fini(struct column_types *types);

/* Gives out the pairs of some metadata. */
struct metadata_reader {
	const uint8_t *p;
	uint32_t left; /* pairs */
};

struct metadata_reader metadata_read(const struct column_metadata *m);
/* False: there are no more. */
bool metadata_next(struct metadata_reader *r, struct tdat_span *key, struct tdat_span *value);

#endif
