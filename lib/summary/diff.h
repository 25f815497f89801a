/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What a comparison of two sides knows: families of things that are compared, their keys, and of
 * each key and side what happened in each block of time.
 */
#ifndef SUMMARY_DIFF_H
#define SUMMARY_DIFF_H

#include <tdat/summary.h>

#include "core/byte_set.h"
#include "groups.h"
#include "ratio.h"
#include "sketch.h"

enum {
	DIFF_SIDES = 2,
	DIFF_BLOCKS = 50,				 /* of a sample */
	DIFF_SAMPLES = SKETCH_BLOCKS_MOST / DIFF_BLOCKS, /* of a side */
	DIFF_KEYS = 1 << 16,
	DIFF_ROOM = 56 << 20, /* bytes of what happened in blocks */
	DIFF_PARTS = 2	      /* of a key */
};

/* The columns that are read, of the tables that have them. */
enum diff_column {
	DIFF_TS,
	DIFF_DUR,
	DIFF_STATE,
	DIFF_NAME,
	DIFF_IRQ,
	DIFF_NR,
	DIFF_FUNC,
	DIFF_DEV,
	DIFF_RWBS,
	DIFF_SYSTEM,
	DIFF_EVENT,
	DIFF_ID, /* of events only */
	DIFF_KHZ,
	DIFF_LOST,
	DIFF_PID, /* only where tables of tasks are read */
	DIFF_COMM,
	DIFF_COLUMNS
};

/* How rows of a family count. */
enum diff_kind {
	DIFF_COUNT, /* each is one */
	DIFF_TIME,  /* by their duration, spread over the blocks that it touches */
	DIFF_VALUES /* one each, and the duration is a value */
};

/* Which rows of its table a family takes. */
enum diff_rows { DIFF_ALL, DIFF_BUSY, DIFF_WAITING, DIFF_BLOCKED };

/* Something that is compared: rows of a table by key. */
struct diff_family {
	const char *what, *table;
	enum diff_kind kind;
	enum diff_rows rows;
	bool per_cpu; /* of a CPU; else of the system */
	bool by_task; /* the key is the task */
	/* Columns of the key: those of enum diff_column; join stands between, 0: the first that is
	 * not null is the key. */
	size_t part_count, parts[DIFF_PARTS];
	char join;
};

/* What happened with a key on a side. */
struct diff_series {
	uint64_t rows;
	uint64_t *amounts; /* by block: rows, or times */
	size_t amount_cap;
	struct sketch values;
};

struct diff_key {
	uint32_t family;
	bool is_full; /* there was no room for all of it: it is not compared */
	struct diff_series sides[DIFF_SIDES];
};

/* How long it was recorded, by block. */
struct diff_exposure {
	double *blocks, total;
	size_t cap;
};

struct diff_side {
	struct diff_exposure exposures[2]; /* of the system, and of CPUs: by per_cpu */
	size_t block_count, sample_count;
	double time; /* of all samples */
	uint64_t lost, lost_marks;
	uint64_t *rows; /* by family */
	size_t row_cap;
};

/* What is known of a family: its groups of raw keys, and the events that its rows are made of. */
struct diff_groups {
	const char *needs; /* as struct tdat_table_about has them; NULL: none */
	struct summary_groups groups;
	uint32_t *keys; /* by group: the key and 1; 0: not asked for yet */
	size_t cap;
};

struct tdat_diff {
	struct tdat_diff_opts opts;
	struct tdat_diff_facts facts;
	struct diff_family *families;
	struct diff_groups *groups; /* of each family */
	size_t family_count, family_cap, group_cap;
	char **pairs; /* names and needs of tables of pairs, which are families behind the others */
	size_t pair_count, pair_cap;
	struct diff_side sides[DIFF_SIDES];
	struct diff_key *keys;
	size_t key_count, key_cap;
	struct tdat_byte_set names; /* of keys: the number of the family, ':' and the text */
	struct tdat_build name;
	struct sketch_pool pool;
	bool was_run, was_cancelled, seconds, has_samples;
	bool of_seconds; /* the clocks count nanoseconds, even where --raw-ts shows ticks */
	uint64_t others; /* rows of keys for which there was no room */
	struct tdat_diff_note *notes;
	size_t note_count, note_cap;

