/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints the sums of "tdat stat --kmem" as text and as JSON. Sums come from kmem_sums.c. Text shows
 * the largest wastes first; JSON has all rows in the same order. Called by stat_text.c and
 * stat_json.c for each file.
 */
#include <inttypes.h>
#include <string.h>

#include "commands/kmem_sums.h"
#include "commands/stat_facts.h"
#include "terminal/safe_text.h"

/* Returns the bytes that were allocated beyond those requested. Negative if a file claims so. */
static int64_t waste_of(const struct kmem_sum *s)
{
	return (int64_t)(s->bytes_alloc - s->bytes_req);
}

/* The sum over all kinds of allocation. */
static struct kmem_sum all_kinds(const struct kmem_total *t)
{
	struct kmem_sum sum = {0};

	for (size_t i = 0; i < KMEM_KINDS; i++)
		kmem_sum_add(&sum, &t->kinds[i]);
	return sum;
}

/* ---- text ---- */

static void put_head(const char *what)
{
	printf("\n  %12s %14s %14s %14s %7s %12s %12s %14s  %s\n", "allocations", "requested",
	       "allocated", "waste", "", "freed", "other CPU", "live bytes", what);
}

static void put_sum(const struct kmem_sum *s)
{
	int64_t waste = waste_of(s);

	printf("  %12" PRIu64 " %14" PRIu64 " %14" PRIu64 " %14" PRId64, s->allocs, s->bytes_req,
	       s->bytes_alloc, waste);
	if (s->bytes_alloc)
		printf(" %6.2f%%", 100.0 * (double)waste / (double)s->bytes_alloc);
	else
		printf(" %7s", "-");
	printf(" %12" PRIu64 " %12" PRIu64 " %14" PRIu64 "  ", s->freed, s->freed_elsewhere,
	       s->live_bytes);
}

/* A call site is a kind of allocation and an address, with its symbol if the file has kallsyms. */
static void put_place(const struct stat_facts *f, const struct kmem_row *row)
{
	uint64_t start;
	struct tdat_span symbol = tdat_file_symbol(f->file, row->call_site, &start);

	printf("%s 0x%" PRIx64, kmem_kind_names[row->kind], row->call_site);
	if (!symbol.ptr)
		return;
	putchar(' ');
	cli_put_text(stdout, (const char *)symbol.ptr, symbol.len);
	printf("+0x%" PRIx64, row->call_site - start);
}

/* `top` rows of call sites or of caches. */
static void text_rows(const struct stat_facts *f, const struct kmem_rows *list, const char *what)
{
	const struct kmem_row *rows = list->rows;
	const size_t count = list->count;
	size_t shown = f->args->top && f->args->top < count ? (size_t)f->args->top : count;

	if (!count)
		return;
	put_head(what);
	for (size_t i = 0; i < shown; i++) {
		put_sum(&rows[i].sum);
		if (rows[i].rest)
			fputs("(all others)", stdout);
		else if (rows[i].name)
			cli_put_text(stdout, rows[i].name, strlen(rows[i].name));
		else
			put_place(f, &rows[i]);
		putchar('\n');
	}
	if (shown < count)
		printf("  (%zu more)\n", count - shown);
}

/* Counts of unusual things have a line only if there are any. */
static void put_count(uint64_t n, const char *what)
{
	if (n)
		printf("  %12" PRIu64 "  %s\n", n, what);
}

/* Frees by kind, and those whose allocation is not in the trace. */
static void text_frees(const struct kmem_total *t)
{
	printf("\n  %12s %14s  %s\n", "frees", "without alloc", "kind");
	for (size_t i = 0; i < KMEM_KINDS; i++)
		printf("  %12" PRIu64 " %14" PRIu64 "  %s\n", t->frees[i], t->frees_unmatched[i],
		       kmem_kind_names[i]);
	put_count(t->frees_of_nothing, "frees of nothing");
	put_count(t->failed, "allocations that failed");
	put_count(t->reused, "allocations of a pointer whose free was not seen");
	put_count(t->not_followed, "allocations that were not followed");
	put_count(t->unread, "events without the fields that are needed");
}

