/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests user_events: the kernel's answers, conformance tables, recorded writes, the structs. */
#include <check.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <tdat/user_events.h>

#include "../common/run.h"
#include "collect.h"
#include "core/endian.h"

static char *fixture(const char *name, size_t *len)
{
	char path[4096];

	snprintf(path, sizeof(path), "%s/foreign/user_events/%s", getenv("TDAT_FIXTURES"), name);
	return collect_read_file(path, len);
}

static struct tdat_user_events *new_events(struct collect *c, bool big)
{
	struct tdat_user_events_opts opts = TDAT_USER_EVENTS_OPTS_INIT;
	struct tdat_emit_info info = TDAT_EMIT_INFO_INIT;
	struct tdat_error err = TDAT_ERROR_INIT;
	struct tdat_user_events *ue;

	collect_init(c);
	info.big_endian = opts.big_endian = big;
	ck_assert_int_eq(tdat_emit_info(&c->emit, &info, &err), TDAT_OK);
	ck_assert_int_eq(tdat_user_events_new(&ue, &c->emit, &opts, &err), TDAT_OK);
	return ue;
}

/* Lines and columns, cut in place. */
static char *next_line(char **text)
{
	char *line = *text, *end = line ? strchr(line, '\n') : NULL;

	if (!line || !*line)
		return NULL;
	*text = end ? end + 1 : NULL;
	if (end)
		*end = '\0';
	return line;
}

static int split_tabs(char *line, char **columns, int max)
{
	int n = 0;

	for (; line && n < max; n++) {
		char *tab = strchr(line, '\t');

		columns[n] = line;
		line = tab ? tab + 1 : NULL;
		if (tab)
			*tab = '\0';
	}
	return n;
}

/* "char a[1931489843];" -> "char a[];": a kernel prints what lies there. */
static void mask_lengths(char *s)
{
	char *out = s;

	while (*s) {
		char *line_end = strchr(s, '\n');
		bool field = !strncmp(s, "\tfield:", 7);
		char *semicolon = strchr(s, ';');

		while (*s && s <= line_end) {
			*out++ = *s;
			if (field && *s == '[' && s < semicolon && !strncmp(semicolon - 1, "];", 2))
				while (s[1] >= '0' && s[1] <= '9')
					s++;
			s++;
		}
	}
	*out = '\0';
}

/* ---- what a 6.12 kernel said ---- */

static int errno_of(enum tdat_status st, const struct tdat_error *err)
{
	return st == TDAT_OK ? 0 : err->sys_errno;
}

static void check_command(struct tdat_user_events *ue, const char *command, int errnum,
			  char *format, const char *dynamic)
{
	struct tdat_error err = TDAT_ERROR_INIT;
	const struct tdat_user_event *e;
	uint32_t index = 0;
	char text[16384];
	unsigned int id = 0;
	enum tdat_status st = tdat_user_events_register(ue, command, 0, NULL, 0, 0, &index, &err);

	ck_assert_msg(errno_of(st, &err) == errnum, "[%s]: errno %d, the kernel's is %d (%s)",
		      command, errno_of(st, &err), errnum, err.message);
	if (st != TDAT_OK)
		return;
	e = tdat_user_events_find(ue, index);
	ck_assert_ptr_nonnull(e);
	if (format) {
		sscanf(strstr(format, "ID: "), "ID: %u", &id);
		ck_assert_uint_lt(tdat_user_event_format(e, (uint16_t)id, text, sizeof(text)),
				  sizeof(text));
		mask_lengths(text);
		mask_lengths(format);
		ck_assert_msg(!strcmp(text, format), "[%s]\n--- got\n%s--- kernel\n%s", command,
			      text, format);
	}
	if (*command) {
		tdat_user_event_command(e, text, sizeof(text));
		ck_assert_str_eq(text, dynamic);
	}
}

