/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads the tracing data of a perf.data, which is the head of a trace.dat of version 0.5 or 0.6:
 * pages, formats of the recorded events by system, symbols, printk formats and names of tasks. It
 * says its own byte order.
 */
#include <string.h>

#include "core/text.h"
#include "perf.h"

/* Opens the data behind its byte order and its word size. */
static struct tdat_cursor begin(const struct perf_data *d, bool *names)
{
	struct tdat_cursor c = tdat_cursor_init(d->tracing.ptr, d->tracing.len, 0, d->big);
	const struct tdat_span magic = tdat_cursor_bytes(&c, 10);
	struct tdat_span version;

	version = tdat_cursor_cstr(&c);
	if (!tdat_span_is(magic, "\x17\x08\x44tracing"))
		c.failed = true;
	*names = !tdat_span_is(version, "0.5");
	c.big = tdat_cursor_u8(&c);
	return c;
}

enum tdat_status perf_tracing_look(struct perf_data *d, struct tdat_error *err)
{
	bool names;
	struct tdat_cursor c = begin(d, &names);
	uint8_t size;

	if (!d->tracing.len)
		return TDAT_OK;
	size = tdat_cursor_u8(&c);
	if (!tdat_cursor_ok(&c) || (size != 4 && size != 8))
		return tdat_emit_warnf(d->emit, d->path, TDAT_NO_OFFSET, err,
				       "the tracing data starts incorrectly: the formats of "
				       "tracepoints are unknown");
	d->long_size = size;
	return TDAT_OK;
}

static struct tdat_span take_sized(struct tdat_cursor *c, bool wide)
{
	const uint64_t len = wide ? tdat_cursor_u64(c) : tdat_cursor_u32(c);

	return tdat_cursor_bytes(c, len > SIZE_MAX ? SIZE_MAX : (size_t)len);
}

static enum tdat_status format(struct perf_data *d, const char *system, struct tdat_span text,
			       uint16_t *ids, struct tdat_error *err)
{
	const struct tdat_span line = tdat_behind(text, "ID:");
	struct tdat_span number = line;
	uint64_t id = 0;
	uint16_t given = 0;
	enum tdat_status st;

	tdat_take_blanks(&number);
	if (!number.len || !tdat_take_u64(&number, 10, &id) || id > UINT16_MAX || !*system ||
	    !tdat_behind(text, "name:").ptr)
		return tdat_emit_warnf(d->emit, d->path, TDAT_NO_OFFSET, err,
				       "a format of '%s' has no name or no number", system);
	st = tdat_emit_format(d->emit, system, (const char *)text.ptr, text.len, &given, err);
	if (st == TDAT_OK)
		ids[id] = given;
	return st;
}

static enum tdat_status formats(struct perf_data *d, struct tdat_cursor *c, uint16_t *ids,
				struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;
	uint32_t systems;

	/* Those of ftrace itself, which perf does not record. */
	for (uint32_t n = tdat_cursor_u32(c); n && tdat_cursor_ok(c); n--)
		take_sized(c, true);
	systems = tdat_cursor_u32(c);
	while (systems-- && tdat_cursor_ok(c) && st == TDAT_OK) {
		const struct tdat_span system = tdat_cursor_cstr(c);

		for (uint32_t n = tdat_cursor_u32(c); n && tdat_cursor_ok(c) && st == TDAT_OK;
		     n--) {
			const struct tdat_span text = take_sized(c, true);

			if (tdat_cursor_ok(c))
				st = format(d, (const char *)system.ptr, text, ids, err);
		}
	}
	return st;
}

/* Lines "PID NAME". */
static enum tdat_status comms(struct perf_data *d, struct tdat_span text, struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;
	struct tdat_span line;

	while (st == TDAT_OK && tdat_take_line(&text, &line)) {
		char comm[32];
		uint64_t pid;

		if (!tdat_take_u64(&line, 10, &pid) || pid > INT32_MAX || line.len < 2 ||
		    line.len > sizeof(comm) || *line.ptr != ' ')
			continue;
		memcpy(comm, line.ptr + 1, line.len - 1);
		comm[line.len - 1] = 0;
		st = tdat_emit_comm(d->emit, (int32_t)pid, comm, err);
	}
	return st;
}

enum tdat_status perf_tracing_emit(struct perf_data *d, uint16_t *ids, struct tdat_error *err)
{
	bool names;
	struct tdat_cursor c = begin(d, &names);
	enum tdat_status st;
	struct tdat_span text;

	if (!d->long_size)
		return TDAT_OK;
	tdat_cursor_take(&c, 5);
	tdat_cursor_cstr(&c); /* header_page */
	take_sized(&c, true);
	tdat_cursor_cstr(&c); /* header_event */
	take_sized(&c, true);
	st = formats(d, &c, ids, err);
	text = take_sized(&c, false);
	if (st == TDAT_OK && text.len)
		st = tdat_emit_kallsyms(d->emit, (const char *)text.ptr, text.len, err);
	text = take_sized(&c, false);
	if (st == TDAT_OK && text.len)
		st = tdat_emit_printk(d->emit, (const char *)text.ptr, text.len, err);
	if (names && tdat_cursor_left(&c) >= 8)
		text = take_sized(&c, true);
	else
		text = (struct tdat_span){NULL, 0};
	if (st == TDAT_OK)
		st = comms(d, text, err);
	if (st == TDAT_OK && !tdat_cursor_ok(&c))
		st = tdat_emit_warnf(d->emit, d->path, TDAT_NO_OFFSET, err,
				     "the tracing data is truncated: formats may be missing");
	return st;
}