/* Prints nothing without sums of allocations. */
void stat_kmem_text(const struct stat_facts *f)
{
	const struct kmem_total *t;
	struct kmem_sum sum;

	if (!f->kmem)
		return;
	t = &f->kmem->total;
	put_head("kind");
	for (size_t i = 0; i < KMEM_KINDS; i++) {
		put_sum(&t->kinds[i]);
		puts(kmem_kind_names[i]);
	}
	sum = all_kinds(t);
	put_sum(&sum);
	puts("all");
	text_frees(t);
	text_rows(f, &f->kmem->sites, "call site");
	text_rows(f, &f->kmem->caches, "cache of what was freed");
}

/* ---- JSON ---- */

static void json_sum(struct tdat_json *j, const struct kmem_sum *s)
{
	tdat_json_u64(j, "allocs", s->allocs);
	tdat_json_u64(j, "bytes_req", s->bytes_req);
	tdat_json_u64(j, "bytes_alloc", s->bytes_alloc);
	tdat_json_i64(j, "waste", waste_of(s));
	tdat_json_u64(j, "freed", s->freed);
	tdat_json_u64(j, "freed_elsewhere", s->freed_elsewhere);
	tdat_json_u64(j, "live_bytes", s->live_bytes);
}

static void json_kinds(struct tdat_json *j, const struct kmem_total *t)
{
	tdat_json_array(j, "by_kind");
	for (size_t i = 0; i < KMEM_KINDS; i++) {
		tdat_json_object(j, NULL);
		tdat_json_str(j, "kind", kmem_kind_names[i]);
		json_sum(j, &t->kinds[i]);
		tdat_json_u64(j, "frees", t->frees[i]);
		tdat_json_u64(j, "frees_unmatched", t->frees_unmatched[i]);
		tdat_json_object_end(j);
	}
	tdat_json_array_end(j);
}

/* The row of all further call sites is marked by "rest". */
static void json_sites(struct tdat_json *j, const struct stat_facts *f)
{
	const struct kmem_row *rows = f->kmem->sites.rows;
	const size_t count = f->kmem->sites.count;

	tdat_json_array(j, "by_call_site");
	for (size_t i = 0; i < count; i++) {
		const struct kmem_row *row = &rows[i];
		uint64_t start;
		struct tdat_span symbol = tdat_file_symbol(f->file, row->call_site, &start);

		tdat_json_object(j, NULL);
		if (row->rest) {
			tdat_json_bool(j, "rest", true);
		} else {
			tdat_json_str(j, "kind", kmem_kind_names[row->kind]);
			tdat_json_u64(j, "call_site", row->call_site);
			if (symbol.ptr) {
				tdat_json_strn(j, "symbol", (const char *)symbol.ptr, symbol.len);
				tdat_json_u64(j, "symbol_offset", row->call_site - start);
			}
		}
		json_sum(j, &row->sum);
		tdat_json_object_end(j);
	}
	tdat_json_array_end(j);
}

static void json_caches(struct tdat_json *j, const struct stat_facts *f)
{
	const struct kmem_row *rows = f->kmem->caches.rows;
	const size_t count = f->kmem->caches.count;

	tdat_json_array(j, "by_cache");
	for (size_t i = 0; i < count; i++) {
		tdat_json_object(j, NULL);
		tdat_json_str(j, "cache", rows[i].name);
		json_sum(j, &rows[i].sum);
		tdat_json_object_end(j);
	}
	tdat_json_array_end(j);
}

void stat_kmem_json(struct tdat_json *j, const struct stat_facts *f)
{
	const struct kmem_total *t;
	struct kmem_sum sum;

	if (!f->kmem)
		return;
	t = &f->kmem->total;
	sum = all_kinds(t);
	tdat_json_object(j, "kmem");
	json_sum(j, &sum);
	tdat_json_u64(j, "frees_of_nothing", t->frees_of_nothing);
	tdat_json_u64(j, "failed", t->failed);
	tdat_json_u64(j, "reused", t->reused);
	tdat_json_u64(j, "not_followed", t->not_followed);
	tdat_json_u64(j, "unread", t->unread);
	json_kinds(j, t);
	json_sites(j, f);
	json_caches(j, f);
	tdat_json_object_end(j);
}
