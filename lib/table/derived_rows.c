/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Puts the rows of derived tables. A derived table calls derived_row_begin(), a derived_put_*
 * for each column in order, and derived_row_end(). Rows that are not wanted are refused at the
 * begin. Texts are interned, so that a name is one address during the whole pass. Failures are
 * flags, asked at the end of a batch.
 */
#include "derived_out.h"

#include <stdlib.h>
#include <string.h>

#include "core/search.h"
#include "core/text.h"
#include "function_name.h"
#include "read/names.h"
#include "utf8_put.h"

/* ---- texts that stay ---- */

/* Texts that one pass keeps; a trace has far fewer names of tasks and functions. */
enum { TEXTS_MAX = 1 << 20 };

static bool same_text(const char *a, struct tdat_span b)
{
	return !strncmp(a, (const char *)b.ptr, b.len) && !a[b.len];
}

/*
 * Looks a text up twice: by the place where it lay, which is quick, then by its hash. The result
 * lives until the pass ends.
 */
const char *derived_intern(struct derived_out *o, struct tdat_span text)
{
	struct derived_texts *t = o->texts;
	const char **recent;
	uint64_t hash;
	uint32_t i;

	if (text.ptr)
		text.len = strnlen((const char *)text.ptr, text.len);
	if (!text.ptr || !text.len)
		return "";
	/* The same task's name often lies where it lay before. */
	recent = &t->recent[(uintptr_t)text.ptr / 16 % DERIVED_RECENT];
	if (*recent && same_text(*recent, text))
		return *recent;
	if (!TDAT_MAP_GROW(&t->map, t->v, &t->cap)) {
		o->row.failed = true;
		return "";
	}
	hash = tdat_hash_bytes(t->map.seed, text.ptr, text.len);
	TDAT_MAP_FIND(i, &t->map, hash, same_text(t->v[i], text));
	if (i != TDAT_MAP_NONE)
		return *recent = t->v[i];
	i = (uint32_t)t->map.count;
	if (i >= TEXTS_MAX) {
		derived_note(o, "name, because there are too many different names");
		return "";
	}
	t->v[i] = tdat_arena_strndup(&t->arena, text.ptr, text.len);
	if (!t->v[i]) {
		o->row.failed = true;
		return "";
	}
	tdat_map_put(&t->map, hash, i);
	return t->v[i];
}

void derived_texts_fini(struct derived_texts *t)
{
	tdat_arena_fini(&t->arena);
	free(t->v);
	tdat_map_fini(&t->map);
}

void derived_out_fini(struct derived_out *o)
{
	tdat_build_fini(&o->text);
	free(o->row.builders);
}

/* ---- notes ---- */

/*
 * Counts by sentence. More than DERIVED_NOTES different sentences are not kept: a table has fewer.
 */
void derived_note(struct derived_out *o, const char *what)
{
	for (size_t i = 0; i < DERIVED_NOTES; i++) {
		struct derived_note *n = &o->notes[i];

		if (n->what && strcmp(n->what, what) != 0)
			continue;
		n->what = what;
		n->count++;
		return;
	}
}

void derived_fail(struct derived_out *o)
{
	o->row.failed = true;
}

/*
 * Tables that make a value at some cost ask first whether its column was chosen. The table's own
 * columns are the last ones of the choice.
 */
bool derived_wants(const struct derived_out *o, size_t column)
{
	const struct reader_choice *c = o->table->choice;
	size_t own = 0;

	while (o->def->columns[own].name)
		own++;
	for (size_t i = 0; i < c->column_count; i++)
		if (c->columns[i] == c->all_count - own + column)
			return true;
	return false;
}

const struct tdat_explain *derived_explain(const struct derived_out *o)
{
	return o->choice->explain;
}

const struct tdat_trace_opts *derived_trace_opts(const struct derived_out *o)
{
	return &o->trace->opts;
}

bool derived_counts_ns(const struct derived_out *o, const struct table_input *in)
{
	return clock_facts_seconds(&in->file->clock, o->trace->opts.raw_ts);
}

