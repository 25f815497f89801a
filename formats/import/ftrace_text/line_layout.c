/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Takes apart the columns before the text of an event: task, CPU, flags, time. They stand at no
 * fixed place, as names of tasks hold any bytes and numbers grow. The end of a name is the first
 * "-" behind its least width from which on all further columns fit.
 */
#include "line_layout.h"

#include <string.h>

#include "core/checked.h"
#include "core/text.h"

enum { COMM_WIDTH = 16, LATENCY_WIDTH = 8, FRACTION_MOST = 9 };

/* Bits of common_flags (the kernel's enum trace_flag_type). */
enum {
	IRQS_OFF = 1,
	RESCHED_LAZY = 2,
	NEED_RESCHED = 4,
	HARDIRQ = 8,
	SOFTIRQ = 16,
	PREEMPT_RESCHED = 32,
	NMI = 64,
	BH_OFF = 128
};

size_t ft_blanks(struct ft_cursor *c)
{
	const uint8_t *start = c->p;

	while (c->p < c->end && *c->p == ' ')
		c->p++;
	return (size_t)(c->p - start);
}

bool ft_take(struct ft_cursor *c, const char *text)
{
	const size_t len = strlen(text);

	if ((size_t)(c->end - c->p) < len || memcmp(c->p, text, len))
		return false;
	c->p += len;
	return true;
}

bool ft_number(struct ft_cursor *c, uint64_t *out)
{
	const uint8_t *start = c->p;
	uint64_t v = 0;

	for (; c->p < c->end && tdat_is_dec(*c->p); c->p++)
		if (!tdat_mul_u64(v, 10, &v) || !tdat_add_u64(v, *c->p - (uint64_t)'0', &v))
			return false;
	*out = v;
	return c->p > start;
}

bool ft_time(struct ft_cursor *c, struct ft_head *out)
{
	const uint8_t *start = c->p;
	uint64_t fraction;

	out->too_late = !ft_number(c, &out->ts);
	while (out->too_late && c->p < c->end && tdat_is_dec(*c->p))
		c->p++;
	if (c->p == start)
		return false;
	out->unit = FT_COUNT;
	out->digits = 0;
	if (c->p + 1 >= c->end || *c->p != '.' || !tdat_is_dec(c->p[1]))
		return true;
	start = ++c->p;
	if (!ft_number(c, &fraction) || c->p - start > FRACTION_MOST)
		return false;
	out->unit = FT_SECONDS;
	out->digits = (uint8_t)(c->p - start);
	for (uint8_t i = out->digits; i < FRACTION_MOST; i++)
		fraction *= 10;
	out->too_late |= !tdat_mul_u64(out->ts, 1000000000, &out->ts) ||
			 !tdat_add_u64(out->ts, fraction, &out->ts);
	if (out->too_late)
		out->ts = UINT64_MAX;
	return true;
}

/* What each column of flags can show, and the bits that it means. */
static const struct flag_char {
	char shown;
	uint8_t bits;
} irq_chars[] = {{'d', IRQS_OFF}, {'D', IRQS_OFF | BH_OFF}, {'b', BH_OFF}, {'X', 0}},
  resched_chars[] = {{'N', NEED_RESCHED | PREEMPT_RESCHED},
		     {'n', NEED_RESCHED},
		     {'p', PREEMPT_RESCHED},
		     {'B', NEED_RESCHED | RESCHED_LAZY | PREEMPT_RESCHED},
		     {'b', NEED_RESCHED | RESCHED_LAZY},
		     {'L', RESCHED_LAZY | PREEMPT_RESCHED},
		     {'l', RESCHED_LAZY}},
  context_chars[] = {{'Z', NMI | HARDIRQ},
		     {'z', NMI},
		     {'H', HARDIRQ | SOFTIRQ},
		     {'h', HARDIRQ},
		     {'s', SOFTIRQ}};

static bool add_flag(uint8_t c, const struct flag_char *list, size_t count, uint8_t *flags)
{
	if (c == '.')
		return true;
	for (size_t i = 0; i < count; i++) {
		if ((uint8_t)list[i].shown == c) {
			*flags |= list[i].bits;
			return true;
		}
	}
	return false;
}

static bool hex_digit(uint8_t c, uint8_t *out)
{
	if (c == '.')
		*out = 0;
	else if (tdat_is_dec(c))
		*out = (uint8_t)(c - '0');
	else if (c >= 'a' && c <= 'f')
		*out = (uint8_t)(c - 'a' + 10);
	else
		return false;
	return true;
}

#define COUNT(list) (sizeof(list) / sizeof((list)[0]))

/*
 * irqs-off, need-resched, context, preempt-depth; from 5.18 on migrate-disable behind them.
 * PREEMPT_RT has need-resched-lazy behind need-resched, and preempt-lazy-depth behind
 * preempt-depth: the first is a bit, the second has no place in a record.
 */
