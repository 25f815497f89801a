/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Writes the JSON of a comparison: both sides, the changes, and what was compared beside them. Real
 * numbers have nine digits; a number that is infinite or unknown is null. Units are texts, as a
 * clock may count ticks. The members are those that tdat-diff(1) names.
 */
#include <math.h>
#include <stdio.h>

#include "diff.h"
#include "summary.h"

static const char *const side_names[] = {"a", "b"};

/* Null: there is no such number. */
static void put_real(struct tdat_json *j, const char *name, double value)
{
	char text[32];

	snprintf(text, sizeof(text), "%.9g", value);
	tdat_json_raw(j, name, isfinite(value) ? text : "null");
}

static void put_side(struct tdat_json *j, const struct tdat_diff_facts *f, size_t side)
{
	const struct tdat_diff_side_facts *s = &f->sides[side];

	tdat_json_object(j, side_names[side]);
	tdat_json_u64(j, "samples", s->samples);
	put_real(j, f->seconds ? "seconds" : "ticks", f->seconds ? s->time / 1e9 : s->time);
	put_real(j, "cpus", s->cpus);
	tdat_json_u64(j, "lost", s->lost);
	tdat_json_u64(j, "lost_marks", s->lost_marks);
	tdat_json_object_end(j);
}

static const char *unit_of(const struct tdat_diff *d, const struct tdat_diff_change *c)
{
	if (c->metric == TDAT_DIFF_RATE)
		return d->seconds ? (c->per_cpu ? "1/s/cpu" : "1/s")
				  : (c->per_cpu ? "1/tick/cpu" : "1/tick");
	if (c->metric == TDAT_DIFF_TIME)
		return c->per_cpu ? "share of a cpu" : "cpus";
	return d->seconds ? "ns" : "ticks";
}

static void put_change(struct tdat_json *j, const struct tdat_diff *d,
		       const struct tdat_diff_change *c)
{
	const char *metric = tdat_diff_metric_name(c->metric);
	const bool rates = c->metric < TDAT_DIFF_P50; /* a quantile may be 0 */
	char what[320];

	snprintf(what, sizeof(what), "%.256s.%s", c->what, metric);
	tdat_json_object(j, NULL);
	tdat_json_str(j, "what", what);
	tdat_json_str(j, "of", c->what);
	tdat_json_str(j, "metric", metric);
	tdat_json_strn(j, "key", c->key.ptr, c->key.len);
	tdat_json_str(j, "status",
		      rates && !(c->a > 0)   ? "new"
		      : rates && !(c->b > 0) ? "gone"
					     : "changed");
	put_real(j, "a", c->a);
	put_real(j, "b", c->b);
	tdat_json_str(j, "unit", unit_of(d, c));
	put_real(j, "change", c->change);
	put_real(j, "low", c->low);
	put_real(j, "high", c->high);
	put_real(j, "p", c->p);
	put_real(j, "p_adjusted", c->p_adjusted);
	tdat_json_object_end(j);
}

static bool put_all(const void *what, struct tdat_json *j)
{
	const struct tdat_diff *d = what;
	const struct tdat_diff_facts *f = &d->facts;
	enum tdat_diff_side on;

	tdat_json_object(j, NULL);
	for (size_t side = 0; side < TDAT_DIFF_SIDES; side++)
		put_side(j, f, side);
	put_real(j, "min_change", f->min_change);
	tdat_json_array(j, "changes");
	for (size_t i = 0; i < d->test_count; i++)
		put_change(j, d, &d->tests[i]);
	tdat_json_array_end(j);
	tdat_json_u64(j, "unchanged", f->unchanged);
	tdat_json_u64(j, "too_few", f->too_few);
	tdat_json_u64(j, "left_out", f->left_out);
	tdat_json_u64(j, "others", f->others);
	tdat_json_array(j, "one_side");
	for (size_t i = 0; i < d->family_count; i++) {
		if (tdat_diff_compares(d, i, &on) || on == TDAT_DIFF_SIDES)
			continue;
		tdat_json_object(j, NULL);
		tdat_json_str(j, "what", d->families[i].what);
		tdat_json_str(j, "on", side_names[on]);
		tdat_json_object_end(j);
	}
	tdat_json_array_end(j);
	tdat_json_array(j, "left_out_rows");
	for (size_t i = 0; i < d->note_count; i++) {
		tdat_json_object(j, NULL);
		tdat_json_str(j, "on", side_names[d->notes[i].side]);
		tdat_json_str(j, "table", d->notes[i].table);
		tdat_json_str(j, "what", d->notes[i].what);
		tdat_json_u64(j, "count", d->notes[i].count);
		tdat_json_object_end(j);
	}
	tdat_json_array_end(j);
	tdat_json_object_end(j);
	return true;
}

enum tdat_status tdat_diff_json(const struct tdat_diff *d, int level, tdat_write_fn write,
				void *ctx, struct tdat_error *err)
{
	return summary_json_write(put_all, d, level, write, ctx, err);
}
