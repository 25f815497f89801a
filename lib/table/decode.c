/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Decodes the columns of events: one function for each way to find a value. */
#include "decode.h"

#include "core/number.h"
#include "field_bytes.h"
#include "model/tep_fallback.h"
#include "utf8_put.h"

/* What the functions below share: the events, and where their rows go. */
struct rows {
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

static void no_memory(struct rows *r)
{
	r->b->failed = true;
}

/* Rows to make room for: a column that is begun gets room for as many as are expected. */
static size_t rows_to_come(const struct rows *r, const struct table_mem *m)
{
	return m->ptr || r->b->expected < r->count ? r->count : r->b->expected;
}

/* Room for one number of len bytes for each row; NULL: no memory. */
static uint8_t *number_room(struct rows *r, size_t len)
{
	uint8_t *room = table_mem_room(&r->b->data, rows_to_come(r, &r->b->data) * len);

	if (!room) {
		no_memory(r);
		return NULL;
	}
	r->b->data.len += r->count * len;
	return room;
}

/* ---- numbers ---- */

static void put_wide(uint8_t *at, uint64_t v, size_t len)
{
	switch (len) {
	case 1:
		*at = (uint8_t)v;
		break;
	case 2:
		memcpy(at, &(uint16_t){(uint16_t)v}, 2);
		break;
	case 4:
		memcpy(at, &(uint32_t){(uint32_t)v}, 4);
		break;
	default:
		memcpy(at, &v, 8);
	}
}

static uint64_t load_number(const struct table_source *s, const uint8_t *p, uint32_t len, bool big)
{
	return table_number(s, tdat_load_uint(p, len, big), len);
}

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

static void number_same(struct rows *r, uint8_t *at, bool big)
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

static void number_other(struct rows *r, uint8_t *at, size_t len, bool big)
{
	const struct tdat_field *f = r->source->field;
	const size_t off = f->off, end = off + f->len;

	for (size_t i = 0; i < r->count; i++) {
		const struct tdat_span rec = r->records[i];
		uint64_t v = 0;

		if (rec.len >= end)
			v = load_number(r->source, rec.ptr + off, f->len, big);
		else
			table_builder_null(r->b, r->b->rows + i);
		put_wide(at + i * len, v, len);
	}
}

static void decode_number(struct rows *r)
{
	const size_t len = r->b->column->len;
	uint8_t *at = number_room(r, len);

	if (!at)
		return;
	if (len == r->source->field->len)
		number_same(r, at, r->variant->big);
	else
		number_other(r, at, len, r->variant->big);
}

/* Bits of a column of truth values: row 0 of the batch is the lowest bit of its first byte. */
static bool bit_room(struct rows *r)
{
	struct table_mem *m = &r->b->data;
	const size_t len = (r->b->rows + r->count + 7) / 8;

	if (len > m->len && !table_mem_room(m, len - m->len)) {
		no_memory(r);
		return false;
	}
	if (len > m->len)
		memset(m->ptr + m->len, 0, len - m->len);
	m->len = len;
	return true;
}

static void put_bit(struct rows *r, size_t i, bool v)
{
	const size_t row = r->b->rows + i;

	r->b->data.ptr[row / 8] |= (uint8_t)((unsigned)v << (row & 7));
}

static void decode_truth(struct rows *r)
{
	const size_t off = r->source->field->off;

	if (!bit_room(r))
		return;
	for (size_t i = 0; i < r->count; i++) {
		const struct tdat_span rec = r->records[i];

		if (rec.len > off)
			put_bit(r, i, rec.ptr[off]);
		else
			table_builder_null(r->b, r->b->rows + i);
	}
}

/* ---- what every event has ---- */

static void decode_ts(struct rows *r)
{
	const struct tdat_event *const *events = r->events;
	const size_t count = r->count;
	uint8_t *at = number_room(r, 8);

	for (size_t i = 0; at && i < count; i++)
		memcpy(at + 8 * i, &events[i]->ts, 8);
}

static void decode_cpu(struct rows *r)
{
	const struct tdat_event *const *events = r->events;
	const size_t count = r->count;
	uint8_t *at = number_room(r, 4);

	for (size_t i = 0; at && i < count; i++)
		memcpy(at + 4 * i, &events[i]->cpu, 4);
}

static void decode_pid(struct rows *r)
{
	const struct tdat_event *const *events = r->events;
	const size_t count = r->count;
	uint8_t *at = number_room(r, 4);

	for (size_t i = 0; at && i < count; i++)
		memcpy(at + 4 * i, &events[i]->pid, 4);
}

static void decode_id(struct rows *r)
{
	const struct tdat_event *const *events = r->events;
	const size_t count = r->count;
	uint8_t *at = number_room(r, 4);

	for (size_t i = 0; at && i < count; i++)
		memcpy(at + 4 * i, &events[i]->id, 4);
}

/* Rows that are all null, of numbers of len bytes. */
static void all_null(struct rows *r, size_t len)
{
	uint8_t *at = number_room(r, len);

	if (at)
		memset(at, 0, r->count * len);
	table_builder_nulls(r->b, r->b->rows, r->count);
}

static void some_tgids(struct rows *r)
{
	const struct task_group *g = NULL;
	uint8_t *at = number_room(r, 4);
	int32_t last = 0, none = 0;

	for (size_t i = 0; at && i < r->count; i++) {
		const int32_t pid = r->events[i]->pid;

		if (!i || pid != last)
			g = task_groups_find(r->in->groups, pid);
		last = pid;
		if (!g)
			table_builder_null(r->b, r->b->rows + i);
		memcpy(at + 4 * i, g ? &g->tgid : &none, 4);
	}
}

static void decode_tgid(struct rows *r)
{
	if (r->in->groups->count)
		some_tgids(r);
	else
		all_null(r, 4);
}

/* Events lost just before: a count, or -1 for an unknown number; null for none. */
static void decode_lost(struct rows *r)
{
	uint8_t *at;

	if (!r->run->any_lost) {
		all_null(r, 8);
		return;
	}
	at = number_room(r, 8);
	for (size_t i = 0; at && i < r->count; i++) {
		if (!r->events[i]->lost_before)
			table_builder_null(r->b, r->b->rows + i);
		memcpy(at + 8 * i, &r->events[i]->lost_before, 8);
	}
}

/* A common field of a record; false where it has none. */
static inline bool common_value(const struct tdat_field *f, struct tdat_span rec, bool big,
				uint64_t *v)
{
	if (!f || rec.len < (size_t)f->off + f->len || f->len > 8)
		return false;
	*v = tdat_load_uint(rec.ptr + f->off, f->len, big);
	return true;
}

enum { IRQS_OFF = 0x01, IRQS_NOSUPPORT = 0x02 };

/* The lowest bit of each byte. */
#define LOW_BITS UINT64_C(0x0101010101010101)

/* Bit number shift of each of n bytes; where rows end a byte of bits, of eight at once. */
static void put_flags(struct rows *r, uint32_t shift)
{
	const uint8_t *flags = r->run->flags;
	size_t i = 0;

	for (; i < r->count && (r->b->rows + i) % 8; i++)
		put_bit(r, i, flags[i] >> shift & 1);
	for (; r->count - i >= 8; i += 8) {
		const uint64_t low = tdat_load64(flags + i, false) >> shift & LOW_BITS;

		/* Moves the lowest bit of byte k to bit k of the highest byte. */
		r->b->data.ptr[(r->b->rows + i) / 8] =
			(uint8_t)(low * UINT64_C(0x0102040810204080) >> 56);
	}
	for (; i < r->count; i++)
		put_bit(r, i, flags[i] >> shift & 1);
}

static void decode_flag(struct rows *r)
{
	const uint32_t bit = r->source->bit;

	if (!bit_room(r))
		return;
	if (r->run->has_flags && !(bit == IRQS_OFF && r->run->any_flags & IRQS_NOSUPPORT)) {
		if (r->run->any_flags & bit)
			put_flags(r, (uint32_t)__builtin_ctz(bit));
		return;
	}
	for (size_t i = 0; i < r->count; i++) {
		uint64_t v;

		if (!common_value(r->in->flags, r->records[i], r->in->big, &v) ||
		    (bit == IRQS_OFF && (v & (IRQS_OFF | IRQS_NOSUPPORT)) == IRQS_NOSUPPORT))
			table_builder_null(r->b, r->b->rows + i);
		else
			put_bit(r, i, v & bit);
	}
}

/*
 * common_preempt_count has the depth of preemption in its low four bits, and since Linux 5.13
 * that of migrate_disable in the high ones; for some versions this was a field of its own.
 */
static void decode_nibble(struct rows *r, const struct tdat_field *f, uint32_t shift, uint32_t mask)
{
	const bool bytes = r->run->has_preempt && f == r->in->preempt;
	const uint8_t *preempt = r->run->preempt;
	const size_t count = r->count;
	uint8_t *at = number_room(r, 1);

	for (size_t i = 0; at && bytes && i < count; i++)
		at[i] = (uint8_t)(preempt[i] >> shift & mask);
	for (size_t i = 0; at && !bytes && i < count; i++) {
		uint64_t v = 0;

		if (!common_value(f, r->records[i], r->in->big, &v))
			table_builder_null(r->b, r->b->rows + i);
		at[i] = (uint8_t)(v >> shift & mask);
	}
}

static void decode_migrate(struct rows *r)
{
	if (r->in->migrate)
		decode_nibble(r, r->in->migrate, 0, 0xff);
	else
		decode_nibble(r, r->in->preempt, 4, 15);
}

/* ---- dictionaries ---- */

static void put_index(struct rows *r, uint8_t *at, size_t i, int32_t index)
{
	if (index < 0) {
		table_builder_null(r->b, r->b->rows + i);
		index = 0;
	}
	memcpy(at + 4 * i, &index, 4);
}

/* The index of a key that is new: of text, or null when that has no pointer. */
static int32_t add_key(struct rows *r, uint64_t key, struct tdat_span text)
{
	int32_t index = TABLE_DICT_NULL;

	if ((text.ptr && !table_dict_text(r->b->dict, text.ptr, text.len, &index)) ||
	    !table_dict_set_key(r->b->dict, key, index))
		no_memory(r);
	return index;
}

static struct tdat_span span_of(const char *text)
{
	return (struct tdat_span){(const uint8_t *)text, text ? strlen(text) : 0};
}

/* Names of tasks never move: their address is the key. */
static void decode_comm(struct rows *r)
{
	const struct tdat_event *const *events = r->events;
	const size_t count = r->count;
	uint8_t *at = number_room(r, 4);
	const uint8_t *last = NULL;
	int32_t index = TABLE_DICT_NULL;

	for (size_t i = 0; at && i < count; i++) {
		const struct tdat_span comm = events[i]->comm;

		if (comm.ptr != last) {
			const uint64_t key = (uintptr_t)comm.ptr;

			last = comm.ptr;
			index = table_dict_key(r->b->dict, key);
			if (index == TABLE_DICT_NEW)
				index = add_key(r, key, comm);
		}
		put_index(r, at, i, index);
	}
}

/* Texts that belong to the input, the buffer or the format of an event. */
static struct tdat_span text_of(const struct rows *r, const struct tdat_event *ev,
				const struct tdat_format *format)
{
	switch (r->source->decode) {
	case TABLE_D_FILE:
		return span_of(tdat_file_info(r->in->file)->name);
	case TABLE_D_BUFFER:
		return span_of(ev->buffer < r->in->buffer_count ? r->in->buffers[ev->buffer].name
								: "");
	case TABLE_D_SYSTEM:
		return span_of(format ? tdat_format_system(format) : NULL);
	default:
		return span_of(format ? tdat_format_name(format) : NULL);
	}
}

/* The index of the text that belongs to a key, of an event that has it. */
static int32_t text_index(struct rows *r, uint64_t key, const struct tdat_event *ev, bool format)
{
	int32_t index = table_dict_key(r->b->dict, key);

	if (index == TABLE_DICT_NEW)
		index = add_key(
			r, key,
			text_of(r, ev,
				format ? tdat_file_format_by_id(r->in->file, ev->id) : NULL));
	return index;
}

/* Names of inputs and buffers: mostly one for all events of a run. */
static void decode_place(struct rows *r)
{
	const bool buffer = r->source->decode == TABLE_D_BUFFER;
	const bool one = !buffer || r->run->one_buffer;
	const uint64_t input = (uint64_t)r->events[0]->input << 32;
	uint8_t *at = number_room(r, 4);
	int32_t index = TABLE_DICT_NULL;

	for (size_t i = 0; at && i < r->count; i++) {
		if (!i || !one)
			index = text_index(r, buffer ? input | r->events[i]->buffer : input,
					   r->events[i], false);
		put_index(r, at, i, index);
	}
}

/* Systems and names of event types. */
static void decode_type(struct rows *r)
{
	const uint64_t input = (uint64_t)r->events[0]->input << 32;
	const struct tdat_event *const *events = r->events;
	const size_t count = r->count;
	uint8_t *at = number_room(r, 4);

	for (size_t i = 0; at && i < count; i++)
		put_index(r, at, i, text_index(r, input | events[i]->id, events[i], true));
}

/* name+0x10, or the name alone at the function's start. */
static int32_t symbol_index(struct rows *r, uint64_t addr)
{
	int32_t index = table_dict_key(r->b->dict, addr);
	struct tdat_span name;
	uint64_t start;

	if (index != TABLE_DICT_NEW)
		return index;
	name = model_symbols_find(r->in->symbols, addr, &start);
	if (name.ptr && addr != start) {
		r->d->text.len = 0;
		tdat_build_bytes(&r->d->text, name.ptr, name.len);
		tdat_build_str(&r->d->text, "+0x");
		tdat_number_x64(&r->d->text, addr - start, 1);
		if (r->d->text.failed)
			no_memory(r);
		name = (struct tdat_span){r->d->text.ptr, r->d->text.len};
	}
	return add_key(r, addr, name);
}

static void decode_symbol(struct rows *r)
{
	const struct tdat_field *f = r->source->field;
	uint8_t *at = number_room(r, 4);

	for (size_t i = 0; at && i < r->count; i++) {
		const struct tdat_span rec = r->records[i];
		int32_t index = TABLE_DICT_NULL;

		if (rec.len >= (size_t)f->off + f->len)
			index = symbol_index(
				r, tdat_load_uint(rec.ptr + f->off, f->len, r->variant->big));
		put_index(r, at, i, index);
	}
}

static struct tdat_span run_view(struct rows *r, struct tdat_span rec)
{
	r->d->text.len = 0;
	model_view_run(r->variant->views, r->source->view, rec, r->d->scratch, &r->d->text);
	if (r->d->text.failed)
		no_memory(r);
	return (struct tdat_span){r->d->text.ptr, r->d->text.len};
}

/* What print fmt prints for a number; a number that it has no text for is null. */
static void decode_view_name(struct rows *r)
{
	const struct tdat_field *f = r->source->field;
	uint8_t *at = number_room(r, 4);

	for (size_t i = 0; at && i < r->count; i++) {
		const struct tdat_span rec = r->records[i];
		int32_t index = TABLE_DICT_NULL;

		if (rec.len >= (size_t)f->off + f->len) {
			const uint64_t v =
				tdat_load_uint(rec.ptr + f->off, f->len, r->variant->big);

			index = table_dict_key(r->b->dict, v);
			if (index == TABLE_DICT_NEW) {
				struct tdat_span text = run_view(r, rec);

				text.ptr = text.len ? text.ptr : NULL;
				index = add_key(r, v, text);
			}
		}
		put_index(r, at, i, index);
	}
}

/* ---- texts, bytes and lists ---- */

/* Room for the ends of count texts or lists; the first offset of a batch is 0. */
static uint8_t *offset_room(struct rows *r)
{
	struct table_mem *m = &r->b->offsets;
	const int32_t zero = 0;
	uint8_t *room = table_mem_room(m, 4 * (rows_to_come(r, m) + 1));

	if (!m->len && !table_mem_put(m, &zero, 4)) {
		no_memory(r);
		return NULL;
	}
	room = room ? table_mem_room(m, 4 * r->count) : NULL;
	if (!room) {
		no_memory(r);
		return NULL;
	}
	m->len += 4 * r->count;
	return room;
}

static void put_end(struct rows *r, uint8_t *at, size_t i, size_t end)
{
	const int32_t v = (int32_t)end;

	/* Batches are ended long before: TABLE_BATCH_LEN of read.h. */
	if (end > INT32_MAX)
		no_memory(r);
	memcpy(at + 4 * i, &v, 4);
}

enum { SHORT_CHARS = 64 };

/* Whether a field is a short array of characters, which lies in all records of the run. */
static bool is_short_chars(const struct rows *r)
{
	const struct tdat_field *f = r->source->field;

	return !(f->flags & (TDAT_FIELD_DYNAMIC | TDAT_FIELD_FLEXIBLE)) && !r->source->to_end &&
	       f->len && f->len <= SHORT_CHARS && r->run->least_len >= (size_t)f->off + f->len;
}

/* There is room for the longest texts of all rows that are left, as most bytes are ASCII. */
static void decode_short_chars(struct rows *r, uint8_t *at)
{
	const size_t off = r->source->field->off, len = r->source->field->len, count = r->count;
	const struct tdat_span *records = r->records;
	struct table_mem *m = &r->b->data;
	uint8_t *room = table_mem_room(m, count * len);
	size_t end = m->len;

	for (size_t i = 0; room && i < count; i++) {
		const uint8_t *p = records[i].ptr + off;
		const size_t n = table_copy_ascii(room, p, len);

		if (n != TABLE_NOT_ASCII) {
			room += n;
			end += n;
		} else {
			m->len = end;
			room = table_put_utf8(m, p, strnlen((const char *)p, len))
				       ? table_mem_room(m, (count - i) * len)
				       : NULL;
			end = m->len;
		}
		put_end(r, at, i, end);
	}
	m->len = end;
	if (!room)
		no_memory(r);
}

static void decode_string(struct rows *r)
{
	uint8_t *at = offset_room(r);

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
			no_memory(r);
		put_end(r, at, i, r->b->data.len);
	}
}

