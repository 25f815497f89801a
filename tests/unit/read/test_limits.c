/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Every member of struct tdat_limits: a file that asks for one more than the limit is
 * TDAT_E_LIMIT with a sentence that names it, one that asks for as much is read. What
 * a file asks for is counted from what the same file tells when it is opened without.
 */
#include <check.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../common/run.h"
#include "../common/seen.h"
#include "core/endian.h"
#include <tdat/tdat.h>

static void ok(enum tdat_status st, const struct tdat_error *err)
{
	ck_assert_msg(st == TDAT_OK, "%s", err->message);
}

/* ---- limits by name ---- */

struct limit {
	const char *name;
	size_t off;
	size_t size;
};

#define LIMIT(name)                                                                                \
	{                                                                                          \
#name, offsetof(struct tdat_limits, name), sizeof((struct tdat_limits){0}.name)    \
	}
static const struct limit limits[] = {
	LIMIT(sections),    LIMIT(options),    LIMIT(option_len),  LIMIT(formats),
	LIMIT(format_len),  LIMIT(buffers),    LIMIT(cpus),	   LIMIT(page_len),
	LIMIT(section_len), LIMIT(chunk_len),  LIMIT(print_steps), LIMIT(print_len),
	LIMIT(text_ratio),  LIMIT(data_ratio), LIMIT(name_len),	   LIMIT(spool_len),
	LIMIT(fields),
};
enum { LIMIT_COUNT = sizeof(limits) / sizeof(limits[0]) };

static const struct limit *limit_of(const char *name)
{
	for (size_t i = 0; i < LIMIT_COUNT; i++)
		if (!strcmp(limits[i].name, name))
			return &limits[i];
	ck_abort_msg("no limit %s", name);
}

static struct tdat_open_opts opts_with(struct tdat_limits *own, const char *name, uint64_t value)
{
	struct tdat_open_opts opts = TDAT_OPEN_OPTS_INIT;
	const struct limit *l = limit_of(name);
	char *at = (char *)own + l->off;
	uint32_t narrow = (uint32_t)value;

	*own = (struct tdat_limits)TDAT_LIMITS_INIT;
	opts.limits = own;
	if (l->size == sizeof(value))
		memcpy(at, &value, sizeof(value));
	else
		memcpy(at, &narrow, sizeof(narrow));
	return opts;
}

static bool names(const char *sentence, const char *limit)
{
	char words[64];

	snprintf(words, sizeof(words), "limit %s", limit);
	return strstr(sentence, words) != NULL;
}

/* ---- limits that opening hits ---- */

struct measured {
	const char *name;
	uint64_t asked;
};

