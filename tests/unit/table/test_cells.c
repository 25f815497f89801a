/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Values of fields (tdat/cells.h) of events of every fixture, and of some files of the shared
 * corpus, are what libtraceevent makes of the same records: numbers, bytes of texts and arrays,
 * functions at addresses; and names and addresses of devices are in the text that it prints.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>
#include <event-parse.h>
#include <trace-seq.h>

#include <tdat/tdat.h>

#include "core/endian.h"

#include "../common/run.h"

/* Records of a format that are compared. */
enum { RECORDS = 40, IDS = 65536 };

static struct {
	size_t numbers, texts, lists, symbols, names;
} tally;

struct side {
	const char *path;
	struct tdat_file *file;
	struct tep_handle *tep;
	struct tdat_cells *cells;
	const struct tdat_cell_type *types[IDS];
	uint32_t records[IDS];
	struct trace_seq seq;
	bool big;
};

/* A copy that libtraceevent may write to. */
static char *copy_of(struct tdat_span s)
{
	char *p = malloc(s.len + 1);

	ck_assert_ptr_nonnull(p);
	if (s.len)
		memcpy(p, s.ptr, s.len);
	p[s.len] = '\0';
	return p;
}

static void open_tep(struct side *s)
{
	const struct tdat_file_info *info = tdat_file_info(s->file);
	const size_t count = tdat_file_format_count(s->file);
	char *text;

	s->big = info->big_endian;
	s->tep = tep_alloc();
	tep_set_file_bigendian(s->tep, s->big ? TEP_BIG_ENDIAN : TEP_LITTLE_ENDIAN);
	tep_set_local_bigendian(s->tep, TDAT_HOST_BIG ? TEP_BIG_ENDIAN : TEP_LITTLE_ENDIAN);
	tep_set_long_size(s->tep, (int)info->long_size);
	for (size_t i = 0; i < count; i++) {
		const char *system;
		struct tdat_span format = tdat_file_format_text(s->file, i, &system);

		text = copy_of(format);
		tep_parse_event(s->tep, text, format.len, system);
		free(text);
	}
	text = copy_of(tdat_file_part(s->file, TDAT_PART_KALLSYMS));
	tep_parse_kallsyms(s->tep, text);
	free(text);
}

static const char *where(const struct side *s, const struct tdat_event_format *f,
			 const char *column)
{
	static char text[600];

	snprintf(text, sizeof(text), "%s: %s/%s: %s", s->path, tdat_event_format_system(f),
		 tdat_event_format_name(f), column);
	return text;
}

static bool has_suffix(const char *name, const char *suffix, char *field, size_t room)
{
	const size_t n = strlen(name), k = strlen(suffix);

	if (n < k || n - k >= room || strcmp(name + n - k, suffix) != 0)
		return false;
	memcpy(field, name, n - k);
	field[n - k] = '\0';
	return true;
}

/* ---- the same value by libtraceevent ---- */

static void same_number(struct side *s, struct tep_event *event, struct tep_record *rec,
			const char *column, const struct tdat_cell *cell, const char *what)
{
	const uint64_t mask = UINT64_MAX >> (64 - 8 * cell->len);
	struct tep_format_field *f = tep_find_field(event, column);
	unsigned long long v;

	ck_assert_msg(!tep_get_field_val(NULL, event, column, rec, &v, 0), "%s", what);
	ck_assert_msg((cell->number & mask) == (v & mask), "%s: %llx, theirs %llx", what,
		      (unsigned long long)cell->number, v);
	ck_assert_int_eq(f->size, cell->len);
	ck_assert_msg(cell->is_signed == !!(f->flags & TEP_FIELD_IS_SIGNED), "%s: sign", what);
	if (!cell->is_signed)
		ck_assert_msg(!(cell->number & ~mask), "%s: beyond its size", what);
	else if (v & (mask / 2 + 1))
		ck_assert_msg((cell->number | mask) == UINT64_MAX, "%s: sign of %llx", what,
			      (unsigned long long)cell->number);
	tally.numbers++;
	(void)s;
}

/* Stacks are as long as the record or the field before them says: libtraceevent does not know. */
static void same_bytes(struct tep_event *event, struct tep_record *rec, const char *column,
		       const struct tdat_cell *cell, const char *what)
{
	const bool stack = !strcmp(column, "caller");
	const uint8_t *theirs;
	int len;

	theirs = tep_get_field_raw(NULL, event, column, rec, &len, 0);
	ck_assert_msg(theirs != NULL, "%s", what);
	ck_assert_msg(cell->bytes.len == 0 || theirs == cell->bytes.ptr, "%s: place", what);
	if (cell->kind == TDAT_CELL_TEXT) {
		/* "char buf[]" goes to the record's end; its size is 0. */
		const size_t most =
			len ? (size_t)len : (size_t)(rec->size - (theirs - (uint8_t *)rec->data));

		ck_assert_msg(cell->bytes.len == strnlen((const char *)theirs, most), "%s: length",
			      what);
		tally.texts++;
	} else if (!stack && len) {
		ck_assert_msg((size_t)len - cell->bytes.len < cell->len ||
				      cell->kind == TDAT_CELL_BYTES,
			      "%s: %zu bytes, theirs %d", what, cell->bytes.len, len);
		tally.lists++;
	}
}

