/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "bombs.h"

#include <stdio.h>
#include <stdlib.h>

#include <tdat/file.h>

#include "bomb_file.h"
#include "outcome.h"

/* ROOM: of the 1 MB for what a bomb is about. */
enum { ROOM = 900000, MIB = 1 << 20, CHUNK_PAGES = 16000 };

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

static void full_pages(struct tdat_build *b, unsigned int count)
{
	while (count--)
		bomb_full_page(b);
}

/* Some events, so that there is something to print; many: as several chunks. */
static void put_events(struct bomb_file *f, unsigned int pages)
{
	unsigned int each = pages < CHUNK_PAGES ? pages : CHUNK_PAGES, i;
	struct tdat_build all, chunk;

	if (!f->codec) {
		full_pages(&f->data, pages);
		return;
	}
	tdat_build_init(&all, false);
	tdat_build_init(&chunk, false);
	full_pages(&all, each);
	bomb_chunk(&chunk, f->codec, all.ptr, all.len);
	tdat_build_u32(&f->data, pages / each);
	for (i = 0; i < pages / each; i++)
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
	full_pages(&all, n * (MIB / BOMB_PAGE));
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

/* n CPUs, times[0] pages, which belong to each of the first times[1]; with len, to the last a hole. */
static void many_cpus(const struct bomb *bomb, struct tdat_build *out)
{
	struct bomb_file f;
	uint32_t i;

	bomb_file_init(&f, bomb->codec);
	full_pages(&f.data, bomb->times[0]);
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

/* ---- metadata ---- */

/* text[0] is which, of text[1] times[0] times. */
static void texts(const struct bomb *bomb, struct tdat_build *out)
{
	struct bomb_file f;
	struct tdat_build *b;

	bomb_file_init(&f, bomb->codec);
	b = *bomb->text[0] == 'k' ? &f.kallsyms : *bomb->text[0] == 'p' ? &f.printk : &f.cmdlines;
	put_repeated(b, bomb->text[1], bomb->times[0]);
	put_events(&f, 1);
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
			bomb_format(&f.systems, "e", BOMB_ID + (bomb->text[0] ? 0 : (i + k) % 65000),
				    NULL, print_a, sizeof(print_a) - 1);
	}
	put_events(&f, 20);
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
	put_events(&f, 1);
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
	put_events(&f, 1);
	finish(&f, out);
}

/* n sections of unknown ids, with times[0] MiB each. */
static void sections(const struct bomb *bomb, struct tdat_build *out)
{
	struct bomb_file f;

	bomb_file_init(&f, bomb->codec);
	f.section_count = bomb->n;
	tdat_build_fill(&f.section, 'a', (size_t)bomb->times[0] * MIB);
	put_events(&f, 1);
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
	put_events(&f, 1);
	finish(&f, out);
}

/* ---- print formats ---- */

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
	tdat_build_u32(&f.systems, 1);
	bomb_system(&f.systems, "s", 1);
	bomb_format(&f.systems, "e", BOMB_ID, NULL, print.ptr, print.len);
	tdat_build_fini(&print);
	put_events(&f, bomb->n ? bomb->n : 20);
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
	tdat_build_u32(&f.systems, 1);
	bomb_system(&f.systems, "s", 1);
	bomb_format(&f.systems, "e", BOMB_ID, (const char *)all.ptr, print.ptr, print.len);
	tdat_build_fini(&all);
	tdat_build_fini(&print);
	put_events(&f, 20);
	finish(&f, out);
}

/* ---- all of them ---- */

/* clang-format off */
#define BOTH(name, ...) {name "-zstd", "zstd", __VA_ARGS__}, {name "-zlib", "zlib", __VA_ARGS__}
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
	PRINT("wide-of-all", .n = 120, .dear = true, .text = {"\"%1000000d\", REC->a"}),
	PRINT("literal-of-all", .n = 100, .dear = true, .text = {"\"%s\", \"", "x", "\""}, .times = {500000}),
	PRINT("arguments-of-all", .n = 120, .dear = true, .text = {"\"", "%d", "\"", ", REC->a"}, .times = {40000, 40000}),
	{"print-arguments-of-chunks", "zstd", print_format, .n = 64000, .dear = true, .text = {"\"", "%d", "\"", ", REC->a"}, .times = {1000, 1000}},
	{"print-wide-of-chunks", "zstd", print_format, .n = 64000, .dear = true, .text = {"\"%1000000d\", REC->a"}},
	{"print-literal-of-chunks", "zstd", print_format, .n = 64000, .dear = true, .text = {"\"%s\", \"", "x", "\""}, .times = {500000}},
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
