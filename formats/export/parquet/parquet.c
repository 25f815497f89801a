/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The exporter of Apache Parquet: one file for each table, written from its start to its end.
 *
 * Memory: pages are encoded and compressed as soon as they are full, and kept until their row
 * group is written. A row group ends when its rows have GROUP_LEN bytes, or with its number of rows
 * (option row-group), or when the table keeps more bytes than the option memory says. Both depend
 * on the rows of the table only, so that a file has the same bytes however many threads there are.
 * Where the caller tells how many tables share memory (share), each keeps the less the more there
 * are, since thousands of tables would keep gigabytes; the count is that of the trace up to these
 * rows and does not depend on threads either. With the option budget a row group ends earlier, too,
 * when all tables together keep much: a table may then keep a quarter of what is left of the
 * budget. So many busy tables come near the budget and never exceed it by more than what one page
 * of each takes, while few tables do not notice. Where row groups end then depends on the order in
 * which batches of all tables come: a caller with several threads that wants the same bytes each
 * time divides the budget among its tables by the option memory instead.
 */
#include <stdlib.h>
#include <string.h>

#include "export/columns/column_options.h"
#include "export/exporters.h"
#include "join.h"
#include "table.h"

enum {
	/* Rows between two checks of the bytes kept. */
	SLICE = 256,	     /* rows between two looks at what is kept */
	SLICE_LEN = 1 << 18, /* bytes of long texts in a slice */
	/* Rows of a page: at least and at most. */
	PAGE_ROWS_LEAST = 1024,
	PAGE_ROWS_MOST = 1 << 15,
	PAGE_LEN = 1 << 18,	/* bytes of the texts of a page */
	GROUP_LEN = 96 << 20,	/* bytes of the rows of a row group, before they are encoded */
	TELL = 1 << 14,		/* bytes that a table may keep without telling */
	SHARE_LEAST = 16 << 10, /* bytes that a table of very many keeps */
};

/* Bytes that tables may keep together if they share memory. */
static const size_t shared = 80 << 20;

#define MEMORY_DEFAULT "33554432"

static void scratch_fini(void *scratch)
{
	struct column_scratch *s = scratch;

	tdat_build_fini(&s->raw);
	tdat_build_fini(&s->packed);
	tdat_build_fini(&s->entries);
	tdat_build_fini(&s->column_indexes);
	tdat_build_fini(&s->offset_indexes);
}

/* Bytes that a table keeps: open pages, finished ones and dictionaries. */
static size_t held(const struct parquet_table *t)
{
	size_t n = 0;

	for (size_t i = 0; i < t->input.types.count; i++)
		n += column_held(&t->columns[i]);
	return n;
}

/*
 * Updates the export's sum by the bytes that the table keeps now, and returns the sum. Small
 * changes are not reported, to keep threads off the shared counter.
 */
static size_t tell(struct parquet_table *t, size_t now)
{
	struct parquet_export *x = t->export;
	const size_t told = t->told;

	if (now > told ? now - told < TELL : told - now < TELL)
		return atomic_load_explicit(&x->held, memory_order_relaxed);
	t->told = now;
	return atomic_fetch_add_explicit(&x->held, now - told, memory_order_relaxed) + now - told;
}

/*
 * True if the row group must end: by its rows, by the bytes of the table, or by the budget of all
 * tables.
 */
static bool keeps_too_much(struct parquet_table *t)
{
	const struct parquet_export *x = t->export;
	const size_t now = held(t);
	size_t all;

	if (now >= t->most || t->group_rows >= x->group_rows ||
	    (!x->group_rows_told && t->group_bits / 8 >= GROUP_LEN))
		return true;
	if (!x->budget)
		return false;
	all = tell(t, now);
	return all >= x->budget || now > (x->budget - all) / 4;
}

/* Writes the row group, and updates the sum. */
static enum tdat_status end_group(struct parquet_table *t, struct tdat_error *err)
{
	enum tdat_status st = row_group_write(t, err);

	if (t->export->budget)
		tell(t, held(t));
	return st;
}

/*
 * Rows up to the next check: fewer if texts or lists are long, so that a page never gets far too
 * large.
 */
