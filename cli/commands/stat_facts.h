/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What "tdat stat" counted in one file, and the two ways it prints that. */
#ifndef CLI_STAT_FACTS_H
#define CLI_STAT_FACTS_H

#include <tdat/tdat.h>

#include "output/json_out.h"
#include "tables/trace_tables.h"

struct stat_args {
	struct cli_table_args table;
	struct tdat_filter *made; /* of these; NULL: none */
	bool json;
	uint64_t top; /* rows of a table; 0: all */
	bool kmem;
	uint64_t kmem_live;
	struct cli_list by; /* group by these columns instead */
	const char *sum;
	bool csv, exact;
};

/* Sums over the streams of a buffer, or of all buffers. */
struct stat_sum {
	uint64_t events, lost, lost_marks, bad_pages, bytes;
	uint64_t first_ts, last_ts; /* when events is not 0 */
};

struct stat_facts {
	const struct stat_args *args;
	const struct tdat_file *file;
	const struct tdat_buffer *buffers;
	const struct tdat_stat_stream *streams;
	const struct tdat_stat_event *events;
	const struct tdat_stat_task *tasks;
	const struct tdat_stat_gap *gaps;
	size_t buffer_count, stream_count, event_count, task_count, gap_count;
	uint64_t bin_start, bin_width;
	size_t bin_count; /* that the events reach */
	struct stat_sum total;
	const struct kmem_sums *kmem; /* NULL: not asked for */
	bool seconds;		      /* times are in nanoseconds */
};

enum { STAT_COLUMNS = 64 };

/* stat_facts_init collects what st counted; all it points to belongs to file and st. */
void stat_facts_init(struct stat_facts *f, const struct stat_args *a, struct tdat_file *file,
		     const struct tdat_stat *st);

/* Sums up the streams of a buffer. False: it has none. */
bool stat_buffer_sum(const struct stat_facts *f, size_t buffer, struct stat_sum *sum);

void stat_sum_add(struct stat_sum *sum, const struct tdat_stat_stream *s);
/* stat_rate gives events per second; false: the clock does not count nanoseconds. */
bool stat_rate(const struct stat_facts *f, uint64_t events, uint64_t *rate);
/*
 * stat_columns spreads the events of a stream over up to `most` columns of equal time, and never
 * more than STAT_COLUMNS; returns how many columns are used.
 */
size_t stat_columns(const struct stat_facts *f, const struct tdat_stat_stream *s, uint64_t *columns,
		    size_t most);
struct tdat_span stat_comm(const struct stat_facts *f, int32_t pid);

/* False: no memory. */
bool stat_text(const struct stat_facts *f, bool first);
/* ---- stat_kmem.c: allocations ---- */

/* False: no memory. */
bool stat_kmem_text(const struct stat_facts *f);
void stat_kmem_json(struct tdat_json *j, const struct stat_facts *f);

/* Does what "tdat stat --by" asks for; the files are one trace. */
int stat_by(struct stat_args *a, int argc, char **argv);

void stat_json(struct tdat_json *j, const struct stat_facts *f);

#endif