START_TEST(kernel_formats)
{
	char *all = fixture("kernel_formats.txt", NULL), *at = all;
	struct collect c;
	struct tdat_user_events *ue = new_events(&c, false);
	size_t count = 0;

	while ((at = strstr(at, "=== command: ["))) {
		char *command = at + strlen("=== command: [");
		char *end = strstr(command, "]\nerrno: "), *next, *format, *dynamic;
		int errnum;

		ck_assert_ptr_nonnull(end);
		next = strstr(end, "\n=== command: [");
		if (next)
			*next = '\0';
		*end = '\0';
		errnum = atoi(end + strlen("]\nerrno: "));
		format = strstr(end + 1, "\nname: ");
		dynamic = strstr(end + 1, "--- dynamic_events: u:");
		if (dynamic) {
			dynamic[strcspn(dynamic, "\n")] = '\0';
			dynamic[0] = '\0';
			dynamic += strlen("--- dynamic_events: u:");
		}
		check_command(ue, command, errnum, format ? format + 1 : NULL, dynamic);
		count++;
		at = next ? next + 1 : end + 1;
	}
	printf("%zu commands of a kernel\n", count);
	ck_assert_uint_ge(count, 100);
	tdat_user_events_free(ue);
	collect_fini(&c);
	free(all);
}
END_TEST

/* ---- conformance tables ---- */

static int errno_named(const char *name)
{
	static const int known[] = {EPERM, ENOENT, EBADF, EFAULT, EBUSY, EINVAL, EADDRINUSE};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (!strncmp(name, tdat_user_errno_name(known[i]),
			     strlen(tdat_user_errno_name(known[i]))))
			return known[i];
	return 0;
}

/* "\t" in a table stands for a tab. */
static void unescape(char *s)
{
	char *tab;

	while ((tab = strstr(s, "\\t"))) {
		*tab = '\t';
		memmove(tab + 1, tab + 2, strlen(tab + 2) + 1);
	}
}

START_TEST(table_parse)
{
	char *all = fixture("conformance_parse.tsv", NULL), *at = all, *line;
	size_t count = 0;

	next_line(&at);
	while ((line = next_line(&at))) {
		struct tdat_error err = TDAT_ERROR_INIT;
		struct tdat_user_event *e;
		const struct tdat_user_field *f;
		char *col[5], got[1024] = "", min[32];
		int want;

		ck_assert_int_eq(split_tabs(line, col, 5), 5);
		unescape(col[2]);
		want = !strcmp(col[1], "ok") ? 0 : errno_named(col[1]);
		ck_assert_msg(errno_of(tdat_user_event_parse(&e, col[2], &err), &err) == want,
			      "[%s]: %d %s, not %s", col[2], err.sys_errno, err.message, col[1]);
		count++;
		if (want)
			continue;
		for (size_t i = 0; (f = tdat_user_event_field(e, i)); i++)
			sprintf(got + strlen(got), "%s%s:%u/%u/%d", i ? " " : "", f->name, f->off,
				f->size, f->is_signed);
		snprintf(min, sizeof(min), "min_size=%u", tdat_user_event_min_size(e));
		ck_assert_str_eq(*got ? got : "-", col[3]);
		ck_assert_str_eq(min, col[4]);
		tdat_user_event_free(e);
	}
	ck_assert_uint_ge(count, 70);
	free(all);
}
END_TEST

START_TEST(table_print_fmt)
{
	char *all = fixture("conformance_print_fmt.tsv", NULL), *at = all, *line;
	size_t count = 0;

	next_line(&at);
	while ((line = next_line(&at))) {
		struct tdat_error err = TDAT_ERROR_INIT;
		struct tdat_user_event *e;
		char *col[3], got[4096], *fmt;

		ck_assert_int_eq(split_tabs(line, col, 3), 3);
		ck_assert_int_eq(tdat_user_event_parse(&e, col[1], &err), TDAT_OK);
		ck_assert_uint_lt(tdat_user_event_format(e, 1, got, sizeof(got)), sizeof(got));
		fmt = strstr(got, "print fmt: ");
		ck_assert_ptr_nonnull(fmt);
		fmt[strcspn(fmt, "\n")] = '\0';
		ck_assert_str_eq(fmt, col[2]);
		tdat_user_event_free(e);
		count++;
	}
	ck_assert_uint_ge(count, 20);
	free(all);
}
END_TEST

