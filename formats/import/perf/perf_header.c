/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads the header of a perf.data: the events, their ids, where the data is, and behind it the
 * features. A file that came through a pipe has 16 bytes only; events and features are records.
 * All facts are kept in struct perf_data.
 */
#include <inttypes.h>
#include <string.h>

#include "core/checked.h"
#include "core/grow.h"
#include "core/text.h"
#include "import/window.h"
#include "perf.h"

enum {
	FILE_HEAD = 104,
	PIPE_HEAD = 16,
	ATTR_LEAST = 64, /* bytes of the first perf_event_attr */
	ATTR_MOST = 4096,
	ATTRS_MOST = 65536,
	SECTION_MOST = 64 * 1024 * 1024,
	UPDATE_NAME = 2
};

/* Bits of perf_event_attr, counted from the first in memory. */
enum { BIT_ID_ALL = 18, BIT_CLOCK = 25 };

bool perf_magic(const struct tdat_source *source, bool *big)
{
	uint8_t buf[8];

	if (tdat_source_len(source) < PIPE_HEAD ||
	    tdat_source_read(source, 0, buf, sizeof(buf), NULL) != TDAT_OK)
		return false;
	*big = !memcmp(buf, "2ELIFREP", 8);
	return *big || !memcmp(buf, "PERFILE2", 8);
}

static enum tdat_status cut(const struct tdat_cursor *c, struct tdat_error *err, const char *what)
{
	return tdat_error_set(err, TDAT_E_DAMAGED, tdat_cursor_off(c),
			      "%s is truncated at offset %" PRIu64, what, tdat_cursor_off(c));
}

static enum tdat_status add_attr(struct perf_data *d, struct tdat_cursor c, struct tdat_error *err)
{
	struct perf_attr a = {0};
	uint64_t bits;

	a.type = tdat_cursor_u32(&c);
	tdat_cursor_u32(&c);
	a.config = tdat_cursor_u64(&c);
	tdat_cursor_u64(&c);
	a.sample_type = tdat_cursor_u64(&c);
	a.read_format = tdat_cursor_u64(&c);
	bits = tdat_cursor_u64(&c);
	if (!tdat_cursor_ok(&c))
		return cut(&c, err, "an event of the recording");
	a.id_all = bits >> (d->big ? 63 - BIT_ID_ALL : BIT_ID_ALL) & 1;
	/* wakeup, bp_type, config1, config2, branches, registers, stack, clock */
	tdat_cursor_take(&c, 4 + 4 + 8 + 8 + 8 + 8 + 4);
	a.clock = (int32_t)tdat_cursor_u32(&c);
	a.has_clock = tdat_cursor_ok(&c) && bits >> (d->big ? 63 - BIT_CLOCK : BIT_CLOCK) & 1;
	if (d->attr_count == ATTRS_MOST)
		return tdat_error_set(err, TDAT_E_LIMIT, tdat_cursor_off(&c),
				      "the recording has more than %d events", ATTRS_MOST);
	if (!TDAT_GROW(d->attrs, &d->attr_cap, d->attr_count + 1))
		return tdat_error_no_memory(err, "events of a recording");
	d->attrs[d->attr_count++] = a;
	return TDAT_OK;
}

uint32_t perf_find_id(const struct perf_data *d, uint64_t id)
{
	uint32_t i;

	TDAT_MAP_FIND(i, &d->id_map, tdat_hash_u64(d->id_map.seed, id), d->ids[i].id == id);
	return i == TDAT_MAP_NONE ? i : d->ids[i].attr;
}

static enum tdat_status add_ids(struct perf_data *d, struct tdat_cursor c, uint32_t attr,
				struct tdat_error *err)
{
	while (tdat_cursor_left(&c) >= 8) {
		const uint64_t id = tdat_cursor_u64(&c);

		if (perf_find_id(d, id) != TDAT_MAP_NONE)
			continue;
		if (!TDAT_MAP_GROW(&d->id_map, d->ids, &d->id_cap))
			return tdat_error_no_memory(err, "ids of events");
		d->ids[tdat_map_add(&d->id_map, tdat_hash_u64(d->id_map.seed, id))] =
			(struct perf_id){id, attr};
	}
	return TDAT_OK;
}

enum tdat_status perf_attr_record(struct perf_data *d, struct tdat_cursor c, struct tdat_error *err)
{
	struct tdat_cursor size = c;
	uint32_t len;
	enum tdat_status st;

	tdat_cursor_take(&size, 4);
	len = tdat_cursor_u32(&size);
	st = add_attr(d, tdat_cursor_sub(&c, len), err);
	return st == TDAT_OK ? add_ids(d, c, (uint32_t)d->attr_count - 1, err) : st;
}

