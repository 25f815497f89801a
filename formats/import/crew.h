/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Runs the same work for several files of a capture on threads. What the work warns of is reported
 * by the thread of the import and in the order of the files, as if one thread had done it all: work
 * that warns waits until the files before its own are done.
 */
#ifndef TDAT_IMPORT_CREW_H
#define TDAT_IMPORT_CREW_H

#include <tdat/emit.h>

/*
 * Does work i. emit has only warn. Work runs on several threads at once, for different i; it must
 * not fail for what depends on other threads.
 */
typedef enum tdat_status (*import_crew_fn)(void *ctx, size_t i, const struct tdat_emit *emit,
					   struct tdat_error *err);

/*
 * Does work 0 to count - 1, begun in this order, on at most so many threads (0: one per CPU) and
 * waits for all of it. With one thread, or where no other can be had, all is done by the caller.
 * Of failures that of the first file is returned, and no later file's warnings are reported.
 */
enum tdat_status import_crew_run(uint32_t threads, size_t count, import_crew_fn fn, void *ctx,
				 const struct tdat_emit *emit, struct tdat_error *err);

#endif
