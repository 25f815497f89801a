/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Groups of rows that have the same values in some columns, numbered in the order in which they
 * come. Their number and the bytes of their keys are bounded: rows of all further groups are given
 * to the last one, and group_text.h tells of them.
 */
#ifndef CLI_GROUPS_H
#define CLI_GROUPS_H

#include "core/build.h"
#include "core/map.h"
#include "tables/column.h"

/* A key is a value of each part as text, and five bytes more for each. */
enum { CLI_GROUPS_MAX = 1 << 19, CLI_GROUPS_KEYS_MAX = 40 << 20 };
/* Groups of a batch that are found by the words of a row, of so many parts at most. */
enum { CLI_GROUPS_RECENT = 512, CLI_GROUPS_WORDS = 3 };
#define CLI_NO_GROUP SIZE_MAX

/* What a group's rows have in a batch: places in dictionaries, and numbers. */
struct cli_groups_recent {
	uint64_t batch, words[CLI_GROUPS_WORDS];
	size_t group;
};

struct cli_groups {
	size_t part_count;
	struct tdat_build keys; /* of all groups: for each part a flag, a length and the text */
	size_t *starts;		/* in keys, of each group */
	size_t keys_end; /* the end of the last group's key; behind it is the one that is looked for
			  */
	size_t count, start_cap;
	struct tdat_map map;
	bool full;	     /* further groups belong to the last one, which has no values */
	uint64_t other_rows; /* which were given to it */
	struct cli_groups_recent *recent; /* by hash of the words; NULL: none yet */
	uint64_t batch;			  /* number of the batch; 0: batches are not told */
};

void cli_groups_init(struct cli_groups *g, size_t part_count);
void cli_groups_fini(struct cli_groups *g);

/*
 * Says that a batch begins: the columns of cli_groups_find stay the same until the next call. Words
 * of its rows stand for their groups then. Without this each row's key is made.
 */
void cli_groups_batch(struct cli_groups *g);

/* The group of a row: its values in part_count columns. CLI_NO_GROUP: no memory. */
size_t cli_groups_find(struct cli_groups *g, const struct cli_column *columns, int64_t row);

/* Whether a group stands for all for which there was no room. */
static inline bool cli_groups_are_others(const struct cli_groups *g, size_t group)
{
	return g->full && group + 1 == g->count;
}

/* A value of a group's key; ptr NULL: null. */
struct tdat_span cli_groups_part(const struct cli_groups *g, size_t group, size_t part);

/*
 * Compares the keys of two groups, for sorting: numbers by value, texts by their bytes, null first.
 */
int cli_groups_compare(const struct cli_groups *g, size_t a, size_t b);

#endif
