/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The header that both versions share, and the helpers that all parsers of an index use. */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../common/made.h"
#include "../common/run.h"

/* ---- the header ---- */

/* Version 6 without formats, options or data: the shortest that is sound. */
static void put_rest(struct made *m)
{
	made_headers(m);
	tdat_build_fill(&m->b, 0, 4 + 4 + 4 + 4 + 8 + 4); /* nothing of any kind */
	tdat_build_bytes(&m->b, "flyrecord", 10);
}

static void make(struct made *m, bool big)
{
	made_init(m, 6, big, NULL);
	put_rest(m);
}

START_TEST(magic)
{
	struct made m;

	make(&m, false);
	made_opens(&m, false);
	for (size_t i = 0; i < 10; i++) {
		m.b.ptr[i] ^= 1;
		made_fails(&m, false, TDAT_E_FORMAT, "not a trace.dat file: it starts with");
		made_fails(&m, true, TDAT_E_FORMAT, "not a trace.dat file");
		m.b.ptr[i] ^= 1;
	}
	m.b.len = 0;
	made_fails(&m, true, TDAT_E_FORMAT, "it is empty");
	made_fini(&m);
}
END_TEST

static const struct {
	const char *text;
	enum tdat_status st;
	const char *words;
} versions[] = {
	{"", TDAT_E_FORMAT, "expected a number"},
	{"x", TDAT_E_FORMAT, "the version at offset 10 is \"x\""},
	{"6 ", TDAT_E_FORMAT, "expected a number"},
	{"-6", TDAT_E_FORMAT, "expected a number"},
	{"+6", TDAT_E_FORMAT, "expected a number"},
	{"5", TDAT_E_UNSUPPORTED, "file version 5 is not supported: versions 6 and 7 are"},
	{"8", TDAT_E_UNSUPPORTED, "file version 8"},
	{"0", TDAT_E_UNSUPPORTED, "file version 0"},
	{"4294967302", TDAT_E_FORMAT, "expected a number"},	      /* 2^32 + 6 */
	{"18446744073709551622", TDAT_E_FORMAT, "expected a number"}, /* 2^64 + 6 */
	{"0.6", TDAT_E_UNSUPPORTED, "perf.data file (version 0.6)"},
	{"0006", TDAT_OK, ""},
};

START_TEST(version)
{
	struct made m;

	made_init(&m, 6, false, NULL);
	m.b.len = 10;
	tdat_build_cstr(&m.b, versions[_i].text);
	tdat_build_u8(&m.b, 0);
	tdat_build_u8(&m.b, 8);
	tdat_build_u32(&m.b, MADE_PAGE);
	put_rest(&m);
	if (versions[_i].st == TDAT_OK)
		made_opens(&m, false);
	else
		made_fails(&m, true, versions[_i].st, versions[_i].words);
	made_fini(&m);
}
END_TEST

START_TEST(endless_version)
{
	struct made m;

	made_init(&m, 6, false, NULL);
	m.b.len = 11;
	made_fails(&m, true, TDAT_E_DAMAGED, "the version at offset 10 is not terminated");
	tdat_build_fill(&m.b, '6', 5000); /* the header ends before it does */
	made_fails(&m, true, TDAT_E_DAMAGED, "the version at offset 10 is not terminated");
	made_fini(&m);
}
END_TEST

/* Pages of a CPU have no magic: they are told from other files in either order. */
START_TEST(raw_pages)
{
	struct made m;

	made_init(&m, 6, _i, NULL);
	m.b.len = 0;
	tdat_build_u64(&m.b, 123456789);
	tdat_build_u64(&m.b, 4080 | 1u << 31);
	tdat_build_fill(&m.b, 1, 4080);
	made_fails(&m, false, TDAT_E_FORMAT, "raw pages of one CPU");
	m.b.len--;
	made_fails(&m, false, TDAT_E_FORMAT, "it starts with");
	m.b.len++;
	made_set(&m, 8, 8, 6); /* no commit has that */
	made_fails(&m, false, TDAT_E_FORMAT, "it starts with");
	made_fini(&m);
}
END_TEST

