/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Lays out the metadata parts that versions 6 and 7 have in common. They are the header pages,
 * formats by system, kallsyms, printk formats, command lines and the options about the capture.
 * Each is built in memory from meta.c's lists, or is the copied part of another file.
 */
#include "parts.h"

#include <stdlib.h>
#include <string.h>

#include "core/search.h"

#include "dat/option_table.h"

/* The start that both versions have (docs/file-format.md, section 2). */
void write_parts_head(const struct tdat_writer *w, struct tdat_build *b)
{
	tdat_build_bytes(b, "\x17\x08\x44tracing", 10);
	tdat_build_printf(b, "%u", w->version);
	tdat_build_u8(b, 0);
	tdat_build_u8(b, w->meta.big);
	tdat_build_u8(b, w->meta.header_long ? w->meta.header_long : w->meta.long_size);
	tdat_build_u32(b, w->meta.page_size);
}

/* Makes the text of the kernel's events/header_page for pages of this size and long. */
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

/* The text of the kernel's events/header_event, which is the same for all machines. */
static const char event_text[] = "# compressed entry header\n"
				 "\ttype_len    :    5 bits\n"
				 "\ttime_delta  :   27 bits\n"
				 "\tarray       :   32 bits\n"
				 "\n"
				 "\tpadding     : type == 29\n"
				 "\ttime_extend : type == 30\n"
				 "\ttime_stamp : type == 31\n"
				 "\tdata max type_len  == 28\n";

void write_parts_header_info(struct tdat_build *b, struct tdat_span page, struct tdat_span event)
{
	tdat_build_cstr(b, "header_page");
	tdat_build_u64(b, page.len);
	tdat_build_bytes(b, page.ptr, page.len);
	tdat_build_cstr(b, "header_event");
	tdat_build_u64(b, event.len);
	tdat_build_bytes(b, event.ptr, event.len);
}

static void header_info(const struct write_meta *meta, struct tdat_build *b)
{
	const struct tdat_span event = {(const uint8_t *)event_text, sizeof(event_text) - 1};
	struct tdat_build page;

	tdat_build_init(&page, false);
	page_text(meta, &page);
	b->failed |= page.failed;
	write_parts_header_info(b, (struct tdat_span){page.ptr, page.len}, event);
	tdat_build_fini(&page);
}

/* ---- formats by system, in the order in which systems were first met ---- */

/* A format with the keys of two sorts: first by system, then back into file order. */
struct ordered_format {
	const struct write_format *f;
	size_t index, first; /* its own, and that of its system's first format */
};

static int by_system(const void *a, const void *b)
{
	const struct ordered_format *x = a, *y = b;
	int order = strcmp(x->f->system, y->f->system);

	return order ? order : (x->index > y->index) - (x->index < y->index);
}

static int in_file_order(const void *a, const void *b)
{
	const struct ordered_format *x = a, *y = b;

	return TDAT_ORDER(x->first, y->first, TDAT_ORDER(x->index, y->index, 0));
}

/*
 * Returns the formats of system ftrace, or all others, as an array to be freed; *count: how many.
 * NULL: no memory. Formats of one system become neighbors, at the place of the first of them.
 */
static struct ordered_format *order_formats(const struct write_meta *meta, bool ftrace,
					    size_t *count)
{
	struct ordered_format *all = calloc(meta->format_count + 1, sizeof(*all));
	size_t i, n = 0;

	*count = 0;
	if (!all)
		return NULL;
	for (i = 0; i < meta->format_count; i++)
		if (!strcmp(meta->formats[i].system, "ftrace") == ftrace)
			all[n++] = (struct ordered_format){&meta->formats[i], i, i};
	/* The first sort finds the formats of one system; index keeps their order. */
	qsort(all, n, sizeof(*all), by_system);
	for (i = 1; i < n; i++)
		if (!strcmp(all[i].f->system, all[i - 1].f->system))
			all[i].first = all[i - 1].first;
	qsort(all, n, sizeof(*all), in_file_order);
	*count = n;
	return all;
}

/*
 * Appends a u32 count, then each format with its size. Returns how many formats were of one system.
 */
static size_t system_formats(const struct ordered_format *v, size_t count, struct tdat_build *b)
{
	size_t n = 0, i;

	while (n < count && v[n].first == v[0].first)
		n++;
	tdat_build_u32(b, (uint32_t)n);
	for (i = 0; i < n; i++) {
		tdat_build_u64(b, v[i].f->len);
		tdat_build_bytes(b, v[i].f->text, v[i].f->len);
	}
	return n;
}