static void decode_bytes(struct rows *r)
{
	uint8_t *at = offset_room(r);

	for (size_t i = 0; at && i < r->count; i++) {
		struct tdat_span s;

		if (!table_field_bytes(r->source, r->records[i], &s))
			table_builder_null(r->b, r->b->rows + i);
		else if (!table_mem_put(&r->b->data, s.ptr, s.len))
			no_memory(r);
		put_end(r, at, i, r->b->data.len);
	}
}

static void decode_view_text(struct rows *r)
{
	uint8_t *at = offset_room(r);

	for (size_t i = 0; at && i < r->count; i++) {
		const struct tdat_span rec = r->records[i];
		struct tdat_span s;

		if (!table_field_bytes(r->source, rec, &s)) {
			table_builder_null(r->b, r->b->rows + i);
		} else {
			s = run_view(r, rec);
			if (!table_put_utf8(&r->b->data, s.ptr, s.len))
				no_memory(r);
		}
		put_end(r, at, i, r->b->data.len);
	}
}

/* The line that dump prints, but for its end. */
static void decode_line(struct rows *r)
{
	uint8_t *at = offset_room(r);

	for (size_t i = 0; at && i < r->count; i++) {
		struct tdat_span s = {NULL, 0};
		enum tdat_status st =
			tdat_printer_line(r->d->printer, r->events[i], &s, &r->d->err);

		if (st != TDAT_OK && r->d->status == TDAT_OK)
			r->d->status = st;
		while (st == TDAT_OK && s.len && s.ptr[s.len - 1] == '\n')
			s.len--;
		if (st == TDAT_OK && !table_put_utf8(&r->b->data, s.ptr, s.len))
			no_memory(r);
		put_end(r, at, i, r->b->data.len);
	}
}