static uint64_t most(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static uint64_t longest_format(const struct tdat_file *f)
{
	uint64_t len = 0;

	for (size_t i = 0; i < tdat_file_format_count(f); i++)
		len = most(len, tdat_file_format_text(f, i, NULL).len);
	return len;
}

/* Of what is in CPU tables, and what option CPUCOUNT says. */
static uint64_t highest_cpu(const struct tdat_file *f, uint64_t *page_size)
{
	uint64_t cpus = tdat_file_info(f)->cpu_count;
	const struct tdat_buffer *b;
	size_t i, k, count;

	b = tdat_file_buffers(f, &count);
	for (i = 0; i < count; i++) {
		*page_size = most(*page_size, b[i].page_size);
		for (k = 0; k < b[i].cpu_count; k++)
			cpus = most(cpus, b[i].cpus[k].cpu + 1u);
	}
	return cpus;
}

static size_t measure(const struct tdat_file *f, struct measured out[LIMIT_COUNT])
{
	const struct tdat_file_option *o;
	size_t count, n = 0;
	uint64_t option_len = 0, cpus, page_size = tdat_file_info(f)->page_size;

	cpus = highest_cpu(f, &page_size);
	tdat_file_sections(f, &count);
	out[n++] = (struct measured){"sections", count};
	o = tdat_file_options(f, &count);
	for (size_t i = 0; i < count; i++)
		option_len = most(option_len, o[i].data.len);
	out[n++] = (struct measured){"options", count};
	out[n++] = (struct measured){"option_len", option_len};
	out[n++] = (struct measured){"formats", tdat_file_format_count(f)};
	out[n++] = (struct measured){"format_len", longest_format(f)};
	tdat_file_buffers(f, &count);
	out[n++] = (struct measured){"buffers", count};
	out[n++] = (struct measured){"cpus", cpus};
	out[n++] = (struct measured){"page_len", page_size};
	return n;
}

static void path_of(char *path, size_t len, const char *fixture)
{
	snprintf(path, len, "%s/valid/%s", getenv("TDAT_FIXTURES"), fixture);
}

static enum tdat_status try_open(const char *path, const struct tdat_open_opts *opts,
				 struct tdat_error *err)
{
	struct tdat_file *f;
	enum tdat_status st = tdat_file_open(&f, path, opts, err);

	if (st == TDAT_OK)
		tdat_file_close(f);
	return st;
}

/* Tolerantly opened, the finding is the same one. */
static void check_finding(const char *path, struct tdat_open_opts opts, const char *limit)
{
	struct tdat_error err = TDAT_ERROR_INIT;
	const struct tdat_error *found = &err;
	struct tdat_file *f;
	size_t i, count = 1;
	bool named = false;

	opts.tolerate_damage = true;
	if (tdat_file_open(&f, path, &opts, &err) == TDAT_OK)
		found = tdat_file_damage(f, &count);
	for (i = 0; i < count; i++)
		named |= found[i].status == TDAT_E_LIMIT && names(found[i].message, limit);
	ck_assert_msg(named, "%s: no finding names limit %s", path, limit);
	if (found != &err)
		tdat_file_close(f);
}

static void check_limit(const char *path, const struct measured *m)
{
	struct tdat_limits own;
	struct tdat_open_opts opts = opts_with(&own, m->name, m->asked);
	struct tdat_error err = TDAT_ERROR_INIT;
	enum tdat_status st = try_open(path, &opts, &err);

	ck_assert_msg(st == TDAT_OK, "%s: %s=%llu: %s", path, m->name, (unsigned long long)m->asked,
		      err.message);
	if (m->asked < 2) /* 0: the default */
		return;
	opts = opts_with(&own, m->name, m->asked - 1);
	st = try_open(path, &opts, &err);
	ck_assert_msg(st == TDAT_E_LIMIT && err.status == st && names(err.message, m->name),
		      "%s: %s=%llu: status %d, %s", path, m->name, (unsigned long long)m->asked - 1,
		      st, err.message);
	check_finding(path, opts, m->name);
}

static const char *const fixtures[] = {
	"i386-61-v7-buffers.dat", "i386-61-v7-zstd-sched.dat",	"i386-61-v6-sched.dat",
	"s390x-61-v6-sched.dat",  "s390x-61-v7-zstd-sched.dat", "arm64-16k-612-kstack.dat",
};
enum { FIXTURE_COUNT = sizeof(fixtures) / sizeof(fixtures[0]) };

START_TEST(hit_by_opening)
{
	struct measured all[LIMIT_COUNT];
	struct tdat_error err = TDAT_ERROR_INIT;
	struct tdat_file *f;
	char path[512];
	size_t n;

	path_of(path, sizeof(path), fixtures[_i]);
	ok(tdat_file_open(&f, path, NULL, &err), &err);
	n = measure(f, all);
	tdat_file_close(f);
	for (size_t i = 0; i < n; i++)
		check_limit(path, &all[i]);
}
END_TEST

/* The least that opens is at least the largest part, and not much more. */
START_TEST(section_len)
{
	static const enum tdat_part parts[] = {TDAT_PART_HEADER_PAGE, TDAT_PART_KALLSYMS,
					       TDAT_PART_PRINTK, TDAT_PART_CMDLINES};
	struct tdat_error err = TDAT_ERROR_INIT;
	uint64_t low = 0, high = 1u << 28, largest = 0, all = 8192;
	struct tdat_file *f;
	char path[512];

	path_of(path, sizeof(path), fixtures[_i]);
	ok(tdat_file_open(&f, path, NULL, &err), &err);
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		largest = most(largest, tdat_file_part(f, parts[i]).len);
		all += tdat_file_part(f, parts[i]).len;
	}
	for (size_t i = 0; i < tdat_file_format_count(f); i++)
		all += tdat_file_format_text(f, i, NULL).len + 64;
	tdat_file_close(f);
	while (high - low > 1) {
		uint64_t mid = low + (high - low) / 2;
		struct tdat_limits own;
		struct tdat_open_opts opts = opts_with(&own, "section_len", mid);
		enum tdat_status st = try_open(path, &opts, &err);

		if (st == TDAT_OK)
			high = mid;
		else
			low = mid;
		ck_assert_msg(st == TDAT_OK ||
				      (st == TDAT_E_LIMIT && names(err.message, "section_len")),
			      "%s: status %d, %s", path, st, err.message);
	}
	ck_assert_uint_ge(high, largest);
	ck_assert_uint_le(high, all);
}
END_TEST

