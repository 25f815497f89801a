/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Writes the schema of a table for Arrow IPC. Types come from column_type.c and become the
 * tables of FlatBuffers that Arrow's format defines; metadata is passed on. Parquet's footer
 * has the same schema in base64 (parquet/footer.c).
 */
#include "ipc_schema.h"

#include <stdlib.h>

/* Members of the union Type (format/Schema.fbs of Apache Arrow). */
enum arrow_type {
	ARROW_INT = 2,
	ARROW_FLOATING_POINT = 3,
	ARROW_BINARY = 4,
	ARROW_UTF8 = 5,
	ARROW_BOOL = 6,
	ARROW_DECIMAL = 7,
	ARROW_TIMESTAMP = 10,
	ARROW_LIST = 12,
	ARROW_DURATION = 18,
};
enum { UNIT_NANOSECOND = 3, PRECISION_DOUBLE = 2 };
/* Fields of the table Field, by id. */
enum {
	FIELD_NAME,
	FIELD_NULLABLE,
	FIELD_TYPE_TYPE,
	FIELD_TYPE,
	FIELD_DICTIONARY,
	FIELD_CHILDREN,
	FIELD_METADATA
};

/* Type of integers: bit width, sign. */
static flat_ref int_type(struct flat *f, uint8_t width, bool is_signed)
{
	flat_table(f);
	flat_field_i32(f, 0, width * 8);
	flat_field_u8(f, 1, is_signed);
	return flat_table_end(f);
}

/* Decimals that hold all unsigned numbers of 64 bits. */
static flat_ref decimal_type(struct flat *f)
{
	flat_table(f);
	flat_field_i32(f, 0, 20);
	flat_field_i32(f, 2, 128);
	return flat_table_end(f);
}

static flat_ref empty_table(struct flat *f)
{
	flat_table(f);
	return flat_table_end(f);
}

/* A table with one 16-bit number, as types with only a unit have. */
static flat_ref one_i16(struct flat *f, int16_t v)
{
	flat_table(f);
	flat_field_i16(f, 0, v);
	return flat_table_end(f);
}

/* Timestamps in ns; zone NULL: without a time zone. */
static flat_ref timestamp_type(struct flat *f, const char *zone)
{
	const flat_ref text = zone ? flat_text(f, zone, strlen(zone)) : 0;

	flat_table(f);
	flat_field_ref(f, 1, text);
	flat_field_i16(f, 0, UNIT_NANOSECOND);
	return flat_table_end(f);
}

/* Adds the type of values, for a list that of its items. *type: its member of the union. */
static flat_ref value_type(struct flat *f, const struct column_type *t, enum arrow_type *type)
{
	switch (t->kind) {
	case COLUMN_BOOL:
		*type = ARROW_BOOL;
		return empty_table(f);
	case COLUMN_INT:
		*type = t->as_signed && t->width == 8 ? ARROW_DECIMAL : ARROW_INT;
		if (*type == ARROW_DECIMAL)
			return decimal_type(f);
		return int_type(f, (uint8_t)(t->width << t->as_signed),
				t->is_signed || t->as_signed);
	case COLUMN_DOUBLE:
		*type = ARROW_FLOATING_POINT;
		return one_i16(f, PRECISION_DOUBLE);
	case COLUMN_TEXT:
		*type = ARROW_UTF8;
		return empty_table(f);
	case COLUMN_BYTES:
		*type = ARROW_BINARY;
		return empty_table(f);
	case COLUMN_TIMESTAMP:
		*type = ARROW_TIMESTAMP;
		return timestamp_type(f, t->zone);
	case COLUMN_DURATION:
		*type = ARROW_DURATION;
		return one_i16(f, UNIT_NANOSECOND);
	}
	return 0;
}

/* Adds metadata as key-value pairs; 0: there is none. */
static flat_ref metadata(struct flat *f, const struct column_metadata *m)
{
	struct metadata_reader r = metadata_read(m);
	struct tdat_span key, value;
	size_t count = 0;
	flat_ref *pairs, ref;

	if (!r.left)
		return 0;
	pairs = calloc(r.left, sizeof(*pairs));
	if (!pairs) {
		f->failed = true;
		return 0;
	}
	while (metadata_next(&r, &key, &value)) {
		const flat_ref k = flat_text(f, key.ptr, key.len);
		const flat_ref v = flat_text(f, value.ptr, value.len);

		flat_table(f);
		flat_field_ref(f, 0, k);
		flat_field_ref(f, 1, v);
		pairs[count++] = flat_table_end(f);
	}
	ref = flat_vector(f, pairs, count);
	free(pairs);
	return ref;
}

/*
 * Adds the encoding of a dictionary. wide: indices are int32, as those of collected dictionaries
 * are.
 */
