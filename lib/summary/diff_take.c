/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads the tables of one trace and adds each row to its keys: a count, a time or a value in the
 * block of time in which the row lies. A table is read once for all families that take its rows.
 * Events are counted by their ids first, as most rows are events. Called by diff.c for each sample.
 */
#include <stdlib.h>
#include <string.h>

#include "core/text.h"
#include "diff.h"
#include "summary.h"
#include "table/derived_pass.h"
#include "table/trace.h"

/* In the order of enum diff_column. */
static const char *const column_names[DIFF_COLUMNS] = {
	"ts",	"dur",	  "state", "name", "irq", "nr",	  "func", "dev",
	"rwbs", "system", "event", "id",   "khz", "lost", "pid",  "comm"};

/* One reading of a trace. It begins with the frame of summaries. */
struct pass {
	struct tdat_summary s;
	struct tdat_diff *d;
	const struct diff_sample *sample;
	size_t *first; /* by table: its first family; one more at the end */
	/* Events by their id: keys, and counts by block. */
	uint32_t slots[FILE_ID_COUNT]; /* the number of the id, and 1 */
	uint32_t *keys;
	size_t key_cap, slot_count;
	uint64_t *counts;
	size_t count_cap;
	/* The block of the row before, and where it begins and ends. */
	size_t block;
	uint64_t block_from, block_to;
};

/* ---- rows ---- */

static bool key_of(struct pass *p, size_t family, int64_t row, uint32_t *key)
{
	const struct diff_family *f = &p->d->families[family];
	struct summary_column columns[DIFF_PARTS];
	size_t group;

	for (size_t i = 0; i < f->part_count; i++)
		columns[i] = p->s.c[f->parts[i]];
	group = summary_groups_find(&p->d->groups[family].groups, columns, row);
	return group != SUMMARY_NO_GROUP && diff_group_key(p->d, family, group, key);
}

static bool state_is(const struct pass *p, int64_t row, const char *state)
{
	return tdat_span_is(summary_column_text(&p->s.c[DIFF_STATE], row), state);
}

static bool is_taken(const struct pass *p, const struct diff_family *f, int64_t row)
{
	switch (f->rows) {
	case DIFF_BUSY:
		return !summary_is_null(&p->s, DIFF_PID, row) &&
		       summary_column_int(&p->s.c[DIFF_PID], row);
	case DIFF_WAITING:
		return state_is(p, row, "runnable") || state_is(p, row, "preempted");
	case DIFF_BLOCKED:
		return state_is(p, row, "uninterruptible");
	case DIFF_ALL:
		break;
	}
	return true;
}

/* The block of a time since the sample's start. Rows come nearly in order: mostly that of the last.
 */
static size_t block_of(struct pass *p, uint64_t off)
{
	if (off - p->block_from >= p->block_to - p->block_from) {
		p->block = (size_t)(off / p->sample->block_len);
		p->block_from = p->block * p->sample->block_len;
		p->block_to = p->block_from + p->sample->block_len;
	}
	return p->block + p->sample->first;
}

/* Adds a duration to all blocks that it touches. */
static bool add_time(struct pass *p, size_t family, uint32_t key, uint64_t ts, uint64_t dur)
{
	const struct diff_sample *s = p->sample;
	const int64_t start = (int64_t)(ts - s->from);
	uint64_t from = start > 0 ? (uint64_t)start : 0, to;

	/* Where it begins before the sample, only the rest of it counts. */
	if (start < 0)
		dur = dur > (uint64_t)-start ? dur - (uint64_t)-start : 0;
	if (from >= s->span || !dur)
		return true;
	to = dur < s->span - from ? from + dur : s->span;
	p->d->sides[s->side].rows[family]++;
	if (key == DIFF_NO_KEY) {
		p->d->others++;
		return true;
	}
	p->d->keys[key].sides[s->side].rows++;
	while (from < to) {
		const size_t block = block_of(p, from);
		const uint64_t end = to < p->block_to ? to : p->block_to;

		if (!diff_add_amount(p->d, key, s->side, block, end - from))
			return false;
		from = end;
	}
	return true;
}

