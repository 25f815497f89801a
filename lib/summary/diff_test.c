/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Tests all that is compared. A rate is a sum over blocks of time; the quantiles of values are
 * compared by scores, whose means over both sides are ratios of such sums as well: the rank of each
 * value (Mann and Whitney) for the median, and whether it lies above the quantile of both sides
 * for p90 and p99. So one function (ratio.c) has the variance of all. Of these tests those are
 * findings that stay below LEVEL when corrected for their number (Benjamini and Hochberg), whose
 * change is large enough, and whose interval (diff_interval.c) does not have 0 in it. docs/diff.md
 * has the formulas; this file is called once, by tdat_diff_run.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "diff.h"
#include "odds.h"

/* Expected rows of a rate; values beyond a quantile on each side. */
enum { ROWS_LEAST = 5, BEYOND_LEAST = 10 };
/* The part of findings that may be false. */
#define LEVEL 0.04

static const struct {
	double quantile;
} quantiles[] = {[TDAT_DIFF_P50] = {0.5}, [TDAT_DIFF_P90] = {0.9}, [TDAT_DIFF_P99] = {0.99}};

/* Room for the work on one key. */
struct work {
	struct ratio_block *blocks[DIFF_SIDES];
	double shares[DIFF_SIDES][SKETCH_RANGES], both[SKETCH_RANGES], scores[SKETCH_RANGES];
};

/* ---- rates ---- */

double diff_scale(const struct tdat_diff *d, const struct diff_family *f)
{
	return f->kind != DIFF_TIME && d->seconds ? 1e9 : 1;
}

struct ratio_side diff_rate_blocks(const struct tdat_diff *d, uint32_t key, int side,
				   struct ratio_block *out)
{
	const struct diff_series *s = &d->keys[key].sides[side];
	const struct diff_side *of = &d->sides[side];
	const struct diff_exposure *e = &of->exposures[d->families[d->keys[key].family].per_cpu];

	for (size_t i = 0; i < of->block_count; i++)
		out[i] = (struct ratio_block){.sum = i < s->amount_cap ? (double)s->amounts[i] : 0,
					      .weight = e->blocks[i],
					      .sample = (uint32_t)(i / DIFF_BLOCKS)};
	for (size_t i = 0; i < s->values.count; i++)
		out[sketch_block(&s->values.cells[i])].sum += s->values.cells[i].count;
	return (struct ratio_side){out, of->block_count, 0};
}

/* Whether a key has so many rows on one side that ROWS_LEAST would be expected on the other. */
static bool are_enough(const struct tdat_diff *d, const struct diff_key *key)
{
	const bool per_cpu = d->families[key->family].per_cpu;
	const double a = d->sides[0].exposures[per_cpu].total;
	const double b = d->sides[1].exposures[per_cpu].total;

	return (double)key->sides[0].rows * b / a >= ROWS_LEAST ||
	       (double)key->sides[1].rows * a / b >= ROWS_LEAST;
}

static bool add_test(struct tdat_diff *d, uint32_t key, enum tdat_diff_metric metric, double a,
		     double b, double p)
{
	const struct diff_family *f = &d->families[d->keys[key].family];

	if (!TDAT_GROW(d->tests, &d->test_cap, d->test_count + 1))
		return false;
	d->tests[d->test_count++] = (struct tdat_diff_change){
		.what = f->what,
		.metric = metric,
		.key = diff_key_text(d, key),
		.a = a,
		.b = b,
		.per_cpu = f->per_cpu && metric<TDAT_DIFF_P50, .change = a> 0 ? b / a - 1
			   : b > 0					      ? INFINITY
									      : 0,
		.p = p,
		.number = key};
	return true;
}

/*
 * Both a test by the variance of blocks and, of counts, one by the binomial distribution, which is
 * right for few of them: the greater p counts.
 */
static bool test_rate(struct tdat_diff *d, struct work *w, uint32_t key)
{
	const struct diff_family *f = &d->families[d->keys[key].family];
	const struct ratio_side a = diff_rate_blocks(d, key, 0, w->blocks[0]);
	const struct ratio_side b = diff_rate_blocks(d, key, 1, w->blocks[1]);
	const struct ratio_block x = ratio_sums(&a), y = ratio_sums(&b);
	struct ratio_test t = ratio_compare(&a, &b);

	if (f->kind != DIFF_TIME) {
		const double by = ratio_dispersion(&a, &b);

		t.p = fmax(t.p, odds_binomial(x.sum / by, (x.sum + y.sum) / by,
					      x.weight / (x.weight + y.weight)));
	}
	return add_test(d, key, f->kind == DIFF_TIME ? TDAT_DIFF_TIME : TDAT_DIFF_RATE,
			t.a * diff_scale(d, f), t.b * diff_scale(d, f), t.p);
}

