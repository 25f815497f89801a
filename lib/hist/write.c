/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Writes the views of all triggers, piece by piece. For each event, in the order of its
 * triggers, the view that was asked for is built into a buffer, and handed to the caller's
 * function when it is large enough. Memory does not grow with the size of the output.
 */
#include <stdlib.h>

#include "print.h"
#include "sort.h"

/* PIECE: bytes per call of the caller's function. AHEAD: entries that are loaded in advance. */
enum { PIECE = 64 * 1024, AHEAD = 8 };

bool hist_out_flush(struct hist_out *o, bool all)
{
	if (o->text.failed && o->st == TDAT_OK)
		o->st = tdat_error_no_memory(o->err, "text");
	if (o->st == TDAT_OK && o->text.len && (all || o->text.len >= PIECE)) {
		o->st = o->write(o->ctx, o->text.ptr, o->text.len, o->err);
		o->text.len = 0;
	}
	return o->st == TDAT_OK;
}

/* The text of the kernel's track_data_snapshot_print(). */
static void print_snapshot(struct tdat_hist *h, const struct hist_data *d, struct tdat_build *out)
{
	const struct hist_action *a = d->snapshot_action;

	if (!d->snapshot_taken)
		return;
	tdat_build_str(out, "\nSnapshot taken (see tracing/snapshot).  Details:\n");
	tdat_build_printf(out, "\ttriggering value { %s(%s) }: %10llu",
			  a->handler == HIST_ONMAX ? "onmax" : "onchange", a->var_str,
			  (unsigned long long)d->snapshot_value);
	tdat_build_str(out, "\ttriggered by event with key: ");
	hist_print_keys(h, d, d->snapshot_key, d->snapshot_task, out);
	tdat_build_str(out, "\n");
}

static bool write_hist(struct tdat_hist *h, const struct hist_trigger *t, struct hist_out *o)
{
	const struct hist_data *d = t->data;
	const uint32_t count = d->map ? (uint32_t)d->map->index.count : 0;
	struct hist_total totals[HIST_VALS];
	uint32_t *order = NULL;

	tdat_build_str(&o->text, "# event histogram\n#\n# trigger info: ");
	hist_print_trigger(h, t, &o->text);
	tdat_build_str(&o->text, "#\n\n");
	if (d->map) {
		order = hist_sort_entries(h, d);
		if (!order)
			return false;
		hist_totals(d, totals);
	}
	for (uint32_t i = 0; i < count && hist_out_flush(o, false); i++) {
		/* Entries lie in the order of their making, so each one is a wait for memory. */
		if (i + AHEAD < count)
			__builtin_prefetch(hist_map_entry(d->map, order[i + AHEAD]));
		hist_print_entry(h, d, hist_map_entry(d->map, order[i]), totals, &o->text);
	}
	free(order);
	print_snapshot(h, d, &o->text);
	tdat_build_printf(&o->text,
			  "\nTotals:\n    Hits: %llu\n    Entries: %u\n    Dropped: %llu\n",
			  d->map ? (unsigned long long)d->map->hits : 0, count,
			  d->map ? (unsigned long long)d->map->drops : 0);
	return true;
}

/* Prints one event's triggers. Events whose histograms counted nothing are printed, too. */
static bool write_event(struct tdat_hist *h, const struct hist_event *e, enum tdat_hist_view view,
			struct hist_out *o)
{
	size_t number = 0;

	tdat_build_printf(&o->text, "### %s/%s\n", e->system, e->name);
	for (size_t i = 0; i < e->trigger_count; i++) {
		const struct hist_trigger *t = e->triggers[i];

		if (view == TDAT_HIST_TRIGGERS) {
			hist_print_trigger(h, t, &o->text);
		} else if (t->data) {
			if (number++)
				tdat_build_str(&o->text, view == TDAT_HIST_KERNEL ? "\n\n" : "\n");
			if (!(view == TDAT_HIST_KERNEL ? write_hist(h, t, o)
						       : hist_table_trigger(h, t, &o->text)))
				return false;
		}
		if (!hist_out_flush(o, false))
			return true; /* o->st says why */
	}
	return true;
}

static bool write_json(struct tdat_hist *h, struct hist_out *o)
{
	const char *sep = "";

	tdat_build_str(&o->text, "{\n  \"triggers\": [");
	for (const struct hist_event *e = h->shown; e; e = e->next_shown)
		for (size_t i = 0; i < e->trigger_count; i++) {
			tdat_build_str(&o->text, sep);
			if (!hist_json_trigger(h, e->triggers[i], &o->text))
				return false;
			sep = ",";
			if (!hist_out_flush(o, false))
				return true;
		}
	tdat_build_str(&o->text, "\n  ]\n}\n");
	return true;
}

enum tdat_status tdat_hist_write(struct tdat_hist *h, enum tdat_hist_view view, tdat_write_fn write,
				 void *ctx, struct tdat_error *err)
{
	struct hist_out o = {.write = write, .ctx = ctx, .err = err, .st = TDAT_OK};
	bool good = true;

	tdat_build_init(&o.text, false);
	h->err = err;
	if (view == TDAT_HIST_JSON)
		good = write_json(h, &o);
	else
		for (const struct hist_event *e = h->shown; e && good && o.st == TDAT_OK;
		     e = e->next_shown)
			if (e->trigger_count)
				good = write_event(h, e, view, &o);
	hist_out_flush(&o, true);
	/* The flush reports a failed build, so it comes before the buffer is freed. */
	tdat_build_fini(&o.text);
	if (o.st == TDAT_OK && (!good || h->nomem))
		return tdat_error_no_memory(err, "histograms");
	return o.st;
}
