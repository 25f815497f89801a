/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "body.h"

void write_body_head(const struct tdat_writer *w, struct tdat_build *b)
{
	tdat_build_bytes(b, "\x17\x08\x44tracing", 10);
	tdat_build_printf(b, "%u", w->version);
	tdat_build_u8(b, 0);
	tdat_build_u8(b, w->meta.big);
	tdat_build_u8(b, w->meta.header_long ? w->meta.header_long : w->meta.long_size);
	tdat_build_u32(b, w->meta.page_size);
}

/* The kernel's events/header_page. */
static void page_text(const struct write_meta *meta, struct tdat_build *b)
{
	unsigned head = 8u + meta->long_size;

	tdat_build_str(b, "\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n");
	tdat_build_printf(b, "\tfield: local_t commit;\toffset:8;\tsize:%u;\tsigned:1;\n",
			  meta->long_size);
	tdat_build_str(b, "\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n");
	tdat_build_printf(b, "\tfield: char data;\toffset:%u;\tsize:%u;\tsigned:%d;\n", head,
			  meta->page_size - head, !meta->big);
}

/* The kernel's events/header_event. */
static const char event_text[] = "# compressed entry header\n"
				 "\ttype_len    :    5 bits\n"
				 "\ttime_delta  :   27 bits\n"
				 "\tarray       :   32 bits\n"
				 "\n"
				 "\tpadding     : type == 29\n"
				 "\ttime_extend : type == 30\n"
				 "\ttime_stamp : type == 31\n"
				 "\tdata max type_len  == 28\n";

static void header_info(const struct write_meta *meta, struct tdat_build *b)
{
	struct tdat_build text;

	tdat_build_init(&text, meta->big);
	page_text(meta, &text);
	tdat_build_cstr(b, "header_page");
	tdat_build_u64(b, text.len);
	tdat_build_bytes(b, text.ptr, text.len);
	b->failed |= text.failed;
	tdat_build_fini(&text);
	tdat_build_cstr(b, "header_event");
	tdat_build_u64(b, sizeof(event_text) - 1);
	tdat_build_str(b, event_text);
}

/* u32 count, then each format with its size. */
static void system_formats(const struct write_meta *meta, const char *system,
			   struct tdat_build *b)
{
	size_t at = b->len;
	uint32_t count = 0;

	tdat_build_u32(b, 0);
	for (size_t i = 0; i < meta->format_count; i++) {
		const struct write_format *f = &meta->formats[i];

		if (strcmp(f->system, system))
			continue;
		tdat_build_u64(b, f->len);
		tdat_build_bytes(b, f->text, f->len);
		count++;
	}
	if (!b->failed)
		tdat_store32(b->ptr + at, count, b->big);
}

static void ftrace_formats(const struct write_meta *meta, struct tdat_build *b)
{
	system_formats(meta, "ftrace", b);
}

/* True for the first format of a system other than ftrace. */
static bool opens_system(const struct write_meta *meta, size_t index)
{
	const char *system = meta->formats[index].system;

	if (!strcmp(system, "ftrace"))
		return false;
	for (size_t i = index; i-- > 0;)
		if (!strcmp(meta->formats[i].system, system))
			return false;
	return true;
}

static void event_formats(const struct write_meta *meta, struct tdat_build *b)
{
	size_t at = b->len;
	uint32_t systems = 0;

	tdat_build_u32(b, 0);
	for (size_t i = 0; i < meta->format_count; i++) {
		if (!opens_system(meta, i))
			continue;
		tdat_build_cstr(b, meta->formats[i].system);
		system_formats(meta, meta->formats[i].system, b);
		systems++;
	}
	if (!b->failed)
		tdat_store32(b->ptr + at, systems, b->big);
}

static void kallsyms(const struct write_meta *meta, struct tdat_build *b)
{
	tdat_build_u32(b, (uint32_t)meta->kallsyms.len);
	tdat_build_bytes(b, meta->kallsyms.ptr, meta->kallsyms.len);
}

static void printk(const struct write_meta *meta, struct tdat_build *b)
{
	tdat_build_u32(b, (uint32_t)meta->printk.len);
	tdat_build_bytes(b, meta->printk.ptr, meta->printk.len);
}

static void cmdlines(const struct write_meta *meta, struct tdat_build *b)
{
	size_t at = b->len;

	tdat_build_u64(b, 0);
	write_comms_text(&meta->comms, b);
	if (!b->failed)
		tdat_store64(b->ptr + at, b->len - at - 8, b->big);
}

void write_body_part(const struct write_meta *meta, uint16_t id, struct tdat_build *b)
{
	static void (*const parts[])(const struct write_meta *meta, struct tdat_build *b) = {
		header_info, ftrace_formats, event_formats, kallsyms, printk, cmdlines,
	};
	const struct write_raw *raw = write_meta_raw(meta, id);

	if (raw)
		tdat_build_bytes(b, raw->body.ptr, raw->body.len);
	else
		parts[id - TDAT_OPTION_HEADER_INFO](meta, b);
}

void write_body_option(struct tdat_build *b, uint16_t id, const void *data, size_t len)
{
	tdat_build_u16(b, id);
	tdat_build_u32(b, (uint32_t)len);
	tdat_build_bytes(b, data, len);
}

/* A text option, unless the caller gave that option itself. */
static void text_option(const struct write_meta *meta, struct tdat_build *b, uint16_t id,
			const char *text)
{
	if (text && !write_meta_has_option(meta, id))
		write_body_option(b, id, text, strlen(text) + 1);
}

void write_body_facts(const struct write_meta *meta, struct tdat_build *b)
{
	text_option(meta, b, TDAT_OPTION_TRACECLOCK, meta->clock_text);
	text_option(meta, b, TDAT_OPTION_UNAME, meta->uname);
	text_option(meta, b, TDAT_OPTION_VERSION, meta->version);
	for (size_t i = 0; i < meta->option_count; i++)
		write_body_option(b, meta->options[i].id, meta->options[i].data,
				  meta->options[i].len);
}
