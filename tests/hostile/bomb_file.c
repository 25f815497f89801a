/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes a little-endian trace.dat of any metadata and any bytes as CPU data. */
#include "bomb_file.h"

#include <stdlib.h>

#include <tdat/file.h>

#include "outcome.h"

enum { UNKNOWN = 900 }; /* an id of sections that nobody knows */

static const char magic[] = "\x17\x08"
			    "Dtracing";
static const char header_page[] = "\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
				  "\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n"
				  "\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n"
				  "\tfield: char data;\toffset:16;\tsize:4080;\tsigned:1;\n";
static const char common[] =
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n";

void bomb_file_init(struct bomb_file *f, const char *codec)
{
	*f = (struct bomb_file){.codec = codec ? tdat_codec_find(codec) : NULL, .page = BOMB_PAGE};
}

void bomb_file_fini(struct bomb_file *f)
{
	tdat_build_fini(&f->systems);
	tdat_build_fini(&f->kallsyms);
	tdat_build_fini(&f->printk);
	tdat_build_fini(&f->cmdlines);
	tdat_build_fini(&f->options);
	tdat_build_fini(&f->section);
	tdat_build_fini(&f->data);
	free(f->cpus);
}

/* ---- parts ---- */

void bomb_system(struct tdat_build *b, const char *name, uint32_t formats)
{
	tdat_build_cstr(b, name);
	tdat_build_u32(b, formats);
}

void bomb_format(struct tdat_build *b, const char *name, unsigned int id, const char *fields,
		 const void *print, size_t print_len)
{
	size_t at = b->len;

	tdat_build_u64(b, 0);
	tdat_build_printf(b, "name: %s\nID: %u\nformat:\n", name, id);
	tdat_build_str(b, common);
	tdat_build_str(b, fields ? fields : "\tfield:int a;\toffset:8;\tsize:4;\tsigned:1;\n");
	tdat_build_str(b, "\nprint fmt: ");
	tdat_build_bytes(b, print, print_len);
	tdat_build_str(b, "\n");
	if (!b->failed)
		tdat_store64(b->ptr + at, b->len - at - 8, false);
}

void bomb_page(struct tdat_build *b, uint64_t ts, const void *records, size_t len)
{
	tdat_build_u64(b, ts);
	tdat_build_u64(b, len);
	tdat_build_bytes(b, records, len);
	tdat_build_fill(b, 0, BOMB_PAGE - 16 - len);
}

/* From TYPE_LEN_MOST words on their number stands before them. */
enum { TYPE_LEN_MOST = 28 };

static void put_record(struct tdat_build *b, unsigned int words, uint32_t number)
{
	const uint32_t first[] = {BOMB_ID, 1, number};
	unsigned int i;

	tdat_build_u32(b, 1u << 5 | (words < TYPE_LEN_MOST ? words : 0));
	if (words >= TYPE_LEN_MOST)
		tdat_build_u32(b, 4 + 4 * words);
	for (i = 0; i < words; i++)
		tdat_build_u32(b, i < 3 ? first[i] : 0);
}

void bomb_full_page(struct tdat_build *b, unsigned int words)
{
	const unsigned int len = 4 * (words + 1 + (words >= TYPE_LEN_MOST));
	struct tdat_build records;
	uint32_t i;

	tdat_build_init(&records, false);
	for (i = 0; i < (BOMB_PAGE - 16) / len; i++)
		put_record(&records, words, i);
	bomb_page(b, 1000, records.ptr, records.len);
	tdat_build_fini(&records);
}

void bomb_chunk(struct tdat_build *b, const struct tdat_codec *codec, const void *p, size_t len)
{
	size_t room = codec->bound(len), at = b->len;
	const char *why;

	tdat_build_u32(b, 0);
	tdat_build_u32(b, (uint32_t)len);
	if (!tdat_build_room(b, room) ||
	    codec->deflate(NULL, p, len, b->ptr + b->len, &room, 9, &why))
		die("deflating");
	tdat_store32(b->ptr + at, (uint32_t)room, false);
	b->len += room;
}

