/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The index of version 7: sections, their chain of options, buffers; each number wrong. */
#include <stdlib.h>
#include <zlib.h>

#include "../common/made.h"
#include "../common/run.h"

enum { CPUS = 2, CPU_LEN = 20, HEAD = 16 };

/* Where the parts of a file are. */
struct v7 {
	struct made m;
	size_t first; /* the offset of the first options */
	size_t headers, ftrace, kallsyms, buffer, options, strings; /* heads of sections */
	size_t kallsyms_option, buffer_option;			    /* payloads */
	size_t page_size, cpu_count, cpus;			    /* in the option BUFFER */
	size_t end;						    /* the option DONE */
};

static size_t begin(struct v7 *f, uint16_t id, uint16_t flags, uint32_t name)
{
	size_t at = f->m.b.len;

	tdat_build_u16(&f->m.b, id);
	tdat_build_u16(&f->m.b, flags);
	tdat_build_u32(&f->m.b, name);
	tdat_build_u64(&f->m.b, 0);
	return at;
}

static void finish(struct v7 *f, size_t at)
{
	made_set(&f->m, at + 8, 8, f->m.b.len - at - HEAD);
}

/* Puts what was written behind at into a compressed body. */
static void compress_body(struct v7 *f, size_t at)
{
	size_t from = at + HEAD, len = f->m.b.len - from;
	uint8_t packed[4096];
	uLongf n = sizeof(packed);

	ck_assert_int_eq(compress(packed, &n, f->m.b.ptr + from, len), Z_OK);
	f->m.b.len = from;
	tdat_build_u32(&f->m.b, (uint32_t)n);
	tdat_build_u32(&f->m.b, (uint32_t)len);
	tdat_build_bytes(&f->m.b, packed, n);
	made_set(&f->m, at + 2, 2, 1);
}

static void put_option(struct v7 *f, uint16_t id, uint32_t len)
{
	tdat_build_u16(&f->m.b, id);
	tdat_build_u32(&f->m.b, len);
}

static void put_place(struct v7 *f, uint16_t id, uint64_t at)
{
	put_option(f, id, 8);
	tdat_build_u64(&f->m.b, at);
}

static void put_buffer_option(struct v7 *f, uint64_t pages)
{
	struct tdat_build *b = &f->m.b;
	size_t size = b->len + 2;

	put_option(f, TDAT_OPTION_BUFFER, 0);
	f->buffer_option = b->len;
	tdat_build_u64(b, f->buffer);
	tdat_build_cstr(b, "");
	tdat_build_cstr(b, "mono");
	f->page_size = b->len;
	tdat_build_u32(b, MADE_PAGE);
	f->cpu_count = b->len;
	tdat_build_u32(b, CPUS);
	f->cpus = b->len;
	for (unsigned i = 0; i < CPUS; i++) {
		tdat_build_u32(b, i);
		tdat_build_u64(b, pages + i * MADE_PAGE);
		tdat_build_u64(b, MADE_PAGE);
	}
	made_set(&f->m, size, 4, b->len - f->buffer_option);
}