const struct table_input *derived_rec_input(const struct derived_out *o, uint32_t rec)
{
	return &o->trace->inputs[o->recs[rec].input];
}

uint32_t derived_rec_count(const struct derived_out *o)
{
	return o->rec_count;
}

uint32_t derived_type_count(const struct derived_out *o)
{
	return o->type_count;
}

/* ---- which rows ---- */

/* Pids are sorted (sort_pids in reader_make.c). */
static bool has_pid(const struct model_pid_set *pids, int64_t pid)
{
	size_t i;

	TDAT_SEARCH(i, pids->count, pids->v[i] < pid);
	return i < pids->count && pids->v[i] == pid;
}

static struct tdat_span task_name(const struct derived_out *o, uint32_t rec, int64_t pid)
{
	return read_name(o->trace->inputs[o->recs[rec].input].file, (int32_t)pid);
}

/* Applies the filter's pids and names to the task of the row, not to that of an event. */
static bool is_task_wanted(const struct derived_out *o, const struct derived_row *row)
{
	const struct tdat_filter *f = o->choice->filter;
	bool wanted = !f->pid_count;

	for (size_t i = 0; i < f->pid_count && !wanted; i++)
		wanted = f->pids[i] == row->pid;
	if (!wanted || !f->comm_count)
		return wanted;
	return row->pid != DERIVED_NO_PID && read_select_comm(f, task_name(o, row->rec, row->pid));
}

/*
 * True if a row meets all that was chosen. A row that ends before the span, or begins after it, is
 * not wanted; one that is open reaches to the end of the trace.
 */
static bool is_wanted(const struct derived_out *o, const struct derived_row *row)
{
	const struct derived_choice *c = o->choice;

	if (c->timed) {
		if (row->ts > c->to)
			return false;
		if (row->dur == DERIVED_NO_DUR ? !row->open && row->ts < c->from
					       : row->ts + row->dur < c->from)
			return false;
	}
	/* A span chooses by the begin alone, so that splits of a trace do not share rows. */
	if (c->has_span && ((int64_t)row->ts < c->from_ts || (int64_t)row->ts > c->to_ts))
		return false;
	if (!read_cpus_has(&c->cpus, row->cpu) || (c->pids && !has_pid(c->pids, row->pid)))
		return false;
	return !c->filter || is_task_wanted(o, row);
}

bool derived_wants_row(const struct derived_out *o, const struct derived_row *row)
{
	return is_wanted(o, row);
}

/* The same for an interval whose end is not known yet: only facts that are known may refuse it. */
bool derived_awaits(const struct derived_out *o, uint64_t ts, int64_t pid, uint32_t cpu)
{
	const struct derived_choice *c = o->choice;

	if ((c->timed && ts > c->to) ||
	    (c->has_span && ((int64_t)ts < c->from_ts || (int64_t)ts > c->to_ts)))
		return false;
	return (pid == DERIVED_NO_PID || !c->pids || has_pid(c->pids, pid)) &&
	       (cpu == DERIVED_NO_CPU || read_cpus_has(&c->cpus, cpu));
}

/* ---- values ---- */

/* Points the row at the builders of the chosen columns; others stay NULL, which skips values. */
static bool start_builders(struct derived_out *o)
{
	struct reader_table *t = o->table;
	const struct reader_choice *c = t->choice;

	if (!t->builders && !reader_start_table(t))
		return false;
	for (size_t i = 0; i < c->column_count; i++)
		o->row.builders[c->columns[i]] = &t->builders[i];
	return true;
}

/* Adds a name whose address is the key: it never moves. */
static inline void put_name(struct derived_out *o, struct table_builder *b, struct tdat_span name)
{
	const uint64_t key = (uintptr_t)name.ptr;
	int32_t index;

	/* Often it is that of the row before. */
	if (key == b->dict->last_key) {
		row_put_fixed(&o->row, b, (uint64_t)b->dict->last_index);
		return;
	}
	index = table_dict_key(b->dict, key);
	if (index == TABLE_DICT_NEW) {
		o->row.failed |= !table_dict_text(b->dict, name.ptr, name.len, &index) ||
				 !table_dict_set_key(b->dict, key, index);
	}
	if (o->row.failed)
		return;
	b->dict->last_key = key;
	b->dict->last_index = index;
	row_put_fixed(&o->row, b, (uint64_t)index);
}

