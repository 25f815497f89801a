/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A merged file gives what an iterator over its inputs gives: time, losses, task
 * and text of each event, in the same order.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <core/endian.h>
#include <tdat/tdat.h>

#include "../common/part.h"
#include "../common/run.h"
#include "../common/scratch.h"
#include "gen.h"
#include "make_input.h"

enum { INPUTS = 3 };

static char out_path[SCRATCH_PATH], in_path[INPUTS][SCRATCH_PATH];
static char told[4096]; /* warnings, one a line */

static void setup(void)
{
	scratch_file(out_path);
	for (int i = 0; i < INPUTS; i++)
		scratch_file(in_path[i]);
}

static void teardown(void)
{
	unlink(out_path);
	for (int i = 0; i < INPUTS; i++)
		unlink(in_path[i]);
}

static struct tdat_file *open_file(const char *path)
{
	struct tdat_error err = TDAT_ERROR_INIT;
	struct tdat_file *file;

	ck_assert_msg(!tdat_file_open(&file, path, NULL, &err), "%s: %s", path, err.message);
	return file;
}

static enum tdat_status note(void *ctx, const char *input, uint64_t off, const char *sentence,
			     struct tdat_error *err)
{
	size_t used = strlen(told);

	(void)ctx, (void)input, (void)off, (void)err;
	snprintf(told + used, sizeof(told) - used, "%s\n", sentence);
	return TDAT_OK;
}

static enum tdat_status merge(const struct tdat_iter_input *in, size_t count, enum tdat_merge_as as,
			      uint32_t version, struct tdat_error *err)
{
	struct tdat_writer_opts wopts = TDAT_WRITER_OPTS_INIT;
	struct tdat_merge_opts opts = TDAT_MERGE_OPTS_INIT;
	struct tdat_merge_result result;
	struct tdat_writer *w;
	enum tdat_status st;

	told[0] = '\0';
	wopts.version = version;
	wopts.force = true;
	opts.as = as;
	ck_assert_msg(!tdat_writer_new(&w, out_path, &wopts, err), "%s", err->message);
	tdat_writer_on_warn(w, note, NULL);
	st = tdat_writer_merge(w, in, count, &opts, &result, err);
	if (st == TDAT_OK) {
		ck_assert_uint_eq(result.events, tdat_writer_events(w));
		st = tdat_writer_finish(w, err);
	}
	tdat_writer_free(w);
	return st;
}

/* ---- comparing ---- */

struct reader {
	struct tdat_iter *iter;
	struct tdat_printer *printer;
	const struct tdat_event *ev;
};

static void reader_open(struct reader *r, const struct tdat_iter_input *in, size_t count)
{
	struct tdat_iter_opts opts = TDAT_ITER_OPTS_INIT;
	struct tdat_error err = TDAT_ERROR_INIT;

	opts.plugin_state = true;
	ck_assert_msg(!tdat_iter_new(&r->iter, in, count, &opts, &err), "%s", err.message);
	ck_assert_msg(!tdat_printer_new(&r->printer, in, count, NULL, &err), "%s", err.message);
}

static void reader_close(struct reader *r)
{
	tdat_iter_free(r->iter);
	tdat_printer_free(r->printer);
}

/* The text of an event; how far functions are indented depends on the CPU. */
static const char *info(struct reader *r, char *buf, size_t len)
{
	struct tdat_span text;
	size_t skip = 0;

	ck_assert(!tdat_printer_info(r->printer, r->ev, &text, NULL));
	while (skip < text.len && text.ptr[skip] == ' ')
		skip++;
	snprintf(buf, len, "%.*s", (int)(text.len - skip), (const char *)text.ptr + skip);
	return buf;
}

/* Whether name is one of "a|b|c". What is learnt later may be known from the start. */
static bool one_of(struct tdat_span name, struct tdat_span list)
{
	size_t at = 0;

	if (name.len == 5 && !memcmp(name.ptr, "<...>", 5))
		return true;
	while (at < list.len) {
		const uint8_t *bar = memchr(list.ptr + at, '|', list.len - at);
		size_t n = bar ? (size_t)(bar - list.ptr) - at : list.len - at;

		if (n == name.len && !memcmp(list.ptr + at, name.ptr, n))
			return true;
		at += n + 1;
	}
	return false;
}