static void put_elems(struct rows *r, struct tdat_span bytes)
{
	const struct table_source *s = r->source;
	const size_t n = bytes.len / s->elem_len, len = r->b->column->len;
	uint8_t *room = table_mem_room(&r->b->data, n * len);

	if (!room) {
		no_memory(r);
		return;
	}
	for (size_t i = 0; i < n; i++)
		put_wide(room + i * len,
			 load_number(s, bytes.ptr + i * s->elem_len, s->elem_len, r->variant->big),
			 len);
	r->b->data.len += n * len;
}

static void put_symbols(struct rows *r, struct tdat_span bytes)
{
	const struct table_source *s = r->source;

	for (size_t at = 0; at < bytes.len; at += s->elem_len) {
		const uint64_t addr = tdat_load_uint(bytes.ptr + at, s->elem_len, r->variant->big);
		int32_t index = symbol_index(r, addr);

		/* A list has no nulls in it: an address without a function is its number. */
		if (index < 0) {
			r->d->text.len = 0;
			tdat_build_str(&r->d->text, "0x");
			tdat_number_x64(&r->d->text, addr, 1);
			if (r->d->text.failed ||
			    !table_dict_text(r->b->dict, r->d->text.ptr, r->d->text.len, &index))
				no_memory(r);
		}
		if (!table_mem_put(&r->b->data, &index, 4))
			no_memory(r);
	}
}

