/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Declares what the files of tdat_writer_merge share; they read with lib/read and write with
 * lib/write.
 */
#ifndef TDAT_MERGE_MERGE_H
#define TDAT_MERGE_MERGE_H

#include <tdat/merge.h>

#include "file/file.h"
#include "copy/copy.h"
#include "write/emit_ops.h"
#include "copy/record_swapper.h"
#include "seen.h"
#include "used.h"

/* A string of trace_printk that is at another address in the new file. */
struct merge_move {
	uint64_t from, to;
};

/* One input. */
struct merge_part {
	struct tdat_file *file;
	uint64_t memory_failures;    /* of the file, before */
	const char *label;	     /* as an instance */
	bool swapped;		     /* its records are byte-swapped */
	uint32_t host;		     /* index of the first part of the same machine */
	uint32_t table;		     /* index of the first part with the same kernel symbols */
	uint32_t cpu_base;	     /* added to its CPU numbers */
	uint32_t *buffers;	     /* writer's number of each of its buffers */
	uint16_t *ids;		     /* new event ids by its own; 0: none yet */
	uint32_t type_off, type_len; /* of common_type */
	struct merge_move *moves;    /* by from */
	size_t move_count, move_cap;
	struct record_swapper swapper;
	struct merge_used used; /* symbols and tasks its events need, if it was surveyed */
};

struct merge {
	struct tdat_writer *w;
	const struct tdat_iter_input *inputs;
	struct tdat_merge_opts opts;
	struct merge_part *parts;
	size_t count;
	bool keep_time; /* options of time are equal in all: they and raw timestamps stay */
	bool hosts_differ, tables_differ;
	uint8_t long_size; /* of kernel addresses in records */
	uint8_t *record;   /* room for one that changes */
	size_t record_cap;
	struct merge_seen seen; /* options and sections that the new file has */
	struct tdat_merge_result result;
};

/* One sentence about an input, as a warning of the writer. */
enum tdat_status merge_warn(struct merge *m, const struct merge_part *part, struct tdat_error *err,
			    const char *fmt, ...) TDAT_PRINTF(4, 5);

static inline const char *merge_name(const struct merge_part *part)
{
	return tdat_file_info(part->file)->name;
}

/* Refuses inputs that one file cannot hold. */
enum tdat_status merge_check(struct merge *m, struct tdat_error *err);

/* Decides on buffers and CPU numbers of the new file. */
enum tdat_status merge_buffers(struct merge *m, struct tdat_error *err);

/* Hands the formats of all inputs to the writer, with ids that do not clash. */
enum tdat_status merge_formats(struct merge *m, struct tdat_error *err);

/* Collects which symbols and tasks the events need, where the tables of the inputs differ. */
enum tdat_status merge_survey(struct merge *m, struct tdat_error *err);

enum tdat_status merge_symbols(struct merge *m, struct tdat_error *err);
enum tdat_status merge_printk(struct merge *m, struct tdat_error *err);
enum tdat_status merge_tasks(struct merge *m, struct tdat_error *err);
enum tdat_status merge_options(struct merge *m, struct tdat_error *err);
enum tdat_status merge_events(struct merge *m, struct tdat_error *err);

#endif
