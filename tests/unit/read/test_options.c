/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Options of every id, in both versions and byte orders, taken apart; and each one
 * cut at every byte, which must be told and never read past.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "../common/run.h"
#include "core/build.h"
#include <tdat/tdat.h>

/* ---- payloads ---- */

static void samples(struct tdat_build *b, uint32_t count, int64_t first)
{
	tdat_build_u32(b, count);
	for (uint32_t i = 0; i < count; i++)
		tdat_build_u64(b, 1000 * (i + 1));
	for (uint32_t i = 0; i < count; i++)
		tdat_build_u64(b, (uint64_t)(first - i));
	for (uint32_t i = 0; i < count; i++)
		tdat_build_u64(b, 1u << i);
}

static void time_shift_old(struct tdat_build *b)
{
	tdat_build_u64(b, 0x1122334455667788);
	tdat_build_u32(b, 1);
	tdat_build_u32(b, 2);
	samples(b, 2, -5);
	samples(b, 0, 0);
}

static void time_shift(struct tdat_build *b)
{
	time_shift_old(b);
	tdat_build_u64(b, 32);
	tdat_build_u64(b, 31);
}

/* Fractions of the first CPU's two samples; of a single one neither they nor the scaling count. */
static void fraction_64(struct tdat_build *b)
{
	time_shift_old(b);
	tdat_build_u64(b, 63);
	tdat_build_u64(b, 64);
}

static void single_samples(struct tdat_build *b, uint32_t count)
{
	tdat_build_u64(b, 1);
	tdat_build_u32(b, 0);
	tdat_build_u32(b, 1);
	tdat_build_u32(b, count);
	for (uint32_t i = 0; i < 3 * count; i++)
		tdat_build_u64(b, 0); /* times, offsets, scalings */
}

static void one_scaling_0(struct tdat_build *b)
{
	single_samples(b, 1);
}

static void two_scalings_0(struct tdat_build *b)
{
	single_samples(b, 2);
}

static void shift_63(struct tdat_build *b)
{
	tdat_build_u32(b, 1);
	tdat_build_u32(b, 63);
	tdat_build_u64(b, 0);
}

static void shift_64(struct tdat_build *b)
{
	tdat_build_u32(b, 1);
	tdat_build_u32(b, 64);
	tdat_build_u64(b, 0);
}

static void guest(struct tdat_build *b)
{
	tdat_build_cstr(b, "vm \x1b[0m");
	tdat_build_u64(b, 0xfedcba9876543210);
	tdat_build_u32(b, 2);
	tdat_build_u32(b, 0);
	tdat_build_u32(b, 1001);
	tdat_build_u32(b, 1);
	tdat_build_u32(b, (uint32_t)-1);
}

static void tsc2nsec(struct tdat_build *b)
{
	tdat_build_u32(b, 4000000000u);
	tdat_build_u32(b, 10);
	tdat_build_u64(b, 77);
}

static void trace_id(struct tdat_build *b)
{
	tdat_build_u64(b, 0xfedcba9876543210);
}

static void data(struct tdat_build *b)
{
	tdat_build_bytes(b, "\0\xffz", 3);
}

#define TEXT(id, text, expect)                                                                     \
	{                                                                                          \
		id, NULL, text, sizeof(text), expect                                               \
	}

