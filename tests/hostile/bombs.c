/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes small files that ask for as much memory and time as they can. */
#include "bombs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tdat/file.h>

#include "bomb_file.h"
#include "outcome.h"

/* ROOM: of the 1 MB for what a bomb is about. */
enum { ROOM = 900000, MIB = 1 << 20, CHUNK_PAGES = 256, ALL_CHUNKS = 21500, ALL_PAGES = 120 };

/* text with every '#' as the number i. */
static void put_numbered(struct tdat_build *b, const char *text, unsigned int i)
{
	for (; *text; text++)
		if (*text == '#')
			tdat_build_printf(b, "%u", i);
		else
			tdat_build_u8(b, (uint8_t)*text);
}

static void put_repeated(struct tdat_build *b, const char *text, unsigned int times)
{
	unsigned int i;

	for (i = 0; i < times && text; i++)
		put_numbered(b, text, i);
}

static void full_pages(struct tdat_build *b, unsigned int count, unsigned int words)
{
	while (count--)
		bomb_full_page(b, words ? words : 3);
}

/* A frame that zstd skips, so that the chunk has as many bytes as its ratio needs. */
static void lengthen(struct tdat_build *chunk, size_t len)
{
	const size_t frame = 8;

	if (chunk->failed || chunk->len + frame >= len)
		return;
	tdat_build_u32(chunk, 0x184d2a50);
	tdat_build_u32(chunk, (uint32_t)(len - chunk->len - 4));
	tdat_build_fill(chunk, 'a', len - chunk->len);
	if (!chunk->failed)
		tdat_store32(chunk->ptr, (uint32_t)(len - 8), false);
}

/* Some events, so that there is something to print; many: as several chunks. */
static void put_events(struct bomb_file *f, unsigned int pages, unsigned int words)
{
	unsigned int i, count = pages / CHUNK_PAGES ? pages / CHUNK_PAGES : 1;
	struct tdat_build all, chunk;

	if (!f->codec) {
		full_pages(&f->data, pages, words);
		return;
	}
	tdat_build_init(&all, false);
	tdat_build_init(&chunk, false);
	full_pages(&all, pages / count, words);
	bomb_chunk(&chunk, f->codec, all.ptr, all.len);
	if (count > 1)
		lengthen(&chunk, ROOM / count);
	tdat_build_u32(&f->data, count);
	for (i = 0; i < count; i++)
		tdat_build_bytes(&f->data, chunk.ptr, chunk.len);
	tdat_build_fini(&all);
	tdat_build_fini(&chunk);
}

static void finish(struct bomb_file *f, struct tdat_build *out)
{
	bomb_file_build(f, out);
	bomb_file_fini(f);
}

/* ---- data ---- */

/* n MiB of events, deflated: a chunk. */
static void deflated(struct tdat_build *chunk, const struct bomb_file *f, unsigned int n)
{
	struct tdat_build all;

	tdat_build_init(&all, false);
	tdat_build_init(chunk, false);
	full_pages(&all, n * (MIB / BOMB_PAGE), 0);
	bomb_chunk(chunk, f->codec, all.ptr, all.len);
	tdat_build_fini(&all);
}

/* As many chunks of n MiB as there is room for, of one CPU. */
static void chunks(const struct bomb *bomb, struct tdat_build *out)
{
	struct tdat_build chunk;
	struct bomb_file f;
	size_t i, count;

	bomb_file_init(&f, bomb->codec);
	deflated(&chunk, &f, bomb->n);
	count = ROOM / chunk.len ? ROOM / chunk.len : 1;
	tdat_build_u32(&f.data, (uint32_t)count);
	for (i = 0; i < count; i++)
		tdat_build_bytes(&f.data, chunk.ptr, chunk.len);
	tdat_build_fini(&chunk);
	finish(&f, out);
}

static void add_cpus(struct bomb_file *f, uint32_t count)
{
	f->cpu_count = count;
	f->cpus = calloc(count, sizeof(*f->cpus));
	if (!f->cpus)
		die("calloc");
}

/* As many CPUs with one such chunk. */
static void chunk_cpus(const struct bomb *bomb, struct tdat_build *out)
{
	struct tdat_build chunk;
	struct bomb_file f;
	uint32_t i;

	bomb_file_init(&f, bomb->codec);
	deflated(&chunk, &f, bomb->n);
	add_cpus(&f, (uint32_t)(ROOM / (chunk.len + 24)));
	for (i = 0; i < f.cpu_count; i++) {
		f.cpus[i] = (struct bomb_cpu){f.data.len, 4 + chunk.len};
		tdat_build_u32(&f.data, 1);
		tdat_build_bytes(&f.data, chunk.ptr, chunk.len);
	}
	tdat_build_fini(&chunk);
	finish(&f, out);
}

