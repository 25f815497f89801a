/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Takes apart the columns before the text of an event: comm, pid/tid, [cpu], misc, time, period
 * and the event's name, each of which -F can leave out. A task's name holds any bytes: it ends at
 * the first blank from which on all further columns fit.
 */
#include "perf_line.h"

#include <string.h>

#include "core/checked.h"

enum { COMM_MOST = 64, FRACTION_FULL = 9, PERIOD_END = 10, MISC_MOST = 5 };

static bool all_of(struct tdat_span s, const char *set)
{
	for (size_t i = 0; i < s.len; i++)
		if (!s.ptr[i] || !strchr(set, s.ptr[i]))
			return false;
	return s.len != 0;
}

bool perf_is_record(struct tdat_span event)
{
	return event.len > 12 && !memcmp(event.ptr, "PERF_RECORD_", 12);
}

static bool is_name(struct tdat_span s)
{
	for (size_t i = 0; i < s.len; i++)
		if (!tdat_is_dec(s.ptr[i]) && !memchr("_.-", s.ptr[i], 3) &&
		    ((s.ptr[i] | 32) < 'a' || (s.ptr[i] | 32) > 'z'))
			return false;
	return s.len > 1;
}

bool perf_tracepoint(struct tdat_span event, struct tdat_span *out)
{
	const uint8_t *colon = event.len ? memchr(event.ptr, ':', event.len) : NULL, *end;
	struct tdat_span name;

	if (!colon || colon == event.ptr || memchr(event.ptr, '/', event.len))
		return false;
	name = (struct tdat_span){colon + 1, (size_t)(event.ptr + event.len - colon) - 1};
	end = name.len ? memchr(name.ptr, ':', name.len) : NULL;
	if (end)
		name.len = (size_t)(end - name.ptr);
	*out = (struct tdat_span){event.ptr, (size_t)(name.ptr + name.len - event.ptr)};
	/* "cycles:ppp" has modifiers only. */
	return is_name(name) &&
	       is_name((struct tdat_span){event.ptr, (size_t)(colon - event.ptr)}) &&
	       !all_of(name, "ukhGHpPSDIWebR");
}

bool perf_hex(struct ft_cursor *c, uint64_t *out)
{
	const uint8_t *start = c->p;

	for (*out = 0; c->p < c->end; c->p++) {
		const uint8_t d = *c->p;

		if (tdat_is_dec(d))
			*out = *out << 4 | (uint64_t)(d - '0');
		else if (d >= 'a' && d <= 'f')
			*out = *out << 4 | (uint64_t)(d - 'a' + 10);
		else
			break;
	}
	return c->p > start && c->p - start <= 16;
}

bool perf_is_frame(struct tdat_span line)
{
	struct ft_cursor c = {line.ptr, line.ptr + line.len};
	uint64_t ip;

	while (c.p < c.end && (*c.p == '\t' || *c.p == ' '))
		c.p++;
	return c.p > line.ptr && perf_hex(&c, &ip) && (c.p == c.end || *c.p == ' ');
}

/*
 * Files of the kernel and its modules are in brackets, as are some names of a program's memory.
 * Without a file, addresses of the kernel have all upper bits set.
 */
bool perf_is_user(struct tdat_span frame)
{
	static const char *const of_programs[] = {"([vdso",  "([vsyscall", "([heap",
						  "([stack", "([anon",	   "([uprobes"};
	struct ft_cursor c = {frame.ptr, frame.ptr + frame.len};
	const uint8_t *file = frame.len ? memrchr(frame.ptr, '(', frame.len) : NULL;
	const size_t left = file ? (size_t)(c.end - file) : 0;
	uint64_t ip;

	if (left > 2 && memcmp(file, "([unknown]", left < 10 ? left : 10) != 0 &&
	    memcmp(file, "(inlined", left < 8 ? left : 8) != 0) {
		for (size_t i = 0; i < sizeof(of_programs) / sizeof(of_programs[0]); i++)
			if (left > strlen(of_programs[i]) &&
			    !memcmp(file, of_programs[i], strlen(of_programs[i])))
				return true;
		return file[1] != '[' && !memmem(file, left, ".ko", 3) &&
		       !memmem(file, left, "/vmlinux", 8);
	}
	return !perf_hex(&c, &ip) || ip >> 48 != 0xffff;
}

static bool take_id(struct ft_cursor *c, int32_t *out)
{
	const bool negative = ft_take(c, "-");
	uint64_t v;

	if (!ft_number(c, &v) || v > INT32_MAX)
		return false;
	*out = negative ? -(int32_t)v : (int32_t)v;
	return true;
}

/* "  123 " or "  120/123   "; -1 is a task that perf does not know. */
static bool take_tid(struct ft_cursor *c, struct ft_head *h)
{
	int32_t group;

	ft_blanks(c);
	if (!take_id(c, &h->pid))
		return false;
	if (ft_take(c, "/")) {
		group = h->pid;
		if (!take_id(c, &h->pid))
			return false;
		if (group >= 0)
			h->tgid = (uint32_t)group;
	}
	return ft_blanks(c) > 0;
}

/* "[001] ", if it is there. */
static bool take_cpu(struct ft_cursor *c, struct ft_head *h)
{
	uint64_t cpu;

	ft_blanks(c);
	if (!ft_take(c, "["))
		return true;
	if (!ft_number(c, &cpu) || cpu >= UINT32_MAX || !ft_take(c, "]"))
		return false;
	h->cpu = (uint32_t)cpu;
	return ft_blanks(c) > 0;
}