static const struct sample {
	uint16_t id;
	void (*build)(struct tdat_build *b);
	const char *text;
	size_t len;
	const char *expect;
} all[] = {
	TEXT(TDAT_OPTION_DATE, "0x10", "text='0x10' microseconds=16 "),
	TEXT(TDAT_OPTION_OFFSET, "-1000", "text='-1000' nanoseconds=-1000 "),
	TEXT(TDAT_OPTION_CPUSTAT, "CPU: 0\nentries: 1\n", "text='CPU: 0\nentries: 1\n' "),
	TEXT(TDAT_OPTION_UNAME, "Linux a 6.1", "text='Linux a 6.1' "),
	TEXT(TDAT_OPTION_VERSION, "3.1.6 x", "text='3.1.6 x' "),
	TEXT(TDAT_OPTION_HOOK, "sched:sched_switch,prev_pid,common_pid/sched_switch,next_pid,pg",
	     "text='sched:sched_switch,prev_pid,common_pid/sched_switch,next_pid,pg' "
	     "start={system='sched' event='sched_switch' match='prev_pid' pid='common_pid' } "
	     "end={event='sched_switch' match='next_pid' flags='pg' } "),
	TEXT(TDAT_OPTION_HOOK, "nothing of that", "text='nothing of that' "),
	TEXT(TDAT_OPTION_HOOK, "a,b/", "text='a,b/' "),
	TEXT(TDAT_OPTION_PROCMAPS,
	     "4d2 2 my prog\n1000 2000 /lib/a b.so\nffffffffff600000 ffffffffff601000 [vsyscall]\n",
	     "pid=1234 name='my prog' maps=[{start=0x1000 end=0x2000 path='/lib/a b.so' } "
	     "{start=0xffffffffff600000 end=0xffffffffff601000 path='[vsyscall]' } ] "),
	TEXT(TDAT_OPTION_PROCMAPS, "4d2 3 x\n1 2 y\n", "text='4d2 3 x\n1 2 y\n' "),
	TEXT(TDAT_OPTION_PROCMAPS, "11112222333344445 0 x\n", "text='11112222333344445 0 x\n' "),
	{TDAT_OPTION_TRACEID, trace_id, NULL, 0, "trace_id=0xfedcba9876543210 "},
	{TDAT_OPTION_TIME_SHIFT, time_shift, NULL, 0,
	 "peer_trace_id=0x1122334455667788 flags=1 cpus=[{samples=[{time=1000 offset=-5 scaling=1 "
	 "fraction=32 } {time=2000 offset=-6 scaling=2 fraction=31 } ] } {samples=[] } ] "},
	{TDAT_OPTION_TIME_SHIFT, time_shift_old, NULL, 0,
	 "peer_trace_id=0x1122334455667788 flags=1 cpus=[{samples=[{time=1000 offset=-5 scaling=1 "
	 "} "
	 "{time=2000 offset=-6 scaling=2 } ] } {samples=[] } ] "},
	{TDAT_OPTION_GUEST, guest, NULL, 0,
	 "name='vm \x1b[0m' trace_id=0xfedcba9876543210 vcpus=[{cpu=0 pid=1001 } {cpu=1 pid=-1 } "
	 "] "},
	{TDAT_OPTION_TSC2NSEC, tsc2nsec, NULL, 0, "mult=4000000000 shift=10 offset=77 "},
	TEXT(TDAT_OPTION_LAST_BOOT_INFO, "boot:1000 [kernel]\n",
	     "instance='boot' text='1000 [kernel]\n' "),
	TEXT(TDAT_OPTION_LAST_BOOT_INFO, "nothing", "text='nothing' "),
	TEXT(TDAT_OPTION_SAVED_TGIDS, "1 1\n20 19\n",
	     "tgids=[{pid=1 tgid=1 } {pid=20 tgid=19 } ] "),
	TEXT(TDAT_OPTION_SAVED_TGIDS, "1 x\n", "text='1 x\n' "),
	TEXT(TDAT_OPTION_CPUCOUNT, "1 1\n20 19\n", /* the dialect of another program */
	     "tgids=[{pid=1 tgid=1 } {pid=20 tgid=19 } ] "),
	{777, data, NULL, 0, "data=00ff7a "},
};
enum { ALL = sizeof(all) / sizeof(all[0]) };

static const char clock_text[] = "local [mono] boot";

/* ---- a visitor that writes text ---- */

static void put_key(FILE *to, const char *key)
{
	if (key)
		fprintf(to, "%s=", key);
}

static void on_number(void *ctx, const char *key, uint64_t value, bool hex)
{
	put_key(ctx, key);
	fprintf(ctx, hex ? "0x%llx " : "%llu ", (unsigned long long)value);
}

static void on_signed(void *ctx, const char *key, int64_t value)
{
	put_key(ctx, key);
	fprintf(ctx, "%lld ", (long long)value);
}

static void on_text(void *ctx, const char *key, struct tdat_span s)
{
	put_key(ctx, key);
	fputc('\'', ctx);
	if (s.len)
		fwrite(s.ptr, 1, s.len, ctx);
	fputs("' ", ctx);
}

