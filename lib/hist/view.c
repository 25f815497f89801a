/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Shows histograms as tables for people and as JSON for programs. Both show the same values as
 * the kernel's text (print.c), with columns of a width that fits, or with types. Text from the
 * trace is escaped in JSON. Called by write.c for each histogram.
 */
#include <stdio.h>
#include <stdlib.h>

#include "core/json_text.h"
#include "core/syscalls.h"
#include "print.h"
#include "sort.h"
#include "symbols.h"
#include "tasks.h"

/* ---- cells ---- */

static void put_stack(struct tdat_hist *h, const struct hist_field *f, const uint8_t *at,
		      struct tdat_build *out)
{
	const uint32_t w = h->long_len;

	for (uint32_t i = 0; i < HIST_FRAMES && (i + 1) * w <= f->size; i++) {
		const uint64_t addr = tdat_load_uint(at + (size_t)i * w, w, h->big);

		if (!addr)
			return;
		if (i)
			tdat_build_str(out, ";");
		hist_syms_put(h, out, addr, true, 0);
	}
}

/* The value of a key as a word. */
static void put_key(struct tdat_hist *h, const struct hist_field *f, const uint8_t *at,
		    uint32_t task, struct tdat_build *out)
{
	const unsigned long long v = tdat_load64(at, h->big);
	struct tdat_span s;

	if (f->flags & HF_HEX) {
		tdat_build_printf(out, "0x%llx", v);
	} else if (f->flags & (HF_SYM | HF_SYM_OFFSET)) {
		hist_syms_put(h, out, v, f->flags & HF_SYM_OFFSET, 0);
	} else if (f->flags & HF_EXECNAME) {
		s = hist_tasks_shown(h, task);
		tdat_build_bytes(out, s.ptr, s.len);
		tdat_build_printf(out, "-%llu", v);
	} else if (f->flags & HF_SYSCALL) {
		const char *name = tdat_syscall_function(h->syscalls, (uint32_t)v);

		if (name)
			tdat_build_str(out, name);
		else
			tdat_build_printf(out, "%llu", v);
	} else if (f->flags & HF_STACKTRACE) {
		put_stack(h, f, at, out);
	} else if (f->flags & HF_LOG2) {
		tdat_build_printf(out, "2^%llu", v);
	} else if (f->flags & HF_BUCKET) {
		tdat_build_printf(out, "%llu-%llu", v, (unsigned long long)(v + f->buckets - 1));
	} else if (f->flags & HF_STRING) {
		tdat_build_bytes(out, at, strnlen((const char *)at, f->size));
	} else {
		tdat_build_printf(out, "%llu", v);
	}
}

/* True if the key is aligned left, and a string in JSON. */
static bool key_is_text(const struct hist_field *f)
{
	return f->flags & (HF_SYM | HF_SYM_OFFSET | HF_EXECNAME | HF_SYSCALL | HF_STACKTRACE |
			   HF_STRING | HF_HEX | HF_LOG2 | HF_BUCKET);
}

static void put_value(const struct hist_field *f, uint64_t v, const struct hist_total *t,
		      struct tdat_build *out)
{
	char graph[HIST_GRAPH + 1];
	uint32_t share;

	if (f->flags & HF_PERCENT) {
		share = hist_share(v, t->sum);
		tdat_build_printf(out, "%u.%02u%%", share / 100, share % 100);
	} else if (f->flags & HF_GRAPH) {
		hist_print_graph(v, t->max, graph);
		tdat_build_str(out, graph);
	} else {
		tdat_build_printf(out, f->flags & HF_HEX ? "0x%llx" : "%llu",
				  (unsigned long long)v);
	}
}

/* The name as the trigger's line has it. "" if memory is short (h->nomem is set). */
static const char *column_name(struct tdat_hist *h, const struct hist_field *f)
{
	struct tdat_build b;
	const char *name;

	tdat_build_init(&b, false);
	hist_print_field(h, f, &b);
	if (f->flags & HF_STACKTRACE)
		tdat_build_str(&b, f->field ? ".stacktrace" : "");
	name = hist_strndup(h, b.len ? (const char *)b.ptr : "", b.len);
	tdat_build_fini(&b);
	return name ? name : "";
}

static void column_names(struct tdat_hist *h, const struct hist_data *d,
			 const char *names[HIST_FIELDS])
{
	for (uint32_t i = 0; i < d->field_count; i++)
		names[i] = column_name(h, d->fields[i]);
}

/* ---- the table ---- */