/* ---- limits that reading hits ---- */

/* Made by the writer: a symbol table of symbols_len bytes, and events of one CPU in page_count
 * pages. */
static void make(struct bytes *b, const char *codec, size_t symbols_len, unsigned int page_count)
{
	static const char format[] =
		"name: ev\nID: 900\nformat:\n"
		"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
		"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
		"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"
		"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
		"\tfield:unsigned int n;\toffset:8;\tsize:4;\tsigned:0;\n\n"
		"print fmt: \"fourteen words and a number, all of them quite short %u\", REC->n + "
		"1\n";
	struct tdat_writer_opts opts = TDAT_WRITER_OPTS_INIT;
	struct tdat_emit_info info = TDAT_EMIT_INFO_INIT;
	struct tdat_error err = TDAT_ERROR_INIT;
	char path[] = "/tmp/tdat-limits-XXXXXX", *text;
	const struct tdat_emit *e;
	struct tdat_writer *w;
	uint8_t record[12] = {0};
	uint16_t id;

	close(mkstemp(path));
	opts.version = 7;
	opts.compression = codec;
	opts.force = true;
	ok(tdat_writer_new(&w, path, &opts, &err), &err);
	e = tdat_writer_emit(w);
	info.cpu_count = 1;
	ok(tdat_emit_info(e, &info, &err), &err);
	ok(tdat_emit_format(e, "test", format, strlen(format), &id, &err), &err);
	text = malloc(symbols_len + 1);
	ck_assert_ptr_nonnull(text);
	for (size_t i = 0; i < symbols_len; i++)
		text[i] = "0 t b\n"[i % 6];
	ok(tdat_emit_kallsyms(e, text, symbols_len, &err), &err);
	free(text);
	tdat_store16(record, id, false);
	for (uint64_t i = 0; i < page_count * 255ull; i++) {
		struct tdat_emit_event ev = {.ts = i, .record = {record, sizeof(record)}};

		ok(tdat_emit_event(e, &ev, &err), &err);
	}
	ok(tdat_writer_finish(w, &err), &err);
	tdat_writer_free(w);
	bytes_load(b, path);
	unlink(path);
}

static struct tdat_file *open_bytes(const struct bytes *b, const struct tdat_open_opts *opts)
{
	struct tdat_error err = TDAT_ERROR_INIT;
	struct tdat_file *f;

	ok(tdat_file_open_memory(&f, b->ptr, b->len, "made", opts, &err), &err);
	return f;
}

struct told {
	const char *limit;
	unsigned int named;
};