/* ---- values ---- */

void diff_shares(const struct diff_series *s, double out[SKETCH_RANGES])
{
	memset(out, 0, sizeof(*out) * SKETCH_RANGES);
	for (size_t i = 0; i < s->values.count; i++)
		out[sketch_range(&s->values.cells[i])] +=
			(double)s->values.cells[i].count / (double)s->values.total;
}

/* The share of values below each, half of those of its own range counted. */
static void rank_scores(struct work *w)
{
	double below = 0;

	for (size_t i = 0; i < SKETCH_RANGES; i++) {
		w->scores[i] = below + w->both[i] / 2;
		below += w->both[i];
	}
}

/* 1 above the quantile of both sides, 0 below; its own range has what is left of it. */
static void quantile_scores(struct work *w, double quantile)
{
	double below = 0;

	for (size_t i = 0; i < SKETCH_RANGES; i++) {
		const double end = below + w->both[i];

		w->scores[i] = end <= quantile	   ? 0
			       : below >= quantile ? 1
						   : (end - quantile) / w->both[i];
		below = end;
	}
}

/* Sums of scores by block; the variance is that of independent values at least. */
static struct ratio_side score_blocks(const struct tdat_diff *d, uint32_t key, int side,
				      struct work *w)
{
	const struct diff_series *s = &d->keys[key].sides[side];
	struct ratio_side out = {w->blocks[side], d->sides[side].block_count, 0};
	const double n = (double)s->values.total;
	double mean = 0, square = 0;

	for (size_t i = 0; i < out.count; i++)
		w->blocks[side][i] = (struct ratio_block){.sample = (uint32_t)(i / DIFF_BLOCKS)};
	for (size_t i = 0; i < s->values.count; i++) {
		const struct sketch_cell *c = &s->values.cells[i];
		const double score = w->scores[sketch_range(c)];
		struct ratio_block *b = &w->blocks[side][sketch_block(c)];

		b->sum += score * c->count;
		b->weight += c->count;
		mean += score * c->count / n;
		square += score * score * c->count / n;
	}
	out.least = fmax(square - mean * mean, 0) / n;
	return out;
}

static bool test_values(struct tdat_diff *d, struct work *w, uint32_t key)
{
	const struct diff_series *s = d->keys[key].sides;

	for (int side = 0; side < DIFF_SIDES; side++)
		diff_shares(&s[side], w->shares[side]);
	for (size_t i = 0; i < SKETCH_RANGES; i++)
		w->both[i] = (w->shares[0][i] + w->shares[1][i]) / 2;
	for (enum tdat_diff_metric m = TDAT_DIFF_P50; m <= TDAT_DIFF_P99; m++) {
		const double q = quantiles[m].quantile, least = BEYOND_LEAST - 1e-6;
		struct ratio_side a, b;

		if ((double)s[0].values.total * (1 - q) < least ||
		    (double)s[1].values.total * (1 - q) < least)
			break;
		if (m == TDAT_DIFF_P50)
			rank_scores(w);
		else
			quantile_scores(w, q);
		a = score_blocks(d, key, 0, w);
		b = score_blocks(d, key, 1, w);
		if (!add_test(d, key, m, sketch_quantile(NULL, w->shares[0], SKETCH_RANGES, 1, q),
			      sketch_quantile(NULL, w->shares[1], SKETCH_RANGES, 1, q),
			      ratio_compare(&a, &b).p))
			return false;
	}
	return true;
}

/* ---- all of them ---- */

/* False: the caller wants no result any more. */
static bool goes_on(struct tdat_diff *d)
{
	d->was_cancelled = d->opts.is_cancelled && d->opts.is_cancelled(d->opts.cancel_ctx);
	return !d->was_cancelled;
}