static void make(struct v7 *f, bool big, bool compressed)
{
	struct tdat_build *b = &f->m.b;
	uint64_t pages;
	char text[512];

	made_init(&f->m, 7, big, compressed ? "zlib" : "none");
	f->first = b->len;
	tdat_build_u64(b, 0);
	f->headers = begin(f, TDAT_OPTION_HEADER_INFO, 0, 0);
	made_headers(&f->m);
	if (compressed)
		compress_body(f, f->headers);
	finish(f, f->headers);
	f->ftrace = begin(f, TDAT_OPTION_FTRACE_EVENTS, 0, UINT32_MAX);
	tdat_build_u32(b, 1);
	made_text(&f->m, 8, made_format(text, sizeof(text), "function", 1));
	finish(f, f->ftrace);
	f->kallsyms = begin(f, TDAT_OPTION_KALLSYMS, 0, 5);
	made_text(&f->m, 4, "0000000000001000 t a\n");
	if (compressed)
		compress_body(f, f->kallsyms);
	finish(f, f->kallsyms);
	f->buffer = begin(f, TDAT_OPTION_BUFFER, 0, UINT32_MAX);
	pages = made_page(&f->m, 1000, 300, 7, 0);
	made_page(&f->m, 900, 300, 7, 1); /* time goes back: it is of another CPU */
	finish(f, f->buffer);
	f->options = begin(f, TDAT_OPTION_DONE, 0, 14);
	put_place(f, TDAT_OPTION_HEADER_INFO, f->headers);
	put_place(f, TDAT_OPTION_FTRACE_EVENTS, f->ftrace);
	put_place(f, TDAT_OPTION_KALLSYMS, f->kallsyms);
	f->kallsyms_option = b->len - 8;
	put_option(f, 999, 3);
	tdat_build_bytes(b, "abc", 3);
	put_buffer_option(f, pages);
	f->end = b->len;
	put_place(f, TDAT_OPTION_DONE, 0);
	finish(f, f->options);
	f->strings = begin(f, TDAT_OPTION_STRINGS, 0, UINT32_MAX);
	tdat_build_bytes(b, "head\0kallsyms\0options", 22);
	finish(f, f->strings);
	made_set(&f->m, f->first, 8, f->options);
	ck_assert(!b->failed);
}

static void is_whole(const struct v7 *f)
{
	const struct tdat_buffer *b = f->m.ix.buffers;

	ck_assert_uint_eq(f->m.ix.kallsyms.len, 21);
	ck_assert_uint_gt(f->m.ix.header_page.len, 0);
	ck_assert_uint_eq(f->m.ix.buffer_count, 1);
	ck_assert_uint_eq(b->cpu_count, CPUS);
	ck_assert_uint_eq(b->page_size, MADE_PAGE);
	for (unsigned i = 0; i < CPUS; i++) {
		ck_assert_uint_eq(b->cpus[i].cpu, i);
		ck_assert_uint_eq(b->cpus[i].len, MADE_PAGE);
	}
}

/* _i: bit 0 byte order, bit 1 compressed metadata. */
START_TEST(whole)
{
	const struct dat_index *ix;
	struct v7 f;

	make(&f, _i & 1, _i & 2);
	made_opens(&f.m, false);
	ix = &f.m.ix;
	ck_assert_uint_eq(ix->version, 7);
	ck_assert_int_eq(ix->big, _i & 1);
	ck_assert_str_eq(ix->compression, _i & 2 ? "zlib" : "none");
	ck_assert_str_eq(ix->compression_version, "1.0");
	ck_assert_int_eq(ix->codec != NULL, _i >= 2);
	is_whole(&f);
	ck_assert_str_eq(ix->buffers[0].clock, "mono");
	ck_assert_uint_eq(ix->buffers[0].off, f.buffer);
	ck_assert_uint_eq(ix->cpu_count, CPUS); /* by the top buffer: there is no CPUCOUNT */
	ck_assert_uint_eq(ix->ftrace_format_count, 1);
	ck_assert_uint_eq(ix->option_count, 6);
	ck_assert_uint_eq(ix->options[3].id, 999);
	ck_assert_uint_eq(ix->section_count, 6);
	ck_assert_str_eq(ix->sections[0].description, "head");
	ck_assert_str_eq(ix->sections[1].description, "");
	ck_assert_str_eq(ix->sections[2].description, "kallsyms");
	ck_assert_str_eq(ix->sections[3].description, "");
	ck_assert_str_eq(ix->sections[4].description, "options");
	ck_assert_int_eq(ix->sections[0].compressed, _i >= 2);
	ck_assert(!ix->mixed_order && !ix->strings_lost);
	made_fini(&f.m);
}
END_TEST

