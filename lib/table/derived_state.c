/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The frame of all derived tables: makes and frees their states, keeps what is open, and puts the
 * rows of intervals whose end does not come. A table (struct table_derived) has the state machine
 * and the values of a row. An interval lies in its entry, or on a stack of the entry, whose
 * intervals of all entries share one array. The number of entries and intervals is bounded.
 */
#include "derived_state.h"

#include <stdlib.h>
#include <string.h>

/* Limits CPUs with losses, so that a crafted file cannot take all memory. */
enum { CPUS_MOST = 1 << 20 };

/* The last loss of one CPU of a recording. */
struct loss_cpu {
	struct tdat_entry head;
	uint64_t key[2];
	uint64_t last;
};

/* ---- losses ---- */

/*
 * The loss of another CPU does not matter to a task that runs on this one. With no loss since in
 * the whole recording nothing need be searched.
 */
bool derived_knows_running(const struct derived_state *s, uint32_t rec, uint32_t cpu,
			   uint64_t since)
{
	const struct loss_cpu *c =
		derived_knows(s, rec, since)
			? NULL
			: tdat_entry_find(&s->loss_cpus, (const uint64_t[]){rec, cpu});

	return !c || c->last <= since;
}

/* True if no loss can have changed the interval since it was last known. */
static bool is_known(struct derived_state *s, const struct derived_entry *e,
		     const struct derived_open *o)
{
	const uint32_t rec = (uint32_t)e->key[0];

	/* Intervals of a CPU are ended at the loss itself. */
	if (s->def->by_cpu || derived_knows(s, rec, o->known))
		return true;
	if (s->def->knows)
		return s->def->knows(s, e, o);
	return o->stays && derived_knows_running(s, rec, o->cpu, o->known);
}

/* ---- entries ---- */

/* Separates a lack of memory, which fails the pass, from the bound, which is noted. */
void *derived_entry_get(struct derived_state *s, struct tdat_entries *e, const uint64_t *key)
{
	void *entry = tdat_entry_get(e, key);

	if (!entry && e->failed)
		derived_fail(s->out);
	else if (!entry)
		derived_note(s->out, DERIVED_FULL);
	return entry;
}

/* The interval that an entry would end next; NULL: none is open. */
static struct derived_open *last_open(const struct derived_state *s, struct derived_entry *e)
{
	if (s->def->interval_len)
		return derived_interval(s, e->top);
	return e->open.is ? &e->open : NULL;
}

/* On a stack: the interval that encloses this one; NULL: there is none. */
static struct derived_open *below(const struct derived_state *s, const struct derived_open *o)
{
	return s->def->interval_len ? derived_interval(s, o->below) : NULL;
}

/*
 * Ends intervals that losses made unknown. This happens at the next use of the entry, so that a
 * loss need not walk over all entries.
 */
static void *without_lost(struct derived_state *s, struct derived_entry *e)
{
	const struct derived_open *o;

	while (e && (o = last_open(s, e)) && !is_known(s, e, o))
		derived_leave_open(s, e, DERIVED_OPEN_LOST);
	return e;
}

void *derived_find(void *state, const uint64_t key[TDAT_KEY_MOST])
{
	struct derived_state *s = state;

	return without_lost(s, tdat_entry_find(&s->entries, key));
}

void *derived_get(void *state, const uint64_t key[TDAT_KEY_MOST])
{
	struct derived_state *s = state;

	return without_lost(s, derived_entry_get(s, &s->entries, key));
}

void derived_remove(void *state, void *entry)
{
	struct derived_state *s = state;

	tdat_entry_remove(&s->entries, entry);
}

/* ---- intervals ---- */