/* The modes of a sample (-F misc), if they are there. */
static void skip_misc(struct ft_cursor *c)
{
	const uint8_t *start = c->p;

	while (c->p < c->end && c->p - start < MISC_MOST && *c->p && strchr("KUHGgETSs", *c->p))
		c->p++;
	if (!ft_blanks(c))
		c->p = start;
}

/*
 * "12.345678: ". perf of 32-bit machines takes the seconds off modulo 2^32 only, so that its
 * nanoseconds have more than nine digits: what it took off is added again.
 */
static bool take_time(struct ft_cursor *c, struct ft_head *h)
{
	uint64_t seconds, fraction;
	const uint8_t *start;

	if (!ft_number(c, &seconds) || !ft_take(c, "."))
		return false;
	start = c->p;
	if (!ft_number(c, &fraction) || !tdat_mul_u64(seconds, 1000000000, &seconds))
		return false;
	h->digits = (uint8_t)(c->p - start);
	h->unit = FT_SECONDS;
	for (uint8_t i = h->digits; i < FRACTION_FULL; i++)
		fraction *= 10;
	if (h->digits > FRACTION_FULL)
		seconds &= UINT32_MAX;
	return tdat_add_u64(seconds, fraction, &h->ts) && ft_take(c, ":") &&
	       (c->p == c->end || ft_blanks(c));
}

/* "    250000 cpu-clock: ", the period if it is there. */
static bool take_event(struct ft_cursor *c, struct perf_line *o)
{
	const uint8_t *start;

	ft_blanks(c);
	o->has_period = c->p < c->end && tdat_is_dec(*c->p);
	if (o->has_period && (!ft_number(c, &o->period) || !ft_blanks(c)))
		return false;
	start = c->p;
	if (c->end - start > 12 && !memcmp(start, "PERF_RECORD_", 12)) {
		while (c->p < c->end &&
		       ((*c->p >= 'A' && *c->p <= 'Z') || *c->p == '_' || tdat_is_dec(*c->p)))
			c->p++;
		o->event = (struct tdat_span){start, (size_t)(c->p - start)};
		o->text = (struct tdat_span){c->p, (size_t)(c->end - c->p)};
		return true;
	}
	while (c->p < c->end && *c->p != ' ')
		c->p++;
	if (c->p - start < 2 || c->p[-1] != ':' || tdat_is_dec(*start))
		return false;
	o->event = (struct tdat_span){start, (size_t)(c->p - start) - 1};
	ft_take(c, " ");
	o->text = (struct tdat_span){c->p, (size_t)(c->end - c->p)};
	return true;
}

/* The columns behind the task's name. */
static bool columns_at(unsigned columns, struct tdat_span line, const uint8_t *p,
		       struct perf_line *o)
{
	struct ft_cursor c = {p, line.ptr + line.len};
	struct ft_head *h = &o->head;
	const uint8_t *end;

	h->pid = FT_NO_PID;
	h->tgid = h->cpu = FT_NONE;
	if (columns & PERF_TID && !take_tid(&c, h))
		return false;
	for (end = c.p; end > line.ptr && end[-1] == ' ';)
		end--;
	/* A number alone that ends where periods do is one. */
	if (columns == PERF_TID && h->cpu == FT_NONE && end - line.ptr >= PERIOD_END)
		return false;
	if (!take_cpu(&c, h))
		return false;
	if (columns & PERF_TIME) {
		skip_misc(&c);
		if (!take_time(&c, h))
			return false;
	}
	return take_event(&c, o);
}

bool perf_line_parse(unsigned columns, struct tdat_span line, struct perf_line *out)
{
	const uint8_t *end = line.ptr + line.len, *start = line.ptr, *p;

	memset(out, 0, sizeof(*out));
	if (!(columns & PERF_COMM))
		return columns_at(columns, line, line.ptr, out);
	while (start < end && *start == ' ')
		start++;
	for (p = start; p < end && p - start < COMM_MOST; p++) {
		if (*p != ' ' || p == start || p[-1] == ' ')
			continue;
		/* A CPU in front is no name. */
		if (*start == '[' && p[-1] == ']' && tdat_is_dec(start[1]))
			continue;
		if (columns_at(columns, line, p, out)) {
			out->head.comm = (struct tdat_span){start, (size_t)(p - start)};
			return true;
		}
	}
	return false;
}

bool perf_line_guess(struct tdat_span line, unsigned *columns, struct perf_line *out)
{
	static const unsigned order[] = {PERF_ALL,
					 PERF_TID | PERF_TIME,
					 PERF_COMM | PERF_TIME,
					 PERF_TIME,
					 PERF_COMM | PERF_TID,
					 PERF_TID,
					 PERF_COMM,
					 0};
	struct tdat_span name;

	for (size_t i = 0; i < sizeof(order) / sizeof(order[0]); i++) {
		if (!perf_line_parse(order[i], line, out))
			continue;
		/* Without times, words alone are no sample. */
		*columns = order[i];
		return (order[i] & PERF_TIME) || order[i] == (PERF_COMM | PERF_TID) ||
		       out->has_period || perf_tracepoint(out->event, &name);
	}
	return false;
}