static enum tdat_status on_finding(void *ctx, const struct tdat_finding *finding,
				   struct tdat_error *err)
{
	struct told *t = ctx;

	(void)err;
	t->named += names(finding->sentence, t->limit);
	return TDAT_OK;
}

/* Events that can be read; what an iterator and the check tell agrees on whether the limit was hit.
 */
static uint64_t count_events(const struct bytes *b, const char *limit, uint64_t value, bool hit)
{
	struct tdat_limits own;
	struct tdat_open_opts opts = opts_with(&own, limit, value);
	struct tdat_iter_input in;
	struct tdat_error err = TDAT_ERROR_INIT;
	const struct tdat_stream_damage *d;
	struct tdat_check_result result;
	const struct tdat_event *ev;
	struct told told = {limit, 0};
	struct tdat_iter *iter;
	uint64_t n = 0;
	size_t count;

	own.chunk_len = own.chunk_len == value ? value : UINT32_MAX;
	in = (struct tdat_iter_input){.file = open_bytes(b, &opts)};
	ok(tdat_iter_new(&iter, &in, 1, NULL, &err), &err);
	while (tdat_iter_next(iter, &ev, &err) == TDAT_OK && ev)
		n++;
	d = tdat_iter_damage(iter, &count);
	ck_assert_msg(hit == (count == 1 && names(d[0].message, limit)), "%s=%llu: %s", limit,
		      (unsigned long long)value, count ? d[0].message : "no damage");
	ok(tdat_check(in.file, on_finding, &told, &result, &err), &err);
	ck_assert_int_eq(told.named != 0, hit);
	tdat_iter_free(iter);
	tdat_file_close(in.file);
	return n;
}

/* Where the first chunk of CPU 0 starts. */
static uint64_t first_chunk(const struct bytes *b)
{
	struct tdat_file *f = open_bytes(b, NULL);
	size_t count;
	uint64_t off = tdat_file_buffers(f, &count)[0].cpus[0].off + 4;

	tdat_file_close(f);
	return off;
}

/* _i: zlib, zstd. */
START_TEST(chunk_len)
{
	struct bytes b;
	uint64_t at;
	uint32_t len;

	make(&b, _i ? "zstd" : "zlib", 0, 300);
	at = first_chunk(&b);
	len = tdat_load32(b.ptr + at + 4, false);
	ck_assert_uint_ge(len, 4096);
	ck_assert_uint_eq(count_events(&b, "chunk_len", len, false), 300 * 255);
	ck_assert_uint_lt(count_events(&b, "chunk_len", len - 1, true), 300 * 255);
	free(b.ptr);
}
END_TEST

/* A chunk that says it inflates to over 32 MiB: told before it is tried, unless it is let. */
START_TEST(data_ratio)
{
	struct bytes b;
	uint64_t at;
	uint32_t in_len;

	make(&b, _i ? "zstd" : "zlib", 0, 4);
	at = first_chunk(&b);
	in_len = tdat_load32(b.ptr + at, false);
	ck_assert_uint_eq(count_events(&b, "data_ratio", 1, false), 4 * 255);
	tdat_store32(b.ptr + at + 4, (32u << 20) + (uint32_t)b.len * 3 + in_len * 3, false);
	count_events(&b, "data_ratio", 5, true);
	count_events(&b, "data_ratio", 6, false);
	free(b.ptr);
}
END_TEST