/* The CPU that an event of an input has in a file merged as CPUs. */
static uint32_t new_cpu(const struct tdat_iter_input *in, const struct tdat_event *ev,
			enum tdat_merge_as as)
{
	uint32_t cpu = ev->cpu;

	for (uint32_t i = 0; as == TDAT_MERGE_CPUS && i < ev->input; i++)
		cpu += tdat_file_info(in[i].file)->cpu_count;
	return cpu;
}

/* Counts the events; *unlike those whose task is told by several names. */
static size_t same(const char *name, const struct tdat_iter_input *in, size_t count,
		   enum tdat_merge_as as, size_t *unlike)
{
	struct tdat_iter_input merged = {.file = open_file(out_path)};
	struct reader a, b;
	char one[8192], two[8192];
	size_t n = 0;

	*unlike = 0;
	reader_open(&a, in, count);
	reader_open(&b, &merged, 1);
	for (;; n++) {
		ck_assert(!tdat_iter_next(a.iter, &a.ev, NULL) &&
			  !tdat_iter_next(b.iter, &b.ev, NULL));
		ck_assert_msg(!a.ev == !b.ev, "%s: %zu events, then one ends", name, n);
		if (!a.ev)
			break;
		ck_assert_msg(a.ev->ts == b.ev->ts, "%s: event %zu at %llu, not %llu", name, n,
			      (unsigned long long)b.ev->ts, (unsigned long long)a.ev->ts);
		ck_assert_msg(b.ev->cpu == new_cpu(in, a.ev, as), "%s: event %zu on CPU %u", name,
			      n, b.ev->cpu);
		ck_assert_msg(a.ev->pid == b.ev->pid && a.ev->lost_before == b.ev->lost_before &&
				      a.ev->record.len == b.ev->record.len,
			      "%s: event %zu differs", name, n);
		info(&a, one, sizeof(one));
		info(&b, two, sizeof(two));
		ck_assert_msg(!strcmp(one, two), "%s: event %zu is %s, not %s", name, n, two, one);
		ck_assert_msg(one_of(a.ev->comm, b.ev->comm), "%s: event %zu: %.*s is not %.*s",
			      name, n, (int)b.ev->comm.len, (const char *)b.ev->comm.ptr,
			      (int)a.ev->comm.len, (const char *)a.ev->comm.ptr);
		*unlike += memchr(b.ev->comm.ptr, '|', b.ev->comm.len) != NULL;
	}
	reader_close(&a);
	reader_close(&b);
	tdat_file_close(merged.file);
	return n;
}

/* ---- real files ---- */

static const struct {
	const char *a, *b;
	bool shared; /* of the shared corpus */
} pairs[] = {
	{"x64-61-date", "x64-61-v7-none-tiny", false},
	{"x64-61-v6-tiny", "x64-lab612-lost-v6", false},
	{"x64-lab612-net", "s390x-61-v7-zstd-sched", false},
	{"s390x-61-v6-sched", "x64-61-conv-v7-zlib", false},
	{"arm64-16k-612-kstack", "x64-61-syscalls", false},
	{"i386-61-v7-buffers", "i386-61-fgraph", false},
	{"ppc64el-61-lost", "x64-lab612-stack-v6-fgraph", false},
	{"x64-lab612-trace-printk", "x64-lab612-dynevents", false},
	{"x64-61-v7-none-sched", "x64-lab612-v7-none-4cpu", true},
	{"arm64-16k-612-v7-buffers", "x64-61-v7-buffers", true},
	{"x64-lab612-fgraph-g-v6", "x64-61-fgraph-v6", true},
	{"s390x-61-v7-buffers", "x64-lab612-subbuf8-buffers-tc331", true},
	{"x64-61-function", "x64-lab612-funcirqpreempt", true},
	{"s390x-61-lost", "arm64-16k-612-lost", true},
};

