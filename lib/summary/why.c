/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Sums up what the table critical_path says: rows come state by state, each of depth 0 with those
 * beneath it. A state belongs to an interval: one of the longest waits, a task's time, or all
 * together. Where chains end are causes, which are added up by kind, task and chain. Segments are
 * kept where an interval shows them, up to a bound.
 */
#include "why.h"

#include <stdlib.h>
#include <string.h>

#include "core/opts.h"
#include "core/text.h"
#include "table/trace.h"

enum { SEGMENTS_MOST = 1 << 19, CAUSES_MOST = 1 << 17, INTERVALS_MOST = 1 << 16 };
enum { CHAIN_MOST = 32 };

enum {
	TS,
	DUR,
	DEPTH,
	PID,
	COMM,
	CPU,
	KIND,
	BY_PID,
	BY_COMM,
	WHAT,
	STATE,
	OF_PID,
	OF_TS,
	BUFFER,
	IN_FILE
};
static const char *const names[] = {"ts",    "dur",    "depth",	 "pid",	    "comm",
				    "cpu",   "kind",   "by_pid", "by_comm", "what",
				    "state", "of_pid", "of_ts",	 "buffer",  "file"};
enum { NAMES = sizeof(names) / sizeof(names[0]) };

#define NOT_ENDED "its end is not in the trace"
#define NOT_RECORDED "its state was not recorded, or events were lost"

/* ---- texts ---- */

/* The number of a text; 0: null, or no memory, which scratch.failed tells. */
static uint32_t text_number(struct why *w, struct tdat_span text)
{
	struct tdat_build *b = &w->scratch;
	uint32_t number;
	bool fresh;

	if (!text.ptr)
		return 0;
	b->len = 0;
	tdat_build_bytes(b, text.ptr, text.len);
	tdat_build_u8(b, '\0');
	number = b->failed ? 0 : tdat_byte_set_add(&w->texts, b->ptr, b->len, &fresh);
	b->failed |= !number;
	return number;
}

static uint32_t column_text(struct why *w, size_t column, int64_t row)
{
	return summary_is_null(&w->s, column, row)
		       ? 0
		       : text_number(w, summary_column_text(&w->s.c[column], row));
}

static const char *text_of(const struct why *w, uint32_t number)
{
	return number ? (const char *)tdat_byte_set_get(&w->texts, number).ptr : NULL;
}

static int64_t number_at(const struct why *w, size_t column, int64_t row)
{
	return summary_column_int(&w->s.c[column], row);
}

/* ---- intervals ---- */

/* The text of the column file, which a trace of one file lacks. */
static uint32_t file_text(struct why *w, int64_t row)
{
	return w->s.name_count > IN_FILE ? column_text(w, IN_FILE, row) : 0;
}

/* What an interval for each task is found by. */
static void task_of(struct why *w, int64_t row, uint32_t key[3])
{
	key[0] = (uint32_t)number_at(w, OF_PID, row);
	key[1] = column_text(w, BUFFER, row);
	key[2] = file_text(w, row);
}

/* Of an interval for each task: its number; of others the last one, if it is the same. */
static uint32_t find_interval(struct why *w, int64_t row, bool *fresh)
{
	const struct why_interval *last =
		w->interval_count ? &w->intervals[w->interval_count - 1] : NULL;
	uint32_t number, key[3];

	task_of(w, row, key);
	if (w->opts.of == TDAT_EXPLAIN_ALL) {
		number = tdat_byte_set_add(&w->tasks, key, sizeof(key), fresh);
		w->scratch.failed |= !number;
		return number;
	}
	*fresh = !last || (w->opts.worst && (memcmp(last->task, key, sizeof(key)) != 0 ||
					     last->of_ts != number_at(w, OF_TS, row)));
	return (uint32_t)w->interval_count + *fresh;
}