static flat_ref dictionary(struct flat *f, const struct column_type *t, size_t id, bool wide)
{
	const flat_ref index = int_type(f, wide ? 4 : t->index_width, wide || t->index_signed);

	flat_table(f);
	flat_field_i64(f, 0, (int64_t)id);
	flat_field_ref(f, 1, index);
	flat_field_u8(f, 2, t->dictionary_ordered);
	return flat_table_end(f);
}

/* Adds the field of a list's items, without dictionary and metadata. */
static flat_ref item_field(struct flat *f, const struct column_type *t)
{
	const flat_ref name = flat_text(f, t->item_name, strlen(t->item_name));
	enum arrow_type type = ARROW_INT;
	const flat_ref value = value_type(f, t, &type);
	const flat_ref children = flat_vector(f, NULL, 0);

	flat_table(f);
	flat_field_ref(f, FIELD_NAME, name);
	flat_field_ref(f, FIELD_TYPE, value);
	flat_field_ref(f, FIELD_CHILDREN, children);
	flat_field_u8(f, FIELD_TYPE_TYPE, (uint8_t)type);
	flat_field_u8(f, FIELD_NULLABLE, t->item_nullable);
	return flat_table_end(f);
}

/* Adds the field of a column. All parts come before the table that refers to them. */
static flat_ref column_field(struct flat *f, const struct column_type *t, size_t id, bool wide)
{
	const flat_ref name = flat_text(f, t->name, strlen(t->name));
	const flat_ref pairs = metadata(f, &t->metadata);
	const flat_ref index = t->index_width ? dictionary(f, t, id, wide) : 0;
	const flat_ref item = t->is_list ? item_field(f, t) : 0;
	const flat_ref children = flat_vector(f, &item, item ? 1 : 0);
	enum arrow_type type = ARROW_LIST;
	const flat_ref value = t->is_list ? empty_table(f) : value_type(f, t, &type);

	flat_table(f);
	flat_field_ref(f, FIELD_NAME, name);
	flat_field_ref(f, FIELD_TYPE, value);
	flat_field_ref(f, FIELD_DICTIONARY, index);
	flat_field_ref(f, FIELD_CHILDREN, children);
	flat_field_ref(f, FIELD_METADATA, pairs);
	flat_field_u8(f, FIELD_TYPE_TYPE, (uint8_t)type);
	flat_field_u8(f, FIELD_NULLABLE, t->nullable);
	return flat_table_end(f);
}

/* Adds the schema. The byte order is the host's: buffers are copied as they are. */
flat_ref ipc_schema(struct flat *f, const struct column_types *types, bool wide_indices)
{
	flat_ref *fields = calloc(types->count, sizeof(*fields)), vector, pairs;

	if (!fields) {
		f->failed = true;
		return 0;
	}
	for (size_t i = 0; i < types->count; i++)
		fields[i] = column_field(f, &types->v[i], i, wide_indices);
	vector = flat_vector(f, fields, types->count);
	free(fields);
	pairs = metadata(f, &types->metadata);
	flat_table(f);
	flat_field_ref(f, 1, vector);
	flat_field_ref(f, 2, pairs);
	flat_field_i16(f, 0, TDAT_HOST_BIG);
	return flat_table_end(f);
}

/* Encloses a header in a message: mark, length, the FlatBuffer, and zeros up to the alignment. */
void ipc_message(struct flat *f, enum ipc_header type, flat_ref header, uint64_t body_len,
		 size_t align, struct tdat_build *out)
{
	const size_t start = out->len;
	flat_ref message;
	size_t padding;

	flat_table(f);
	flat_field_i64(f, 3, (int64_t)body_len);
	flat_field_ref(f, 2, header);
	flat_field_i16(f, 0, IPC_METADATA_V5);
	flat_field_u8(f, 1, (uint8_t)type);
	message = flat_table_end(f);
	tdat_build_fill(out, 0xff, 4); /* the mark of a message */
	tdat_build_fill(out, 0, 4);
	flat_finish(f, message, out);
	padding = (align - (out->len - start) % align) % align;
	tdat_build_fill(out, 0, padding);
	if (!out->failed)
		/* The length has the padding but not itself. */
		tdat_store32(out->ptr + start + 4, (uint32_t)(out->len - start - 8), false);
}

void ipc_schema_message(struct tdat_build *out, const struct column_types *types, bool wide_indices,
			size_t align)
{
	struct flat f;
	flat_ref schema;

	flat_init(&f);
	schema = ipc_schema(&f, types, wide_indices);
	ipc_message(&f, IPC_SCHEMA, schema, 0, align, out);
	flat_fini(&f);
}
