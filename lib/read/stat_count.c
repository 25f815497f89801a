/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Counts the events of one piece of a stream. It reads a stream without a merge and without
 * making events: an id and a pid for each record. Each thread has its own arrays and tables, so
 * there is no lock. Runs of events of one task are added at once.
 */
#include <stdlib.h>

#include "seek.h"
#include "stat.h"

/* ---- tasks ---- */

static uint64_t hash_of(const struct stat_tasks *t, int32_t pid)
{
	return tdat_hash_u64(t->map.seed, (uint32_t)pid);
}

/* Counts events of a task; rows are found by a hash of the pid. False: no memory. */
bool stat_task_add(struct stat_tasks *t, int32_t pid, uint64_t count)
{
	uint32_t i;

	TDAT_MAP_FIND(i, &t->map, hash_of(t, pid), t->v[i].pid == pid);
	if (i == TDAT_MAP_NONE) {
		if (!TDAT_MAP_GROW(&t->map, t->v, &t->cap))
			return false;
		i = tdat_map_add(&t->map, hash_of(t, pid));
		t->v[i] = (struct stat_task){pid, 0};
	}
	t->v[i].count += count;
	return true;
}

/* ---- gaps ---- */

/*
 * Keeps the TDAT_STAT_GAPS longest gaps: a new one replaces the shortest. least is the length
 * below which callers need not come.
 */
void stat_gap_add(struct stat_gaps *g, struct stat_gap gap)
{
	uint32_t i, least = 0;

	if (g->count < TDAT_STAT_GAPS) {
		g->v[g->count++] = gap;
	} else {
		for (i = 1; i < g->count; i++)
			if (g->v[i].to - g->v[i].from < g->v[least].to - g->v[least].from)
				least = i;
		g->v[least] = gap;
	}
	g->least = UINT64_MAX;
	for (i = 0; i < g->count; i++)
		if (g->v[i].to - g->v[i].from < g->least)
			g->least = g->v[i].to - g->v[i].from;
	if (g->count < TDAT_STAT_GAPS)
		g->least = 0;
}

/* ---- events ---- */

/* The state of the loop over a piece's records. */
struct counter {
	struct stat_thread *t;
	struct stat_piece *p;
	const struct file_common *common;
	struct select_input *select; /* NULL: all events */
	bool big, timed;
	uint64_t from, to;
	uint64_t start;
	uint32_t shift;
	size_t bin_count;
	uint64_t *ids, *bins;
	struct stat_tasks *tasks;
	int32_t pid; /* of the run of events of one task */
	uint64_t run;
};

/* Losses without a count are counted as marks. */
static void put_lost(struct stat_piece *p, int64_t lost)
{
	if (lost > 0)
		p->lost_count += (uint64_t)lost;
	else if (lost)
		p->lost_marks++;
}

/* Adds the run of one task to its count, and begins the next one. */
static bool end_run(struct counter *c, int32_t pid)
{
	bool ok = !c->run || stat_task_add(c->tasks, c->pid, c->run);

	c->pid = pid;
	c->run = 0;
	return ok;
}

/* Notes gaps, the first and last time, and the bin. Time that goes back makes no gap. */
static void count_time(struct counter *c, const struct read_stream *s)
{
	struct stat_piece *p = c->p;

	if (__builtin_expect(p->count == 0, 0)) {
		p->first_ts = s->head.ts;
		p->lost_first = s->head.lost_before;
	} else if (s->head.ts - p->last_ts > p->gaps.least && s->head.ts > p->last_ts) {
		stat_gap_add(&p->gaps,
			     (struct stat_gap){p->last_ts, s->head.ts, s->head.lost_before != 0});
	}
	p->last_ts = s->head.ts;
	if (s->head.ts >= c->start && (s->head.ts - c->start) >> c->shift < c->bin_count)
		c->bins[(s->head.ts - c->start) >> c->shift]++;
}

