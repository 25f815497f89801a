/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* One pass over the events for all derived tables that are wanted; it belongs to one thread. */
#ifndef TDAT_TABLE_DERIVED_PASS_H
#define TDAT_TABLE_DERIVED_PASS_H

#include "derived.h"
#include "read/select.h"

struct derived_pass;

/*
 * Makes a pass for those of the reader's tables that are derived. Each gets builders at its
 * first row.
 */
enum tdat_status derived_pass_new(struct derived_pass **out, const struct tdat_trace *trace,
				  struct reader_table *tables, size_t count,
				  const struct tdat_table_opts *opts, struct tdat_error *err);
void derived_pass_free(struct derived_pass *p);

/* Sets the bits of the event ids that are needed. */
void derived_pass_ids(const struct derived_pass *p, uint8_t *const *ids);
/* The part of the filter that chooses events; the rest chooses rows. NULL: there is none. */
const struct tdat_filter *derived_pass_filter(const struct derived_pass *p);

enum tdat_status derived_pass_feed(struct derived_pass *p, const struct tdat_event *events,
				   size_t count, struct tdat_error *err);
enum tdat_status derived_pass_end(struct derived_pass *p, struct tdat_error *err);
/* Tells the caller's function what was left out. */
void derived_pass_notes(const struct derived_pass *p, const struct tdat_table_opts *opts);

/* All columns of a derived table, in memory of malloc; NULL: none. */
struct table_column *derived_columns(const struct tdat_trace *trace,
				     const struct table_derived *def, size_t *count);

#endif