bool ft_flags(struct tdat_span word, struct ft_head *out)
{
	const bool rt = word.len >= 6;
	const size_t context = rt ? 3 : 2, depth = context + 1, migrate = depth + 1 + rt;
	uint8_t flags = 0, preempt = 0, disabled = 0;

	if (word.len < 4 || word.len > 7 ||
	    !add_flag(word.ptr[0], irq_chars, COUNT(irq_chars), &flags) ||
	    !add_flag(word.ptr[1], resched_chars, COUNT(resched_chars), &flags) ||
	    !add_flag(word.ptr[context], context_chars, COUNT(context_chars), &flags) ||
	    !hex_digit(word.ptr[depth], &preempt) ||
	    (migrate < word.len && !hex_digit(word.ptr[migrate], &disabled)))
		return false;
	if (rt && word.ptr[2] == 'L')
		flags |= RESCHED_LAZY;
	out->flags = flags;
	out->preempt = (uint8_t)(disabled << 4 | preempt);
	out->has_flags = true;
	return true;
}

struct tdat_span ft_trimmed(const uint8_t *p, const uint8_t *end)
{
	while (p < end && *p == ' ')
		p++;
	while (end > p && end[-1] == ' ')
		end--;
	return (struct tdat_span){p, (size_t)(end - p)};
}

static struct tdat_span word_at(struct ft_cursor c)
{
	const uint8_t *start = c.p;

	while (c.p < c.end && *c.p != ' ')
		c.p++;
	return (struct tdat_span){start, (size_t)(c.p - start)};
}

/* "-1234 " and the column of the thread group behind it, if there is one: "(  1234)". */
static bool take_pid(struct ft_cursor *c, struct ft_head *out)
{
	uint64_t v;
	bool negative;

	out->pid = FT_NO_PID;
	out->tgid = FT_NONE;
	if (!ft_take(c, "-"))
		return false;
	if (!ft_take(c, "<...>")) {
		negative = ft_take(c, "-");
		if (!ft_number(c, &v) || v > INT32_MAX)
			return false;
		out->pid = negative ? -(int32_t)v : (int32_t)v;
	}
	if (!ft_blanks(c))
		return false;
	if (!ft_take(c, "("))
		return true;
	if (!ft_take(c, "-------")) {
		ft_blanks(c);
		if (!ft_number(c, &v) || v > INT32_MAX)
			return false;
		out->tgid = (uint32_t)v;
	}
	return ft_take(c, ")") && ft_blanks(c);
}

/* "-123     [001] d..2.    12.345678: " */
static bool default_columns(struct ft_cursor *c, struct ft_head *out)
{
	const uint8_t *digits;
	struct tdat_span word;
	uint64_t cpu;

	if (!take_pid(c, out) || !ft_take(c, "["))
		return false;
	digits = c->p;
	if (!ft_number(c, &cpu) || c->p - digits < 3 || cpu >= UINT32_MAX || !ft_take(c, "]"))
		return false;
	out->cpu = (uint32_t)cpu;
	ft_blanks(c);
	word = word_at(*c);
	if (word.len >= 4 && word.len <= 7 && word.ptr[word.len - 1] != ':') {
		/* Characters of later kernels are columns, too. */
		if (!ft_flags(word, out) && tdat_is_dec(word.ptr[0]))
			return false;
		c->p += word.len;
		ft_blanks(c);
	}
	return ft_time(c, out) && ft_take(c, ": ");
}

/* "-123     1d..2. 12345us+: "; trace-cmd report has seconds, as by default. */
static bool latency_columns(struct ft_cursor *c, struct ft_head *out)
{
	struct tdat_span word;
	uint64_t cpu;

	if (!take_pid(c, out) || !ft_number(c, &cpu) || cpu >= UINT32_MAX)
		return false;
	out->cpu = (uint32_t)cpu;
	word = word_at(*c);
	if (!ft_flags(word, out) && (word.len < 4 || word.len > 7 || tdat_is_dec(word.ptr[0])))
		return false;
	c->p += word.len;
	ft_blanks(c);
	if (!ft_time(c, out))
		return false;
	if (out->unit == FT_COUNT && ft_take(c, "us")) {
		out->unit = FT_MICROS;
		out->too_late |= !tdat_mul_u64(out->ts, 1000, &out->ts);
	}
	if (c->p < c->end && memchr(" +!#*@$", *c->p, 7))
		c->p++;
	return ft_take(c, ": ");
}

static bool hex_number(struct ft_cursor *c, uint64_t *out)
{
	const uint8_t *start = c->p;
	uint8_t d;

	for (*out = 0; c->p < c->end && *c->p != '.' && hex_digit(*c->p, &d); c->p++)
		*out = *out << 4 | d;
	return c->p - start >= 8 && c->p - start <= 16;
}