/* The place of the interval of a row of depth 0 + 1; 0: there is no room, or no memory. */
static uint32_t take_interval(struct why *w, int64_t row, const struct why_segment *seg)
{
	struct why_interval *i;
	uint32_t number;
	bool fresh;

	number = find_interval(w, row, &fresh);
	if (w->scratch.failed || number > INTERVALS_MOST)
		return 0;
	if (fresh) {
		if (!TDAT_GROW(w->intervals, &w->interval_cap, w->interval_count + 1)) {
			w->scratch.failed = true;
			return 0;
		}
		i = &w->intervals[w->interval_count++];
		*i = (struct why_interval){.of_pid = seg->pid, .of_ts = number_at(w, OF_TS, row)};
		task_of(w, row, i->task);
		i->facts.pid = seg->pid;
		i->facts.from = w->opts.has_from ? w->opts.from_ts : seg->ts;
		i->covered = i->facts.to = i->facts.from;
		i->comm = seg->comm;
	}
	i = &w->intervals[number - 1];
	i->facts.is_many |= i->of_pid != seg->pid;
	i->many_names |= i->comm != seg->comm;
	return number;
}

/* ---- segments and causes ---- */

static void keep(struct why *w, const struct why_segment *seg)
{
	if (!TDAT_GROW(w->segments, &w->segment_cap, w->segment_count + 1))
		w->scratch.failed = true;
	else
		w->segments[w->segment_count++] = *seg;
}

/* Whether causes of all waits are added up: then tasks of one name are one. */
static bool is_sum(const struct why *w)
{
	return w->opts.of != TDAT_EXPLAIN_ALL && !w->opts.worst;
}

static uint32_t task_key(const struct why *w, const struct why_segment *s)
{
	return is_sum(w) ? s->by_comm : s->has_by ? (uint32_t)s->by_pid : 0;
}

/* The cause at the end of a chain of waits, which is made if there is none; NULL: no room. */
static struct why_cause *find_cause(struct why *w, const struct why_segment *end,
				    const struct why_segment *const *chain, size_t count)
{
	/* How the task that had the CPU came there makes no other cause of it. */
	const bool by_task_alone = end->kind == w->runnable || end->kind == w->migration;
	uint32_t key[4 + 3 * CHAIN_MOST] = {end->interval, end->kind, task_key(w, end),
					    by_task_alone ? 0 : end->what};
	struct why_cause *c;
	uint32_t number;
	size_t n = 4;
	bool fresh;

	for (size_t i = 0; i < count; i++) {
		key[n++] = chain[i]->kind;
		key[n++] = task_key(w, chain[i]);
		key[n++] = chain[i]->what;
	}
	number = tdat_byte_set_find(&w->keys, key, n * sizeof(*key));
	if (number) {
		c = &w->causes[number - 1];
		c->many |= c->end.by_pid != end->by_pid;
		return c;
	}
	if (w->cause_count == CAUSES_MOST)
		return NULL;
	number = tdat_byte_set_add(&w->keys, key, n * sizeof(*key), &fresh);
	if (!number || !TDAT_GROW(w->causes, &w->cause_cap, w->cause_count + 1) ||
	    !TDAT_GROW(w->links, &w->link_cap, w->link_count + count)) {
		w->scratch.failed = true;
		return NULL;
	}
	c = &w->causes[w->cause_count++];
	*c = (struct why_cause){.interval = end->interval,
				.end = {end->kind, end->by_comm, end->what, end->by_pid},
				.has_by = end->has_by,
				.longest = -1,
				.via = w->link_count,
				.via_count = count};
	for (size_t i = 0; i < count; i++)
		w->links[w->link_count++] = (struct why_link){chain[i]->kind, chain[i]->by_comm,
							      chain[i]->what, chain[i]->by_pid};
	return c;
}

/*
 * Adds a segment beneath which nothing lies to its cause. above has the segments above it. A run
 * ends the wait that is above: the task that ran is who was waited for.
 */
