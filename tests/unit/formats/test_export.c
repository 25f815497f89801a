/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Text of JSON and CSV: numbers, strings of any bytes, fields of every kind. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include <tdat/tdat.h>

#include "core/json_text.h"
#include "core/number.h"
#include "../common/run.h"
#include "export/put_text.h"

static const char *text_of(struct tdat_build *b)
{
	tdat_build_u8(b, 0);
	b->len = 0;
	return (const char *)b->ptr;
}

START_TEST(test_numbers)
{
	static const uint64_t edges[] = {0,	    9,		10,	   99,	  100,
					 101,	    999,	1000,	   12345, UINT32_MAX,
					 INT64_MAX, 1ull << 63, UINT64_MAX};
	struct tdat_build b;
	char want[40];
	size_t i;

	tdat_build_init(&b, false);
	for (i = 0; i < sizeof(edges) / sizeof(edges[0]); i++) {
		tdat_number_u64(&b, edges[i]);
		snprintf(want, sizeof(want), "%" PRIu64, edges[i]);
		ck_assert_str_eq(text_of(&b), want);
		tdat_number_i64(&b, (int64_t)edges[i]);
		snprintf(want, sizeof(want), "%" PRId64, (int64_t)edges[i]);
		ck_assert_str_eq(text_of(&b), want);
	}
	tdat_build_fini(&b);
}
END_TEST

static const struct {
	const char *bytes, *json, *csv;
} strings[] = {
	{"plain", "\"plain\"", "plain"},
	{"", "\"\"", ""},
	{"a\"b\\c", "\"a\\\"b\\\\c\"", "\"a\"\"b\\c\""},
	{"a,b", "\"a,b\"", "\"a,b\""},
	{"two\nlines\t", "\"two\\nlines\\t\"", "\"two\nlines\t\""},
	{"\x1b[2J\x7f", "\"\\u001b[2J\\u007f\"", "\\x1b[2J\\x7f"},
	{"gr\xc3\xbc\xc3\x9f", "\"gr\xc3\xbc\xc3\x9f\"", "gr\xc3\xbc\xc3\x9f"},
	{"\xc2\x9b", "\"\\u009b\"", "\\x9b"},
	{"\xff\xc3(", "\"\xef\xbf\xbd\xef\xbf\xbd(\"", "\xef\xbf\xbd\xef\xbf\xbd("},
	{"\xed\xa0\x80", "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"",
	 "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"},
	{"\xf0\x9f\x90\xa7", "\"\xf0\x9f\x90\xa7\"", "\xf0\x9f\x90\xa7"},
	{"cut \xe2\x82", "\"cut \xef\xbf\xbd\xef\xbf\xbd\"", "cut \xef\xbf\xbd\xef\xbf\xbd"},
	{" x", "\" x\"", "\" x\""},
};

START_TEST(test_strings)
{
	struct tdat_build b;
	size_t i;

	tdat_build_init(&b, false);
	for (i = 0; i < sizeof(strings) / sizeof(strings[0]); i++) {
		tdat_json_quoted(&b, strings[i].bytes, strlen(strings[i].bytes));
		ck_assert_str_eq(text_of(&b), strings[i].json);
		export_csv_str(&b, strings[i].bytes, strlen(strings[i].bytes));
		ck_assert_str_eq(text_of(&b), strings[i].csv);
	}
	tdat_build_fini(&b);
}
END_TEST

/* Each byte at each place of a text is written as it is by itself. */
START_TEST(test_every_byte)
{
	enum { LEN = 21 };
	char text[LEN + 1] = "", want[64], alone[8];
	struct tdat_build b;

	tdat_build_init(&b, false);
	for (int byte = 0; byte < 256; byte++) {
		char one = (char)byte;

		tdat_json_quoted(&b, &one, 1);
		snprintf(alone, sizeof(alone), "%.*s", (int)b.len - 2, (const char *)b.ptr + 1);
		b.len = 0;
		for (int at = 0; at < LEN; at++) {
			memset(text, 'a', LEN);
			text[at] = one;
			snprintf(want, sizeof(want), "\"%.*s%s%.*s\"", at, text, alone,
				 LEN - 1 - at, text + at + 1);
			tdat_json_quoted(&b, text, LEN);
			ck_assert_str_eq(text_of(&b), want);
		}
	}
	tdat_build_fini(&b);
}
END_TEST