/* Byte order, size of long and page size: refused, or what makes sense is taken. */
START_TEST(machine)
{
	enum { ORDER = 12, LONG = 13, PAGE = 14 };
	struct made m;

	make(&m, _i);
	m.b.ptr[ORDER] = 2;
	made_fails(&m, false, TDAT_E_DAMAGED, "the byte order at offset 12 is 2");
	ck_assert_uint_eq(m.err.off, ORDER);
	made_set(&m, PAGE, 4, 4096);
	made_finds(&m, "the byte order at offset 12 is 2");
	ck_assert_int_eq(m.ix.big, _i);
	ck_assert_uint_eq(m.ix.page_size, 4096);
	m.b.ptr[ORDER] = _i != 0;

	for (unsigned size = 0; size < 256; size++) {
		m.b.ptr[LONG] = (uint8_t)size;
		if (size == 4 || size == 8) {
			made_opens(&m, false);
			ck_assert_uint_eq(m.ix.long_size, size);
			/* header_page says it of the kernel. */
			ck_assert_uint_eq(m.ix.kernel_long_size, 8);
		} else {
			made_fails(&m, false, TDAT_E_DAMAGED, "the long size at offset 13");
			ck_assert_uint_eq(m.err.off, LONG);
			made_finds(&m, "the long size at offset 13");
			ck_assert_uint_eq(m.ix.long_size, 8);
		}
	}
	m.b.ptr[LONG] = 8;

	made_set(&m, PAGE, 4, 63);
	made_fails(&m, false, TDAT_E_DAMAGED, "the page size at offset 14 is 63");
	made_finds(&m, "the page size at offset 14 is 63");
	ck_assert_uint_eq(m.ix.page_size, 64); /* as header_page has it */
	made_set(&m, PAGE, 4, (1u << 24) + 1);
	made_fails(&m, false, TDAT_E_LIMIT, "64 to 16777216 (limit page_len)");
	made_set(&m, PAGE, 4, 1u << 24);
	made_opens(&m, false);
	m.limits.page_len = UINT32_MAX; /* beyond a long of 32 bits, too */
	made_set(&m, PAGE, 4, UINT32_MAX);
	made_opens(&m, false);
	made_set(&m, PAGE, 4, 0);
	made_finds(&m, "the page size at offset 14 is 0");
	ck_assert_uint_eq(m.ix.page_size, 64);
	made_fini(&m);
}
END_TEST

/* ---- header_page ---- */

static const struct {
	const char *text;
	uint8_t commit;
	uint32_t data_off;
} layouts[] = {
	{"", 8, 16},
	{"\tfield: local_t commit;\toffset:8;\tsize:4;\n", 4, 12},
	{"\tfield: local_t commit;\toffset:8;\tsize:8;\n", 8, 16},
	{"\tfield: local_t commit;\toffset:8;\tsize:5;\n", 8, 16},
	{"\tfield: local_t commit;\toffset:8;\n\tsize:4;\n", 8, 16}, /* of another line */
	{"size:4; commit;\n", 8, 16},				     /* before the name */
	{" commit; size:4", 4, 12},				     /* no end of line */
	{" commit; size:99999999999999999999", 8, 16},
	{" commit; size:4\n data; offset:20; size:1", 4, 20},
	{" commit; size:4\n data; offset:11; size:1", 4, 12}, /* within the head */
	{" commit; size:4\n data; offset:256; size:1", 4, 12},
	{" commit; size:4\n data; offset:255; size:1", 4, 255},
	{" commit; size:4\n data; offset:4294967316; size:1", 4, 12},
	{" data; offset:x", 8, 16},
};

START_TEST(page_layout)
{
	struct dat_index ix = {.long_size = 8, .page_size = 4096};
	size_t len = strlen(layouts[_i].text);
	uint8_t *exact = malloc(len + 1);

	ck_assert_ptr_nonnull(exact);
	memcpy(exact + 1, layouts[_i].text, len); /* so that it ends with its memory */
	ix.limits.page_len = 1 << 20;
	ix.header_page = (struct tdat_span){exact + 1, len};
	dat_note_page_layout(&ix);
	ck_assert_uint_eq(ix.kernel_long_size, layouts[_i].commit);
	ck_assert_uint_eq(ix.header_data_off, layouts[_i].data_off);
	ck_assert_int_eq(ix.old_ring_buffer, !len);
	ck_assert_uint_eq(ix.page_size, 4096);
	free(exact);
}
END_TEST

