/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A byte of what to ask for, a byte that chooses an event type, then any bytes as
 * a trace.dat: its events as JSON, as CSV and as Perfetto's packets, and tdat_stat's
 * counts of them. Each line is valid and tells of its event; the number of threads
 * does not show; the counts are the iterator's.
 */
#include <string.h>

#include "core/build.h"
#include "syntax.h"
#include "trace.h"

enum { FLAG_TEXT = 1, FLAG_CPU0 = 2, FLAG_RAW_TS = 4, FLAG_TWICE = 8, FLAG_EXPR = 16 };
enum { INPUTS_MOST = 2, IDS = 1 << 16 };

struct ask {
	struct tdat_iter_input in[INPUTS_MOST];
	size_t count;
	struct tdat_iter_opts iter;
	uint8_t flags;
};

static const uint32_t cpu0[] = {0};

/* ---- sinks ---- */

/* The whole output; what comes of 1 and of 3 threads is compared. */
static enum tdat_status keep(void *ctx, const void *data, size_t len, struct tdat_error *err)
{
	(void)err;
	tdat_build_bytes(ctx, data, len);
	return TDAT_OK;
}

static enum tdat_status pump(const struct ask *ask, const struct tdat_export *e, uint32_t threads,
			     struct tdat_build *out)
{
	struct tdat_pump_opts opts = TDAT_PUMP_OPTS_INIT;
	struct tdat_iter *iter;
	enum tdat_status st;

	tdat_build_init(out, false);
	opts.threads = threads;
	st = tdat_iter_new(&iter, ask->in, ask->count, &ask->iter, NULL);
	if (st == TDAT_OK)
		st = tdat_pump(iter, tdat_export_ops(e), tdat_export_ctx(e), &opts, keep, out,
			       NULL);
	tdat_iter_free(iter);
	FUZZ_ASSERT(!out->failed);
	return st;
}

/* The same with more threads; after a failure how far they got may differ. */
static bool pump_both(const struct ask *ask, const struct tdat_export *e, struct tdat_build *one)
{
	struct tdat_build three;
	enum tdat_status st = pump(ask, e, 1, one);

	FUZZ_ASSERT(pump(ask, e, 3, &three) == st);
	if (st == TDAT_OK) {
		FUZZ_ASSERT(one->len == three.len);
		FUZZ_ASSERT(!one->len || !memcmp(one->ptr, three.ptr, one->len));
	}
	tdat_build_fini(&three);
	return st == TDAT_OK;
}

/* The next event, or NULL. */
static const struct tdat_event *next(struct tdat_iter *iter)
{
	const struct tdat_event *ev = NULL;

	FUZZ_ASSERT(tdat_iter_next(iter, &ev, NULL) == TDAT_OK);
	return ev;
}

static void check_json_line(const char *line, size_t len, const struct tdat_event *ev)
{
	char start[80];
	int n = snprintf(start, sizeof(start), "{\"ts\":%llu,\"cpu\":%u,\"pid\":%d,\"comm\":\"",
			 (unsigned long long)ev->ts, ev->cpu, ev->pid);

	const bool valid = fuzz_is_json_object(line, len);

	if (!valid)
		fprintf(stderr, "%.*s\n", (int)len, line);
	FUZZ_ASSERT(valid);
	FUZZ_ASSERT(len > (size_t)n && !memcmp(line, start, (size_t)n));
}

static void check_json(const struct ask *ask, const struct tdat_build *out)
{
	const char *text = (const char *)out->ptr;
	const struct tdat_event *ev;
	struct tdat_iter *iter;
	size_t at = 0;

	FUZZ_ASSERT(tdat_iter_new(&iter, ask->in, ask->count, &ask->iter, NULL) == TDAT_OK);
	while ((ev = next(iter))) {
		const char *end = out->len > at ? memchr(text + at, '\n', out->len - at) : NULL;

		FUZZ_ASSERT(end);
		check_json_line(text + at, (size_t)(end - text) - at, ev);
		at = (size_t)(end - text) + 1;
	}
	FUZZ_ASSERT(at == out->len);
	tdat_iter_free(iter);
}

static void check_csv(const struct ask *ask, const struct tdat_export *e,
		      const struct tdat_build *out)
{
	struct tdat_span head = tdat_export_head(e);
	size_t columns, n, len = out->len;
	const char *p = (const char *)out->ptr;
	const struct tdat_event *ev;
	struct tdat_iter *iter;

	FUZZ_ASSERT(fuzz_csv_record((const char *)head.ptr, head.len, &columns) == head.len);
	FUZZ_ASSERT(tdat_iter_new(&iter, ask->in, ask->count, &ask->iter, NULL) == TDAT_OK);
	while ((ev = next(iter))) {
		const size_t used = fuzz_csv_record(p, len, &n);
		const bool valid = used && n == columns;

		if (!valid)
			fprintf(stderr, "%.*s%.*s", (int)head.len, (const char *)head.ptr, (int)len,
				p);
		FUZZ_ASSERT(valid);
		p += used;
		len -= used;
	}
	FUZZ_ASSERT(!len);
	tdat_iter_free(iter);
}