static void put_bits(struct rows *r, struct tdat_span bytes)
{
	const uint8_t elem_len = r->source->elem_len;

	for (size_t at = 0; bytes.len - at >= elem_len; at += elem_len) {
		uint64_t word = tdat_load_uint(bytes.ptr + at, elem_len, r->variant->big);

		for (; word; word &= word - 1) {
			const uint32_t bit = (uint32_t)(at * 8) + (uint32_t)__builtin_ctzll(word);

			if (!table_mem_put(&r->b->data, &bit, 4))
				no_memory(r);
		}
	}
}

static void decode_list(struct rows *r)
{
	const enum table_decode decode = r->source->decode;
	const size_t len = decode == TABLE_D_SYMBOLS ? 4 : r->b->column->len;
	uint8_t *at = offset_room(r);

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
		put_end(r, at, i, r->b->data.len / len);
	}
}

/* ---- columns that a variant does not have ---- */

static void decode_null(struct rows *r)
{
	const struct table_column *c = r->b->column;
	uint8_t *at;
	size_t end;

	switch (c->type) {
	case TABLE_BOOL:
		bit_room(r);
		table_builder_nulls(r->b, r->b->rows, r->count);
		return;
	case TABLE_INT:
		all_null(r, c->len);
		return;
	case TABLE_TIME:
		all_null(r, 8);
		return;
	case TABLE_NAME:
		all_null(r, 4);
		return;
	case TABLE_LIST:
		end = r->b->data.len / c->len;
		break;
	case TABLE_LIST_NAME:
		end = r->b->data.len / 4;
		break;
	default:
		end = r->b->data.len;
	}
	at = offset_room(r);
	for (size_t i = 0; at && i < r->count; i++)
		put_end(r, at, i, end);
	table_builder_nulls(r->b, r->b->rows, r->count);
}

