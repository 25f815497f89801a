/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The index of version 6: all parts in both byte orders, and each number in them wrong. */
#include <stdlib.h>

#include "../common/made.h"
#include "../common/run.h"

enum { CPUS = 2, BUFFERS = 2 };

/* Where the parts of a file are. */
struct v6 {
	struct made m;
	size_t header_page, ftrace, format, systems, system, event_count;
	size_t kallsyms, printk, cmdlines, cpus, options, instance, count_option, clock_option;
	size_t tag, table, clock, instance_tag, instance_table, data;
};

static void put_option(struct v6 *f, uint16_t id, const void *p, uint32_t len)
{
	tdat_build_u16(&f->m.b, id);
	tdat_build_u32(&f->m.b, len);
	tdat_build_bytes(&f->m.b, p, len);
}

static void put_metadata(struct v6 *f)
{
	struct tdat_build *b = &f->m.b;
	char text[512];

	f->header_page = b->len + 12;
	made_headers(&f->m);
	f->ftrace = b->len;
	tdat_build_u32(b, 2);
	f->format = made_text(&f->m, 8, made_format(text, sizeof(text), "function", 1));
	made_text(&f->m, 8, made_format(text, sizeof(text), "kernel_stack", 4));
	f->systems = b->len;
	tdat_build_u32(b, 2);
	f->system = b->len;
	tdat_build_cstr(b, "sched");
	f->event_count = b->len;
	tdat_build_u32(b, 1);
	made_text(&f->m, 8, made_format(text, sizeof(text), "sched_switch", 300));
	tdat_build_cstr(b, "empty");
	tdat_build_u32(b, 0);
	f->kallsyms = made_text(&f->m, 4, "0000000000001000 t a\n");
	f->printk = made_text(&f->m, 4, "0x10 : \"x\"\n");
	f->cmdlines = made_text(&f->m, 8, "7 seven\n");
	f->cpus = b->len;
	tdat_build_u32(b, CPUS);
}

static void put_options(struct v6 *f)
{
	struct tdat_build *b = &f->m.b;

	f->options = b->len;
	tdat_build_bytes(b, "options  ", 10);
	f->instance = b->len + 6; /* set when it is known */
	put_option(f, TDAT_OPTION_BUFFER, "\0\0\0\0\0\0\0\0extra", 14);
	f->clock_option = b->len;
	put_option(f, TDAT_OPTION_TRACECLOCK, "", 0);
	put_option(f, 999, "abc", 3); /* unknown: kept */
	put_option(f, TDAT_OPTION_SAVED_TGIDS, "7 7\n", 5);
	f->count_option = b->len + 6;
	put_option(f, TDAT_OPTION_CPUCOUNT, "\0\0\0\0", 4);
	made_set(&f->m, f->count_option, 4, CPUS);
	tdat_build_u16(b, TDAT_OPTION_DONE);
}

/* A table with its clock; where it starts. The places in it come later. */
static size_t put_table(struct v6 *f, size_t *clock, const char *name)
{
	size_t at = f->m.b.len;

	tdat_build_fill(&f->m.b, 0, 16 * CPUS);
	*clock = made_text(&f->m, 8, name);
	return at;
}

static void put_pages(struct v6 *f, size_t table, uint64_t ts)
{
	for (unsigned i = 0; i < CPUS; i++) {
		made_set(&f->m, table + 16 * i, 8, made_page(&f->m, ts, 300, 7, i));
		made_set(&f->m, table + 16 * i + 8, 8, MADE_PAGE);
	}
}

static void make(struct v6 *f, bool big)
{
	struct tdat_build *b = &f->m.b;
	size_t clock;

	made_init(&f->m, 6, big, NULL);
	put_metadata(f);
	put_options(f);
	f->tag = b->len;
	tdat_build_bytes(b, "flyrecord", 10);
	f->table = put_table(f, &f->clock, "local [mono] global\n");
	put_pages(f, f->table, 1000);
	f->data = f->m.b.len - CPUS * MADE_PAGE;
	f->instance_tag = b->len;
	made_set(&f->m, f->instance, 8, b->len);
	tdat_build_bytes(b, "flyrecord", 10);
	f->instance_table = put_table(f, &clock, "[local]");
	put_pages(f, f->instance_table, 2000);
	ck_assert(!b->failed);
}