/* ---- whole events, through a file that the library wrote ---- */

static const char kinds_format[] =
	"name: kinds\nID: 0\nformat:\n"
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n"
	"\n"
	"\tfield:u64 wide;\toffset:8;\tsize:8;\tsigned:0;\n"
	"\tfield:s64 deep;\toffset:16;\tsize:8;\tsigned:1;\n"
	"\tfield:char fixed[4];\toffset:24;\tsize:4;\tsigned:0;\n"
	"\tfield:u8 mac[3];\toffset:28;\tsize:3;\tsigned:0;\n"
	"\tfield:s8 tiny;\toffset:31;\tsize:1;\tsigned:1;\n"
	"\tfield:__data_loc char[] name;\toffset:32;\tsize:4;\tsigned:0;\n"
	"\tfield:__data_loc unsigned long[] cpus;\toffset:36;\tsize:4;\tsigned:0;\n"
	"\tfield:__data_loc int[] list;\toffset:40;\tsize:4;\tsigned:1;\n"
	"\tfield:struct odd odd;\toffset:44;\tsize:3;\tsigned:0;\n"
	"\tfield:__data_loc char[] lost;\toffset:48;\tsize:4;\tsigned:0;\n"
	"\nprint fmt: \"%s\", __get_bitmask(cpus)\n";

/* Little endian: name at 52, cpus at 60 (16 bytes), list at 76 (8 bytes). */
static const uint8_t kinds_record[] = {
	0,    0,    1,	  0x12, 7,    0,    0,	  0,	/* flags d, preempt 2 */
	0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, /* wide */
	0,    0,    0,	  0,	0,    0,    0,	  0x80, /* deep */
	'f',  'o',  'u',  'r',	1,    2,    255,  0xfe, /* fixed, mac, tiny -2 */
	52,   0,    8,	  0,	60,   0,    16,	  0,	/* name, cpus */
	76,   0,    8,	  0,	0xab, 0xcd, 0xef, 0,	/* list, odd */
	0xf0, 0xff, 0xf0, 0xff, 'a',  '"',  'b',  0,	/* lost: outside; name */
	0,    0,    0,	  0,	3,    0,    0,	  0x80, /* name ends, cpus */
	0,    0,    0,	  0,	1,    0,    0,	  0,	/* */
	0,    0,    0,	  0,	0xff, 0xff, 0xff, 0xff, /* cpus end, list -1 */
	5,    0,    0,	  0,
};

static const char kinds_json[] =
	"{\"ts\":1000,\"cpu\":0,\"pid\":7,\"comm\":\"seven\",\"flags\":\"d..21\","
	"\"system\":\"test\",\"event\":\"kinds\",\"fields\":{\"wide\":18446744073709551615,"
	"\"deep\":-9223372036854775808,\"fixed\":\"four\",\"mac\":[1,2,255],\"tiny\":-2,"
	"\"name\":\"a\\\"b\",\"cpus\":[0,1,31,64],\"list\":[-1,5],\"odd\":\"abcdef\",\"lost\":null}"
	"}"
	"\n";

static const char kinds_csv[] =
	"ts,cpu,pid,comm,flags,buffer,lost,wide,deep,fixed,mac,tiny,name,cpus,list,odd,fields."
	"lost\r\n"
	"1000,0,7,seven,d..21,,,18446744073709551615,-9223372036854775808,four,1 2 255,-2,"
	"\"a\"\"b\",0 1 31 64,-1 5,abcdef,\r\n";