static void on_bytes(void *ctx, const char *key, struct tdat_span s)
{
	put_key(ctx, key);
	for (size_t i = 0; i < s.len; i++)
		fprintf(ctx, "%02x", s.ptr[i]);
	fputc(' ', ctx);
}

static void on_begin(void *ctx, const char *key, bool list)
{
	put_key(ctx, key);
	fputc(list ? '[' : '{', ctx);
}

static void on_end(void *ctx, bool list)
{
	fputs(list ? "] " : "} ", ctx);
}

static char *decode(const struct tdat_file *file, const struct tdat_file_option *o,
		    enum tdat_status *st, struct tdat_error *err)
{
	char *text;
	size_t len;
	FILE *to = open_memstream(&text, &len);
	const struct tdat_file_option_visitor v = {sizeof(v), to,	on_number, on_signed,
						   on_text,   on_bytes, on_begin,  on_end};

	ck_assert_ptr_nonnull(to);
	*st = tdat_file_option_decode(file, o, &v, err);
	fclose(to);
	return text;
}

/* ---- a file with options ---- */

static struct tdat_file *make_as(uint32_t version, const char *compression, bool big, uint16_t id,
				 const void *ptr, size_t len)
{
	char path[] = "/tmp/tdat-options-XXXXXX";
	struct tdat_writer_opts opts = TDAT_WRITER_OPTS_INIT;
	struct tdat_open_opts open = TDAT_OPEN_OPTS_INIT;
	struct tdat_emit_info info = TDAT_EMIT_INFO_INIT;
	struct tdat_error err = TDAT_ERROR_INIT;
	const struct tdat_emit *emit;
	struct tdat_writer *w;
	struct tdat_file *file;
	int fd = mkstemp(path);

	ck_assert_int_ge(fd, 0);
	close(fd);
	opts.version = version;
	opts.compression = compression;
	opts.force = true;
	info.big_endian = big;
	info.cpu_count = 2;
	info.clock = "mono";
	ck_assert_msg(tdat_writer_new(&w, path, &opts, &err) == TDAT_OK, "%s", err.message);
	emit = tdat_writer_emit(w);
	ck_assert_int_eq(tdat_emit_info(emit, &info, &err), TDAT_OK);
	ck_assert_msg(tdat_emit_option(emit, id, ptr, len, &err) == TDAT_OK, "%s", err.message);
	ck_assert_msg(tdat_writer_finish(w, &err) == TDAT_OK, "%s", err.message);
	tdat_writer_free(w);
	open.tolerate_damage = true;
	ck_assert_msg(tdat_file_open(&file, path, &open, &err) == TDAT_OK, "%s", err.message);
	unlink(path);
	return file;
}

static struct tdat_file *make(uint32_t version, bool big, uint16_t id, const void *ptr, size_t len)
{
	return make_as(version, "none", big, id, ptr, len);
}

static struct tdat_span payload(const struct sample *s, bool big, struct tdat_build *b)
{
	tdat_build_init(b, big);
	if (s->build)
		s->build(b);
	else
		tdat_build_bytes(b, s->text, s->len);
	ck_assert(!b->failed);
	return (struct tdat_span){b->ptr, b->len};
}

/* The writer may have one of that id, too. */
static const struct tdat_file_option *find(const struct tdat_file *file, uint16_t id, size_t len)
{
	size_t count;
	const struct tdat_file_option *o = tdat_file_options(file, &count);

	while (count && (o->id != id || o->data.len != len)) {
		o++;
		count--;
	}
	ck_assert_uint_gt(count, 0);
	return o;
}

/* The file number k of 4, of both versions and byte orders, that has the option, and where it is.
 */
static struct tdat_file *make_sample(const struct sample *s, int k,
				     const struct tdat_file_option **o)
{
	struct tdat_build b;
	const struct tdat_span p = payload(s, k & 1, &b);
	struct tdat_file *file = make(k & 2 ? 7 : 6, k & 1, s->id, p.ptr, p.len);

	*o = find(file, s->id, p.len);
	tdat_build_fini(&b);
	return file;
}