START_TEST(table_match)
{
	char *all = fixture("conformance_match.tsv", NULL), *at = all, *line;
	size_t count = 0;

	next_line(&at);
	while ((line = next_line(&at))) {
		struct tdat_error err = TDAT_ERROR_INIT;
		struct collect c;
		struct tdat_user_events *ue = new_events(&c, false);
		uint32_t first = 9, second = 9;
		char *col[4];
		int want;

		ck_assert_int_eq(split_tabs(line, col, 4), 4);
		want = strncmp(col[1], "yes", 3) ? EADDRINUSE : 0;
		ck_assert_int_eq(tdat_user_events_register(ue, col[2], 0, NULL, 0, 0, &first, &err),
				 TDAT_OK);
		ck_assert_int_eq(errno_of(tdat_user_events_register(ue, col[3], 0, NULL, 0, 0,
								    &second, &err),
					  &err),
				 want);
		ck_assert_uint_eq(first, 0);
		ck_assert_uint_eq(second, want ? 9 : 0);
		tdat_user_events_free(ue);
		collect_fini(&c);
		count++;
	}
	ck_assert_uint_ge(count, 10);
	free(all);
}
END_TEST

static size_t from_hex(const char *s, uint8_t *out)
{
	size_t n = 0;

	for (unsigned int v; sscanf(s + 2 * n, "%2x", &v) == 1; n++)
		out[n] = (uint8_t)v;
	return n;
}

START_TEST(table_write)
{
	char *all = fixture("conformance_write.tsv", NULL), *at = all, *line;
	size_t count = 0;

	next_line(&at);
	while ((line = next_line(&at))) {
		struct tdat_error err = TDAT_ERROR_INIT;
		uint8_t payload[256];
		struct tdat_user_event *e;
		char *col[5] = {NULL}, command[256];
		int want;
		size_t len;

		split_tabs(line, col, 5);
		if (!strcmp(col[1], "any"))
			continue; /* these are of the registry: see below */
		want = !strcmp(col[3], "ok") ? 0 : errno_named(col[3]);
		snprintf(command, sizeof(command), "e %s", strcmp(col[1], "-") ? col[1] : "");
		ck_assert_int_eq(tdat_user_event_parse(&e, command, &err), TDAT_OK);
		len = strcmp(col[2], "-") ? from_hex(col[2], payload) : 0;
		ck_assert_msg(errno_of(tdat_user_event_check(e, payload, len, false, &err), &err) ==
				      want,
			      "%s %s: %d, not %s", col[1], col[2], err.sys_errno, col[3]);
		tdat_user_event_free(e);
		count++;
	}
	ck_assert_uint_ge(count, 12);
	free(all);
}
END_TEST

START_TEST(command_length)
{
	struct tdat_error err = TDAT_ERROR_INIT;
	struct tdat_user_event *e;
	char command[600];

	memset(command, 'a', sizeof(command));
	command[511] = '\0';
	ck_assert_int_eq(tdat_user_event_parse(&e, command, &err), TDAT_OK);
	ck_assert_uint_eq(tdat_user_event_format(e, 7, NULL, 0), 292 - 4 - 3 + 511);
	tdat_user_event_free(e);
	command[511] = 'a';
	command[512] = '\0';
	ck_assert_int_eq(tdat_user_event_parse(&e, command, &err), TDAT_E_USAGE);
	ck_assert_int_eq(err.sys_errno, EINVAL);
	/* Sizes that are error numbers to the kernel; and the smallest number. */
	ck_assert_int_eq(tdat_user_event_parse(&e, "e struct x a 4294967294", &err), TDAT_E_USAGE);
	ck_assert_int_eq(err.sys_errno, ENOENT);
	ck_assert_int_eq(tdat_user_event_parse(&e, "e struct x a 2147483648", &err), TDAT_E_USAGE);
	ck_assert_int_eq(tdat_user_event_parse(&e, "e struct x a 4294967296", &err), TDAT_E_USAGE);
	ck_assert_int_eq(err.sys_errno, EINVAL);
}
END_TEST

/* ---- formats of the samples ---- */

START_TEST(sample_formats)
{
	char *all = fixture("defs.txt", NULL), *at = all, *line;
	uint16_t id = 1500;

	while ((line = next_line(&at))) {
		struct tdat_error err = TDAT_ERROR_INIT;
		struct tdat_user_event *e;
		char name[256], got[4096], *want;

		ck_assert_int_eq(tdat_user_event_parse(&e, line + 2, &err), TDAT_OK);
		snprintf(name, sizeof(name), "formats/%s.format", tdat_user_event_name(e));
		want = fixture(name, NULL);
		tdat_user_event_format(e, id++, got, sizeof(got));
		ck_assert_str_eq(got, want);
		free(want);
		tdat_user_event_free(e);
	}
	ck_assert_uint_eq(id, 1509);
	free(all);
}
END_TEST