START_TEST(lost_page_size)
{
	static const struct {
		const char *text;
		uint32_t limit, size;
	} v[] = {
		{" data; offset:16; size:8176", 1 << 20, 8192},
		{" data; offset:16; size:8176", 8192, 8192},
		{" data; offset:16; size:8176", 8191, 4096},
		{" data; offset:16; size:8176", UINT32_MAX, 8192},
		{" data; offset:16; size:48", 1 << 20, 64},
		{" data; offset:16; size:47", 1 << 20, 4096},
		{" data; offset:16; size:48", 8, 4096},
		{" data; offset:16;", 1 << 20, 4096},
	};

	for (size_t i = 0; i < sizeof(v) / sizeof(v[0]); i++) {
		struct dat_index ix = {.long_size = 8, .page_size = 4096, .page_size_lost = true};

		ix.limits.page_len = v[i].limit;
		ix.header_page = (struct tdat_span){(const uint8_t *)v[i].text, strlen(v[i].text)};
		dat_note_page_layout(&ix);
		ck_assert_msg(ix.page_size == v[i].size, "%zu: %u", i, ix.page_size);
	}
}
END_TEST

START_TEST(header_tags)
{
	struct tdat_error err = TDAT_ERROR_INIT;
	struct made m;

	made_init(&m, 6, false, NULL);
	m.b.len = 0;
	made_headers(&m);
	for (size_t len = 0; len <= m.b.len; len++) {
		struct dat_index ix = {.long_size = 8};
		struct tdat_cursor c = tdat_cursor_init(m.b.ptr, len, 100, false);
		enum tdat_status st = dat_read_header_pages(&ix, &c, &err);

		ck_assert_int_eq(st, len == m.b.len ? TDAT_OK : TDAT_E_DAMAGED);
		ck_assert(st == TDAT_OK || (err.off >= 100 && err.off <= 100 + len));
		/* header_page counts also where header_event is not to be had. */
		ck_assert(!ix.header_page.len || ix.header_data_off == 16);
	}
	made_fini(&m);
}
END_TEST

/* ---- helpers ---- */

struct small {
	uint8_t bytes[100];
	struct tdat_source *src;
	struct dat_index ix;
	struct tdat_error err;
};

static void small_init(struct small *s, bool tolerate)
{
	memset(s, 0, sizeof(*s));
	for (size_t i = 0; i < sizeof(s->bytes); i++)
		s->bytes[i] = (uint8_t)i;
	ck_assert_int_eq(tdat_source_open_memory(&s->src, s->bytes, sizeof(s->bytes), "s", NULL),
			 TDAT_OK);
	s->ix.src = s->src;
	s->ix.tolerate = tolerate;
	s->ix.limits = (struct tdat_limits){
		.size = sizeof(s->ix.limits), .section_len = 60, .text_ratio = 3, .cpus = 8};
}

static void small_fini(struct small *s)
{
	dat_index_fini(&s->ix);
	tdat_source_close(s->src);
}

START_TEST(index_bytes)
{
	static const struct {
		uint64_t off, len;
		enum tdat_status st;
	} v[] = {
		{0, 0, TDAT_OK},
		{100, 0, TDAT_OK},
		{40, 60, TDAT_OK},
		{99, 1, TDAT_OK},
		{39, 61, TDAT_E_LIMIT},
		{0, 100, TDAT_E_LIMIT},
		{101, 0, TDAT_E_DAMAGED},
		{100, 1, TDAT_E_DAMAGED},
		{40, 61, TDAT_E_DAMAGED},
		{UINT64_MAX, 0, TDAT_E_DAMAGED},
		{UINT64_MAX, 2, TDAT_E_DAMAGED},
		{2, UINT64_MAX, TDAT_E_DAMAGED},
		{UINT64_MAX - 9, 20, TDAT_E_DAMAGED},
	};
	struct small s;

	small_init(&s, false);
	for (size_t i = 0; i < sizeof(v) / sizeof(v[0]); i++) {
		struct tdat_span out = {s.bytes, 1};

		ck_assert_int_eq(dat_index_bytes(&s.ix, v[i].off, v[i].len, "it", &out, &s.err),
				 v[i].st);
		ck_assert_uint_eq(out.len, v[i].st == TDAT_OK ? v[i].len : 0);
		if (out.len)
			ck_assert_uint_eq(out.ptr[0], v[i].off);
		if (v[i].st != TDAT_OK)
			ck_assert_uint_eq(s.err.off, v[i].off);
		ck_assert_int_eq(dat_index_bytes(&s.ix, v[i].off, v[i].len, "it", &out, NULL),
				 v[i].st);
	}
	small_fini(&s);
}
END_TEST

