/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A trace that is looked at: it makes the index on threads of its own, while questions are
 * answered already, and does further work that answers wait for.
 *
 * Threads: all functions may be called by several threads at once, but view_engine_free.
 */
#ifndef VIEW_DATA_ENGINE_H
#define VIEW_DATA_ENGINE_H

#include "lane.h"

struct view_engine;

struct view_engine_opts {
	unsigned threads; /* 0: one per CPU, at most 4 */
	/* Windows of fewer events are read, even where the index would do; 0: some ten thousand. */
	uint32_t read_always;
};

/* Starts the threads; inputs must outlive the engine. */
enum tdat_status view_engine_new(struct view_engine **out, const struct tdat_iter_input *inputs,
				 size_t input_count, const struct view_engine_opts *opts,
				 struct tdat_error *err);
/* Tells the threads and questions to give up what they do. */
void view_engine_stop(struct view_engine *e);
/* Stops the threads, gives up what they do, and frees all. */
void view_engine_free(struct view_engine *e);

/* The index, which knows its trace. */
const struct view_index *view_engine_index(const struct view_engine *e);

/* Waits until the index is complete, and nothing else is left to do. */
void view_engine_wait(struct view_engine *e);

/*
 * Whether something of a lane could not be read for the index, and what that was, as far as the
 * index is made. bad_pages of 0: the lane was not read to its end, and message says why.
 */
bool view_engine_damage(struct view_engine *e, size_t lane, struct tdat_stream_damage *out);

/* Returns how many things are being made besides the index. */
size_t view_engine_jobs(struct view_engine *e);

/* Work for a thread of the engine. It is run once; *stop is set when it is to be given up. */
typedef void (*view_work_fn)(void *ctx, const bool *stop);
/*
 * Tells if *stop of a work is set. The library's options take it as is_cancelled, with stop as
 * cancel_ctx.
 */
bool view_is_stopped(void *stop);
/* Milliseconds of a clock that never goes back. */
int64_t view_now_ms(void);
/*
 * Hands a piece of work to the threads. after_index: it is begun when the index is complete, or all
 * that could be made of it. False: there is no memory for it.
 */
bool view_engine_do(struct view_engine *e, view_work_fn work, void *ctx, bool after_index);

/*
 * Between these no work is begun that was handed over, so that work which can be done together is
 * there together. Calls may be nested, and must be short.
 */
void view_engine_hold(struct view_engine *e);
void view_engine_unhold(struct view_engine *e);

/*
 * view_engine_enter waits until a question may read the file, as only some may at once, and
 * view_engine_leave lets the next one read.
 */
void view_engine_enter(struct view_engine *e);
void view_engine_leave(struct view_engine *e);

#endif
