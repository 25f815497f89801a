/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Adds up the table kmem for tdat stat --kmem: by kind, by call site and by cache. A row of the
 * table is an allocation with its later free, or a free without a known allocation
 * (docs/analysis.md). The options choose events, as for all other counts of stat.
 */
#include "commands/kmem_sums.h"

#include <string.h>

#include <tdat/rows.h>

#include "tables/table_list.h"

const char *const kmem_kind_names[KMEM_KINDS] = {"kmalloc", "kmem_cache", "pages"};

/* The order of `columns`. */
enum { KIND, CALL_SITE, REQ, ALLOC, SPECIAL, OPEN, CPU, FREE_KIND, FREE_CPU, CACHE };
static const char *const columns[] = {"kind",	  "call_site", "bytes_req", "bytes_alloc",
				      "special",  "open",      "cpu",	    "free_kind",
				      "free_cpu", "cache",     NULL};

static bool is(const struct tdat_value *v, const char *text)
{
	return !v->is_null && v->text.len == strlen(text) &&
	       !memcmp(v->text.ptr, text, v->text.len);
}

static enum kmem_kind kind_of(const struct tdat_value *v)
{
	return is(v, kmem_kind_names[KMEM_KMALLOC]) ? KMEM_KMALLOC
	       : is(v, kmem_kind_names[KMEM_CACHE]) ? KMEM_CACHE
						    : KMEM_PAGES;
}

void kmem_sum_add(struct kmem_sum *to, const struct kmem_sum *s)
{
	to->allocs += s->allocs;
	to->bytes_req += s->bytes_req;
	to->bytes_alloc += s->bytes_alloc;
	to->freed += s->freed;
	to->freed_elsewhere += s->freed_elsewhere;
	to->live_bytes += s->live_bytes;
}

static void add_to_row(struct kmem_sums *s, struct kmem_rows *rows, uint64_t call_site,
		       enum kmem_kind kind, struct tdat_span name, const struct kmem_sum *one)
{
	struct kmem_sum *sum = kmem_rows_find(rows, call_site, kind, name);

	if (sum)
		kmem_sum_add(sum, one);
	else
		s->failed = true;
}

/* Adds one allocation to the sums of its kind, its call site, and its cache. */
static void add_allocation(struct kmem_sums *s, const struct tdat_value *v)
{
	/* "unended": the address was allocated again before a free was seen. */
	const bool freed = !v[FREE_KIND].is_null, reused = is(&v[OPEN], "unended");
	const enum kmem_kind kind = kind_of(&v[KIND]);
	const struct kmem_sum one = {
		.allocs = 1,
		.bytes_req = (uint64_t)v[REQ].number,
		.bytes_alloc = (uint64_t)v[ALLOC].number,
		.freed = freed,
		.freed_elsewhere = freed && v[FREE_CPU].number != v[CPU].number,
		.live_bytes = freed || reused ? 0 : (uint64_t)v[ALLOC].number,
	};

	s->total.reused += reused;
	s->total.not_followed += is(&v[SPECIAL], "not followed");
	kmem_sum_add(&s->total.kinds[kind], &one);
	add_to_row(s, &s->sites, (uint64_t)v[CALL_SITE].number, kind, (struct tdat_span){NULL, 0},
		   &one);
	/* The cache's name comes with the free alone: what it freed is counted for it. */
	if (freed && v[CACHE].text.len)
		add_to_row(s, &s->caches, 0, KMEM_CACHE, v[CACHE].text, &one);
}

/* Called for each row of the table. False stops the reading: no memory. */
static bool take_row(void *ctx, size_t table, const struct tdat_value *v)
{
	struct kmem_sums *s = ctx;

	(void)table;
	if (!v[FREE_KIND].is_null)
		s->total.frees[kind_of(&v[FREE_KIND])]++;
	if (is(&v[SPECIAL], "free of nothing"))
		s->total.frees_of_nothing++;
	else if (is(&v[SPECIAL], "free without allocation"))
		s->total.frees_unmatched[kind_of(&v[FREE_KIND])]++;
	else if (is(&v[SPECIAL], "failed"))
		s->total.failed++;
	else
		add_allocation(s, v);
	return !s->failed;
}

/* The report has a number for this one of the table's notes. */
static void take_note(void *ctx, const struct tdat_table *table, const char *what, uint64_t count)
{
	struct kmem_sums *s = ctx;

	(void)table;
	if (!strcmp(what, "event without the needed fields"))
		s->total.unread += count;
}

/*
 * Reads the whole file once. live_most bounds the addresses that are followed at once; 0: the
 * default.
 */
enum tdat_status kmem_sums_init(struct kmem_sums *s, struct tdat_file *file,
				const struct tdat_iter_opts *opts, uint64_t live_most,
				struct tdat_error *err)
{
	const struct tdat_iter_input in = {file, 0, 0};
	struct tdat_trace_opts trace_opts = TDAT_TRACE_OPTS_INIT;
	struct tdat_table_opts table_opts = TDAT_TABLE_OPTS_INIT;
	struct tdat_rows_table table = {NULL, columns};
	const struct kmem_total none = {0};
	struct tdat_trace *trace;
	enum tdat_status st;

	memset(s, 0, sizeof(*s));
	trace_opts.kmem_live = live_most;
	st = tdat_trace_new(&trace, &in, 1, &trace_opts, err);
	if (st != TDAT_OK)
		return st;
	table.table = tdat_trace_find(trace, "kmem");
	table_opts.filter = opts->filter;
	table_opts.cpus = opts->cpus;
	table_opts.cpu_count = opts->cpu_count;
	table_opts.of_events = true;
	table_opts.batch_rows = 4096;
	table_opts.note = take_note;
	table_opts.note_ctx = s;
	st = tdat_trace_rows(trace, &table, 1, &table_opts, take_row, s, err);
	s->lacks = st == TDAT_OK && !memcmp(&s->total, &none, sizeof(none)) &&
		   cli_table_lacks("stat --kmem", &table.table->about, &in, 1, NULL);
	tdat_trace_free(trace);
	if (st == TDAT_OK && s->failed)
		return tdat_error_no_memory(err, "sums of allocations");
	kmem_rows_sort(&s->sites);
	kmem_rows_sort(&s->caches);
	return st;
}

void kmem_sums_fini(struct kmem_sums *s)
{
	kmem_rows_fini(&s->sites);
	kmem_rows_fini(&s->caches);
}
