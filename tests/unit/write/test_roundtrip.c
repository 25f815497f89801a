/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Random events through the writer come back the same from libtracecmd, from
 * trace-cmd report, and from our reader: every version, compression, byte order,
 * long size and several page sizes.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <tdat/iter.h>

#include "../common/part.h"
#include "../common/run.h"
#include "../common/scratch.h"
#include "unit/write/gen.h"

#ifdef HAVE_TRACECMD
#include <event-parse.h>
#include <trace-cmd.h>
#endif

static const struct {
	uint32_t version;
	const char *compression;
} kinds[] = {{6, "none"}, {7, "none"}, {7, "zstd"}, {7, "zlib"}};

static const uint32_t page_sizes[] = {4096, 16384, 65536, 1 << 20};

enum { KINDS = 4, PAGES = 4, SMALL_CASES = KINDS * 4, CASES = SMALL_CASES * PAGES };

static struct gen_case case_of(int i)
{
	struct gen_case c = {.threads = 2, .seed = (uint64_t)i + 1, .count = 2000};

	c.version = kinds[i % KINDS].version;
	c.compression = kinds[i % KINDS].compression;
	c.big = i / KINDS & 1;
	c.long_size = i / KINDS & 2 ? 4 : 8;
	c.page_size = page_sizes[i / KINDS / 4];
	if (c.page_size > 65536)
		c.count = 300;
	return c;
}

/* A part of the cases has some of each kind. */
static bool takes(int i)
{
	return part_takes((size_t)(i + i / KINDS));
}

struct capture {
	struct gen_case c;
	struct gen g;
	char name[128];
	char path[SCRATCH_PATH];
};

static void capture_init(struct capture *t, int i)
{
	t->c = case_of(i);
	gen_name(&t->c, t->name, sizeof(t->name));
	scratch_file(t->path);
	gen_init(&t->g, &t->c, GEN_ID);
	gen_write(&t->g, &t->c, t->path);
}

static void capture_fini(struct capture *t)
{
	gen_fini(&t->g);
	unlink(t->path);
}

/* What a page cannot tell: a count beside an event that fills it. */
static bool count_fits(const struct capture *t, const struct gen_event *e)
{
	uint32_t need = 4 + gen_read_len(e->len) + (e->len > 112 ? 4 : 0);

	return need + t->c.long_size <= t->c.page_size - 8 - t->c.long_size;
}

static void same(const struct capture *t, size_t index, uint64_t ts, const void *data, size_t len,
		 int64_t lost)
{
	const struct gen_event *e = &t->g.events[index];

	ck_assert_msg(ts == e->ts, "%s: event %zu at %llu, not %llu", t->name, index,
		      (unsigned long long)ts, (unsigned long long)e->ts);
	ck_assert_msg(len == gen_read_len(e->len), "%s: event %zu has %zu bytes, not %u", t->name,
		      index, len, gen_read_len(e->len));
	ck_assert_msg(!memcmp(data, e->record, e->len), "%s: event %zu differs", t->name, index);
	if (e->lost > 0 && !count_fits(t, e))
		ck_assert_msg(lost == -1, "%s: event %zu: %lld lost", t->name, index,
			      (long long)lost);
	else
		ck_assert_msg(lost == e->lost, "%s: event %zu: %lld lost, not %lld", t->name, index,
			      (long long)lost, (long long)e->lost);
}

/* The next event of a buffer and CPU from index on, or count. */
static size_t next_of(const struct gen *g, size_t index, uint32_t buffer, uint32_t cpu)
{
	while (index < g->count &&
	       (g->events[index].buffer != buffer || g->events[index].cpu != cpu))
		index++;
	return index;
}

#ifdef HAVE_TRACECMD
/* libtracecmd loses the name of the clock: not our leak. */
void __lsan_disable(void) __attribute__((weak));
void __lsan_enable(void) __attribute__((weak));

static void check_tracecmd_buffer(const struct capture *t, struct tracecmd_input *in,
				  uint32_t buffer)
{
	for (uint32_t cpu = 0; cpu < GEN_CPUS; cpu++) {
		size_t index = next_of(&t->g, 0, buffer, cpu);
		struct tep_record *rec;

		while ((rec = tracecmd_read_data(in, (int)cpu))) {
			ck_assert_msg(index < t->g.count, "%s: too many events on CPU %u", t->name,
				      cpu);
			same(t, index, rec->ts, rec->data, (size_t)rec->size, rec->missed_events);
			tracecmd_free_record(rec);
			index = next_of(&t->g, index + 1, buffer, cpu);
		}
		ck_assert_msg(index == t->g.count, "%s: CPU %u of buffer %u ends before event %zu",
			      t->name, cpu, buffer, index);
	}
}

START_TEST(tracecmd_reads)
{
	struct tracecmd_input *in;
	struct capture t;

	if (!strcmp(case_of(_i).compression, "zlib"))
		return; /* Debian's libtracecmd is built without it */
	if (!takes(_i))
		return;
	capture_init(&t, _i);
	if (__lsan_disable)
		__lsan_disable();
	in = tracecmd_open(t.path, 0);
	ck_assert_msg(in, "%s: libtracecmd cannot open it", t.name);
	check_tracecmd_buffer(&t, in, 0);
	ck_assert_int_eq(tracecmd_buffer_instances(in), GEN_BUFFERS - 1);
	for (uint32_t i = 1; i < GEN_BUFFERS; i++) {
		struct tracecmd_input *sub = tracecmd_buffer_instance_handle(in, (int)i - 1);

		ck_assert_str_eq(tracecmd_buffer_instance_name(in, (int)i - 1),
				 gen_buffer_names[i]);
		ck_assert_ptr_nonnull(sub);
		check_tracecmd_buffer(&t, sub, i);
		tracecmd_close(sub);
	}
	tracecmd_close(in);
	if (__lsan_enable)
		__lsan_enable();
	capture_fini(&t);
}
END_TEST
#endif

