/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Makes events of binary entries in two steps, which two threads can take: one reads entries and
 * makes batches of records, the import's own finds out whose they are and hands them over.
 */
#ifndef TDAT_IMPORT_KTR_ENTRY_BATCH_H
#define TDAT_IMPORT_KTR_ENTRY_BATCH_H

#include <tdat/error.h>

struct ktr_entry;
struct ktr_output;
struct ktr_pipe;

/* Adds an entry that has no text of its own; only the reading function calls it. */
enum tdat_status ktr_pipe_add(struct ktr_pipe *p, const struct ktr_entry *e,
			      struct tdat_error *err);

/* Reads entries in their order, and adds each. */
typedef enum tdat_status (*ktr_read_fn)(void *ctx, struct ktr_pipe *p, struct tdat_error *err);

/*
 * Runs read, on a thread of its own if threads is not 1, and hands over the events of what it adds.
 * Events and failures are those that ktr_output_entry gives for each entry in turn, where no event
 * but "ktr" is asked for (o->others; tests/unit/formats/test_import_threads.c compares).
 */
enum tdat_status ktr_pipe_run(struct ktr_output *o, uint32_t threads, ktr_read_fn read, void *ctx,
			      struct tdat_error *err);

#endif
