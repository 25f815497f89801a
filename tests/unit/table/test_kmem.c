/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Random allocations and frees: the rows of the table kmem, added up, and a plain list. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <check.h>

#include <tdat/tdat.h>

#include "../common/run.h"

enum { EVENTS = 20000, PTRS = 512, SITES = 8, CACHES = 3 };

#define HEAD(name)                                                                                 \
	"name: " name "\nID: 0\nformat:\n"                                                         \
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"                     \
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"                     \
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"             \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"                               \
	"\tfield:unsigned long call_site;\toffset:8;\tsize:8;\tsigned:0;\n"                        \
	"\tfield:const void * ptr;\toffset:16;\tsize:8;\tsigned:0;\n"

/* As of Linux 6.1 and later. */
static const char alloc_format[] =
	"\tfield:size_t bytes_req;\toffset:24;\tsize:8;\tsigned:0;\n"
	"\tfield:size_t bytes_alloc;\toffset:32;\tsize:8;\tsigned:0;\n"
	"\tfield:unsigned long gfp_flags;\toffset:40;\tsize:8;\tsigned:0;\n"
	"\tfield:int node;\toffset:48;\tsize:4;\tsigned:1;\n\nprint fmt: \"\"\n";
static const char free_format[] =
	"\tfield:__data_loc char[] name;\toffset:24;\tsize:4;\tsigned:0;\n\nprint fmt: \"\"\n";

static const char *const caches[CACHES] = {"dentry", "vm_area_struct", "kmalloc-64"};

struct record {
	uint16_t type;
	uint16_t flags;
	int32_t pid;
	uint64_t call_site, ptr, bytes_req, bytes_alloc, gfp_flags;
	int32_t node;
	int32_t unused;
};

struct free_record {
	uint16_t type;
	uint16_t flags;
	int32_t pid;
	uint64_t call_site, ptr;
	uint32_t loc;
	char name[20];
};

/* What the plain list says. */
struct live {
	bool is;
	uint64_t req, alloc;
	uint32_t site, cpu;
};

struct sum {
	uint64_t allocs, bytes_req, bytes_alloc, freed, freed_elsewhere, live_bytes;
};

struct expected {
	struct live live[PTRS];
	struct sum sites[SITES], caches[CACHES], all;
	uint64_t frees, frees_unmatched, reused, not_followed;
};

static uint64_t state = 88172645463325252ull;

