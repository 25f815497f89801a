/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Makes events of KTR entries; as one conversion goes on. */
#ifndef TDAT_IMPORT_KTR_ENTRY_EVENTS_H
#define TDAT_IMPORT_KTR_ENTRY_EVENTS_H

#include "event_send.h"

struct ktr_meta;

enum tdat_status ktr_output_init(struct ktr_output *o, const struct tdat_emit *emit,
				 const struct ktr_setup *setup, const struct ktr_output_opts *opts,
				 struct ktr_strings *strings, uint32_t cpu_count,
				 struct tdat_error *err);
void ktr_output_fini(struct ktr_output *o);
/* The same, one by one, that ktr_pipe_run (entry_batch.h) does in batches, and other events. */
enum tdat_status ktr_output_entry(struct ktr_output *o, const struct ktr_entry *e,
				  struct tdat_error *err);
/* Warns of doubts about strings and writes CPUSTAT. */
enum tdat_status ktr_output_end(struct ktr_output *o, const struct ktr_meta *meta,
				struct tdat_error *err);

/* ---- parts of ktr_output_entry ---- */

/* What a message says of the thread that it is of. */
struct ktr_task_hint {
	bool named; /* tid and name are there */
	bool runs;  /* it is what runs: its pointer becomes known by it */
	int32_t tid;
	struct tdat_span name;
};

/* g: of the message; NULL: there is none. */
struct ktr_task_hint ktr_task_hint(const struct ktr_graph *g);
enum tdat_status ktr_find_task(struct ktr_output *o, uint64_t thread,
			       const struct ktr_task_hint *hint, int32_t *pid,
			       struct tdat_error *err);
/* Append what precedes the strings, the name of the file, and the message. */
void ktr_put_fixed(const struct ktr_output *o, struct tdat_build *b, const struct ktr_entry *e,
		   int32_t pid);
void ktr_put_file(struct ktr_output *o, const struct ktr_entry *e, struct tdat_build *b);
enum tdat_status ktr_put_message(struct ktr_output *o, const struct ktr_entry *e,
				 struct tdat_build *b, struct ktr_format **format,
				 struct tdat_error *err);

#endif