static bool test_key(struct tdat_diff *d, struct work *w, uint32_t key)
{
	const struct diff_key *k = &d->keys[key];

	if (!goes_on(d))
		return false;
	if (k->is_full || !are_enough(d, k)) {
		++*(k->is_full ? &d->facts.left_out : &d->facts.too_few);
		return true;
	}
	return test_rate(d, w, key) &&
	       (d->families[k->family].kind != DIFF_VALUES || !k->sides[0].values.total ||
		!k->sides[1].values.total || test_values(d, w, key));
}

static int by_p(const void *a, const void *b)
{
	const struct tdat_diff_change *x = a, *y = b;

	if (x->p != y->p)
		return x->p < y->p ? -1 : 1;
	return x->number != y->number ? (x->number < y->number ? -1 : 1)
				      : (int)x->metric - (int)y->metric;
}

/* p times the number of tests, divided by its rank; those of lesser ranks are not greater. */
static void adjust(struct tdat_diff *d)
{
	double least = 1;

	if (d->test_count)
		qsort(d->tests, d->test_count, sizeof(*d->tests), by_p);
	for (size_t i = d->test_count; i-- > 0;) {
		least = fmin(least, d->tests[i].p * (double)d->test_count / (double)(i + 1));
		d->tests[i].p_adjusted = least;
	}
}

/* Of one key together, so that its interval is made once. */
static int by_key(const void *a, const void *b)
{
	const struct tdat_diff_change *x = a, *y = b;

	return x->number != y->number ? (x->number < y->number ? -1 : 1)
				      : (int)x->metric - (int)y->metric;
}

/* The greatest rise first, then the greatest fall; what is new or gone comes by its rate. */
static int by_size(const void *a, const void *b)
{
	const struct tdat_diff_change *x = a, *y = b;
	const bool rises = x->change > 0;
	double u, v;

	if (rises != (y->change > 0))
		return rises ? -1 : 1;
	u = rises ? x->change : -x->change;
	v = rises ? y->change : -y->change;
	if (u == v) {
		u = fmax(x->a, x->b);
		v = fmax(y->a, y->b);
	}
	return u != v ? (u > v ? -1 : 1) : by_key(a, b);
}

/* Keeps the tests that are a change, and may be one for their interval, if that is known. */
static void keep(struct tdat_diff *d, bool has_interval)
{
	size_t n = 0;

	for (size_t i = 0; i < d->test_count; i++) {
		const struct tdat_diff_change *t = &d->tests[i];
		const bool found = t->p_adjusted <= LEVEL &&
				   fabs(t->change) >= d->opts.min_change &&
				   (!has_interval || t->low > 0 || t->high < 0);

		if (found)
			d->tests[n++] = *t;
	}
	d->facts.unchanged += d->test_count - n;
	d->test_count = n;
}

static bool find_intervals(struct tdat_diff *d)
{
	size_t end;

	if (d->test_count)
		qsort(d->tests, d->test_count, sizeof(*d->tests), by_key);
	for (size_t i = 0; i < d->test_count; i = end) {
		for (end = i + 1;
		     end < d->test_count && d->tests[end].number == d->tests[i].number;)
			end++;
		if (!goes_on(d) || !diff_intervals(d, &d->tests[i], end - i))
			return false;
	}
	return true;
}

bool diff_test_all(struct tdat_diff *d)
{
	struct work *w = calloc(1, sizeof(*w));
	bool good = w != NULL;

	for (int side = 0; side < DIFF_SIDES && good; side++) {
		w->blocks[side] = calloc(d->sides[side].block_count, sizeof(*w->blocks[side]));
		good = w->blocks[side] != NULL;
	}
	for (size_t f = 0; f < d->family_count && good; f++) {
		enum tdat_diff_side on;

		/* What was recorded on one side only says nothing. */
		if (!tdat_diff_compares(d, f, &on))
			continue;
		for (uint32_t key = 0; key < d->key_count && good; key++)
			good = d->keys[key].family != f || test_key(d, w, key);
	}
	for (int side = 0; w && side < DIFF_SIDES; side++)
		free(w->blocks[side]);
	free(w);
	if (!good)
		return false;
	adjust(d);
	keep(d, false);
	if (!find_intervals(d))
		return false;
	keep(d, true);
	if (d->test_count)
		qsort(d->tests, d->test_count, sizeof(*d->tests), by_size);
	d->facts.change_count = d->test_count;
	return true;
}