static uint64_t next_random(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

static void count_alloc(struct sum *s, uint64_t req, uint64_t alloc)
{
	s->allocs++;
	s->bytes_req += req;
	s->bytes_alloc += alloc;
	s->live_bytes += alloc;
}

static void count_free(struct sum *s, const struct live *l, uint32_t cpu)
{
	s->freed++;
	s->freed_elsewhere += cpu != l->cpu;
	s->live_bytes -= l->alloc;
}

static void expect_alloc(struct expected *e, uint64_t slot, uint32_t site, uint32_t cpu,
			 uint64_t req, uint64_t alloc)
{
	struct live *l = &e->live[slot];

	if (l->is) {
		e->reused++;
		e->sites[l->site].live_bytes -= l->alloc;
		e->all.live_bytes -= l->alloc;
	}
	*l = (struct live){true, req, alloc, site, cpu};
	count_alloc(&e->sites[site], req, alloc);
	count_alloc(&e->all, req, alloc);
}

static void expect_free(struct expected *e, uint64_t slot, uint32_t cache, uint32_t cpu)
{
	struct live *l = &e->live[slot];

	e->frees++;
	if (!l->is) {
		e->frees_unmatched++;
		return;
	}
	l->is = false;
	count_free(&e->sites[l->site], l, cpu);
	count_free(&e->all, l, cpu);
	count_alloc(&e->caches[cache], l->req, l->alloc);
	count_free(&e->caches[cache], l, cpu);
}

static uint64_t ptr_of(uint64_t slot)
{
	return 0xffff888000000000ull + slot * 4096;
}

static void emit(const struct tdat_emit *to, uint64_t ts, uint32_t cpu, const void *p, size_t len)
{
	struct tdat_emit_event ev = {.cpu = cpu, .ts = ts, .record = {p, len}};

	ck_assert_int_eq(tdat_emit_event(to, &ev, NULL), TDAT_OK);
}

static uint16_t add_format(const struct tdat_emit *to, const char *head, const char *rest)
{
	char text[2048];
	uint16_t id;
	int len = snprintf(text, sizeof(text), "%s%s", head, rest);

	ck_assert_int_eq(tdat_emit_format(to, "kmem", text, (size_t)len, &id, NULL), TDAT_OK);
	return id;
}

static void write_events(const struct tdat_emit *to, struct expected *e)
{
	uint16_t alloc_id = add_format(to, HEAD("kmem_cache_alloc"), alloc_format);
	uint16_t free_id = add_format(to, HEAD("kmem_cache_free"), free_format);

	for (uint64_t i = 0; i < EVENTS; i++) {
		uint64_t x = next_random(), slot = x % PTRS;
		uint32_t cpu = (uint32_t)(x >> 20) % 3, site = (uint32_t)(x >> 30) % SITES;
		uint32_t cache = (uint32_t)(x >> 40) % CACHES;

		if (x >> 63) {
			struct record r = {.type = alloc_id,
					   .call_site = 0x1000 + site,
					   .ptr = ptr_of(slot),
					   .bytes_req = 1 + (x >> 50) % 60,
					   .bytes_alloc = 64};

			expect_alloc(e, slot, site, cpu, r.bytes_req, 64);
			emit(to, i, cpu, &r, sizeof(r) - 4);
		} else {
			struct free_record r = {.type = free_id, .ptr = ptr_of(slot)};

			strcpy(r.name, caches[cache]);
			r.loc = (uint32_t)(strlen(r.name) + 1) << 16 | 28;
			expect_free(e, slot, cache, cpu);
			emit(to, i, cpu, &r, 28 + strlen(r.name) + 1);
		}
	}
}

static void write_file(const char *path, struct expected *e)
{
	const uint16_t one = 1;
	struct tdat_emit_info info = TDAT_EMIT_INFO_INIT;
	struct tdat_writer *w;
	const struct tdat_emit *to;

	ck_assert_int_eq(tdat_writer_new(&w, path, NULL, NULL), TDAT_OK);
	to = tdat_writer_emit(w);
	info.big_endian = !*(const char *)&one;
	info.cpu_count = 3;
	ck_assert_int_eq(tdat_emit_info(to, &info, NULL), TDAT_OK);
	write_events(to, e);
	ck_assert_int_eq(tdat_writer_finish(w, NULL), TDAT_OK);
	tdat_writer_free(w);
}

static void same_sum(const struct sum *a, const struct sum *b)
{
	ck_assert_uint_eq(a->allocs, b->allocs);
	ck_assert_uint_eq(a->bytes_req, b->bytes_req);
	ck_assert_uint_eq(a->bytes_alloc, b->bytes_alloc);
	ck_assert_uint_eq(a->freed, b->freed);
	ck_assert_uint_eq(a->freed_elsewhere, b->freed_elsewhere);
	ck_assert_uint_eq(a->live_bytes, b->live_bytes);
}

enum { SITE, REQ, ALLOC, SPECIAL, OPEN, CPU, FREE_CPU, CACHE };
static const char *const columns[] = {"call_site", "bytes_req", "bytes_alloc", "special", "open",
				      "cpu",	   "free_cpu",	"cache",       NULL};

static bool is(const struct tdat_value *v, const char *text)
{
	return !v->is_null && v->text.len == strlen(text) &&
	       !memcmp(v->text.ptr, text, v->text.len);
}

static void add_row(struct sum *s, const struct tdat_value *v)
{
	const bool freed = !v[FREE_CPU].is_null;

	s->allocs++;
	s->bytes_req += (uint64_t)v[REQ].number;
	s->bytes_alloc += (uint64_t)v[ALLOC].number;
	s->freed += freed;
	s->freed_elsewhere += freed && v[FREE_CPU].number != v[CPU].number;
	s->live_bytes += freed || is(&v[OPEN], "unended") ? 0 : (uint64_t)v[ALLOC].number;
}

static bool take_row(void *ctx, size_t table, const struct tdat_value *v)
{
	struct expected *e = ctx;

	ck_assert_uint_eq(table, 0);
	e->frees += !v[FREE_CPU].is_null;
	e->frees_unmatched += is(&v[SPECIAL], "free without allocation");
	e->not_followed += is(&v[SPECIAL], "not followed");
	e->reused += is(&v[OPEN], "unended");
	if (v[REQ].is_null)
		return true;
	add_row(&e->all, v);
	add_row(&e->sites[v[SITE].number - 0x1000], v);
	for (size_t c = 0; c < CACHES; c++)
		if (is(&v[CACHE], caches[c]))
			add_row(&e->caches[c], v);
	return true;
}

static void read_rows(struct tdat_file *file, uint64_t live, struct expected *got)
{
	const struct tdat_iter_input in = {file, 0, 0};
	struct tdat_trace_opts opts = TDAT_TRACE_OPTS_INIT;
	struct tdat_rows_table table = {NULL, columns};
	struct tdat_trace *trace;

	memset(got, 0, sizeof(*got));
	opts.kmem_live = live;
	ck_assert_int_eq(tdat_trace_new(&trace, &in, 1, &opts, NULL), TDAT_OK);
	table.table = tdat_trace_find(trace, "kmem");
	ck_assert_int_eq(tdat_trace_rows(trace, &table, 1, NULL, take_row, got, NULL), TDAT_OK);
	tdat_trace_free(trace);
}

/* Columns that are not there, and a reader that has enough. */
static bool take_one(void *ctx, size_t table, const struct tdat_value *v)
{
	(void)table;
	(void)v;
	++*(int *)ctx;
	return false;
}

static void check_reading(struct tdat_file *file)
{
	static const char *const wrong[] = {"call_site", "nothing", NULL};
	const struct tdat_iter_input in = {file, 0, 0};
	struct tdat_rows_table table = {NULL, wrong};
	struct tdat_trace *trace;
	int rows = 0;

	ck_assert_int_eq(tdat_trace_new(&trace, &in, 1, NULL, NULL), TDAT_OK);
	table.table = tdat_trace_find(trace, "kmem");
	ck_assert_int_eq(tdat_trace_rows(trace, &table, 1, NULL, take_one, &rows, NULL),
			 TDAT_E_NOT_FOUND);
	table.columns = columns;
	ck_assert_int_eq(tdat_trace_rows(trace, &table, 1, NULL, take_one, &rows, NULL), TDAT_OK);
	ck_assert_int_eq(rows, 1);
	tdat_trace_free(trace);
}

START_TEST(test_counts)
{
	static struct expected e, got;
	char path[] = "/tmp/test_kmem-XXXXXX";
	struct tdat_file *file;
	int fd = mkstemp(path);

	ck_assert_int_ge(fd, 0);
	close(fd);
	unlink(path); /* a writer makes new files */
	write_file(path, &e);
	ck_assert_int_eq(tdat_file_open(&file, path, NULL, NULL), TDAT_OK);
	read_rows(file, 0, &got);
	same_sum(&got.all, &e.all);
	for (size_t i = 0; i < SITES; i++)
		same_sum(&got.sites[i], &e.sites[i]);
	for (size_t i = 0; i < CACHES; i++)
		same_sum(&got.caches[i], &e.caches[i]);
	ck_assert_uint_eq(got.frees, e.frees);
	ck_assert_uint_eq(got.frees_unmatched, e.frees_unmatched);
	ck_assert_uint_eq(got.reused, e.reused);
	ck_assert_uint_eq(got.not_followed, 0);
	/* How many are not followed is what the file has more than fits. */
	read_rows(file, 10, &got);
	ck_assert_uint_gt(got.not_followed, 0);
	ck_assert_uint_eq(got.all.allocs, e.all.allocs);
	ck_assert_uint_eq(got.all.bytes_req, e.all.bytes_req);
	ck_assert_uint_eq(got.frees, e.frees);
	ck_assert_uint_gt(got.frees_unmatched, e.frees_unmatched);
	check_reading(file);
	tdat_file_close(file);
	unlink(path);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("kmem");
	TCase *tc = tcase_create("counts");

	tcase_add_test(tc, test_counts);
	suite_add_tcase(suite, tc);
	return run_suite(suite);
}