/* One chunk of as many claimed ones. */
static void claimed_chunks(const struct bomb *bomb, struct tdat_build *out)
{
	struct bomb_file f;
	unsigned int i;

	bomb_file_init(&f, bomb->codec);
	tdat_build_u32(&f.data, bomb->n);
	for (i = 0; i < ROOM / 8; i++) {
		tdat_build_u32(&f.data, 0);
		tdat_build_u32(&f.data, 64u << 20);
	}
	finish(&f, out);
}

/* Pages full of the two words of times; n bytes of them. */
static void patterns(const struct bomb *bomb, struct tdat_build *out)
{
	struct tdat_build records;
	struct bomb_file f;
	unsigned int i;

	bomb_file_init(&f, bomb->codec);
	tdat_build_init(&records, false);
	while (records.len < bomb->n) {
		tdat_build_u32(&records, bomb->times[0]);
		tdat_build_u32(&records, bomb->times[1]);
	}
	for (i = 0; i < ROOM / BOMB_PAGE; i++)
		bomb_page(&f.data, 1000 + i, records.ptr, records.len);
	tdat_build_fini(&records);
	finish(&f, out);
}

/* n CPUs, times[0] pages, which belong to each of the first times[1]; with len, to the last a hole.
 */
static void many_cpus(const struct bomb *bomb, struct tdat_build *out)
{
	struct bomb_file f;
	uint32_t i;

	bomb_file_init(&f, bomb->codec);
	full_pages(&f.data, bomb->times[0], 0);
	add_cpus(&f, bomb->n);
	for (i = 0; i < bomb->times[1]; i++)
		f.cpus[i] = (struct bomb_cpu){0, f.data.len};
	if (bomb->len)
		f.cpus[bomb->n - 1].len = bomb->len - 2 * MIB;
	finish(&f, out);
}

/* n CPUs, with a page of one event each, for which there is room if pages are small. */
static void small_pages(const struct bomb *bomb, struct tdat_build *out)
{
	static const uint32_t record[] = {1u << 5 | 3, BOMB_ID, 1, 2};
	struct bomb_file f;
	uint32_t i;

	bomb_file_init(&f, bomb->codec);
	f.page = 64;
	add_cpus(&f, bomb->n);
	for (i = 0; i < bomb->n; i++) {
		f.cpus[i] = (struct bomb_cpu){f.data.len, f.page};
		tdat_build_u64(&f.data, 1000 + i);
		tdat_build_u64(&f.data, sizeof(record));
		tdat_build_bytes(&f.data, record, sizeof(record));
		tdat_build_fill(&f.data, 0, f.page - 16 - sizeof(record));
	}
	finish(&f, out);
}

/* count events of so many words, which word fills behind the record's head and the id. */
static void put_records(struct bomb_file *f, unsigned int count, uint32_t id,
			void (*word)(unsigned int i, uint32_t record[5]), unsigned int words)
{
	uint32_t page[(BOMB_PAGE - 16) / 4];
	size_t used = 0;

	for (unsigned int i = 0; i < count; i++) {
		uint32_t record[5] = {1u << 5 | words, id};

		word(i, record);
		if ((used + words + 1) * 4 > sizeof(page)) {
			bomb_page(&f->data, 1000 + i, page, used * 4);
			used = 0;
		}
		memcpy(page + used, record, (words + 1) * 4);
		used += words + 1;
	}
	bomb_page(&f->data, 1000 + count, page, used * 4);
}

/*
 * The next pid after *pid that the multiplicative hash of earlier versions put into one
 * of a few places of any table of up to 2^16.
 */
static uint32_t colliding_pid(uint32_t *pid)
{
	do
		++*pid;
	while ((((uint64_t)*pid * 0x9e3779b97f4a7c15u) >> 32 & 0x3fff) != 0);
	return *pid;
}

/* The pids are put in later. */
static void pid_word(unsigned int i, uint32_t record[5])
{
	(void)i;
	record[2] = 0;
}

/* n tasks whose pids collide: each has an event, and a name when there are times. */
static void pids(const struct bomb *bomb, struct tdat_build *out)
{
	struct bomb_file f;
	uint32_t pid = 0;

	bomb_file_init(&f, bomb->codec);
	put_records(&f, bomb->n, BOMB_ID, pid_word, 2);
	for (unsigned int i = 0; i < bomb->n; i++) {
		const size_t page = i / ((BOMB_PAGE - 16) / 12), at = i % ((BOMB_PAGE - 16) / 12);

		colliding_pid(&pid);
		if (f.data.failed || f.cmdlines.failed)
			break;
		tdat_store32(f.data.ptr + page * BOMB_PAGE + 16 + at * 12 + 8, pid, false);
		if (bomb->times[0])
			tdat_build_printf(&f.cmdlines, "%u a\n", pid);
	}
	finish(&f, out);
}

