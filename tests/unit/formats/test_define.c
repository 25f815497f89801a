/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What programs outside of the library build: event types from fields and structs, and tables of
 * functions of another version of the library.
 */
#include <unistd.h>

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <check.h>

#include <tdat/tdat.h>
#include <tdat/user_events.h>

#include "core/temp_file.h"
#include "../common/run.h"

/* ---- event types ---- */

struct shapes {
	struct tdat_record_head head;
	uint8_t small;
	int64_t wide;
	char name[6];
	uint16_t list[3];
	int32_t negative;
	uint32_t text; /* length << 16 | offset */
	char behind[8];
};

/* Offsets and lengths are the compiler's: of the struct by the macro, and of types alone. */
static const struct tdat_field_def of_struct[] = {
	TDAT_FIELD(struct shapes, uint8_t, small),    TDAT_FIELD(struct shapes, int64_t, wide),
	TDAT_FIELD(struct shapes, char, name),	      TDAT_FIELD(struct shapes, uint16_t, list),
	TDAT_FIELD(struct shapes, int32_t, negative), {"__data_loc char[]", "text", 0, 0, 0, false},
};
static const struct tdat_field_def of_types[] = {
	{"u8", "small", 0, 0, 0, false},     {"long long", "wide", 0, 0, 0, false},
	{"char[6]", "name", 0, 0, 0, false}, {"unsigned short[3]", "list", 0, 0, 0, false},
	{"int", "negative", 0, 0, 0, false}, {"__data_loc char[]", "text", 0, 0, 0, false},
};
enum { FIELDS = sizeof(of_types) / sizeof(of_types[0]) };

#define AT(member) offsetof(struct shapes, member), sizeof(((struct shapes *)0)->member)

static const struct {
	uint32_t off, len, array_count;
	bool is_signed;
} want[FIELDS] = {
	{AT(small), 0, false}, {AT(wide), 0, true},	{AT(name), 6, (char)-1 < 0},
	{AT(list), 3, false},  {AT(negative), 0, true}, {AT(text), 0, false},
};

/* What a print fmt of all fields gives; the kernel's __print_array() has braces. */
static const char text[] = "small=7 wide=-8 name=abc list={0x1,0x2,0x3} negative=-9 text=behind";

static struct tdat_file *write_shapes(const struct tdat_field_def *fields)
{
	struct tdat_emit_info info = {sizeof(info), TDAT_HOST_BIG_ENDIAN, .clock = "local"};
	struct tdat_writer_opts opts = TDAT_WRITER_OPTS_INIT;
	struct shapes s = {
		{.pid = 1}, 7, -8, "abc", {1, 2, 3}, -9, 7u << 16 | offsetof(struct shapes, behind),
		"behind"};
	struct tdat_emit_event event = {.ts = 5, .record = {(const uint8_t *)&s, sizeof(s)}};
	const struct tdat_emit *emit;
	struct tdat_source *source;
	struct tdat_file *file;
	const int fd = tdat_temp_open(tdat_temp_dir());
	struct tdat_writer *w;

	opts.fd = &fd;
	ck_assert_int_eq(tdat_writer_new(&w, "shapes", &opts, NULL), TDAT_OK);
	emit = tdat_writer_emit(w);
	ck_assert_int_eq(tdat_emit_info(emit, &info, NULL), TDAT_OK);
	ck_assert_int_eq(
		tdat_emit_define(emit, "test", "shapes", fields, FIELDS, NULL, &s.head.type, NULL),
		TDAT_OK);
	ck_assert_int_eq(tdat_emit_events(emit, &event, 1, NULL), TDAT_OK);
	ck_assert_int_eq(tdat_writer_finish(w, NULL), TDAT_OK);
	ck_assert_int_eq(tdat_source_open_fd(&source, fd, "shapes", TDAT_ACCESS_READ, NULL),
			 TDAT_OK);
	close(fd);
	tdat_writer_free(w);
	ck_assert_int_eq(tdat_file_open_source(&file, source, NULL, NULL), TDAT_OK);
	return file;
}

static void check_text(struct tdat_file *file, const struct tdat_event *event)
{
	const struct tdat_iter_input in = {file, 0, 0};
	struct tdat_printer *printer;
	struct tdat_span info;

	ck_assert_int_eq(tdat_printer_new(&printer, &in, 1, NULL, NULL), TDAT_OK);
	ck_assert_int_eq(tdat_printer_info(printer, event, &info, NULL), TDAT_OK);
	ck_assert_msg(info.len == strlen(text) && !memcmp(info.ptr, text, info.len), "%.*s",
		      (int)info.len, (const char *)info.ptr);
	tdat_printer_free(printer);
}