/* ---- the file ---- */

static void put_headers(struct tdat_build *b)
{
	tdat_build_cstr(b, "header_page");
	tdat_build_u64(b, sizeof(header_page) - 1);
	tdat_build_str(b, header_page);
	tdat_build_cstr(b, "header_event");
	tdat_build_u64(b, 0);
}

static void put_systems(struct tdat_build *b, const struct bomb_file *f)
{
	static const char print[] = "\"a=%d\", REC->a";

	if (f->systems.len) {
		tdat_build_bytes(b, f->systems.ptr, f->systems.len);
		return;
	}
	tdat_build_u32(b, 1);
	bomb_system(b, "bomb", 1);
	bomb_format(b, "one", BOMB_ID, NULL, print, sizeof(print) - 1);
}

static void align(struct tdat_build *b)
{
	tdat_build_fill(b, 0, (BOMB_PAGE - b->len % BOMB_PAGE) % BOMB_PAGE);
}

static void put_cpus(struct tdat_build *b, const struct bomb_file *f, uint64_t data, bool numbers)
{
	const struct bomb_cpu all = {0, f->data.len}, *cpus = f->cpus ? f->cpus : &all;
	uint32_t i, count = f->cpus ? f->cpu_count : 1;

	for (i = 0; i < count; i++) {
		if (numbers)
			tdat_build_u32(b, i);
		tdat_build_u64(b, data + cpus[i].off);
		tdat_build_u64(b, cpus[i].len);
	}
}

static void build_v6(const struct bomb_file *f, struct tdat_build *b)
{
	uint32_t count = f->cpus ? f->cpu_count : 1;
	uint64_t data;

	tdat_build_bytes(b, magic, sizeof(magic) - 1);
	tdat_build_cstr(b, "6");
	tdat_build_u8(b, 0);
	tdat_build_u8(b, 8);
	tdat_build_u32(b, f->page);
	put_headers(b);
	tdat_build_u32(b, 0);
	put_systems(b, f);
	tdat_build_u32(b, (uint32_t)f->kallsyms.len);
	tdat_build_bytes(b, f->kallsyms.ptr, f->kallsyms.len);
	tdat_build_u32(b, (uint32_t)f->printk.len);
	tdat_build_bytes(b, f->printk.ptr, f->printk.len);
	tdat_build_u64(b, f->cmdlines.len);
	tdat_build_bytes(b, f->cmdlines.ptr, f->cmdlines.len);
	tdat_build_u32(b, count);
	tdat_build_bytes(b, "options  ", 10);
	tdat_build_bytes(b, f->options.ptr, f->options.len);
	tdat_build_u16(b, 0);
	tdat_build_bytes(b, "flyrecord", 10);
	data = (b->len + 16ull * count + BOMB_PAGE - 1) / BOMB_PAGE * BOMB_PAGE;
	put_cpus(b, f, data, false);
	align(b);
	tdat_build_bytes(b, f->data.ptr, f->data.len);
}

/* Starts a section; returns where its body is. */
static size_t start(struct tdat_build *b, uint16_t id, bool compressed)
{
	tdat_build_u16(b, id);
	tdat_build_u16(b, compressed);
	tdat_build_u32(b, UINT32_MAX);
	tdat_build_u64(b, 0);
	return b->len;
}

static void end(struct tdat_build *b, size_t body)
{
	if (!b->failed)
		tdat_store64(b->ptr + body - 8, b->len - body, false);
}

/* A section of that body, and the option that leads to it. */
static void put_section(struct tdat_build *b, struct tdat_build *options, const struct bomb_file *f,
			uint16_t id, struct tdat_build *body)
{
	bool compressed = body->len > BOMB_PAGE;
	size_t at = start(b, id, compressed);

	if (compressed)
		bomb_chunk(b, f->codec, body->ptr, body->len);
	else
		tdat_build_bytes(b, body->ptr, body->len);
	end(b, at);
	tdat_build_u16(options, id);
	tdat_build_u32(options, 8);
	tdat_build_u64(options, at - 16);
	tdat_build_fini(body);
	tdat_build_init(body, false);
}

