/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Where the rows of one derived table go. */
#ifndef TDAT_TABLE_DERIVED_OUT_H
#define TDAT_TABLE_DERIVED_OUT_H

#include "derived.h"
#include "core/map.h"
#include "read/cpu_list.h"
#include "read/select.h"
#include "reader_table.h"

enum { DERIVED_NOTES = 16, DERIVED_RECENT = 64 };

struct derived_note {
	const char *what;
	uint64_t count;
};

/* A buffer of an input. */
struct derived_rec {
	uint32_t input;
	const char *buffer;
};

/* Which rows are wanted. */
struct derived_choice {
	bool timed; /* the interval has a moment in this time */
	uint64_t from, to;
	bool has_span; /* ts is in this time */
	int64_t from_ts, to_ts;
	struct read_cpus cpus;
	const struct model_pid_set *pids; /* NULL: all */
	const struct tdat_filter *filter; /* its pids and comms; or NULL */
	const struct tdat_explain *explain;
};

/* Texts of derived_intern. */
struct derived_texts {
	struct tdat_arena arena;
	const char **v;
	size_t cap;
	struct tdat_map map;
	const char *recent[DERIVED_RECENT]; /* by address of the text that was given */
};

struct derived_out {
	struct table_row row; /* first: derived_put_int and the like get it */
	struct reader_table *table;
	const struct tdat_trace *trace;
	const struct table_derived *def;
	const struct derived_rec *recs;
	uint32_t rec_count, type_count;
	const struct derived_choice *choice;
	struct derived_texts *texts; /* of the pass */
	struct tdat_build text;
	struct derived_note notes[DERIVED_NOTES];
};

void derived_texts_fini(struct derived_texts *t);
void derived_out_fini(struct derived_out *o);

#endif