/* ---- logs ---- */

/* A field as the expected lists show it; arrays of bytes and structs in hex. */
static void print_field(FILE *out, const struct collect_event *e, const struct collect_field *f)
{
	struct tdat_span s = {e->data + f->off, f->size};
	bool rel = !strncmp(f->type, "__rel_loc", 9), text = strstr(f->type, "char") != NULL;

	if (f->dynamic)
		s = collect_bytes(e, f->name);
	if (rel) {
		uint32_t loc = tdat_load32(e->data + f->off, e->owner->info.big_endian);

		s = (struct tdat_span){e->data + f->off + 4 + (loc & 0xffff), loc >> 16};
	}
	if (text && strcmp(f->type, "unsigned char")) {
		fwrite(s.ptr, 1, strnlen((const char *)s.ptr, s.len), out);
	} else if (f->array || !strncmp(f->type, "struct", 6)) {
		for (size_t i = 0; i < s.len; i++)
			fprintf(out, "%02x", s.ptr[i]);
	} else if (f->is_signed) {
		fprintf(out, "%" PRId64, collect_int(e, f->name));
	} else {
		fprintf(out, "%" PRIu64, collect_uint(e, f->name));
	}
}

static char *print_events(const struct collect *c)
{
	char *text;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	for (size_t i = 0; i < c->event_count; i++) {
		const struct collect_event *e = &c->events[i];

		fprintf(out, "[%03u] %" PRIu64 " pid=%" PRId64 " %s:%s:", e->cpu, e->ts,
			collect_int(e, "common_pid"), e->format->system, e->format->name);
		for (size_t k = 4; k < e->format->field_count; k++) {
			fprintf(out, " %s=", e->format->fields[k].name);
			print_field(out, e, &e->format->fields[k]);
		}
		fputc('\n', out);
	}
	fclose(out);
	return text;
}

static void run_log(struct collect *c, const char *log, const char *const *options)
{
	struct tdat_error err = TDAT_ERROR_INIT;
	struct collect_inputs in = {0};
	const struct tdat_importer *im;
	char defs[4200], path[4200];

	collect_init(c);
	snprintf(defs, sizeof(defs), "%s/foreign/user_events/defs.txt", getenv("TDAT_FIXTURES"));
	snprintf(path, sizeof(path), "%s/foreign/user_events/%s", getenv("TDAT_FIXTURES"), log);
	collect_add_file(&in, defs, TDAT_ACCESS_MAP);
	collect_add_file(&in, path, TDAT_ACCESS_READ);
	ck_assert_msg(collect_run(c, "user_events", &in, options, &err) == TDAT_OK, "%s",
		      err.message);
	ck_assert_int_eq(tdat_importer_probe(in.inputs, in.count, &im, &err), TDAT_OK);
	ck_assert_str_eq(im->name, "user_events");
	collect_close(&in);
}

START_TEST(logs)
{
	static const char *const options[][2] = {{NULL}, {"endian=big", NULL}};
	static const char *const names[] = {"writes_le", "writes_be"};
	char name[64], *want, *got;
	struct collect c;

	snprintf(name, sizeof(name), "%s.txt", names[_i]);
	run_log(&c, name, options[_i]);
	snprintf(name, sizeof(name), "%s.expected.txt", names[_i]);
	want = fixture(name, NULL);
	got = print_events(&c);
	ck_assert_str_eq(got, want);
	ck_assert_uint_eq(c.warning_count, 0);
	ck_assert_str_eq(c.clock, "mono");
	ck_assert_uint_eq(c.formats[0]->id, 1500);
	free(got);
	free(want);
	collect_fini(&c);
}
END_TEST