static void merge_pair(const char *folder, const char *a, const char *b, enum tdat_merge_as as,
		       uint32_t version)
{
	struct tdat_iter_input in[2] = {{.file = NULL}};
	struct tdat_error err = TDAT_ERROR_INIT;
	size_t n, unlike;
	char path[1024], name[256];

	snprintf(path, sizeof(path), "%s/%s.dat", folder, a);
	in[0].file = open_file(path);
	snprintf(path, sizeof(path), "%s/%s.dat", folder, b);
	in[1].file = open_file(path);
	snprintf(name, sizeof(name), "%s + %s as %d", a, b, as);
	ck_assert_msg(!merge(in, 2, as, version, &err), "%s: %s", name, err.message);
	n = same(name, in, 2, as, &unlike);
	ck_assert_uint_gt(n, 50);
	ck_assert_msg(unlike == 0 || strstr(told, "both names"), "%s: not told", name);
	tdat_file_close(in[0].file);
	tdat_file_close(in[1].file);
}

START_TEST(real_files)
{
	const char *fixtures = getenv("TDAT_FIXTURES"), *shared = getenv("TDAT_SHARED");
	char valid[1024], files[1024];

	snprintf(valid, sizeof(valid), "%s/valid", fixtures);
	snprintf(files, sizeof(files), "%s/corpus/files", shared ? shared : "");
	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
		const char *folder = pairs[i].shared ? files : valid;

		if (access(folder, R_OK) || !part_takes(i))
			continue;
		merge_pair(folder, pairs[i].a, pairs[i].b, TDAT_MERGE_CPUS, 7);
		merge_pair(folder, pairs[i].b, pairs[i].a, TDAT_MERGE_CPUS, 6);
		merge_pair(folder, pairs[i].a, pairs[i].b, TDAT_MERGE_INSTANCES, 7);
		merge_pair(folder, pairs[i].b, pairs[i].a, TDAT_MERGE_INSTANCES, 6);
	}
}
END_TEST

/* ---- random streams ---- */

static void random_streams(enum tdat_merge_as as)
{
	struct gen_case c = {7, "zstd", false, 8, 4096, 1, 1, 3000};
	struct tdat_iter_input in[INPUTS] = {{.file = NULL}};
	struct tdat_error err = TDAT_ERROR_INIT;
	size_t unlike;

	for (uint32_t i = 0; i < INPUTS; i++) {
		struct gen g;

		c.seed = 77 + i;
		c.page_size = 4096u << i;
		gen_init(&g, &c, GEN_ID);
		gen_write_as(&g, &c, in_path[i], true);
		gen_fini(&g);
		in[i].file = open_file(in_path[i]);
	}
	ck_assert_msg(!merge(in, INPUTS, as, 7, &err), "%s", err.message);
	ck_assert_uint_eq(same("random", in, INPUTS, as, &unlike), 3000u * INPUTS);
	for (int i = 0; i < INPUTS; i++)
		tdat_file_close(in[i].file);
}

START_TEST(random_cpus)
{
	random_streams(TDAT_MERGE_CPUS);
}
END_TEST

START_TEST(random_instances)
{
	random_streams(TDAT_MERGE_INSTANCES);
}
END_TEST

START_TEST(random_parts)
{
	random_streams(TDAT_MERGE_PARTS);
}
END_TEST

/* ---- made for one question ---- */

static void open_made(struct tdat_iter_input *in, const struct input_case *a,
		      const struct input_case *b)
{
	input_write(a, in_path[0]);
	input_write(b, in_path[1]);
	in[0] = (struct tdat_iter_input){.file = open_file(in_path[0])};
	in[1] = (struct tdat_iter_input){.file = open_file(in_path[1])};
}

static void close_made(struct tdat_iter_input *in)
{
	tdat_file_close(in[0].file);
	tdat_file_close(in[1].file);
}

/* Merges two made files, and expects all events as the inputs give them. */
static void check_made(const struct input_case *a, const struct input_case *b, int64_t offset)
{
	struct tdat_error err = TDAT_ERROR_INIT;
	struct tdat_iter_input in[2];
	size_t unlike;

	open_made(in, a, b);
	in[1].ts_offset = offset;
	for (int as = TDAT_MERGE_CPUS; as <= TDAT_MERGE_PARTS; as++) {
		ck_assert_msg(!merge(in, 2, (enum tdat_merge_as)as, 7, &err), "%s", err.message);
		ck_assert_uint_eq(same("made", in, 2, (enum tdat_merge_as)as, &unlike),
				  2 * INPUT_EVENTS);
	}
	close_made(in);
}

