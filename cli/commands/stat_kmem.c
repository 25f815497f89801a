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
#include "terminal/columns.h"
#include "terminal/safe_text.h"
#include "terminal/units.h"

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

/* Begins a table of sums by `what`. */
static void begin(struct cli_columns *t, const struct stat_facts *f, const char *what)
{
	const struct cli_column columns[] = {
		{"allocations", 1, false}, {"requested", 4, false}, {"allocated", 0, false},
		{"waste", 0, false},	   {"share", 5, false},	    {"freed", 3, false},
		{"other CPU", 6, false},   {"live", 2, false},	    {what, 0, true}};

	putchar('\n');
	cli_columns_init(t, columns, sizeof(columns) / sizeof(columns[0]),
			 (struct cli_numbers){f->args->exact, f->seconds});
}

/* The cells before the name. Waste is negative if a file claims so. */
static void cell_sum(struct cli_columns *t, const struct kmem_sum *s)
{
	const int64_t waste = waste_of(s);
	const uint64_t size = waste < 0 ? 0 - (uint64_t)waste : (uint64_t)waste;
	const char *sign = waste < 0 ? "-" : "";

	cli_cell_count(t, s->allocs);
	cli_cell_bytes(t, s->bytes_req);
	cli_cell_bytes(t, s->bytes_alloc);
	tdat_build_str(&t->cells, sign);
	cli_cell_bytes(t, size);
	tdat_build_str(&t->cells, s->bytes_alloc ? sign : "");
	cli_cell_share(t, size, s->bytes_alloc);
	cli_cell_count(t, s->freed);
	cli_cell_count(t, s->freed_elsewhere);
	cli_cell_bytes(t, s->live_bytes);
}

/* A call site is a kind of allocation and an address, with its symbol if the file has kallsyms. */
static void cell_place(struct cli_columns *t, const struct stat_facts *f,
		       const struct kmem_row *row)
{
	uint64_t start;
	struct tdat_span symbol = tdat_file_symbol(f->file, row->call_site, &start);

	tdat_build_printf(&t->cells, "%s 0x%" PRIx64, kmem_kind_names[row->kind], row->call_site);
	if (symbol.ptr) {
		tdat_build_u8(&t->cells, ' ');
		cli_build_text(&t->cells, symbol.ptr, symbol.len, "");
		tdat_build_printf(&t->cells, "+0x%" PRIx64, row->call_site - start);
	}
	cli_cell_end(t);
}

/* `top` rows of call sites or of caches. False: no memory. */
static bool text_rows(const struct stat_facts *f, const struct kmem_rows *list, const char *what)
{
	const struct kmem_row *rows = list->rows;
	const size_t count = list->count;
	size_t shown = f->args->top && f->args->top < count ? (size_t)f->args->top : count;
	struct cli_columns t;
	bool ok;

	if (!count)
		return true;
	begin(&t, f, what);
	for (size_t i = 0; i < shown; i++) {
		cell_sum(&t, &rows[i].sum);
		if (rows[i].rest)
			cli_cell_str(&t, "(all others)");
		else if (rows[i].name)
			cli_cell_str(&t, rows[i].name);
		else
			cell_place(&t, f, &rows[i]);
	}
	ok = cli_columns_end(&t);
	if (shown < count)
		printf("  (%zu more)\n", count - shown);
	return ok;
}

/* Counts of unusual things have a line only if there are any. */
static void put_count(const struct stat_facts *f, uint64_t n, const char *what)
{
	char buf[CLI_UNIT_ROOM];

	if (n)
		printf("  %s %s\n", cli_unit_count(buf, n, f->args->exact), what);
}

/* Frees by kind, and those whose allocation is not in the trace. False: no memory. */
static bool text_frees(const struct stat_facts *f, const struct kmem_total *total)
{
	static const struct cli_column columns[] = {
		{"frees", 0, false}, {"without alloc", 0, false}, {"kind", 0, true}};
	struct cli_columns t;
	bool ok;

	putchar('\n');
	cli_columns_init(&t, columns, sizeof(columns) / sizeof(columns[0]),
			 (struct cli_numbers){f->args->exact, f->seconds});
	for (size_t i = 0; i < KMEM_KINDS; i++) {
		cli_cell_count(&t, total->frees[i]);
		cli_cell_count(&t, total->frees_unmatched[i]);
		cli_cell_str(&t, kmem_kind_names[i]);
	}
	ok = cli_columns_end(&t);
	put_count(f, total->frees_of_nothing, "frees of null pointers");
	put_count(f, total->failed, "allocations that failed");
	put_count(f, total->reused, "allocations of a pointer that was still allocated");
	put_count(f, total->not_followed, "allocations that were not tracked");
	put_count(f, total->unread, "events that lack the needed fields");
	return ok;
}

/* Prints nothing without sums of allocations. */
bool stat_kmem_text(const struct stat_facts *f)
{
	const struct kmem_total *total;
	struct kmem_sum sum;
	struct cli_columns t;

	if (!f->kmem)
		return true;
	total = &f->kmem->total;
	begin(&t, f, "kind");
	sum = all_kinds(total);
	cell_sum(&t, &sum);
	cli_cell_str(&t, "all");
	for (size_t i = 0; i < KMEM_KINDS; i++) {
		cell_sum(&t, &total->kinds[i]);
		cli_cell_str(&t, kmem_kind_names[i]);
	}
	return cli_columns_end(&t) && text_frees(f, total) &&
	       text_rows(f, &f->kmem->sites, "call site") &&
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
