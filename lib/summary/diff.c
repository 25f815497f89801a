/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The comparison of two sides: what callers see of it. Each trace that is added is a sample, whose
 * time is cut into DIFF_BLOCKS blocks of equal length; how long its CPUs recorded in each of them
 * is known from their first and last events. diff_take.c reads the rows, diff_test.c compares.
 */
#include "diff.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/opts.h"
#include "read/select.h"
#include "read/summary.h"
#include "table/trace.h"

#define MIN_CHANGE 0.05

enum tdat_status tdat_diff_new(struct tdat_diff **out, const struct tdat_diff_opts *opts,
			       struct tdat_error *err)
{
	const struct tdat_diff_opts own = TDAT_DIFF_OPTS_INIT;
	struct tdat_diff *d = calloc(1, sizeof(*d));

	*out = NULL;
	if (!d)
		return tdat_error_no_memory(err, "a comparison");
	d->opts = own;
	tdat_opts_copy(&d->opts, sizeof(d->opts), opts);
	if (d->opts.min_change == 0)
		d->opts.min_change = MIN_CHANGE;
	d->pool.most = DIFF_ROOM;
	d->seconds = true;
	tdat_byte_set_init(&d->names);
	tdat_build_init(&d->name, false);
	if (!diff_families(d)) {
		tdat_diff_free(d);
		return tdat_error_no_memory(err, "a comparison");
	}
	*out = d;
	return TDAT_OK;
}

void tdat_diff_free(struct tdat_diff *d)
{
	if (!d)
		return;
	diff_keys_fini(d);
	diff_families_fini(d);
	free(d->tests);
	free(d->notes);
	free(d);
}

/* ---- samples ---- */

/* When a CPU recorded, in any buffer. */
struct cpu_time {
	uint32_t cpu;
	uint64_t first, last;
};

struct cpu_times {
	struct cpu_time *list;
	size_t count, cap;
};

static bool is_wanted(const struct tdat_table_opts *opts, uint32_t cpu)
{
	bool found = !opts->cpus;

	for (size_t i = 0; i < opts->cpu_count && !found; i++)
		found = opts->cpus[i] == cpu;
	return found;
}

/* CPUs of a buffer are as many as its header says; those of other buffers are mostly the same. */
static bool add_cpu(struct cpu_times *t, uint32_t cpu, const struct tdat_cpu_summary *sum)
{
	struct cpu_time *c;
	size_t i = 0;

	while (i < t->count && t->list[i].cpu != cpu)
		i++;
	if (i == t->count) {
		if (!TDAT_GROW(t->list, &t->cap, t->count + 1))
			return false;
		t->list[t->count++] = (struct cpu_time){cpu, sum->first_ts, sum->last_ts};
	}
	c = &t->list[i];
	if (c->first - sum->first_ts <= INT64_MAX)
		c->first = sum->first_ts;
	if (sum->last_ts - c->last <= INT64_MAX)
		c->last = sum->last_ts;
	return true;
}

/* First and last times of all CPUs that are wanted. */
static enum tdat_status find_cpus(struct cpu_times *t, const struct tdat_trace *trace,
				  const struct tdat_table_opts *opts, struct tdat_error *err)
{
	const struct tdat_iter_opts iter = trace_iter_opts(trace);

	for (size_t i = 0; i < trace->input_count; i++) {
		const struct table_input *in = &trace->inputs[i];

		for (size_t b = 0; b < in->buffer_count; b++) {
			const struct tdat_buffer *buffer = &in->buffers[b];

			if (buffer->latency ||
			    (opts->filter && !read_select_buffer(opts->filter, buffer)))
				continue;
			for (size_t c = 0; c < buffer->cpu_count; c++) {
				struct tdat_cpu_summary sum = {.has_events = false};
				enum tdat_status st = TDAT_OK;

				if (is_wanted(opts, buffer->cpus[c].cpu))
					st = read_summary_ends(&trace->iter_inputs[i], &iter, b, c,
							       &sum, NULL, err);
				if (st == TDAT_E_NOMEM)
					return st;
				/* Other damage is reported when the events are read. */
				tdat_error_reset(err);
				if (st == TDAT_OK && sum.has_events &&
				    !add_cpu(t, buffer->cpus[c].cpu, &sum))
					return tdat_error_no_memory(err, "CPUs");
			}
		}
	}
	return TDAT_OK;
}

/* Cuts a time by the texts that choose one. */
static enum tdat_status cut(const struct tdat_trace *trace, const char *from, const char *until,
			    uint64_t *start, uint64_t *end, struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;
	int64_t ts;

	if (from)
		st = tdat_trace_time(trace, from, &ts, err);
	if (from && st == TDAT_OK && (uint64_t)ts - *start <= INT64_MAX)
		*start = (uint64_t)ts;
	if (until && st == TDAT_OK)
		st = tdat_trace_time(trace, until, &ts, err);
	if (until && st == TDAT_OK && *end - (uint64_t)ts <= INT64_MAX)
		*end = (uint64_t)ts;
	return st;
}

