/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* One pass over the events for all derived tables that are wanted; it belongs to one thread. */
#ifndef TDAT_TABLE_DERIVED_PASS_H
#define TDAT_TABLE_DERIVED_PASS_H

#include "derived.h"
#include "read/select.h"
#include "reader_table.h"

struct derived_pass;

/* True if the trace has a format of an event that the derived table is made of. */
bool derived_has_events(const struct tdat_trace *trace, const struct tdat_table *table);

/*
 * Makes a pass for those of the reader's tables that are derived. Each gets builders at its
 * first row. pids: those of opts, in rising order; NULL: all; they must outlive the pass.
 */
enum tdat_status derived_pass_new(struct derived_pass **out, const struct tdat_trace *trace,
				  struct reader_table *tables, size_t count,
				  const struct tdat_table_opts *opts,
				  const struct model_pid_set *pids, struct tdat_error *err);
void derived_pass_free(struct derived_pass *p);

/* Sets the bits of the event ids that are needed. */
void derived_pass_ids(const struct derived_pass *p, uint8_t *const *ids);
/* The part of the filter that chooses events; the rest chooses rows. NULL: there is none. */
const struct tdat_filter *derived_pass_filter(const struct derived_pass *p);

/*
 * What of the events the wanted rows of all tables need: CPUs and pids of opts, or NULL for all;
 * *from, before which no page need be read, if there is such a time.
 */
struct derived_need {
	const uint32_t *cpus;
	size_t cpu_count;
	const struct model_pid_set *pids;
	bool has_from;
	uint64_t from;
};
struct derived_need derived_pass_need(const struct derived_pass *p);
/*
 * Whether no wanted row can come any more: all events to come are later than the time that is
 * wanted, and nothing from that time is open.
 */
bool derived_pass_done(struct derived_pass *p);

/* on_gap of struct read_iter_extra; ctx is the pass. */
void derived_pass_gap(void *ctx, uint32_t input, uint32_t buffer, uint32_t cpu, uint64_t from);
enum tdat_status derived_pass_feed(struct derived_pass *p, const struct tdat_event *events,
				   size_t count, struct tdat_error *err);
enum tdat_status derived_pass_end(struct derived_pass *p, struct tdat_error *err);
/* Tells the caller's function what was left out. */
void derived_pass_notes(const struct derived_pass *p, const struct tdat_table_opts *opts);

#endif
