/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A view that a user arranged in the page: rows, window, markers and notes. The page writes it into
 * its address behind "#" (web/session.js); reports and still pictures are made of it.
 */
#ifndef VIEW_API_SAVED_H
#define VIEW_API_SAVED_H

#include "query.h"

struct view_saved {
	const char *text; /* behind "#", borrowed; NULL: no view */
	struct view_query query;
	bool has_rows; /* its rows, and no others, are wanted */
};

/*
 * Reads an address of the page, or its part behind "#". A failure is TDAT_E_USAGE or TDAT_E_LIMIT;
 * view_saved_fini frees. address must outlive v.
 */
enum tdat_status view_saved_init(struct view_saved *v, const char *address, struct tdat_error *err);
void view_saved_fini(struct view_saved *v);

/* A marker or note of a view. */
struct view_note {
	uint64_t ts;
	const char *text; /* borrowed from the view */
};

/* Calls fn with the markers and notes, in the order of the address. */
typedef void (*view_note_fn)(void *ctx, const struct view_note *note);
void view_saved_notes(const struct view_saved *v, view_note_fn fn, void *ctx);

#endif