/* On 32-bit machines a file and a limit may be longer than memory can be. */
START_TEST(more_than_memory)
{
	const uint64_t len = 5ull << 30;
	int fd = memfd_create("long", 0);
	struct tdat_span out;
	struct small s;

	if (sizeof(size_t) > 4 || fd < 0)
		return;
	small_init(&s, false);
	tdat_source_close(s.src);
	ck_assert_int_eq(ftruncate(fd, (off_t)len), 0);
	ck_assert_int_eq(tdat_source_open_fd(&s.src, fd, "long", TDAT_ACCESS_READ, &s.err),
			 TDAT_OK);
	s.ix.src = s.src;
	s.ix.limits.section_len = UINT64_MAX;
	ck_assert_int_eq(dat_index_bytes(&s.ix, 0, (1ull << 32) + 1, "it", &out, &s.err),
			 TDAT_E_NOMEM);
	ck_assert_int_eq(dat_index_bytes(&s.ix, 0, UINT32_MAX, "it", &out, &s.err), TDAT_E_NOMEM);
	ck_assert_int_eq(dat_index_bytes(&s.ix, 1ull << 32, 4, "it", &out, &s.err), TDAT_OK);
	ck_assert_uint_eq(out.len, 4);
	close(fd);
	small_fini(&s);
}
END_TEST

static enum tdat_status inflate(struct small *s, uint64_t file_len, uint64_t *sum, uint64_t len)
{
	return dat_inflate_text(&s->ix.limits, file_len, sum, "it", 7, len, &s->err);
}

START_TEST(inflated_text)
{
	const uint64_t base = 16 << 20;
	uint64_t sum = 0;
	struct small s;

	small_init(&s, false);
	ck_assert_int_eq(inflate(&s, 100, &sum, 60), TDAT_OK);
	ck_assert_uint_eq(sum, 60);
	ck_assert_int_eq(inflate(&s, 100, &sum, 61), TDAT_E_LIMIT);
	ck_assert_ptr_nonnull(strstr(s.err.message, "section_len"));
	ck_assert_uint_eq(s.err.off, 7);
	ck_assert_uint_eq(sum, 60);

	/* 16 MiB and text_ratio times the file, all of them together */
	s.ix.limits.section_len = UINT64_MAX;
	ck_assert_int_eq(inflate(&s, 100, &sum, base + 300 - 60 + 1), TDAT_E_LIMIT);
	ck_assert_ptr_nonnull(strstr(s.err.message, "text_ratio of 3"));
	ck_assert_uint_eq(sum, 60);
	ck_assert_int_eq(inflate(&s, 100, &sum, base + 300 - 60), TDAT_OK);
	ck_assert_int_eq(inflate(&s, 100, &sum, 0), TDAT_OK);
	ck_assert_int_eq(inflate(&s, 100, &sum, 1), TDAT_E_LIMIT);
	ck_assert_uint_eq(sum, base + 300);

	/* more than 64 bits is no bound, and no small one */
	for (uint32_t ratio = 0; ratio < 3; ratio++) {
		s.ix.limits.text_ratio = ratio ? UINT32_MAX - ratio + 1 : 1;
		sum = 0;
		ck_assert_int_eq(inflate(&s, UINT64_MAX, &sum, UINT64_MAX - 1), TDAT_OK);
		ck_assert_int_eq(inflate(&s, UINT64_MAX, &sum, 2), TDAT_E_LIMIT);
		ck_assert_uint_eq(sum, UINT64_MAX - 1);
	}
	/* of the index: its own sum, the length of its source */
	s.ix.limits.text_ratio = 3;
	ck_assert_int_eq(dat_index_inflate(&s.ix, "it", 7, base + 300, &s.err), TDAT_OK);
	ck_assert_int_eq(dat_index_inflate(&s.ix, "it", 7, 1, &s.err), TDAT_E_LIMIT);
	ck_assert_uint_eq(s.ix.inflated_len, base + 300);
	small_fini(&s);
}
END_TEST