	struct tdat_diff_change *tests; /* all that were made, then only those that are shown */
	size_t test_count, test_cap;
};

/* ---- what happens in blocks (diff_keys.c) ---- */

#define DIFF_NO_KEY UINT32_MAX

/* The key of a family with that text, made if there is none. DIFF_NO_KEY: no room, or no memory. */
uint32_t diff_key_of(struct tdat_diff *d, uint32_t family, struct tdat_span text);
/* The text of a key, in which digits of tasks are folded. */
struct tdat_span diff_key_text(const struct tdat_diff *d, uint32_t key);
/* Folds each run of digits into 'N', behind what out has. */
void diff_fold(struct tdat_build *out, struct tdat_span text);
/* Adds an amount, or a value, to a key's block. False: no memory. */
bool diff_add_amount(struct tdat_diff *d, uint32_t key, int side, size_t block, uint64_t amount);
bool diff_add_value(struct tdat_diff *d, uint32_t key, int side, size_t block, int64_t value);
/* Adds the blocks of a sample, each with the time of its CPUs, of which there are cpus. False: no
 * memory. */
bool diff_add_blocks(struct tdat_diff *d, int side, const double *exposure, size_t count,
		     size_t cpus);
/* Ends a sample: nothing is added to its blocks any more. False: no memory. */
bool diff_settle(struct tdat_diff *d, int side);
void diff_keys_fini(struct tdat_diff *d);

/* ---- families (diff_families.c) ---- */

/* The family whose rows are all events. */
enum { DIFF_EVENTS };

/* Makes the families of all traces; those of the pairs of a trace. False: no memory. */
bool diff_families(struct tdat_diff *d);
bool diff_pairs(struct tdat_diff *d, const struct tdat_trace *trace);
/* Whether a side has rows of a family, or at least all events that these are made of. */
bool diff_was_recorded(const struct tdat_diff *d, size_t family, int side);
void diff_families_fini(struct tdat_diff *d);
/* The key of a group of a family; DIFF_NO_KEY: there is no room for it. False: no memory. */
bool diff_group_key(struct tdat_diff *d, size_t family, size_t group, uint32_t *key);

/* ---- rows of a trace (diff_take.c) ---- */

/* The time of a sample, and the time of its CPUs in each block. */
struct diff_sample {
	int side;
	uint64_t from, span, block_len;
	size_t first; /* the number of its first block */
	double exposure[DIFF_BLOCKS];
	size_t block_count, cpu_count;
};

/* Reads a trace as a sample, whose blocks were added. */
enum tdat_status diff_take(struct tdat_diff *d, const struct diff_sample *sample,
			   const struct tdat_trace *trace, const struct tdat_table_opts *opts,
			   struct tdat_error *err);

/* ---- tests (diff_test.c) ---- */

/* Compares all keys. False: no memory, or it was cancelled. */
bool diff_test_all(struct tdat_diff *d);
/* A key's rate as blocks; out has room for the blocks of the side. */
struct ratio_side diff_rate_blocks(const struct tdat_diff *d, uint32_t key, int side,
				   struct ratio_block *out);
/* Counts a key's values by range, divided by their number. */
void diff_shares(const struct diff_series *s, double out[SKETCH_RANGES]);
/* What a rate per nanosecond is multiplied by, to be what is shown. */
double diff_scale(const struct tdat_diff *d, const struct diff_family *f);

/* ---- intervals (diff_interval.c) ---- */

/* Sets low and high of changes of one key, which are count. False: no memory. */
bool diff_intervals(struct tdat_diff *d, struct tdat_diff_change *changes, size_t count);

#endif
