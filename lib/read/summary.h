/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Finds first and last time of one CPU's data as an iterator would show them. */
#ifndef TDAT_READ_SUMMARY_H
#define TDAT_READ_SUMMARY_H

#include <tdat/iter.h>

/*
 * Fills has_events, first_ts and last_ts of entry cpu of a buffer. *damage gets the first damage of
 * what was read for that, if bad_pages is not 0; NULL: nobody wants to know.
 */
enum tdat_status read_summary_ends(const struct tdat_iter_input *in,
				   const struct tdat_iter_opts *opts, size_t buffer, size_t cpu,
				   struct tdat_cpu_summary *out, struct tdat_stream_damage *damage,
				   struct tdat_error *err);

#endif
