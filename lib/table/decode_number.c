/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Decodes columns of numbers and truth values, which fields and parts of records have. Input is
 * a run of records of one format, output the column's buffer. A record that ends before the
 * field gives null.
 */
#include "core/text.h"
#include "decode_rows.h"

/*
 * Numbers that are stored as they are in the column: LEN and BIG are constants, so that the
 * loop is a load, a swap and a store where all records are long enough.
 */
#define SAME_LEN(LEN, TYPE, BIG)                                                                   \
	for (size_t i = 0; all && i < count; i++) {                                                \
		const TYPE v = (TYPE)tdat_load_uint(records[i].ptr + off, LEN, BIG);               \
                                                                                                   \
		memcpy(at + i * (LEN), &v, LEN);                                                   \
	}                                                                                          \
	for (size_t i = 0; !all && i < count; i++) {                                               \
		const struct tdat_span rec = records[i];                                           \
		TYPE v = 0;                                                                        \
                                                                                                   \
		if (__builtin_expect(rec.len >= end, 1))                                           \
			v = (TYPE)tdat_load_uint(rec.ptr + off, LEN, BIG);                         \
		else                                                                               \
			table_builder_null(r->b, r->b->rows + i);                                  \
		memcpy(at + i * (LEN), &v, LEN);                                                   \
	}

/*
 * Picks the loop by width and byte order, outside of it: length times two, plus one for big-
 * endian. Bytes need no order, so both of their cases are one.
 */
static void number_same(struct table_rows *r, uint8_t *at, bool big)
{
	const size_t off = r->source->field->off, end = off + r->source->field->len;
	const struct tdat_span *records = r->records;
	const size_t count = r->count;
	const bool all = r->run->least_len >= end;

	switch (r->source->field->len * 2 + big) {
	case 2:
	case 3:
		SAME_LEN(1, uint8_t, false);
		break;
	case 4:
		SAME_LEN(2, uint16_t, false);
		break;
	case 5:
		SAME_LEN(2, uint16_t, true);
		break;
	case 8:
		SAME_LEN(4, uint32_t, false);
		break;
	case 9:
		SAME_LEN(4, uint32_t, true);
		break;
	case 16:
		SAME_LEN(8, uint64_t, false);
		break;
	default:
		SAME_LEN(8, uint64_t, true);
	}
}

/* Fields whose width differs from the column's: the column is as wide as its widest variant. */
static void number_other(struct table_rows *r, uint8_t *at, size_t len, bool big)
{
	const struct tdat_field *f = r->source->field;
	const size_t off = f->off, end = off + f->len;

	for (size_t i = 0; i < r->count; i++) {
		const struct tdat_span rec = r->records[i];
		uint64_t v = 0;

		if (rec.len >= end)
			v = rows_load_number(r->source, rec.ptr + off, f->len, big);
		else
			table_builder_null(r->b, r->b->rows + i);
		table_put_wide(at + i * len, v, len);
	}
}

/* Copies fields of the column's own width; others are widened with their sign. */
void rows_decode_number(struct table_rows *r)
{
	const size_t len = r->b->column->len;
	uint8_t *at = rows_number_room(r, len);

	if (!at)
		return;
	if (len == r->source->field->len)
		number_same(r, at, r->variant->big);
	else
		number_other(r, at, len, r->variant->big);
}

/* A bool is one byte; any value but 0 is true, as in C. */
void rows_decode_truth(struct table_rows *r)
{
	const size_t off = r->source->field->off;

	if (!rows_bit_room(r))
		return;
	for (size_t i = 0; i < r->count; i++) {
		const struct tdat_span rec = r->records[i];

		if (rec.len > off)
			rows_put_bit(r, i, rec.ptr[off]);
		else
			table_builder_null(r->b, r->b->rows + i);
	}
}

static bool is_word(const struct tdat_build *text, const char *word)
{
	return text->len == strlen(word) && !memcmp(text->ptr, word, text->len);
}

/* A number, true or false as JSON has them. */
static bool json_number(const struct tdat_build *text, uint64_t *v)
{
	const bool minus = text->len && text->ptr[0] == '-';
	struct tdat_span digits = {text->ptr + minus, text->len - minus};

	*v = is_word(text, "true");
	if (*v || is_word(text, "false"))
		return true;
	if (!tdat_take_digits(&digits, 10, v) || digits.len)
		return false;
	*v = minus ? 0 - *v : *v;
	return true;
}

/*
 * Numbers and truth values of a part, which a shape prints as JSON text. Text that is neither is
 * null.
 */
void rows_decode_part_number(struct table_rows *r)
{
	/* 0: a column of truth values, which are bits and have no whole bytes to write. */
	const size_t len = r->b->column->type == TABLE_INT ? r->b->column->len : 0;
	struct tdat_build *text = &r->d->text;
	uint8_t *at = len ? rows_number_room(r, len) : NULL;

	if (len ? !at : !rows_bit_room(r))
		return;
	for (size_t i = 0; i < r->count; i++) {
		uint64_t v = 0;

		text->len = 0;
		if (!model_views_part(r->variant->views, r->source->part, r->records[i],
				      r->d->scratch, text) ||
		    !json_number(text, &v))
			table_builder_null(r->b, r->b->rows + i);
		if (text->failed)
			rows_no_memory(r);
		if (len)
			table_put_wide(at + i * len, v, len);
		else
			rows_put_bit(r, i, v);
	}
}