static void put_text(struct tdat_build *b, struct tdat_build *options, const struct bomb_file *f,
		     uint16_t id, const struct tdat_build *text)
{
	struct tdat_build body;

	tdat_build_init(&body, false);
	if (id == TDAT_OPTION_CMDLINES)
		tdat_build_u64(&body, text->len);
	else
		tdat_build_u32(&body, (uint32_t)text->len);
	tdat_build_bytes(&body, text->ptr, text->len);
	put_section(b, options, f, id, &body);
}

static void put_metadata(struct tdat_build *b, struct tdat_build *options,
			 const struct bomb_file *f)
{
	struct tdat_build body;
	uint32_t i;

	tdat_build_init(&body, false);
	put_headers(&body);
	put_section(b, options, f, TDAT_OPTION_HEADER_INFO, &body);
	tdat_build_u32(&body, 0);
	put_section(b, options, f, TDAT_OPTION_FTRACE_EVENTS, &body);
	put_systems(&body, f);
	put_section(b, options, f, TDAT_OPTION_EVENT_FORMATS, &body);
	put_text(b, options, f, TDAT_OPTION_KALLSYMS, &f->kallsyms);
	put_text(b, options, f, TDAT_OPTION_PRINTK, &f->printk);
	put_text(b, options, f, TDAT_OPTION_CMDLINES, &f->cmdlines);
	for (i = 0; i < f->section_count; i++) {
		tdat_build_bytes(&body, f->section.ptr, f->section.len);
		put_section(b, options, f, (uint16_t)(UNKNOWN + i), &body);
	}
	tdat_build_fini(&body);
}

static void put_buffer(struct tdat_build *b, struct tdat_build *options, const struct bomb_file *f)
{
	uint32_t count = f->cpus ? f->cpu_count : 1;
	size_t at = start(b, TDAT_OPTION_BUFFER, true);
	uint64_t data;

	align(b);
	data = b->len;
	tdat_build_bytes(b, f->data.ptr, f->data.len);
	end(b, at);
	tdat_build_u16(options, TDAT_OPTION_BUFFER);
	tdat_build_u32(options, 8 + 1 + 6 + 4 + 4 + 20 * count);
	tdat_build_u64(options, at - 16);
	tdat_build_cstr(options, "");
	tdat_build_cstr(options, "local");
	tdat_build_u32(options, f->page);
	tdat_build_u32(options, count);
	put_cpus(options, f, data, true);
}

static void build_v7(const struct bomb_file *f, struct tdat_build *b)
{
	struct tdat_build options;
	size_t first, at;

	tdat_build_init(&options, false);
	tdat_build_bytes(b, magic, sizeof(magic) - 1);
	tdat_build_cstr(b, "7");
	tdat_build_u8(b, 0);
	tdat_build_u8(b, 8);
	tdat_build_u32(b, f->page);
	tdat_build_cstr(b, f->codec->name);
	tdat_build_cstr(b, "1");
	first = b->len;
	tdat_build_u64(b, 0);
	put_metadata(b, &options, f);
	tdat_build_bytes(&options, f->options.ptr, f->options.len);
	put_buffer(b, &options, f);
	tdat_build_u16(&options, TDAT_OPTION_DONE);
	tdat_build_u32(&options, 8);
	tdat_build_u64(&options, 0);
	at = start(b, TDAT_OPTION_DONE, f->squeezed_options);
	if (f->squeezed_options)
		bomb_chunk(b, f->codec, options.ptr, options.len);
	else
		tdat_build_bytes(b, options.ptr, options.len);
	end(b, at);
	if (!b->failed)
		tdat_store64(b->ptr + first, at - 16, false);
	tdat_build_fini(&options);
}

void bomb_file_build(struct bomb_file *f, struct tdat_build *out)
{
	tdat_build_init(out, false);
	if (f->codec)
		build_v7(f, out);
	else
		build_v6(f, out);
}