START_TEST(text_ratio)
{
	struct tdat_error err = TDAT_ERROR_INIT;
	struct tdat_limits own;
	struct tdat_open_opts opts = opts_with(&own, "text_ratio", 1);
	/* Whole lines; as many as a writer compresses, whose readers have a ratio of 16. */
	const uint32_t len = ((16 << 20) + (_i ? 20 << 10 : 100 << 10)) / 6 * 6;
	struct tdat_file *f;
	struct bytes b;
	uint32_t enough;

	make(&b, _i ? "zstd" : "zlib", len, 1);
	ck_assert_uint_lt(b.len, 256 << 10);
	ck_assert_int_eq(tdat_file_open_memory(&f, b.ptr, b.len, "made", &opts, &err),
			 TDAT_E_LIMIT);
	ck_assert_msg(names(err.message, "text_ratio"), "%s", err.message);
	enough = (uint32_t)((len - (16u << 20)) / b.len) + 2;
	opts = opts_with(&own, "text_ratio", enough);
	f = open_bytes(&b, &opts);
	ck_assert_uint_eq(tdat_file_info(f)->kallsyms_len, len);
	tdat_file_close(f);
	opts = opts_with(&own, "text_ratio", enough / 2);
	ck_assert_int_eq(tdat_file_open_memory(&f, b.ptr, b.len, "made", &opts, &err),
			 TDAT_E_LIMIT);
	free(b.ptr);
}
END_TEST

/* ---- limits that printing hits ---- */

struct printing {
	struct tdat_iter_input in;
	struct tdat_iter *iter;
	struct tdat_printer *printer;
	const struct tdat_event *event;
};

static void printing_open(struct printing *p, const struct bytes *b, const char *limit,
			  uint64_t value)
{
	struct tdat_limits own;
	struct tdat_open_opts opts = opts_with(&own, limit, value);
	struct tdat_error err = TDAT_ERROR_INIT;

	p->in = (struct tdat_iter_input){.file = open_bytes(b, &opts)};
	ok(tdat_printer_new(&p->printer, &p->in, 1, NULL, &err), &err);
	ok(tdat_iter_new(&p->iter, &p->in, 1, NULL, &err), &err);
	ok(tdat_iter_next(p->iter, &p->event, &err), &err);
	ck_assert_ptr_nonnull(p->event);
}

static void printing_close(struct printing *p)
{
	tdat_iter_free(p->iter);
	tdat_printer_free(p->printer);
	tdat_file_close(p->in.file);
}

START_TEST(print_steps)
{
	struct tdat_error err = TDAT_ERROR_INIT;
	enum tdat_print_kind kind;
	const char *reason;
	struct printing p;
	struct bytes b;

	make(&b, "none", 0, 1);
	for (uint32_t steps = 1; steps < 16; steps++) {
		printing_open(&p, &b, "print_steps", steps);
		ok(tdat_printer_kind(p.printer, 0, p.event->id, &kind, &reason, &err), &err);
		if (kind != TDAT_PRINT_COMPILED) {
			ck_assert_int_eq(kind, TDAT_PRINT_FIELDS);
			ck_assert_msg(names(reason, "print_steps"), "%s", reason);
		}
		printing_close(&p);
		if (kind == TDAT_PRINT_COMPILED)
			break;
	}
	ck_assert_int_eq(kind, TDAT_PRINT_COMPILED);
	free(b.ptr);
}
END_TEST

START_TEST(print_len)
{
	static const char line[] = "fourteen words and a number, all of them quite short 1",
			  mark[] = "[CUT AT LIMIT print_len]";
	struct tdat_error err = TDAT_ERROR_INIT;
	struct tdat_span text;
	struct printing p;
	char want[256];
	struct bytes b;

	make(&b, "none", 0, 1);
	for (size_t len = 1; len <= sizeof(line); len++) {
		printing_open(&p, &b, "print_len", len);
		ok(tdat_printer_info(p.printer, p.event, &text, &err), &err);
		snprintf(want, sizeof(want), "%.*s%s", (int)len, line,
			 len < sizeof(line) - 1 ? mark : "");
		ck_assert_uint_eq(text.len, strlen(want));
		ck_assert_mem_eq(text.ptr, want, text.len);
		printing_close(&p);
	}
	free(b.ptr);
}
END_TEST