static void decode_column(struct rows *r)
{
	switch (r->source->decode) {
	case TABLE_D_NULL:
		decode_null(r);
		break;
	case TABLE_D_TS:
		decode_ts(r);
		break;
	case TABLE_D_CPU:
		decode_cpu(r);
		break;
	case TABLE_D_FILE:
	case TABLE_D_BUFFER:
		decode_place(r);
		break;
	case TABLE_D_SYSTEM:
	case TABLE_D_EVENT:
		decode_type(r);
		break;
	case TABLE_D_PID:
		decode_pid(r);
		break;
	case TABLE_D_COMM:
		decode_comm(r);
		break;
	case TABLE_D_TGID:
		decode_tgid(r);
		break;
	case TABLE_D_FLAG:
		decode_flag(r);
		break;
	case TABLE_D_PREEMPT:
		decode_nibble(r, r->in->preempt, 0, 15);
		break;
	case TABLE_D_MIGRATE:
		decode_migrate(r);
		break;
	case TABLE_D_LOST:
		decode_lost(r);
		break;
	case TABLE_D_ID:
		decode_id(r);
		break;
	case TABLE_D_LINE:
		decode_line(r);
		break;
	case TABLE_D_NUMBER:
		decode_number(r);
		break;
	case TABLE_D_TRUTH:
		decode_truth(r);
		break;
	case TABLE_D_STRING:
		decode_string(r);
		break;
	case TABLE_D_BYTES:
		decode_bytes(r);
		break;
	case TABLE_D_ARRAY:
	case TABLE_D_BITS:
	case TABLE_D_SYMBOLS:
		decode_list(r);
		break;
	case TABLE_D_SYMBOL:
		decode_symbol(r);
		break;
	case TABLE_D_VIEW_NAME:
		decode_view_name(r);
		break;
	case TABLE_D_VIEW_TEXT:
		decode_view_text(r);
		break;
	}
}

