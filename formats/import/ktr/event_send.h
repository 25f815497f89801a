/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Emits formats and events; declares the state of one conversion and its output. */
#ifndef TDAT_IMPORT_KTR_EVENT_SEND_H
#define TDAT_IMPORT_KTR_EVENT_SEND_H

#include <tdat/emit.h>

#include "core/build.h"
#include "format_table.h"
#include "ktrgraph.h"
#include "printf_format.h"
#include "thread_pids.h"

struct ktr_entry;
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

/* Offsets in the event "ktr". */
enum { KTR_PID_OFF = 4, KTR_LOC_FILE = 12, KTR_LOC_MSG = 80, KTR_FIXED_LEN = 84 };

enum { KTR_TYPED_NAME_CAP = 64 };

/* A name of an event that has a format of its own. */
struct ktr_typed_name {
	char name[KTR_TYPED_NAME_CAP];
	unsigned int last; /* numbers that were tried behind it */
};

struct ktr_output {
	const struct tdat_emit *emit;
	const struct ktr_setup *setup; /* layout NULL for text forms */
	struct ktr_output_opts opts;
	bool others; /* events beside "ktr" are asked for */
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
	struct ktr_typed_name *typed_names; /* NULL before the first */
	size_t typed_cap;
	struct tdat_map typed_map; /* by name */
	uint64_t graphs_unknown;
};

/* The payload built last as an event. */
enum tdat_status ktr_output_send(struct ktr_output *o, uint32_t cpu, uint64_t ts,
				 struct tdat_error *err);
/* Cycles to ns, where their rate is known. */
uint64_t ktr_stamp(const struct ktr_output *o, uint64_t ts);
enum tdat_status ktr_output_format(struct ktr_output *o, const char *system, const char *name,
				   uint16_t *id, struct tdat_error *err);

#endif