static size_t count_options(uint16_t id)
{
	struct tdat_file *file = open_file(out_path);
	const struct tdat_file_option *list;
	size_t count, n = 0;

	list = tdat_file_options(file, &count);
	for (size_t i = 0; i < count; i++)
		n += list[i].id == id;
	tdat_file_close(file);
	return n;
}

static struct input_case plain(uint64_t first_ts)
{
	return (struct input_case){
		.clock = "local", .first_ts = first_ts, .step = 1000000, .value = 5, .comm = "one"};
}

/* A guest: ticks to nanoseconds, and its time on the host's clock in two samples. */
START_TEST(guest_times)
{
	struct input_case host = plain(5000000000), guest = plain(1000000);
	uint8_t tsc[16] = {0}, sync[16 + 2 * (4 + 2 * 24 + 2 * 8)] = {0}, *p = sync + 16;

	host.options[host.option_count++] = (struct input_option){TDAT_OPTION_DATE, "0x1234", 7};
	tdat_store32(tsc, 1u << 11, false);
	tdat_store32(tsc + 4, 10, false);
	tdat_store32(sync + 8, 1, false); /* interpolate */
	tdat_store32(sync + 12, INPUT_CPUS, false);
	for (int cpu = 0; cpu < INPUT_CPUS; cpu++) {
		static const uint64_t samples[] = {1000000, 30000000, 1250000000, 1250000777, 1, 1};

		tdat_store32(p, 2, false);
		for (int i = 0; i < 6; i++)
			tdat_store64(p + 4 + 8 * i, samples[i] + (uint64_t)cpu, false);
		p += 4 + 48;
	}
	guest.options[guest.option_count++] =
		(struct input_option){TDAT_OPTION_TIME_SHIFT, sync, sizeof(sync)};
	guest.options[guest.option_count++] =
		(struct input_option){TDAT_OPTION_TSC2NSEC, tsc, sizeof(tsc)};
	check_made(&host, &guest, 0);
	ck_assert_uint_eq(count_options(TDAT_OPTION_TIME_SHIFT), 0);
	ck_assert_uint_eq(count_options(TDAT_OPTION_DATE), 0);
	check_made(&guest, &host, -123456789);
}
END_TEST

/* What all inputs say of time stays an option, and stamps stay as they are. */
START_TEST(same_times)
{
	struct input_case a = plain(1000), b = plain(500000);

	a.options[a.option_count++] = (struct input_option){TDAT_OPTION_DATE, "0x1234", 7};
	b.options[b.option_count++] = (struct input_option){TDAT_OPTION_DATE, "0x1234", 7};
	check_made(&a, &b, 0);
	ck_assert_uint_eq(count_options(TDAT_OPTION_DATE), 1);
	check_made(&a, &b, 17);
	ck_assert_uint_eq(count_options(TDAT_OPTION_DATE), 0);
}
END_TEST

/* One name, one id, two formats: each event prints by its own. */
START_TEST(same_name)
{
	struct input_case a = plain(1000), b = plain(1500);

	b.format = "print fmt: \"other %lx\", REC->value\n";
	check_made(&a, &b, 0);
}
END_TEST

/* The id of an event may lie anywhere in its record. */
START_TEST(far_type)
{
	struct input_case a = plain(1000), b = plain(1500);

	a.type_off = b.type_off = 300;
	b.format = "print fmt: \"other %lx\", REC->value\n";
	check_made(&a, &b, 0);
}
END_TEST

/* Other strings at one address. */
START_TEST(same_string_address)
{
	struct input_case a = plain(1000), b = plain(1500);

	a.format = b.format = "print fmt: \"%s\", REC->value\n";
	a.value = b.value = 0xffffffff82001000;
	a.printk = "0xffffffff82001000 : \"first\\n\"\n0xffffffff82002000 : \"same\"\n";
	b.printk = "0xffffffff82001000 : \"second\\n\"\n0xffffffff82002000 : \"same\"";
	check_made(&a, &b, 0);
}
END_TEST