/* Elements of the size that their C type has. */
static void check_elements(const struct side *s, struct tep_event *event, const char *column,
			   const struct tdat_cell *cell, const char *what)
{
	struct tep_format_field *f = tep_find_field(event, column);
	const uint32_t long_size = tdat_file_info(s->file)->long_size;
	static const struct {
		const char *word;
		uint8_t len; /* 0: of a long */
	} sizes[] = {{"u8", 1},	 {"u16", 2},	{"u32", 4},	      {"u64", 8},
		     {"s64", 8}, {"u_char", 0}, {"unsigned long", 0}, {"unsigned char", 1}};

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
		if (strstr(f->type, sizes[i].word) && !strstr(f->type, "long long") &&
		    sizes[i].len != 0)
			ck_assert_msg(cell->len == sizes[i].len, "%s: elements of %u bytes", what,
				      cell->len);
	if (strstr(f->type, "unsigned long") && !strstr(f->type, "long long"))
		ck_assert_msg(cell->len == long_size, "%s: longs of %u bytes", what, cell->len);
}

static void same_symbol(const struct side *s, struct tep_event *event, struct tep_record *rec,
			const char *field, const struct tdat_cell *cell, const char *what)
{
	unsigned long long addr;
	const char *name;

	ck_assert_msg(!tep_get_field_val(NULL, event, field, rec, &addr, 0), "%s", what);
	name = tep_find_function(s->tep, addr);
	if (cell->kind == TDAT_CELL_NULL) {
		ck_assert_msg(!name, "%s: no function, theirs %s", what, name ? name : "");
		return;
	}
	ck_assert_msg(name && strlen(name) == cell->bytes.len &&
			      !memcmp(name, cell->bytes.ptr, cell->bytes.len),
		      "%s: %.*s, theirs %s", what, (int)cell->bytes.len,
		      (const char *)cell->bytes.ptr, name ? name : "none");
	ck_assert_msg(addr - tep_find_function_address(s->tep, addr) == cell->number,
		      "%s: offset %llx", what, (unsigned long long)cell->number);
	tally.symbols++;
}

/* What print fmt makes of a field is in the text of the event. */
static void in_text(struct side *s, struct tep_record *rec, const struct tdat_cell *cell,
		    const char *what)
{
	char *text;

	/*
	 * Its flags are shifted by an operator in parentheses, which libtraceevent misreads, and
	 * its modes are enumerators, which it does not know. */
	if (strstr(what, "timer/"))
		return;
	trace_seq_reset(&s->seq);
	tep_print_event(s->tep, &s->seq, rec, "%s", TEP_PRINT_INFO);
	trace_seq_terminate(&s->seq);
	text = copy_of(cell->bytes);
	ck_assert_msg(strstr(s->seq.buffer, text) != NULL, "%s: %s is not in %s", what, text,
		      s->seq.buffer);
	free(text);
	tally.names++;
}

/* Made of a string of trace_printk(): libtraceevent has no such values. */
static bool is_part(struct tep_event *event, const char *column)
{
	static const char *const events[] = {"bprint", "bputs", "print"};

	for (size_t i = 0; i < 3; i++)
		if (!strcmp(event->system, "ftrace") && !strcmp(event->name, events[i]))
			return !strcmp(column, "fmt") || !strcmp(column, "args") ||
			       !strcmp(column, "text");
	return false;
}

static void compare_cell(struct side *s, struct tep_event *event, struct tep_record *rec,
			 const struct tdat_event_format *f, const char *column,
			 const struct tdat_cell *cell)
{
	const char *what = where(s, f, column);
	char field[256];

	if (!tep_find_field(event, column) && has_suffix(column, "_sym", field, sizeof(field))) {
		if (cell->kind != TDAT_CELL_SYMBOLS)
			same_symbol(s, event, rec, field, cell, what);
		return;
	}
	if (!tep_find_field(event, column) && has_suffix(column, "_name", field, sizeof(field))) {
		if (cell->kind == TDAT_CELL_TEXT && !(event->flags & TEP_EVENT_FL_FAILED))
			in_text(s, rec, cell, what);
		return;
	}
	if (is_part(event, column))
		return;
	ck_assert_msg(tep_find_field(event, column) != NULL, "%s", what);
	switch (cell->kind) {
	case TDAT_CELL_NULL:
		break; /* outside of the record: libtraceevent does not look */
	case TDAT_CELL_BOOL:
	case TDAT_CELL_INT:
		if (cell->kind == TDAT_CELL_INT)
			same_number(s, event, rec, column, cell, what);
		break;
	case TDAT_CELL_TEXT:
		if (cell->bytes.ptr >= (uint8_t *)rec->data &&
		    cell->bytes.ptr <= (uint8_t *)rec->data + rec->size)
			same_bytes(event, rec, column, cell, what);
		else if (!(event->flags & TEP_EVENT_FL_FAILED))
			in_text(s, rec, cell, what);
		break;
	case TDAT_CELL_INTS:
		check_elements(s, event, column, cell, what);
		same_bytes(event, rec, column, cell, what);
		break;
	case TDAT_CELL_BYTES:
	case TDAT_CELL_BITS:
		same_bytes(event, rec, column, cell, what);
		break;
	case TDAT_CELL_SYMBOL:
	case TDAT_CELL_SYMBOLS:
	case TDAT_CELL_JSON:
		ck_abort_msg("%s: no field", what);
	}
}