/* Pushes a copy of the interval. Indices, not pointers, link the stack: the array may move. */
void derived_push(void *state, void *entry, const void *interval)
{
	struct derived_state *s = state;
	struct derived_entry *e = entry;
	const size_t len = s->def->interval_len;
	uint32_t at = s->free_interval;
	struct derived_open *o;

	if (e->depth >= s->def->depth_most || (!at && s->interval_count >= s->def->most)) {
		derived_note(s->out, DERIVED_FULL);
		return;
	}
	if (!at) {
		uint8_t *grown =
			tdat_grown(s->intervals, &s->interval_cap, s->interval_count + 1, len);

		if (!grown) {
			derived_fail(s->out);
			return;
		}
		s->intervals = grown;
		at = (uint32_t)++s->interval_count;
	}
	o = derived_interval(s, at);
	/* An interval taken from the free list hands its successor on. */
	if (s->free_interval)
		s->free_interval = o->below;
	memcpy(o, interval, len);
	o->below = e->top;
	e->top = at;
	e->depth++;
}

/* Puts the row of an interval that ended, or was left open: then it has no duration. */
void derived_put(void *state, const void *entry, const void *interval,
		 const struct derived_end *end)
{
	struct derived_state *s = state;
	const struct derived_entry *e = entry;
	const struct derived_open *o = interval;
	const struct derived_row row = {.rec = (uint32_t)e->key[0],
					.cpu = o->cpu,
					.ts = o->ts,
					.dur = end->open ? DERIVED_NO_DUR : end->ts - o->ts,
					.pid = o->pid,
					.open = end->open};

	if (!derived_row_begin(s->out, &row))
		return;
	s->def->put(s, entry, interval, end);
	derived_row_end(s->out);
}

/* Freed intervals form a list through below, which the next push takes from. */
static void derived_drop(void *state, void *entry)
{
	struct derived_state *s = state;
	struct derived_entry *e = entry;
	const uint32_t at = e->top;
	struct derived_open *o;

	if (!s->def->interval_len) {
		e->open.is = false;
		return;
	}
	o = derived_interval(s, at);
	e->top = o->below;
	e->depth--;
	o->below = s->free_interval;
	s->free_interval = at;
}

/*
 * Ends the interval with a row. Clocks of different CPUs may contradict: an end before the begin
 * would be a huge duration, so it is noted instead.
 */
void derived_close(void *state, void *entry, uint64_t ts, const void *how)
{
	struct derived_state *s = state;
	const struct derived_open *o = last_open(s, entry);

	if (derived_goes_back(o->ts, ts))
		derived_note(s->out, DERIVED_BACKWARDS);
	else
		derived_put(s, entry, o, &(struct derived_end){.ts = ts, .how = how});
	derived_drop(s, entry);
}

/* Ends the interval with a row that has no duration, and says why. */
void derived_leave_open(void *state, void *entry, const char *why)
{
	struct derived_state *s = state;

	derived_put(s, entry, last_open(s, entry), &(struct derived_end){.open = why});
	derived_drop(s, entry);
}

/* ---- the pass ---- */

/*
 * Makes the state with room for the table's own members behind the shared ones. *out is set also
 * after a failure.
 */
enum tdat_status derived_state_new(struct derived_state **out, const struct table_derived *def,
				   struct derived_out *to, struct tdat_error *err)
{
	struct derived_state *s = calloc(1, def->state_len ? def->state_len : sizeof(*s));

	*out = s;
	if (!s)
		return tdat_error_no_memory(err, def->name);
	s->def = def;
	s->out = to;
	tdat_entries_init(&s->entries, def->entry_len, TDAT_KEY_MOST, def->most);
	tdat_entries_init(&s->loss_cpus, sizeof(struct loss_cpu), 2, CPUS_MOST);
	s->last_loss = calloc((size_t)derived_rec_count(to) + 1, sizeof(*s->last_loss));
	s->gaps = calloc((size_t)derived_rec_count(to) + 1, sizeof(*s->gaps));
	if (!s->last_loss || !s->gaps)
		return tdat_error_no_memory(err, def->name);
	return def->begin ? def->begin(s, err) : TDAT_OK;
}

