/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * One column of a Parquet file while its rows come: values of the page that is open, and the
 * pages of the column chunk that are finished, encoded and compressed.
 *
 * Nested columns are lists of one level: the standard form, an optional or required group
 * (LIST) with a repeated group "list" with the item "element" (LogicalTypes.md, "Lists").
 */
#ifndef PARQUET_COLUMN_H
#define PARQUET_COLUMN_H

#include "export/columns/array_view.h"
#include "export/columns/scratch_pool.h"
#include "export/columns/dictionary.h"
#include "encode.h"
#include "value_range.h"

/* Physical types, with their numbers in the footer. */
enum parquet_type {
	PARQUET_BOOLEAN = 0,
	PARQUET_INT32 = 1,
	PARQUET_INT64 = 2,
	PARQUET_DOUBLE = 5,
	PARQUET_BYTE_ARRAY = 6,
	PARQUET_FIXED_LEN_BYTE_ARRAY = 7,
};

/* Numbers of compression codecs in the footer. */
enum parquet_codec {
	PARQUET_UNCOMPRESSED = 0,
	PARQUET_ZSTD = 6,
};

/* A finished page. */
struct page_record {
	uint64_t off;	    /* in the pages of the chunk */
	uint64_t first_row; /* in the row group */
	uint32_t len;	    /* with its head */
	uint32_t slots;	    /* values, nulls and empty lists */
	uint32_t nulls;	    /* of those no values */
	struct value_range range;
};

/* Buffers of the page and of the row group that a thread makes: none is needed in between. */
struct column_scratch {
	struct scratch head;
	struct tdat_build raw, packed, entries;		  /* of a page */
	struct tdat_build column_indexes, offset_indexes; /* of a row group */
};

/* What all columns of a table share. */
struct column_setup {
	bool compress;			/* pages, if that makes them smaller */
	size_t page_slots;		/* of a page, about */
	size_t page_len;		/* bytes of text in a page, about */
	struct column_scratch *scratch; /* while a thread works on the table */
};

/* Whether a chunk has a dictionary. */
enum dictionary_use {
	DICTIONARY_TRY, /* no page was finished yet */
	DICTIONARY_ON,
	DICTIONARY_OFF, /* other pages follow, also if earlier ones use it */
};

struct column {
	const struct column_type *type;
	struct column_setup *setup;
	enum parquet_type physical;
	uint8_t max_def, max_rep;
	/* The open page. Levels are kept only when they differ. */
	struct tdat_build values; /* uint8_t, uint32_t, uint64_t or bytes of texts */
	struct tdat_build lens;	  /* uint32_t, of texts that are in no dictionary */
	struct tdat_build defs, reps;
	bool has_defs;
	size_t rows, slots, count; /* count: values that are not null */
	/* The chunk. */
	enum parquet_codec codec;
	enum dictionary_use use;
	bool dictionary_used;
	struct dictionary *dictionary; /* made when the first value is put into it */
	bool no_dictionary;	       /* there was no memory for it */
	struct tdat_build pages;
	struct page_record *records;
	size_t record_count, record_cap;
	uint64_t raw_len; /* of its pages with their heads, not compressed */
	uint64_t chunk_rows, chunk_slots, chunk_nulls;
	uint32_t encodings; /* a bit for each enum parquet_encoding of data pages */
	/* The entries of the batch's dictionary by their number there. */
	uint32_t *map;
	size_t map_len, map_cap;
};

void column_init(struct column *c, const struct column_type *type, struct column_setup *setup);
void column_fini(struct column *c);

/* Before the rows of a batch, and after column_reset in the middle of one. */
enum tdat_status column_batch(struct column *c, const struct array_view *view,
			      struct tdat_error *err);
/* n rows of the batch. */
enum tdat_status column_rows(struct column *c, const struct array_view *view, size_t first,
			     size_t n, struct tdat_error *err);
/* Ends the page if it is long enough, or a dictionary that is of no use. Between rows. */
enum tdat_status column_check(struct column *c, struct tdat_error *err);
/* Ends the open page, if it has rows (page.c). */
enum tdat_status column_end_page(struct column *c, struct tdat_error *err);
/* Bytes of n rows that are long: texts, lists. */
size_t column_rows_len(const struct column *c, const struct array_view *view, size_t first,
		       size_t n);
/* After the chunk was written: nothing is left of it, and its memory is given back but for what the
 * next one surely needs. */
void column_reset(struct column *c);

/* Whether numbers are kept as INT64 and written as decimals. */
static inline bool column_is_decimal(const struct column *c)
{
	return c->type->as_signed && c->type->width == 8;
}

/* The physical type in the file; that of the column is how values are kept. */
static inline enum parquet_type column_physical(const struct column *c)
{
	return column_is_decimal(c) ? PARQUET_FIXED_LEN_BYTE_ARRAY : c->physical;
}

/* Bytes of memory that rows are kept in. */
static inline size_t column_held(const struct column *c)
{
	return (c->values.len ? c->values.cap : 0) + c->lens.cap + (c->defs.len ? c->defs.cap : 0) +
	       c->reps.cap + c->pages.cap + c->record_cap * sizeof(*c->records) +
	       (c->dictionary ? sizeof(*c->dictionary) + dictionary_held(c->dictionary) : 0);
}

/* The column's dictionary, which is made by the first call; NULL: there is no memory. */
struct dictionary *column_dictionary(struct column *c);

/* Whether the dictionary has no memory for all it was to take. */
static inline bool column_dictionary_failed(const struct column *c)
{
	return c->no_dictionary || (c->dictionary && dictionary_failed(c->dictionary));
}

/* Entries of the dictionary. */
static inline uint32_t column_entries(const struct column *c)
{
	return c->dictionary ? c->dictionary->count : 0;
}

/* The head and the bytes of a page behind each other (page.c). */
enum tdat_status page_dictionary(struct column *c, struct tdat_build *out, size_t *raw_len,
				 struct tdat_error *err);

enum tdat_status column_no_memory(struct tdat_error *err);

#endif