static size_t slice_len(const struct parquet_table *t, size_t first, size_t left)
{
	size_t n = SLICE - t->group_rows % SLICE;

	/* Slices end at multiples of SLICE in the row group, however rows come in batches. */
	if (n > t->export->group_rows - t->group_rows)
		n = (size_t)(t->export->group_rows - t->group_rows);
	if (n > left)
		n = left;
	for (size_t i = 0; i < t->input.types.count; i++)
		while (n > 1 &&
		       column_rows_len(&t->columns[i], &t->input.views[i], first, n) > SLICE_LEN)
			n /= 2;
	return n;
}

/*
 * Prepares all columns for the batch; also after a row group has ended within it, since
 * dictionaries are new.
 */
static enum tdat_status start_batch(struct parquet_table *t, struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;

	for (size_t i = 0; st == TDAT_OK && i < t->input.types.count; i++)
		st = column_batch(&t->columns[i], &t->input.views[i], err);
	return st;
}

/* Bits that rows of a column have in Arrow, without what says which are null. */
static uint64_t rows_bits(const struct column *c, const struct array_view *view, size_t first,
			  size_t n)
{
	const struct column_type *type = c->type;

	if (view->dictionary)
		return (uint64_t)n * type->index_width * 8;
	if (!view->items && type->width)
		return (uint64_t)n * type->width * 8;
	if (type->kind == COLUMN_BOOL && !view->items)
		return n;
	/* Texts and lists have an offset each. */
	return 8 * ((uint64_t)n * sizeof(int32_t) + column_rows_len(c, view, first, n));
}

/*
 * Finds out whether times never fall. A table says that its rows come in order of time, but the
 * clock of a CPU may have gone back.
 */
static void check_order(struct parquet_table *t, const struct array_view *view, size_t first,
			size_t n)
{
	const int64_t *v = view->array->buffers[1];

	t->in_order &= !view->valid;
	for (size_t i = view->off + first; i < view->off + first + n; i++) {
		t->in_order &= v[i] >= t->last;
		t->last = v[i];
	}
}

/* Appends rows first to first + n - 1 to all columns, and checks their pages if look is set. */
static enum tdat_status put_slice(struct parquet_table *t, size_t first, size_t n, bool look,
				  struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;
	size_t i;

	if (t->sorted < t->input.types.count)
		check_order(t, &t->input.views[t->sorted], first, n);
	for (i = 0; st == TDAT_OK && i < t->input.types.count; i++) {
		t->group_bits += rows_bits(&t->columns[i], &t->input.views[i], first, n);
		st = column_rows(&t->columns[i], &t->input.views[i], first, n, err);
		if (st == TDAT_OK && look)
			st = column_check(&t->columns[i], err);
	}
	return st;
}

/* Appends a batch slice by slice; row groups may end within it. */
static enum tdat_status put_batch(struct parquet_table *t, const struct ArrowArray *rows,
				  struct tdat_error *err)
{
	enum tdat_status st = start_batch(t, err);
	size_t first, n;

	for (first = 0; st == TDAT_OK && first < (size_t)rows->length; first += n) {
		bool look;

		n = slice_len(t, first, (size_t)rows->length - first);
		t->group_rows += n;
		/*
		 * Check only at rows that do not depend on where batches start and end, or the file
		 * would.
		 */
		look = t->group_rows % SLICE == 0 || first + n < (size_t)rows->length;
		st = put_slice(t, first, n, look, err);
		if (st != TDAT_OK || !(look || t->group_rows == t->export->group_rows) ||
		    !keeps_too_much(t))
			continue;
		st = end_group(t, err);
		if (st == TDAT_OK)
			st = start_batch(t, err);
	}
	return st;
}

/* Takes a batch: checks the arrays against the schema before any row is taken. */
static enum tdat_status parquet_batch(void *part, const struct ArrowArray *rows,
				      struct tdat_error *err)
{
	struct parquet_table *t = part;
	enum tdat_status st = table_columns_views(&t->input, rows, err);

	if (st != TDAT_OK)
		return st;
	t->setup.scratch = scratch_take(&t->export->pool);
	if (!t->setup.scratch)
		return column_no_memory(err);
	st = put_batch(t, rows, err);
	scratch_give(&t->setup.scratch->head);
	return st;
}

/* ---- tables ---- */

