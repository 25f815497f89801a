/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads logs of writes in text, "time_ns cpu pid HEX", HEX with the index. Writes are kept by
 * an external sort, since logs of several CPUs are put together. A write that the kernel would
 * refuse is reported with its errno and left out.
 */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "core/build.h"
#include "core/checked.h"
#include "core/text.h"
#include "recorded_writes.h"

enum { LINE_MAX_LEN = 2 * USER_WRITE_MAX + 128, PROBE_LEN = 4096, LINE_BITS = 24 };

/* The columns of a line: time, CPU, pid, hexadecimal data. */
struct columns {
	struct tdat_span v[5]; /* the fifth: there are too many */
	size_t count;
};

/* Splits a line at blanks, up to a comment. */
static struct columns split(struct tdat_span s)
{
	struct columns c = {.count = 0};

	while (c.count < 5) {
		tdat_take_blanks(&s);
		if (!s.len || *s.ptr == '#')
			break;
		c.v[c.count++] = tdat_take_token(&s);
	}
	return c;
}

static bool parse_number(struct tdat_span s, uint64_t max, uint64_t *out)
{
	return tdat_take_u64(&s, 10, out) && !s.len && *out <= max;
}

static bool is_hex(struct tdat_span s)
{
	uint64_t v;

	tdat_take_digits(&s, 16, &v);
	return !s.len;
}

/* The numbers of a line. */
struct write {
	uint64_t ts;
	uint64_t cpu;
	uint64_t pid;
};

/* Parses a line; returns what is wrong with it, or NULL. */
static const char *parse_line(const struct columns *c, struct write *w, struct tdat_build *data)
{
	struct tdat_span hex = c->v[3];

	if (c->count != 4)
		return "4 columns expected";
	if (!parse_number(c->v[0], UINT64_MAX, &w->ts))
		return "bad time";
	if (!parse_number(c->v[1], USER_CPU_MAX, &w->cpu))
		return "bad cpu";
	if (!parse_number(c->v[2], INT32_MAX, &w->pid))
		return "bad pid";
	if (!is_hex(hex))
		return "not hexadecimal";
	if (hex.len % 2)
		return "odd number of hex digits";
	if (hex.len / 2 > USER_WRITE_MAX)
		return "more bytes than 65536";
	data->len = 0;
	for (size_t i = 0; i < hex.len; i += 2)
		tdat_build_u8(data,
			      (uint8_t)(tdat_digit(hex.ptr[i]) << 4 | tdat_digit(hex.ptr[i + 1])));
	return NULL;
}

static bool is_write(struct tdat_span line)
{
	struct columns c = split(line);
	uint64_t v;

	if (c.count != 4 || c.v[3].len < 8 || !parse_number(c.v[0], UINT64_MAX, &v) ||
	    !parse_number(c.v[1], USER_CPU_MAX, &v) || !parse_number(c.v[2], INT32_MAX, &v))
		return false;
	return is_hex(c.v[3]);
}

/* Each line that is a write adds LINE_BITS, as few other texts have lines of this form. */
uint32_t user_probe_text(const struct tdat_source *source)
{
	uint8_t buf[PROBE_LEN];
	struct tdat_span text = import_look(source, buf, sizeof(buf)), line;
	uint32_t bits = 0;

	while (tdat_take_line(&text, &line))
		bits += is_write(line) ? LINE_BITS : 0;
	return bits;
}

/*
 * Replaces the index of a log, a line of the definitions, by the write index; a refused line
 * has none.
 */
static enum tdat_status translate(struct user_import *u, struct tdat_build *b,
				  struct tdat_error *why)
{
	uint32_t line;

	/* The checks of the write report this, and a negative index. */
	if (b->len < 4)
		return TDAT_OK;
	line = tdat_load32(b->ptr, u->big);
	if (line > INT32_MAX)
		return TDAT_OK;
	if (line >= u->number_count || !u->numbers[line]) {
		tdat_error_set(why, TDAT_E_USAGE, TDAT_NO_OFFSET,
			       "index %" PRIu32 " is not registered", line);
		why->sys_errno = ENOENT;
		return TDAT_E_USAGE;
	}
	tdat_store32(b->ptr, u->numbers[line] - 1, u->big);
	return TDAT_OK;
}

/* Returns whether no field points to an array, so that all bytes behind the fields are extra. */
static bool is_fixed(const struct tdat_user_event *event)
{
	const struct tdat_user_field *f;

	for (size_t i = 0; (f = tdat_user_event_field(event, i)); i++)
		if (f->loc != TDAT_USER_LOC_NONE)
			return false;
	return true;
}