START_TEST(bad_log)
{
	char *want = fixture("writes_bad.expected.txt", NULL), *at = want, *line;
	size_t warning = 0, ok = 0;
	struct collect c;

	run_log(&c, "writes_bad.txt", NULL);
	while ((line = next_line(&at))) {
		char *col[2], expected[512];

		ck_assert_int_eq(split_tabs(line, col, 2), 2);
		if (!strncmp(col[1], "ok", 2)) {
			ok++;
			continue;
		}
		snprintf(expected, sizeof(expected), "writes_bad.txt: line %s: %s", col[0], col[1]);
		ck_assert_uint_lt(warning, c.warning_count);
		ck_assert_str_eq(c.warnings[warning++], expected);
	}
	ck_assert_uint_eq(warning, c.warning_count);
	ck_assert_uint_eq(ok, c.event_count);
	ck_assert_uint_eq(c.events[0].ts, 900);
	ck_assert_str_eq(collect_fact(&c, "refused"), "10");
	ck_assert_str_eq(collect_fact(&c, "sorted"), "1");
	ck_assert_str_eq(collect_fact(&c, "with extra bytes"), "1");
	collect_fini(&c);
	free(want);
}
END_TEST

/* The log's writes as streams: with and without times, both orders. */
START_TEST(streams)
{
	bool big = _i & 1, stamped = _i & 2;
	const char *const options[] = {big ? "endian=big" : "endian=little",
				       stamped ? "log=raw-ts" : "log=raw", NULL};
	char *log = fixture(big ? "writes_be.txt" : "writes_le.txt", NULL), *at = log, *line;
	struct tdat_error err = TDAT_ERROR_INIT;
	struct collect_inputs in = {0};
	uint8_t data[4096];
	char *defs = fixture("defs.txt", NULL), *want, *got;
	struct collect c, text;
	size_t len = 0, ends[16], n = 0;

	while ((line = next_line(&at))) {
		unsigned long long ts;
		char hex[256];

		if (sscanf(line, "%llu %*d %*d %255s", &ts, hex) != 2)
			continue;
		if (stamped) {
			tdat_store64(data + len, ts, big);
			len += 8;
		}
		len += from_hex(hex, data + len);
		ends[n++] = len;
	}
	collect_add_memory(&in, "dynamic_events", defs, strlen(defs));
	collect_add_memory(&in, "writes.cpu3.tid77", data, len);
	collect_init(&c);
	ck_assert_msg(collect_run(&c, "user_events", &in, options, &err) == TDAT_OK, "%s",
		      err.message);
	ck_assert_uint_eq(c.event_count, 9);
	ck_assert_uint_eq(c.warning_count, 0);
	ck_assert_uint_eq(c.events[8].ts, stamped ? 5000 : 9);
	ck_assert_uint_eq(c.events[8].cpu, 3);
	ck_assert_int_eq(collect_int(&c.events[8], "common_pid"), 77);
	ck_assert_str_eq(c.clock, stamped ? "mono" : "counter");
	run_log(&text, big ? "writes_be.txt" : "writes_le.txt", options);
	collect_fini(&text);
	want = print_events(&c);
	collect_fini(&c);
	/* Cut anywhere: what is whole is kept, the rest told. */
	for (size_t cut = 0; cut < len; cut++) {
		size_t whole = 0;

		while (ends[whole] <= cut)
			whole++;
		tdat_source_close((struct tdat_source *)in.inputs[1].source);
		tdat_source_open_memory((struct tdat_source **)&in.inputs[1].source, data, cut,
					"cut", &err);
		collect_init(&c);
		EXPECT(collect_run(&c, "user_events", &in, options, &err) == TDAT_OK, "%s",
		       err.message);
		EXPECT(c.event_count == whole, "%zu of %zu at %zu", c.event_count, whole, cut);
		EXPECT(c.warning_count == (cut != (whole ? ends[whole - 1] : 0)), "at %zu", cut);
		got = print_events(&c);
		EXPECT(!strncmp(got, want, strlen(got)), "at %zu", cut);
		free(got);
		collect_fini(&c);
	}
	collect_close(&in);
	free(want);
	free(defs);
	free(log);
}
END_TEST