/* What native handlers print is text of an event as well. */
START_TEST(print_len_native)
{
	struct tdat_limits own;
	struct tdat_open_opts opts = opts_with(&own, "print_len", 8);
	struct tdat_error err = TDAT_ERROR_INIT;
	enum tdat_print_kind kind;
	const struct tdat_event *ev;
	struct tdat_iter_input in = {NULL, 0, 0};
	struct tdat_printer *printer;
	struct tdat_iter *iter;
	struct tdat_span text;
	unsigned int native = 0;
	char path[512];

	path_of(path, sizeof(path), "s390x-61-kstack.dat");
	ok(tdat_file_open(&in.file, path, &opts, &err), &err);
	ok(tdat_printer_new(&printer, &in, 1, NULL, &err), &err);
	ok(tdat_iter_new(&iter, &in, 1, NULL, &err), &err);
	while (tdat_iter_next(iter, &ev, &err) == TDAT_OK && ev) {
		ok(tdat_printer_kind(printer, 0, ev->id, &kind, NULL, &err), &err);
		ok(tdat_printer_info(printer, ev, &text, &err), &err);
		ck_assert_uint_le(text.len, 8 + strlen("[CUT AT LIMIT print_len]"));
		native += kind == TDAT_PRINT_NATIVE && text.len > 8;
	}
	ck_assert_uint_gt(native, 0);
	tdat_iter_free(iter);
	tdat_printer_free(printer);
	tdat_file_close(in.file);
}
END_TEST

/* ---- names ---- */

static size_t longest_name(const struct tdat_file *f)
{
	size_t len = 0, i, k, n;

	for (i = 0; i < tdat_file_format_count(f); i++) {
		const struct tdat_event_format *format;
		const struct tdat_field *fields;

		ok(tdat_file_format(f, i, &format, NULL), &(struct tdat_error)TDAT_ERROR_INIT);
		len = most(len, strlen(tdat_event_format_name(format)));
		len = most(len, strlen(tdat_event_format_system(format)));
		fields = tdat_event_format_fields(format, &n);
		for (k = 0; k < n; k++)
			len = most(len, strlen(fields[k].name));
	}
	return len;
}

/* Formats that are not read because a name is too long. */
static size_t count_refused(const struct tdat_file *f)
{
	size_t refused = 0;

	for (size_t i = 0; i < tdat_file_format_count(f); i++) {
		struct tdat_error err = TDAT_ERROR_INIT;
		const struct tdat_event_format *format;

		if (tdat_file_format(f, i, &format, &err) == TDAT_OK)
			continue;
		ck_assert_int_eq(err.status, TDAT_E_LIMIT);
		ck_assert_msg(names(err.message, "name_len"), "%s", err.message);
		refused++;
	}
	return refused;
}

static struct tdat_file *open_named(const char *fixture, uint64_t name_len)
{
	struct tdat_limits own;
	struct tdat_open_opts opts = opts_with(&own, "name_len", name_len);
	struct tdat_error err = TDAT_ERROR_INIT;
	struct tdat_file *f;
	char path[512];

	path_of(path, sizeof(path), fixture);
	ok(tdat_file_open(&f, path, &opts, &err), &err);
	return f;
}

START_TEST(name_len_formats)
{
	struct tdat_file *f = open_named("x64-61-syscalls.dat", 0);
	size_t len = longest_name(f);

	ck_assert_uint_eq(count_refused(f), 0);
	tdat_file_close(f);
	f = open_named("x64-61-syscalls.dat", len);
	ck_assert_uint_eq(count_refused(f), 0);
	tdat_file_close(f);
	f = open_named("x64-61-syscalls.dat", len - 1);
	ck_assert_uint_gt(count_refused(f), 0);
	tdat_file_close(f);
}
END_TEST