/*
 * How long CPUs recorded in each block. All began when the first one did, unless the recorder says
 * that events were overwritten: then each begins with its first one.
 */
static void expose(struct diff_sample *s, const struct cpu_times *t, bool overwrote)
{
	for (size_t b = 0; b < s->block_count; b++) {
		const uint64_t from = b * s->block_len;
		const uint64_t to = s->span - from < s->block_len ? s->span : from + s->block_len;

		s->exposure[b] = 0;
		for (size_t c = 0; c < t->count; c++) {
			const uint64_t off = t->list[c].first - s->from;
			uint64_t start = from;

			if (overwrote && off <= INT64_MAX && off > from)
				start = off;
			s->exposure[b] += start < to ? (double)(to - start) : 0;
		}
	}
}

static enum tdat_status make_sample(struct diff_sample *s, const struct tdat_trace *trace,
				    const struct tdat_table_opts *opts, const char *from,
				    const char *until, struct tdat_error *err)
{
	struct cpu_times cpus = {NULL, 0, 0};
	enum tdat_status st = find_cpus(&cpus, trace, opts, err);
	uint64_t end = 0;

	if (cpus.count) {
		s->from = cpus.list[0].first;
		end = cpus.list[0].last;
	}
	for (size_t i = 1; i < cpus.count; i++) {
		if (s->from - cpus.list[i].first <= INT64_MAX)
			s->from = cpus.list[i].first;
		if (cpus.list[i].last - end <= INT64_MAX)
			end = cpus.list[i].last;
	}
	if (st == TDAT_OK && cpus.count)
		st = cut(trace, from, until, &s->from, &end, err);
	if (st == TDAT_OK && (!cpus.count || end - s->from > INT64_MAX - 1))
		st = tdat_error_set(err, TDAT_E_NOT_FOUND, TDAT_NO_OFFSET,
				    "the compared time span and CPUs contain no events");
	if (st == TDAT_OK) {
		s->span = end - s->from + 1;
		s->block_len = (s->span + DIFF_BLOCKS - 1) / DIFF_BLOCKS;
		s->block_count = (size_t)((s->span + s->block_len - 1) / s->block_len);
		s->cpu_count = cpus.count;
		expose(s, &cpus, trace->drops[TRACE_OVERRUN] > 0);
	}
	free(cpus.list);
	return st;
}

enum tdat_status tdat_diff_add(struct tdat_diff *d, enum tdat_diff_side side,
			       const struct tdat_trace *trace, const struct tdat_table_opts *opts,
			       const char *from, const char *until, struct tdat_error *err)
{
	struct tdat_table_opts own = TDAT_TABLE_OPTS_INIT;
	struct diff_sample sample = {.side = (int)side};
	struct diff_side *s = &d->sides[side];
	enum tdat_status st = TDAT_OK;
	bool of_seconds = true, seconds;

	tdat_opts_copy(&own, sizeof(own), opts);
	for (size_t i = 0; i < trace->input_count; i++)
		of_seconds &= tdat_file_shows_seconds(trace->inputs[i].file);
	seconds = of_seconds && !trace->opts.raw_ts;
	if (d->was_run || s->sample_count == DIFF_SAMPLES)
		return tdat_error_set(
			err, TDAT_E_USAGE, TDAT_NO_OFFSET,
			"each side accepts at most %d samples, and only before the comparison",
			DIFF_SAMPLES);
	/* Ticks of --raw-ts are of one length only where the clocks are of one kind. */
	if (d->has_samples && (seconds != d->seconds || of_seconds != d->of_seconds))
		return tdat_error_set(
			err, TDAT_E_UNSUPPORTED, TDAT_NO_OFFSET,
			"its clock counts %s, but the clock of earlier samples counts %s",
			seconds	     ? "seconds"
			: of_seconds ? "nanoseconds"
				     : "ticks",
			d->seconds	? "seconds"
			: d->of_seconds ? "nanoseconds"
					: "ticks");
	d->seconds = seconds;
	d->of_seconds = of_seconds;
	if (!d->has_samples && !diff_pairs(d, trace))
		st = tdat_error_no_memory(err, "a comparison");
	d->has_samples = true;
	if (st == TDAT_OK)
		st = make_sample(&sample, trace, &own, from, until, err);
	if (st != TDAT_OK)
		return st;
	sample.first = s->block_count;
	if (!diff_add_blocks(d, (int)side, sample.exposure, sample.block_count, sample.cpu_count))
		return tdat_error_no_memory(err, "a comparison");
	s->time += (double)sample.span;
	return diff_take(d, &sample, trace, opts, err);
}

/* ---- the result ---- */