START_TEST(bad_definitions)
{
	static const char defs[] =
		"# events\nu:a u32 x\np:kprobes/foo bar\nu:b long x\n\nu:a u64 x\n"
		"u:a u32 x\nc u8 y\n";
	static const char log[] = "10 0 5 0000000001000000\n20 0 5 0100000001000000\n"
				  "30 1 5 0300000002000000\n40 2 6 0400000007\n";
	static const char comms[] = "5 five\nnonsense\n";
	struct tdat_error err = TDAT_ERROR_INIT;
	struct collect_inputs in = {0};
	struct collect c;
	char *got;

	collect_add_memory(&in, "defs.txt", defs, sizeof(defs) - 1);
	collect_add_memory(&in, "log", log, sizeof(log) - 1);
	collect_add_memory(&in, "saved_cmdlines", comms, sizeof(comms) - 1);
	collect_init(&c);
	ck_assert_int_eq(collect_run(&c, "user_events", &in, NULL, &err), TDAT_OK);
	ck_assert_uint_eq(c.warning_count, 4);
	ck_assert_str_eq(c.warnings[0],
			 "defs.txt: line 4: EINVAL: type \"long\" of field \"x\" is unknown");
	ck_assert_str_eq(c.warnings[1], "defs.txt: line 6: EADDRINUSE: event a has other fields");
	ck_assert_str_eq(c.warnings[2], "saved_cmdlines: line 2 is not a process id and a name");
	ck_assert_str_eq(c.warnings[3], "log: line 2: ENOENT: index 1 is not registered");
	got = print_events(&c);
	ck_assert_str_eq(got, "[000] 10 pid=5 user_events:a: x=1\n"
			      "[001] 30 pid=5 user_events:a: x=2\n"
			      "[002] 40 pid=6 user_events:c: y=7\n");
	ck_assert_uint_eq(c.comm_count, 1);
	free(got);
	collect_fini(&c);
	collect_close(&in);
	memset(&in, 0, sizeof(in));
	collect_add_memory(&in, "log", log, sizeof(log) - 1);
	collect_init(&c);
	ck_assert_int_eq(collect_run(&c, "user_events", &in, NULL, &err), TDAT_E_USAGE);
	collect_fini(&c);
	collect_close(&in);
}
END_TEST

/* ---- the registry ---- */

#define REFUSED(call, errnum)                                                                      \
	do {                                                                                       \
		struct tdat_error e_ = TDAT_ERROR_INIT, *err = &e_;                                \
		ck_assert_int_eq(call, TDAT_E_USAGE);                                              \
		ck_assert_msg(e_.sys_errno == (errnum), "%d: %s", e_.sys_errno, e_.message);       \
	} while (0)

#define WORKS(call)                                                                                \
	do {                                                                                       \
		struct tdat_error e_ = TDAT_ERROR_INIT, *err = &e_;                                \
		ck_assert_msg((call) == TDAT_OK, "%s", e_.message);                                \
	} while (0)

START_TEST(registering)
{
	uint64_t bits64 = 0;
	uint32_t bits = 1, index = 9;
	struct collect c;
	struct tdat_user_events *ue = new_events(&c, false);

	WORKS(tdat_user_events_register(ue, "a u32 x", 0, &bits, 31, 4, &index, err));
	ck_assert_uint_eq(index, 0);
	ck_assert_uint_eq(bits, 0x80000001);
	WORKS(tdat_user_events_register(ue, "b", 0, &bits64, 63, 8, &index, err));
	ck_assert_uint_eq(index, 1);
	ck_assert_uint_eq(bits64, 1ull << 63);
	WORKS(tdat_user_events_register(ue, "a u32 x;", 0, &bits, 30, 4, &index, err));
	ck_assert_uint_eq(index, 0);
	REFUSED(tdat_user_events_register(ue, "c", 0, &bits, 31, 4, &index, err), EADDRINUSE);
	REFUSED(tdat_user_events_register(ue, "a u64 x", 0, NULL, 0, 0, &index, err), EADDRINUSE);
	REFUSED(tdat_user_events_register(ue, "c", 0, &bits, 32, 4, &index, err), EINVAL);
	REFUSED(tdat_user_events_register(ue, "c", 0, &bits, 1, 3, &index, err), EINVAL);
	REFUSED(tdat_user_events_register(ue, "c", 4, NULL, 0, 0, &index, err), EINVAL);
	REFUSED(tdat_user_events_register(ue, "c", 1, NULL, 0, 0, &index, err), EPERM);
	REFUSED(tdat_user_events_register(ue, "c long x", 0, NULL, 0, 0, &index, err), EINVAL);
	WORKS(tdat_user_events_enable(ue, "a", false, err));
	ck_assert_uint_eq(bits, 1);
	WORKS(tdat_user_events_enable(ue, "a", true, err));
	ck_assert_uint_eq(bits, 0xc0000001);
	WORKS(tdat_user_events_unregister(ue, &bits, 31, err));
	ck_assert_uint_eq(bits, 0x40000001);
	REFUSED(tdat_user_events_unregister(ue, &bits, 31, err), ENOENT);
	REFUSED(tdat_user_events_delete(ue, "a", err), EBUSY);
	REFUSED(tdat_user_events_delete(ue, "zzz", err), ENOENT);
	REFUSED(tdat_user_events_enable(ue, "zzz", true, err), ENOENT);
	WORKS(tdat_user_events_define(ue, "u: d u8 x", err));
	REFUSED(tdat_user_events_define(ue, "p:d u8 x", err), ECANCELED);
	REFUSED(tdat_user_events_define(ue, "u:d u16 x", err), EADDRINUSE);
	WORKS(tdat_user_events_delete(ue, "d", err));
	REFUSED(tdat_user_events_delete(ue, "d", err), ENOENT);
	tdat_user_events_free(ue);
	collect_fini(&c);
}
END_TEST