START_TEST(test_shapes)
{
	struct tdat_file *file = write_shapes(_i ? of_types : of_struct);
	const struct tdat_iter_input in = {file, 0, 0};
	const struct tdat_event *event;
	const struct tdat_field *f;
	struct tdat_iter *iter;
	int64_t value;
	size_t count;

	ck_assert_int_eq(tdat_iter_new(&iter, &in, 1, NULL, NULL), TDAT_OK);
	ck_assert_int_eq(tdat_iter_next(iter, &event, NULL), TDAT_OK);
	f = tdat_event_format_fields(tdat_event_format_of(event), &count);
	ck_assert_uint_eq(count, 4 + FIELDS);
	for (size_t i = 0; i < FIELDS; i++) {
		ck_assert_str_eq(f[4 + i].name, of_types[i].name);
		ck_assert_uint_eq(f[4 + i].off, want[i].off);
		ck_assert_uint_eq(f[4 + i].len, want[i].len);
		ck_assert_uint_eq(f[4 + i].array_count, want[i].array_count);
		ck_assert_int_eq((f[4 + i].flags & TDAT_FIELD_SIGNED) != 0, want[i].is_signed);
	}
	ck_assert_int_eq(tdat_event_i64(event, "negative", &value, NULL), TDAT_OK);
	ck_assert_int_eq(value, -9);
	ck_assert_int_eq(tdat_event_i64(event, "none", &value, NULL), TDAT_E_NOT_FOUND);
	check_text(file, event);
	tdat_iter_free(iter);
	tdat_file_close(file);
}
END_TEST

START_TEST(test_bad_types)
{
	static const struct tdat_field_def bad[] = {{"struct x", "f", 0, 0, 0, false},
						    {"int[]", "f", 0, 0, 0, false},
						    {"int", "f", 8, 6, 4, true}};
	const struct tdat_emit emit = {NULL, NULL}; /* it is not called */
	struct tdat_error err = TDAT_ERROR_INIT;
	uint16_t id;

	ck_assert_int_eq(tdat_emit_define(&emit, "s", "n", &bad[_i], 1, NULL, &id, &err),
			 TDAT_E_USAGE);
	ck_assert_ptr_nonnull(strstr(err.message, bad[_i].type));
}
END_TEST

/* ---- tables of another version ---- */

/* Which functions were called: a letter each. */
static char called[64];

static void call(char letter)
{
	called[strlen(called)] = letter;
}

static enum tdat_status on_event(void *ctx, const struct tdat_emit_event *event,
				 struct tdat_error *err)
{
	(void)ctx, (void)event, (void)err;
	call('e');
	return TDAT_OK;
}

static enum tdat_status on_events(void *ctx, const struct tdat_emit_event *events, size_t count,
				  struct tdat_error *err)
{
	(void)ctx, (void)events, (void)count, (void)err;
	call('E');
	return TDAT_OK;
}

static enum tdat_status import(const struct tdat_import_request *request,
			       const struct tdat_emit *emit, struct tdat_error *err)
{
	const struct tdat_emit_event events[2] = {{.ts = 1}, {.ts = 2}};

	(void)request;
	return tdat_emit_events(emit, events, 2, err);
}

START_TEST(test_emit_size)
{
	const struct tdat_importer importer = {.run = import};
	const struct tdat_import_request request = {sizeof(request), .threads = 1};
	struct tdat_emit_ops ops = {.size = sizeof(ops), .event = on_event, .events = on_events};
	const struct tdat_emit emit = {&ops, NULL};
	struct tdat_error err = TDAT_ERROR_INIT;
	struct tdat_user_events *ue;

	memset(called, 0, sizeof(called));
	ck_assert_int_eq(tdat_importer_run(&importer, &request, &emit, NULL), TDAT_OK);
	ops.size =
		offsetof(struct tdat_emit_ops, events); /* as if events came in a later version */
	ck_assert_int_eq(tdat_importer_run(&importer, &request, &emit, NULL), TDAT_OK);
	ops.size = offsetof(struct tdat_emit_ops, fact);
	ck_assert_int_eq(tdat_importer_run(&importer, &request, &emit, NULL), TDAT_OK);
	ck_assert_str_eq(called, "Eeeee");
	ops.size--;
	ck_assert_int_eq(tdat_importer_run(&importer, &request, &emit, &err), TDAT_E_USAGE);
	ck_assert_ptr_nonnull(strstr(err.message, "tdat_emit_ops"));
	ck_assert_int_eq(tdat_user_events_new(&ue, &emit, NULL, &err), TDAT_E_USAGE);
	ck_assert_ptr_null(ue);
	ck_assert_str_eq(called, "Eeeee");
}
END_TEST

static enum tdat_status sink_open(void *ctx, void **worker, struct tdat_error *err)
{
	(void)err;
	*worker = ctx;
	return TDAT_OK;
}

