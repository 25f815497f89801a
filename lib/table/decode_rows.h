/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the functions that decode a column share: the events, where their rows go, and how rows of
 * each kind are added. Each rows_decode_ function adds a row for every event, by one way to find a
 * value (enum table_decode).
 */
#ifndef TDAT_TABLE_DECODE_ROWS_H
#define TDAT_TABLE_DECODE_ROWS_H

#include "builder.h"
#include "core/endian.h"
#include "decode_run.h"
#include "field_bytes.h"

struct table_rows {
	struct table_decoder *d;
	struct table_builder *b;
	const struct table_variant *variant;
	const struct table_source *source;
	const struct table_input *in;
	const struct table_run *run;
	const struct tdat_event *const *events;
	const struct tdat_span *records;
	size_t count;
};

static inline void rows_no_memory(struct table_rows *r)
{
	r->b->failed = true;
}

/* Rows to make room for: a column that is begun gets room for as many as are expected. */
static inline size_t rows_to_come(const struct table_rows *r, const struct table_mem *m)
{
	return m->ptr || r->b->expected < r->count ? r->count : r->b->expected;
}

/* Room for one number of len bytes for each row; NULL: no memory. */
static inline uint8_t *rows_number_room(struct table_rows *r, size_t len)
{
	uint8_t *room = table_mem_room(&r->b->data, rows_to_come(r, &r->b->data) * len);

	if (!room) {
		rows_no_memory(r);
		return NULL;
	}
	r->b->data.len += r->count * len;
	return room;
}

static inline uint64_t rows_load_number(const struct table_source *s, const uint8_t *p,
					uint32_t len, bool big)
{
	return table_number(s, tdat_load_uint(p, len, big), len);
}

/* Bits of a column of truth values: row 0 of the batch is the lowest bit of its first byte. */
static inline bool rows_bit_room(struct table_rows *r)
{
	struct table_mem *m = &r->b->data;
	const size_t len = (r->b->rows + r->count + 7) / 8;

	if (len > m->len && !table_mem_room(m, len - m->len)) {
		rows_no_memory(r);
		return false;
	}
	if (len > m->len)
		memset(m->ptr + m->len, 0, len - m->len);
	m->len = len;
	return true;
}

static inline void rows_put_bit(struct table_rows *r, size_t i, bool v)
{
	const size_t row = r->b->rows + i;

	r->b->data.ptr[row / 8] |= (uint8_t)((unsigned)v << (row & 7));
}

/* Rows that are all null, of numbers of len bytes. */
static inline void rows_all_null(struct table_rows *r, size_t len)
{
	uint8_t *at = rows_number_room(r, len);

	if (at)
		memset(at, 0, r->count * len);
	table_builder_nulls(r->b, r->b->rows, r->count);
}

static inline void rows_put_index(struct table_rows *r, uint8_t *at, size_t i, int32_t index)
{
	if (index < 0) {
		table_builder_null(r->b, r->b->rows + i);
		index = 0;
	}
	memcpy(at + 4 * i, &index, 4);
}

/* Room for the ends of count texts or lists; the first offset of a batch is 0. */
static inline uint8_t *rows_offset_room(struct table_rows *r)
{
	struct table_mem *m = &r->b->offsets;
	const int32_t zero = 0;
	uint8_t *room = table_mem_room(m, 4 * (rows_to_come(r, m) + 1));

	if (!m->len && !table_mem_put(m, &zero, 4)) {
		rows_no_memory(r);
		return NULL;
	}
	room = room ? table_mem_room(m, 4 * r->count) : NULL;
	if (!room) {
		rows_no_memory(r);
		return NULL;
	}
	m->len += 4 * r->count;
	return room;
}

static inline void rows_put_end(struct table_rows *r, uint8_t *at, size_t i, size_t end)
{
	const int32_t v = (int32_t)end;

	/* Batches are ended long before: TABLE_BATCH_LEN of read.h. */
	if (end > INT32_MAX)
		rows_no_memory(r);
	memcpy(at + 4 * i, &v, 4);
}

/* decode_number.c: numbers and truth values of fields */
void rows_decode_number(struct table_rows *r);
void rows_decode_truth(struct table_rows *r);
void rows_decode_part_number(struct table_rows *r);

/* decode_common.c: what every event has */
void rows_decode_ts(struct table_rows *r);
void rows_decode_cpu(struct table_rows *r);
void rows_decode_pid(struct table_rows *r);
void rows_decode_id(struct table_rows *r);
void rows_decode_tgid(struct table_rows *r);
void rows_decode_lost(struct table_rows *r);
void rows_decode_flag(struct table_rows *r);
void rows_decode_preempt(struct table_rows *r);
void rows_decode_migrate(struct table_rows *r);

/* decode_name.c: names, which are in dictionaries */
void rows_decode_comm(struct table_rows *r);
void rows_decode_place(struct table_rows *r);
void rows_decode_type(struct table_rows *r);
void rows_decode_symbol(struct table_rows *r);
void rows_decode_view_name(struct table_rows *r);
/* What print fmt prints for the field of a record; valid until the next call. */
struct tdat_span rows_run_view(struct table_rows *r, struct tdat_span rec);

/* decode_text.c: texts, bytes and lists */
void rows_decode_string(struct table_rows *r);
void rows_decode_bytes(struct table_rows *r);
void rows_decode_view_text(struct table_rows *r);
void rows_decode_part(struct table_rows *r);
void rows_decode_line(struct table_rows *r);
void rows_decode_list(struct table_rows *r);

#endif