static const struct tdat_keyed_option text_option = {"text", ""};

static void use_json(const struct ask *ask)
{
	struct tdat_export_request request = TDAT_EXPORT_REQUEST_INIT;
	struct tdat_export *e;
	struct tdat_build out;

	request.inputs = ask->in;
	request.input_count = ask->count;
	request.options = &text_option;
	request.option_count = ask->flags & FLAG_TEXT ? 1 : 0;
	FUZZ_ASSERT(tdat_export_new(&e, tdat_exporter_find("json"), &request, NULL) == TDAT_OK);
	if (pump_both(ask, e, &out))
		check_json(ask, &out);
	tdat_build_fini(&out);
	tdat_export_free(e);
}

/* Of one type: the filter lets only its events pass. */
static void use_csv(const struct ask *all, uint8_t chosen)
{
	const size_t formats = tdat_file_format_count(all->in[0].file);
	struct tdat_export_request request = TDAT_EXPORT_REQUEST_INIT;
	struct tdat_keyed_option options[3];
	struct tdat_filter_opts filter_opts = TDAT_FILTER_OPTS_INIT;
	const struct tdat_event_format *format;
	struct tdat_filter *filter = NULL;
	struct ask ask = *all;
	struct tdat_export *e;
	struct tdat_build out;

	if (!formats ||
	    tdat_file_format(ask.in[0].file, chosen % formats, &format, NULL) != TDAT_OK)
		return;
	options[0] = (struct tdat_keyed_option){"system", tdat_event_format_system(format)};
	options[1] = (struct tdat_keyed_option){"event", tdat_event_format_name(format)};
	options[2] = text_option;
	request.inputs = ask.in;
	request.input_count = ask.count;
	request.options = options;
	request.option_count = ask.flags & FLAG_TEXT ? 3 : 2;
	filter_opts.events = &options[1].value;
	filter_opts.event_count = 1;
	filter_opts.stacks = TDAT_STACKS_NONE;
	if (tdat_export_new(&e, tdat_exporter_find("event_csv"), &request, NULL) != TDAT_OK)
		return;
	if (tdat_filter_new(&filter, &filter_opts, NULL) == TDAT_OK) {
		ask.iter.filter = filter;
		if (pump_both(&ask, e, &out))
			check_csv(&ask, e, &out);
		tdat_build_fini(&out);
	}
	tdat_filter_free(filter);
	tdat_export_free(e);
}

/* ---- packets ---- */

/* What comes of some threads; false: it failed, as it does for CPUs that Perfetto does not take. */
static bool run_perfetto(const struct ask *ask, uint32_t threads, struct tdat_build *out,
			 uint64_t *events)
{
	static const struct tdat_keyed_option options[] = {{"tracks", ""}, {"compat", ""}};
	struct tdat_export_request request = TDAT_EXPORT_REQUEST_INIT;
	struct tdat_pump_opts opts = TDAT_PUMP_OPTS_INIT;
	struct tdat_export *e;
	struct tdat_iter *iter;
	enum tdat_status st;

	tdat_build_init(out, false);
	opts.threads = threads;
	request.inputs = ask->in;
	request.input_count = ask->count;
	request.options = options;
	request.option_count = ask->flags & FLAG_TEXT ? 2 : ask->flags & FLAG_RAW_TS ? 1 : 0;
	FUZZ_ASSERT(tdat_export_new(&e, tdat_exporter_find("perfetto"), &request, NULL) == TDAT_OK);
	FUZZ_ASSERT(tdat_iter_new(&iter, ask->in, ask->count, &ask->iter, NULL) == TDAT_OK);
	st = tdat_export_run(e, iter, &opts, keep, out, events, NULL);
	FUZZ_ASSERT(!out->failed);
	tdat_iter_free(iter);
	tdat_export_free(e);
	return st == TDAT_OK;
}

/* The bytes are packets, one behind the other, and nothing else. */
static void check_packets(const struct tdat_build *out)
{
	size_t at = 0;

	while (at < out->len) {
		uint64_t len = 0;
		unsigned int shift = 0;

		FUZZ_ASSERT(out->ptr[at++] == 0x0a);
		do {
			FUZZ_ASSERT(at < out->len && shift < 63);
			len |= (uint64_t)(out->ptr[at] & 0x7f) << shift;
			shift += 7;
		} while (out->ptr[at++] & 0x80);
		FUZZ_ASSERT(len && len <= out->len - at);
		at += (size_t)len;
	}
}