/* A format with one field more than the limit is not read; fields has no effect on others. */
START_TEST(fields_of_formats)
{
	struct tdat_limits own;
	struct tdat_open_opts opts = opts_with(&own, "fields", 0);
	struct tdat_error err = TDAT_ERROR_INIT;
	const struct tdat_event_format *format;
	size_t most = 0, with_most = 0, refused = 0, count;
	struct tdat_file *f;
	char path[512];

	path_of(path, sizeof(path), "x64-61-syscalls.dat");
	ok(tdat_file_open(&f, path, &opts, &err), &err);
	for (size_t i = 0; i < tdat_file_info(f)->event_format_count; i++) {
		ok(tdat_file_format(f, i, &format, &err), &err);
		tdat_event_format_fields(format, &count);
		with_most = count > most ? 1 : with_most + (count == most);
		most = count > most ? count : most;
	}
	tdat_file_close(f);
	opts = opts_with(&own, "fields", most - 1);
	ok(tdat_file_open(&f, path, &opts, &err), &err);
	for (size_t i = 0; i < tdat_file_info(f)->event_format_count; i++) {
		if (tdat_file_format(f, i, &format, &err) == TDAT_OK)
			continue;
		ck_assert_int_eq(err.status, TDAT_E_LIMIT);
		ck_assert_msg(names(err.message, "fields"), "%s", err.message);
		refused++;
	}
	ck_assert_uint_gt(with_most, 0);
	ck_assert_uint_eq(refused, with_most);
	tdat_file_close(f);
}
END_TEST

START_TEST(name_len_buffers)
{
	struct tdat_file *whole = open_named("i386-61-v7-buffers.dat", 0);
	struct tdat_file *f = open_named("i386-61-v7-buffers.dat", 2);
	const struct tdat_buffer *is, *was;
	size_t i, count, cut = 0;

	was = tdat_file_buffers(whole, &count);
	is = tdat_file_buffers(f, &count);
	for (i = 0; i < count; i++) {
		ck_assert_uint_eq(strlen(is[i].name),
				  strlen(was[i].name) > 2 ? 2 : strlen(was[i].name));
		ck_assert_int_eq(strncmp(is[i].name, was[i].name, strlen(is[i].name)), 0);
		cut += strlen(is[i].name) < strlen(was[i].name);
	}
	ck_assert_uint_gt(cut, 0);
	tdat_file_close(whole);
	tdat_file_close(f);
}
END_TEST

START_TEST(name_len_tasks)
{
	struct tdat_file *whole = open_named("x64-61-syscalls.dat", 0);
	struct tdat_file *f = open_named("x64-61-syscalls.dat", 4);
	unsigned int cut = 0;

	for (int32_t pid = 1; pid < 2000; pid++) {
		struct tdat_span is = tdat_file_comm(f, pid), was = tdat_file_comm(whole, pid);

		ck_assert_uint_eq(is.len, was.len > 4 ? 4 : was.len);
		if (is.len)
			ck_assert_mem_eq(is.ptr, was.ptr, is.len);
		cut += is.len < was.len;
	}
	ck_assert_uint_gt(cut, 0);
	tdat_file_close(whole);
	tdat_file_close(f);
}
END_TEST

/* Fields as they are have no other way to be printed: those within the limit are. */
START_TEST(fields_cut)
{
	struct tdat_print_opts print = TDAT_PRINT_OPTS_INIT;
	struct tdat_error err = TDAT_ERROR_INIT;
	struct tdat_limits own;
	struct tdat_open_opts opts = opts_with(&own, "print_steps", 1);
	struct tdat_iter_input in = {NULL, 0, 0};
	const struct tdat_event *ev;
	struct tdat_printer *printer;
	struct tdat_iter *iter;
	struct tdat_span text;
	unsigned int cut = 0;
	char path[512];

	print.raw_fields = true;
	path_of(path, sizeof(path), "x64-61-syscalls.dat");
	ok(tdat_file_open(&in.file, path, &opts, &err), &err);
	ok(tdat_printer_new(&printer, &in, 1, &print, &err), &err);
	ok(tdat_iter_new(&iter, &in, 1, NULL, &err), &err);
	while (tdat_iter_next(iter, &ev, &err) == TDAT_OK && ev) {
		ok(tdat_printer_info(printer, ev, &text, &err), &err);
		cut += memmem(text.ptr, text.len, "=", 1) &&
		       memmem(text.ptr, text.len, "[CUT AT LIMIT print_steps]", 26);
	}
	ck_assert_uint_gt(cut, 0);
	tdat_iter_free(iter);
	tdat_printer_free(printer);
	tdat_file_close(in.file);
}
END_TEST

