/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Declares filters in trace-cmd's grammar: "system/event, event: expression". The text is parsed
 * once; for each event it names the expression becomes a small program over the record. Both are
 * immutable and shared by threads.
 *
 * An expression that libtraceevent's parser accepts means the same here: && and || have one
 * precedence and group from the left, ! applies to the one comparison behind it, and a
 * comparison with a field that the event does not have is false. docs/differences.md lists
 * the exceptions.
 */
#ifndef TDAT_MODEL_FILTER_H
#define TDAT_MODEL_FILTER_H

#include "format.h"
#include "learned_tasks.h"
#include "symbols.h"

struct model_filter;
struct model_filter_prog;

enum tdat_status model_filter_new(struct model_filter **out, const char *text,
				  struct tdat_error *err);
void model_filter_free(struct model_filter *f);
const char *model_filter_text(const struct model_filter *f);

/* Whether the part before the colon, or its item of this index, names the event. */
bool model_filter_names(const struct model_filter *f, const char *system, const char *name);
bool model_filter_item_names(const struct model_filter *f, size_t item, const char *system,
			     const char *name);
/* An item as it was written; empty after the last. */
struct tdat_span model_filter_item(const struct model_filter *f, size_t item, size_t *column);

/* Words of the expression that must be fields: index from 0; NULL at the end. */
size_t model_filter_word_count(const struct model_filter *f);
const char *model_filter_word(const struct model_filter *f, size_t index, size_t *column);
/* Whether the format has the field, or every event has it (COMM, CPU ...). */
bool model_filter_knows(const struct tdat_event_format *format, const char *word);

/* What a program may look up; tables are asked for only when a program needs them. */
struct model_filter_env {
	bool big;
	struct tdat_span (*name)(const void *ctx, int32_t pid); /* of a task; never empty */
	const struct model_symbols *(*symbols)(const void *ctx);
	const void *ctx;
};

/* Pids in rising order, each once; borrowed by programs. */
struct model_pid_set {
	const int32_t *v;
	size_t count;
};

enum tdat_status model_filter_bind(struct model_filter_prog **out, const struct model_filter *f,
				   const struct tdat_event_format *format,
				   const struct model_filter_env *env, struct tdat_error *err);
/* The program of report's --pid: the event's pid, or its field pid or next_pid. */
enum tdat_status model_filter_bind_pids(struct model_filter_prog **out,
					const struct model_pid_set *set,
					const struct tdat_event_format *format,
					const struct model_filter_env *env, struct tdat_error *err);
void model_filter_prog_free(struct model_filter_prog *p);

struct model_filter_event {
	struct tdat_span record;
	uint64_t ts;
	uint32_t cpu;
	int32_t pid;
	/* Names of tasks as they are known at this event; NULL: those of the file. */
	struct learned_tasks *learn;
	uint64_t serial;
};

enum model_filter_result {
	MODEL_FILTER_MISS = 0,
	MODEL_FILTER_MATCH = 1,
	MODEL_FILTER_FAILED = 2 /* a field outside the record, a division by zero */
};

enum model_filter_result model_filter_run(const struct model_filter_prog *p,
					  const struct model_filter_event *ev);

#endif