/* "  bash  123   1 9 00000000 00000000 [012455fc] 112.381ms (+0.530ms): ", in microseconds */
static bool verbose_columns(struct tdat_span line, size_t at, struct ft_head *out)
{
	const uint8_t *start = line.ptr + at, *end = line.ptr + line.len, *open = start, *name_end;
	struct ft_cursor c;
	uint64_t pid, cpu, flags, preempt, index;

	while ((open = memchr(open, '[', (size_t)(end - open)))) {
		unsigned words = 0;

		/* Five numbers stand before it; what is before them is the name. */
		for (c.p = open; c.p > start && words < 5; words++) {
			while (c.p > start && c.p[-1] == ' ')
				c.p--;
			while (c.p > start && c.p[-1] != ' ')
				c.p--;
		}
		name_end = c.p;
		c.end = end;
		open++;
		if (words == 5 && ft_number(&c, &pid) && pid <= INT32_MAX && ft_blanks(&c) &&
		    ft_number(&c, &cpu) && cpu < UINT32_MAX && ft_take(&c, " ") &&
		    ft_number(&c, &flags) && ft_take(&c, " ") && hex_number(&c, &preempt) &&
		    ft_take(&c, " ") && hex_number(&c, &index) && ft_take(&c, " [") &&
		    hex_number(&c, &out->ts) && ft_take(&c, "]"))
			break;
	}
	if (!open)
		return false;
	out->too_late = !tdat_mul_u64(out->ts, 1000, &out->ts);
	out->comm = ft_trimmed(start, name_end);
	out->pid = (int32_t)pid;
	out->tgid = FT_NONE;
	out->cpu = (uint32_t)cpu;
	out->flags = (uint8_t)flags;
	out->preempt = (uint8_t)preempt;
	out->has_flags = true;
	out->unit = FT_SECONDS;
	out->digits = 6;
	while (c.p < c.end && *c.p != ')')
		c.p++;
	if (!ft_take(&c, "): "))
		return false;
	out->rest = (size_t)(c.p - line.ptr);
	return true;
}

bool ft_head_parse(enum ft_layout layout, struct tdat_span line, size_t at, struct ft_head *out)
{
	const size_t width = layout == FT_DEFAULT ? COMM_WIDTH : LATENCY_WIDTH;
	const uint8_t *end = line.ptr + line.len, *p;

	memset(out, 0, sizeof(*out));
	if (line.len < at || line.len - at < width)
		return false;
	if (layout == FT_VERBOSE)
		return verbose_columns(line, at, out);
	for (p = line.ptr + at + width; (p = memchr(p, '-', (size_t)(end - p))); p++) {
		struct ft_cursor c = {p, end};

		if (layout == FT_DEFAULT ? default_columns(&c, out) : latency_columns(&c, out)) {
			/* Blanks at its end are the name's own. */
			out->comm = (struct tdat_span){line.ptr + at, (size_t)(p - line.ptr) - at};
			tdat_take_blanks(&out->comm);
			out->rest = (size_t)(c.p - line.ptr);
			return true;
		}
	}
	return false;
}

/* Whether the columns that start with "-pid" at byte dash fit, and have a time in that layout. */
static bool fits_at(enum ft_layout layout, struct tdat_span line, size_t dash)
{
	struct ft_cursor c = {line.ptr + dash, line.ptr + line.len};
	struct ft_head head;

	memset(&head, 0, sizeof(head));
	if (layout == FT_DEFAULT)
		return default_columns(&c, &head) && head.digits == 6;
	return latency_columns(&c, &head) && head.unit == FT_MICROS;
}

size_t ft_head_inside(enum ft_layout layout, struct tdat_span line, size_t at)
{
	const size_t width = layout == FT_DEFAULT ? COMM_WIDTH : LATENCY_WIDTH;
	const uint8_t *end = line.ptr + line.len, *p;

	if (layout != FT_DEFAULT && layout != FT_LATENCY)
		return line.len;
	/* Most texts have no such line: only a "-" in front of "123  [" or "123  4d" is looked at.
	 */
	for (p = line.ptr + at; p < end && (p = memchr(p, '-', (size_t)(end - p))); p++) {
		struct ft_cursor c = {p + 1, end};
		uint64_t v;

		if ((size_t)(p - line.ptr) < at + width || c.p == end ||
		    !(tdat_is_dec(*c.p) ? ft_number(&c, &v) : ft_take(&c, "<...>")) || c.p == end ||
		    *c.p != ' ')
			continue;
		if (fits_at(layout, line, (size_t)(p - line.ptr)))
			return (size_t)(p - line.ptr) - width;
	}
	return line.len;
}
