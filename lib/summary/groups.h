/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Groups of rows that have the same values in some columns, numbered in the order in which they
 * come. Their number and the bytes of their keys are bounded: rows of all further groups are given
 * to the last one, and counted.
 */
#ifndef SUMMARY_GROUPS_H
#define SUMMARY_GROUPS_H

#include <tdat/summary.h>

#include "core/byte_set.h"
#include "column.h"

/* A key is a value of each part as text, and five bytes more for each. */
enum { SUMMARY_GROUPS_MAX = 1 << 19, SUMMARY_GROUPS_KEYS_MAX = 40 << 20 };
/* Groups of a batch that are found by the words of a row, of so many parts at most. */
enum { SUMMARY_GROUPS_RECENT = 512, SUMMARY_GROUPS_WORDS = 3 };
#define SUMMARY_NO_GROUP SIZE_MAX

/* What a group's rows have in a batch: places in dictionaries, and numbers. */
struct summary_groups_recent {
	uint64_t batch, words[SUMMARY_GROUPS_WORDS];
	size_t group;
};

struct summary_groups {
	size_t part_count, count;
	/* Keys: for each part a flag, a length and the text. Group i has number i + 1. */
	struct tdat_byte_set keys;
	struct tdat_build key; /* the one that is looked for */
	bool full;	       /* further groups belong to the last one, which has no values */
	struct tdat_summary_others others;    /* what was given to it */
	struct summary_groups_recent *recent; /* by hash of the words; NULL: none yet */
	uint64_t batch;			      /* number of the batch; 0: batches are not told */
};

void summary_groups_init(struct summary_groups *g, const char *what, size_t part_count);
void summary_groups_fini(struct summary_groups *g);

/*
 * Says that a batch begins: the columns of summary_groups_find stay the same until the next call.
 * Words of its rows stand for their groups then. Without this each row's key is made.
 */
void summary_groups_batch(struct summary_groups *g);

/* The group of a row: its values in part_count columns. SUMMARY_NO_GROUP: no memory. */
size_t summary_groups_find(struct summary_groups *g, const struct summary_column *columns,
			   int64_t row);

/* Whether a group stands for all for which there was no room. */
static inline bool summary_groups_are_others(const struct summary_groups *g, size_t group)
{
	return g->full && group + 1 == g->count;
}

/* A value of a group's key as text; ptr NULL: null. *is_number, unless NULL: its column has
 * numbers. */
struct tdat_span summary_groups_part(const struct summary_groups *g, size_t group, size_t part,
				     bool *is_number);

/*
 * Compares the keys of two groups, for sorting: numbers by value, texts by their bytes, null first.
 */
int summary_groups_compare(const struct summary_groups *g, size_t a, size_t b);

/*
 * All groups in order: of the same first parts of their keys together, then those with the greatest
 * weight, of sums by group, first; weight NULL: only keys count. The caller frees it; NULL: no
 * memory.
 */
size_t *summary_groups_order(const struct summary_groups *g, size_t same,
			     uint64_t (*weight)(const void *sums, size_t group), const void *sums);

#endif