START_TEST(every_cut)
{
	struct v7 f;

	make(&f, _i & 1, _i & 2);
	for (size_t len = 0; len < f.m.b.len; len++) {
		const struct dat_index *ix = &f.m.ix;
		enum tdat_status st = made_open(&f.m, len, false);

		ck_assert_msg(st == (len < 10 ? TDAT_E_FORMAT : TDAT_E_DAMAGED) || len == f.strings,
			      "%zu bytes: %d %s", len, st, f.m.err.message);
		st = made_open(&f.m, len, true);
		ck_assert(st == TDAT_OK || *f.m.err.message);
		if (st != TDAT_OK)
			continue;
		ck_assert(ix->damage_count || len == f.strings);
		for (size_t k = 0; k < ix->buffer_count; k++)
			for (uint32_t i = 0; i < ix->buffers[k].cpu_count; i++)
				ck_assert(!ix->buffers[k].cpus[i].len ||
					  ix->buffers[k].cpus[i].off + ix->buffers[k].cpus[i].len <=
						  len);
		if (len >= f.options) { /* the pages are found, with or without options */
			ck_assert_uint_eq(ix->buffer_count, 1);
			ck_assert_uint_eq(ix->kallsyms.len, 21);
		}
	}
	made_fini(&f.m);
}
END_TEST

/* One number wrong: refused; with tolerance the rest is there. */
static const struct {
	size_t at; /* offset in struct v7 of the number's */
	size_t more;
	unsigned len;
	uint64_t value;
	enum tdat_status st;
	const char *words;
	bool whole; /* with tolerance nothing is missing */
} wrong[] = {
#define AT(field) offsetof(struct v7, field)
	{AT(first), 0, 8, 0, TDAT_E_DAMAGED, "options section is missing", true},
	{AT(first), 0, 8, UINT64_MAX, TDAT_E_DAMAGED, "a section should start at", true},
	{AT(first), 0, 8, UINT64_MAX - 15, TDAT_E_DAMAGED, "a section should start at", true},
	{AT(first), 0, 8, 35, TDAT_E_DAMAGED, "should be at offset 35, but section 16 is there",
	 true},
	{AT(end), 6, 8, UINT64_MAX, TDAT_E_DAMAGED, "a section should start at", true},
	{AT(end), 2, 4, 7, TDAT_E_DAMAGED, "the last option has 7 bytes, expected 8", true},
	{AT(end), 2, 4, 9, TDAT_E_DAMAGED, "the list of options", true},
	{AT(end), 2, 4, UINT32_MAX, TDAT_E_LIMIT, "limit option_len", true},
	{AT(kallsyms_option), 0, 8, UINT64_MAX, TDAT_E_DAMAGED, "a section should start", true},
	{AT(kallsyms), 0, 2, 20, TDAT_E_DAMAGED, "but section 20 is there", false},
	{AT(kallsyms), 8, 8, UINT64_MAX, TDAT_E_DAMAGED, "kallsyms is truncated", false},
	{AT(kallsyms), 8, 8, UINT64_MAX - 100, TDAT_E_DAMAGED, "kallsyms is truncated", false},
	{AT(options), 8, 8, UINT64_MAX, TDAT_E_DAMAGED, "options is truncated", false},
	{AT(buffer_option), 0, 8, UINT64_MAX, TDAT_E_DAMAGED, "a section should start", true},
	{AT(buffer), 0, 2, 4, TDAT_E_DAMAGED, "needs section 3", false},
	{AT(page_size), 0, 4, 63, TDAT_E_DAMAGED, "has page size 63", true},
	{AT(page_size), 0, 4, 0, TDAT_E_DAMAGED, "has page size 0", true},
	{AT(page_size), 0, 4, UINT32_MAX, TDAT_E_LIMIT, "limit page_len", true},
	{AT(cpu_count), 0, 4, UINT32_MAX, TDAT_E_DAMAGED, "lists 4294967295 CPUs", true},
	{AT(cpu_count), 0, 4, 0x0ccccccd, TDAT_E_DAMAGED, "lists 214748365 CPUs", true},
	{AT(cpu_count), 0, 4, 3, TDAT_E_DAMAGED, "lists 3 CPUs, but has 40 bytes", true},
	{AT(cpu_count), 0, 4, 1, TDAT_E_DAMAGED, "lists 1 CPUs, but has 40 bytes", true},
	{AT(cpus), CPU_LEN, 4, 0, TDAT_E_DAMAGED, "lists CPU 0 twice", true},
	{AT(cpus), CPU_LEN, 4, UINT32_MAX, TDAT_E_LIMIT, "lists CPU 4294967295, but limit cpus",
	 true},
	{AT(cpus), CPU_LEN + 4, 8, UINT64_MAX, TDAT_E_DAMAGED, "data of CPU 1 should be", true},
	{AT(cpus), CPU_LEN + 12, 8, UINT64_MAX, TDAT_E_DAMAGED, "data of CPU 1 should be", false},
#undef AT
};