/* Adds a row that begins in the sample as one, or as a value. */
static bool add_one(struct pass *p, size_t family, uint32_t key, uint64_t off, int64_t dur)
{
	const int side = p->sample->side;

	p->d->sides[side].rows[family]++;
	if (key == DIFF_NO_KEY) {
		p->d->others++;
		return true;
	}
	if (p->d->families[family].kind == DIFF_VALUES)
		return diff_add_value(p->d, key, side, block_of(p, off), dur);
	p->d->keys[key].sides[side].rows++;
	return diff_add_amount(p->d, key, side, block_of(p, off), 1);
}

/* Adds a row to one family. Rows without a duration count only where it does not matter. */
static bool take_row(struct pass *p, size_t family, int64_t row)
{
	const struct diff_family *f = &p->d->families[family];
	const uint64_t ts = (uint64_t)summary_column_int(&p->s.c[DIFF_TS], row);
	const bool has_dur = !summary_is_null(&p->s, DIFF_DUR, row);
	const uint64_t off = ts - p->sample->from;
	int64_t dur = 0;
	uint32_t key;

	if ((f->kind != DIFF_COUNT && !has_dur) || (f->kind != DIFF_TIME && off >= p->sample->span))
		return true;
	if (!is_taken(p, f, row))
		return true;
	if (has_dur)
		dur = summary_column_int(&p->s.c[DIFF_DUR], row);
	if (!key_of(p, family, row, &key))
		return false;
	return f->kind == DIFF_TIME ? add_time(p, family, key, ts, (uint64_t)dur)
				    : add_one(p, family, key, off, dur);
}

/* Events before which others were lost. */
static void take_losses(struct pass *p, int64_t count)
{
	struct diff_side *side = &p->d->sides[p->sample->side];
	const struct summary_column *c = &p->s.c[DIFF_LOST];

	for (int64_t row = 0; row < count; row++) {
		const uint64_t ts = (uint64_t)summary_column_int(&p->s.c[DIFF_TS], row);
		int64_t lost;

		if (summary_column_is_null(c, row) || ts - p->sample->from >= p->sample->span)
			continue;
		lost = summary_column_int(c, row);
		side->lost_marks += lost < 0;
		if (lost > 0 && !tdat_add_u64(side->lost, (uint64_t)lost, &side->lost))
			side->lost = UINT64_MAX;
	}
}

/* The number of an event's id; its key is found at its first event. SIZE_MAX: no memory. */
static size_t slot_of(struct pass *p, size_t family, int64_t row, uint32_t id)
{
	const size_t n = p->slot_count;

	if (p->slots[id])
		return p->slots[id] - 1;
	if (!TDAT_GROW(p->keys, &p->key_cap, n + 1) ||
	    !TDAT_GROW_ZERO(p->counts, &p->count_cap, (n + 1) * DIFF_BLOCKS) ||
	    !key_of(p, family, row, &p->keys[n]))
		return SIZE_MAX;
	p->slots[id] = (uint32_t)++p->slot_count;
	return n;
}

/* Counts events. An id is that of one type, as a trace is of one file. */
static bool take_events(struct pass *p, size_t family, int64_t count)
{
	const struct summary_column *ts = &p->s.c[DIFF_TS], *id = &p->s.c[DIFF_ID];

	for (int64_t row = 0; row < count; row++) {
		const uint64_t off = (uint64_t)summary_column_int(ts, row) - p->sample->from;
		const uint32_t n = (uint32_t)summary_column_int(id, row) % FILE_ID_COUNT;
		size_t slot;

		if (off >= p->sample->span)
			continue;
		slot = slot_of(p, family, row, n);
		if (slot == SIZE_MAX)
			return false;
		p->counts[slot * DIFF_BLOCKS + block_of(p, off) - p->sample->first]++;
	}
	return true;
}

/* Adds the counts to their keys. False: no memory. */
static bool add_events(struct pass *p)
{
	const int side = p->sample->side;

	for (size_t i = 0; i < p->slot_count * DIFF_BLOCKS; i++) {
		const uint32_t key = p->keys[i / DIFF_BLOCKS];
		const size_t block = p->sample->first + i % DIFF_BLOCKS;

		if (!p->counts[i])
			continue;
		p->d->sides[side].rows[DIFF_EVENTS] += p->counts[i];
		if (key == DIFF_NO_KEY) {
			p->d->others += p->counts[i];
			continue;
		}
		p->d->keys[key].sides[side].rows += p->counts[i];
		if (!diff_add_amount(p->d, key, side, block, p->counts[i]))
			return false;
	}
	return true;
}

