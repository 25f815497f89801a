/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes summaries to stdout, as text and in other forms that are not JSON. */
#ifndef CLI_SUMMARY_TEXT_H
#define CLI_SUMMARY_TEXT_H

#include <tdat/summary.h>

/* False: no memory. top is how many groups are shown; 0: all. */
bool latency_text(const struct tdat_summary *s, uint64_t top, bool exact);
bool latency_csv(const struct tdat_summary *s);

/*
 * top is how many tasks are shown; 0: all. several: the trace is of several files. False: no
 * memory.
 */
bool profile_text(const struct tdat_summary *s, uint64_t top, bool exact);
void profile_csv(const struct tdat_summary *s, bool several);

/* How explanations are printed. top is how many causes of each are shown; 0: all. */
struct why_text {
	uint64_t top;
	enum tdat_explained of;
	bool summary; /* of all together */
	bool exact;
};
/* False: no memory. */
bool why_text(const struct tdat_summary *s, const struct why_text *how);
/* Segments, or causes. */
void why_csv(const struct tdat_summary *s, bool causes);

void flame_folded(const struct tdat_summary *s);
/* A tree for people. False: no memory. */
bool flame_tree(const struct tdat_summary *s, bool exact);
void flame_svg(const struct tdat_summary *s);

#endif