static void add_cause(struct why *w, const struct why_segment *leaf,
		      const struct why_segment *const *above)
{
	const struct why_segment *chain[CHAIN_MOST];
	struct why_segment end = *leaf;
	size_t count = 0;
	struct why_cause *c;

	for (size_t i = 0; i < leaf->depth && i < CHAIN_MOST; i++)
		if (above[i]->kind != w->running || above[i]->has_by)
			chain[count++] = above[i];
	/* What is beneath a run of a guest is what its virtual CPU did. */
	if (leaf->kind == w->running && count)
		end = *chain[--count];
	if (end.kind == w->running) {
		end.has_by = true;
		end.by_pid = end.pid;
		end.by_comm = end.comm;
		end.what = 0;
	}
	c = find_cause(w, &end, chain, count);
	if (!c) {
		w->causes_out++;
		return;
	}
	c->dur += leaf->dur;
	c->count += c->state != w->state_count;
	c->state = w->state_count;
	if (leaf->dur > c->longest) {
		c->longest = leaf->dur;
		c->end.what = end.what;
	}
}

/* A state is complete: its causes are added, and its segments kept or forgotten. */
static void end_state(struct why *w)
{
	const struct why_segment *above[CHAIN_MOST + 1];
	const bool keeps = !is_sum(w);

	for (size_t i = w->state; i < w->segment_count; i++) {
		const struct why_segment *s = &w->segments[i];
		const bool leaf = i + 1 == w->segment_count || s[1].depth <= s->depth;

		if (s->depth > CHAIN_MOST)
			continue;
		above[s->depth] = s;
		if (leaf)
			add_cause(w, s, above);
	}
	if (keeps && w->segment_count > SEGMENTS_MOST) {
		w->segments_out += w->segment_count - w->state;
		w->segment_count = w->state;
	} else if (!keeps) {
		w->segment_count = w->state;
	}
	w->state = w->segment_count;
}

/* A time of an interval of which there is no row. */
static void add_gap(struct why *w, uint32_t number, int64_t to)
{
	struct why_interval *i = &w->intervals[number - 1];

	if (w->opts.of != TDAT_EXPLAIN_ALL || to <= i->covered)
		return;
	end_state(w);
	keep(w, &(struct why_segment){
			.ts = i->covered,
			.dur = to - i->covered,
			.interval = number,
			.pid = i->of_pid,
			.cpu = -1,
			.kind = w->unknown,
			.buffer = i->task[1],
			.file = i->task[2],
			.what = i->open ? i->open : text_number(w, tdat_span_of(NOT_RECORDED))});
	end_state(w);
	i->open = 0;
	i->covered = to;
	i->facts.dur += to - i->facts.to;
	i->facts.to = to;
}

/* Cuts a segment to the time of its interval. False: nothing is left. */
static bool cut(const struct why *w, struct why_segment *s)
{
	const struct tdat_why_opts *o = &w->opts;
	int64_t end = s->ts + s->dur;

	if (o->of != TDAT_EXPLAIN_ALL)
		return true;
	if (o->has_to && end > o->to_ts)
		end = o->to_ts;
	if (o->has_from && s->ts < o->from_ts)
		s->ts = o->from_ts;
	s->dur = end - s->ts;
	return s->dur > 0;
}

/* ---- rows ---- */

/* Of a state whose end is not known nothing is said from its begin on but the reason. */
static void take_open(struct why *w, int64_t row, struct why_segment *seg)
{
	uint32_t number;
	int64_t ts = seg->ts;

	end_state(w);
	w->skips = true;
	if (w->opts.of != TDAT_EXPLAIN_ALL || (w->opts.has_to && ts >= w->opts.to_ts))
		return;
	if (w->opts.has_from && ts < w->opts.from_ts)
		seg->ts = ts = w->opts.from_ts;
	number = take_interval(w, row, seg);
	if (!number)
		return;
	add_gap(w, number, ts);
	w->intervals[number - 1].open =
		seg->what ? seg->what : text_number(w, tdat_span_of(NOT_ENDED));
}

/* A task has ended: its interval, if it has one, is not filled up to the end of the window. */
static void end_task(struct why *w, int64_t row, bool open)
{
	uint32_t number, key[3];

	end_state(w);
	w->skips = true;
	if (w->opts.of != TDAT_EXPLAIN_ALL || !open)
		return;
	task_of(w, row, key);
	number = tdat_byte_set_find(&w->tasks, key, sizeof(key));
	if (number && number <= w->interval_count)
		w->intervals[number - 1].ended = true;
}