/* As much as the limit is read of a pipe, one byte less is told; a file is not stored. */
START_TEST(spool_len)
{
	static uint8_t bytes[1 << 20];
	struct tdat_limits own;
	struct tdat_open_opts opts;
	struct tdat_file *file;
	char path[512];
	size_t len;
	FILE *f;

	path_of(path, sizeof(path), "i386-61-function.dat");
	f = fopen(path, "rb");
	ck_assert_ptr_nonnull(f);
	len = fread(bytes, 1, sizeof(bytes), f);
	fclose(f);
	for (int less = 0; less < 2; less++) {
		struct tdat_error err = TDAT_ERROR_INIT;
		char command[700], name[64];
		enum tdat_status st;

		snprintf(command, sizeof(command), "cat '%s'", path);
		f = popen(command, "r");
		ck_assert_ptr_nonnull(f);
		snprintf(name, sizeof(name), "/proc/self/fd/%d", fileno(f));
		opts = opts_with(&own, "spool_len", len - (size_t)less);
		st = tdat_file_open(&file, name, &opts, &err);
		pclose(f);
		ck_assert_int_eq(st, less ? TDAT_E_LIMIT : TDAT_OK);
		ck_assert(!less || names(err.message, "spool_len"));
		tdat_file_close(file);
	}
	opts = opts_with(&own, "spool_len", 1);
	ck_assert_int_eq(tdat_file_open(&file, path, &opts, NULL), TDAT_OK);
	tdat_file_close(file);
}
END_TEST

static size_t align_up(size_t n, size_t align)
{
	return (n + align - 1) / align * align;
}

/* A limit that is added gets a case here: no place of the structure is left over. */
START_TEST(all_are_tested)
{
	struct wide {
		char before;
		uint64_t number;
	};
	const size_t wide_align = offsetof(struct wide, number); /* 4 on i386 */
	size_t end = sizeof(size_t);

	for (size_t i = 0; i < LIMIT_COUNT; i++) {
		end = align_up(end, limits[i].size == sizeof(uint64_t) ? wide_align : 4);
		ck_assert_uint_eq(end, limits[i].off);
		end += limits[i].size;
	}
	ck_assert_uint_eq(align_up(end, wide_align), sizeof(struct tdat_limits));
}
END_TEST

int main(void)
{
	Suite *s = suite_create("limits");
	TCase *t = tcase_create("limits");

	tcase_set_timeout(t, 120);
	tcase_add_loop_test(t, hit_by_opening, 0, FIXTURE_COUNT);
	tcase_add_loop_test(t, section_len, 0, FIXTURE_COUNT);
	tcase_add_loop_test(t, chunk_len, 0, 2);
	tcase_add_loop_test(t, data_ratio, 0, 2);
	tcase_add_loop_test(t, text_ratio, 0, 2);
	tcase_add_test(t, print_steps);
	tcase_add_test(t, print_len);
	tcase_add_test(t, print_len_native);
	tcase_add_test(t, name_len_formats);
	tcase_add_test(t, fields_of_formats);
	tcase_add_test(t, name_len_buffers);
	tcase_add_test(t, name_len_tasks);
	tcase_add_test(t, fields_cut);
	tcase_add_test(t, spool_len);
	tcase_add_test(t, all_are_tested);
	suite_add_tcase(s, t);
	return run_suite(s);
}
