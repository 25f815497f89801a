/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Declares how the key of a row names a track, and how the track is read for a window. */
#ifndef VIEW_API_TRACK_KEYS_H
#define VIEW_API_TRACK_KEYS_H

#include "data/tracks.h"

/* A kind of row: the beginning of its key, the kind of its cells, and the form of the key's rest.
 */
struct view_track_row {
	const char *prefix, *shown;
	enum view_track_kind kind;
	enum {
		VIEW_BY_ID,	 /* REC:ID */
		VIEW_BY_TEXT,	 /* REC:TEXT */
		VIEW_BY_TEXT_ID, /* REC:TEXT[:ID] */
		VIEW_BY_TWO,	 /* REC:TEXT:TEXT */
		VIEW_BY_FIELD	 /* EVENT:FIELD */
	} form;
};

/* The kind of a row, or NULL: its key is not that of a track. */
const struct view_track_row *view_track_row(const char *name);
/* Fills *key from the rest of a key, which is changed and which *key points into; false: bad form.
 */
bool view_track_row_key(char *text, const struct view_track_row *row, struct view_track_key *key);

/* Makes the cells of the marks [first, end) of one depth; view_cells_fini frees. */
void view_track_depth(const struct view_track *t, size_t first, size_t end,
		      const struct view_span *span, uint32_t width, struct view_cells *cells);

/*
 * A cell of values: the range, the last value, and how many there were. The last value before the
 * window is among them, because it holds until the next one.
 */
struct view_plot {
	uint64_t from, to, count;
	double least, most, last;
};
typedef void (*view_plot_fn)(void *ctx, const struct view_plot *cell);
/* Calls fn with the cells of a window; true if each has one value. */
bool view_track_values(const struct view_track *t, const struct view_span *span, uint32_t width,
		       view_plot_fn fn, void *ctx);

#endif