static void span_is(struct tdat_span s, const char *text)
{
	ck_assert_uint_eq(s.len, strlen(text));
	ck_assert_mem_eq(s.ptr, text, s.len);
}

/* What a sound file has, also when only other parts of it are broken. */
static void buffers_are_named(const struct v6 *f, const char *instance)
{
	const struct tdat_buffer *b = f->m.ix.buffers;

	ck_assert_uint_eq(f->m.ix.buffer_count, BUFFERS);
	ck_assert_str_eq(b[0].name, "");
	ck_assert_str_eq(b[1].name, instance);
	ck_assert_uint_eq(b[0].off, f->tag);
	ck_assert_uint_eq(b[1].off, f->instance_tag);
	for (unsigned k = 0; k < BUFFERS; k++) {
		ck_assert_uint_eq(b[k].cpu_count, CPUS);
		for (unsigned i = 0; i < CPUS; i++) {
			uint64_t base = k ? f->m.b.len - CPUS * MADE_PAGE : f->data;

			ck_assert_uint_eq(b[k].cpus[i].cpu, i);
			ck_assert_uint_eq(b[k].cpus[i].len, MADE_PAGE);
			ck_assert_uint_eq(b[k].cpus[i].off, base + i * MADE_PAGE);
		}
	}
}

static void buffers_are_there(const struct v6 *f)
{
	buffers_are_named(f, "extra");
}

START_TEST(whole)
{
	static const uint16_t sections[] = {16, 17, 18, 19, 20, 21, 0};
	struct dat_index *ix;
	struct v6 f;

	make(&f, _i);
	made_opens(&f.m, false);
	ix = &f.m.ix;
	ck_assert_uint_eq(ix->version, 6);
	ck_assert_int_eq(ix->big, _i);
	ck_assert_uint_eq(ix->long_size, 8);
	ck_assert_uint_eq(ix->kernel_long_size, 8);
	ck_assert_uint_eq(ix->page_size, MADE_PAGE);
	ck_assert_uint_eq(ix->header_data_off, 16);
	ck_assert(!ix->old_ring_buffer);
	ck_assert_uint_eq(ix->cpu_count, CPUS);
	ck_assert_uint_eq(ix->ftrace_format_count, 2);
	ck_assert_uint_eq(ix->system_count, 2);
	ck_assert_uint_eq(ix->event_format_count, 1);
	ck_assert_uint_eq(ix->format_count, 3);
	ck_assert_str_eq(ix->formats[0].system, "ftrace");
	ck_assert_str_eq(ix->formats[2].system, "sched");
	ck_assert_uint_eq(ix->formats[0].off, f.format + 8);
	ck_assert_int_eq(memcmp(ix->formats[2].text.ptr, "name: sched_switch\n", 19), 0);
	span_is(ix->header_event, "# compressed entry header\n");
	span_is(ix->kallsyms, "0000000000001000 t a\n");
	span_is(ix->printk, "0x10 : \"x\"\n");
	span_is(ix->cmdlines, "7 seven\n");
	ck_assert_uint_eq(ix->tgids.len, 5);
	ck_assert_uint_eq(ix->option_count, 5);
	ck_assert_uint_eq(ix->options[2].id, 999);
	ck_assert_mem_eq(ix->options[2].data.ptr, "abc", 3);
	ck_assert_uint_eq(ix->section_count, sizeof(sections) / sizeof(sections[0]));
	for (size_t i = 0; i < ix->section_count; i++)
		ck_assert_uint_eq(ix->sections[i].id, sections[i]);
	ck_assert_uint_eq(ix->sections[3].off, f.kallsyms);
	ck_assert_uint_eq(ix->sections[3].body_len, 4 + 21);
	buffers_are_there(&f);
	ck_assert_str_eq(ix->buffers[0].clock, "mono");
	ck_assert_str_eq(ix->buffers[1].clock, "local");
	made_fini(&f.m);
}
END_TEST

