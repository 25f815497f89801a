/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Puts records in order of time, then CPU, then place. perf empties the buffers of all CPUs in turn
 * and ends the round with a record: what comes later is not earlier than the latest record of the
 * round before, so that all up to that one can be given. Records of two rounds are in memory then.
 * Where a first pass found times that go back further, or rounds that are too long, all records go
 * through the external sort. Both give the same order.
 */
#include "perf_order.h"

#include <stdlib.h>
#include <string.h>

#include "core/grow.h"
#include "core/search.h"

enum { ROUNDS_MOST = 16 * 1024 * 1024 };

enum tdat_status perf_order_init(struct perf_order *o, const struct perf_rounds *learnt, bool whole,
				 import_sort_fn fn, void *ctx, struct tdat_error *err)
{
	*o = (struct perf_order){.fn = fn, .ctx = ctx};
	return whole || learnt->late || learnt->most_len > ROUNDS_MOST
		       ? import_sort_new(&o->sort, 0, err)
		       : TDAT_OK;
}

void perf_order_fini(struct perf_order *o)
{
	import_sort_free(o->sort);
	tdat_build_fini(&o->data);
	tdat_build_fini(&o->rest);
	free(o->entries);
}

static enum tdat_status keep(struct perf_order *o, struct tdat_build *to, size_t at, uint64_t ts,
			     uint32_t cpu, struct tdat_span record, struct tdat_error *err)
{
	const uint32_t len = (uint32_t)record.len;

	if (!TDAT_GROW(o->entries, &o->cap, at + 1))
		return tdat_error_no_memory(err, "records of a round");
	o->entries[at] = (struct perf_order_entry){ts, cpu, (uint32_t)to->len};
	tdat_build_bytes(to, &len, sizeof(len));
	tdat_build_bytes(to, record.ptr, record.len);
	return to->failed ? tdat_error_no_memory(err, "records of a round") : TDAT_OK;
}

enum tdat_status perf_order_add(struct perf_order *o, uint64_t ts, uint32_t cpu, const void *data,
				size_t len, struct tdat_error *err)
{
	if (o->sort)
		return import_sort_add(o->sort, ts, cpu, data, len, err);
	o->most = ts > o->most ? ts : o->most;
	return keep(o, &o->data, o->count++, ts, cpu, (struct tdat_span){data, len}, err);
}

static int by_time(const void *a, const void *b)
{
	const struct perf_order_entry *x = a, *y = b;

	return TDAT_ORDER(x->ts, y->ts, TDAT_ORDER(x->cpu, y->cpu, TDAT_ORDER(x->off, y->off, 0)));
}

static struct tdat_span record_at(const struct perf_order *o, uint32_t off)
{
	uint32_t len;

	memcpy(&len, o->data.ptr + off, sizeof(len));
	return (struct tdat_span){o->data.ptr + off + sizeof(len), len};
}

/* Gives the records before a time, and keeps the others. */
static enum tdat_status give(struct perf_order *o, uint64_t end, bool all, struct tdat_error *err)
{
	const struct tdat_build used = o->data;
	enum tdat_status st = TDAT_OK;
	size_t i = 0, kept = 0;

	if (o->count)
		qsort(o->entries, o->count, sizeof(*o->entries), by_time);
	for (; i < o->count && (all || o->entries[i].ts < end) && st == TDAT_OK; i++)
		st = o->fn(o->ctx, o->entries[i].ts, o->entries[i].cpu,
			   record_at(o, o->entries[i].off), err);
	o->rest.len = 0;
	for (; i < o->count && st == TDAT_OK; i++, kept++) {
		const struct perf_order_entry e = o->entries[i];

		st = keep(o, &o->rest, kept, e.ts, e.cpu, record_at(o, e.off), err);
	}
	o->count = kept;
	o->data = o->rest;
	o->rest = used;
	return st;
}

enum tdat_status perf_order_round(struct perf_order *o, struct tdat_error *err)
{
	const uint64_t end = o->next;

	if (o->sort)
		return TDAT_OK;
	o->next = o->most;
	return give(o, end, false, err);
}

enum tdat_status perf_order_end(struct perf_order *o, struct tdat_error *err)
{
	return o->sort ? import_sort_each(o->sort, o->fn, o->ctx, err) : give(o, 0, true, err);
}