enum { COLUMNS_MOST = HIST_KEYS + HIST_VALS + HIST_ACTIONS };

/* A table is made twice: to measure its columns, then to print it. */
struct table {
	struct tdat_hist *h;
	const struct hist_data *d;
	const struct hist_total *totals;
	const char *const *names;
	size_t width[COLUMNS_MOST];
	size_t column; /* of the cell that is being made */
	bool measure;
	struct tdat_build cell, *out;
};

static void end_cell(struct table *t, bool left)
{
	const size_t width = tdat_utf8_count(t->cell.ptr, t->cell.len), all = t->width[t->column];

	if (t->measure) {
		if (width > all)
			t->width[t->column] = width;
	} else {
		tdat_build_str(t->out, t->column ? "  " : "");
		if (!left && width < all)
			tdat_build_fill(t->out, ' ', all - width);
		tdat_build_bytes(t->out, t->cell.ptr, t->cell.len);
		if (left && width < all)
			tdat_build_fill(t->out, ' ', all - width);
	}
	t->cell.len = 0;
	t->column++;
}

/* Variables have no column; hitcount has one unless nohitcount is given. */
static bool is_shown(const struct hist_data *d, uint32_t i)
{
	return !(d->fields[i]->flags & HF_VAR) && (i || !d->attrs.no_hitcount);
}

/* entry: NULL for the row of names. */
static void put_row(struct table *t, uint8_t *entry)
{
	const struct hist_data *d = t->d;
	const uint32_t task = entry && d->execname ? *hist_entry_task(d->map, entry) : 0;

	t->column = 0;
	for (uint32_t i = d->val_count; i < d->field_count; i++) {
		if (entry)
			put_key(t->h, d->fields[i], entry + d->fields[i]->off, task, &t->cell);
		else
			tdat_build_str(&t->cell, t->names[i]);
		end_cell(t, key_is_text(d->fields[i]));
	}
	for (uint32_t i = 0; i < d->val_count; i++) {
		if (!is_shown(d, i))
			continue;
		if (entry)
			put_value(d->fields[i], hist_entry_sums(d->map, entry)[i], &t->totals[i],
				  &t->cell);
		else
			tdat_build_str(&t->cell, t->names[i]);
		end_cell(t, d->fields[i]->flags & HF_GRAPH);
	}
	for (uint32_t i = 0; i < d->action_count; i++) {
		const struct hist_action *a = d->actions[i];

		if (a->kind == HIST_SNAPSHOT || a->handler == HIST_ONMATCH)
			continue;
		if (entry)
			tdat_build_printf(&t->cell, "%llu",
					  (unsigned long long)hist_entry_vars(d->map, entry)
						  ->v[a->track_idx]
						  .num);
		else
			tdat_build_printf(&t->cell, "%s(%s)",
					  a->handler == HIST_ONMAX ? "max" : "last", a->var_str);
		end_cell(t, false);
	}
	if (t->measure)
		return;
	/* Blanks at the end of a line are cut. */
	while (t->out->len && t->out->ptr[t->out->len - 1] == ' ')
		t->out->len--;
	tdat_build_str(t->out, "\n");
}

bool hist_table_trigger(struct tdat_hist *h, const struct hist_trigger *t, struct tdat_build *out)
{
	struct hist_total totals[HIST_VALS];
	const char *names[HIST_FIELDS];
	struct table table = {.h = h, .d = t->data, .totals = totals, .names = names, .out = out};
	const struct hist_map *m = t->data->map;
	uint32_t *order;

	hist_print_trigger(h, t, out);
	if (!m)
		return true;
	order = hist_sort_entries(h, t->data);
	/* No memory is the only reason. */
	if (!order)
		return false;
	hist_totals(t->data, totals);
	column_names(h, t->data, names);
	tdat_build_init(&table.cell, false);
	for (int pass = 0; pass < 2; pass++) {
		table.measure = !pass;
		put_row(&table, NULL);
		for (uint32_t i = 0; i < m->index.count; i++)
			put_row(&table, hist_map_entry(m, order[i]));
	}
	tdat_build_printf(out, "%llu hits, %zu entries, %llu dropped\n",
			  (unsigned long long)m->hits, m->index.count,
			  (unsigned long long)m->drops);
	out->failed |= table.cell.failed;
	tdat_build_fini(&table.cell);
	free(order);
	return true;
}

/* ---- JSON ---- */

static void put_json_str(struct tdat_build *out, const char *text)
{
	tdat_json_quoted(out, text, strlen(text));
}

