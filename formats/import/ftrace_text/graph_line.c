/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Takes apart lines of function_graph. Which columns there are depends on options, and a text
 * without a header does not say; each is known by its shape: a time, a CPU before ")", a task,
 * flags and a duration before "|". The indent of what is left is the depth.
 */
#include "graph_line.h"

#include <string.h>

#include "core/checked.h"

/* The marks of long durations stand before them. */
static bool duration(struct tdat_span s, uint64_t *ns)
{
	struct ft_cursor c = {s.ptr, s.ptr + s.len};
	struct ft_head t;

	if (c.p < c.end && memchr("+!#*@$", *c.p, 6))
		c.p++;
	ft_blanks(&c);
	memset(&t, 0, sizeof(t));
	if (!ft_time(&c, &t) || t.too_late)
		return false;
	/* ft_time() took microseconds for seconds. */
	*ns = t.unit == FT_SECONDS ? t.ts / 1000000 : t.ts;
	if (t.unit == FT_COUNT && !tdat_mul_u64(t.ts, 1000, ns))
		return false;
	return ft_take(&c, " us") && c.p == c.end;
}

/* "bash-123", with a name of any bytes. */
static bool task(struct tdat_span s, struct ft_head *out)
{
	const uint8_t *dash = s.ptr + s.len;
	struct ft_cursor c;
	uint64_t pid;

	while (dash > s.ptr && tdat_is_dec(dash[-1]))
		dash--;
	if (dash == s.ptr || dash == s.ptr + s.len || dash[-1] != '-')
		return false;
	c = (struct ft_cursor){dash, s.ptr + s.len};
	if (!ft_number(&c, &pid) || pid > INT32_MAX)
		return false;
	out->pid = (int32_t)pid;
	out->comm = ft_trimmed(s.ptr, dash - 1);
	return out->comm.len;
}

/* "   12.345678 |", and "   12 us |" of the latency tracers. */
static void time_column(struct ft_cursor *c, struct ft_graph_line *out)
{
	struct ft_cursor at = *c;
	struct ft_head t;

	memset(&t, 0, sizeof(t));
	ft_blanks(&at);
	if (!ft_time(&at, &t) || t.too_late)
		return;
	if (ft_take(&at, " us")) {
		if (t.unit != FT_COUNT || !tdat_mul_u64(t.ts, 1000, &t.ts))
			return;
		t.unit = FT_MICROS;
	}
	if (!ft_blanks(&at) || !ft_take(&at, "|"))
		return;
	out->head.ts = t.ts;
	out->head.unit = t.unit;
	out->head.digits = t.digits;
	*c = at;
}

static void cpu_column(struct ft_cursor *c, struct ft_graph_line *out)
{
	struct ft_cursor at = *c;
	uint64_t cpu;

	ft_blanks(&at);
	if (!ft_number(&at, &cpu) || cpu >= UINT32_MAX || !ft_take(&at, ")"))
		return;
	out->head.cpu = (uint32_t)cpu;
	out->has_cpu = true;
	*c = at;
}

/* Columns that end in "|"; returns whether there was one. */
static bool other_columns(struct ft_cursor *c, struct ft_graph_line *out)
{
	const uint8_t *bar;
	bool any = false;

	while ((bar = memchr(c->p, '|', (size_t)(c->end - c->p)))) {
		const struct tdat_span s = ft_trimmed(c->p, bar);

		if (!s.len)
			;
		else if (s.len > 9 && (!memcmp(s.ptr, "==========>", s.len < 11 ? s.len : 11) ||
				       !memcmp(s.ptr, "<==========", s.len < 11 ? s.len : 11)))
			out->kind = FT_GRAPH_MARK;
		else if (!out->has_duration && duration(s, &out->duration))
			out->has_duration = true;
		else if (!out->has_task && task(s, &out->head))
			out->has_task = true;
		else if (!ft_flags(s, &out->head))
			break;
		c->p = bar + 1;
		any = true;
	}
	return any;
}

/* A comment at the end, which is cut off. */
static struct tdat_span take_note(const uint8_t *p, const uint8_t **end)
{
	const uint8_t *at;

	if (*end - p < 4 || (*end)[-1] != '/' || (*end)[-2] != '*')
		return (struct tdat_span){NULL, 0};
	for (at = *end - 3; at > p; at--) {
		if (at[0] == '/' && at[1] == '*') {
			const struct tdat_span note = ft_trimmed(at + 2, *end - 2);

			*end = at;
			while (*end > p && (*end)[-1] == ' ')
				(*end)--;
			return note;
		}
	}
	return (struct tdat_span){NULL, 0};
}

static void event_text(const uint8_t *p, const uint8_t *end, struct ft_graph_line *out)
{
	p += 2;
	if (p < end && *p == ' ')
		p++;
	out->closed = end - p >= 2 && end[-1] == '/' && end[-2] == '*';
	if (out->closed)
		end -= end - p >= 3 && end[-3] == ' ' ? 3 : 2;
	out->event = (struct tdat_span){p, (size_t)(end - p)};
	out->kind = FT_GRAPH_EVENT;
}

/* "name(args) {" and "name(args);" */
static void call_text(const uint8_t *p, const uint8_t *end, struct ft_graph_line *out)
{
	const uint8_t *open, *close = end - 1;

	if (end - p < 4 || (*close != '{' && *close != ';'))
		return;
	open = memchr(p, '(', (size_t)(end - p));
	do
		close--;
	while (close > p && *close == ' ');
	if (!open || open == p || *close != ')' || close <= open)
		return;
	out->kind = end[-1] == '{' ? FT_GRAPH_ENTRY : FT_GRAPH_LEAF;
	out->name = (struct tdat_span){p, (size_t)(open - p)};
	out->args = (struct tdat_span){open + 1, (size_t)(close - open) - 1};
}

static bool switch_text(const uint8_t *p, const uint8_t *end, struct ft_graph_line *out)
{
	for (; end - p > 4; p++) {
		if (*p != '=' || p[1] != '>' || p[-1] != ' ' || p[2] != ' ')
			continue;
		if (task(ft_trimmed(p + 2, end), &out->head)) {
			out->kind = FT_GRAPH_SWITCH;
			return true;
		}
	}
	return false;
}

void ft_graph_parse(struct tdat_span line, struct ft_graph_line *out)
{
	const uint8_t *end = line.ptr + line.len;
	struct ft_cursor c = {line.ptr, end};
	size_t blanks, before;
	bool bars;

	memset(out, 0, sizeof(*out));
	out->head.pid = FT_NO_PID;
	out->head.tgid = FT_NONE;
	time_column(&c, out);
	cpu_column(&c, out);
	bars = other_columns(&c, out);
	if (out->kind == FT_GRAPH_MARK)
		return;
	blanks = ft_blanks(&c);
	before = bars ? 2 : out->has_cpu ? 1 : 0;
	out->depth = blanks > before ? (uint32_t)(blanks - before) / 2 : 0;
	while (end > c.p && end[-1] == ' ')
		end--;
	if (end - c.p >= 2 && c.p[0] == '/' && c.p[1] == '*') {
		event_text(c.p, end, out);
		return;
	}
	out->note = take_note(c.p, &end);
	if (end - c.p == 1 && *c.p == '}')
		out->kind = FT_GRAPH_EXIT;
	else if (end > c.p && !(blanks && !bars && switch_text(c.p, end, out)))
		call_text(c.p, end, out);
}
