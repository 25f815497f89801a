/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes a small sound trace.dat around the one part that a target is about. */
#include "small.h"

#include <stdio.h>
#include <string.h>

#include <tdat/file.h>

static const char magic[] = "\x17\x08"
			    "Dtracing";
static const char header_page[] = "\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
				  "\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n"
				  "\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n"
				  "\tfield: char data;\toffset:16;\tsize:4080;\tsigned:1;\n";
static const char format[] =
	"name: one\nID: 300\nformat:\n"
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
	"\tfield:u64 value;\toffset:8;\tsize:8;\tsigned:0;\n\nprint fmt: \"%llu\", REC->value\n";

static void put_headers(struct tdat_build *b)
{
	tdat_build_cstr(b, "header_page");
	tdat_build_u64(b, sizeof(header_page) - 1);
	tdat_build_str(b, header_page);
	tdat_build_cstr(b, "header_event");
	tdat_build_u64(b, 0);
}

static void put_formats(struct tdat_build *b)
{
	tdat_build_u32(b, 1);
	tdat_build_cstr(b, "fuzz");
	tdat_build_u32(b, 1);
	tdat_build_u64(b, sizeof(format) - 1);
	tdat_build_str(b, format);
}

/* Two events, in the middle of a page's time. */
static void put_page(struct tdat_build *b, bool big)
{
	size_t start = b->len;
	uint32_t i;

	tdat_build_u64(b, 1000000000);
	tdat_build_u64(b, 40);
	for (i = 0; i < 2; i++) {
		tdat_build_u32(b, big ? 4u << 27 | 77 : 77u << 5 | 4);
		tdat_build_u16(b, 300);
		tdat_build_u16(b, 0);
		tdat_build_u32(b, 7);
		tdat_build_u64(b, i);
	}
	tdat_build_fill(b, 0, SMALL_PAGE - (b->len - start));
}

static void put_data(struct tdat_build *b, const struct fuzz_small *s)
{
	if (s->data)
		tdat_build_bytes(b, s->data, s->data_len);
	else
		put_page(b, s->big);
}

static size_t data_len(const struct fuzz_small *s)
{
	return s->data ? s->data_len : SMALL_PAGE;
}

static void align(struct tdat_build *b)
{
	tdat_build_fill(b, 0, (SMALL_PAGE - b->len % SMALL_PAGE) % SMALL_PAGE);
}

static void put_start(struct tdat_build *b, const struct fuzz_small *s)
{
	tdat_build_bytes(b, magic, sizeof(magic) - 1);
	tdat_build_cstr(b, s->version < 7 ? "6" : "7");
	tdat_build_u8(b, s->big);
	tdat_build_u8(b, 8);
	tdat_build_u32(b, SMALL_PAGE);
}

static void build_v6(struct tdat_build *b, const struct fuzz_small *s)
{
	size_t table;

	put_headers(b);
	tdat_build_u32(b, 0);
	put_formats(b);
	tdat_build_u32(b, 0);
	tdat_build_u32(b, 0);
	tdat_build_u64(b, 0);
	tdat_build_u32(b, 1);
	tdat_build_bytes(b, "options  ", 10);
	tdat_build_bytes(b, s->options, s->options_len);
	tdat_build_u16(b, 0);
	tdat_build_bytes(b, "flyrecord", 10);
	table = b->len;
	tdat_build_u64(b, 0);
	tdat_build_u64(b, data_len(s));
	tdat_build_u64(b, 7);
	tdat_build_bytes(b, "[local]", 7);
	align(b);
	if (!b->failed)
		tdat_store64(b->ptr + table, b->len, s->big);
	put_data(b, s);
}

/* Starts a section, and returns where its size goes. */
static size_t start(struct tdat_build *b, uint16_t id, bool compressed, size_t places[32])
{
	places[id] = b->len;
	tdat_build_u16(b, id);
	tdat_build_u16(b, compressed);
	tdat_build_u32(b, UINT32_MAX);
	tdat_build_u64(b, 0);
	return b->len;
}

static void end(struct tdat_build *b, size_t from, bool big)
{
	if (!b->failed)
		tdat_store64(b->ptr + from - 8, b->len - from, big);
}

static void put_place(struct tdat_build *b, uint16_t id, const size_t places[32])
{
	tdat_build_u16(b, id);
	tdat_build_u32(b, 8);
	tdat_build_u64(b, places[id]);
}

static void put_options(struct tdat_build *b, const struct fuzz_small *s, size_t data,
			const size_t places[32])
{
	put_place(b, TDAT_OPTION_HEADER_INFO, places);
	put_place(b, TDAT_OPTION_EVENT_FORMATS, places);
	tdat_build_u16(b, TDAT_OPTION_BUFFER);
	tdat_build_u32(b, 8 + 1 + 6 + 4 + 4 + 20);
	tdat_build_u64(b, places[TDAT_OPTION_BUFFER]);
	tdat_build_cstr(b, "");
	tdat_build_cstr(b, "local");
	tdat_build_u32(b, SMALL_PAGE);
	tdat_build_u32(b, 1);
	tdat_build_u32(b, 0);
	tdat_build_u64(b, data);
	tdat_build_u64(b, data_len(s));
	tdat_build_bytes(b, s->options, s->options_len);
	tdat_build_u16(b, TDAT_OPTION_DONE);
	tdat_build_u32(b, 8);
	tdat_build_u64(b, 0);
}

static void build_v7(struct tdat_build *b, const struct fuzz_small *s)
{
	size_t places[32] = {0}, first, from, data;

	tdat_build_cstr(b, s->compression);
	tdat_build_cstr(b, "1");
	first = b->len;
	tdat_build_u64(b, 0);
	from = start(b, TDAT_OPTION_HEADER_INFO, false, places);
	put_headers(b);
	end(b, from, s->big);
	from = start(b, TDAT_OPTION_EVENT_FORMATS, false, places);
	put_formats(b);
	end(b, from, s->big);
	from = start(b, TDAT_OPTION_BUFFER, s->compressed, places);
	align(b);
	data = b->len;
	put_data(b, s);
	end(b, from, s->big);
	from = start(b, TDAT_OPTION_DONE, false, places);
	put_options(b, s, data, places);
	end(b, from, s->big);
	if (!b->failed)
		tdat_store64(b->ptr + first, places[TDAT_OPTION_DONE], s->big);
}

void fuzz_small_build(struct tdat_build *b, const struct fuzz_small *s)
{
	tdat_build_init(b, s->big);
	put_start(b, s);
	if (s->version < 7)
		build_v6(b, s);
	else
		build_v7(b, s);
}