/*
 * Rows of a page. Open pages take up to half of what the table may keep, and up to a quarter of the
 * option memory.
 */
static size_t page_rows(const struct parquet_table *t)
{
	const size_t quarter = t->export->memory / 4, half = t->most / 2;
	const size_t most = half < quarter ? half : quarter;
	size_t row_len = 0, rows = PAGE_ROWS_MOST;

	for (size_t i = 0; i < t->input.types.count; i++)
		row_len += t->input.types.v[i].width == 8 ? 8 : 4;
	while (rows > PAGE_ROWS_LEAST && rows * row_len > most)
		rows /= 2;
	return rows;
}

/* Sets the table's share of memory: count tables share the memory, so each keeps less. */
static void parquet_share(void *part, uint32_t count)
{
	struct parquet_table *t = part;
	const size_t memory = t->export->memory;
	const size_t share = count ? shared / count : shared;

	t->most = share < memory ? share : memory;
	if (t->most < SHARE_LEAST && memory > SHARE_LEAST)
		t->most = SHARE_LEAST;
	t->setup.page_slots = page_rows(t);
}

/* reads_back of the table: facts of row groups may go into the file, as it can be read again. */
static void parquet_reads_back(void *part, tdat_read_back_fn read, void *read_ctx)
{
	struct parquet_table *t = part;

	t->groups.read = read;
	t->groups.read_ctx = read_ctx;
}

/* Frees a table; it may be half made. */
static void table_free(struct parquet_table *t)
{
	if (t->told)
		atomic_fetch_sub_explicit(&t->export->held, t->told, memory_order_relaxed);
	for (size_t i = 0; t->columns && i < t->input.types.count; i++)
		column_fini(&t->columns[i]);
	free(t->columns);
	tdat_build_fini(&t->groups.kept);
	table_columns_fini(&t->input);
	free(t);
}

/*
 * The column that the table's metadata calls the order of its rows, if it has 64 bits; SIZE_MAX:
 * none.
 */
static size_t find_sorted(const struct column_types *types)
{
	static const char sorted_key[] = "tdat.sorted_by";
	struct metadata_reader r = metadata_read(&types->metadata);
	struct tdat_span key, value;

	while (metadata_next(&r, &key, &value)) {
		if (key.len != sizeof(sorted_key) - 1 || memcmp(key.ptr, sorted_key, key.len) != 0)
			continue;
		for (size_t i = 0; i < types->count; i++)
			if (strlen(types->v[i].name) == value.len &&
			    !memcmp(types->v[i].name, value.ptr, value.len) &&
			    types->v[i].width == 8 && types->v[i].is_signed && !types->v[i].is_list)
				return i;
	}
	return SIZE_MAX;
}

/* table_begin: checks the schema, prepares the columns and writes the magic number. */
static enum tdat_status parquet_table_begin(void *state, const char *name,
					    const struct ArrowSchema *schema, tdat_write_fn write,
					    void *write_ctx, void **part, struct tdat_error *err)
{
	struct parquet_export *x = state;
	struct parquet_table *t = calloc(1, sizeof(*t));
	enum tdat_status st;

	(void)name;
	*part = NULL;
	if (!t)
		return column_no_memory(err);
	t->export = x;
	t->most = x->memory;
	t->write = write;
	t->write_ctx = write_ctx;
	t->setup.compress = x->pool.compress;
	t->setup.page_len = PAGE_LEN;
	st = table_columns_init(&t->input, schema, "Parquet", err);
	if (st == TDAT_OK) {
		for (size_t i = 0; i < t->input.types.count; i++)
			t->input.types.v[i].as_signed = x->as_signed &&
							t->input.types.v[i].kind == COLUMN_INT &&
							!t->input.types.v[i].is_signed;
		t->setup.page_slots = page_rows(t);
		t->sorted = find_sorted(&t->input.types);
		row_group_begin(t);
		t->columns = calloc(t->input.types.count, sizeof(*t->columns));
		for (size_t i = 0; t->columns && i < t->input.types.count; i++)
			column_init(&t->columns[i], &t->input.types.v[i], &t->setup);
		st = t->columns ? table_write(t, "PAR1", PARQUET_HEAD_LEN, err)
				: column_no_memory(err);
	}
	if (st == TDAT_OK)
		*part = t;
	else
		table_free(t);
	return st;
}