/* Function i is called by function i - 1: a stack as deep as there are events. */
static void call_word(unsigned int i, uint32_t record[5])
{
	record[2] = 1;
	record[3] = 0x1000 + (i + 1) * 16;
	record[4] = 0x1000 + i * 16;
}

static void deep_stack(const struct bomb *bomb, struct tdat_build *out)
{
	static const char fields_text[] =
		"\tfield:unsigned int ip;\toffset:8;\tsize:4;\tsigned:0;\n"
		"\tfield:unsigned int parent_ip;\toffset:12;\tsize:4;"
		"\tsigned:0;\n";
	static const char print[] = "\" %ps <-- %ps\", (void *)REC->ip, (void *)REC->parent_ip";
	struct bomb_file f;

	bomb_file_init(&f, bomb->codec);
	tdat_build_u32(&f.systems, 1);
	bomb_system(&f.systems, "ftrace", 1);
	bomb_format(&f.systems, "function", BOMB_ID, fields_text, print, strlen(print));
	for (unsigned int i = 0; i <= bomb->n; i++)
		tdat_build_printf(&f.kallsyms, "%x t f%x\n", 0x1000 + i * 16, i);
	put_records(&f, bomb->n, BOMB_ID, call_word, 4);
	finish(&f, out);
}

/* ---- metadata ---- */

/* text[0] is which, of text[1] times[0] times. */
static void texts(const struct bomb *bomb, struct tdat_build *out)
{
	struct bomb_file f;
	struct tdat_build *b;

	bomb_file_init(&f, bomb->codec);
	b = *bomb->text[0] == 'k' ? &f.kallsyms : *bomb->text[0] == 'p' ? &f.printk : &f.cmdlines;
	put_repeated(b, bomb->text[1], bomb->times[0]);
	put_events(&f, 1, 0);
	finish(&f, out);
}

static const char print_a[] = "\"a=%d\", REC->a";

/* n formats in times[0] systems; text[0]: all with the same id. */
static void formats(const struct bomb *bomb, struct tdat_build *out)
{
	unsigned int i, k, each = bomb->n / bomb->times[0];
	struct bomb_file f;
	char name[32];

	bomb_file_init(&f, bomb->codec);
	tdat_build_u32(&f.systems, bomb->times[0]);
	for (i = 0; i < bomb->times[0]; i++) {
		snprintf(name, sizeof(name), "%x", i);
		bomb_system(&f.systems, name, each);
		for (k = 0; k < each; k++)
			bomb_format(&f.systems, "e",
				    BOMB_ID + (bomb->text[0] ? 0 : (i + k) % 65000), NULL, print_a,
				    sizeof(print_a) - 1);
	}
	put_events(&f, 20, 0);
	finish(&f, out);
}

/* n formats of one byte. */
static void short_formats(const struct bomb *bomb, struct tdat_build *out)
{
	struct bomb_file f;
	unsigned int i;

	bomb_file_init(&f, bomb->codec);
	tdat_build_u32(&f.systems, 1);
	bomb_system(&f.systems, "s", bomb->n);
	for (i = 0; i < bomb->n; i++) {
		tdat_build_u64(&f.systems, 1);
		tdat_build_u8(&f.systems, 0);
	}
	put_events(&f, 1, 0);
	finish(&f, out);
}

/* n options of the id times[0] and times[1] bytes. */
static void options(const struct bomb *bomb, struct tdat_build *out)
{
	struct bomb_file f;
	unsigned int i;

	bomb_file_init(&f, bomb->codec);
	f.squeezed_options = true;
	for (i = 0; i < bomb->n; i++) {
		tdat_build_u16(&f.options, (uint16_t)bomb->times[0]);
		tdat_build_u32(&f.options, bomb->times[1]);
		tdat_build_fill(&f.options, 'a', bomb->times[1]);
	}
	put_events(&f, 1, 0);
	finish(&f, out);
}

/* n sections of unknown ids, with times[0] MiB each. */
static void sections(const struct bomb *bomb, struct tdat_build *out)
{
	struct bomb_file f;

	bomb_file_init(&f, bomb->codec);
	f.section_count = bomb->n;
	tdat_build_fill(&f.section, 'a', (size_t)bomb->times[0] * MIB);
	put_events(&f, 1, 0);
	finish(&f, out);
}