static void set_name(struct perf_attr *a, struct tdat_span name)
{
	const uint8_t *nul = name.len ? memchr(name.ptr, 0, name.len) : NULL;
	size_t len = nul ? (size_t)(nul - name.ptr) : name.len;

	if (len >= sizeof(a->name))
		len = sizeof(a->name) - 1;
	if (len)
		memcpy(a->name, name.ptr, len);
	a->name[len] = 0;
}

void perf_update_record(struct perf_data *d, struct tdat_cursor c)
{
	const uint64_t kind = tdat_cursor_u64(&c);
	const uint32_t i = perf_find_id(d, tdat_cursor_u64(&c));

	if (tdat_cursor_ok(&c) && kind == UPDATE_NAME && i != TDAT_MAP_NONE)
		set_name(&d->attrs[i], tdat_cursor_bytes(&c, tdat_cursor_left(&c)));
}

static struct tdat_span take_text(struct tdat_cursor *c)
{
	return tdat_cursor_bytes(c, tdat_cursor_u32(c));
}

static void copy_text(struct tdat_cursor c, char *to, size_t cap)
{
	struct tdat_span s = take_text(&c);
	size_t len = s.len < cap ? s.len : cap - 1;

	if (len)
		memcpy(to, s.ptr, len);
	to[len] = 0;
}

/* Names of events: those of a file have no other place. */
static enum tdat_status event_desc(struct perf_data *d, struct tdat_cursor c,
				   struct tdat_error *err)
{
	const uint32_t count = tdat_cursor_u32(&c), len = tdat_cursor_u32(&c);
	enum tdat_status st = TDAT_OK;

	for (uint32_t i = 0; i < count && tdat_cursor_ok(&c) && st == TDAT_OK; i++) {
		struct tdat_cursor attr = tdat_cursor_sub(&c, len), ids;
		const uint32_t id_count = tdat_cursor_u32(&c);
		const struct tdat_span name = take_text(&c);

		ids = tdat_cursor_sub(&c, id_count > tdat_cursor_left(&c) / 8
						  ? tdat_cursor_left(&c) + 1
						  : (size_t)id_count * 8);
		if (!tdat_cursor_ok(&c))
			break;
		if (i >= d->attr_count) {
			st = add_attr(d, attr, err);
			if (st == TDAT_OK)
				st = add_ids(d, ids, i, err);
		}
		if (st == TDAT_OK)
			set_name(&d->attrs[i], name);
	}
	return st;
}

enum tdat_status perf_feature(struct perf_data *d, uint64_t number, struct tdat_cursor c,
			      struct tdat_error *err)
{
	struct perf_text *t = &d->text;

	switch (number) {
	case PERF_F_TRACING_DATA:
		d->tracing.len = 0;
		tdat_build_bytes(&d->tracing, c.base + c.pos, tdat_cursor_left(&c));
		return d->tracing.failed ? tdat_error_no_memory(err, "formats") : TDAT_OK;
	case PERF_F_HOSTNAME:
		copy_text(c, t->host, sizeof(t->host));
		break;
	case PERF_F_OSRELEASE:
		copy_text(c, t->release, sizeof(t->release));
		break;
	case PERF_F_VERSION:
		copy_text(c, t->version, sizeof(t->version));
		break;
	case PERF_F_ARCH:
		copy_text(c, t->arch, sizeof(t->arch));
		break;
	case PERF_F_EVENT_DESC:
		return event_desc(d, c, err);
	default:
		break;
	}
	return TDAT_OK;
}

/* A section {offset, length}, which has to lie in the file. */
static enum tdat_status section(struct tdat_cursor *c, uint64_t total, const char *what,
				struct perf_range *out, struct tdat_error *err)
{
	const uint64_t at = tdat_cursor_off(c), off = tdat_cursor_u64(c);
	const uint64_t len = tdat_cursor_u64(c);

	if (!tdat_cursor_ok(c))
		return cut(c, err, what);
	if (!tdat_range_ok(off, len, total))
		return tdat_error_set(err, TDAT_E_DAMAGED, at,
				      "%s at offset %" PRIu64 " has %" PRIu64
				      " bytes, but the file has only %" PRIu64,
				      what, off, len, total);
	*out = (struct perf_range){off, off + len, false};
	return TDAT_OK;
}

/* The bytes of a section. */
static enum tdat_status load(const struct perf_data *d, struct import_window *w,
			     struct perf_range r, struct tdat_cursor *out, struct tdat_error *err)
{
	const uint8_t *p;

	if (r.end - r.off > SECTION_MOST)
		return tdat_error_set(err, TDAT_E_LIMIT, r.off,
				      "a section has %" PRIu64
				      " bytes, more than the maximum of %d",
				      r.end - r.off, SECTION_MOST);
	p = import_window_get(w, r.off, (size_t)(r.end - r.off), err);
	if (!p)
		return w->status;
	*out = tdat_cursor_init(p, (size_t)(r.end - r.off), r.off, d->big);
	return TDAT_OK;
}

