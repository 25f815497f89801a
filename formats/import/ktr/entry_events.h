/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Makes events of KTR entries; declares the state of one conversion and its output. */
#ifndef TDAT_IMPORT_KTR_ENTRY_EVENTS_H
#define TDAT_IMPORT_KTR_ENTRY_EVENTS_H

#include <tdat/emit.h>

#include "core/build.h"
#include "format_table.h"
#include "printf_format.h"
#include "thread_pids.h"

struct ktr_entry;
struct ktr_meta;
struct ktr_setup;
struct ktr_strings;

#define KTR_HZ_MAX 10000000000ull

struct ktr_output_opts {
	bool typed;
	bool graph;
	bool sched;
	bool atrace;
	bool ns;     /* stamps are ns already */
	uint64_t hz; /* 0: stamps stay cycles */
};

struct ktr_sched;

enum { KTR_TYPED_NAME_CAP = 64 };

/* A name of an event that has a format of its own; an empty one is a free slot. */
struct ktr_typed_name {
	char name[KTR_TYPED_NAME_CAP];
	unsigned int last; /* numbers that were tried behind it */
};

struct ktr_output {
	const struct tdat_emit *emit;
	const struct ktr_setup *setup; /* layout NULL for text forms */
	struct ktr_output_opts opts;
	struct ktr_strings *strings;
	struct ktr_formats formats;
	struct ktr_tasks tasks;
	struct ktr_sched *sched;
	unsigned int word, parm_count;
	uint16_t ktr_id, graph_ids[3], mark_id;
	struct tdat_build payload, message, file, arg;
	struct ktr_print_stats print;
	uint64_t files_unresolved;
	uint64_t *cpu_events; /* by CPU */
	uint32_t cpu_count;
	uint64_t typed_count; /* formats that have an event of their own */
	uint64_t typed_refused;
	struct ktr_typed_name *typed_names; /* a table by name; NULL before the first */
	uint64_t graphs_unknown;
};

enum tdat_status ktr_output_init(struct ktr_output *o, const struct tdat_emit *emit,
				 const struct ktr_setup *setup, const struct ktr_output_opts *opts,
				 struct ktr_strings *strings, uint32_t cpu_count,
				 struct tdat_error *err);
void ktr_output_fini(struct ktr_output *o);
enum tdat_status ktr_output_entry(struct ktr_output *o, const struct ktr_entry *e,
				  struct tdat_error *err);
/* Warns of doubts about strings and writes CPUSTAT. */
enum tdat_status ktr_output_end(struct ktr_output *o, const struct ktr_meta *meta,
				struct tdat_error *err);
/* The payload built last as an event. */
enum tdat_status ktr_output_send(struct ktr_output *o, uint32_t cpu, uint64_t ts,
				 struct tdat_error *err);
enum tdat_status ktr_output_format(struct ktr_output *o, const char *system, const char *name,
				   uint16_t *id, struct tdat_error *err);

#endif