/* n instances: all the same place. */
static void instances(const struct bomb *bomb, struct tdat_build *out)
{
	struct bomb_file f;
	unsigned int i;

	bomb_file_init(&f, bomb->codec);
	f.squeezed_options = true;
	for (i = 0; i < bomb->n; i++) {
		tdat_build_u16(&f.options, TDAT_OPTION_BUFFER);
		tdat_build_u32(&f.options, 8 + 2 + 1 + 8 + 20 * bomb->times[0]);
		tdat_build_u64(&f.options, 100);
		tdat_build_cstr(&f.options, "a");
		tdat_build_cstr(&f.options, "");
		tdat_build_u32(&f.options, BOMB_PAGE);
		tdat_build_u32(&f.options, bomb->times[0]);
		tdat_build_fill(&f.options, 0, 20ul * bomb->times[0]);
	}
	put_events(&f, 1, 0);
	finish(&f, out);
}

/* All there is: one event. */
static void put_system(struct bomb_file *f, const char *system, const char *event,
		       const char *fields, const void *print, size_t print_len)
{
	tdat_build_u32(&f->systems, 1);
	bomb_system(&f->systems, system, 1);
	bomb_format(&f->systems, event, BOMB_ID, fields, print, print_len);
}

/* n instances with short names, and one with times[0] bytes of name. */
static void long_instance(const struct bomb *bomb, struct tdat_build *out)
{
	struct tdat_build name;
	struct bomb_file f;
	unsigned int i;

	bomb_file_init(&f, bomb->codec);
	f.squeezed_options = true;
	tdat_build_init(&name, false);
	for (i = 0; i <= bomb->n; i++) {
		name.len = 0;
		tdat_build_fill(&name, 'a', i ? 1 : bomb->times[0]);
		tdat_build_u8(&name, 0);
		tdat_build_u16(&f.options, TDAT_OPTION_BUFFER);
		tdat_build_u32(&f.options, 8 + (uint32_t)name.len + 1 + 8);
		tdat_build_u64(&f.options, 100);
		tdat_build_bytes(&f.options, name.ptr, name.len);
		tdat_build_cstr(&f.options, "");
		tdat_build_u32(&f.options, BOMB_PAGE);
		tdat_build_u32(&f.options, 0);
	}
	tdat_build_fini(&name);
	put_events(&f, ALL_CHUNKS, 2);
	finish(&f, out);
}

/* An event text[0], its system text[1], its field text[2]: "" is a name of times[0] bytes. */
static void long_name(const struct bomb *bomb, struct tdat_build *out)
{
	struct tdat_build longest, field;
	const char *names[3];
	struct bomb_file f;
	unsigned int i;

	bomb_file_init(&f, bomb->codec);
	tdat_build_init(&longest, false);
	tdat_build_init(&field, false);
	put_repeated(&longest, "x", bomb->times[0]);
	tdat_build_u8(&longest, 0);
	for (i = 0; i < 3; i++)
		names[i] = *bomb->text[i] ? bomb->text[i] : (const char *)longest.ptr;
	tdat_build_printf(&field, "\tfield:u8 %s;\toffset:8;\tsize:1;\tsigned:0;\n", names[2]);
	tdat_build_u8(&field, 0);
	put_system(&f, names[1], names[0], (const char *)field.ptr, "\"\"", 2);
	tdat_build_fini(&longest);
	tdat_build_fini(&field);
	put_events(&f, bomb->n, bomb->words);
	finish(&f, out);
}

/* ---- print formats ---- */

/*
 * text[0]: all lines, with times[0] text[1] and text[2], of the names of functions ("k"),
 * strings of trace_printk ("p") or tasks ("c"); text[3] and text[4] are the event's fields
 * and print fmt, and that of trace_printk is ftrace/bprint.
 */
static void long_line(const struct bomb *bomb, struct tdat_build *out)
{
	const bool bprint = *bomb->text[0] == 'p';
	struct tdat_build *to;
	struct bomb_file f;

	bomb_file_init(&f, bomb->codec);
	to = bprint ? &f.printk : *bomb->text[0] == 'k' ? &f.kallsyms : &f.cmdlines;
	tdat_build_str(to, bomb->text[0] + 1);
	put_repeated(to, bomb->text[1], bomb->times[0]);
	tdat_build_str(to, bomb->text[2]);
	put_system(&f, bprint || bomb->words > 3 ? "ftrace" : "s",
		   bprint	     ? "bprint"
		   : bomb->words > 3 ? "kernel_stack"
				     : "e",
		   bomb->text[3], bomb->text[4], strlen(bomb->text[4]));
	put_events(&f, bomb->n, bomb->words);
	finish(&f, out);
}

/* text[0], times[0] text[1], text[2], times[1] text[3], text[4] as print fmt; n pages of events. */
static void print_format(const struct bomb *bomb, struct tdat_build *out)
{
	struct tdat_build print;
	struct bomb_file f;

	bomb_file_init(&f, bomb->codec);
	tdat_build_init(&print, false);
	put_repeated(&print, bomb->text[0], 1);
	put_repeated(&print, bomb->text[1], bomb->times[0]);
	put_repeated(&print, bomb->text[2], 1);
	put_repeated(&print, bomb->text[3], bomb->times[1]);
	put_repeated(&print, bomb->text[4], 1);
	put_system(&f, "s", "e", NULL, print.ptr, print.len);
	tdat_build_fini(&print);
	put_events(&f, bomb->n ? bomb->n : 20, bomb->words);
	finish(&f, out);
}