/* Cut anywhere it is told; what is opened with damage lies within the file. */
START_TEST(every_cut)
{
	struct v6 f;

	make(&f, _i);
	for (size_t len = 0; len < f.m.b.len; len++) {
		const struct dat_index *ix = &f.m.ix;
		enum tdat_status st = made_open(&f.m, len, false);

		ck_assert_msg(st == (len < 10 ? TDAT_E_FORMAT : TDAT_E_DAMAGED), "%zu bytes: %d %s",
			      len, st, f.m.err.message);
		ck_assert(f.m.err.off <= f.m.b.len && *f.m.err.message);
		st = made_open(&f.m, len, true);
		if (len < f.ftrace) {
			/* Without formats and data there may be nothing to read. */
			ck_assert(st == TDAT_OK || *f.m.err.message);
			continue;
		}
		if (len >= f.systems) {
			ck_assert_msg(st == TDAT_OK, "%zu bytes: %s", len, f.m.err.message);
			ck_assert_uint_eq(ix->ftrace_format_count, 2);
		}
		if (st != TDAT_OK)
			continue;
		ck_assert_uint_gt(ix->damage_count, 0);
		for (size_t k = 0; k < ix->buffer_count; k++)
			for (uint32_t i = 0; i < ix->buffers[k].cpu_count; i++)
				ck_assert(!ix->buffers[k].cpus[i].len ||
					  ix->buffers[k].cpus[i].off + ix->buffers[k].cpus[i].len <=
						  len);
		/* The top buffer is whole when all of it is there. */
		if (len >= f.data + CPUS * MADE_PAGE) {
			ck_assert_uint_ge(ix->buffer_count, 1);
			ck_assert_uint_eq(ix->buffers[0].cpus[1].len, MADE_PAGE);
		}
	}
	made_fini(&f.m);
}
END_TEST

/* A number that cannot be: refused; with tolerance all that lies behind is found. */
static const struct {
	size_t at; /* offset in struct v6 of the number's */
	unsigned len;
	uint64_t value;
	enum tdat_status st;
	const char *words;
} wrong[] = {
#define AT(field) offsetof(struct v6, field)
	{AT(header_page), 8, UINT64_MAX, TDAT_E_DAMAGED, "header_page is truncated"},
	{AT(header_page), 8, 1 << 20, TDAT_E_DAMAGED, "header_page is truncated"},
	{AT(ftrace), 4, UINT32_MAX, TDAT_E_DAMAGED, "event format"},
	{AT(ftrace), 4, 4, TDAT_E_DAMAGED, "event format"},
	{AT(format), 8, UINT64_MAX, TDAT_E_DAMAGED, "event format is truncated"},
	{AT(format), 8, UINT64_MAX - 300, TDAT_E_DAMAGED, "event format is truncated"},
	{AT(format), 8, 1ull << 63, TDAT_E_DAMAGED, "event format is truncated"},
	{AT(event_count), 4, UINT32_MAX, TDAT_E_DAMAGED, "event format"},
	{AT(kallsyms), 4, UINT32_MAX, TDAT_E_DAMAGED, "kallsyms is truncated"},
	{AT(printk), 4, 0x80000000u, TDAT_E_DAMAGED, "printk is truncated"},
	{AT(cmdlines), 8, UINT64_MAX, TDAT_E_DAMAGED, "command lines is truncated"},
	{AT(cpus), 4, UINT32_MAX, TDAT_E_LIMIT, "4294967295 CPUs"},
	{AT(options), 1, 'x', TDAT_E_DAMAGED, "expected \"options\""},
	{AT(clock_option) /* and its size: it reaches far beyond */, 2, 0, TDAT_E_DAMAGED,
	 "expected \"options\""},
	{AT(count_option), 4, UINT32_MAX, TDAT_E_LIMIT, "CPUCOUNT claims 4294967295 CPUs"},
	{AT(tag), 1, 'x', TDAT_E_DAMAGED, "expected \"options\""},
#undef AT
};

START_TEST(wrong_numbers)
{
	size_t at;
	struct v6 f;

	make(&f, _i & 1);
	memcpy(&at, (char *)&f + wrong[_i / 2].at, sizeof(at));
	made_set(&f.m, at, wrong[_i / 2].len, wrong[_i / 2].value);
	made_fails(&f.m, false, wrong[_i / 2].st, wrong[_i / 2].words);
	made_opens(&f.m, true);
	ck_assert_uint_gt(f.m.ix.damage_count, 0);
	/* A tag that is gone hides its buffer from all but a look at pages. */
	if (at == f.tag)
		ck_assert_uint_gt(f.m.ix.buffer_count, 0);
	else
		buffers_are_named(&f, at == f.options ? "lost-name-1" : "extra");
	made_fini(&f.m);
}
END_TEST