static void use_perfetto(const struct ask *ask)
{
	struct tdat_build one, three;
	uint64_t events, again;
	const bool ok = run_perfetto(ask, 1, &one, &events);

	FUZZ_ASSERT(run_perfetto(ask, 3, &three, &again) == ok);
	if (ok) {
		FUZZ_ASSERT(events == again && one.len && one.len == three.len);
		FUZZ_ASSERT(!memcmp(one.ptr, three.ptr, one.len));
		check_packets(&one);
	}
	tdat_build_fini(&one);
	tdat_build_fini(&three);
}

/* ---- counts ---- */

/* What is counted, in a form that does not care for order. */
struct sums {
	uint64_t count, ids, pids, lost, marks;
};

static uint64_t mix(uint32_t input, uint32_t value)
{
	uint64_t v = ((uint64_t)input << 32 | value) + 0x9e3779b97f4a7c15u;

	v = (v ^ v >> 30) * 0xbf58476d1ce4e5b9u;
	v = (v ^ v >> 27) * 0x94d049bb133111ebu;
	return v ^ v >> 31;
}

struct stream {
	uint64_t count, first_ts, last_ts, lost, marks;
};

static size_t find_stream(const struct tdat_stat *stat, const struct tdat_event *ev)
{
	size_t i = 0, count;
	const struct tdat_stat_stream *s = tdat_stat_streams(stat, &count);

	while (i < count &&
	       (s[i].input != ev->input || s[i].buffer != ev->buffer || s[i].cpu != ev->cpu))
		i++;
	FUZZ_ASSERT(i < count);
	return i;
}

static void add_event(struct sums *sums, struct stream *s, const struct tdat_event *ev)
{
	sums->count++;
	sums->ids += mix(ev->input, ev->id % IDS);
	sums->pids += mix(ev->input, (uint32_t)ev->pid);
	if (!s->count++)
		s->first_ts = ev->ts;
	s->last_ts = ev->ts;
	s->lost += ev->lost_before > 0 ? (uint64_t)ev->lost_before : 0;
	s->marks += ev->lost_before < 0;
}

static void check_streams(const struct tdat_stat *stat, const struct stream *streams, bool filtered)
{
	size_t i, k, count, bins;
	const struct tdat_stat_stream *s = tdat_stat_streams(stat, &count);
	uint64_t start, width, sum;

	bins = tdat_stat_bins(stat, &start, &width);
	for (i = 0; i < count; i++) {
		FUZZ_ASSERT(s[i].event_count == streams[i].count);
		for (sum = k = 0; k < bins; k++)
			sum += s[i].bins[k];
		FUZZ_ASSERT(sum <= s[i].event_count);
		if (!s[i].event_count)
			continue;
		FUZZ_ASSERT(s[i].first_ts == streams[i].first_ts);
		FUZZ_ASSERT(s[i].last_ts == streams[i].last_ts);
		if (filtered)
			continue;
		FUZZ_ASSERT(s[i].lost_count == streams[i].lost);
		FUZZ_ASSERT(s[i].lost_marks == streams[i].marks);
	}
}

static void check_lists(const struct tdat_stat *stat, const struct sums *sums)
{
	const struct tdat_stat_event *events;
	const struct tdat_stat_task *tasks;
	const struct tdat_stat_gap *gaps;
	struct sums of_events = {0}, of_tasks = {0};
	size_t i, count;

	events = tdat_stat_events(stat, &count);
	for (i = 0; i < count; i++) {
		FUZZ_ASSERT(events[i].count && (!i || events[i].count <= events[i - 1].count));
		of_events.count += events[i].count;
		of_events.ids += events[i].count * mix(events[i].input, events[i].id);
	}
	FUZZ_ASSERT(of_events.count == sums->count && of_events.ids == sums->ids);
	tasks = tdat_stat_tasks(stat, &count);
	for (i = 0; i < count; i++) {
		FUZZ_ASSERT(tasks[i].count && (!i || tasks[i].count <= tasks[i - 1].count));
		of_tasks.count += tasks[i].count;
		of_tasks.pids += tasks[i].count * mix(tasks[i].input, (uint32_t)tasks[i].pid);
	}
	FUZZ_ASSERT(of_tasks.count == sums->count && of_tasks.pids == sums->pids);
	gaps = tdat_stat_gaps(stat, &count);
	FUZZ_ASSERT(count <= TDAT_STAT_GAPS);
	for (i = 0; i < count; i++) {
		FUZZ_ASSERT(gaps[i].from < gaps[i].to);
		FUZZ_ASSERT(!i || gaps[i].to - gaps[i].from <= gaps[i - 1].to - gaps[i - 1].from);
	}
}