/* table_end: writes the last row group and the footer, unless it gives up. */
static enum tdat_status parquet_table_end(void *part, bool give_up, struct tdat_error *err)
{
	struct parquet_table *t = part;
	enum tdat_status st = TDAT_OK;

	t->setup.scratch = give_up ? NULL : scratch_take(&t->export->pool);
	if (t->setup.scratch) {
		st = row_group_write(t, err);
		if (st == TDAT_OK)
			st = footer_write(t, err);
		scratch_give(&t->setup.scratch->head);
	} else if (!give_up) {
		st = column_no_memory(err);
	}
	table_free(t);
	return st;
}

/* ---- options ---- */

static const struct tdat_keyed_option_desc parquet_options[] = {
	{"compression", "zstd|none", "page compression (default: zstd)"},
	{"level", "N", "zstd level (default: 1)"},
	{"row-group", "ROWS", "maximum rows of a row group (default: about 100 MB of rows)"},
	{"memory", "BYTES", "maximum bytes buffered for a table (default: " MEMORY_DEFAULT ")"},
	{"budget", "BYTES", "maximum bytes buffered for all tables (default: no limit)"},
	{"unsigned", "keep|decimal",
	 "decimal: write unsigned integers as wider signed types or decimal(20,0), for Delta Lake "
	 "and Iceberg (default: keep)"},
	{NULL, NULL, NULL},
};

/* Reads the options; the defaults are those of the help text above. */
static enum tdat_status read_options(struct parquet_export *x, const struct tdat_export_request *r,
				     struct tdat_error *err)
{
	const int64_t most = PTRDIFF_MAX / 4;
	static const char *const choices[] = {"keep", "decimal", NULL};
	int64_t rows = 0, memory = 1 << 25, budget = 0;
	size_t as_signed = 0;
	enum tdat_status st = export_number(r, "row-group", 1, INT32_MAX, &rows, err);

	if (st == TDAT_OK)
		st = export_number(r, "memory", 1, most, &memory, err);
	if (st == TDAT_OK)
		st = export_number(r, "budget", 0, most, &budget, err);
	if (st == TDAT_OK)
		st = export_choice(r, "unsigned", choices, &as_signed, err);
	if (st == TDAT_OK)
		st = scratch_pool_init(&x->pool, r, true, sizeof(struct column_scratch),
				       scratch_fini, err);
	x->group_rows_told = rows;
	x->group_rows = rows ? (uint64_t)rows : INT32_MAX;
	x->memory = (size_t)memory;
	x->budget = (size_t)budget;
	x->as_signed = as_signed;
	return st;
}

/* Begins an export: options and the pool of compressors, which all tables share. */
static enum tdat_status parquet_begin(void **state, const struct tdat_export_request *request,
				      struct tdat_build *head, struct tdat_error *err)
{
	struct parquet_export *x = calloc(1, sizeof(*x));
	enum tdat_status st = x ? read_options(x, request, err) : column_no_memory(err);

	(void)head;
	*state = st == TDAT_OK ? x : NULL;
	if (st != TDAT_OK)
		free(x);
	return st;
}

static enum tdat_status parquet_end(void *state, struct tdat_build *tail, struct tdat_error *err)
{
	struct parquet_export *x = state;

	(void)tail;
	(void)err;
	scratch_pool_fini(&x->pool);
	free(x);
	return TDAT_OK;
}

static const struct tdat_columns_ops parquet_columns = {
	.size = sizeof(struct tdat_columns_ops),
	.suffix = ".parquet",
	.table_begin = parquet_table_begin,
	.batch = parquet_batch,
	.table_end = parquet_table_end,
	.share = parquet_share,
	.reads_back = parquet_reads_back,
	.join = &parquet_join,
};

const struct tdat_exporter export_parquet = {
	.size = sizeof(struct tdat_exporter),
	.name = "parquet",
	.summary = "Apache Parquet, one file per table",
	.kind = TDAT_EXPORT_TABLES,
	.options = parquet_options,
	.begin = parquet_begin,
	.columns = &parquet_columns,
	.end = parquet_end,
	.suffixes = ".parquet",
};