START_TEST(tolerance)
{
	static const enum tdat_status never[] = {TDAT_E_NOMEM, TDAT_E_SYSTEM, TDAT_E_FORMAT,
						 TDAT_E_UNSUPPORTED};
	struct small s;

	small_init(&s, false);
	tdat_error_set(&s.err, TDAT_E_DAMAGED, 5, "it is");
	ck_assert_int_eq(dat_index_tolerate(&s.ix, TDAT_E_DAMAGED, &s.err), TDAT_E_DAMAGED);
	ck_assert_str_eq(s.err.message, "it is");
	s.ix.tolerate = true;
	ck_assert_int_eq(dat_index_tolerate(&s.ix, TDAT_E_DAMAGED, NULL), TDAT_E_DAMAGED);
	ck_assert_uint_eq(s.ix.damage_count, 0);
	ck_assert_int_eq(dat_index_tolerate(&s.ix, TDAT_OK, &s.err), TDAT_OK);
	ck_assert_uint_eq(s.ix.damage_count, 0);
	for (size_t i = 0; i < sizeof(never) / sizeof(never[0]); i++)
		ck_assert_int_eq(dat_index_tolerate(&s.ix, never[i], &s.err), never[i]);
	ck_assert_uint_eq(s.ix.damage_count, 0);
	ck_assert_int_eq(dat_index_tolerate(&s.ix, TDAT_E_DAMAGED, &s.err), TDAT_OK);
	ck_assert_int_eq(s.err.status, TDAT_OK);
	tdat_error_set(&s.err, TDAT_E_LIMIT, 6, "too many");
	ck_assert_int_eq(dat_index_tolerate(&s.ix, TDAT_E_LIMIT, &s.err), TDAT_OK);
	ck_assert_uint_eq(s.ix.damage_count, 2);
	ck_assert_str_eq(s.ix.damage[0].message, "it is");
	ck_assert_uint_eq(s.ix.damage[1].off, 6);
	small_fini(&s);
}
END_TEST

START_TEST(clip_cpu)
{
	static const struct {
		uint64_t off, len, left, missing, outside;
	} v[] = {
		{0, 100, 100, 0, 0},
		{100, 0, 0, 0, 0},
		{UINT64_MAX, 0, 0, 0, 0}, /* no data at all is nowhere */
		{40, 61, 60, 1, 0},
		{99, UINT64_MAX, 1, UINT64_MAX - 1, 0},
		{100, 5, 0, 5, 5},
		{UINT64_MAX, 5, 0, 5, 5},
		{UINT64_MAX - 3, UINT64_MAX, 0, UINT64_MAX, UINT64_MAX},
	};

	for (size_t i = 0; i < sizeof(v) / sizeof(v[0]); i++)
		for (int tolerate = 0; tolerate < 2; tolerate++) {
			struct tdat_cpu cpu = {.cpu = 3, .off = v[i].off, .len = v[i].len};
			struct small s;

			small_init(&s, tolerate);
			ck_assert_int_eq(dat_index_clip_cpu(&s.ix, &cpu, "b", 7, &s.err),
					 v[i].missing && !tolerate ? TDAT_E_DAMAGED : TDAT_OK);
			ck_assert_uint_eq(cpu.len, v[i].left);
			ck_assert_uint_eq(cpu.off, v[i].off);
			ck_assert_uint_eq(s.ix.missing_len, v[i].missing);
			ck_assert_uint_eq(s.ix.outside_len, v[i].outside);
			ck_assert_uint_eq(s.ix.cut_cpu_count, v[i].missing != 0);
			ck_assert_uint_eq(s.ix.damage_count, v[i].missing && tolerate);
			if (v[i].missing && !tolerate)
				ck_assert_ptr_nonnull(strstr(s.err.message, "CPU 3 of buffer b"));
			small_fini(&s);
		}
}
END_TEST

/* The end of the file is told once, however many CPUs it cuts. */
START_TEST(clip_many)
{
	struct tdat_cpu cpu;
	struct small s;

	small_init(&s, true);
	for (uint32_t i = 0; i < 5; i++) {
		cpu = (struct tdat_cpu){.cpu = i, .off = 90, .len = 20};
		ck_assert_int_eq(dat_index_clip_cpu(&s.ix, &cpu, "", 7, &s.err), TDAT_OK);
	}
	ck_assert_uint_eq(s.ix.damage_count, 1);
	ck_assert_uint_eq(s.ix.cut_cpu_count, 5);
	ck_assert_uint_eq(s.ix.missing_len, 50);
	ck_assert_uint_eq(s.ix.cut_finding, 1);
	small_fini(&s);
}
END_TEST