/* Writes the key as put_key does: a number if it is one, else text. */
static void put_json_key(struct tdat_hist *h, const struct hist_field *f, const uint8_t *at,
			 uint32_t task, struct tdat_build *out)
{
	struct tdat_build cell;

	if (!key_is_text(f)) {
		put_key(h, f, at, task, out);
		return;
	}
	tdat_build_init(&cell, false);
	put_key(h, f, at, task, &cell);
	tdat_json_quoted(out, cell.ptr, cell.len);
	out->failed |= cell.failed;
	tdat_build_fini(&cell);
}

static void put_json_saved(const struct hist_data *d, uint8_t *entry, struct tdat_build *out)
{
	const struct hist_vars *vars = d->map_vars ? hist_entry_vars(d->map, entry) : NULL;
	const char *sep = "";

	for (uint32_t i = 0; i < d->action_count; i++) {
		const struct hist_action *a = d->actions[i];

		if (a->kind == HIST_SNAPSHOT || a->handler == HIST_ONMATCH)
			continue;
		tdat_build_printf(out, ", \"%s\": %llu",
				  a->handler == HIST_ONMAX ? "max" : "changed",
				  (unsigned long long)vars->v[a->track_idx].num);
	}
	if (!d->save_var_count)
		return;
	tdat_build_str(out, ", \"saved\": {");
	for (uint32_t i = 0; i < d->save_var_count; i++, sep = ", ") {
		const struct hist_field_var *s = &d->save_vars[i];
		const struct hist_value *v = &vars->v[s->var->var_idx];

		tdat_build_str(out, sep);
		put_json_str(out, s->var->var_name);
		tdat_build_str(out, ": ");
		if (s->val->flags & HF_STRING)
			tdat_json_quoted(out, v->str ? (const void *)v->str->u.text : "",
					 v->str ? v->str->len : 0);
		else
			tdat_build_printf(out, "%llu", (unsigned long long)v->num);
	}
	tdat_build_str(out, "}");
}

static void put_json_entry(struct tdat_hist *h, const struct hist_data *d, uint8_t *entry,
			   const char *const *names, struct tdat_build *out)
{
	const uint32_t task = d->execname ? *hist_entry_task(d->map, entry) : 0;
	const uint64_t *sums = hist_entry_sums(d->map, entry);
	const char *sep = "";

	tdat_build_str(out, "\n        {\"keys\": {");
	for (uint32_t i = d->val_count; i < d->field_count; i++, sep = ", ") {
		tdat_build_str(out, sep);
		put_json_str(out, names[i]);
		tdat_build_str(out, ": ");
		put_json_key(h, d->fields[i], entry + d->fields[i]->off, task, out);
	}
	tdat_build_str(out, "}, \"values\": {");
	sep = "";
	for (uint32_t i = 0; i < d->val_count; i++) {
		if (!is_shown(d, i))
			continue;
		tdat_build_str(out, sep);
		put_json_str(out, names[i]);
		tdat_build_printf(out, ": %llu", (unsigned long long)sums[i]);
		sep = ", ";
	}
	tdat_build_str(out, "}");
	put_json_saved(d, entry, out);
	tdat_build_str(out, "}");
}

bool hist_json_trigger(struct tdat_hist *h, const struct hist_trigger *t, struct tdat_build *out)
{
	const struct hist_data *d = t->data;
	const char *names[HIST_FIELDS];
	struct tdat_build line;
	uint32_t *order;

	tdat_build_str(out, "\n    {\"event\": ");
	put_json_str(out, hist_text(h, "%s/%s", t->event->system, t->event->name));
	tdat_build_str(out, ",\n      \"trigger\": ");
	tdat_build_init(&line, false);
	hist_print_trigger(h, t, &line);
	/* Without the line's newline. */
	tdat_json_quoted(out, line.ptr, line.len ? line.len - 1 : 0);
	tdat_build_fini(&line);
	if (d && d->map) {
		order = hist_sort_entries(h, d);
		if (!order)
			return false;
		column_names(h, d, names);
		tdat_build_printf(
			out, ",\n      \"hits\": %llu, \"dropped\": %llu,\n      \"entries\": [",
			(unsigned long long)d->map->hits, (unsigned long long)d->map->drops);
		for (uint32_t i = 0; i < d->map->index.count; i++) {
			tdat_build_str(out, i ? "," : "");
			put_json_entry(h, d, hist_map_entry(d->map, order[i]), names, out);
		}
		tdat_build_str(out, "\n      ]");
		free(order);
	}
	tdat_build_str(out, "}");
	return true;
}