/* A segment of depth 0 begins a state, and may begin an interval. */
static bool take_state(struct why *w, int64_t row, struct why_segment *seg)
{
	struct why_interval *i;
	bool fresh;

	uint32_t task[3];

	end_state(w);
	seg->interval = take_interval(w, row, seg);
	if (!seg->interval)
		return false;
	task_of(w, row, task);
	fresh = !w->state_count || memcmp(w->last_task, task, sizeof(task)) != 0 ||
		w->last_ts != number_at(w, OF_TS, row);
	memcpy(w->last_task, task, sizeof(task));
	w->last_ts = number_at(w, OF_TS, row);
	w->state_count += fresh;
	add_gap(w, seg->interval, seg->ts);
	i = &w->intervals[seg->interval - 1];
	i->facts.count += fresh;
	i->facts.dur += seg->dur;
	i->covered = i->facts.to =
		seg->ts + seg->dur > i->facts.to ? seg->ts + seg->dur : i->facts.to;
	if (seg->ts < i->facts.from)
		i->facts.from = seg->ts;
	return true;
}

/* Takes rows in their order. False: no memory. */
static bool take_rows(struct tdat_summary *s, size_t table, int64_t count)
{
	struct why *w = (struct why *)s;

	(void)table;
	for (int64_t row = 0; row < count && !w->scratch.failed; row++) {
		const bool open = summary_is_null(s, DUR, row);
		struct why_segment seg = {
			.ts = number_at(w, TS, row),
			.dur = open ? 0 : number_at(w, DUR, row),
			.depth = (uint32_t)number_at(w, DEPTH, row),
			.pid = (int32_t)number_at(w, PID, row),
			.cpu = summary_is_null(s, CPU, row) ? -1 : number_at(w, CPU, row),
			.has_by = !summary_is_null(s, BY_PID, row),
			.comm = column_text(w, COMM, row),
			.kind = column_text(w, KIND, row),
			.by_comm = column_text(w, BY_COMM, row),
			.what = column_text(w, WHAT, row),
			.state = column_text(w, STATE, row),
			.buffer = column_text(w, BUFFER, row),
			.file = file_text(w, row)};

		/* A task that has ended waits for nothing. */
		if (!seg.depth && seg.state == w->dead) {
			end_task(w, row, open);
			continue;
		}
		seg.by_pid = seg.has_by ? (int32_t)number_at(w, BY_PID, row) : 0;
		if (open) {
			take_open(w, row, &seg);
			continue;
		}
		if (!cut(w, &seg))
			continue;
		if (!seg.depth) {
			w->skips = !take_state(w, row, &seg);
			w->segments_out += w->skips;
		} else {
			seg.interval = w->segment_count > w->state
					       ? w->segments[w->segment_count - 1].interval
					       : 0;
		}
		if (!w->skips && seg.interval)
			keep(w, &seg);
	}
	return !w->scratch.failed;
}

/* ---- the end ---- */

/* The greatest first; of equal ones the first that came. */
static int by_dur(const void *a, const void *b)
{
	const struct why_cause *x = a, *y = b;

	if (x->interval != y->interval)
		return x->interval < y->interval ? -1 : 1;
	if (x->dur != y->dur)
		return x->dur > y->dur ? -1 : 1;
	return x->via != y->via ? (x->via < y->via ? -1 : 1)
				: (x->order > y->order) - (x->order < y->order);
}

static struct tdat_why_link link_of(const struct why *w, const struct why_link *l)
{
	return (struct tdat_why_link){text_of(w, l->kind), text_of(w, l->by_comm),
				      text_of(w, l->what), l->by_pid};
}