void derived_add_name(struct derived_out *o, const char *name)
{
	if (name)
		put_name(o, row_next(&o->row), tdat_span_of(name));
	else
		row_add_null(&o->row);
}

/* The task's name is looked up only if its column is wanted. */
void derived_put_task(struct derived_out *o, uint32_t rec, int64_t pid)
{
	struct table_builder *b = o->row.builders[o->row.at];

	if (!b || pid == DERIVED_NO_PID) {
		derived_put_null(o);
		return;
	}
	o->row.at++;
	put_name(o, b, task_name(o, rec, pid));
}

/* ---- functions at addresses ---- */

/*
 * Null if no symbol covers the address. The builder's place moves on only after that is known,
 * since derived_put_null() moves it, too.
 */
void derived_put_symbol(struct derived_out *o, const struct table_input *in, uint64_t addr)
{
	struct table_builder *b = o->row.builders[o->row.at];
	const int32_t index = b ? table_symbol_index(b, &o->text, in->symbols, addr, false,
						     o->trace->input_count == 1)
				: TABLE_DICT_NULL;

	if (index < 0) {
		derived_put_null(o);
		return;
	}
	o->row.at++;
	row_put_fixed(&o->row, b, (uint64_t)index);
}

/*
 * Puts a list of functions. Names beyond the limit of an event's text are numbers
 * (table_names_most), as in put_symbols() of decode_text.c.
 */
void derived_put_stack(struct derived_out *o, const struct table_input *in, const uint64_t *addrs,
		       size_t count)
{
	const struct tdat_span list = {(const uint8_t *)addrs, count * sizeof(*addrs)};
	struct table_builder *b = row_next(&o->row);

	if (!b)
		return;
	table_put_symbols(b, &o->text, in, list, sizeof(*addrs), TDAT_HOST_BIG,
			  o->trace->input_count == 1);
	row_put_end(&o->row, b, b->data.len / b->width);
}

/* ---- rows ---- */

/*
 * Puts the columns that all derived tables share. The order is that of head in derived_columns().
 */
bool derived_row_begin(struct derived_out *o, const struct derived_row *row)
{
	const struct tdat_explain *explain = o->choice->explain;

	return (!explain || !explain->worst) && is_wanted(o, row) && derived_row_begin_any(o, row);
}

bool derived_row_begin_any(struct derived_out *o, const struct derived_row *row)
{
	const struct derived_rec *rec = &o->recs[row->rec];

	if (o->row.failed)
		return false;
	/* Who counts rows has chosen no column: the row has no values to put. */
	if (!o->table->choice->column_count) {
		o->table->rows++;
		return false;
	}
	/* A batch may have been handed over since: its builders are made anew. */
	if ((!o->table->builders || !o->table->rows) && !start_builders(o)) {
		o->row.failed = true;
		return false;
	}
	o->row.at = 0;
	derived_put_int(o, (int64_t)row->ts);
	derived_put_known(o, row->dur != DERIVED_NO_DUR && !o->trace->inputs[rec->input].ranks,
			  row->dur);
	derived_put_known(o, row->cpu != DERIVED_NO_CPU, row->cpu);
	if (o->trace->input_count > 1)
		derived_put_name(o, tdat_file_info(o->trace->inputs[rec->input].file)->name);
	derived_put_name(o, rec->buffer);
	derived_put_known(o, row->pid != DERIVED_NO_PID, (uint64_t)row->pid);
	derived_put_task(o, row->rec, row->pid);
	derived_put_name(o, row->open);
	return !o->row.failed;
}

void derived_row_end(struct derived_out *o)
{
	o->table->rows++;
}