enum tdat_status tdat_diff_run(struct tdat_diff *d, struct tdat_error *err)
{
	if (d->was_run || !d->sides[0].sample_count || !d->sides[1].sample_count)
		return tdat_error_set(
			err, TDAT_E_USAGE, TDAT_NO_OFFSET,
			"a comparison needs a sample on each side and can run only once");
	d->was_run = true;
	if (!diff_test_all(d))
		return d->was_cancelled ? tdat_error_set(err, TDAT_E_CANCELLED, TDAT_NO_OFFSET,
							 "the comparison was canceled")
					: tdat_error_no_memory(err, "a comparison");
	d->facts.min_change = d->opts.min_change > 0 ? d->opts.min_change : 0;
	d->facts.seconds = d->seconds;
	d->facts.others = d->others;
	for (size_t i = 0; i < DIFF_SIDES; i++)
		d->facts.sides[i] = (struct tdat_diff_side_facts){
			.samples = d->sides[i].sample_count,
			.time = d->sides[i].time,
			.cpus = d->sides[i].exposures[true].total / d->sides[i].time,
			.lost = d->sides[i].lost,
			.lost_marks = d->sides[i].lost_marks};
	return TDAT_OK;
}

const struct tdat_diff_facts *tdat_diff_facts(const struct tdat_diff *d)
{
	return &d->facts;
}

const char *tdat_diff_what(const struct tdat_diff *d, size_t index)
{
	return index < d->family_count ? d->families[index].what : NULL;
}

bool tdat_diff_compares(const struct tdat_diff *d, size_t index, enum tdat_diff_side *on)
{
	*on = d->sides[0].rows[index]	? TDAT_DIFF_A
	      : d->sides[1].rows[index] ? TDAT_DIFF_B
					: TDAT_DIFF_SIDES;
	return diff_was_recorded(d, index, 0) && diff_was_recorded(d, index, 1);
}

bool tdat_diff_has(const struct tdat_diff *d, size_t index, enum tdat_diff_metric metric)
{
	const enum diff_kind kind = d->families[index].kind;

	return metric == TDAT_DIFF_RATE	  ? kind != DIFF_TIME
	       : metric == TDAT_DIFF_TIME ? kind == DIFF_TIME
					  : kind == DIFF_VALUES;
}

const char *tdat_diff_metric_name(enum tdat_diff_metric metric)
{
	static const char *const names[] = {"rate", "time", "p50", "p90", "p99"};

	return names[metric];
}

const struct tdat_diff_change *tdat_diff_change(const struct tdat_diff *d, size_t index)
{
	return index < d->test_count ? &d->tests[index] : NULL;
}

const struct tdat_diff_note *tdat_diff_notes(const struct tdat_diff *d, size_t *count)
{
	*count = d->note_count;
	return d->notes;
}

/* ---- histograms ---- */

/* A value and its share of a side. */
struct share {
	double value, share;
};

/* The values of a side, or the rates of its blocks; *count of them. The caller frees it. */
static struct share *shares_of(const struct tdat_diff *d, const struct tdat_diff_change *c,
			       int side, size_t *count)
{
	const struct diff_key *key = &d->keys[c->number];
	const struct diff_family *f = &d->families[key->family];
	const struct sketch *values = &key->sides[side].values;
	const bool rates = c->metric < TDAT_DIFF_P50;
	const size_t n = rates ? d->sides[side].block_count : values->count;
	struct share *out = calloc(n + 1, sizeof(*out));
	struct ratio_block *blocks = rates ? calloc(n + 1, sizeof(*blocks)) : NULL;

	*count = 0;
	if (blocks)
		diff_rate_blocks(d, c->number, side, blocks);
	for (size_t i = 0; out && (blocks || !rates) && i < n; i++) {
		if (!rates) {
			const uint32_t range = sketch_range(&values->cells[i]);

			out[(*count)++] = (struct share){
				((double)sketch_first(range) + (double)sketch_first(range + 1) -
				 1) / 2,
				(double)values->cells[i].count / (double)values->total};
		} else if (blocks[i].weight > 0) {
			out[(*count)++] = (struct share){
				blocks[i].sum / blocks[i].weight * diff_scale(d, f),
				blocks[i].weight / d->sides[side].exposures[f->per_cpu].total};
		}
	}
	free(blocks);
	return out;
}

void tdat_diff_histogram(const struct tdat_diff *d, size_t index, enum tdat_diff_side side,
			 double *bins, size_t bin_count, double *least, double *most)
{
	struct share *list[DIFF_SIDES];
	size_t counts[DIFF_SIDES];

	memset(bins, 0, bin_count * sizeof(*bins));
	*least = INFINITY;
	*most = 0;
	for (int i = 0; i < DIFF_SIDES; i++) {
		list[i] = shares_of(d, &d->tests[index], i, &counts[i]);
		for (size_t k = 0; k < counts[i]; k++) {
			const double v = list[i][k].value;

			*least = v > 0 ? fmin(*least, v) : *least;
			*most = fmax(*most, v);
		}
	}
	for (size_t k = 0; *most > 0 && k < counts[side]; k++) {
		const double v = fmax(list[side][k].value, *least);
		const double at = *most > *least ? log(v / *least) / log(*most / *least) : 0;
		const size_t bin = (size_t)(at * (double)bin_count);

		bins[bin < bin_count ? bin : bin_count - 1] += list[side][k].share;
	}
	for (int i = 0; i < DIFF_SIDES; i++)
		free(list[i]);
}