/* The part of system ftrace: formats without a system's name. */
static void ftrace_formats(const struct write_meta *meta, struct tdat_build *b)
{
	size_t count;
	struct ordered_format *all = order_formats(meta, true, &count);

	b->failed |= !all;
	system_formats(all, count, b);
	free(all);
}

/* The part of all other formats: the number of systems, then each with its name. */
static void event_formats(const struct write_meta *meta, struct tdat_build *b)
{
	size_t at = b->len, i, count;
	struct ordered_format *all = order_formats(meta, false, &count);
	uint32_t systems = 0;

	b->failed |= !all;
	/* The number is known at the end; its place is patched. */
	tdat_build_u32(b, 0);
	for (i = 0; i < count; systems++) {
		tdat_build_cstr(b, all[i].f->system);
		i += system_formats(all + i, count - i, b);
	}
	if (!b->failed)
		tdat_store32(b->ptr + at, systems, b->big);
	free(all);
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

/* The length of the text is patched, as the text is built in place. */
static void cmdlines(const struct write_meta *meta, struct tdat_build *b)
{
	size_t at = b->len;

	tdat_build_u64(b, 0);
	write_comms_text(&meta->comms, b);
	if (!b->failed)
		tdat_store64(b->ptr + at, b->len - at - 8, b->big);
}

/* Appends one part: the copied one if the file has one, else one made of the lists. */
void write_parts_one(const struct write_meta *meta, uint16_t id, struct tdat_build *b)
{
	static void (*const parts[DAT_PART_COUNT])(const struct write_meta *meta,
						   struct tdat_build *b) = {
		header_info, ftrace_formats, event_formats, kallsyms, printk, cmdlines,
	};
	const struct write_raw *raw = write_meta_raw(meta, id);

	if (raw)
		tdat_build_bytes(b, raw->body.ptr, raw->body.len);
	else
		parts[id - DAT_PART_FIRST](meta, b);
}

enum tdat_status write_parts_add(struct write_meta *meta, uint16_t id, struct tdat_build *b,
				 struct tdat_error *err)
{
	const char *own = b->failed ? NULL : tdat_arena_strndup(&meta->arena, b->ptr, b->len);
	const struct tdat_span body = {(const uint8_t *)own, b->len};

	tdat_build_fini(b);
	return own ? write_meta_add_raw(meta, id, dat_option_def(id)->section, body, err)
		   : tdat_error_no_memory(err, "metadata");
}

enum tdat_status write_parts_add_text(struct write_meta *meta, uint16_t id, struct tdat_span text,
				      struct tdat_error *err)
{
	const size_t width = id == TDAT_OPTION_CMDLINES ? 8 : 4;
	uint8_t *own = tdat_arena_alloc(&meta->arena, width + text.len);
	const struct tdat_span body = {own, width + text.len};

	if (!own)
		return tdat_error_no_memory(err, "metadata");
	tdat_store_uint(own, width, text.len, meta->big);
	if (text.len)
		memcpy(own + width, text.ptr, text.len);
	return write_meta_add_raw(meta, id, dat_option_def(id)->section, body, err);
}

/* Appends an option as version 6 stores it: id, size, payload. */
static void put_option(struct tdat_build *b, uint16_t id, const void *data, size_t len)
{
	tdat_build_u16(b, id);
	tdat_build_u32(b, (uint32_t)len);
	tdat_build_bytes(b, data, len);
}

/* Appends a text option, unless the caller gave that option itself. */
static void text_option(const struct write_meta *meta, struct tdat_build *b, uint16_t id,
			const char *text)
{
	if (text && !write_meta_has_option(meta, id))
		put_option(b, id, text, strlen(text) + 1);
}

/* Options of the capture. An option that the importer emitted itself replaces the text of info. */
void write_parts_facts(const struct write_meta *meta, struct tdat_build *b)
{
	text_option(meta, b, TDAT_OPTION_TRACECLOCK, meta->clock_text);
	text_option(meta, b, TDAT_OPTION_UNAME, meta->uname);
	text_option(meta, b, TDAT_OPTION_VERSION, meta->version);
	for (size_t i = 0; i < meta->option_count; i++)
		put_option(b, meta->options[i].id, meta->options[i].data, meta->options[i].len);
}
