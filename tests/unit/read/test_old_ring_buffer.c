/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The ring buffer of kernels up to 2.6.30, which have no header_page: whole files made
 * byte by byte from its description (type 2 bits, length 3, delta 27), in both byte
 * orders and word sizes. Little-endian pages are read by libtraceevent, too; the type
 * of big-endian ones it takes from other bits.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include <kbuffer.h>
#include <tdat/tdat.h>

#include "../common/run.h"
#include "core/build.h"

enum { CPUS = 2, PAGES = 4, PAGE = 1024, MOST = CPUS * PAGES * 256 };
enum { PADDING = 0, EXTEND = 1, STAMP = 2, DATA = 3 };

struct made_event {
	uint64_t ts;
	uint32_t cpu, len, n;
};

struct made {
	struct tdat_build b;
	uint8_t long_size;
	bool stamps;
	uint64_t seed, now;
	struct made_event events[MOST];
	uint32_t count;
};

static const char format[] = "name: tick\nID: 1000\nformat:\n"
			     "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\n"
			     "\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\n"
			     "\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\n"
			     "\tfield:int common_pid;\toffset:4;\tsize:4;\n\n"
			     "\tfield:unsigned int n;\toffset:8;\tsize:4;\n\n"
			     "print fmt: \"n=%u\", REC->n\n";

static uint32_t draw(struct made *m, uint32_t below)
{
	m->seed = m->seed * 6364136223846793005ull + 1442695040888963407ull;
	return (uint32_t)(m->seed >> 33) % below;
}

/* As C lays the bit fields out: from the lowest bit, or from the highest. */
static void put_word(struct made *m, uint32_t type, uint32_t len, uint32_t delta)
{
	tdat_build_u32(&m->b,
		       m->b.big ? type << 30 | len << 27 | delta : type | len << 2 | delta << 5);
}

static void put_record(struct made *m, uint32_t len, uint32_t n)
{
	tdat_build_u16(&m->b, 1000);
	tdat_build_u16(&m->b, 0);
	tdat_build_u32(&m->b, 42);
	tdat_build_u32(&m->b, n);
	tdat_build_fill(&m->b, (uint8_t)n, len - 12);
}

static void put_event(struct made *m, uint32_t cpu, uint32_t len, uint32_t delta)
{
	struct made_event *e = &m->events[m->count];

	m->now += delta;
	*e = (struct made_event){m->now, cpu, len, m->count};
	put_word(m, DATA, len <= 28 ? len / 4 : 0, delta);
	if (len > 28)
		tdat_build_u32(&m->b, len + 4);
	put_record(m, len, m->count++);
}

static void put_page(struct made *m, uint32_t cpu)
{
	size_t start = m->b.len, head = 8u + m->long_size, commit;

	m->now += draw(m, 1000000);
	tdat_build_u64(&m->b, m->now);
	tdat_build_fill(&m->b, 0, m->long_size);
	while (PAGE - (m->b.len - start) > 160) {
		uint32_t more = 1 + draw(m, 20), len;

		switch (draw(m, 10)) {
		case 0: /* a gap beyond 27 bits */
			put_word(m, EXTEND, 0, 77);
			tdat_build_u32(&m->b, more);
			m->now += ((uint64_t)more << 27) + 77;
			break;
		case 1: /* never written by a kernel: 16 bytes without meaning */
			if (!m->stamps)
				break;
			put_word(m, STAMP, 0, 5);
			tdat_build_fill(&m->b, 0, 12);
			break;
		default:
			len = 12 + 4 * draw(m, 28);
			put_event(m, cpu, len, draw(m, 1u << 27));
		}
	}
	/* The rest of a page is padding, within the commit of some and behind that of others. */
	if (draw(m, 2))
		put_word(m, PADDING, 0, 0);
	commit = m->b.len - start - head;
	tdat_build_fill(&m->b, 0xee, PAGE - (m->b.len - start));
	ck_assert(!m->b.failed);
	if (m->long_size == 8)
		tdat_store64(m->b.ptr + start + 8, commit, m->b.big);
	else
		tdat_store32(m->b.ptr + start + 8, (uint32_t)commit, m->b.big);
}

static void put_head(struct made *m)
{
	static const uint8_t magic[] = {0x17, 0x08, 0x44};
	struct tdat_build *b = &m->b;

	tdat_build_bytes(b, magic, 3);
	tdat_build_bytes(b, "tracing6", 9);
	tdat_build_u8(b, m->b.big);
	tdat_build_u8(b, m->long_size);
	tdat_build_u32(b, PAGE);
	tdat_build_cstr(b, "header_page");
	tdat_build_u64(b, 0);
	tdat_build_cstr(b, "header_event");
	tdat_build_u64(b, 0);
	tdat_build_u32(b, 0); /* formats of ftrace */
	tdat_build_u32(b, 1);
	tdat_build_cstr(b, "test");
	tdat_build_u32(b, 1);
	tdat_build_u64(b, sizeof(format) - 1);
	tdat_build_bytes(b, format, sizeof(format) - 1);
	tdat_build_u32(b, 0); /* kallsyms, printk, names */
	tdat_build_u32(b, 0);
	tdat_build_u64(b, 0);
	tdat_build_u32(b, CPUS);
	tdat_build_bytes(b, "flyrecord", 10);
}