static void sink_close(void *worker)
{
	(void)worker;
}

static enum tdat_status sink_batch(void *worker, const struct tdat_batch *batch, size_t *done,
				   struct tdat_build *out, struct tdat_error *err)
{
	(void)worker, (void)out, (void)err;
	*done = batch->count;
	return TDAT_OK;
}

static bool sink_in_order(void *ctx)
{
	(void)ctx;
	call('o');
	return true;
}

static enum tdat_status no_write(void *ctx, const void *data, size_t len, struct tdat_error *err)
{
	(void)ctx, (void)data, (void)len, (void)err;
	return TDAT_OK;
}

static enum tdat_status export_begin(void **state, const struct tdat_export_request *request,
				     struct tdat_build *head, struct tdat_error *err)
{
	(void)request, (void)head, (void)err;
	*state = called;
	return TDAT_OK;
}

static enum tdat_status export_end(void *state, struct tdat_build *tail, struct tdat_error *err)
{
	(void)state, (void)tail, (void)err;
	return TDAT_OK;
}

START_TEST(test_sink_size)
{
	struct tdat_file *file = write_shapes(of_types);
	const struct tdat_iter_input in = {file, 0, 0};
	struct tdat_sink_ops sink = {.open = sink_open,
				     .close = sink_close,
				     .batch = sink_batch,
				     .in_order = sink_in_order};
	static const size_t sizes[] = {sizeof(struct tdat_sink_ops),
				       offsetof(struct tdat_sink_ops, in_order), 0};
	static const enum tdat_status want_status[] = {TDAT_OK, TDAT_OK, TDAT_E_USAGE};
	struct tdat_error err = TDAT_ERROR_INIT;

	memset(called, 0, sizeof(called));
	for (size_t i = 0; i < 3; i++) {
		struct tdat_iter *iter;

		sink.size = sizes[i];
		ck_assert_int_eq(tdat_iter_new(&iter, &in, 1, NULL, NULL), TDAT_OK);
		ck_assert_int_eq(tdat_pump(iter, &sink, NULL, NULL, no_write, NULL, &err),
				 want_status[i]);
		tdat_iter_free(iter);
		ck_assert_str_eq(called, "o");
	}
	ck_assert_ptr_nonnull(strstr(err.message, "tdat_sink_ops"));
	tdat_file_close(file);
}
END_TEST

START_TEST(test_exporter_size)
{
	struct tdat_sink_ops sink = {.size = sizeof(sink)};
	struct tdat_columns_ops columns = {.size = sizeof(columns)};
	struct tdat_exporter x = {.size = offsetof(struct tdat_exporter, pack),
				  .name = "x",
				  .begin = export_begin,
				  .events = &sink,
				  .columns = &columns,
				  .end = export_end};
	struct tdat_export_request request = TDAT_EXPORT_REQUEST_INIT;
	struct {
		size_t *size;
		const char *name;
	} tables[] = {{&x.size, "tdat_exporter"},
		      {&sink.size, "tdat_sink_ops"},
		      {&columns.size, "tdat_columns_ops"}};
	struct tdat_error err = TDAT_ERROR_INIT;
	struct tdat_export *e;

	ck_assert_int_eq(tdat_export_new(&e, &x, &request, NULL), TDAT_OK);
	tdat_export_free(e);
	for (size_t i = 0; i < 3; i++) {
		const size_t size = *tables[i].size;

		*tables[i].size = sizeof(size_t);
		ck_assert_int_eq(tdat_export_new(&e, &x, &request, &err), TDAT_E_USAGE);
		ck_assert_ptr_nonnull(strstr(err.message, tables[i].name));
		*tables[i].size = size;
	}
}
END_TEST

START_TEST(test_version)
{
	char version[32];

	snprintf(version, sizeof(version), "%d.%d.%d", TDAT_VERSION_MAJOR, TDAT_VERSION_MINOR,
		 TDAT_VERSION_PATCH);
	ck_assert_str_eq(tdat_version(), version);
	ck_assert_int_eq(TDAT_VERSION_NUM, TDAT_VERSION_MAJOR * 10000 + TDAT_VERSION_MINOR * 100 +
						   TDAT_VERSION_PATCH);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("define");
	TCase *tcase = tcase_create("define");

	tcase_add_loop_test(tcase, test_shapes, 0, 2);
	tcase_add_loop_test(tcase, test_bad_types, 0, 3);
	tcase_add_test(tcase, test_emit_size);
	tcase_add_test(tcase, test_sink_size);
	tcase_add_test(tcase, test_exporter_size);
	tcase_add_test(tcase, test_version);
	suite_add_tcase(suite, tcase);
	return run_suite(suite);
}
