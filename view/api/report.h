/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes the data of a report: answers to the questions that its page would ask, in one JSON object
 * of bounded size. docs/view-api.md defines it.
 */
#ifndef VIEW_API_REPORT_H
#define VIEW_API_REPORT_H

#include "api.h"
#include "saved.h"

struct view_report_def {
	struct view_span span; /* what is shown in detail, and whose events are listed */
	uint32_t width;	       /* pixels of each of the two pictures */
	uint64_t event_count;  /* at most so many events; at least 1 */
	const char *const
		*rows; /* keys of rows besides the usual ones; they are in both pictures */
	size_t row_count;
	const struct view_saved *view; /* whose rows are among rows; the page begins with it */
};

/*
 * Appends the report to out, which is empty; "<" in it is escaped, so that it can stand in a
 * document. It waits for the index and for all that answers need. Where a picture has too many
 * cells it is made of fewer pixels, and says so in its width.
 */
enum tdat_status view_report_make(struct view_api *api, const struct view_report_def *def,
				  struct tdat_build *out, struct tdat_error *err);

#endif