static void write_file(const char *path)
{
	struct tdat_emit_info info = TDAT_EMIT_INFO_INIT;
	struct tdat_writer_opts opts = TDAT_WRITER_OPTS_INIT;
	struct tdat_emit_event ev = {.ts = 1000};
	uint8_t record[sizeof(kinds_record)];
	const struct tdat_emit *emit;
	struct tdat_writer *w;
	uint16_t id;

	opts.force = true;
	info.clock = "local";
	info.cpu_count = 1;
	ck_assert_int_eq(tdat_writer_new(&w, path, &opts, NULL), TDAT_OK);
	emit = tdat_writer_emit(w);
	ck_assert_int_eq(tdat_emit_info(emit, &info, NULL), TDAT_OK);
	ck_assert_int_eq(
		tdat_emit_format(emit, "test", kinds_format, sizeof(kinds_format) - 1, &id, NULL),
		TDAT_OK);
	ck_assert_int_eq(tdat_emit_comm(emit, 7, "seven", NULL), TDAT_OK);
	memcpy(record, kinds_record, sizeof(record));
	record[0] = (uint8_t)id;
	record[1] = (uint8_t)(id >> 8);
	ev.record = (struct tdat_span){record, sizeof(record)};
	ck_assert_int_eq(tdat_emit_event(emit, &ev, NULL), TDAT_OK);
	ck_assert_int_eq(tdat_writer_finish(w, NULL), TDAT_OK);
	tdat_writer_free(w);
}

static enum tdat_status collect(void *ctx, const void *data, size_t len, struct tdat_error *err)
{
	(void)err;
	tdat_build_bytes(ctx, data, len);
	return TDAT_OK;
}

static void export_all(struct tdat_file *file, const char *name, struct tdat_build *out)
{
	const struct tdat_iter_input in = {file, 0, 0};
	static const struct tdat_keyed_option type[] = {{"system", "test"}, {"event", "kinds"}};
	struct tdat_export_request request = TDAT_EXPORT_REQUEST_INIT;
	struct tdat_error err = TDAT_ERROR_INIT;
	struct tdat_span tail;
	struct tdat_export *e;
	struct tdat_iter *iter;

	request.inputs = &in;
	request.input_count = 1;
	request.options = type;
	request.option_count = strcmp(name, "event_csv") ? 0 : 2;
	ck_assert_int_eq(tdat_iter_new(&iter, &in, 1, NULL, NULL), TDAT_OK);
	ck_assert_msg(tdat_export_new(&e, tdat_exporter_find(name), &request, &err) == TDAT_OK,
		      "%s", err.message);
	tdat_build_bytes(out, tdat_export_head(e).ptr, tdat_export_head(e).len);
	ck_assert_msg(tdat_pump(iter, tdat_export_ops(e), tdat_export_ctx(e), NULL, collect, out,
				&err) == TDAT_OK,
		      "%s", err.message);
	ck_assert_int_eq(tdat_export_end(e, &tail, &err), TDAT_OK);
	ck_assert_uint_eq(tail.len, 0);
	tdat_export_free(e);
	tdat_iter_free(iter);
}

START_TEST(test_events)
{
	char path[] = "/tmp/tdat-export-XXXXXX";
	int fd = mkstemp(path);
	struct tdat_file *file;
	struct tdat_build b;

	ck_assert_int_ge(fd, 0);
	fclose(fdopen(fd, "w"));
	write_file(path);
	tdat_build_init(&b, false);
	ck_assert_int_eq(tdat_file_open(&file, path, NULL, NULL), TDAT_OK);
	export_all(file, "json", &b);
	ck_assert_str_eq(text_of(&b), kinds_json);
	export_all(file, "event_csv", &b);
	ck_assert_str_eq(text_of(&b), kinds_csv);
	tdat_file_close(file);
	tdat_build_fini(&b);
	remove(path);
}
END_TEST