/* A sorted write: what was written, then i32 pid. */
enum tdat_status user_keep_write(struct user_import *u, uint64_t ts, uint32_t cpu, int32_t pid,
				 const uint8_t *data, size_t len, struct tdat_error *why)
{
	const struct tdat_user_event *event = NULL;
	struct tdat_build b;
	enum tdat_status st;

	tdat_build_init(&b, u->big);
	tdat_build_bytes(&b, data, len);
	st = b.failed ? tdat_error_no_memory(why, "a write") : translate(u, &b, why);
	if (st == TDAT_OK)
		st = tdat_user_events_verify(u->events, b.ptr ? b.ptr : data, b.len, &event, why);
	if (st == TDAT_OK && len - 4 > TDAT_USER_RECORD_MAX - TDAT_USER_COMMON_LEN) {
		st = tdat_error_set(why, TDAT_E_USAGE, TDAT_NO_OFFSET,
				    "%zu payload bytes, which the kernel drops: a page can hold %d",
				    len - 4, TDAT_USER_RECORD_MAX - TDAT_USER_COMMON_LEN);
		why->sys_errno = E2BIG;
	}
	if (st == TDAT_OK) {
		u->extra += len - 4 > tdat_user_event_min_size(event) && is_fixed(event);
		u->kept++;
		if (cpu >= u->cpu_count)
			u->cpu_count = cpu + 1;
		tdat_build_u32(&b, (uint32_t)pid);
		st = b.failed ? tdat_error_no_memory(why, "a write")
			      : import_sort_add(u->sort, ts, cpu, b.ptr, b.len, why);
	}
	tdat_build_fini(&b);
	return st;
}

/* Takes one line, and warns with what the kernel would have said about it. */
static enum tdat_status read_line(struct user_import *u, const char *name,
				  const struct import_line *line, uint64_t *last,
				  struct tdat_build *data, struct tdat_error *err)
{
	struct tdat_error why = TDAT_ERROR_INIT;
	struct columns c = split(line->text);
	struct write w = {0, 0, 0};
	const char *bad;
	enum tdat_status st;

	if (!c.count && !line->cut)
		return TDAT_OK;
	u->writes++;
	bad = line->cut ? "line too long" : parse_line(&c, &w, data);
	if (bad) {
		u->refused++;
		return tdat_emit_warnf(u->emit, name, line->off, err,
				       "line %" PRIu64 ": syntax: %s", line->number, bad);
	}
	if (data->failed)
		return tdat_error_no_memory(err, "a line");
	st = user_keep_write(u, w.ts, (uint32_t)w.cpu, (int32_t)w.pid, data->ptr, data->len, &why);
	if (st == TDAT_OK) {
		u->earlier += w.ts < *last;
		*last = w.ts;
		return TDAT_OK;
	}
	if (st != TDAT_E_USAGE) {
		if (err)
			*err = why;
		return st;
	}
	u->refused++;
	return tdat_emit_warnf(u->emit, name, line->off, err, "line %" PRIu64 ": %s: %s",
			       line->number, tdat_user_errno_name(why.sys_errno), why.message);
}

/* Reads a log of text. Only failures of tdat itself end it. */
enum tdat_status user_read_text(struct user_import *u, const char *name,
				const struct tdat_source *source, struct tdat_error *err)
{
	struct import_lines lines;
	struct import_line line;
	struct tdat_build data;
	uint64_t last = 0;
	enum tdat_status st;

	tdat_build_init(&data, u->big);
	tdat_build_grow(&data, 64);
	import_lines_init(&lines, source, LINE_MAX_LEN);
	u->stamped = true;
	while ((st = import_lines_next(&lines, &line, err)) == TDAT_OK) {
		st = read_line(u, name, &line, &last, &data, err);
		if (st != TDAT_OK)
			break;
	}
	import_lines_fini(&lines);
	tdat_build_fini(&data);
	return st == TDAT_E_NOT_FOUND ? import_warn_unended(name, source, u->emit, err) : st;
}

/* Registered as the callback of the sort: gives a write to its event. */
static enum tdat_status emit_one(void *ctx, uint64_t ts, uint32_t cpu, struct tdat_span data,
				 struct tdat_error *err)
{
	struct user_import *u = ctx;
	struct tdat_user_origin origin = {.cpu = cpu, .ts = ts};

	origin.pid = (int32_t)tdat_load32(data.ptr + data.len - 4, u->big);
	return tdat_user_events_write(u->events, &origin, data.ptr, data.len - 4, err);
}

enum tdat_status user_emit_writes(struct user_import *u, struct tdat_error *err)
{
	return import_sort_each(u->sort, emit_one, u, err);
}