/* _i: which option; versions and byte orders within. */
START_TEST(every_option)
{
	const struct sample *s = &all[_i];

	for (int k = 0; k < 4; k++) {
		struct tdat_error err = TDAT_ERROR_INIT;
		const struct tdat_file_option *o;
		struct tdat_file *file = make_sample(s, k, &o);
		enum tdat_status st;
		char *text;

		text = decode(file, o, &st, &err);
		ck_assert_msg(st == TDAT_OK, "%s", err.message);
		ck_assert_str_eq(text, s->expect);
		free(text);
		tdat_file_close(file);
	}
}
END_TEST

static enum tdat_status count_finding(void *ctx, const struct tdat_finding *f,
				      struct tdat_error *err)
{
	unsigned *n = ctx;

	(void)err;
	*n += f->severity != TDAT_NOTE;
	return TDAT_OK;
}

static unsigned balance(const char *text, char open, char close)
{
	int n = 0;

	for (; *text; text++)
		n += *text == open ? 1 : *text == close ? -1 : 0;
	return (unsigned)n;
}

/* What no clock can be is told by opening and by decoding; its neighbours are not. */
static const struct {
	struct sample sample;
	bool absurd;
} times[] = {
	{TEXT(TDAT_OPTION_DATE, "0x10 \n", NULL), false},
	{TEXT(TDAT_OPTION_DATE, "010", NULL), false},
	{TEXT(TDAT_OPTION_DATE, "zx10", NULL), true},
	{TEXT(TDAT_OPTION_DATE, "", NULL), true},
	{TEXT(TDAT_OPTION_DATE, "0x12zz", NULL), true},
	{TEXT(TDAT_OPTION_OFFSET, "3.1.6", NULL), true},
	{TEXT(TDAT_OPTION_OFFSET, "9223372036854775807", NULL), false},
	{TEXT(TDAT_OPTION_OFFSET, "9223372036854775808", NULL), true},
	{{TDAT_OPTION_TSC2NSEC, shift_63, NULL, 0, NULL}, false},
	{{TDAT_OPTION_TSC2NSEC, shift_64, NULL, 0, NULL}, true},
	{{TDAT_OPTION_TIME_SHIFT, fraction_64, NULL, 0, NULL}, true},
	{{TDAT_OPTION_TIME_SHIFT, one_scaling_0, NULL, 0, NULL}, false},
	{{TDAT_OPTION_TIME_SHIFT, two_scalings_0, NULL, 0, NULL}, true},
};

START_TEST(absurd_times)
{
	const struct sample *s = &times[_i].sample;

	for (int k = 0; k < 4; k++) {
		struct tdat_error err = TDAT_ERROR_INIT;
		const struct tdat_file_option *o;
		struct tdat_file *file = make_sample(s, k, &o);
		enum tdat_status st;
		size_t damages;

		free(decode(file, o, &st, &err));
		ck_assert_int_eq(st, times[_i].absurd ? TDAT_E_DAMAGED : TDAT_OK);
		tdat_file_damage(file, &damages);
		ck_assert_uint_eq(damages, times[_i].absurd);
		tdat_file_close(file);
	}
}
END_TEST

/* Cut at every byte: numbers that are missing are damage, told by check, too. */
START_TEST(every_cut)
{
	const struct sample *s = &all[_i];
	struct tdat_build b;
	struct tdat_span p = payload(s, _i & 1, &b);

	for (size_t len = 0; len < p.len; len++) {
		struct tdat_error err = TDAT_ERROR_INIT;
		uint8_t *copy = malloc(len ? len : 1);
		struct tdat_file *file;
		struct tdat_file_option o;
		enum tdat_status st;
		unsigned told = 0;
		char *text;

		/* Four bytes are no list but a number of CPUs, which the writer limits. */
		if (s->id == TDAT_OPTION_CPUCOUNT && len == 4) {
			free(copy);
			continue;
		}
		ck_assert_ptr_nonnull(copy);
		memcpy(copy, p.ptr, len);
		file = make(len & 1 ? 6 : 7, _i & 1, s->id, copy, len);
		/* As a file of its own bytes, so that a sanitizer sees a byte too far. */
		o = (struct tdat_file_option){s->id, 0, {copy, len}};
		text = decode(file, &o, &st, &err);
		ck_assert_int_eq(tdat_check(file, count_finding, &told, NULL, &err), TDAT_OK);
		ck_assert_uint_eq(balance(text, '{', '}'), 0);
		if (s->build && s->id < 700) {
			/* Without the fractions TIME_SHIFT is of the old form. */
			bool old = s->build == time_shift && len == p.len - 16;

			ck_assert_msg((st == TDAT_E_DAMAGED) == !old, "%s of %zu bytes: %s",
				      tdat_file_option_name(s->id), len, text);
			ck_assert_uint_eq(told, !old);
		} else {
			ck_assert(st == TDAT_OK || s->id == TDAT_OPTION_CPUCOUNT ||
				  s->id == TDAT_OPTION_DATE || s->id == TDAT_OPTION_OFFSET);
		}
		free(text);
		free(copy);
		tdat_file_close(file);
	}
	tdat_build_fini(&b);
}
END_TEST

