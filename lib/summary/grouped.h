/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Groups of rows, and what is known of each. */
#ifndef SUMMARY_GROUPED_H
#define SUMMARY_GROUPED_H

#include "core/arena.h"
#include "summary.h"
#include "values.h"

struct grouped {
	struct tdat_summary s; /* groups[0] */
	struct tdat_groups_opts opts;
	struct tdat_groups_facts facts;
	const char *keys[TDAT_GROUP_KEYS];
	struct tdat_arena names;	  /* of keys */
	size_t value, ts, cpu, pid, comm; /* places among the columns, behind those of keys */

	struct summary_values *values; /* by group */
	size_t value_cap;
	size_t *order;
	struct summary_values all; /* sums only */
	struct summary_values_pool pool;
	struct tdat_group_worst *worst; /* the greatest first */
	size_t worst_count;
};

static inline const struct grouped *grouped_of(const struct tdat_summary *s)
{
	return (const struct grouped *)s;
}

/* Sets at and dump of a row. False: no memory. */
bool grouped_show_worst(const struct grouped *g, struct tdat_group_worst *w);
bool grouped_json(const struct tdat_summary *s, struct tdat_json *j);

#endif