START_TEST(wrong_numbers)
{
	size_t at;
	struct v7 f;

	make(&f, _i & 1, false);
	memcpy(&at, (char *)&f + wrong[_i / 2].at, sizeof(at));
	made_set(&f.m, at + wrong[_i / 2].more, wrong[_i / 2].len, wrong[_i / 2].value);
	made_fails(&f.m, false, wrong[_i / 2].st, wrong[_i / 2].words);
	made_finds(&f.m, wrong[_i / 2].words);
	ck_assert(f.m.ix.header_page.len);
	if (wrong[_i / 2].whole)
		is_whole(&f);
	made_fini(&f.m);
}
END_TEST

/* Sections may list more than they need: their length or their contents are wrong. */
START_TEST(more_behind)
{
	struct v7 f;

	make(&f, _i, false);
	made_set(&f.m, f.kallsyms + HEAD, 4, 20);
	made_fails(&f.m, false, TDAT_E_DAMAGED, "has 1 bytes after its last entry");
	ck_assert_uint_eq(f.m.err.off, f.kallsyms);
	made_set(&f.m, f.kallsyms + HEAD, 4, 22);
	made_fails(&f.m, false, TDAT_E_DAMAGED, "claims 22 bytes");
	made_fini(&f.m);
}
END_TEST

/* A compressed body and its two sizes. */
START_TEST(compressed_body)
{
	struct v7 f;
	size_t body;

	make(&f, _i, true);
	body = f.kallsyms + HEAD;
	made_set(&f.m, body, 4, UINT32_MAX);
	made_fails(&f.m, false, TDAT_E_DAMAGED, "kallsyms");
	made_finds(&f.m, "kallsyms");
	made_fini(&f.m);
	make(&f, _i, true);
	made_set(&f.m, body + 4, 4, UINT32_MAX);
	made_fails(&f.m, false, TDAT_E_LIMIT, "limit section_len");
	f.m.limits.section_len = UINT64_MAX;
	made_fails(&f.m, false, TDAT_E_LIMIT, "limit text_ratio");
	made_set(&f.m, body + 4, 4, 24);
	made_fails(&f.m, false, TDAT_E_DAMAGED, "kallsyms at offset");
	made_set(&f.m, body + 4, 4, 26);
	made_fails(&f.m, false, TDAT_E_DAMAGED, "kallsyms at offset");
	made_set(&f.m, body + 4, 4, 25);
	made_opens(&f.m, false);
	f.m.b.ptr[body + 8] ^= 0xff;
	made_fails(&f.m, false, TDAT_E_DAMAGED, "kallsyms at offset");
	ck_assert_uint_eq(f.m.err.off, f.kallsyms);
	made_fini(&f.m);

	make(&f, _i, false); /* the mark alone */
	made_set(&f.m, f.kallsyms + HEAD, 4, 8);
	made_set(&f.m, f.kallsyms + 2, 2, 1);
	made_fails(&f.m, false, TDAT_E_DAMAGED, "but the file has no compression");
	made_fini(&f.m);

	made_init(&f.m, 7, _i, "lzo");
	tdat_build_u64(&f.m.b, 0);
	made_fails(&f.m, true, TDAT_E_UNSUPPORTED, "compression \"lzo\" is not supported");
	made_fini(&f.m);
}
END_TEST

