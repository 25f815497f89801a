/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Puts the records of a perf.data in order of time: round by round where that is enough. */
#ifndef TDAT_IMPORT_PERF_ORDER_H
#define TDAT_IMPORT_PERF_ORDER_H

#include "core/build.h"
#include "import/sort.h"

/* Learns, before records are ordered, how far back their times go. All zeros at the start. */
struct perf_rounds {
	uint64_t most;	/* the latest time so far */
	uint64_t next;	/* the same at the last end of a round */
	uint64_t given; /* that of the end before: all before it are given then */
	uint64_t len, before_len, most_len; /* bytes of a round; of two at once */
	bool late;			    /* a time lies before what would be given already */
};

static inline void perf_rounds_add(struct perf_rounds *r, uint64_t ts, size_t len)
{
	r->late |= ts < r->given;
	r->most = ts > r->most ? ts : r->most;
	r->len += len;
	if (r->len + r->before_len > r->most_len)
		r->most_len = r->len + r->before_len;
}

static inline void perf_rounds_end(struct perf_rounds *r)
{
	r->given = r->next;
	r->next = r->most;
	r->before_len = r->len;
	r->len = 0;
}

struct perf_order_entry {
	uint64_t ts;
	uint32_t cpu;
	uint32_t off; /* of the length and the record in the data */
};

struct perf_order {
	struct import_sort *sort; /* NULL: by rounds */
	import_sort_fn fn;
	void *ctx;
	struct tdat_build data, rest;
	struct perf_order_entry *entries;
	size_t count, cap;
	uint64_t most, next;
};

/* whole: rounds of files beside each other are not those of the recording. fn takes the records. */
enum tdat_status perf_order_init(struct perf_order *o, const struct perf_rounds *learnt, bool whole,
				 import_sort_fn fn, void *ctx, struct tdat_error *err);
void perf_order_fini(struct perf_order *o);
enum tdat_status perf_order_add(struct perf_order *o, uint64_t ts, uint32_t cpu, const void *data,
				size_t len, struct tdat_error *err);
enum tdat_status perf_order_round(struct perf_order *o, struct tdat_error *err);
enum tdat_status perf_order_end(struct perf_order *o, struct tdat_error *err);

#endif
