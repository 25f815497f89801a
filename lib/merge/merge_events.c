/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Writes the events of all inputs in order of time, with new ids, addresses and byte order. One
 * iterator over all inputs gives the order. Each record is copied, changed, and added to the stream
 * of its CPU (lib/write/write_stream.c), so the pages are new. Raw timestamps are kept if all
 * inputs make times of them alike; else the iterator's times are written.
 */
#include <stdlib.h>

#include "merge.h"
#include "core/search.h"
#include "core/grow.h"

/* Finds the new id of an input's event id. An id without a format gets a new one, too. */
static enum tdat_status new_id(struct merge *m, struct merge_part *part, uint32_t id, uint16_t *out,
			       struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;

	id &= FILE_ID_COUNT - 1;
	if (!part->ids[id]) {
		st = write_meta_take_id(&m->w->meta, id, &part->ids[id], err);
		if (st == TDAT_OK)
			st = merge_warn(m, part, err,
					"no format describes events of id %u: they get id %u, "
					"still without a format",
					id, part->ids[id]);
	}
	*out = part->ids[id];
	return st;
}

/* Finds the move of an address, or NULL. Moves are sorted by their old address. */
static const struct merge_move *find_move(const struct merge_part *part, uint64_t addr)
{
	size_t i;

	TDAT_SEARCH(i, part->move_count, part->moves[i].from < addr);
	return i < part->move_count && part->moves[i].from == addr ? &part->moves[i] : NULL;
}

/* Replaces words that are the address of a string that has moved. */
static void move_words(const struct merge *m, const struct merge_part *part, uint8_t *p, size_t len)
{
	bool big = m->w->meta.big;

	/* At each 4 bytes: fields of 8 bytes may be aligned to 4. */
	for (size_t off = 0; off + m->long_size <= len; off += 4) {
		const struct merge_move *move =
			find_move(part, tdat_load_uint(p + off, m->long_size, big));

		if (move)
			tdat_store_uint(p + off, m->long_size, move->to, big);
	}
}

/* The id has two or four bytes, as the input's common_type says. */
static void store_type(const struct merge *m, const struct merge_part *part, uint8_t *p,
		       uint16_t id)
{
	if (part->type_len == 2 || part->type_len == 4)
		tdat_store_uint(p + part->type_off, part->type_len, id, m->w->meta.big);
}

/* Copies a record before it is changed: records belong to the iterator. */
static enum tdat_status own_record(struct merge *m, struct tdat_span *record,
				   struct tdat_error *err)
{
	if (!TDAT_GROW(m->record, &m->record_cap, record->len))
		return tdat_error_no_memory(err, m->w->out.name);
	memcpy(m->record, record->ptr, record->len);
	record->ptr = m->record;
	return TDAT_OK;
}

/* Changes a record to what the new file has: ids, byte order, addresses. */
static enum tdat_status change(struct merge *m, struct merge_part *part,
			       const struct tdat_event *ev, struct tdat_span *record,
			       struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;
	uint16_t id;

	*record = ev->record;
	if (!record->len || record->len < (size_t)part->type_off + part->type_len)
		return TDAT_OK;
	if (part->swapped)
		st = record_swapper_run(&part->swapper, ev->id, ev->record, record, err);
	if (st != TDAT_OK)
		tdat_error_prefix(err, "%s", merge_name(part));
	if (st == TDAT_OK)
		st = new_id(m, part, ev->id, &id, err);
	/* The usual case: the iterator's record is written unchanged. */
	if (st != TDAT_OK || (id == ev->id && !part->move_count))
		return st;
	st = own_record(m, record, err);
	if (st != TDAT_OK)
		return st;
	store_type(m, part, m->record, id);
	if (part->move_count)
		move_words(m, part, m->record, record->len);
	return TDAT_OK;
}

/* Fails if an input's offset pushed the time below 0 or beyond 64 bits, where it wraps. */
static enum tdat_status check_time(const struct merge *m, const struct tdat_event *ev,
				   struct tdat_error *err)
{
	const int64_t offset = m->inputs[ev->input].ts_offset;
	const uint64_t before = ev->ts - (uint64_t)offset;

	if (offset < 0 ? before > ev->ts : before <= ev->ts)
		return TDAT_OK;
	return tdat_error_set(err, TDAT_E_UNSUPPORTED, TDAT_NO_OFFSET,
			      "%s: an event at %llu ns cannot be shifted by %lld ns, because its "
			      "time would not fit in 64 bits",
			      merge_name(&m->parts[ev->input]), (unsigned long long)before,
			      (long long)offset);
}

/* Writes one event under the CPU and buffer numbers of the maps. A failure ends the merge. */
static enum tdat_status put_event(struct merge *m, const struct tdat_event *ev,
				  struct tdat_error *err)
{
	struct merge_part *part = &m->parts[ev->input];
	struct tdat_span record;
	struct write_stream *s;
	enum tdat_status st = check_time(m, ev, err);

	if (st == TDAT_OK)
		st = change(m, part, ev, &record, err);
	if (st == TDAT_OK)
		st = write_find_stream(m->w, part->buffers[ev->buffer], part->cpu_base + ev->cpu,
				       &s, err);
	if (st == TDAT_OK)
		st = write_stream_event(&m->w->store, s, ev->ts, ev->lost_before, record, err);
	m->w->event_count += st == TDAT_OK;
	m->result.events += st == TDAT_OK;
	return st;
}

/* Damage of an input is a warning: its other events are in the new file. */
static enum tdat_status warn_damage(struct merge *m, struct tdat_iter *iter, struct tdat_error *err)
{
	const struct tdat_stream_damage *list;
	enum tdat_status st = TDAT_OK;
	size_t count;

	list = tdat_iter_damage(iter, &count);
	for (size_t i = 0; st == TDAT_OK && i < count; i++) {
		const struct merge_part *part = &m->parts[list[i].input];
		const struct tdat_buffer *b = &part->file->ix.buffers[list[i].buffer];

		m->result.bad_pages += list[i].bad_pages;
		st = merge_warn(m, part, err,
				"CPU %u%s%.64s: %llu damaged page%s, read up to the damage; the "
				"first at offset %llu: %s",
				list[i].cpu, *b->name ? " of buffer " : "", b->name,
				(unsigned long long)list[i].bad_pages,
				list[i].bad_pages == 1 ? "" : "s", (unsigned long long)list[i].off,
				list[i].message);
	}
	return st;
}

/* One event at a time: the merge is by time over all inputs. */
enum tdat_status merge_events(struct merge *m, struct tdat_error *err)
{
	struct tdat_iter_opts opts = TDAT_ITER_OPTS_INIT;
	const struct tdat_event *ev = NULL;
	struct tdat_iter *iter;
	enum tdat_status st;

	opts.raw_ts = m->keep_time;
	opts.trace_cmd = true; /* times of clock uptime stay ticks */
	st = tdat_iter_new(&iter, m->inputs, m->count, &opts, err);
	if (st != TDAT_OK)
		return st;
	do {
		st = tdat_iter_next(iter, &ev, err);
		if (st == TDAT_OK && ev)
			st = put_event(m, ev, err);
	} while (st == TDAT_OK && ev);
	if (st == TDAT_OK)
		st = warn_damage(m, iter, err);
	tdat_iter_free(iter);
	return st;
}
