/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Decodes columns of texts, bytes and lists. Text ends at its NUL, bytes are the whole value,
 * and lists are elements of arrays, stacks and masks. A value outside the record is null.
 * The total of a batch stays below 2 GiB, as offsets have 32 bits. Called through the table in
 * decode.c.
 */
#include "decode_rows.h"
#include "function_name.h"
#include "utf8_put.h"

/* Longer arrays would reserve much room that short texts leave unused. */
enum { SHORT_CHARS = 64 };

/* Whether a field is a short array of characters, which lies in all records of the run. */
static bool is_short_chars(const struct table_rows *r)
{
	const struct tdat_field *f = r->source->field;

	return !(f->flags & (TDAT_FIELD_DYNAMIC | TDAT_FIELD_FLEXIBLE)) && !r->source->to_end &&
	       f->len && f->len <= SHORT_CHARS && r->run->least_len >= (size_t)f->off + f->len;
}

/* There is room for the longest texts of all rows that are left, as most bytes are ASCII. */
static void decode_short_chars(struct table_rows *r, uint8_t *at)
{
	const size_t off = r->source->field->off, len = r->source->field->len, count = r->count;
	const struct tdat_span *records = r->records;
	struct table_mem *m = &r->b->data;
	uint8_t *room = table_mem_room(m, count * len);
	size_t end = m->len;

	for (size_t i = 0; room && i < count; i++) {
		const uint8_t *p = records[i].ptr + off;
		/* A byte above 127 needs the slow path, which replaces invalid UTF-8. */
		const size_t n = table_copy_ascii(room, p, len);

		if (n != TABLE_NOT_ASCII) {
			room += n;
			end += n;
		} else {
			/* table_put_utf8() may have moved the buffer, so room is asked for anew. */
			m->len = end;
			room = table_put_utf8(m, p, strnlen((const char *)p, len))
				       ? table_mem_room(m, (count - i) * len)
				       : NULL;
			end = m->len;
		}
		rows_put_end(r, at, i, end);
	}
	m->len = end;
	if (!room)
		rows_no_memory(r);
}

/* Text up to its NUL, as valid UTF-8: Arrow requires it, and the kernel does not check it. */
void rows_decode_string(struct table_rows *r)
{
	uint8_t *at = rows_offset_room(r);

	if (at && is_short_chars(r)) {
		decode_short_chars(r, at);
		return;
	}
	for (size_t i = 0; at && i < r->count; i++) {
		struct tdat_span s;

		if (!table_field_bytes(r->source, r->records[i], &s))
			table_builder_null(r->b, r->b->rows + i);
		else if (!table_put_utf8(&r->b->data, s.ptr,
					 s.len ? strnlen((const char *)s.ptr, s.len) : 0))
			rows_no_memory(r);
		rows_put_end(r, at, i, r->b->data.len);
	}
}

void rows_decode_bytes(struct table_rows *r)
{
	uint8_t *at = rows_offset_room(r);

	for (size_t i = 0; at && i < r->count; i++) {
		struct tdat_span s;

		if (!table_field_bytes(r->source, r->records[i], &s))
			table_builder_null(r->b, r->b->rows + i);
		else if (!table_mem_put(&r->b->data, s.ptr, s.len))
			rows_no_memory(r);
		rows_put_end(r, at, i, r->b->data.len);
	}
}

/* Text of a view, such as an IP address; null if the field lies outside the record. */
void rows_decode_view_text(struct table_rows *r)
{
	uint8_t *at = rows_offset_room(r);

	for (size_t i = 0; at && i < r->count; i++) {
		const struct tdat_span rec = r->records[i];
		struct tdat_span s;

		if (!table_field_bytes(r->source, rec, &s)) {
			table_builder_null(r->b, r->b->rows + i);
		} else {
			s = rows_run_view(r, rec);
			if (!table_put_utf8(&r->b->data, s.ptr, s.len))
				rows_no_memory(r);
		}
		rows_put_end(r, at, i, r->b->data.len);
	}
}

/*
 * Parts are null if the shape does not find them in this record. Bytes go in unchanged; any other
 * text becomes valid UTF-8.
 */