/* times[0] fields text[1], and a print fmt of times[1] text[3] and as many text[4]. */
static void fields(const struct bomb *bomb, struct tdat_build *out)
{
	struct tdat_build all, print;
	struct bomb_file f;

	bomb_file_init(&f, bomb->codec);
	tdat_build_init(&all, false);
	tdat_build_init(&print, false);
	put_repeated(&all, bomb->text[1], bomb->times[0]);
	tdat_build_u8(&all, 0);
	tdat_build_str(&print, "\"");
	put_repeated(&print, bomb->text[3], bomb->times[1]);
	tdat_build_str(&print, "\"");
	put_repeated(&print, bomb->text[4], bomb->times[1]);
	put_system(&f, "s", "e", (const char *)all.ptr, print.ptr, print.len);
	tdat_build_fini(&all);
	tdat_build_fini(&print);
	put_events(&f, bomb->n ? bomb->n : 20, bomb->words);
	finish(&f, out);
}

/* ---- all of them ---- */

/* clang-format off */
#define BOTH(name, ...) {name "-zstd", "zstd", __VA_ARGS__}, {name "-zlib", "zlib", __VA_ARGS__}
#define TEN(x) x x x x x x x x x x
#define FIVE_HUNDRED(x) TEN(TEN(x x x x x))
#define OF_ALL(name, ...) {"print-" name "-of-all", NULL, print_format, .n = ALL_PAGES, .words = 1, .dear = true, __VA_ARGS__}
#define OF_CHUNKS(name, ...) {"print-" name "-of-chunks", "zstd", print_format, .n = ALL_CHUNKS, .words = 1, .dear = true, __VA_ARGS__}
#define FIELD(name) "\tfield:u8 " name ";\toffset:8;\tsize:1;\tsigned:0;\n"
#define STACK "\tfield:int size;\toffset:8;\tsize:4;\tsigned:1;\n\tfield:unsigned long caller[];\toffset:16;\tsize:0;\tsigned:0;\n"
#define ARRAY "\tfield:u8 a[];\toffset:8;\tsize:0;\tsigned:0;\n"
#define MASKS "\tfield:cpumask_t a[];\toffset:8;\tsize:0;\tsigned:0;\n"
#define BPRINT "\tfield:unsigned long ip;\toffset:8;\tsize:8;\tsigned:0;\n\tfield:const char * fmt;\toffset:16;\tsize:8;\tsigned:0;\n\tfield:u32 buf;\toffset:24;\tsize:0;\tsigned:0;\n"
#define EACH(name, make, ...) {name "-of-all", NULL, make, .n = ALL_PAGES, .dear = true, __VA_ARGS__}, \
	{name "-of-chunks", "zstd", make, .n = ALL_CHUNKS, .dear = true, __VA_ARGS__}
#define PRINT(name, ...) {"print-" name, NULL, print_format, __VA_ARGS__}

const struct bomb bomb_sound = {"sound", NULL, many_cpus, .n = 1, .times = {1, 1}};