START_TEST(counts_are_limited)
{
	const struct tdat_section section = {.off = 9};
	const struct tdat_buffer buffer = {.off = 9};
	struct small s;

	small_init(&s, true);
	s.ix.limits.sections = s.ix.limits.options = s.ix.limits.buffers = 20;
	for (unsigned i = 0; i < 21; i++) {
		enum tdat_status want = i < 20 ? TDAT_OK : TDAT_E_LIMIT;

		ck_assert_int_eq(dat_index_add_section(&s.ix, &section, &s.err), want);
		ck_assert_int_eq(dat_index_add_buffer(&s.ix, &buffer, &s.err), want);
		ck_assert_int_eq(dat_index_note_options(&s.ix, i, &s.err), want);
		ck_assert_int_eq(dat_index_add_option(&s.ix, (uint16_t)i, 9,
						      (struct tdat_span){NULL, 0}, &s.err),
				 want);
	}
	ck_assert_uint_eq(s.ix.section_count, 20);
	ck_assert_uint_eq(s.ix.buffer_count, 20);
	ck_assert_uint_eq(s.ix.option_section_count, 20);
	ck_assert_uint_eq(s.ix.option_count, 20);
	ck_assert_uint_eq(s.ix.options[19].id, 19);
	ck_assert_uint_eq(s.ix.option_sections[19], 19);
	ck_assert_uint_eq(s.err.off, 9);
	small_fini(&s);
}
END_TEST

/* _i: bit 0 byte order, bit 1 width of the size. */
START_TEST(sized_text)
{
	static const uint64_t sizes[] = {
		0, 1, 5, 6, 0x7fffffff, UINT32_MAX, UINT64_MAX, 1ull << 32, (1ull << 32) + 5};
	unsigned width = _i & 2 ? 8 : 4;

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		struct tdat_error err = TDAT_ERROR_INIT;
		struct tdat_span out = {NULL, 0};
		struct tdat_cursor c;
		struct tdat_build b;
		enum tdat_status st;

		if (width == 4 && sizes[i] > UINT32_MAX)
			continue;
		tdat_build_init(&b, _i & 1);
		if (width == 8)
			tdat_build_u64(&b, sizes[i]);
		else
			tdat_build_u32(&b, (uint32_t)sizes[i]);
		tdat_build_str(&b, "12345");
		c = tdat_cursor_init(b.ptr, b.len, 50, _i & 1);
		st = dat_read_text(&c, width, "it", &out, &err);
		ck_assert_int_eq(st, sizes[i] > 5 ? TDAT_E_DAMAGED : TDAT_OK);
		ck_assert_uint_eq(out.len, sizes[i] > 5 ? 0 : sizes[i]);
		ck_assert(st == TDAT_OK || (err.off == 50 && strstr(err.message, "5 are left")));
		c = tdat_cursor_init(b.ptr, width - 1, 50, _i & 1); /* not even the size */
		ck_assert_int_eq(dat_read_text(&c, width, "it", &out, &err), TDAT_E_DAMAGED);
		tdat_build_fini(&b);
	}
}
END_TEST