/* Places of data: past the end, around the end of numbers, and at it. */
START_TEST(wrong_places)
{
	static const struct {
		uint64_t off, len;
	} places[] = {{UINT64_MAX, UINT64_MAX},
		      {UINT64_MAX - MADE_PAGE + 1, MADE_PAGE},
		      {1ull << 63, 1ull << 63},
		      {1 << 20, MADE_PAGE}};
	const struct dat_index *ix;
	struct v6 f;

	make(&f, _i & 1);
	made_set(&f.m, f.table + 16, 8, places[_i / 2].off);
	made_set(&f.m, f.table + 24, 8, places[_i / 2].len);
	made_fails(&f.m, false, TDAT_E_DAMAGED, "the data of CPU 1 should be");
	made_opens(&f.m, true);
	ix = &f.m.ix;
	ck_assert_uint_eq(ix->cut_cpu_count, 1);
	/* Its page lies where no other data does. */
	buffers_are_there(&f);
	ck_assert_uint_eq(ix->missing_len, 0);
	made_fini(&f.m);
}
END_TEST

/* Each limit: at what the file has it is opened, one below it is refused. */
static const struct {
	size_t at;
	uint32_t has;
	const char *name;
} limits[] = {
#define AT(field) offsetof(struct tdat_limits, field)
	{AT(formats), 3, "limit formats"},	     {AT(sections), 7, "limit sections"},
	{AT(options), 5, "limit options"},	     {AT(option_len), 14, "limit option_len"},
	{AT(buffers), 2, "limit buffers"},	     {AT(cpus), CPUS, "limit cpus"},
	{AT(page_len), MADE_PAGE, "limit page_len"},
#undef AT
};

START_TEST(limits_hold)
{
	uint32_t n = limits[_i].has;
	struct v6 f;

	make(&f, false);
	memcpy((char *)&f.m.limits + limits[_i].at, &n, sizeof(n));
	made_opens(&f.m, false);
	n--;
	memcpy((char *)&f.m.limits + limits[_i].at, &n, sizeof(n));
	if (strstr(limits[_i].name, "page_len"))
		made_fails(&f.m, false, TDAT_E_LIMIT, "to 63 (limit page_len)");
	else
		made_fails(&f.m, false, TDAT_E_LIMIT, limits[_i].name);
	made_finds(&f.m, limits[_i].name);
	made_fini(&f.m);
}
END_TEST

START_TEST(text_limits)
{
	char text[512];
	struct v6 f;

	make(&f, false);
	f.m.limits.format_len =
		(uint32_t)strlen(made_format(text, sizeof(text), "kernel_stack", 4));
	made_fails(&f.m, false, TDAT_E_LIMIT, "limit format_len"); /* sched_switch is longer */
	f.m.limits.format_len += 2;
	made_opens(&f.m, false);
	/* The longest section is that of the two formats of ftrace. */
	f.m.limits.section_len = f.systems - f.ftrace;
	made_opens(&f.m, false);
	f.m.limits.section_len--;
	made_fails(&f.m, false, TDAT_E_LIMIT, "limit section_len");
	made_finds(&f.m, "limit section_len");
	buffers_are_there(&f);
	made_fini(&f.m);
}
END_TEST

