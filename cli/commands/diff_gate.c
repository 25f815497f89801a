/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The gate of tdat diff: what --fail-on names, and whether one of the changes is such a one. WHAT
 * is "any", a family ("wakeup"), or a family and its metric ("wakeup.p99"); a percentage behind ':'
 * is the least change, with a sign of one direction only.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "commands/diff_out.h"
#include "core/nearest.h"
#include "core/text.h"
#include "terminal/message.h"

/* One --fail-on, whose texts are parts of the argument. */
struct gate {
	struct tdat_span what;	     /* "wakeup.p99", or the name of a pair that has dots */
	struct tdat_span of, metric; /* before and behind the last dot; empty: there is none */
	double least;
	char sign; /* 0: both directions */
};

bool diff_percent(const char *text, double *out)
{
	char *end;

	/* strtod() would also take white space, signs, hexadecimal numbers and words. */
	if (!strchr("0123456789.", *text) || !*text || text[1] == 'x' || text[1] == 'X')
		return false;
	*out = strtod(text, &end) / 100;
	return end != text && isfinite(*out) && (!*end || !strcmp(end, "%"));
}

/* Splits an argument. False: its percentage is none. */
static bool split(const char *text, struct gate *g)
{
	const char *colon = strchrnul(text, ':'), *percent = *colon ? colon + 1 : NULL;
	const char *dot = memrchr(text, '.', (size_t)(colon - text));

	*g = (struct gate){.what = {(const uint8_t *)text, (size_t)(colon - text)}, .least = 0};
	if (dot) {
		g->of = (struct tdat_span){(const uint8_t *)text, (size_t)(dot - text)};
		g->metric = (struct tdat_span){(const uint8_t *)dot + 1, (size_t)(colon - dot - 1)};
	}
	if (percent && (*percent == '+' || *percent == '-'))
		g->sign = *percent++;
	return !percent || diff_percent(percent, &g->least);
}

/* Whether a gate names a family, or this metric of it. */
static bool names(const struct gate *g, struct tdat_span of, enum tdat_diff_metric metric)
{
	return tdat_span_same(g->what, of) ||
	       (tdat_span_same(g->of, of) &&
		tdat_span_is(g->metric, tdat_diff_metric_name(metric)));
}

static bool is_known(const struct gate *g, const struct tdat_diff *d, const struct cli_list *pairs)
{
	const char *what;

	if (tdat_span_is(g->what, "any"))
		return true;
	for (size_t i = 0; (what = tdat_diff_what(d, i)); i++)
		for (enum tdat_diff_metric m = TDAT_DIFF_RATE; m <= TDAT_DIFF_P99; m++)
			if (tdat_diff_has(d, i, m) && names(g, tdat_span_of(what), m))
				return true;
	/* Pairs, which are known when a file is read, have all metrics but time. */
	for (size_t i = 0; i < pairs->count; i++) {
		const struct tdat_span of = {(const uint8_t *)pairs->v[i],
					     strcspn(pairs->v[i], ": ")};

		for (enum tdat_diff_metric m = TDAT_DIFF_RATE; m <= TDAT_DIFF_P99; m++)
			if (m != TDAT_DIFF_TIME && names(g, of, m))
				return true;
	}
	return false;
}

/* Names all that could stand there. */
static int unknown(const char *text, const struct tdat_diff *d)
{
	struct tdat_build all;
	const char *what;
	char *list;

	tdat_build_init(&all, false);
	for (size_t i = 0; (what = tdat_diff_what(d, i)); i++)
		for (enum tdat_diff_metric m = TDAT_DIFF_RATE; m <= TDAT_DIFF_P99; m++)
			if (tdat_diff_has(d, i, m))
				tdat_build_printf(&all, ", %s.%s", what, tdat_diff_metric_name(m));
	list = tdat_build_text(&all);
	if (!list)
		return cli_nomem();
	cli_error(NULL, "--fail-on %s: unknown name; known names: any%s, and pairs of --pair", text,
		  list);
	free(list);
	return CLI_USAGE;
}

int diff_gate_check(const struct cli_list *gates, const struct tdat_diff *d,
		    const struct cli_list *pairs, double min_change)
{
	for (size_t i = 0; i < gates->count; i++) {
		const char *text = gates->v[i];
		struct gate g;

		if (!split(text, &g)) {
			cli_error(NULL,
				  "--fail-on needs WHAT:PERCENT such as wakeup.p99:10%%, not '%s'",
				  text);
			return CLI_USAGE;
		}
		if (!is_known(&g, d, pairs))
			return unknown(text, d);
		if (g.least > 0 && g.least < min_change) {
			cli_error(NULL,
				  "--fail-on %s: changes below --min-change are not found; lower "
				  "--min-change",
				  text);
			return CLI_USAGE;
		}
	}
	return CLI_OK;
}

static bool trips(const struct gate *g, const struct tdat_diff_change *c)
{
	const bool named =
		tdat_span_is(g->what, "any") || names(g, tdat_span_of(c->what), c->metric);

	return named && fabs(c->change) >= g->least &&
	       (!g->sign || (c->change > 0) == (g->sign == '+'));
}

/* Names the first change of each gate: the output may go to a file that nobody reads. */
bool diff_gate_trips(const struct cli_list *gates, const struct tdat_diff *d)
{
	const struct tdat_diff_change *c;
	bool found = false;

	for (size_t i = 0; i < gates->count; i++) {
		struct gate g;

		split(gates->v[i], &g);
		for (size_t k = 0; (c = tdat_diff_change(d, k)); k++) {
			struct tdat_build b;

			if (!trips(&g, c))
				continue;
			tdat_build_init(&b, false);
			diff_put_change(&b, c);
			cli_error(NULL, "--fail-on %s: %s.%s of '%.*s': %.*s", gates->v[i], c->what,
				  tdat_diff_metric_name(c->metric), (int)c->key.len,
				  (const char *)c->key.ptr, (int)b.len, (const char *)b.ptr);
			tdat_build_fini(&b);
			found = true;
			break;
		}
	}
	return found;
}
