/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Declares what the rows of a picture have in common. */
#ifndef VIEW_API_PICTURE_H
#define VIEW_API_PICTURE_H

#include "answer.h"

struct view_picture {
	struct view_question *q;
	struct view_span span;
	uint32_t width;
	/* Tasks that cells name: numbers of the index, in the order in which they first come. */
	uint32_t *tasks;
	size_t task_count, task_cap;
	uint32_t *places; /* by number of the index: the place in tasks, and one */
	size_t place_count;
	struct view_names names, states; /* of slices, and of states */
	/* Tasks whose wakeups are wanted. */
	struct view_woken {
		uint32_t rec;
		int32_t pid;
		const struct view_track *track;
	} * woken;
	size_t woken_count, woken_cap;
	bool failed; /* no memory */
	/* Of a still picture: takes the cells of a row that counts events, in place of the answer.
	 */
	void (*take_ticks)(void *ctx, const struct view_cells *cells, bool is_pending);
	void *ctx;
};

/* Begins a row, which is an object; view_json_columns follows. */
void view_picture_row(struct view_picture *p, const char *key, const char *kind);

/*
 * Begins the array of a cell with its times, which are offsets from the window. The end tells how a
 * single interval ended, if it is not closed: "end" of the file, "lost" events, or not ended.
 */
void view_picture_cell(struct view_picture *p, uint64_t from, uint64_t to);
void view_picture_cell_end(struct view_picture *p, const struct view_cell *c);

/* A row of what the trace does not have. */
void view_picture_empty(struct view_picture *p, const char *key, const char *kind);

/* "A:B", two numbers that fill the text. */
bool view_parse_pair(const char *text, uint64_t *a, uint64_t *b);

/*
 * These put a row of a track, and one of counts of events. The last argument becomes false where
 * the key is none of these.
 */
enum tdat_status view_picture_track(struct view_picture *p, const char *key, bool *is_track);
enum tdat_status view_picture_hits(struct view_picture *p, const char *key, bool *is_hits);

/* Puts the row of several CPUs. *is_group becomes false where the key is none of these. */
enum tdat_status view_picture_group(struct view_picture *p, const char *key, bool *is_group);

/* Puts the row of the numbers of all events of a CPU. */
enum tdat_status view_picture_lane_ticks(struct view_picture *p, const char *key, size_t lane);

/*
 * view_picture_begin_tracks has all tracks made that the rows of the picture need, before one of
 * them is put, so that those are made together which one pass can make.
 */
void view_picture_begin_tracks(struct view_picture *p);

/* view_picture_want_wakeups asks for the wakeups of a task, which come behind all rows. */
void view_picture_want_wakeups(struct view_picture *p, const struct view_track_key *key);
void view_picture_put_wakeups(struct view_picture *p);

#endif