/* Other symbols at one address, of which each input needs one; and at the ends. */
START_TEST(other_symbols)
{
	struct input_case a = plain(1000), b = plain(1500);

	a.format = b.format = "print fmt: \"%pS\", (void *)REC->value\n";
	a.value = 0xffffffff81000010;
	b.value = 0xffffffff81000930;
	a.kallsyms = "ffffffff81000000 T first\nffffffff81000800 T second\n"
		     "ffffffff81002000 T last\n";
	b.kallsyms = "ffffffff81000008 T odd\nffffffff81000900 T even\n"
		     "ffffffff81002000 T last\n";
	check_made(&a, &b, 0);
	b.value = 0xffffffff80000000; /* below all symbols: none */
	check_made(&a, &b, 0);
	b.value = 0xffffffffff000000;
	check_made(&a, &b, 0);
	b.kallsyms = NULL;
	b.value = 0x4711;
	check_made(&a, &b, 0);
}
END_TEST

/* One address that two inputs need as two symbols has both names. */
START_TEST(doubtful_symbol)
{
	struct input_case a = plain(1000), b = plain(1500);
	struct tdat_error err = TDAT_ERROR_INIT;
	struct tdat_iter_input in[2], merged = {.file = NULL};
	struct tdat_span text;
	struct reader r;

	a.format = b.format = "print fmt: \"%ps\", (void *)REC->value\n";
	a.value = b.value = 0xffffffff81000010;
	a.kallsyms = "ffffffff81000000 T first\nffffffff81002000 T last\n";
	b.kallsyms = "ffffffff81000000 T other\nffffffff81002000 T last\n";
	b.comm = "two";
	open_made(in, &a, &b);
	ck_assert_msg(!merge(in, 2, TDAT_MERGE_CPUS, 7, &err), "%s", err.message);
	close_made(in);
	ck_assert_msg(strstr(told, "kernel symbols") && strstr(told, "pid 42"), "%s", told);
	merged.file = open_file(out_path);
	reader_open(&r, &merged, 1);
	ck_assert(!tdat_iter_next(r.iter, &r.ev, NULL) && r.ev);
	ck_assert(r.ev->comm.len == 7 && !memcmp(r.ev->comm.ptr, "one|two", 7));
	ck_assert(!tdat_printer_info(r.printer, r.ev, &text, NULL));
	ck_assert_msg(text.len >= 11 && !memcmp(text.ptr, "first|other", 11), "%.*s", (int)text.len,
		      (const char *)text.ptr);
	reader_close(&r);
	tdat_file_close(merged.file);
}
END_TEST

/* An id without a format must not become an event of another input. */
START_TEST(unknown_id)
{
	struct input_case a = plain(1000), b = plain(1500);

	b.id = 900; /* that of a's format */
	check_made(&a, &b, 0);
	ck_assert_msg(strstr(told, "no format describes events of id 900"), "%s", told);
}
END_TEST

/* What one file cannot hold is refused, and leaves no file that can be finished. */
START_TEST(refused)
{
	struct input_case a = plain(1000), b = plain(1500);
	struct tdat_error err = TDAT_ERROR_INIT;
	struct tdat_iter_input in[2];

	b.clock = "x86-tsc";
	open_made(in, &a, &b);
	ck_assert_int_eq(merge(in, 2, TDAT_MERGE_CPUS, 7, &err), TDAT_E_UNSUPPORTED);
	ck_assert_msg(strstr(err.message, "one file cannot hold both"), "%s", err.message);
	ck_assert_int_eq(merge(in, 0, TDAT_MERGE_CPUS, 7, &err), TDAT_E_USAGE);
	close_made(in);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("merge");
	TCase *tc = tcase_create("merge");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_set_timeout(tc, 600);
	tcase_add_test(tc, real_files);
	tcase_add_test(tc, random_cpus);
	tcase_add_test(tc, random_instances);
	tcase_add_test(tc, random_parts);
	tcase_add_test(tc, guest_times);
	tcase_add_test(tc, same_times);
	tcase_add_test(tc, same_name);
	tcase_add_test(tc, far_type);
	tcase_add_test(tc, same_string_address);
	tcase_add_test(tc, other_symbols);
	tcase_add_test(tc, doubtful_symbol);
	tcase_add_test(tc, unknown_id);
	tcase_add_test(tc, refused);
	suite_add_tcase(s, tc);
	return run_suite(s);
}
