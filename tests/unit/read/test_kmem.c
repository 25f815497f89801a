/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Random allocations and frees, counted by tdat_kmem and by looking through a plain list. */
#include <stddef.h>
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

struct expected {
	struct live live[PTRS];
	struct tdat_kmem_sum sites[SITES], caches[CACHES];
	struct tdat_kmem_total total;
};

static uint64_t state = 88172645463325252ull;

static uint64_t next_random(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

static void count_alloc(struct tdat_kmem_sum *s, uint64_t req, uint64_t alloc)
{
	s->allocs++;
	s->bytes_req += req;
	s->bytes_alloc += alloc;
	s->live_bytes += alloc;
}

static void count_free(struct tdat_kmem_sum *s, const struct live *l, uint32_t cpu)
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
		e->total.reused++;
		e->sites[l->site].live_bytes -= l->alloc;
		e->total.kinds[TDAT_KMEM_CACHE].live_bytes -= l->alloc;
	}
	*l = (struct live){true, req, alloc, site, cpu};
	count_alloc(&e->sites[site], req, alloc);
	count_alloc(&e->total.kinds[TDAT_KMEM_CACHE], req, alloc);
}

static void expect_free(struct expected *e, uint64_t slot, uint32_t cache, uint32_t cpu)
{
	struct live *l = &e->live[slot];

	e->total.frees[TDAT_KMEM_CACHE]++;
	if (!l->is) {
		e->total.frees_unmatched[TDAT_KMEM_CACHE]++;
		return;
	}
	l->is = false;
	count_free(&e->sites[l->site], l, cpu);
	count_free(&e->total.kinds[TDAT_KMEM_CACHE], l, cpu);
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

static void same_sum(const struct tdat_kmem_sum *a, const struct tdat_kmem_sum *b)
{
	ck_assert_uint_eq(a->allocs, b->allocs);
	ck_assert_uint_eq(a->bytes_req, b->bytes_req);
	ck_assert_uint_eq(a->bytes_alloc, b->bytes_alloc);
	ck_assert_uint_eq(a->freed, b->freed);
	ck_assert_uint_eq(a->freed_elsewhere, b->freed_elsewhere);
	ck_assert_uint_eq(a->live_bytes, b->live_bytes);
}

static void check_rows(const struct expected *e, const struct tdat_kmem *k)
{
	size_t count;
	const struct tdat_kmem_row *rows = tdat_kmem_sites(k, &count);

	ck_assert_uint_eq(count, SITES);
	for (size_t i = 0; i < count; i++)
		same_sum(&rows[i].sum, &e->sites[rows[i].call_site - 0x1000]);
	for (size_t i = 1; i < count; i++)
		ck_assert(rows[i - 1].sum.bytes_alloc - rows[i - 1].sum.bytes_req >=
			  rows[i].sum.bytes_alloc - rows[i].sum.bytes_req);
	rows = tdat_kmem_caches(k, &count);
	ck_assert_uint_eq(count, CACHES);
	for (size_t i = 0; i < count; i++)
		for (size_t c = 0; c < CACHES; c++)
			if (!strcmp(rows[i].name, caches[c]))
				same_sum(&rows[i].sum, &e->caches[c]);
}

/* How many were not followed is what the file has more than fits. */
static void check_limit(struct tdat_file *file, const struct tdat_kmem_total *all)
{
	struct tdat_kmem_opts opts = TDAT_KMEM_OPTS_INIT;
	const struct tdat_kmem_total *t;
	struct tdat_kmem *k;

	opts.live_max = 10;
	ck_assert_int_eq(tdat_kmem_new(&k, file, &opts, NULL), TDAT_OK);
	t = tdat_kmem_total(k);
	ck_assert_uint_gt(t->not_followed, 0);
	ck_assert_uint_eq(t->kinds[TDAT_KMEM_CACHE].allocs, all->kinds[TDAT_KMEM_CACHE].allocs);
	ck_assert_uint_eq(t->kinds[TDAT_KMEM_CACHE].bytes_req,
			  all->kinds[TDAT_KMEM_CACHE].bytes_req);
	ck_assert_uint_eq(t->frees[TDAT_KMEM_CACHE], all->frees[TDAT_KMEM_CACHE]);
	ck_assert_uint_gt(t->frees_unmatched[TDAT_KMEM_CACHE],
			  all->frees_unmatched[TDAT_KMEM_CACHE]);
	tdat_kmem_free(k);
}

/* A caller that was compiled before live_max: what is behind its struct is not looked at. */
static void check_older(struct tdat_file *file, const struct tdat_kmem_total *all)
{
	struct tdat_kmem_opts opts = TDAT_KMEM_OPTS_INIT;
	struct tdat_kmem *k;

	opts.size = offsetof(struct tdat_kmem_opts, live_max);
	opts.live_max = 10;
	ck_assert_int_eq(tdat_kmem_new(&k, file, &opts, NULL), TDAT_OK);
	ck_assert_uint_eq(tdat_kmem_total(k)->live_max, all->live_max);
	ck_assert_uint_eq(tdat_kmem_total(k)->not_followed, 0);
	tdat_kmem_free(k);
}

START_TEST(test_counts)
{
	static struct expected e;
	char path[] = "/tmp/test_kmem-XXXXXX";
	const struct tdat_kmem_total *t;
	struct tdat_file *file;
	struct tdat_kmem *k;
	int fd = mkstemp(path);

	ck_assert_int_ge(fd, 0);
	close(fd);
	unlink(path); /* a writer makes new files */
	write_file(path, &e);
	ck_assert_int_eq(tdat_file_open(&file, path, NULL, NULL), TDAT_OK);
	ck_assert_int_eq(tdat_kmem_new(&k, file, NULL, NULL), TDAT_OK);
	t = tdat_kmem_total(k);
	same_sum(&t->kinds[TDAT_KMEM_CACHE], &e.total.kinds[TDAT_KMEM_CACHE]);
	ck_assert_uint_eq(t->frees[TDAT_KMEM_CACHE], e.total.frees[TDAT_KMEM_CACHE]);
	ck_assert_uint_eq(t->frees_unmatched[TDAT_KMEM_CACHE],
			  e.total.frees_unmatched[TDAT_KMEM_CACHE]);
	ck_assert_uint_eq(t->reused, e.total.reused);
	ck_assert_uint_eq(t->not_followed, 0);
	ck_assert_uint_eq(t->unread, 0);
	check_rows(&e, k);
	check_limit(file, t);
	check_older(file, t);
	tdat_kmem_free(k);
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
