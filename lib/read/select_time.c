/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Parses times as users write them, and converts them to the clock of the inputs. "12.5",
 * "12500ms", "+1s" after the first event and "-100ms" before the last one. A time without a
 * unit means seconds where the clock counts nanoseconds, else ticks. Sums and products are
 * checked; a result beyond the clock's range is cut to it.
 */
#include "select_time.h"

#include <string.h>

#include "core/text.h"
#include "core/wall.h"

/* The units that users may write, in nanoseconds. */
static const struct {
	const char *name;
	uint64_t ns;
} units[] = {
	{"ns", 1},	   {"us", 1000},	  {"ms", 1000000},
	{"s", 1000000000}, {"m", 60000000000ull}, {"h", 3600000000000ull},
};

/* Picoseconds: enough for a fraction of any unit down to ns. */
enum { FRACTION_DIGITS = 12 };

/* In 1985: times of the day are looked at before there is a trace. */
#define SOME_DAY (UINT64_C(500000000) * 1000000000)

static bool parse_whole(const char **p, uint64_t *v)
{
	return tdat_read_u64(p, NULL, 10, v);
}

/* Reads the digits behind the point; those below 10^-12 are skipped. */
static bool parse_fraction(const char **p, uint64_t *v)
{
	int digits = 0;

	*v = 0;
	if (**p != '.')
		return true;
	++*p;
	if (!tdat_is_dec((uint8_t) * *p))
		return false;
	for (; tdat_is_dec((uint8_t) * *p); ++*p) {
		if (digits == FRACTION_DIGITS)
			continue;
		*v = *v * 10 + (uint64_t)(**p - '0');
		digits++;
	}
	for (; digits < FRACTION_DIGITS; digits++)
		*v *= 10;
	return true;
}

static bool parse_unit(const char *p, uint64_t *ns)
{
	size_t i;

	*ns = 0;
	if (!*p)
		return true;
	for (i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (!strcmp(p, units[i].name)) {
			*ns = units[i].ns;
			return true;
		}
	}
	return false;
}

/*
 * Parses sign, number and unit. No unit is known yet to be allowed: that depends on the clock
 * (select_time_resolve).
 */
enum tdat_status select_time_parse(struct select_time *t, const char *option, const char *text,
				   struct tdat_error *err)
{
	const char *p = text;
	uint64_t unused;

	*t = (struct select_time){.kind = SELECT_TIME_ABSOLUTE, .text = text};
	if (tdat_wall_is(text)) {
		t->kind = SELECT_TIME_WALL;
		if (tdat_wall_read(text, SOME_DAY, SOME_DAY, &unused))
			return TDAT_OK;
		return tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET,
				      "'%.80s' is not a time of day%s%s%s, such as 10:15, "
				      "10:15:03.2 or 2026-11-26T10:15:03.2",
				      text, option ? " for '" : "", option ? option : "",
				      option ? "'" : "");
	}
	if (*p == '+' || *p == '-')
		t->kind = *p++ == '+' ? SELECT_TIME_AFTER_FIRST : SELECT_TIME_BEFORE_LAST;
	if (!parse_whole(&p, &t->whole) || !parse_fraction(&p, &t->fraction) ||
	    !parse_unit(p, &t->unit_ns))
		return tdat_error_set(
			err, TDAT_E_USAGE, TDAT_NO_OFFSET,
			"'%.80s' is not a time%s%s%s: expected a number, with + for after the "
			"first event or - for before the last, and an optional unit (ns, us, ms, "
			"s, m or h); the error is at column %zu",
			text, option ? " for '" : "", option ? option : "", option ? "'" : "",
			(size_t)(p - text) + 1);
	return TDAT_OK;
}

/* In ns; false beyond 64 bits. */
static bool in_ns(const struct select_time *t, uint64_t unit, uint64_t *ns)
{
	const uint64_t million = 1000000;
	uint64_t part = t->fraction / million * unit / million +
			t->fraction % million * unit / million / million;

	return !__builtin_mul_overflow(t->whole, unit, ns) &&
	       !__builtin_add_overflow(*ns, part, ns);
}

/* True if from is behind to whatever the trace is: both must be of one kind. */
bool select_time_reversed(const struct select_time *from, const struct select_time *to)
{
	const uint64_t second = 1000000000;
	const struct select_time *late = from, *early = to;
	uint64_t a, b;

	if (from->kind != to->kind || from->kind == SELECT_TIME_NONE ||
	    from->kind == SELECT_TIME_WALL)
		return false;
	/* Before the last event a greater number is earlier. */
	if (from->kind == SELECT_TIME_BEFORE_LAST) {
		late = to;
		early = from;
	}
	if (!late->unit_ns && !early->unit_ns)
		return late->whole > early->whole ||
		       (late->whole == early->whole && late->fraction > early->fraction);
	/* A unit is refused where the clock does not count nanoseconds, so none means seconds. */
	if (!in_ns(late, late->unit_ns ? late->unit_ns : second, &a))
		a = UINT64_MAX;
	if (!in_ns(early, early->unit_ns ? early->unit_ns : second, &b))
		b = UINT64_MAX;
	return a > b;
}

/*
 * Converts a parsed time to the clock of the inputs. Before the first representable time it is 0;
 * beyond the last it is an error.
 */
enum tdat_status select_time_resolve(const struct select_time *t, const struct select_span *span,
				     uint64_t *ts, struct tdat_error *err)
{
	const uint64_t second = 1000000000;
	uint64_t v = t->whole;
	bool fits = true;

	if (t->kind == SELECT_TIME_WALL) {
		if (span->wall && tdat_wall_read(t->text, span->first, span->last, ts))
			return TDAT_OK;
		return tdat_error_set(err, TDAT_E_NOT_FOUND, TDAT_NO_OFFSET,
				      "'%.80s' is a time of day, but the trace does not record it: "
				      "record with \"trace-cmd record --date\"",
				      t->text);
	}
	if (span->seconds) {
		fits = in_ns(t, t->unit_ns ? t->unit_ns : second, &v);
	} else if (span->raw_ns && t->unit_ns) {
		fits = in_ns(t, t->unit_ns, &v);
	} else if (span->raw_ns && t->fraction) {
		return tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET,
				      "raw timestamps are whole nanoseconds: the time '%.80s' "
				      "needs a unit, such as s",
				      t->text);
	} else if (t->unit_ns || t->fraction) {
		return tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET,
				      "the clock of %s does not count nanoseconds: the time "
				      "'%.80s' must be a whole number of its ticks",
				      span->ticks ? span->ticks : "the trace", t->text);
	}
	if (t->kind == SELECT_TIME_BEFORE_LAST)
		*ts = !fits || v > span->last ? 0 : span->last - v;
	else if (fits && t->kind == SELECT_TIME_AFTER_FIRST)
		fits = !__builtin_add_overflow(span->first, v, ts);
	else
		*ts = v;
	if (fits || t->kind == SELECT_TIME_BEFORE_LAST)
		return TDAT_OK;
	return tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET,
			      "the time '%.80s' does not fit in 64 bits", t->text);
}