/* Sections of features stand in order of their numbers; the table of them behind the data. */
static enum tdat_status features(struct perf_data *d, struct import_window *w, uint64_t off,
				 const uint64_t bits[4], struct tdat_error *err)
{
	struct perf_range at[PERF_F_COUNT];
	enum tdat_status st;

	for (unsigned i = 0; i < PERF_F_COUNT; i++) {
		struct tdat_cursor c = {0};

		at[i] = (struct perf_range){0, 0, false};
		if (!(bits[i / 64] >> i % 64 & 1))
			continue;
		st = load(d, w, (struct perf_range){off, off + 16, false}, &c, err);
		if (st == TDAT_OK)
			st = section(&c, w->len, "a feature", &at[i], err);
		if (st != TDAT_OK)
			return st;
		off += 16;
	}
	for (unsigned i = 0; i < PERF_F_COUNT; i++) {
		struct tdat_cursor c = {0};

		/* Most are of no use here, and may be large. */
		if (at[i].end == at[i].off || i > PERF_F_EVENT_DESC)
			continue;
		st = load(d, w, at[i], &c, err);
		if (st == TDAT_OK)
			st = perf_feature(d, i, c, err);
		if (st != TDAT_OK)
			return st;
	}
	return TDAT_OK;
}

static enum tdat_status attrs(struct perf_data *d, struct import_window *w, struct perf_range r,
			      uint64_t len, struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;

	if (len < ATTR_LEAST + 16 || len > ATTR_MOST || (r.end - r.off) % len)
		return tdat_error_set(err, TDAT_E_DAMAGED, 16,
				      "events of %" PRIu64
				      " bytes do not fit in a section of %" PRIu64,
				      len, r.end - r.off);
	for (; r.off < r.end && st == TDAT_OK; r.off += len) {
		struct tdat_cursor c = {0}, ids = {0};
		struct perf_range at = {0, 0, false};

		st = load(d, w, (struct perf_range){r.off, r.off + len, false}, &c, err);
		if (st == TDAT_OK)
			st = add_attr(d, tdat_cursor_sub(&c, (size_t)len - 16), err);
		if (st == TDAT_OK)
			st = section(&c, w->len, "ids of an event", &at, err);
		if (st == TDAT_OK)
			st = load(d, w, at, &ids, err);
		if (st == TDAT_OK)
			st = add_ids(d, ids, (uint32_t)d->attr_count - 1, err);
	}
	return st;
}

static enum tdat_status file_head(struct perf_data *d, struct import_window *w,
				  struct perf_range *data, struct tdat_error *err)
{
	struct perf_range events = {0, 0, false};
	struct tdat_cursor c = {0};
	uint64_t len, bits[4], size;
	enum tdat_status st = load(d, w, (struct perf_range){8, FILE_HEAD, false}, &c, err);

	if (st != TDAT_OK)
		return st;
	tdat_cursor_take(&c, 8);
	len = tdat_cursor_u64(&c);
	st = section(&c, w->len, "the events", &events, err);
	if (st != TDAT_OK)
		return st;
	data->off = tdat_cursor_u64(&c);
	size = tdat_cursor_u64(&c);
	tdat_cursor_take(&c, 16);
	for (int i = 0; i < 4; i++)
		bits[i] = tdat_cursor_u64(&c);
	st = attrs(d, w, events, len, err);
	if (st != TDAT_OK)
		return st;
	/* perf writes the length when it ends: a killed one left 0, and nothing behind the data. */
	if (size && tdat_range_ok(data->off, size, w->len)) {
		data->end = data->off + size;
		return features(d, w, data->end, bits, err);
	}
	data->end = w->len > data->off ? w->len : data->off;
	return tdat_emit_warnf(d->emit, d->path, 40, err,
			       size ? "the file is truncated: %" PRIu64
				      " bytes of data and then formats should follow"
				    : "perf did not finish this file (its header counts %" PRIu64
				      " bytes of data), so it has no formats",
			       size);
}

enum tdat_status perf_header_read(struct perf_data *d, const struct tdat_source *source,
				  struct perf_range *data, struct tdat_error *err)
{
	struct import_window w;
	struct tdat_cursor c = {0};
	enum tdat_status st;

	*data = (struct perf_range){0, 0, false};
	import_window_init(&w, source, 0);
	st = load(d, &w, (struct perf_range){8, PIPE_HEAD, false}, &c, err);
	if (st == TDAT_OK) {
		const uint64_t size = tdat_cursor_u64(&c);

		if (size == PIPE_HEAD)
			*data = (struct perf_range){PIPE_HEAD, w.len, true};
		else if (size == FILE_HEAD)
			st = file_head(d, &w, data, err);
		else
			st = tdat_error_set(err, TDAT_E_UNSUPPORTED, 8,
					    "%s: the header has %" PRIu64
					    " bytes, but perf writes %d, or %d to a pipe",
					    d->path, size, FILE_HEAD, PIPE_HEAD);
	}
	import_window_fini(&w);
	return st;
}
