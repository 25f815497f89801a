/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Writes the schema of a Parquet file. Types that the older readers know get the "converted
 * type" beside the logical type. A duration has no logical type: it is an INT64, which the
 * Arrow schema of the file (footer.c) makes a duration again.
 *
 * Source: apache/parquet-format, LogicalTypes.md and parquet.thrift (SchemaElement)
 */
#include "schema.h"

/* FieldRepetitionType of parquet.thrift. */
enum repetition { REQUIRED = 0, OPTIONAL = 1, REPEATED = 2 };
/* ConvertedType; numbers of integer types follow each other by width. */
enum converted {
	CONVERTED_UTF8 = 0,
	CONVERTED_LIST = 3,
	CONVERTED_DECIMAL = 5,
	CONVERTED_UINT_8 = 11,
	CONVERTED_INT_8 = 15
};
/* Fields of the union LogicalType, and of the union TimeUnit. */
enum logical {
	LOGICAL_STRING = 1,
	LOGICAL_LIST = 3,
	LOGICAL_DECIMAL = 5,
	LOGICAL_TIMESTAMP = 8,
	LOGICAL_INTEGER = 10
};
enum { UNIT_NANOS = 3 };

/* Type of integers: converted type in field 6, logical type in field 10. */
static void put_int_type(struct thrift *t, const struct column_type *type)
{
	const bool is_signed = type->is_signed || type->as_signed;
	const unsigned int width = (unsigned int)type->width << type->as_signed;

	thrift_i32(t, 6, (is_signed ? CONVERTED_INT_8 : CONVERTED_UINT_8) + __builtin_ctz(width));
	thrift_struct(t, 10);
	thrift_struct(t, LOGICAL_INTEGER);
	thrift_byte(t, 1, (int8_t)(width * 8));
	thrift_bool(t, 2, is_signed);
	thrift_end(t);
	thrift_end(t);
}

/* decimal(20,0), for unsigned numbers of 64 bits. */
static void put_decimal_type(struct thrift *t)
{
	thrift_i32(t, 6, CONVERTED_DECIMAL);
	thrift_i32(t, 7, 0);
	thrift_i32(t, 8, DECIMAL_DIGITS);
	thrift_struct(t, 10);
	thrift_struct(t, LOGICAL_DECIMAL);
	thrift_i32(t, 1, 0);
	thrift_i32(t, 2, DECIMAL_DIGITS);
	thrift_end(t);
	thrift_end(t);
}

/* Timestamps in ns. ConvertedType has none, so older readers see an INT64. */
static void put_timestamp_type(struct thrift *t, const struct column_type *type)
{
	thrift_struct(t, 10);
	thrift_struct(t, LOGICAL_TIMESTAMP);
	thrift_bool(t, 1, type->zone);
	thrift_struct(t, 2);
	thrift_empty(t, UNIT_NANOS);
	thrift_end(t);
	thrift_end(t);
	thrift_end(t);
}

/* A logical type without members, beside its converted type. */
static void put_empty_type(struct thrift *t, int32_t converted, int16_t logical)
{
	thrift_i32(t, 6, converted);
	thrift_struct(t, 10);
	thrift_empty(t, logical);
	thrift_end(t);
}

/* Writes a leaf of the schema, the element that has values. */
static void put_leaf(struct thrift *t, const struct column *c, const char *name,
		     enum repetition repetition)
{
	const struct column_type *type = c->type;

	thrift_put_struct(t);
	thrift_i32(t, 1, (int32_t)column_physical(c));
	if (column_is_decimal(c))
		thrift_i32(t, 2, DECIMAL_LEN);
	thrift_i32(t, 3, (int32_t)repetition);
	thrift_string(t, 4, name);
	if (column_is_decimal(c))
		put_decimal_type(t);
	else if (type->kind == COLUMN_INT)
		put_int_type(t, type);
	else if (type->kind == COLUMN_TIMESTAMP)
		put_timestamp_type(t, type);
	else if (type->kind == COLUMN_TEXT)
		put_empty_type(t, CONVERTED_UTF8, LOGICAL_STRING);
	thrift_end(t);
}

/* Writes a list in the three levels of LogicalTypes.md: the list, a repeated group, its element. */
static void put_list(struct thrift *t, const struct column *c)
{
	thrift_put_struct(t);
	thrift_i32(t, 3, c->type->nullable ? OPTIONAL : REQUIRED);
	thrift_string(t, 4, c->type->name);
	thrift_i32(t, 5, 1);
	put_empty_type(t, CONVERTED_LIST, LOGICAL_LIST);
	thrift_end(t);
	thrift_put_struct(t);
	thrift_i32(t, 3, REPEATED);
	thrift_string(t, 4, "list");
	thrift_i32(t, 5, 1);
	thrift_end(t);
	put_leaf(t, c, "element", c->type->item_nullable ? OPTIONAL : REQUIRED);
}

/* Writes the schema as a flat list of elements; groups count their children. */
void schema_put(struct thrift *t, const struct parquet_table *table)
{
	const size_t count = table->input.types.count;
	size_t elements = 1 + count, i;

	for (i = 0; i < count; i++)
		elements += table->input.types.v[i].is_list ? 2 : 0;
	thrift_list(t, 2, THRIFT_STRUCT, elements);
	thrift_put_struct(t);
	thrift_string(t, 4, "schema");
	thrift_i32(t, 5, (int32_t)count);
	thrift_end(t);
	for (i = 0; i < count; i++) {
		const struct column *c = &table->columns[i];

		if (c->type->is_list)
			put_list(t, c);
		else
			put_leaf(t, c, c->type->name, c->type->nullable ? OPTIONAL : REQUIRED);
	}
}
