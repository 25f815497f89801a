/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Turns the times of --from and --until into times of a trace. They are written as for tdat dump:
 * absolute, or relative to the first and last event. Mistakes are reported by the filter's own
 * parser.
 */
#include "view/span.h"

#include <inttypes.h>
#include <string.h>

#include <tdat/filter.h>

#include "core/text.h"

/* The units of times that filters know; without a unit they are seconds. */
static const struct {
	const char *name;
	uint64_t ns;
} units[] = {
	{"", UINT64_C(1000000000)},
	{"ns", 1},
	{"us", 1000},
	{"ms", 1000000},
	{"s", UINT64_C(1000000000)},
	{"m", UINT64_C(60000000000)},
	{"h", UINT64_C(3600000000000)},
};

/*
 * Reads a length of time: digits, a fraction and a unit. A length that is too long becomes
 * UINT64_MAX.
 */
static uint64_t length_of(const char *text, bool ns)
{
	uint64_t whole, unit = 1, part = 0, scale;
	bool over = false;

	text = tdat_scan_digits(text, NULL, 10, &whole, &over);
	if (over)
		return UINT64_MAX;
	if (!ns)
		return whole;
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (!strcmp(text + (*text == '.') + strspn(text + (*text == '.'), "0123456789"),
			    units[i].name))
			unit = units[i].ns;
	scale = unit;
	/* Digits below one nanosecond are dropped; those of a minute or an hour are cut there, too.
	 */
	if (*text == '.')
		for (text++; *text >= '0' && *text <= '9' && scale; text++) {
			part += scale / 10 * (uint64_t)(*text - '0') +
				scale % 10 * (uint64_t)(*text - '0') / 10;
			scale /= 10;
		}
	if (__builtin_mul_overflow(whole, unit, &whole) ||
	    __builtin_add_overflow(whole, part, &whole))
		return UINT64_MAX;
	return whole;
}

/* "+1s" counts from the first event, "-1s" back from the last one. */
static uint64_t time_of(const struct view_trace *t, const char *text)
{
	const bool relative = *text == '+' || *text == '-';
	const uint64_t len = length_of(text + relative, t->ns);

	if (*text == '+')
		return len > UINT64_MAX - t->from ? UINT64_MAX : t->from + len;
	if (*text == '-')
		return len > t->to ? 0 : t->to - len;
	return len;
}

/*
 * A span that lies outside of the trace on one side is cut; one without a moment of the trace is
 * refused.
 */
enum tdat_status cli_view_span(const struct view_trace *t, const char *from, const char *to,
			       struct view_span *span, struct tdat_error *err)
{
	struct tdat_filter_opts opts = TDAT_FILTER_OPTS_INIT;
	struct tdat_filter *filter;
	struct tdat_iter *iter = NULL;
	enum tdat_status st;

	*span = (struct view_span){t->from, t->to};
	if (!from && !to)
		return TDAT_OK;
	/*
	 * Filter and iterator are made only because they say what is wrong with a time, by itself
	 * and for the clock of the trace.
	 */
	opts.from = from;
	opts.to = to;
	st = tdat_filter_new(&filter, &opts, err);
	if (st == TDAT_OK) {
		struct tdat_iter_opts iter_opts = TDAT_ITER_OPTS_INIT;

		iter_opts.filter = filter;
		st = tdat_iter_new(&iter, t->inputs, t->input_count, &iter_opts, err);
	}
	tdat_iter_free(iter);
	tdat_filter_free(filter);
	if (st != TDAT_OK)
		return st;
	if (from)
		span->from = time_of(t, from);
	if (to)
		span->to = time_of(t, to);
	/* Outside of the trace is nothing to show. */
	if (span->from < t->from)
		span->from = t->from;
	if (span->to > t->to)
		span->to = t->to;
	if (span->to < span->from)
		return tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET,
				      "no moment of the trace, which is from %" PRIu64
				      " to %" PRIu64 "%s, is in the span of --from and --until",
				      t->from, t->to, t->ns ? " ns" : "");
	return TDAT_OK;
}