/* Writers give an instance's place in their own order; 3.x may name the top buffer, too. */
START_TEST(instances)
{
	struct v6 f;

	make(&f, _i);
	made_set(&f.m, f.instance, 8, __builtin_bswap64(f.instance_tag));
	made_opens(&f.m, false);
	buffers_are_there(&f);

	made_set(&f.m, f.instance, 8, f.instance_tag + 1);
	made_fails(&f.m, false, TDAT_E_DAMAGED, "buffer \"extra\" should be at offset");
	ck_assert_uint_eq(f.m.err.off, f.instance);
	made_opens(&f.m, true);
	buffers_are_there(&f);

	made_set(&f.m, f.instance, 8, UINT64_MAX);
	made_fails(&f.m, false, TDAT_E_DAMAGED, "buffer \"extra\" should be at offset");
	made_set(&f.m, f.instance, 8, f.instance_tag);
	f.m.b.ptr[f.instance + 13] = 'x'; /* its name has no NUL */
	made_fails(&f.m, false, TDAT_E_DAMAGED, "option BUFFER");
	f.m.b.ptr[f.instance + 8] = '\0';
	made_set(&f.m, f.instance, 8, f.tag);
	f.m.b.len = f.instance_tag;
	made_opens(&f.m, false);
	ck_assert_uint_eq(f.m.ix.buffer_count, 1);
	made_fini(&f.m);
}
END_TEST

/* The clock behind a table: there with its option only, and "local" where it cannot be. */
START_TEST(clocks)
{
	struct v6 f;

	make(&f, _i);
	/* The rest of the text is told of, as it belongs to nothing. */
	made_set(&f.m, f.clock, 8, 5); /* "local", no brackets */
	made_opens(&f.m, true);
	ck_assert_str_eq(f.m.ix.buffers[0].clock, "");
	made_set(&f.m, f.clock, 8, 9); /* "local [mo" */
	made_opens(&f.m, true);
	ck_assert_str_eq(f.m.ix.buffers[0].clock, "");
	made_set(&f.m, f.clock, 8, 4097);
	made_opens(&f.m, true);
	ck_assert_str_eq(f.m.ix.buffers[0].clock, "local");
	made_set(&f.m, f.clock, 8, UINT64_MAX);
	made_opens(&f.m, true);
	ck_assert_str_eq(f.m.ix.buffers[0].clock, "local");
	buffers_are_there(&f);
	made_set(&f.m, f.clock, 8, 12);
	made_set(&f.m, f.clock_option, 2, 998);
	made_opens(&f.m, true);
	ck_assert_str_eq(f.m.ix.buffers[0].clock, "");
	made_fini(&f.m);
}
END_TEST

/* Text to the end of the file instead of tables; none is as good. */
START_TEST(latency)
{
	struct v6 f;

	made_init(&f.m, 6, _i, NULL);
	put_metadata(&f);
	tdat_build_bytes(&f.m.b, "latency  ", 10);
	made_opens(&f.m, false);
	ck_assert_uint_eq(f.m.ix.latency.len, 0);
	tdat_build_str(&f.m.b, "# tracer: wakeup\n");
	made_opens(&f.m, false);
	span_is(f.m.ix.latency, "# tracer: wakeup\n");
	ck_assert_uint_eq(f.m.ix.buffer_count, 1);
	ck_assert(f.m.ix.buffers[0].latency);
	ck_assert_uint_eq(f.m.ix.buffers[0].cpu_count, 0);
	made_fini(&f.m);
}
END_TEST

/* A system's name must end. */
START_TEST(endless_name)
{
	struct v6 f;

	made_init(&f.m, 6, false, NULL);
	made_headers(&f.m);
	tdat_build_u32(&f.m.b, 0);
	tdat_build_u32(&f.m.b, 1);
	tdat_build_fill(&f.m.b, 'a', 70000);
	made_fails(&f.m, false, TDAT_E_DAMAGED, "name at offset");
	ck_assert_ptr_nonnull(strstr(f.m.err.message, "is not terminated"));
	made_fini(&f.m);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("v6");
	TCase *t = tcase_create("v6");

	tcase_add_loop_test(t, whole, 0, 2);
	tcase_add_loop_test(t, every_cut, 0, 2);
	tcase_add_loop_test(t, wrong_numbers, 0, 2 * sizeof(wrong) / sizeof(wrong[0]));
	tcase_add_loop_test(t, wrong_places, 0, 8);
	tcase_add_loop_test(t, limits_hold, 0, sizeof(limits) / sizeof(limits[0]));
	tcase_add_test(t, text_limits);
	tcase_add_loop_test(t, instances, 0, 2);
	tcase_add_loop_test(t, clocks, 0, 2);
	tcase_add_loop_test(t, latency, 0, 2);
	tcase_add_test(t, endless_name);
	suite_add_tcase(s, t);
	return run_suite(s);
}