/* _i: bit 0 byte order, bit 1 width of long, the rest a seed. */
static void make(struct made *m, int i, bool stamps)
{
	uint64_t data;

	*m = (struct made){
		.long_size = i & 2 ? 4 : 8, .seed = (uint64_t)i / 4, .now = 1000, .stamps = stamps};
	tdat_build_init(&m->b, i & 1);
	put_head(m);
	data = (m->b.len + 16 * CPUS + PAGE - 1) / PAGE * PAGE;
	for (uint32_t cpu = 0; cpu < CPUS; cpu++) {
		tdat_build_u64(&m->b, data + cpu * PAGES * PAGE);
		tdat_build_u64(&m->b, PAGES * PAGE);
	}
	tdat_build_fill(&m->b, 0, data - m->b.len);
	for (uint32_t cpu = 0; cpu < CPUS; cpu++)
		for (uint32_t p = 0; p < PAGES; p++)
			put_page(m, cpu);
	ck_assert(!m->b.failed);
}

/* Times rise from CPU to CPU, so that the order of events is that of making. */
START_TEST(our_reader)
{
	struct tdat_iter_input in = {NULL, 0, 0};
	struct tdat_error err = TDAT_ERROR_INIT;
	const struct tdat_event *ev;
	struct tdat_iter *iter;
	struct made *m = malloc(sizeof(*m));

	ck_assert_ptr_nonnull(m);
	make(m, _i, true);
	ck_assert_msg(tdat_file_open_memory(&in.file, m->b.ptr, m->b.len, "old", NULL, &err) ==
			      TDAT_OK,
		      "%s", err.message);
	ck_assert_int_eq(tdat_iter_new(&iter, &in, 1, NULL, &err), TDAT_OK);
	for (uint32_t i = 0; i < m->count; i++) {
		const struct made_event *e = &m->events[i];

		ck_assert_int_eq(tdat_iter_next(iter, &ev, &err), TDAT_OK);
		ck_assert_msg(ev != NULL, "event %u of %u is missing", i, m->count);
		ck_assert_uint_eq(ev->ts, e->ts);
		ck_assert_uint_eq(ev->cpu, e->cpu);
		ck_assert_uint_eq(ev->record.len, e->len);
		ck_assert_uint_eq(ev->id, 1000);
		ck_assert_int_eq(ev->pid, 42);
		ck_assert_uint_eq(tdat_load32(ev->record.ptr + 8, m->b.big), e->n);
	}
	ck_assert_int_eq(tdat_iter_next(iter, &ev, &err), TDAT_OK);
	ck_assert_ptr_null(ev);
	ck_assert_uint_gt(m->count, 50);
	tdat_iter_free(iter);
	tdat_file_close(in.file);
	tdat_build_fini(&m->b);
	free(m);
}
END_TEST

START_TEST(libtraceevent)
{
	struct made *m = malloc(sizeof(*m));
	struct kbuffer *k;
	uint32_t i = 0;
	uint8_t *first;

	ck_assert_ptr_nonnull(m);
	make(m, _i * 2, false); /* it ends a page at a stamp */
	k = kbuffer_alloc(m->long_size == 8 ? KBUFFER_LSIZE_8 : KBUFFER_LSIZE_4,
			  KBUFFER_ENDIAN_LITTLE);
	ck_assert_ptr_nonnull(k);
	kbuffer_set_old_format(k);
	first = m->b.ptr + m->b.len - CPUS * PAGES * PAGE;
	for (uint32_t p = 0; p < CPUS * PAGES; p++) {
		unsigned long long ts;
		uint8_t *data;

		ck_assert_int_eq(kbuffer_load_subbuffer(k, first + p * PAGE), 0);
		for (data = kbuffer_read_event(k, &ts); data; data = kbuffer_next_event(k, &ts)) {
			ck_assert_uint_lt(i, m->count);
			ck_assert_uint_eq(ts, m->events[i].ts);
			ck_assert_int_eq(kbuffer_event_size(k), (int)m->events[i].len);
			ck_assert_uint_eq(tdat_load32(data + 8, false), m->events[i].n);
			i++;
		}
	}
	ck_assert_uint_eq(i, m->count);
	kbuffer_free(k);
	tdat_build_fini(&m->b);
	free(m);
}
END_TEST

/* check and repair know these pages, too. */
START_TEST(checked)
{
	struct tdat_check_result result;
	struct tdat_error err = TDAT_ERROR_INIT;
	struct made *m = malloc(sizeof(*m));
	struct tdat_file *file;

	ck_assert_ptr_nonnull(m);
	make(m, _i, true);
	ck_assert_int_eq(tdat_file_open_memory(&file, m->b.ptr, m->b.len, "old", NULL, NULL),
			 TDAT_OK);
	ck_assert_int_eq(tdat_check(file, NULL, NULL, &result, &err), TDAT_OK);
	ck_assert_uint_eq(result.damages, 0);
	ck_assert_uint_eq(result.doubts, 0);
	ck_assert_uint_eq(result.events, m->count);
	tdat_file_close(file);
	tdat_build_fini(&m->b);
	free(m);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("old_ring_buffer");
	TCase *t = tcase_create("old_ring_buffer");

	tcase_add_loop_test(t, our_reader, 0, 40);
	tcase_add_loop_test(t, libtraceevent, 0, 20);
	tcase_add_loop_test(t, checked, 0, 8);
	suite_add_tcase(s, t);
	return run_suite(s);
}