void rows_decode_part(struct table_rows *r)
{
	const struct record_part *part = r->source->part;
	struct tdat_build *text = &r->d->text;
	uint8_t *at;

	if (!r->b->has_ends) {
		rows_decode_part_number(r);
		return;
	}
	at = rows_offset_room(r);
	for (size_t i = 0; at && i < r->count; i++) {
		text->len = 0;
		if (!model_views_part(r->variant->views, part, r->records[i], r->d->scratch, text))
			table_builder_null(r->b, r->b->rows + i);
		else if (part->type == RECORD_PART_BYTES
				 ? !table_mem_put(&r->b->data, text->ptr, text->len)
				 : !table_put_utf8(&r->b->data, text->ptr, text->len))
			rows_no_memory(r);
		if (text->failed)
			rows_no_memory(r);
		rows_put_end(r, at, i, r->b->data.len);
	}
}

/* The line that dump prints, but for its end. */
void rows_decode_line(struct table_rows *r)
{
	uint8_t *at = rows_offset_room(r);

	for (size_t i = 0; at && i < r->count; i++) {
		struct tdat_span s = {NULL, 0};
		enum tdat_status st =
			tdat_printer_line(r->d->printer, r->events[i], &s, &r->d->err);

		/*
		 * Only the first failure is kept; the row is still added, so columns stay of one
		 * length.
		 */
		if (st != TDAT_OK && r->d->status == TDAT_OK)
			r->d->status = st;
		while (st == TDAT_OK && s.len && s.ptr[s.len - 1] == '\n')
			s.len--;
		if (st == TDAT_OK && !table_put_utf8(&r->b->data, s.ptr, s.len))
			rows_no_memory(r);
		rows_put_end(r, at, i, r->b->data.len);
	}
}

/* Numbers of an array, widened to the column's width. An incomplete last element is left out. */
static void put_elems(struct table_rows *r, struct tdat_span bytes)
{
	const struct table_source *s = r->source;
	const size_t n = bytes.len / s->elem_len, len = r->b->column->len;
	uint8_t *room = table_mem_room(&r->b->data, n * len);

	if (!room) {
		rows_no_memory(r);
		return;
	}
	for (size_t i = 0; i < n; i++)
		table_put_wide(room + i * len,
			       rows_load_number(s, bytes.ptr + i * s->elem_len, s->elem_len,
						r->variant->big),
			       len);
	r->b->data.len += n * len;
}

/*
 * A list has no nulls in it: an address without a function is its number, as are those behind the
 * names that together reach the limit print_len.
 */
static void put_symbols(struct table_rows *r, struct tdat_span bytes)
{
	table_put_symbols(r->b, &r->d->text, r->in, bytes, r->source->elem_len, r->variant->big,
			  true);
}

/*
 * Puts the numbers of the bits that are set, such as the CPUs of a cpumask. An incomplete last
 * word is left out.
 */
static void put_bits(struct table_rows *r, struct tdat_span bytes)
{
	const uint8_t elem_len = r->source->elem_len;

	for (size_t at = 0; bytes.len - at >= elem_len; at += elem_len) {
		uint64_t word = tdat_load_uint(bytes.ptr + at, elem_len, r->variant->big);

		for (; word; word &= word - 1) {
			const uint32_t bit = (uint32_t)(at * 8) + (uint32_t)__builtin_ctzll(word);

			if (!table_mem_put(&r->b->data, &bit, 4))
				rows_no_memory(r);
		}
	}
}

/* Offsets of lists count items, not bytes. */
void rows_decode_list(struct table_rows *r)
{
	const enum table_decode decode = r->source->decode;
	uint8_t *at = rows_offset_room(r);

	for (size_t i = 0; at && i < r->count; i++) {
		const struct tdat_span rec = r->records[i];
		struct tdat_span bytes;

		if (decode == TABLE_D_BITS
			    ? !table_field_bytes(r->source, rec, &bytes)
			    : !table_array_bytes(r->source, r->variant->big, rec, &bytes))
			table_builder_null(r->b, r->b->rows + i);
		else if (decode == TABLE_D_BITS)
			put_bits(r, bytes);
		else if (decode == TABLE_D_SYMBOLS)
			put_symbols(r, bytes);
		else
			put_elems(r, bytes);
		rows_put_end(r, at, i, r->b->data.len / r->b->width);
	}
}
