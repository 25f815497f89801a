/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What "tdat latency" found out about one table. */
#ifndef CLI_LATENCY_FACTS_H
#define CLI_LATENCY_FACTS_H

#include "output/json_out.h"
#include "tables/groups.h"
#include "tables/trace_tables.h"
#include "tables/values.h"

enum { LATENCY_KEYS = 8, LATENCY_DEFAULT_KEYS = 3, LATENCY_WORST = 1000 };

struct latency_args {
	struct cli_table_args table; /* must be the first */
	struct cli_list tables, by;
	const char *value;
	uint64_t top, worst;
	bool json, csv;
};

/* One of the greatest values. */
struct latency_worst {
	int64_t value;
	uint64_t ts, serial;
	int64_t cpu, pid; /* -1 and INT64_MIN: none */
	size_t group;
	char *comm; /* NULL: none */
};

struct latency {
	struct cli_trace *trace;
	const struct latency_args *args;
	const struct tdat_table *table;
	char *const *paths;
	int path_count;
	const char *value;
	const char *keys[LATENCY_KEYS];
	size_t key_count;
	bool is_time; /* the value is a time in the unit of the clock */

	struct cli_groups groups;
	struct cli_values *values; /* by group */
	size_t value_cap;
	size_t *order;	       /* groups with the greatest sum first */
	struct cli_values all; /* its sums only */
	struct cli_values_pool pool;
	struct latency_worst *worst; /* the greatest first */
	size_t worst_count;
	uint64_t rows, none; /* rows; those without a value */
};

enum { LATENCY_QUANTILES = 4 };

extern const char *const latency_quantile_names[LATENCY_QUANTILES];

/* The quantiles of these names, of a group or with LATENCY_ALL of all; false: no memory. */
#define LATENCY_ALL SIZE_MAX
bool latency_quantiles(const struct latency *l, size_t group, int64_t out[LATENCY_QUANTILES]);
/* How many values lie between powers of two, as cli_values_log2 says, of the same. */
void latency_log2(const struct latency *l, size_t group, uint64_t out[CLI_VALUES_LOG2]);

/* A command that prints the event of a row; the caller frees it. NULL: no memory. */
char *latency_dump(const struct latency *l, const struct latency_worst *w);

/* False: no memory. */
bool latency_text(struct latency *l);
bool latency_json(struct tdat_json *j, struct latency *l);
bool latency_csv(struct latency *l);

#endif