START_TEST(writing)
{
	static const uint8_t second[] = {1, 0, 0, 0}, bad[] = {0xff, 0xff, 0xff, 0xff},
			     third[] = {2, 0, 0, 0};
	uint8_t first[] = {0, 0, 0, 0, 42, 0, 0, 0}, large[5000] = {0};
	struct tdat_user_origin origin = {2, 501, 1000};
	struct tdat_user_iovec iov[] = {{first, 4}, {first + 4, 2}, {first + 6, 2}};
	struct tdat_error limit = TDAT_ERROR_INIT;
	uint32_t index;
	struct collect c;
	struct tdat_user_events *ue = new_events(&c, false);

	WORKS(tdat_user_events_register(ue, "a u32 x", 0, NULL, 0, 0, &index, err));
	WORKS(tdat_user_events_register(ue, "b", 0, NULL, 0, 0, &index, err));
	WORKS(tdat_user_events_write(ue, &origin, first, 8, err));
	WORKS(tdat_user_events_writev(ue, &origin, iov, 3, err));
	WORKS(tdat_user_events_write(ue, &origin, second, 4, err));
	REFUSED(tdat_user_events_write(ue, &origin, first, 3, err), EFAULT);
	REFUSED(tdat_user_events_writev(ue, &origin, iov, 0, err), EFAULT);
	REFUSED(tdat_user_events_write(ue, &origin, first, 7, err), EINVAL);
	REFUSED(tdat_user_events_write(ue, &origin, bad, 4, err), EINVAL);
	REFUSED(tdat_user_events_write(ue, &origin, third, 4, err), ENOENT);
	WORKS(tdat_user_events_enable(ue, "a", false, err));
	REFUSED(tdat_user_events_write(ue, &origin, first, 8, err), EBADF);
	REFUSED(tdat_user_events_write(ue, &origin, first, 7, err), EINVAL);
	large[0] = 1;
	WORKS(tdat_user_events_write(ue, &origin, large, 4 + 4064, err));
	ck_assert_int_eq(tdat_user_events_write(ue, &origin, large, 4 + 4065, &limit),
			 TDAT_E_LIMIT);
	ck_assert_uint_eq(c.event_count, 4);
	for (int i = 0; i < 2; i++) {
		ck_assert_uint_eq(collect_uint(&c.events[i], "x"), 42);
		ck_assert_int_eq(collect_int(&c.events[i], "common_pid"), 501);
		ck_assert_uint_eq(c.events[i].cpu, 2);
	}
	tdat_user_events_free(ue);
	collect_fini(&c);
}
END_TEST