/* The options a writer makes of itself. */
START_TEST(own_options)
{
	static const uint16_t sections[] = {TDAT_OPTION_HEADER_INFO,   TDAT_OPTION_FTRACE_EVENTS,
					    TDAT_OPTION_EVENT_FORMATS, TDAT_OPTION_KALLSYMS,
					    TDAT_OPTION_PRINTK,	       TDAT_OPTION_CMDLINES};
	struct tdat_error err = TDAT_ERROR_INIT;
	struct tdat_file *file =
		make(7, _i, TDAT_OPTION_TRACECLOCK, clock_text, sizeof(clock_text));
	enum tdat_status st;
	char *text, want[64];
	uint64_t first;

	text = decode(file, tdat_file_option_by_id(file, TDAT_OPTION_TRACECLOCK), &st, &err);
	ck_assert_str_eq(text, "text='local [mono] boot' clock='mono' ");
	free(text);
	text = decode(file, tdat_file_option_by_id(file, TDAT_OPTION_CPUCOUNT), &st, &err);
	ck_assert_str_eq(text, "cpus=2 ");
	free(text);
	for (size_t i = 0; i < sizeof(sections) / sizeof(sections[0]); i++) {
		const struct tdat_section *list;
		size_t count, k;

		list = tdat_file_sections(file, &count);
		for (k = 0; k < count && list[k].id != sections[i]; k++)
			;
		ck_assert_uint_lt(k, count);
		snprintf(want, sizeof(want), "offset=%llu bytes=%llu ",
			 (unsigned long long)list[k].off, (unsigned long long)list[k].body_len);
		text = decode(file, tdat_file_option_by_id(file, sections[i]), &st, &err);
		ck_assert_str_eq(text, want);
		free(text);
	}
	text = decode(file, tdat_file_option_by_id(file, TDAT_OPTION_BUFFER), &st, &err);
	ck_assert_int_eq(sscanf(text, "offset=%llu name='' clock='mono' page_size=4096 cpus=[",
				(unsigned long long *)&first),
			 1);
	ck_assert_uint_eq(first, tdat_file_buffers(file, &(size_t){0})->off);
	free(text);
	text = decode(file, tdat_file_option_by_id(file, TDAT_OPTION_DONE), &st, &err);
	ck_assert_str_eq(text, "next=0 ");
	free(text);
	tdat_file_close(file);
}
END_TEST

/* ---- sections that opening does not read ---- */

static const char modules[] = "ext4 12 1 - Live 0x0\nusbcore 3 0 - Live 0x0\n";

static void put_section(struct tdat_build *b, bool packed)
{
	uint8_t room[256];
	uLongf len = sizeof(room);

	ck_assert_int_eq(compress2(room, &len, (const Bytef *)modules, sizeof(modules) - 1, 9),
			 Z_OK);
	tdat_build_u16(b, TDAT_OPTION_MODULES_FILE);
	tdat_build_u16(b, packed);
	tdat_build_u32(b, UINT32_MAX);
	tdat_build_u64(b, packed ? len + 8 : sizeof(modules) - 1);
	if (packed) {
		tdat_build_u32(b, (uint32_t)len);
		tdat_build_u32(b, sizeof(modules) - 1);
		tdat_build_bytes(b, room, len);
	} else {
		tdat_build_bytes(b, modules, sizeof(modules) - 1);
	}
}