static struct tdat_file *open_limited(const char *path, uint32_t print_len)
{
	struct tdat_open_opts opts = TDAT_OPEN_OPTS_INIT;
	struct tdat_limits limits = TDAT_LIMITS_INIT;
	struct tdat_file *file;

	limits.print_len = print_len;
	opts.limits = &limits;
	ck_assert_int_eq(tdat_file_open(&file, path, &opts, NULL), TDAT_OK);
	return file;
}

/* The fields that begin within the limit are there; what is cut says so. */
START_TEST(test_limit)
{
	static const char wide[] = ",\"fields\":{\"wide\":18446744073709551615}",
			  both[] = ",\"fields\":{\"wide\":18446744073709551615,"
				   "\"deep\":-9223372036854775808}",
			  cut[] = ",\"cut\":\"print_len\"}\n",
			  marked[] = "-9223372036854775808,[CUT AT LIMIT print_len],,,,,,,\r\n";
	char path[] = "/tmp/tdat-export-XXXXXX";
	static const struct tdat_keyed_option type = {"event", "kinds"};
	struct tdat_export_request request = TDAT_EXPORT_REQUEST_INIT;
	struct tdat_error err = TDAT_ERROR_INIT;
	struct tdat_iter_input in = {NULL, 0, 0};
	struct tdat_export *e;
	struct tdat_build b;
	int fd = mkstemp(path);
	const char *text;

	ck_assert_int_ge(fd, 0);
	fclose(fdopen(fd, "w"));
	write_file(path);
	tdat_build_init(&b, false);
	in.file = open_limited(path, sizeof(wide) - 1 - 2);
	export_all(in.file, "json", &b);
	text = text_of(&b);
	ck_assert_ptr_nonnull(strstr(text, wide));
	ck_assert_ptr_nonnull(strstr(text, cut));
	tdat_file_close(in.file);
	in.file = open_limited(path, sizeof(wide) - 1);
	export_all(in.file, "json", &b);
	text = text_of(&b);
	ck_assert_ptr_nonnull(strstr(text, both));
	ck_assert_ptr_nonnull(strstr(text, cut));
	tdat_file_close(in.file);
	in.file = open_limited(path, 40); /* a quarter of it are columns: just enough */
	export_all(in.file, "event_csv", &b);
	ck_assert_ptr_nonnull(strstr(text_of(&b), marked));
	tdat_file_close(in.file);
	in.file = open_limited(path, 39);
	request.inputs = &in;
	request.input_count = 1;
	request.options = &type;
	request.option_count = 1;
	ck_assert_int_eq(tdat_export_new(&e, tdat_exporter_find("event_csv"), &request, &err),
			 TDAT_E_LIMIT);
	ck_assert_ptr_nonnull(strstr(err.message, "limit print_len"));
	tdat_file_close(in.file);
	tdat_build_fini(&b);
	remove(path);
}
END_TEST

/* ---- an exporter of the caller's own ---- */

enum { OWN_PART = 7, OWN_EVENTS = 30 };

/* Counts its events; its sink leaves some of each batch, in all ways that a sink can. */
struct own {
	const char *fault;
	uint64_t events, ended;
	bool in_order, given_up;
};

static enum tdat_status own_begin(void **state, const struct tdat_export_request *request,
				  struct tdat_build *head, struct tdat_error *err)
{
	(void)err;
	*state = (void *)(uintptr_t)strtoull(request->options[0].value, NULL, 16);
	tdat_text_append(head, "<", 1);
	return TDAT_OK;
}

static enum tdat_status own_end(void *state, struct tdat_build *tail, struct tdat_error *err)
{
	struct own *own = state;

	(void)err;
	own->ended++;
	own->given_up = !tail;
	if (tail)
		tdat_text_append(tail, ">", 1);
	return TDAT_OK;
}

static enum tdat_status own_open(void *ctx, void **worker, struct tdat_error *err)
{
	(void)err;
	*worker = ctx;
	return TDAT_OK;
}

static void own_close(void *worker)
{
	(void)worker;
}