/* Causes in the order of intervals, with their texts. */
static void put_causes(struct why *w)
{
	if (w->cause_count)
		qsort(w->causes, w->cause_count, sizeof(*w->causes), by_dur);
	for (size_t i = 0; i < w->link_count; i++)
		w->out_links[i] = link_of(w, &w->links[i]);
	for (size_t i = 0; i < w->cause_count; i++) {
		const struct why_cause *c = &w->causes[i];
		const struct tdat_why_link end = link_of(w, &c->end);
		struct tdat_why_interval *in = &w->intervals[c->interval - 1].facts;

		w->out_causes[i] = (struct tdat_why_cause){.kind = end.kind,
							   .by_comm = end.by_comm,
							   .what = end.what,
							   .by_pid = end.by_pid,
							   .has_by = c->has_by,
							   .is_many = c->many,
							   .dur = c->dur,
							   .count = c->count,
							   .via = w->out_links + c->via,
							   .via_count = c->via_count};
		if (!in->cause_count++)
			in->causes = &w->out_causes[i];
	}
}

/* The input and its buffer that texts name. */
struct place {
	uint32_t file_text, buffer_text; /* both 0: none yet */
	uint32_t input, buffer;
};

static void find_place(const struct why *w, struct place *p, uint32_t file, uint32_t buffer)
{
	const struct tdat_trace *t = w->s.trace;
	const struct tdat_buffer *buffers;
	size_t count;

	/* Neighbors are mostly of one recording. */
	if (p->file_text == file && p->buffer_text == buffer)
		return;
	*p = (struct place){.file_text = file, .buffer_text = buffer};
	while (file && p->input + 1 < t->input_count &&
	       strcmp(tdat_file_info(t->inputs[p->input].file)->name, text_of(w, file)) != 0)
		p->input++;
	buffers = tdat_file_buffers(t->inputs[p->input].file, &count);
	while (buffer && p->buffer + 1 < count &&
	       strcmp(buffers[p->buffer].name, text_of(w, buffer)) != 0)
		p->buffer++;
}

/* Segments in the order of intervals: those of several tasks came mixed. */
static void put_segments(struct why *w)
{
	struct place place = {0, 0, 0, 0};
	size_t at = 0;

	for (size_t i = 0; i < w->segment_count; i++)
		w->intervals[w->segments[i].interval - 1].facts.segment_count++;
	for (size_t i = 0; i < w->interval_count; i++) {
		w->intervals[i].facts.segments = w->out_segments + at;
		at += w->intervals[i].facts.segment_count;
		w->intervals[i].facts.segment_count = 0;
	}
	for (size_t i = 0; i < w->segment_count; i++) {
		const struct why_segment *s = &w->segments[i];
		struct tdat_why_interval *in = &w->intervals[s->interval - 1].facts;

		find_place(w, &place, s->file, s->buffer);
		w->out_segments[in->segments - w->out_segments + (ptrdiff_t)in->segment_count++] =
			(struct tdat_why_segment){.ts = s->ts,
						  .dur = s->dur,
						  .depth = s->depth,
						  .pid = s->pid,
						  .by_pid = s->by_pid,
						  .input = place.input,
						  .buffer = place.buffer,
						  .cpu = s->cpu,
						  .has_by = s->has_by,
						  .comm = text_of(w, s->comm),
						  .kind = text_of(w, s->kind),
						  .by_comm = text_of(w, s->by_comm),
						  .what = text_of(w, s->what),
						  .state = text_of(w, s->state)};
	}
}

static bool note(struct why *w, const char *what, uint64_t count)
{
	struct tdat_summary *s = &w->s;

	if (!count)
		return true;
	if (!TDAT_GROW(s->notes, &s->note_cap, s->note_count + 1))
		return false;
	s->notes[s->note_count++] = (struct tdat_summary_note){"critical_path", what, count};
	return true;
}

/* The facts that are texts. */
static void put_facts(struct why *w, struct why_interval *i)
{
	struct tdat_why_interval *f = &i->facts;
	struct place place = {0, 0, 0, 0};
	struct tdat_build b;

	find_place(w, &place, i->task[2], i->task[1]);
	f->input = place.input;
	f->buffer = place.buffer;
	f->comm = i->many_names ? NULL : text_of(w, i->comm);
	summary_put_time(&w->s, (uint64_t)f->from, f->at);
	summary_put_time(&w->s, (uint64_t)f->to, f->until);
	tdat_build_init(&b, false);
	summary_put_command(&b, &w->s, "dump", (uint64_t)f->from, (uint64_t)f->to, w->opts.paths,
			    w->opts.path_count);
	w->scratch.failed |= b.failed;
	f->dump = (const char *)b.ptr;
}