static void put_last_options(struct tdat_build *b, uint64_t section)
{
	tdat_build_u16(b, TDAT_OPTION_DONE);
	tdat_build_u16(b, 0);
	tdat_build_u32(b, UINT32_MAX);
	tdat_build_u64(b, 14 + 14);
	tdat_build_u16(b, TDAT_OPTION_MODULES_FILE);
	tdat_build_u32(b, 8);
	tdat_build_u64(b, section);
	tdat_build_u16(b, TDAT_OPTION_DONE);
	tdat_build_u32(b, 8);
	tdat_build_u64(b, 0);
}

/* A file of the writer with a list of modules behind it. */
static void make_with_modules(struct tdat_build *b, bool big, bool packed)
{
	struct tdat_file *file =
		make_as(7, packed ? "zlib" : "none", big, TDAT_OPTION_UNAME, "x", 2);
	uint64_t end = tdat_file_info(file)->len, done = 0, section;
	const struct tdat_file_option *o;
	size_t count, i;

	o = tdat_file_options(file, &count);
	for (i = 0; i < count; i++)
		if (o[i].id == TDAT_OPTION_DONE)
			done = o[i].off;
	tdat_build_init(b, big);
	tdat_build_fill(b, 0, end);
	ck_assert(!b->failed);
	ck_assert_int_eq(tdat_source_read(tdat_file_source(file), 0, b->ptr, end, NULL), TDAT_OK);
	section = b->len;
	put_section(b, packed);
	tdat_store64(b->ptr + done, b->len, big);
	put_last_options(b, section);
	ck_assert(!b->failed);
	tdat_file_close(file);
}

/* _i: bit 0 byte order, bit 1 compressed. */
START_TEST(modules_section)
{
	const struct tdat_section *s;
	struct tdat_error err = TDAT_ERROR_INIT;
	struct tdat_file *file;
	struct tdat_build b;
	enum tdat_status st;
	unsigned told = 0;
	char *text, want[64];
	uint8_t *body;
	size_t count, len, i;

	make_with_modules(&b, _i & 1, _i & 2);
	ck_assert_msg(tdat_file_open_memory(&file, b.ptr, b.len, "modules", NULL, &err) == TDAT_OK,
		      "%s", err.message);
	s = tdat_file_sections(file, &count);
	for (i = 0; i < count && s[i].id != TDAT_OPTION_MODULES_FILE; i++)
		;
	ck_assert_uint_lt(i, count);
	snprintf(want, sizeof(want), "offset=%llu bytes=%llu ", (unsigned long long)s[i].off,
		 (unsigned long long)s[i].body_len);
	text = decode(file, tdat_file_option_by_id(file, TDAT_OPTION_MODULES_FILE), &st, &err);
	ck_assert_str_eq(text, want);
	free(text);
	ck_assert_int_eq(tdat_file_section_read(file, &s[i], &body, &len, &err), TDAT_OK);
	ck_assert_uint_eq(len, sizeof(modules) - 1);
	ck_assert_str_eq((char *)body, modules);
	free(body);
	ck_assert_int_eq(tdat_check(file, count_finding, &told, NULL, &err), TDAT_OK);
	ck_assert_uint_eq(told, 0);
	tdat_file_close(file);
	if (_i & 2) { /* broken, check finds out */
		memset(b.ptr + b.len - 16 - 28 - 20, 0x55, 12);
		ck_assert_int_eq(tdat_file_open_memory(&file, b.ptr, b.len, "modules", NULL, &err),
				 TDAT_OK);
		ck_assert_int_eq(tdat_check(file, count_finding, &told, NULL, &err), TDAT_OK);
		ck_assert_uint_eq(told, 1);
		tdat_file_close(file);
	}
	tdat_build_fini(&b);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("options");
	TCase *t = tcase_create("options");

	tcase_add_loop_test(t, every_option, 0, ALL);
	tcase_add_loop_test(t, every_cut, 0, ALL);
	tcase_add_loop_test(t, absurd_times, 0, (int)(sizeof(times) / sizeof(times[0])));
	tcase_add_loop_test(t, own_options, 0, 2);
	tcase_add_loop_test(t, modules_section, 0, 4);
	suite_add_tcase(s, t);
	return run_suite(s);
}