const struct bomb bombs[] = {
	BOTH("chunks", chunks, .n = 64, .dear = true),
	{"small-chunks", "zstd", chunks, .n = 1, .dear = true},
	{"chunk-cpus", "zstd", chunk_cpus, .n = 1, .dear = true},
	{"large-chunk-cpus", "zlib", chunk_cpus, .n = 64, .dear = true},
	BOTH("claimed-chunks", claimed_chunks, .n = UINT32_MAX),
	BOTH("kallsyms", texts, .text = {"k", "0 t b\n"}, .times = {5 << 20}),
	BOTH("large-kallsyms", texts, .text = {"k", "0 t b\n"}, .times = {32 << 20}),
	{"kallsyms-all-zstd", "zstd", texts, .text = {"k", "# t b\n"}, .times = {1 << 20}},
	{"kallsyms-all-zlib", "zlib", texts, .text = {"k", "# t b\n"}, .times = {420000}},
	BOTH("cmdlines", texts, .text = {"c", "1 a\n"}, .times = {7 << 20}),
	{"cmdlines-all-zstd", "zstd", texts, .text = {"c", "# a\n"}, .times = {1 << 20}},
	{"cmdlines-all-zlib", "zlib", texts, .text = {"c", "# a\n"}, .times = {420000}},
	BOTH("printk", texts, .text = {"p", "0x0 : \"a\"\n"}, .times = {3 << 20}),
	BOTH("formats", formats, .n = 65000, .times = {1}),
	BOTH("formats-one-id", formats, .n = 65000, .text = {"same"}, .times = {1}),
	BOTH("systems", formats, .n = 60000, .times = {60000}),
	BOTH("options", options, .n = 65000, .times = {40000, 0}),
	BOTH("metadata-options", options, .n = 60000, .times = {TDAT_OPTION_KALLSYMS, 8}),
	BOTH("text-options", options, .n = 60000, .times = {TDAT_OPTION_HOOK, 200}),
	BOTH("sections", sections, .n = 20, .times = {15}),
	BOTH("large-sections", sections, .n = 3, .times = {200}),
	BOTH("instances", instances, .n = 4000, .times = {100}),
	{"records", NULL, patterns, .n = 4080, .times = {1 << 5 | 1, 1 << 5 | 1}},
	{"extends", NULL, patterns, .n = 4080, .times = {30, 0}},
	{"padding", NULL, patterns, .n = 4080, .times = {29 | 32, 4}},
	{"empty-pages", NULL, patterns, .n = 0},
	{"cpus", NULL, many_cpus, .n = 60000},
	{"cpus-at-one-page", NULL, many_cpus, .n = 60000, .times = {1, 60000}},
	{"cpus-at-all-pages", NULL, many_cpus, .n = 30000, .times = {110, 30000}},
	{"colliding-pids", NULL, pids, .n = 40000},
	{"colliding-cmdlines", NULL, pids, .n = 30000, .times = {1}},
	{"deep-stack", NULL, deep_stack, .n = 25000},
	{"small-pages", NULL, small_pages, .n = 12000},
	{"hole", NULL, many_cpus, .n = 1, .len = 2ull << 40},
	{"hole-behind-pages", NULL, many_cpus, .n = 1, .times = {200, 0}, .len = 2ull << 40},
	{"hole-of-256-cpus", NULL, many_cpus, .n = 256, .times = {200, 0}, .len = 2ull << 40},
	{"short-formats", NULL, short_formats, .n = 65000},
	{"many-short-formats", NULL, short_formats, .n = 110000},
	{"v6-one-id", NULL, formats, .n = 2000, .text = {"same"}, .times = {1}},
	{"v6-systems", NULL, formats, .n = 0, .times = {95000}},
	{"v6-kallsyms", NULL, texts, .text = {"k", "0 t b\n"}, .times = {170000}},
	{"v6-kallsyms-modules", NULL, texts, .text = {"k", "#7919 t b [m]\n"}, .times = {50000}},
	{"v6-printk", NULL, texts, .text = {"p", "0x0 : \"a\"\n"}, .times = {100000}},
	{"v6-cmdlines", NULL, texts, .text = {"c", "1 a\n"}, .times = {250000}},
	{"v6-cmdlines-all", NULL, texts, .text = {"c", "# a\n"}, .times = {110000}},
	{"v6-options", NULL, options, .n = 65000, .times = {40000, 0}},
	{"v6-many-options", NULL, options, .n = 150000, .times = {40000, 0}},
	PRINT("parentheses", .text = {"\"%d\", ", "(", "REC->a", ")"}, .times = {150000, 150000}),
	PRINT("ternary", .text = {"\"%d\", ", "REC->a?1:", "0"}, .times = {60000}),
	PRINT("plus", .text = {"\"%d\", ", "REC->a+", "0"}, .times = {60000}),
	PRINT("minus", .text = {"\"%d\", ", "-", "REC->a"}, .times = {150000}),
	PRINT("not", .text = {"\"%d\", ", "!", "REC->a"}, .times = {150000}),
	PRINT("shift", .text = {"\"%d\", ", "REC->a << ", "1"}, .times = {60000}),
	PRINT("cast", .text = {"\"%d\", ", "(int)", "REC->a"}, .times = {150000}),
	PRINT("index", .text = {"\"%d\", REC->a", "[0]"}, .times = {150000}),
	PRINT("sizeof", .text = {"\"%d\", ", "sizeof(", "", ")"}, .times = {100000, 100000}),
	PRINT("arguments", .text = {"\"", "%d", "\"", ", REC->a"}, .times = {60000, 60000}),
	PRINT("strings", .text = {"\"", "%s", "\"", ", \"zzzzzzzzzzzzzzzzzzzzz\""}, .times = {20000, 20000}),
	PRINT("symbolic", .text = {"\"%s\", __print_symbolic(REC->a", ", {#, \"x\"}", ")"}, .times = {50000}),
	PRINT("flags", .text = {"\"%s\", __print_flags(REC->a, \"|\"", ", {#, \"x\"}", ")"}, .times = {50000}),
	PRINT("flags-long", .text = {"\"%s\", __print_flags(REC->a, \"yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy\"",
		", {0, \"x\"}, {1, \"xxxxxxxxxxxxxxxxxxx\"}", ")"}, .times = {20000}),
	PRINT("symbolic-nested", .text = {"\"%s\", ", "__print_symbolic("}, .times = {50000}),
	PRINT("width", .text = {"\"%999999999d\", REC->a"}),
	PRINT("width-of-data", .text = {"\"%*d\", 2147483647, REC->a"}),
	PRINT("precision", .text = {"\"%.999999999d %.*s\", REC->a, 2000000000, \"x\""}),
	PRINT("literal", .text = {"\"%s\", \"", "x", "\""}, .times = {800000}),
	/* Over the limits... */
	OF_ALL("wide", .text = {"\"%1000000d\", REC->a"}),
	OF_ALL("literal", .text = {"\"%s\", \"", "x", "\""}, .times = {500000}),
	OF_ALL("arguments", .text = {"\"", "%d", "\"", ", REC->a"}, .times = {40000, 40000}),
	OF_ALL("not", .text = {"\"", "%d", "\"", ", " FIVE_HUNDRED("~") "REC->a"}, .times = {800, 800}),
	OF_ALL("plus", .text = {"\"", "%d", "\"", ", " FIVE_HUNDRED("REC->a+") "REC->a"}, .times = {110, 110}),
	OF_ALL("ternaries", .text = {"\"", "%s", "\"", ",REC->a?\"\":\"x\""}, .times = {22000, 22000}),
	OF_ALL("flags", .text = {"\"%s\", __print_flags(REC->a+1, \"|\"", ", {2, \"x\"}", ")"}, .times = {40000}),
	OF_ALL("symbolic", .text = {"\"%s\", __print_symbolic(REC->a*7+3", ", {0x1#, \"x\"}", ")"}, .times = {30000}),
	/* ...and just below them. */
	OF_ALL("wide-most", .text = {"\"%16384d\", REC->a"}),
	OF_ALL("wide-of-data", .text = {"\"%*d\", 10000000, REC->a"}),
	OF_ALL("literal-most", .text = {"\"%s\", \"", "x", "\""}, .times = {16000}),
	OF_ALL("arguments-most", .text = {"\"", "%d", "\"", ", REC->a"}, .times = {2047, 2047}),
	OF_ALL("strings-most", .text = {"\"", "%.0s", "\"", ", \"zzzzzzzzzzzzzzzzzzzzz\""}, .times = {4095, 4095}),
	OF_ALL("plus-most", .text = {"\"", "%.0d", "\"", ", " FIVE_HUNDRED("REC->a+") "REC->a"}, .times = {4, 4}),
	OF_ALL("ternaries-most", .text = {"\"", "%s", "\"", ",REC->a?\"\":\"x\""}, .times = {1365, 1365}),
	OF_ALL("flags-most", .text = {"\"%s\", __print_flags(REC->a+1, \"|\"", ", {3, \"x\"}", ")"}, .times = {16000}),
	OF_ALL("flags-of-many", .text = {"\"", "%s", "\"", ", __print_flags(REC->a+1, \"\", {3, \"x\"}, {5, \"x\"}, {9, \"x\"})"}, .times = {1000, 1000}),
	OF_ALL("flags-long", .text = {"\"%s\", __print_flags(3, \"", "y", "\", {1, \"x\"}, {2, \"x\"})"}, .times = {400000}),
	OF_ALL("symbolic-long", .text = {"\"%s\", __print_symbolic(0, {0, \"", "x", "\"})"}, .times = {400000}),
	{"fields-of-all", NULL, fields, .n = ALL_PAGES, .words = 1, .dear = true, .text = {NULL, FIELD("#")}, .times = {5990}},
	{"fields-last-of-all", NULL, fields, .n = ALL_PAGES, .words = 1, .dear = true,
		.text = {NULL, "\tfield:u8 #;\toffset:65000;\tsize:1;\tsigned:0;\n"}, .times = {5990}},
	{"fields-arrays-of-all", NULL, fields, .n = ALL_PAGES, .words = 1, .dear = true,
		.text = {NULL, "\tfield:u8 #[65000];\toffset:8;\tsize:65000;\tsigned:0;\n"}, .times = {5990}},
	{"fields-printed-of-all", NULL, fields, .n = ALL_PAGES, .words = 1, .dear = true,
		.text = {NULL, FIELD("a#"), NULL, "%d ", ", REC->a#"}, .times = {5990, 5990}},
	OF_CHUNKS("wide", .text = {"\"%256d\", REC->a"}),
	OF_CHUNKS("wide-of-data", .text = {"\"%*d\", 10000000, REC->a"}),
	OF_CHUNKS("literal", .text = {"\"%s\", \"", "x", "\""}, .times = {250}),
	OF_CHUNKS("arguments", .text = {"\"", "%d", "\"", ", REC->a"}, .times = {47, 47}),
	OF_CHUNKS("strings", .text = {"\"", "%.0s", "\"", ", \"zzzzzzzzzzzzzzzzzzzzz\""}, .times = {95, 95}),
	OF_CHUNKS("plus", .text = {"\"%.0d\", ", "REC->a+", "REC->a"}, .times = {46}),
	OF_CHUNKS("ternaries", .text = {"\"", "%s", "\"", ",REC->a?\"\":\"x\""}, .times = {31, 31}),
	OF_CHUNKS("flags", .text = {"\"%s\", __print_flags(REC->a+1, \"|\"", ", {3, \"x\"}", ")"}, .times = {360}),
	OF_CHUNKS("symbolic-long", .text = {"\"%s\", __print_symbolic(0, {0, \"", "x", "\"})"}, .times = {500000}),
	{"fields-of-chunks", "zstd", fields, .n = ALL_CHUNKS, .words = 1, .dear = true, .text = {NULL, FIELD("#")}, .times = {59}},
	{"names-of-chunks", "zstd", fields, .n = ALL_CHUNKS, .words = 1, .dear = true,
		.text = {NULL, FIELD("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa#")}, .times = {11}},
	EACH("event", long_name, .words = 1, .text = {"", "s", "f"}, .times = {400000}),
	EACH("event-most", long_name, .words = 1, .text = {"", "s", "f"}, .times = {256}),
	EACH("system", long_name, .words = 1, .text = {"e", "", "f"}, .times = {400000}),
	EACH("field", long_name, .words = 1, .text = {"e", "s", ""}, .times = {400000}),
	EACH("task", long_line, .words = 2, .text = {"c1 ", "x", "\n", FIELD("f"), "\"\""}, .times = {400000}),
	EACH("function", long_line, .words = 1, .text = {"k0 t ", "x", "\n1000 t end\n", FIELD("f"), "\"%pS\", (void *)REC->f"}, .times = {400000}),
	EACH("stack", long_line, .words = 1000, .text = {"k0 t ", "x", "\n1000 t end\n", STACK, "\"\""}, .times = {400000}),
	EACH("stack-short", long_line, .words = 15, .text = {"k0 t ", "x", "\n1000 t end\n", STACK, "\"\""}, .times = {400000}),
	EACH("printk", long_line, .words = 1, .text = {"p0x0 : \"", "x", "\"\n", BPRINT, "\"\""}, .times = {400000}),
	EACH("printk-number", long_line, .words = 9, .text = {"p0x0 : \"%d", "x", "\"\n", BPRINT, "\"\""}, .times = {500}),
	EACH("printk-empty", long_line, .words = 1, .text = {"p0x0 : \"", "%.0s", "\"\n", BPRINT, "\"\""}, .times = {100000}),
	EACH("array", fields, .words = 1000, .text = {NULL, ARRAY, NULL, "%s", ", __print_array(REC->a, 4000, 1)"}, .times = {1, 1}),
	EACH("array-of-masks", fields, .words = 1000, .text = {NULL, MASKS, NULL, "%s", ", __get_bitmask(a)"}, .times = {1, 1}),
	{"instance-of-chunks", "zstd", long_instance, .n = 3000, .dear = true, .times = {60000}},
	PRINT("array", .text = {"\"%s\", __print_array(REC->a, 2000000000, 1)"}),
	PRINT("hex", .text = {"\"%s\", __print_hex(REC->a, 2000000000)"}),
	PRINT("hex-dump", .text = {"\"%s\", __print_hex_dump(\"\", 0, 1, 1, REC->a, 2000000000, 1)"}),
	{"fields", NULL, fields, .text = {NULL, "\tfield:int a#;\toffset:8;\tsize:4;\tsigned:1;\n", NULL,
		"%d ", ", REC->a#"}, .times = {14000, 14000}},
	{"fields-nested", NULL, fields, .text = {NULL, "\tfield:struct { ", NULL, "%d", ", 1"},
		.times = {30000, 1}},
	{"fields-huge", NULL, fields, .text = {NULL,
		"\tfield:char a#[2000000000];\toffset:8;\tsize:2000000000;\tsigned:1;\n", NULL, "%s ",
		", REC->a#"}, .times = {10000, 10000}},
	{"fields-dynamic", NULL, fields, .text = {NULL,
		"\tfield:__data_loc char[] a#;\toffset:8;\tsize:4;\tsigned:1;\n", NULL, "%s ",
		", __get_str(a#)"}, .times = {8000, 8000}},
};
/* clang-format on */
const size_t bomb_count = sizeof(bombs) / sizeof(bombs[0]);
