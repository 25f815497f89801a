/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes marks of the rows of derived tables. Names become numbers; an interval without an end lasts
 * until the end of its file, or until the loss that hides it. A track that has more marks than are
 * kept is merged on the way (track_merge.c). Called by track_read.c for each row.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/grow.h"
#include "core/search.h"
#include "track_merge.h"
#include "track_reading.h"

/* Keys of one kind: rows that a user can choose from. */
enum { NAMES_MOST = 100000 };

/*
 * Merges marks before there are more than twice the bound; false if that is not enough, or without
 * memory. Wakeup times are never merged: quantiles need each.
 */
static bool make_room(struct view_reading *r)
{
	if (r->key->kind == VIEW_TRACK_WAKEUP_TIMES) {
		r->full = r->track->count >= TRACK_WAKEUPS_MOST;
		return !r->full;
	}
	if (r->track->count < 2 * VIEW_MARKS_MOST)
		return true;
	r->failed =
		!view_track_merge(r->track, r->key->kind, r->t->from, r->t->to, VIEW_MARKS_MOST);
	/* Nested more deeply than is put together. */
	r->full = r->track->count >= 2 * VIEW_MARKS_MOST;
	return !r->failed && !r->full;
}

struct view_mark *view_reading_mark(struct view_reading *r)
{
	struct view_track *t = r->track;

	if (!make_room(r))
		return NULL;
	if (!TDAT_GROW(t->v, &r->cap, t->count + 1)) {
		r->failed = true;
		return NULL;
	}
	t->v[t->count] = (struct view_mark){.cpu = -1, .count = 1};
	return &t->v[t->count++];
}

static bool text_is(const struct tdat_value *v, const char *text)
{
	const size_t len = strlen(text);

	return !v->is_null && v->text.len == len && !memcmp(v->text.ptr, text, len);
}

/* The texts of the column open (docs/analysis.md). */
static enum view_open open_of(const struct tdat_value *v)
{
	if (v->is_null)
		return VIEW_CLOSED;
	return text_is(v, "end")    ? VIEW_OPEN_END
	       : text_is(v, "lost") ? VIEW_OPEN_LOST
				    : VIEW_OPEN_UNENDED;
}

static void name_mark(struct view_reading *r, struct view_mark *m, const struct tdat_value *name)
{
	if (!view_names_number(&r->track->names, (const char *)name->text.ptr, name->text.len,
			       &m->name))
		r->failed = true;
}

/* A function or system call without a name is shown by its address or number. */
static void name_number(struct view_reading *r, struct view_mark *m, const char *fmt,
			int64_t number)
{
	char text[64];

	snprintf(text, sizeof(text), fmt, number);
	if (!view_names_number(&r->track->names, text, strlen(text), &m->name))
		r->failed = true;
}

/* Whether a row is of the track. Rows of other tasks and CPUs were left out by the reader. */
static bool is_wanted(const struct view_reading *r, const struct tdat_value *own)
{
	switch (r->key->kind) {
	case VIEW_TRACK_PROCESS:
		return text_is(&own[0], "running");
	case VIEW_TRACK_SLICE:
		return text_is(&own[0], "sync");
	case VIEW_TRACK_BLOCK:
	case VIEW_TRACK_COUNTER:
		return text_is(&own[0], r->key->text);
	case VIEW_TRACK_LATENCY:
		return text_is(&own[0], r->key->text) && text_is(&own[1], r->key->more);
	default:
		return true;
	}
}

/*
 * Takes the columns of the row's own table. Marks of wakeups use name and depth for the waker's pid
 * and CPU.
 */
static void take_own(struct view_reading *r, struct view_mark *m, const struct tdat_value *own)
{
	switch (r->key->kind) {
	case VIEW_TRACK_WAKEUP:
		m->name = own[0].is_null ? UINT32_MAX : (uint32_t)own[0].number;
		m->depth = own[1].is_null ? -1 : (int32_t)own[1].number;
		m->wakeup = own[2].is_null ? UINT64_MAX : (uint64_t)own[2].number;
		break;
	case VIEW_TRACK_WAKEUP_TIMES:
		name_mark(r, m, &own[0]);
		break;
	case VIEW_TRACK_SLICE:
		m->depth = (int32_t)own[2].number;
		name_mark(r, m, &own[1]);
		break;
	case VIEW_TRACK_FUNCTION:
		m->depth = (int32_t)own[1].number;
		if (own[0].is_null)
			name_number(r, m, "0x%" PRIx64, own[2].number);
		else
			name_mark(r, m, &own[0]);
		break;
	case VIEW_TRACK_KVM:
	case VIEW_TRACK_SYSCALL:
		if (own[0].is_null)
			name_number(r, m, "%" PRId64, own[1].number);
		else
			name_mark(r, m, &own[0]);
		break;
	case VIEW_TRACK_BLOCK:
		name_mark(r, m, &own[1]);
		break;
	case VIEW_TRACK_COUNTER:
		view_mark_set(m, (double)own[1].number);
		break;
	case VIEW_TRACK_LATENCY:
		view_mark_set(m, (double)own[2].number);
		break;
	default:
		name_mark(r, m, &own[0]);
	}
}