static const struct {
	size_t at;
	uint32_t has;
	const char *name;
} limits[] = {
#define AT(field) offsetof(struct tdat_limits, field)
	{AT(sections), 6, "limit sections"},
	{AT(options), 6, "limit options"},
	{AT(option_len), 8 + 1 + 5 + 8 + CPUS *CPU_LEN, "limit option_len"},
	{AT(cpus), CPUS, "limit cpus"},
	{AT(page_len), MADE_PAGE, "limit page_len"},
#undef AT
};

START_TEST(limits_hold)
{
	uint32_t n = limits[_i].has;
	struct v7 f;

	make(&f, false, false);
	memcpy((char *)&f.m.limits + limits[_i].at, &n, sizeof(n));
	made_opens(&f.m, false);
	n--;
	memcpy((char *)&f.m.limits + limits[_i].at, &n, sizeof(n));
	made_fails(&f.m, false, TDAT_E_LIMIT, limits[_i].name);
	made_finds(&f.m, limits[_i].name);
	made_fini(&f.m);
}
END_TEST

/* A chain that comes back to itself ends there, with what it gave. */
START_TEST(chain)
{
	struct v7 f;
	size_t second;

	make(&f, _i, false);
	made_set(&f.m, f.end + 6, 8, f.options);
	made_fails(&f.m, false, TDAT_E_DAMAGED, "loops back to offset");
	made_finds(&f.m, "loops back to offset");
	is_whole(&f);
	ck_assert_uint_eq(f.m.ix.option_count, 6);

	second = begin(&f, TDAT_OPTION_DONE, 0, UINT32_MAX);
	put_option(&f, TDAT_OPTION_CPUCOUNT, 4);
	tdat_build_u32(&f.m.b, 7);
	put_place(&f, TDAT_OPTION_DONE, 0);
	finish(&f, second);
	made_set(&f.m, f.end + 6, 8, second);
	made_opens(&f.m, false);
	ck_assert_uint_eq(f.m.ix.option_count, 8);
	ck_assert_uint_eq(f.m.ix.option_section_count, 2);
	ck_assert_uint_eq(f.m.ix.cpu_count, 7);
	made_set(&f.m, second + HEAD + 6, 4, UINT32_MAX);
	made_fails(&f.m, false, TDAT_E_LIMIT, "CPUCOUNT claims 4294967295 CPUs");
	made_set(&f.m, second + HEAD + 6, 4, 7);
	made_set(&f.m, second + HEAD + 10 + 6, 8, f.options); /* to the first */
	made_fails(&f.m, false, TDAT_E_DAMAGED, "loops back to offset");
	made_finds(&f.m, "loops back to offset");
	is_whole(&f);
	/* Not told of by any option, the second has lost its place. */
	made_set(&f.m, second + HEAD + 10 + 6, 8, 0);
	made_set(&f.m, f.end + 6, 8, 0);
	made_fails(&f.m, false, TDAT_E_DAMAGED, "no option refers to section");
	ck_assert_uint_eq(f.m.err.off, second);
	made_opens(&f.m, true);
	ck_assert_uint_eq(f.m.ix.cpu_count, 7);
	made_fini(&f.m);
}
END_TEST