static void compare_event(struct side *s, const struct tdat_event *ev)
{
	const struct tdat_event_format *f = tdat_file_format_by_id(s->file, ev->id);
	struct tep_event *event = f ? tep_find_event(s->tep, (int)ev->id) : NULL;
	struct tep_record rec = {.ts = ev->ts,
				 .size = (int)ev->record.len,
				 .record_size = (int)ev->record.len,
				 .data = (void *)(uintptr_t)ev->record.ptr,
				 .cpu = (int)ev->cpu};
	struct tdat_cell cell;

	if (!event || strcmp(event->name, tdat_event_format_name(f)) ||
	    s->records[ev->id]++ >= RECORDS)
		return;
	if (!s->types[ev->id])
		ck_assert_int_eq(tdat_cells_type(s->cells, s->file, f, &s->types[ev->id], NULL),
				 TDAT_OK);
	for (size_t i = 0; i < s->types[ev->id]->column_count; i++) {
		ck_assert_int_eq(
			tdat_cells_get(s->cells, s->types[ev->id], i, ev->record, &cell, NULL),
			TDAT_OK);
		compare_cell(s, event, &rec, f, s->types[ev->id]->columns[i], &cell);
	}
}

static void compare_file(const char *path)
{
	struct tdat_open_opts opts = TDAT_OPEN_OPTS_INIT;
	struct side *s = calloc(1, sizeof(*s));
	const struct tdat_event *ev;
	struct tdat_iter_input in = {0};
	struct tdat_iter *iter;

	opts.tolerate_damage = true;
	s->path = path;
	ck_assert_int_eq(tdat_file_open(&s->file, path, &opts, NULL), TDAT_OK);
	in.file = s->file;
	open_tep(s);
	trace_seq_init(&s->seq);
	ck_assert_int_eq(tdat_cells_new(&s->cells, NULL), TDAT_OK);
	ck_assert_int_eq(tdat_iter_new(&iter, &in, 1, NULL, NULL), TDAT_OK);
	while (!tdat_iter_next(iter, &ev, NULL) && ev)
		compare_event(s, ev);
	tdat_iter_free(iter);
	tdat_cells_free(s->cells);
	trace_seq_destroy(&s->seq);
	tep_free(s->tep);
	tdat_file_close(s->file);
	free(s);
}

static size_t compare_folder(const char *folder, unsigned int nth)
{
	DIR *d = opendir(folder);
	struct dirent *e;
	size_t files = 0;

	while (d && (e = readdir(d))) {
		unsigned int sum = 0;
		char path[1024];

		for (const char *p = e->d_name; *p; p++)
			sum = sum * 31 + (unsigned char)*p;
		if (!strstr(e->d_name, ".dat") || strstr(e->d_name, ".xz") || sum % nth)
			continue;
		snprintf(path, sizeof(path), "%s/%s", folder, e->d_name);
		compare_file(path);
		files++;
	}
	if (d)
		closedir(d);
	return files;
}

START_TEST(as_libtraceevent)
{
	const char *fixtures = getenv("TDAT_FIXTURES"), *shared = getenv("TDAT_SHARED");
	char folder[512];

	snprintf(folder, sizeof(folder), "%s/valid", fixtures ? fixtures : "tests/fixtures");
	ck_assert_uint_gt(compare_folder(folder, 1), 10);
	if (shared) {
		snprintf(folder, sizeof(folder), "%s/corpus/files", shared);
		compare_folder(folder, 3);
	}
	printf("numbers %zu, texts %zu, lists %zu, symbols %zu, names %zu\n", tally.numbers,
	       tally.texts, tally.lists, tally.symbols, tally.names);
	ck_assert_uint_gt(tally.numbers, 1000);
	ck_assert_uint_gt(tally.texts, 100);
	ck_assert_uint_gt(tally.lists, 100);
	ck_assert_uint_gt(tally.symbols, 100);
	ck_assert_uint_gt(tally.names, 100);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("cells");
	TCase *tc = tcase_create("cells");

	tcase_set_timeout(tc, 120);
	tcase_add_test(tc, as_libtraceevent);
	suite_add_tcase(s, tc);
	return run_suite(s);
}