/* Bad pages that the iterator met, all of which the counts tell of. */
static void check_damage(const struct tdat_stat *stat, struct tdat_iter *iter)
{
	size_t i, count;
	const struct tdat_stat_stream *s = tdat_stat_streams(stat, &count);
	const struct tdat_stream_damage *d;
	uint64_t counted = 0, met = 0;

	for (i = 0; i < count; i++)
		counted += s[i].bad_pages;
	d = tdat_iter_damage(iter, &count);
	for (i = 0; i < count; i++)
		met += d[i].bad_pages;
	FUZZ_ASSERT(counted == met);
}

static void compare(const struct ask *ask, const struct tdat_stat *stat)
{
	const struct tdat_event *ev;
	struct sums sums = {0};
	struct stream *streams;
	struct tdat_iter *iter;
	size_t count;

	tdat_stat_streams(stat, &count);
	streams = calloc(count + 1, sizeof(*streams));
	FUZZ_ASSERT(streams);
	FUZZ_ASSERT(tdat_iter_new(&iter, ask->in, ask->count, &ask->iter, NULL) == TDAT_OK);
	while ((ev = next(iter)))
		add_event(&sums, &streams[find_stream(stat, ev)], ev);
	check_streams(stat, streams, ask->iter.filter);
	check_lists(stat, &sums);
	if (!ask->iter.filter)
		check_damage(stat, iter);
	tdat_iter_free(iter);
	free(streams);
}

static void use_stat(const struct ask *ask, uint32_t threads)
{
	struct tdat_stat_opts opts = TDAT_STAT_OPTS_INIT;
	struct tdat_error err = TDAT_ERROR_INIT;
	struct tdat_stat *stat = NULL;
	enum tdat_status st;

	opts.iter = &ask->iter;
	opts.threads = threads;
	st = tdat_stat_new(&stat, ask->in, ask->count, &opts, &err);
	FUZZ_ASSERT(st == TDAT_OK ? stat != NULL : err.status == st && *err.message);
	if (st == TDAT_OK)
		compare(ask, stat);
	tdat_stat_free(stat);
}

/* ---- all of it ---- */

static bool reads_to_end(const struct ask *ask)
{
	const struct tdat_event *ev = NULL;
	struct tdat_iter *iter;
	enum tdat_status st;

	st = tdat_iter_new(&iter, ask->in, ask->count, &ask->iter, NULL);
	while (st == TDAT_OK && (st = tdat_iter_next(iter, &ev, NULL)) == TDAT_OK && ev)
		;
	tdat_iter_free(iter);
	return st == TDAT_OK;
}

static void use(struct ask *ask, uint8_t chosen)
{
	const struct tdat_filter_expr expr = {"common_pid > 0 && CPU < 100", false};
	struct tdat_filter_opts opts = TDAT_FILTER_OPTS_INIT;
	struct tdat_filter *filter = NULL;

	opts.exprs = &expr;
	opts.expr_count = 1;
	opts.from = "+0ns";
	if (ask->flags & FLAG_EXPR && tdat_filter_new(&filter, &opts, NULL) == TDAT_OK)
		ask->iter.filter = filter;
	if (reads_to_end(ask)) {
		use_json(ask);
		use_perfetto(ask);
		use_perfetto(ask);
		use_stat(ask, 1);
		use_stat(ask, 3);
		ask->iter.filter = NULL;
		use_csv(ask, chosen);
	}
	tdat_filter_free(filter);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct tdat_open_opts opts = fuzz_open_opts(true);
	const struct tdat_iter_opts iter = TDAT_ITER_OPTS_INIT;
	struct ask ask = {.iter = iter};
	struct tdat_file *file;

	if (size < 2 || tdat_file_open_memory(&file, data + 2, size - 2, "fuzz \"\xff\n", &opts,
					      NULL) != TDAT_OK)
		return 0;
	ask.flags = data[0];
	ask.in[0].file = ask.in[1].file = file;
	ask.in[1].ts_offset = 500;
	ask.count = ask.flags & FLAG_TWICE ? 2 : 1;
	ask.iter.raw_ts = ask.flags & FLAG_RAW_TS;
	if (ask.flags & FLAG_CPU0) {
		ask.iter.cpus = cpu0;
		ask.iter.cpu_count = 1;
	}
	use(&ask, data[1]);
	tdat_file_close(file);
	return 0;
}