static bool take_rows(struct tdat_summary *s, size_t table, int64_t count)
{
	struct pass *p = (struct pass *)s;

	if (s->c[DIFF_LOST].kind && s->c[DIFF_LOST].array->null_count < count)
		take_losses(p, count);
	for (size_t f = p->first[table]; f < p->first[table + 1]; f++) {
		summary_groups_batch(&p->d->groups[f].groups);
		if (f == DIFF_EVENTS) {
			if (!take_events(p, f, count))
				return false;
			continue;
		}
		for (int64_t row = 0; row < count; row++)
			if (!take_row(p, f, row))
				return false;
	}
	return true;
}

/* Adds up what tables left out, of all samples of the side. */
static bool take_notes(struct tdat_diff *d, const struct pass *p)
{
	for (size_t i = 0; i < p->s.note_count; i++) {
		const struct tdat_summary_note *n = &p->s.notes[i];
		const char *table = NULL;
		size_t k = 0;

		/* The name that outlives the trace. */
		for (size_t f = 0; f < d->family_count; f++)
			if (!strcmp(d->families[f].table, n->table))
				table = d->families[f].table;
		while (k < d->note_count &&
		       (d->notes[k].side != (enum tdat_diff_side)p->sample->side ||
			d->notes[k].table != table || strcmp(d->notes[k].what, n->what) != 0))
			k++;
		if (k == d->note_count) {
			if (!TDAT_GROW(d->notes, &d->note_cap, k + 1))
				return false;
			d->notes[d->note_count++] = (struct tdat_diff_note){
				(enum tdat_diff_side)p->sample->side, table, n->what, 0};
		}
		d->notes[k].count += n->count;
	}
	return true;
}

static bool end(struct tdat_summary *s)
{
	struct pass *p = (struct pass *)s;

	return add_events(p) && diff_settle(p->d, p->sample->side);
}

static void free_pass(struct tdat_summary *s)
{
	struct pass *p = (struct pass *)s;

	free(p->first);
	free(p->keys);
	free(p->counts);
}

/* Finds the tables of all families. Names of tasks are found if tables by task may have rows. */
static enum tdat_status find_tables(struct pass *p, struct tdat_error *err)
{
	const struct tdat_diff *d = p->d;
	struct summary_column *columns;
	enum tdat_status st = TDAT_OK;

	memcpy(p->s.names, column_names, sizeof(column_names));
	p->s.name_count = DIFF_PID;
	for (size_t f = 0; f < d->family_count; f++) {
		const struct tdat_table *table = tdat_trace_find(p->s.trace, d->families[f].table);

		if (!table)
			return tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET,
					      "the samples do not have the same pairs: one lacks "
					      "'%s'",
					      d->families[f].table);
		if (d->families[f].by_task && derived_has_events(p->s.trace, table))
			p->s.name_count = DIFF_COLUMNS;
	}
	for (size_t f = 0; f < d->family_count && st == TDAT_OK; f++) {
		const char *const name = d->families[f].table;
		const struct tdat_table *table = tdat_trace_find(p->s.trace, name);

		if (table->about.needs)
			d->groups[f].needs = table->about.needs;
		if (f && !strcmp(name, d->families[f - 1].table))
			continue;
		st = summary_look(&p->s, table, &columns, err);
		p->first[p->s.table_count] = f;
		summary_keep(&p->s, table);
	}
	p->first[p->s.table_count] = d->family_count;
	return st;
}

enum tdat_status diff_take(struct tdat_diff *d, const struct diff_sample *sample,
			   const struct tdat_trace *trace, const struct tdat_table_opts *opts,
			   struct tdat_error *err)
{
	static const struct summary_ops ops = {take_rows, end, NULL, free_pass};
	struct pass *p = summary_new(sizeof(*p), &ops, trace, err);
	enum tdat_status st;

	if (!p)
		return TDAT_E_NOMEM;
	p->d = d;
	p->sample = sample;
	p->first = calloc(d->family_count + 1, sizeof(*p->first));
	st = p->first ? find_tables(p, err) : tdat_error_no_memory(err, "a comparison");
	if (st == TDAT_OK)
		st = tdat_summary_run(&p->s, opts, err);
	if (st == TDAT_OK && !take_notes(d, p))
		st = tdat_error_no_memory(err, "a comparison");
	tdat_summary_free(&p->s);
	return st;
}