/* A text so long that the pump asks for the rest again. */
static enum tdat_status own_batch(void *worker, const struct tdat_batch *batch, size_t *done,
				  struct tdat_build *out, struct tdat_error *err)
{
	struct own *own = worker;
	char *filler = malloc(batch->text_most);
	const size_t part = batch->count < OWN_PART ? batch->count : OWN_PART;

	ck_assert_uint_ge(batch->count, 1);
	ck_assert(own->events ? batch->before != NULL : batch->before == NULL);
	if (batch->before)
		ck_assert_uint_le(batch->before->ts, batch->events[0].ts);
	own->events += part;
	*done = part;
	if (own->fault && !strcmp(own->fault, "none done"))
		*done = 0;
	if (own->fault && !strcmp(own->fault, "too many"))
		*done = batch->count + 1;
	if (own->fault && !strcmp(own->fault, "fails"))
		tdat_error_set(err, TDAT_E_LIMIT, TDAT_NO_OFFSET, "as asked for");
	memset(filler, '.', batch->text_most);
	if (!own->fault || strcmp(own->fault, "too short"))
		tdat_text_append(out, filler, batch->text_most);
	free(filler);
	return own->fault && !strcmp(own->fault, "fails") ? TDAT_E_LIMIT : TDAT_OK;
}

static bool own_in_order(void *ctx)
{
	return ((struct own *)ctx)->in_order;
}

static const struct tdat_sink_ops own_events = {.size = sizeof(struct tdat_sink_ops),
						.open = own_open,
						.close = own_close,
						.batch = own_batch,
						.in_order = own_in_order};
static const struct tdat_keyed_option_desc own_options[] = {{"at", "ADDRESS", "of its state"},
							    {NULL, NULL, NULL}};
static const struct tdat_exporter own_exporter = {.size = sizeof(struct tdat_exporter),
						  .name = "own",
						  .options = own_options,
						  .begin = own_begin,
						  .events = &own_events,
						  .end = own_end};

static enum tdat_status count_bytes(void *ctx, const void *data, size_t len, struct tdat_error *err)
{
	(void)data;
	(void)err;
	*(uint64_t *)ctx += len;
	return TDAT_OK;
}

/* Runs it over a fixture, and ends it when the pump says all is well. */
static enum tdat_status run_own(struct own *own, struct tdat_error *err)
{
	const char *dir = getenv("TDAT_FIXTURES");
	struct tdat_export_request request = TDAT_EXPORT_REQUEST_INIT;
	struct tdat_pump_opts opts = TDAT_PUMP_OPTS_INIT;
	struct tdat_iter_input in = {NULL, 0, 0};
	struct tdat_keyed_option at = {"at", NULL};
	char address[40], path[600];
	struct tdat_export *e;
	struct tdat_iter *iter;
	struct tdat_span tail;
	uint64_t bytes = 0;
	enum tdat_status st;

	snprintf(path, sizeof(path), "%s/valid/i386-61-v6-sched.dat", dir ? dir : "tests/fixtures");
	snprintf(address, sizeof(address), "%llx", (unsigned long long)(uintptr_t)own);
	at.value = address;
	own->in_order = true;
	ck_assert_int_eq(tdat_file_open(&in.file, path, NULL, NULL), TDAT_OK);
	ck_assert_int_eq(tdat_iter_new(&iter, &in, 1, NULL, NULL), TDAT_OK);
	request.inputs = &in;
	request.input_count = 1;
	request.options = &at;
	request.option_count = 1;
	ck_assert_int_eq(tdat_export_new(&e, &own_exporter, &request, NULL), TDAT_OK);
	ck_assert(tdat_export_head(e).len == 1 && *tdat_export_head(e).ptr == '<');
	ck_assert_ptr_eq(tdat_export_ctx(e), own);
	opts.limit = OWN_EVENTS;
	st = tdat_pump(iter, tdat_export_ops(e), tdat_export_ctx(e), &opts, count_bytes, &bytes,
		       err);
	if (st == TDAT_OK) {
		ck_assert_int_eq(tdat_export_end(e, &tail, NULL), TDAT_OK);
		ck_assert(tail.len == 1 && *tail.ptr == '>');
		ck_assert_uint_gt(bytes, 0);
	}
	tdat_export_free(e);
	ck_assert_uint_eq(own->ended, 1);
	ck_assert(own->given_up == (st != TDAT_OK));
	tdat_iter_free(iter);
	tdat_file_close(in.file);
	return st;
}