/* A common field that is a byte, in all records of a run. */
static bool common_bytes(const struct table_run *run, const struct tdat_field *f, uint8_t *out,
			 uint8_t *any)
{
	const size_t count = run->count, off = f ? f->off : 0;
	uint8_t all = 0;

	if (!f || f->len != 1 || run->least_len <= off)
		return false;
	for (size_t i = 0; i < count; i++) {
		const uint8_t v = run->records[i].ptr[off];

		out[i] = v;
		all |= v;
	}
	*any = all;
	return true;
}

void table_decode_begin(struct table_decoder *d, const struct tdat_event *const *events,
			size_t count)
{
	struct table_run *run = &d->run;
	size_t least = SIZE_MAX;
	uint32_t buffers = 0;
	int64_t lost = 0;
	uint8_t any;

	run->events = events;
	run->count = count;
	run->in = &d->inputs[events[0]->input];
	for (size_t i = 0; i < count; i++) {
		const struct tdat_event *ev = events[i];

		run->records[i] = ev->record;
		least = ev->record.len < least ? ev->record.len : least;
		lost |= ev->lost_before;
		buffers |= ev->buffer ^ events[0]->buffer;
	}
	run->least_len = least;
	run->any_lost = lost != 0;
	run->one_buffer = !buffers;
	run->has_flags = common_bytes(run, run->in->flags, run->flags, &run->any_flags);
	run->has_preempt = common_bytes(run, run->in->preempt, run->preempt, &any);
}

void table_decode(struct table_decoder *d, struct table_builder *b,
		  const struct table_variant *variant, const struct table_source *source)
{
	struct rows r = {.d = d,
			 .b = b,
			 .variant = variant,
			 .source = source,
			 .in = d->run.in,
			 .run = &d->run,
			 .events = d->run.events,
			 .records = d->run.records,
			 .count = d->run.count};

	decode_column(&r);
	table_builder_added(b, r.count);
	if (b->failed && d->status == TDAT_OK)
		d->status = tdat_error_no_memory(&d->err, "the rows of a table");
}
