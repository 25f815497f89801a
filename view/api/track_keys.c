/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the track that a row needs by the row's key, and reads the track's cells and values for a
 * window. Keys come from users and addresses: one of a wrong form is refused, and nothing of the
 * trace is read for it. Called by track_rows.c for the page and by svg.c for still pictures, so
 * that both show the same.
 */
#include "track_keys.h"

#include <string.h>

#include "query.h"

/* The kinds of rows. Prefixes end with a colon, hence none is the beginning of another. */
static const struct view_track_row track_rows[] = {
	{"task:", "states", VIEW_TRACK_TASK, VIEW_BY_ID},
	{"process:", "process", VIEW_TRACK_PROCESS, VIEW_BY_ID},
	{"irq:", "slices", VIEW_TRACK_IRQ, VIEW_BY_ID},
	{"softirq:", "slices", VIEW_TRACK_SOFTIRQ, VIEW_BY_ID},
	{"slices:", "slices", VIEW_TRACK_SLICE, VIEW_BY_ID},
	{"syscalls:", "slices", VIEW_TRACK_SYSCALL, VIEW_BY_ID},
	{"functions:", "slices", VIEW_TRACK_FUNCTION, VIEW_BY_ID},
	{"kvm:", "slices", VIEW_TRACK_KVM, VIEW_BY_ID},
	{"block:", "slices", VIEW_TRACK_BLOCK, VIEW_BY_TEXT},
	{"counter:", "plot", VIEW_TRACK_COUNTER, VIEW_BY_TEXT_ID},
	{"latency:", "plot", VIEW_TRACK_LATENCY, VIEW_BY_TWO},
	{"field:", "plot", VIEW_TRACK_FIELD, VIEW_BY_FIELD},
};

const struct view_track_row *view_track_row(const char *name)
{
	for (size_t i = 0; i < sizeof(track_rows) / sizeof(track_rows[0]); i++)
		if (!strncmp(name, track_rows[i].prefix, strlen(track_rows[i].prefix)))
			return &track_rows[i];
	return NULL;
}

/*
 * Splits the part of a key that follows the prefix. text is changed, and the key points into it.
 * False if it does not have the row's form.
 */
bool view_track_row_key(char *text, const struct view_track_row *row, struct view_track_key *key)
{
	char *colon = strchr(text, ':'), *last;
	uint64_t rec, id;

	*key = (struct view_track_key){row->kind, 0, -1, "", "", false};
	if (!colon)
		return false;
	*colon++ = 0;
	if (row->form == VIEW_BY_FIELD) {
		key->text = text;
		key->more = colon;
		return true;
	}
	if (!view_parse_u64(text, text + strlen(text), &rec) || rec > UINT32_MAX)
		return false;
	key->rec = (uint32_t)rec;
	last = strrchr(colon, ':');
	switch (row->form) {
	case VIEW_BY_ID:
		if (!view_parse_u64(colon, colon + strlen(colon), &id) || id > INT32_MAX)
			return false;
		key->id = (int64_t)id;
		return true;
	/* A counter without a CPU has no number at its end; its name may hold colons. */
	case VIEW_BY_TEXT_ID:
		if (last && view_parse_u64(last + 1, last + strlen(last), &id) && id <= INT32_MAX) {
			key->id = (int64_t)id;
			*last = 0;
		}
		break;
	case VIEW_BY_TWO:
		if (!last)
			return false;
		*last = 0;
		key->more = last + 1;
		break;
	default:
		break;
	}
	key->text = colon;
	return true;
}

/* ---- cells ---- */

/* Marks of one depth are sorted by their beginning. */
void view_track_depth(const struct view_track *t, size_t first, size_t end,
		      const struct view_span *span, uint32_t width, struct view_cells *cells)
{
	view_cells_init(cells, span, width);
	for (size_t i = first; i < end && !cells->failed && t->v[i].from <= span->to; i++)
		if (t->v[i].to >= span->from)
			view_cells_add_mark(cells, &t->v[i]);
	view_cells_end(cells);
}

/*
 * Each value has a cell of its own as long as there are at most two for each pixel; then values of
 * a pixel share one.
 */
bool view_track_values(const struct view_track *t, const struct view_span *span, uint32_t width,
		       view_plot_fn fn, void *ctx)
{
	const uint64_t pixel = (span->to - span->from) / width;
	size_t first = 0, end;
	struct view_plot cell = {.count = 0};
	bool exact, single; /* one cell for each mark */

	while (first < t->count && t->v[first].to < span->from)
		first++;
	for (end = first; end < t->count && t->v[end].from <= span->to;)
		end++;
	/* Both decisions depend on the number of values in the window only. */
	single = exact = end - first <= 2 * (size_t)width;
	for (size_t i = first; i < end; i++) {
		const struct view_mark *m = &t->v[i];

		if (cell.count && (single || m->from - cell.from >= pixel)) {
			fn(ctx, &cell);
			cell.count = 0;
		}
		if (!cell.count)
			cell = (struct view_plot){m->from,	  m->to,	 0,
						  m->value.least, m->value.most, 0};
		cell.count += m->count;
		cell.to = m->to;
		cell.last = m->value.last;
		if (m->value.least < cell.least)
			cell.least = m->value.least;
		if (m->value.most > cell.most)
			cell.most = m->value.most;
		exact = exact && m->count == 1;
	}
	if (cell.count)
		fn(ctx, &cell);
	return exact;
}