START_TEST(test_own)
{
	static const char *const faults[] = {"none done", "too many", "too short"};
	struct tdat_error err = TDAT_ERROR_INIT;
	struct own own = {.fault = NULL};
	size_t i;

	ck_assert_int_eq(run_own(&own, &err), TDAT_OK);
	ck_assert_uint_eq(own.events, OWN_EVENTS);
	for (i = 0; i < sizeof(faults) / sizeof(faults[0]); i++) {
		own = (struct own){.fault = faults[i]};
		ck_assert_int_eq(run_own(&own, &err), TDAT_E_USAGE);
		ck_assert_ptr_nonnull(strstr(err.message, "the sink wrote bytes of"));
	}
	own = (struct own){.fault = "fails"};
	ck_assert_int_eq(run_own(&own, &err), TDAT_E_LIMIT);
	ck_assert_str_eq(err.message, "as asked for");
}
END_TEST

/* ---- the registry ---- */

START_TEST(test_registry)
{
	static const struct tdat_keyed_option wrong[] = {{"no-such", ""}, {"compat", "4"}};
	struct tdat_export_request request = TDAT_EXPORT_REQUEST_INIT;
	struct tdat_error err = TDAT_ERROR_INIT;
	struct tdat_export *e;
	size_t i, count;
	const struct tdat_exporter *const *table = tdat_exporters(&count);

	ck_assert_uint_ge(count, 3);
	for (i = 0; i < count; i++) {
		const enum tdat_export_kind kind = table[i]->kind;

		ck_assert_ptr_eq(tdat_exporter_find(table[i]->name), table[i]);
		ck_assert(*table[i]->summary);
		ck_assert(!table[i]->columns == (kind != TDAT_EXPORT_TABLES));
		ck_assert(!table[i]->events == (kind == TDAT_EXPORT_TABLES));
		ck_assert(!table[i]->pack == (kind != TDAT_EXPORT_PACKETS));
	}
	ck_assert_ptr_null(tdat_exporter_find("no-such"));
	request.option_count = 1;
	request.options = &wrong[0];
	for (i = 0; i < count; i++) {
		ck_assert_int_eq(tdat_export_new(&e, table[i], &request, &err), TDAT_E_USAGE);
		ck_assert_ptr_nonnull(strstr(err.message, "no option 'no-such'"));
		ck_assert_ptr_null(e);
	}
	request.options = &wrong[1];
	ck_assert_int_eq(tdat_export_new(&e, tdat_exporter_find("text"), &request, &err),
			 TDAT_E_USAGE);
	ck_assert_ptr_nonnull(strstr(err.message, "not '4'"));
	request.option_count = 0;
	ck_assert_int_eq(tdat_export_new(&e, tdat_exporter_find("event_csv"), &request, &err),
			 TDAT_E_USAGE);
	ck_assert_ptr_nonnull(strstr(err.message, "CSV needs the event type"));
}
END_TEST

int main(void)
{
	Suite *s = suite_create("export");
	TCase *tc = tcase_create("export");

	tcase_add_test(tc, test_numbers);
	tcase_add_test(tc, test_strings);
	tcase_add_test(tc, test_every_byte);
	tcase_add_test(tc, test_events);
	tcase_add_test(tc, test_limit);
	tcase_add_test(tc, test_own);
	tcase_add_test(tc, test_registry);
	suite_add_tcase(s, tc);
	return run_suite(s);
}