/* Of several options of one part the last counts; of several top buffers it is the first. */
START_TEST(last_wins)
{
	struct v7 f;
	size_t second, options;

	make(&f, _i, false);
	second = begin(&f, TDAT_OPTION_KALLSYMS, 0, UINT32_MAX);
	made_text(&f.m, 4, "second");
	finish(&f, second);
	options = begin(&f, TDAT_OPTION_DONE, 0, UINT32_MAX);
	put_place(&f, TDAT_OPTION_KALLSYMS, second);
	put_option(&f, TDAT_OPTION_BUFFER, 8 + 1 + 1 + 4 + 4);
	tdat_build_u64(&f.m.b, f.buffer);
	tdat_build_bytes(&f.m.b, "\0", 2);
	tdat_build_u32(&f.m.b, 2 * MADE_PAGE);
	tdat_build_u32(&f.m.b, 0);
	put_place(&f, TDAT_OPTION_DONE, 0);
	finish(&f, options);
	made_set(&f.m, f.end + 6, 8, options);
	made_open(&f.m, f.m.b.len, true);
	ck_assert_uint_eq(f.m.ix.kallsyms.len, 6);
	ck_assert_uint_eq(f.m.ix.buffer_count, 2);
	ck_assert_uint_eq(f.m.ix.buffers[0].page_size, 2 * MADE_PAGE);
	ck_assert_uint_eq(f.m.ix.buffers[1].page_size, MADE_PAGE);
	ck_assert_uint_eq(f.m.ix.buffers[1].cpu_count, CPUS);
	made_fini(&f.m);
}
END_TEST

/* trace-cmd can write the last option and BUFFER in its machine's order. */
START_TEST(mixed_order)
{
	struct v7 f;
	size_t i;

	make(&f, _i, false);
	made_set(&f.m, f.end + 2, 4, __builtin_bswap32(8));
	f.m.b.big = !f.m.b.big;
	made_set(&f.m, f.buffer_option, 8, f.buffer);
	made_set(&f.m, f.page_size, 4, MADE_PAGE);
	made_set(&f.m, f.cpu_count, 4, CPUS);
	for (i = 0; i < CPUS; i++) {
		uint8_t *cpu = f.m.b.ptr + f.cpus + i * CPU_LEN;
		uint64_t off = tdat_load64(cpu + 4, !f.m.b.big);

		made_set(&f.m, f.cpus + i * CPU_LEN, 4, i);
		made_set(&f.m, f.cpus + i * CPU_LEN + 4, 8, off);
		made_set(&f.m, f.cpus + i * CPU_LEN + 12, 8, MADE_PAGE);
	}
	made_opens(&f.m, false);
	ck_assert(f.m.ix.mixed_order);
	is_whole(&f);
	made_fini(&f.m);
}
END_TEST

START_TEST(names)
{
	struct v7 f;

	make(&f, _i, false);
	made_set(&f.m, f.kallsyms + 4, 4, 21); /* the NUL at the end */
	made_opens(&f.m, false);
	ck_assert_str_eq(f.m.ix.sections[2].description, "");
	made_set(&f.m, f.kallsyms + 4, 4, 22); /* behind it */
	made_opens(&f.m, false);
	ck_assert_str_eq(f.m.ix.sections[2].description, "");
	made_set(&f.m, f.kallsyms + 4, 4, UINT32_MAX - 1);
	made_opens(&f.m, false);
	ck_assert(!f.m.ix.strings_lost);
	f.m.b.ptr[f.m.b.len - 1] = 'x'; /* the last has no NUL */
	made_opens(&f.m, false);
	ck_assert_str_eq(f.m.ix.sections[4].description, "optionsx");
	f.m.b.len = f.strings;
	made_opens(&f.m, false);
	ck_assert(f.m.ix.strings_lost);
	made_fini(&f.m);
}
END_TEST

#define COUNT(v) (sizeof(v) / sizeof((v)[0]))

int main(void)
{
	Suite *s = suite_create("v7");
	TCase *t = tcase_create("v7");

	tcase_add_loop_test(t, whole, 0, 4);
	tcase_add_loop_test(t, every_cut, 0, 4);
	tcase_add_loop_test(t, wrong_numbers, 0, 2 * COUNT(wrong));
	tcase_add_loop_test(t, more_behind, 0, 2);
	tcase_add_loop_test(t, compressed_body, 0, 2);
	tcase_add_loop_test(t, limits_hold, 0, COUNT(limits));
	tcase_add_loop_test(t, chain, 0, 2);
	tcase_add_loop_test(t, last_wins, 0, 2);
	tcase_add_loop_test(t, mixed_order, 0, 2);
	tcase_add_loop_test(t, names, 0, 2);
	suite_add_tcase(s, t);
	return run_suite(s);
}
