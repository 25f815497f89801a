/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Declares the iterator for other parts of the library: what they may ask, and events in two steps.
 */
#ifndef TDAT_READ_TAKE_H
#define TDAT_READ_TAKE_H

#include <tdat/iter.h>

#include "model/filter.h"
#include "cuts.h"
#include "select_time.h"

/* What only the library asks an iterator for. */
struct read_iter_extra {
	const struct read_cuts *cuts; /* NULL: all of the trace is read */
	uint32_t first, end;	      /* else these pieces of it, from first to before end */
	/* By input: a bit for each id whose events are wanted, FILE_ID_COUNT of them; or NULL. */
	const uint8_t *const *ids;
	bool ask_format; /* of events that are not among them, as read_select_only says */
	/*
	 * For those who must know where events of a CPU are missing; or NULL. on_gap gets the time
	 * of the last record before them, 0 if there is none, and is called before any later event
	 * is given out. The record behind the gap is given out even if it is not wanted, with
	 * READ_EVENT_UNWANTED.
	 */
	void (*on_gap)(void *ctx, uint32_t input, uint32_t buffer, uint32_t cpu, uint64_t from);
	void *gap_ctx;
	struct read_span span;
	/*
	 * Only pages outside of the span are left out, no single events: for those who may need
	 * what lies around it.
	 */
	bool span_of_pages;
	const struct model_pid_set *pids; /* events of other pids are dropped; NULL: none are */
	bool (*is_cancelled)(void *ctx);  /* as in tdat_table_opts */
	void *cancel_ctx;
};

/* A bit of tdat_event.flags beside those of enum tdat_event_flags. */
#define READ_EVENT_UNWANTED (UINT32_C(1) << 31)

/* tdat_iter_new with extra, which may be NULL; what it points to must outlive the iterator. */
enum tdat_status read_iter_new(struct tdat_iter **out, const struct tdat_iter_input *inputs,
			       size_t input_count, const struct tdat_iter_opts *opts,
			       const struct read_iter_extra *extra, struct tdat_error *err);

/*
 * These are tdat_iter_next in two steps. read_iter_take fills *out with the next event, without
 * the task's name; *more is false at the end. read_iter_name adds the name and what plugins
 * remember, and must get the events in the order in which they were taken. One thread may name
 * events while another one takes further ones, if read_iter_can_name_later says so: it does
 * unless a filter needs the names.
 */
enum tdat_status read_iter_take(struct tdat_iter *it, struct tdat_event *out, bool *more,
				struct tdat_error *err);
void read_iter_name(struct tdat_iter *it, struct tdat_event *ev);
void read_iter_name_some(struct tdat_iter *it, struct tdat_event *events, size_t count);

/*
 * Does what up to most calls of read_iter_take do, and sets *count to the number of events, 0
 * at the end. release must be set: it gets the blocks that hold the bytes of these events.
 */
enum tdat_status read_iter_take_some(struct tdat_iter *it, struct tdat_event *out, size_t most,
				     size_t *count, struct tdat_error *err);
bool read_iter_can_name_later(const struct tdat_iter *it);

#endif