/* One record. False without memory. */
static inline bool count_record(struct counter *c, struct read_stream *s)
{
	const struct file_common *m = c->common;
	uint32_t id = 0;
	int32_t pid = 0;

	if (s->head.rec.len >= m->type_off + m->type_len)
		id = (uint32_t)tdat_load_uint(s->head.rec.data + m->type_off, m->type_len, c->big);
	if (s->head.rec.len >= m->pid_off + m->pid_len)
		pid = (int32_t)tdat_load_uint(s->head.rec.data + m->pid_off, m->pid_len, c->big);
	if (c->select) {
		const struct model_filter_event e = {
			{s->head.rec.data, s->head.rec.len}, s->head.ts, s->cpu, pid, NULL, 0};

		if ((c->timed && (s->head.ts < c->from || s->head.ts > c->to)) ||
		    !read_select_event(c->select, id, &e, s))
			return !c->select->failed;
	}
	if (s->head.lost_before) {
		put_lost(c->p, s->head.lost_before);
		c->p->losses++;
	}
	count_time(c, s);
	c->p->count++;
	c->ids[id & (FILE_ID_COUNT - 1)]++;
	if (pid != c->pid && !end_run(c, pid))
		return false;
	c->run++;
	return true;
}

/* Reads a piece to its end. */
static enum tdat_status run(struct counter *c, struct read_stream *s, struct tdat_error *err)
{
	for (;;) {
		enum tdat_status st = read_stream_step(s, err);

		if (st != TDAT_OK)
			return st;
		if (!s->have)
			break;
		if (!count_record(c, s))
			return tdat_error_no_memory(err, "counts");
	}
	/* A loss that only pages without events report is counted for the piece. */
	if (!c->p->last && s->lost)
		put_lost(c->p, s->lost);
	return end_run(c, 0) ? TDAT_OK : tdat_error_no_memory(err, "counts");
}

/* Makes the arrays of an input and a stream when a thread first needs them. */
static bool want_room(struct stat_thread *t, uint32_t input, size_t stream)
{
	if (!t->ids[input])
		t->ids[input] = calloc(FILE_ID_COUNT, sizeof(**t->ids));
	if (!t->bins[stream])
		t->bins[stream] = calloc(t->st->bin_count, sizeof(**t->bins));
	return t->ids[input] && t->bins[stream];
}

enum { STAT_WINDOW = 256 * 1024 };

/*
 * Counts one piece into the arrays of its thread. The piece itself gets times, gaps and losses,
 * which the result joins in order.
 */
enum tdat_status stat_count_piece(struct stat_thread *t, struct stat_piece *p,
				  struct tdat_error *err)
{
	struct tdat_stat *st = t->st;
	const struct tdat_stat_stream *info = &st->streams[p->stream];
	const struct tdat_file *file = st->inputs[info->input].file;
	struct counter c = {.t = t,
			    .p = p,
			    .common = &st->commons[info->input],
			    .big = file->layout.big,
			    .start = st->start,
			    .shift = st->shift,
			    .bin_count = st->bin_count,
			    .tasks = &t->tasks[info->input]};
	struct read_stream s;
	enum tdat_status status;

	if (!want_room(t, info->input, p->stream))
		return tdat_error_no_memory(err, "counts");
	c.ids = t->ids[info->input];
	c.bins = t->bins[p->stream];
	if (t->select) {
		c.select = &t->select->inputs[info->input];
		c.timed = t->select->times.set;
		c.from = t->select->times.from;
		c.to = t->select->times.to;
	}
	status = read_stream_init(&s, file, &file->ix.buffers[info->buffer], &p->part,
				  &st->clocks[p->stream], STAT_WINDOW, err);
	if (status == TDAT_OK && c.timed)
		status = read_stream_clip(&s, c.from, c.to, err);
	if (status == TDAT_OK)
		status = run(&c, &s, err);
	p->bad_pages = s.bad_pages;
	read_stream_fini(&s);
	return status;
}