START_TEST(multi_format)
{
	char *all = fixture("multi_format.txt", NULL), *at = all, *line;
	struct collect c;
	struct tdat_user_events *ue = new_events(&c, false);
	size_t count = 0;

	next_line(&at);
	while ((line = next_line(&at))) {
		uint16_t flags;
		uint32_t index;
		char *col[4];

		ck_assert_int_eq(split_tabs(line, col, 4), 4);
		flags = (uint16_t)strtoul(col[1], NULL, 0);
		WORKS(tdat_user_events_register(ue, col[0], flags, NULL, 0, 0, &index, err));
		ck_assert_msg(collect_format_named(&c, col[2], col[3]), "%s:%s", col[2], col[3]);
		count++;
	}
	ck_assert_uint_eq(count, 4);
	ck_assert_uint_eq(c.format_count, 3);
	/* The kernel has one counter for all names. */
	WORKS(tdat_user_events_register(ue, "other u32 a", 2, NULL, 0, 0, &(uint32_t){0}, err));
	ck_assert(collect_format_named(&c, "user_events_multi", "other.2"));
	tdat_user_events_free(ue);
	collect_fini(&c);
	free(all);
}
END_TEST

/* ---- the ABI's structs ---- */

START_TEST(structs)
{
	static const char *const names[] = {"abi/user_reg_5.18_6.3_le.bin",
					    "abi/user_reg_5.18_6.3_be.bin",
					    "abi/user_reg_6.4_le.bin", "abi/user_reg_6.4_be.bin"};
	bool big = _i & 1, early = _i < 2;
	struct tdat_user_reg reg;
	size_t len;
	char *data = fixture(names[_i], &len);

	WORKS(tdat_user_reg_decode(&reg, data, len, big, err));
	ck_assert_uint_eq(reg.size, early ? 20 : 28);
	ck_assert_uint_eq(reg.name_args, 0x7fffdeadbeef);
	ck_assert_uint_eq(reg.write_index, 1);
	ck_assert_uint_eq(reg.status, early ? 3 : 0);
	ck_assert_uint_eq(reg.enable_bit, early ? 0 : 31);
	ck_assert_uint_eq(reg.enable_size, early ? 0 : 4);
	ck_assert_uint_eq(reg.flags, early ? 0 : 1);
	ck_assert_uint_eq(reg.enable_addr, early ? 0 : 0x7fffdead1000);
	for (size_t cut = 0; cut < len; cut++)
		REFUSED(tdat_user_reg_decode(&reg, data, cut, big, err), EFAULT);
	tdat_store32(data, 29, big);
	REFUSED(tdat_user_reg_decode(&reg, data, len, big, err), E2BIG);
	tdat_store32(data, 19, big);
	REFUSED(tdat_user_reg_decode(&reg, data, len, big, err), EINVAL);
	free(data);
}
END_TEST

START_TEST(status_pages)
{
	size_t len;
	char *bytes = fixture("abi/status_page_bytes_5.18.bin", &len);
	char *bits = fixture("abi/status_page_bits_6.0.bin", &len);

	for (uint32_t i = 0; i < 4096; i++)
		ck_assert_uint_eq(tdat_user_status_byte(bytes, len, i), i == 3	 ? 1
									: i == 9 ? 3
										 : 0);
	ck_assert_uint_eq(tdat_user_status_byte(bytes, len, 4096), 0);
	for (uint32_t i = 0; i < 8 * 4096 + 9; i++)
		ck_assert_int_eq(tdat_user_status_bit(bits, len, i), i == 3 || i == 77);
	free(bits);
	free(bytes);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("user_events");
	TCase *tc = tcase_create("user_events");

	tcase_add_test(tc, kernel_formats);
	tcase_add_test(tc, table_parse);
	tcase_add_test(tc, table_print_fmt);
	tcase_add_test(tc, table_match);
	tcase_add_test(tc, table_write);
	tcase_add_test(tc, command_length);
	tcase_add_test(tc, sample_formats);
	tcase_add_loop_test(tc, logs, 0, 2);
	tcase_add_test(tc, bad_log);
	tcase_add_loop_test(tc, streams, 0, 4);
	tcase_add_test(tc, bad_definitions);
	tcase_add_test(tc, registering);
	tcase_add_test(tc, writing);
	tcase_add_test(tc, multi_format);
	tcase_add_loop_test(tc, structs, 0, 4);
	tcase_add_test(tc, status_pages);
	suite_add_tcase(suite, tc);
	return run_suite(suite);
}
