/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Copies columns of Arrow batches into vectors of DuckDB. The types are those that DuckDB makes of
 * the same Arrow columns. The stable C API has no vector that shares memory with others, and none
 * with a dictionary: numbers are copied in one piece, and a string of a dictionary is made once for
 * each chunk and its 16 bytes, which say where it is, copied to the rows that have it.
 */
#include "duck.h"

#include <stdlib.h>
#include <string.h>

#include "core/grow.h"

/* ---- types ---- */

static duckdb_type integer_type(char format)
{
	static const char formats[] = "csilCSIL";
	static const duckdb_type types[] = {
		DUCKDB_TYPE_TINYINT,  DUCKDB_TYPE_SMALLINT, DUCKDB_TYPE_INTEGER,
		DUCKDB_TYPE_BIGINT,   DUCKDB_TYPE_UTINYINT, DUCKDB_TYPE_USMALLINT,
		DUCKDB_TYPE_UINTEGER, DUCKDB_TYPE_UBIGINT,
	};
	const char *at = strchr(formats, format);

	return at && *at ? types[at - formats] : DUCKDB_TYPE_INVALID;
}

/* Timestamps with a zone have nanoseconds since DuckDB 2.0, and microseconds before. */
static duckdb_logical_type timestamp_type(void)
{
	duckdb_logical_type t = duckdb_create_logical_type((duckdb_type)DUCK_TIMESTAMP_TZ_NS);

	if (t && (int)duckdb_get_type_id(t) == DUCK_TIMESTAMP_TZ_NS)
		return t;
	duckdb_destroy_logical_type(&t);
	return duckdb_create_logical_type(DUCKDB_TYPE_TIMESTAMP_TZ);
}

duckdb_logical_type duck_type(const struct ArrowSchema *column)
{
	duckdb_logical_type item, list;
	duckdb_type type;

	if (column->dictionary)
		return duckdb_create_logical_type(DUCKDB_TYPE_VARCHAR);
	switch (column->format[0]) {
	case '+':
		item = duck_type(column->children[0]);
		list = item ? duckdb_create_list_type(item) : NULL;
		duckdb_destroy_logical_type(&item);
		return list;
	case 't':
		return timestamp_type();
	case 'b':
		return duckdb_create_logical_type(DUCKDB_TYPE_BOOLEAN);
	case 'u':
		return duckdb_create_logical_type(DUCKDB_TYPE_VARCHAR);
	case 'z':
		return duckdb_create_logical_type(DUCKDB_TYPE_BLOB);
	default:
		type = integer_type(column->format[0]);
		return type == DUCKDB_TYPE_INVALID ? NULL : duckdb_create_logical_type(type);
	}
}

/* ---- values ---- */

static bool bit(const void *bits, size_t i)
{
	return ((const uint8_t *)bits)[i / 8] >> i % 8 & 1;
}

static void put_nulls(duckdb_vector to, const struct ArrowArray *column, size_t first, size_t count)
{
	const void *valid = column->buffers[0];
	uint64_t *mask;

	if (!valid || !column->null_count)
		return;
	duckdb_vector_ensure_validity_writable(to);
	mask = duckdb_vector_get_validity(to);
	for (size_t i = 0; i < count; i++)
		if (!bit(valid, first + i))
			mask[i / 64] &= ~((uint64_t)1 << i % 64);
}

static void put_strings(duckdb_vector to, const struct ArrowArray *column, size_t first,
			size_t count)
{
	const int32_t *offset = column->buffers[1];
	const void *valid = column->null_count ? column->buffers[0] : NULL;

	for (size_t i = 0; i < count; i++)
		if (!valid || bit(valid, first + i))
			duckdb_vector_assign_string_element_len(
				to, i, (const char *)column->buffers[2] + offset[first + i],
				(idx_t)(offset[first + i + 1] - offset[first + i]));
}

/* The string that a row before got points into the same vector, or is within its 16 bytes. */
static bool put_names(duckdb_vector to, const struct ArrowArray *column, size_t first, size_t count,
		      struct duck_strings *s, uint64_t chunk)
{
	const struct ArrowArray *names = column->dictionary;
	const int32_t *number = (const int32_t *)column->buffers[1] + first;
	const int32_t *offset = names->buffers[1];
	const void *valid = column->null_count ? column->buffers[0] : NULL;
	duckdb_string_t *out = duckdb_vector_get_data(to);