/* Lists of formats: cut at each byte, what was read before the cut stays. */
START_TEST(format_lists)
{
	struct tdat_error err = TDAT_ERROR_INIT;
	struct made m;

	made_init(&m, 6, _i, NULL);
	m.b.len = 0;
	tdat_build_u32(&m.b, 2);
	tdat_build_cstr(&m.b, "one");
	tdat_build_u32(&m.b, 2);
	made_text(&m, 8, "first");
	made_text(&m, 8, "");
	tdat_build_cstr(&m.b, "");
	tdat_build_u32(&m.b, 1);
	made_text(&m, 8, "third");
	for (size_t len = 0; len <= m.b.len; len++) {
		struct tdat_cursor c = tdat_cursor_init(m.b.ptr, len, 0, _i);
		struct small s;
		size_t want = len == m.b.len		  ? 3
			      : len >= 4 + 4 + 4 + 13 + 8 ? 2
			      : len >= 4 + 4 + 4 + 13	  ? 1
							  : 0;

		small_init(&s, false);
		s.ix.limits.formats = 3;
		s.ix.limits.format_len = 5;
		ck_assert_int_eq(dat_read_event_formats(&s.ix, &c, &err),
				 len == m.b.len ? TDAT_OK : TDAT_E_DAMAGED);
		ck_assert_uint_eq(s.ix.format_count, want);
		ck_assert_uint_eq(s.ix.event_format_count, want);
		small_fini(&s);
	}
	for (uint32_t i = 0; i < 2; i++) { /* one below each limit */
		struct tdat_cursor c = tdat_cursor_init(m.b.ptr, m.b.len, 0, _i);
		struct small s;

		small_init(&s, false);
		s.ix.limits.formats = 3 - i;
		s.ix.limits.format_len = 4 + i;
		ck_assert_int_eq(dat_read_event_formats(&s.ix, &c, &err), TDAT_E_LIMIT);
		ck_assert_ptr_nonnull(
			strstr(err.message, i ? "limit formats" : "limit format_len"));
		ck_assert_uint_eq(s.ix.format_count, i ? 2 : 0);
		small_fini(&s);
	}
	made_fini(&m);
}
END_TEST

START_TEST(cpu_count)
{
	struct small s;
	uint8_t raw[4];

	small_init(&s, false);
	tdat_store32(raw, 8, false);
	ck_assert_uint_eq(dat_cpu_count(&s.ix, (struct tdat_span){raw, 4}), 8);
	tdat_store32(raw, 8, true);
	ck_assert_uint_eq(dat_cpu_count(&s.ix, (struct tdat_span){raw, 4}), 8u << 24);
	s.ix.mixed_order = true; /* the limit tells which makes sense */
	ck_assert_uint_eq(dat_cpu_count(&s.ix, (struct tdat_span){raw, 4}), 8);
	s.ix.big = true;
	ck_assert_uint_eq(dat_cpu_count(&s.ix, (struct tdat_span){raw, 4}), 8);
	small_fini(&s);
}
END_TEST

START_TEST(clock_names)
{
	static const struct {
		const char *text, *name;
	} v[] = {
		{"", ""},
		{"local", ""},
		{"[local] global", "local"},
		{"local [mono]", "mono"},
		{"[", ""},
		{"]", ""},
		{"]a[b", ""},
		{"[]", ""},
		{"a [x86-tsc] [b]", "x86-tsc"},
		{"[[a]]", "[a"},
	};
	struct small s;

	small_init(&s, false);
	for (size_t i = 0; i < sizeof(v) / sizeof(v[0]); i++) {
		struct tdat_span text = {(const uint8_t *)v[i].text, strlen(v[i].text)};

		ck_assert_str_eq(dat_clock_name(&s.ix, text), v[i].name);
	}
	ck_assert_str_eq(dat_clock_name(&s.ix, (struct tdat_span){NULL, 0}), "");
	small_fini(&s);
}
END_TEST

#define COUNT(v) (sizeof(v) / sizeof((v)[0]))

int main(void)
{
	Suite *s = suite_create("index");
	TCase *t = tcase_create("index");

	tcase_add_test(t, magic);
	tcase_add_loop_test(t, version, 0, COUNT(versions));
	tcase_add_test(t, endless_version);
	tcase_add_loop_test(t, raw_pages, 0, 2);
	tcase_add_loop_test(t, machine, 0, 2);
	tcase_add_loop_test(t, page_layout, 0, COUNT(layouts));
	tcase_add_test(t, lost_page_size);
	tcase_add_test(t, header_tags);
	tcase_add_test(t, index_bytes);
	tcase_add_test(t, more_than_memory);
	tcase_add_test(t, inflated_text);
	tcase_add_test(t, tolerance);
	tcase_add_test(t, clip_cpu);
	tcase_add_test(t, clip_many);
	tcase_add_test(t, counts_are_limited);
	tcase_add_loop_test(t, sized_text, 0, 4);
	tcase_add_loop_test(t, format_lists, 0, 2);
	tcase_add_test(t, cpu_count);
	tcase_add_test(t, clock_names);
	suite_add_tcase(s, t);
	return run_suite(s);
}
