/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Takes samples apart, and the fields that stand behind the other records (sample_id). The event
 * of a record says which fields there are; its id stands at a place that all events of a recording
 * share: first in a sample and last in others (IDENTIFIER), or between the fields (ID).
 */
#include "perf.h"

/* Bits of read_format. */
enum { READ_ENABLED = 1, READ_RUNNING = 2, READ_ID = 4, READ_GROUP = 8, READ_LOST = 16 };

static const struct perf_attr *attr_of(const struct perf_data *d, struct tdat_cursor at)
{
	const uint64_t id = tdat_cursor_u64(&at);
	const uint32_t i = tdat_cursor_ok(&at) ? perf_find_id(d, id) : TDAT_MAP_NONE;

	/* As perf does: an id of no event is of the first. */
	return &d->attrs[i == TDAT_MAP_NONE ? 0 : i];
}

static size_t words(uint64_t sample_type, uint64_t bits)
{
	return (size_t)__builtin_popcountll(sample_type & bits);
}

static const struct perf_attr *sample_attr(const struct perf_data *d, struct tdat_cursor c)
{
	const uint64_t type = d->attrs[0].sample_type;

	if (d->attr_count == 1)
		return d->attrs;
	if (type & PERF_S_ID && !(type & PERF_S_IDENTIFIER))
		tdat_cursor_take(
			&c, 8 * words(type, PERF_S_IP | PERF_S_TID | PERF_S_TIME | PERF_S_ADDR));
	return type & (PERF_S_ID | PERF_S_IDENTIFIER) ? attr_of(d, c) : d->attrs;
}

/* Values of counters: the first is kept. */
static void take_read(struct tdat_cursor *c, uint64_t format, struct perf_sample *s)
{
	const size_t times = words(format, READ_ENABLED | READ_RUNNING);
	const size_t each = 8 * (1 + words(format, READ_ID | READ_LOST));
	uint64_t count = 1;

	if (format & READ_GROUP) {
		count = tdat_cursor_u64(c);
		tdat_cursor_take(c, 8 * times);
	}
	if (count > tdat_cursor_left(c) / each)
		count = tdat_cursor_left(c) + 1; /* fails below */
	if (count && tdat_cursor_left(c) >= 8) {
		struct tdat_cursor first = *c;

		s->value = tdat_cursor_u64(&first);
	}
	tdat_cursor_take(c, (size_t)count * each);
	if (!(format & READ_GROUP))
		tdat_cursor_take(c, 8 * times);
}

static void take_common(struct tdat_cursor *c, uint64_t type, struct perf_sample *s)
{
	if (type & PERF_S_TID) {
		s->pid = tdat_cursor_u32(c);
		s->tid = tdat_cursor_u32(c);
		s->has_tid = true;
	}
	if (type & PERF_S_TIME) {
		s->time = tdat_cursor_u64(c);
		s->has_time = true;
	}
}

static void take_cpu(struct tdat_cursor *c, uint64_t type, struct perf_sample *s)
{
	if (type & PERF_S_CPU) {
		s->cpu = tdat_cursor_u32(c);
		tdat_cursor_take(c, 4);
		s->has_cpu = true;
	}
}

bool perf_sample_read(const struct perf_data *d, const struct perf_record *r, struct perf_sample *s)
{
	struct tdat_cursor c = perf_body(d, r);
	uint64_t type;

	*s = (struct perf_sample){.attr = sample_attr(d, c)};
	type = s->attr->sample_type;
	if (type & PERF_S_IDENTIFIER)
		tdat_cursor_take(&c, 8);
	if (type & PERF_S_IP)
		s->ip = tdat_cursor_u64(&c);
	take_common(&c, type, s);
	if (type & PERF_S_ADDR)
		s->addr = tdat_cursor_u64(&c);
	tdat_cursor_take(&c, 8 * words(type, PERF_S_ID | PERF_S_STREAM_ID));
	take_cpu(&c, type, s);
	if (type & PERF_S_PERIOD)
		s->period = tdat_cursor_u64(&c);
	if (type & PERF_S_READ)
		take_read(&c, s->attr->read_format, s);
	if (type & PERF_S_CALLCHAIN) {
		const uint64_t n = tdat_cursor_u64(&c);

		s->chain = tdat_cursor_bytes(&c, n > tdat_cursor_left(&c) / 8
							 ? tdat_cursor_left(&c) + 1
							 : (size_t)n * 8);
	}
	if (type & PERF_S_RAW)
		s->raw = tdat_cursor_bytes(&c, tdat_cursor_u32(&c));
	return tdat_cursor_ok(&c);
}

/* The event that wrote a record other than a sample; words from the end. */
static const struct perf_attr *trailer_attr(const struct perf_data *d, struct tdat_cursor c)
{
	const uint64_t type = d->attrs[0].sample_type;
	const size_t back =
		type & PERF_S_IDENTIFIER ? 8 : 8 * (1 + words(type, PERF_S_CPU | PERF_S_STREAM_ID));

	if (d->attr_count == 1 || !(type & (PERF_S_ID | PERF_S_IDENTIFIER)) ||
	    tdat_cursor_left(&c) < back)
		return d->attrs;
	tdat_cursor_take(&c, tdat_cursor_left(&c) - back);
	return attr_of(d, c);
}

bool perf_trailer_read(const struct perf_data *d, const struct perf_record *r,
		       struct perf_sample *s)
{
	struct tdat_cursor c = perf_body(d, r);
	uint64_t type;
	size_t len;

	*s = (struct perf_sample){.attr = trailer_attr(d, c)};
	type = s->attr->sample_type;
	len = 8 * words(type, PERF_S_TID | PERF_S_TIME | PERF_S_ID | PERF_S_STREAM_ID | PERF_S_CPU |
				      PERF_S_IDENTIFIER);
	if (!s->attr->id_all || len > tdat_cursor_left(&c))
		return false;
	tdat_cursor_take(&c, tdat_cursor_left(&c) - len);
	take_common(&c, type, s);
	tdat_cursor_take(&c, 8 * words(type, PERF_S_ID | PERF_S_STREAM_ID));
	take_cpu(&c, type, s);
	return tdat_cursor_ok(&c);
}