	if (!TDAT_GROW_ZERO(s->chunk, &s->chunk_room, (size_t)names->length) ||
	    !TDAT_GROW(s->made, &s->room, (size_t)names->length))
		return false;
	for (size_t i = 0; i < count; i++) {
		size_t n;

		if (valid && !bit(valid, first + i))
			continue;
		n = (size_t)(number[i] + names->offset);
		if (s->chunk[n] != chunk) {
			duckdb_vector_assign_string_element_len(
				to, i, (const char *)names->buffers[2] + offset[n],
				(idx_t)(offset[n + 1] - offset[n]));
			s->chunk[n] = chunk;
			s->made[n] = out[i];
		}
		out[i] = s->made[n];
	}
	return true;
}

/* The items of all rows lie in one vector, one row's behind another's. */
static bool put_lists(duckdb_vector to, const struct ArrowSchema *type,
		      const struct ArrowArray *column, size_t first, size_t count,
		      struct duck_strings *strings, uint64_t chunk)
{
	const int32_t *offset = (const int32_t *)column->buffers[1] + first;
	const size_t items = (size_t)(offset[count] - offset[0]);
	duckdb_list_entry *out;

	if (duckdb_list_vector_reserve(to, items) != DuckDBSuccess ||
	    duckdb_list_vector_set_size(to, items) != DuckDBSuccess)
		return false;
	out = duckdb_vector_get_data(to);
	for (size_t i = 0; i < count; i++)
		out[i] = (duckdb_list_entry){(uint64_t)(offset[i] - offset[0]),
					     (uint64_t)(offset[i + 1] - offset[i])};
	return duck_put(duckdb_list_vector_get_child(to), type->children[0], column->children[0],
			(size_t)offset[0], items, strings, chunk);
}

static void put_timestamps(duckdb_vector to, const int64_t *ns, size_t count)
{
	duckdb_logical_type type = duckdb_vector_get_column_type(to);
	const bool has_ns = (int)duckdb_get_type_id(type) == DUCK_TIMESTAMP_TZ_NS;
	int64_t *out = duckdb_vector_get_data(to);

	duckdb_destroy_logical_type(&type);
	/* Microseconds are rounded down, as DuckDB rounds those of Arrow toward zero since 1970. */
	for (size_t i = 0; i < count; i++)
		out[i] = has_ns ? ns[i] : ns[i] / 1000;
}

static size_t integer_len(char format)
{
	switch (format | 0x20) {
	case 'c':
		return 1;
	case 's':
		return 2;
	case 'i':
		return 4;
	default:
		return 8;
	}
}

bool duck_put(duckdb_vector to, const struct ArrowSchema *type, const struct ArrowArray *column,
	      size_t first, size_t count, struct duck_strings *strings, uint64_t chunk)
{
	const char format = type->format[0];
	const void *data = column->n_buffers > 1 ? column->buffers[1] : NULL;
	size_t len;

	first += (size_t)column->offset;
	put_nulls(to, column, first, count);
	if (!count)
		return true;
	if (type->dictionary)
		return put_names(to, column, first, count, strings, chunk);
	switch (format) {
	case '+':
		return put_lists(to, type, column, first, count, strings, chunk);
	case 'u':
	case 'z':
		put_strings(to, column, first, count);
		return true;
	case 'b':
		for (size_t i = 0; i < count; i++)
			((bool *)duckdb_vector_get_data(to))[i] = bit(data, first + i);
		return true;
	case 't':
		put_timestamps(to, (const int64_t *)data + first, count);
		return true;
	default:
		len = integer_len(format);
		memcpy(duckdb_vector_get_data(to), (const char *)data + first * len, count * len);
		return true;
	}
}

void duck_put_text(duckdb_vector to, size_t count, const char *text)
{
	duckdb_string_t *out = duckdb_vector_get_data(to);

	for (size_t i = 0; i < count; i++)
		if (i)
			out[i] = out[0];
		else
			duckdb_vector_assign_string_element(to, 0, text);
}
