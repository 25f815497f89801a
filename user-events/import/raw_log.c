/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads streams of what was written: each write is an index and its payload, with a u64 time
 * before it with --log raw-ts. A payload is as long as its fields and the arrays they point to.
 * Where a write ends is known only from its event's definition, which must be read before. What
 * the kernel would refuse, and a stream that is cut, is a warning.
 */
#include <inttypes.h>
#include <string.h>

#include "core/cursor.h"
#include "core/text.h"
#include "recorded_writes.h"
#include "import/window.h"

/* The number behind the last "cpu" or other word in a name; false without one. */
static bool number_behind(const char *name, const char *word, uint32_t max, uint32_t *out)
{
	const char *p = strstr(name, word);
	uint64_t v;

	if (!p)
		return false;
	p += strlen(word);
	if (tdat_read_digits(p, NULL, 10, &v) == p || v > max)
		return false;
	*out = (uint32_t)v;
	return true;
}

/* Returns how long a payload has to be, by those of its fields that are there. */
static uint64_t payload_len(const struct tdat_user_event *event, const uint8_t *payload, bool big)
{
	uint64_t len = tdat_user_event_min_size(event);
	const struct tdat_user_field *f;

	for (size_t i = 0; (f = tdat_user_event_field(event, i)); i++) {
		uint32_t at = f->off - TDAT_USER_COMMON_LEN, loc;
		uint64_t end;

		if (f->loc == TDAT_USER_LOC_NONE)
			continue;
		loc = tdat_load32(payload + at, big);
		end = (uint64_t)(loc & 0xffff) + (loc >> 16);
		if (f->loc == TDAT_USER_LOC_REL)
			end += at + 4;
		else
			end = end > TDAT_USER_COMMON_LEN ? end - TDAT_USER_COMMON_LEN : 0;
		if (end > len)
			len = end;
	}
	return len;
}

/*
 * A stream that is read. off: bytes, the place of the next write. ts without times: the number of
 * the write.
 */
struct stream {
	struct user_import *u;
	const char *name;
	struct import_window window;
	uint64_t off;
	uint64_t ts;
	uint32_t cpu;
	int32_t pid;
};

/* Warns that the stream ends within a write, and ends it: TDAT_E_NOT_FOUND, as at a whole end. */
static enum tdat_status cut(struct stream *s, uint64_t want, uint64_t left, struct tdat_error *err)
{
	enum tdat_status st =
		tdat_emit_warnf(s->u->emit, s->name, s->off, err,
				"write at %" PRIu64 " wants %" PRIu64 " bytes, %" PRIu64 " left",
				s->off, want, left);

	s->u->refused++;
	return st == TDAT_OK ? TDAT_E_NOT_FOUND : st;
}

/* Ends the stream at an unknown index: how long its payload is cannot be known. */
static enum tdat_status lost(struct stream *s, int32_t index, struct tdat_error *err)
{
	enum tdat_status st = tdat_emit_warnf(s->u->emit, s->name, s->off, err,
					      "write at %" PRIu64 ": %s: index %" PRId32
					      " is not registered, stopping",
					      s->off, index < 0 ? "EINVAL" : "ENOENT", index);

	s->u->refused++;
	return st == TDAT_OK ? TDAT_E_NOT_FOUND : st;
}

/*
 * Warns with what the kernel would answer, and goes to the next write. Failures of tdat itself are
 * returned.
 */
static enum tdat_status refused(struct stream *s, const struct tdat_error *why,
				struct tdat_error *err)
{
	if (why->status != TDAT_E_USAGE) {
		if (err)
			*err = *why;
		return why->status;
	}
	s->u->refused++;
	return tdat_emit_warnf(s->u->emit, s->name, s->off, err, "write at %" PRIu64 ": %s: %s",
			       s->off, tdat_user_errno_name(why->sys_errno), why->message);
}

/* Reads one write. Returns TDAT_E_NOT_FOUND at the end. */
static enum tdat_status next_write(struct stream *s, struct tdat_error *err)
{
	struct user_import *u = s->u;
	uint64_t left = s->window.len - s->off, head = u->kind == USER_LOG_RAW_TS ? 8 : 0, len;
	struct tdat_error why = TDAT_ERROR_INIT;
	const struct tdat_user_event *event;
	const uint8_t *p;
	int32_t index;
	enum tdat_status st;

	if (!left)
		return TDAT_E_NOT_FOUND;
	if (left < head + 4)
		return cut(s, head + 4, left, err);
	p = import_window_get(&s->window, s->off, (size_t)head + 4, err);
	if (!p)
		return TDAT_E_DAMAGED;
	if (head)
		s->ts = tdat_load64(p, u->big);
	else
		s->ts++;
	index = (int32_t)tdat_load32(p + head, u->big);
	if (index < 0 || (uint32_t)index >= u->number_count || !u->numbers[index])
		return lost(s, index, err);
	/* The fields themselves come first: they say how long the arrays behind them are. */
	event = tdat_user_events_find(u->events, u->numbers[index] - 1);
	len = head + 4 + tdat_user_event_min_size(event);
	if (len > left)
		return cut(s, len, left, err);
	/* Longer ones are refused by user_keep_write() without a look at their arrays. */
	if (tdat_user_event_min_size(event) <= USER_WRITE_MAX) {
		p = import_window_get(&s->window, s->off, (size_t)len, err);
		if (!p)
			return TDAT_E_DAMAGED;
		len = head + 4 + payload_len(event, p + head + 4, u->big);
	}
	if (len > left)
		return cut(s, len, left, err);
	u->writes++;
	p = import_window_get(&s->window, s->off, (size_t)len, err);
	if (!p)
		return TDAT_E_DAMAGED;
	st = user_keep_write(u, s->ts, s->cpu, s->pid, p + head, (size_t)(len - head), &why);
	if (st != TDAT_OK)
		st = refused(s, &why, err);
	s->off += len;
	return st;
}

/* The numbers of CPU and thread come from the name of the file, because the stream has neither. */
enum tdat_status user_read_stream(struct user_import *u, const char *name, uint32_t order,
				  const struct tdat_source *source, struct tdat_error *err)
{
	struct stream s = {.u = u, .name = name, .cpu = order, .pid = u->pid};
	enum tdat_status st = TDAT_OK;
	uint32_t pid;

	number_behind(name, "cpu", USER_CPU_MAX, &s.cpu);
	if (number_behind(name, "tid", INT32_MAX, &pid) ||
	    number_behind(name, "pid", INT32_MAX, &pid))
		s.pid = (int32_t)pid;
	u->stamped = u->stamped || u->kind == USER_LOG_RAW_TS;
	import_window_init(&s.window, source, 0);
	while (st == TDAT_OK)
		st = next_write(&s, err);
	import_window_fini(&s.window);
	return st == TDAT_E_NOT_FOUND ? TDAT_OK : st;
}