static bool end(struct tdat_summary *s)
{
	struct why *w = (struct why *)s;

	end_state(w);
	for (size_t i = 0; i < w->interval_count && w->opts.has_to; i++)
		if (!w->intervals[i].ended)
			add_gap(w, (uint32_t)i + 1, w->opts.to_ts);
	for (size_t i = 0; i < w->cause_count; i++)
		w->causes[i].order = i;
	w->out_segments = calloc(w->segment_count + 1, sizeof(*w->out_segments));
	w->out_causes = calloc(w->cause_count + 1, sizeof(*w->out_causes));
	w->out_links = calloc(w->link_count + 1, sizeof(*w->out_links));
	if (w->scratch.failed || !w->out_segments || !w->out_causes || !w->out_links)
		return false;
	put_causes(w);
	put_segments(w);
	for (size_t i = 0; i < w->interval_count; i++)
		put_facts(w, &w->intervals[i]);
	return !w->scratch.failed &&
	       note(w, "segment beyond 524288 segments or 65536 tasks", w->segments_out) &&
	       note(w, "cause beyond 131072 causes", w->causes_out);
}

static void free_why(struct tdat_summary *s)
{
	struct why *w = (struct why *)s;

	tdat_byte_set_fini(&w->texts);
	tdat_byte_set_fini(&w->keys);
	tdat_byte_set_fini(&w->tasks);
	tdat_build_fini(&w->scratch);
	for (size_t i = 0; i < w->interval_count; i++)
		free((void *)(uintptr_t)w->intervals[i].facts.dump);
	free(w->intervals);
	free(w->segments);
	free(w->causes);
	free(w->links);
	free(w->out_segments);
	free(w->out_causes);
	free(w->out_links);
}

/* Makes a summary of the table critical_path. */
enum tdat_status tdat_summary_why(struct tdat_summary **out, const struct tdat_trace *trace,
				  const struct tdat_why_opts *opts, struct tdat_error *err)
{
	static const struct summary_ops ops = {take_rows, end, why_json, free_why};
	const struct tdat_table *table = tdat_trace_find(trace, "critical_path");
	struct why *w = summary_new(sizeof(*w), &ops, trace, err);
	struct summary_column *columns;
	enum tdat_status st;

	*out = NULL;
	if (!w)
		return TDAT_E_NOMEM;
	w->opts = (struct tdat_why_opts)TDAT_WHY_OPTS_INIT;
	tdat_opts_copy(&w->opts, sizeof(w->opts), opts);
	w->explain = (struct tdat_explain){sizeof(w->explain), w->opts.of, w->opts.worst};
	w->s.explain = &w->explain;
	tdat_byte_set_init(&w->texts);
	tdat_byte_set_init(&w->keys);
	tdat_byte_set_init(&w->tasks);
	tdat_build_init(&w->scratch, false);
	w->running = text_number(w, tdat_span_of("running"));
	w->runnable = text_number(w, tdat_span_of("runnable"));
	w->migration = text_number(w, tdat_span_of("migration"));
	w->unknown = text_number(w, tdat_span_of("unknown"));
	w->dead = text_number(w, tdat_span_of("dead"));
	memcpy(w->s.names, names, sizeof(names));
	w->s.name_count = trace->input_count > 1 ? NAMES : IN_FILE;
	st = w->scratch.failed ? tdat_error_no_memory(err, "a summary")
			       : summary_look(&w->s, table, &columns, err);
	summary_keep(&w->s, table);
	if (st == TDAT_OK)
		*out = &w->s;
	else
		tdat_summary_free(&w->s);
	return st;
}

const struct tdat_why_interval *tdat_why_interval(const struct tdat_summary *s, size_t index)
{
	const struct why *w = (const struct why *)s;

	return index < w->interval_count ? &w->intervals[index].facts : NULL;
}