/* Counts a row under the key that its track would have. False: too many keys, or no memory. */
static bool count_key(struct view_reading *r, const struct tdat_value *v)
{
	const struct tdat_value *own = v + TRACK_OWN;
	char text[700];
	uint32_t number;

	switch (r->key->kind) {
	case VIEW_TRACK_IRQ:
	case VIEW_TRACK_SOFTIRQ:
		snprintf(text, sizeof(text), "%" PRId64, v[TRACK_CPU].number);
		break;
	case VIEW_TRACK_BLOCK:
	case VIEW_TRACK_COUNTER:
		snprintf(text, sizeof(text), "%.*s", (int)own[0].text.len,
			 (const char *)own[0].text.ptr);
		break;
	case VIEW_TRACK_LATENCY:
		snprintf(text, sizeof(text), "%.*s:%.*s", (int)own[0].text.len,
			 (const char *)own[0].text.ptr, (int)own[1].text.len,
			 (const char *)own[1].text.ptr);
		break;
	default:
		if (r->key->kind == VIEW_TRACK_SLICE && !text_is(&own[0], "sync"))
			return true;
		snprintf(text, sizeof(text), "%" PRId64, v[TRACK_PID].number);
	}
	if (view_names_count(&r->track->names) >= NAMES_MOST)
		r->full = true;
	else if (!view_names_number(&r->track->names, text, strlen(text), &number))
		r->failed = true;
	return !r->full && !r->failed;
}

/*
 * Returns when the first loss of a CPU began that ends later than a time, but not before that;
 * UINT64_MAX: there is none.
 */
static uint64_t loss_after(const struct view_lane_index *l, uint64_t ts)
{
	size_t i;

	if (!__atomic_load_n(&l->complete, __ATOMIC_ACQUIRE))
		return UINT64_MAX;
	TDAT_SEARCH(i, l->loss_count, l->losses[i].to <= ts);
	if (i == l->loss_count)
		return UINT64_MAX;
	return l->losses[i].from > ts ? l->losses[i].from : ts;
}

/*
 * Returns when it became unknown whether an interval went on: at the next loss of its CPU, if it
 * stays there, else at that of any CPU of the recording. UINT64_MAX: it is known.
 */
static uint64_t lost_at(const struct view_reading *r, const struct view_mark *m)
{
	const struct view_rec *rec = &r->t->recs[r->key->rec];
	const enum view_track_kind kind = r->key->kind;
	const struct view_lane *own =
		m->cpu >= 0 ? view_trace_lane(r->t, r->key->rec, (uint64_t)m->cpu) : NULL;
	const bool stays =
		kind == VIEW_TRACK_IRQ || kind == VIEW_TRACK_SOFTIRQ ||
		kind == VIEW_TRACK_FUNCTION || kind == VIEW_TRACK_PROCESS ||
		(kind == VIEW_TRACK_TASK && view_state_of(r->track, m->name) == VIEW_RUNNING);
	uint64_t at = UINT64_MAX;

	if (stays && own)
		at = loss_after(&r->ix->lanes[own - r->t->lanes], m->from);
	if (at != UINT64_MAX || (stays && own && m->open == VIEW_OPEN_END))
		return at;
	if (rec->lost_cpus)
		return m->from;
	for (size_t i = 0; i < rec->lane_count; i++) {
		const uint64_t one = loss_after(&r->ix->lanes[rec->first_lane + i], m->from);

		at = one < at ? one : at;
	}
	return at;
}

static bool is_state(enum view_track_kind kind)
{
	return kind == VIEW_TRACK_TASK || kind == VIEW_TRACK_PROCESS;
}

/* Also a state that is open at the end of the file is unknown once the data of a CPU is cut. */
static void end_at_loss(const struct view_reading *r, struct view_mark *m)
{
	const uint64_t at = lost_at(r, m);

	if (at < UINT64_MAX && (m->open == VIEW_OPEN_LOST || at < m->to)) {
		m->to = at;
		m->open = VIEW_OPEN_LOST;
	}
}

bool view_call_is_last(const struct tdat_value *name)
{
	return text_is(name, "exit_group") || text_is(name, "exit");
}

/*
 * An interval that is still open at the end of the file lasts until that end, one whose end was
 * lost until the loss.
 */
bool view_reading_take(struct view_reading *r, const struct tdat_value *v)
{
	struct view_mark *m;

	/* An instance may be called "top", which is also the pattern of the top buffer. */
	if (!text_is(&v[TRACK_BUFFER], r->buffer))
		return true;
	if (r->key->names_only)
		return count_key(r, v);
	if (!is_wanted(r, v + TRACK_OWN))
		return true;
	if (r->key->kind == VIEW_TRACK_WAKEUP_TIMES && v[TRACK_DUR].is_null)
		return true;
	m = view_reading_mark(r);
	if (!m)
		return false;
	m->from = (uint64_t)v[TRACK_TS].number;
	m->open = (unsigned)open_of(&v[TRACK_OPEN]) & 3;
	if (!v[TRACK_DUR].is_null)
		m->to = m->from + (uint64_t)v[TRACK_DUR].number;
	else if (m->open == VIEW_OPEN_END && m->from < view_reading_end(r) &&
		 !(r->key->kind == VIEW_TRACK_SYSCALL && view_call_is_last(v + TRACK_OWN)))
		m->to = view_reading_end(r);
	else
		m->to = m->from;
	m->cpu = v[TRACK_CPU].is_null ? -1 : (int32_t)v[TRACK_CPU].number;
	if (r->key->kind == VIEW_TRACK_WAKEUP_TIMES)
		m->depth = (int32_t)v[TRACK_PID].number;
	take_own(r, m, v + TRACK_OWN);
	if (m->open == VIEW_OPEN_LOST || (m->open == VIEW_OPEN_END && is_state(r->key->kind)))
		end_at_loss(r, m);
	return !r->failed;
}

/* A row of thread_state that is read for system calls, which end when their task dies. */
void view_reading_death(struct view_reading *r, const struct tdat_value *v)
{
	if (text_is(&v[TRACK_BUFFER], r->buffer) && text_is(&v[TRACK_OWN], "dead") &&
	    r->death_count < TRACK_DEATHS_MOST)
		r->deaths[r->death_count++] = (uint64_t)v[TRACK_TS].number;
}