/* Lines with an event that trace-cmd prints for path. */
static size_t report_lines(const char *path, const char *command, const char *word)
{
	char line[4096], shell[256];
	size_t count = 0;
	FILE *pipe;

	snprintf(shell, sizeof(shell), "%s -i %s 2>&1", command, path);
	pipe = popen(shell, "r");
	ck_assert_ptr_nonnull(pipe);
	while (fgets(line, sizeof(line), pipe)) {
		count += strstr(line, word) != NULL;
		ck_assert_msg(!strcasestr(line, "warning") && !strcasestr(line, "error") &&
				      !strcasestr(line, "fail") && !strstr(line, "trace-cmd:"),
			      "%s", line);
	}
	ck_assert_int_eq(pclose(pipe), 0);
	return count;
}

START_TEST(trace_cmd_reports)
{
	struct capture t;

	if (system("trace-cmd --help >/dev/null 2>&1") == 127 << 8 ||
	    !strcmp(case_of(_i).compression, "zlib"))
		return;
	if (!takes(_i))
		return;
	capture_init(&t, _i);
	ck_assert_uint_eq(report_lines(t.path, "trace-cmd report", " prop: "), t.g.count);
	if (t.c.version == 7)
		ck_assert_uint_eq(report_lines(t.path, "trace-cmd dump --all", "name: prop"), 1);
	capture_fini(&t);
}
END_TEST

/* Position of each stream in the generated events. */
struct cursors {
	size_t next[GEN_BUFFERS][GEN_CPUS];
};

START_TEST(tdat_reads)
{
	struct tdat_iter_opts opts = TDAT_ITER_OPTS_INIT;
	struct tdat_iter_input input = {0};
	struct tdat_error err = TDAT_ERROR_INIT;
	const struct tdat_event *e;
	struct tdat_iter *iter;
	struct tdat_span comm;
	struct cursors at;
	struct capture t;
	size_t count = 0, damaged;
	uint64_t last = 0;

	if (!takes(_i))
		return;
	capture_init(&t, _i);
	ck_assert_msg(!tdat_file_open(&input.file, t.path, NULL, &err), "%s: %s", t.name,
		      err.message);
	ck_assert_msg(!tdat_iter_new(&iter, &input, 1, &opts, &err), "%s", err.message);
	for (uint32_t b = 0; b < GEN_BUFFERS; b++)
		for (uint32_t cpu = 0; cpu < GEN_CPUS; cpu++)
			at.next[b][cpu] = next_of(&t.g, 0, b, cpu);
	for (;; count++) {
		size_t *next;

		ck_assert_msg(!tdat_iter_next(iter, &e, &err), "%s", err.message);
		if (!e)
			break;
		ck_assert(e->buffer < GEN_BUFFERS && e->cpu < GEN_CPUS && e->ts >= last);
		last = e->ts;
		next = &at.next[e->buffer][e->cpu];
		ck_assert_uint_lt(*next, t.g.count);
		same(&t, *next, e->ts, e->record.ptr, e->record.len, e->lost_before);
		*next = next_of(&t.g, *next + 1, e->buffer, e->cpu);
	}
	ck_assert_uint_eq(count, t.g.count);
	tdat_iter_damage(iter, &damaged);
	ck_assert_uint_eq(damaged, 0);
	tdat_iter_free(iter);
	comm = tdat_file_comm(input.file, 42);
	ck_assert(comm.len == 9 && !memcmp(comm.ptr, "some task", 9));
	tdat_file_close(input.file);
	capture_fini(&t);
}
END_TEST

static uint64_t file_hash(const char *path, uint64_t *len)
{
	FILE *f = fopen(path, "rb");
	uint64_t h = 14695981039346656037ull;
	int ch;

	ck_assert_ptr_nonnull(f);
	for (*len = 0; (ch = getc(f)) != EOF; ++*len)
		h = (h ^ (uint64_t)ch) * 1099511628211ull;
	fclose(f);
	return h;
}

/* The bytes do not depend on the number of threads. */
START_TEST(threads_do_not_matter)
{
	static const uint32_t threads[] = {1, 2, 8};
	uint64_t hash[3], len[3];
	struct capture t;

	capture_init(&t, _i);
	for (int i = 0; i < 3; i++) {
		t.c.threads = threads[i];
		gen_write(&t.g, &t.c, t.path);
		hash[i] = file_hash(t.path, &len[i]);
	}
	ck_assert(hash[0] == hash[1] && hash[0] == hash[2] && len[0] == len[1] && len[0] == len[2]);
	capture_fini(&t);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("write_roundtrip");
	TCase *tc = tcase_create("roundtrip");

#ifdef HAVE_TRACECMD
	tcase_add_loop_test(tc, tracecmd_reads, 0, CASES);
#endif
	tcase_add_loop_test(tc, trace_cmd_reports, 0, SMALL_CASES);
	tcase_add_loop_test(tc, tdat_reads, 0, CASES);
	tcase_add_loop_test(tc, threads_do_not_matter, 0, KINDS);
	suite_add_tcase(s, tc);
	return run_suite(s);
}