/* Entries may own memory of their own, so each one is freed before the table's state. */
void derived_state_free(struct derived_state *s)
{
	if (!s)
		return;
	for (size_t i = 0; s->def->free_entry && i < s->entries.end; i++)
		if (tdat_entry_at(&s->entries, i))
			s->def->free_entry(tdat_entry_at(&s->entries, i));
	if (s->def->free)
		s->def->free(s);
	tdat_entries_fini(&s->entries);
	tdat_entries_fini(&s->loss_cpus);
	free(s->intervals);
	free(s->last_loss);
	free(s->gaps);
	free(s);
}

/* A gap counts as a loss at both ends: numbers rise by recording, so "known since" compares two. */
void derived_state_gap(struct derived_state *s, uint32_t rec, uint32_t cpu, bool begins)
{
	const uint64_t key[TDAT_KEY_MOST] = {rec, cpu, 0, 0};
	struct derived_entry *e;
	struct loss_cpu *c;

	/* Tables without entries have nothing that a loss could make unknown. */
	if (!s->def->entry_len)
		return;
	s->gaps[rec] += begins ? 1 : -1u;
	if (s->def->lost)
		s->def->lost(s, rec, cpu);
	c = derived_entry_get(s, &s->loss_cpus, key);
	s->last_loss[rec]++;
	if (c)
		c->last = s->last_loss[rec];
	/* Intervals of a CPU cannot have run through the loss: they end here. */
	e = s->def->by_cpu ? tdat_entry_find(&s->entries, key) : NULL;
	while (e && last_open(s, e))
		derived_leave_open(s, e, DERIVED_OPEN_LOST);
}

/* An interval that may end on another CPU is awaited whatever CPUs are chosen. */
bool derived_state_awaits(const struct derived_state *s)
{
	for (size_t i = 0; i < s->entries.end; i++) {
		struct derived_entry *e = tdat_entry_at(&s->entries, i);

		for (const struct derived_open *o = e ? last_open(s, e) : NULL; o; o = below(s, o))
			if (derived_awaits(s->out, o->ts, o->pid,
					   o->moves ? DERIVED_NO_CPU : o->cpu))
				return true;
	}
	return s->def->late;
}

/* Order of recording, then of the rest of the key. */
static int by_key(const void *a, const void *b)
{
	const struct derived_entry *x = *(struct derived_entry *const *)a;
	const struct derived_entry *y = *(struct derived_entry *const *)b;

	for (size_t i = 0; i < TDAT_KEY_MOST; i++)
		if (x->key[i] != y->key[i])
			return x->key[i] < y->key[i] ? -1 : 1;
	return 0;
}

/*
 * Puts rows of all intervals that are open at the end of the trace. Without memory for the list
 * the pass fails.
 */
void derived_state_end(struct derived_state *s)
{
	struct derived_entry **list = calloc(s->entries.end + 1, sizeof(struct derived_entry *));
	size_t n = 0;

	if (s->def->last)
		s->def->last(s);
	for (size_t i = 0; list && i < s->entries.end; i++) {
		struct derived_entry *e = tdat_entry_at(&s->entries, i);

		if (e && last_open(s, e))
			list[n++] = e;
	}
	/* Where a row needs nothing that was before, nothing depends on where reading began. */
	if (n && s->def->fresh)
		qsort(list, n, sizeof(struct derived_entry *), by_key);
	for (size_t i = 0; i < n; i++)
		for (struct derived_open *o = last_open(s, list[i]); o; o = below(s, o))
			derived_put(s, list[i], o,
				    &(struct derived_end){.open = is_known(s, list[i], o)
									  ? DERIVED_OPEN_END
									  : DERIVED_OPEN_LOST});
	if (s->def->end)
		s->def->end(s);
	if (!list)
		derived_fail(s->out);
	free(list);
}
