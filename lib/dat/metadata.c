/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads the bodies of metadata that versions 6 and 7 have in common: header_page, formats, texts.
 * v6.c or v7_section.c has found and inflated them; here a cursor parses each whole. Formats are
 * only cut out and listed: lib/model parses them when they are needed.
 */
#include "core/text.h"
#include "index.h"

#include <string.h>

/*
 * Reads a size and that number of bytes. The size is first compared with the bytes that are left.
 */
enum tdat_status dat_read_text(struct tdat_cursor *c, unsigned size_len, const char *what,
			       struct tdat_span *out, struct tdat_error *err)
{
	uint64_t off = tdat_cursor_off(c);
	uint64_t len = size_len == 8 ? tdat_cursor_u64(c) : tdat_cursor_u32(c);

	if (!tdat_cursor_ok(c))
		return tdat_cursor_error(c, err, what);
	if (len > tdat_cursor_left(c))
		return tdat_error_set(err, TDAT_E_DAMAGED, off,
				      "%s claims %llu bytes at offset %llu, but only %zu are left",
				      what, (unsigned long long)len, (unsigned long long)off,
				      tdat_cursor_left(c));
	*out = tdat_cursor_bytes(c, (size_t)len);
	return TDAT_OK;
}

/* Returns the number after key in the line of header_page that names field; -1 without one. */
static int64_t page_field(struct tdat_span text, const char *field, const char *key)
{
	uint64_t v;

	return tdat_field_number(text, field, key, &v) && v < INT64_MAX ? (int64_t)v : -1;
}

/* True if the line up to eol names that field: "field: TYPE NAME;..." */
static bool names_field(const char *line, const char *eol, const char *name)
{
	const char *end = memchr(line, ';', (size_t)(eol - line));
	size_t n = strlen(name);

	return end && (size_t)(end - line) > n + 1 && !memcmp(end - n, name, n) &&
	       (end[-(ptrdiff_t)n - 1] == ' ' || end[-(ptrdiff_t)n - 1] == '\t');
}

/* True if the timestamp and the commit are where every kernel has them. */
static bool usual_places(struct tdat_span text)
{
	const int64_t commit = page_field(text, " commit;", "size:");

	return page_field(text, " timestamp;", "offset:") == 0 &&
	       page_field(text, " timestamp;", "size:") == 8 &&
	       page_field(text, " commit;", "offset:") == 8 && (commit == 4 || commit == 8);
}

/*
 * True if the names are those of a kernel, in order: trace-cmd reads another layout from other
 * texts.
 */
bool dat_header_page_usual(struct tdat_span text)
{
	static const char *const names[] = {"timestamp", "commit", "overwrite", "data"};
	const char *p = (const char *)text.ptr, *end = p + text.len;
	size_t next = 0;

	while (p < end) {
		const char *eol = memchr(p, '\n', (size_t)(end - p));

		if (!eol)
			eol = end;
		if (next == 2 && !names_field(p, eol, names[2]))
			next++; /* kernels before 2.6.37 */
		if (next == 4 || !names_field(p, eol, names[next++]))
			return false;
		p = eol + 1;
	}
	return next == 4 && usual_places(text);
}

/*
 * Notes the width of commit and the start of data, which header_page has and the file's head has
 * not.
 */
void dat_note_page_layout(struct dat_index *ix)
{
	int64_t commit = page_field(ix->header_page, " commit;", "size:");
	int64_t data = page_field(ix->header_page, " data;", "offset:"), data_len;

	ix->old_ring_buffer = ix->header_page.len == 0;
	ix->kernel_long_size = commit == 4 || commit == 8 ? (uint8_t)commit : ix->long_size;
	ix->header_data_off = 8u + ix->kernel_long_size;
	if (data >= ix->header_data_off && data < 256)
		ix->header_data_off = (uint32_t)data;
	data_len = page_field(ix->header_page, " data;", "size:");
	ix->header_page_size = 0;
	if (data_len >= 64 - (int64_t)ix->header_data_off &&
	    data_len <= (int64_t)ix->limits.page_len - ix->header_data_off)
		ix->header_page_size = ix->header_data_off + (uint32_t)data_len;
	if (ix->page_size_lost && ix->header_page_size)
		ix->page_size = ix->header_page_size;
}

/* Reads both texts. Each begins with its name, which must be there. */
enum tdat_status dat_read_header_pages(struct dat_index *ix, struct tdat_cursor *c,
				       struct tdat_error *err)
{
	static const struct {
		const char *tag;
		size_t len;
	} parts[2] = {{"header_page", 12}, {"header_event", 13}};
	struct tdat_span *out[2] = {&ix->header_page, &ix->header_event};
	int i;

	for (i = 0; i < 2; i++) {
		uint64_t off = tdat_cursor_off(c);
		struct tdat_span tag = tdat_cursor_bytes(c, parts[i].len);
		enum tdat_status st;

		if (!tag.ptr)
			return tdat_cursor_error(c, err, parts[i].tag);
		if (memcmp(tag.ptr, parts[i].tag, parts[i].len))
			return tdat_error_set(err, TDAT_E_DAMAGED, off,
					      "expected \"%s\" at offset %llu, found \"%.*s\"",
					      parts[i].tag, (unsigned long long)off,
					      (int)parts[i].len - 1, (const char *)tag.ptr);
		st = dat_read_text(c, 8, parts[i].tag, out[i], err);
		if (st != TDAT_OK)
			return st;
		if (!i) /* also where header_event is not to be had */
			dat_note_page_layout(ix);
	}
	return TDAT_OK;
}

/* Reads count formats. A failure says which format it was, as an offset alone does not help. */
static enum tdat_status read_formats(struct dat_index *ix, struct tdat_cursor *c,
				     const char *system, uint32_t count, struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;
	uint32_t i;

	for (i = 0; i < count && st == TDAT_OK; i++) {
		struct tdat_span text = {NULL, 0};
		uint64_t off = tdat_cursor_off(c);

		st = dat_read_text(c, 8, "an event format", &text, err);
		if (st == TDAT_OK && text.len > ix->limits.format_len)
			return tdat_error_set(
				err, TDAT_E_LIMIT, off,
				"an event format has %zu bytes, more than limit format_len of %u",
				text.len, ix->limits.format_len);
		if (st == TDAT_OK)
			st = dat_index_add_format(ix, system, text, off + 8, err);
	}
	if (st == TDAT_E_DAMAGED && err)
		tdat_error_prefix(err, "format %u of %u of system %.64s", i, count, system);
	return st;
}

/* Reads the formats of ftrace. They have no system in the file; readers call it ftrace. */
enum tdat_status dat_read_ftrace_formats(struct dat_index *ix, struct tdat_cursor *c,
					 struct tdat_error *err)
{
	uint32_t count = tdat_cursor_u32(c);
	size_t before = ix->format_count;
	enum tdat_status st;

	if (!tdat_cursor_ok(c))
		return tdat_cursor_error(c, err, "the number of ftrace formats");
	st = read_formats(ix, c, "ftrace", count, err);
	ix->ftrace_format_count += (uint32_t)(ix->format_count - before);
	return st;
}

/* Reads the systems and their formats. Counts are not trusted: each step needs its bytes. */
enum tdat_status dat_read_event_formats(struct dat_index *ix, struct tdat_cursor *c,
					struct tdat_error *err)
{
	uint32_t systems = tdat_cursor_u32(c), i;
	enum tdat_status st = TDAT_OK;

	if (!tdat_cursor_ok(c))
		return tdat_cursor_error(c, err, "the number of event systems");
	for (i = 0; i < systems && st == TDAT_OK; i++) {
		struct tdat_span name = tdat_cursor_cstr(c);
		uint32_t count = tdat_cursor_u32(c);
		size_t before = ix->format_count;
		char *system;

		if (!tdat_cursor_ok(c)) {
			tdat_cursor_error(c, err, "the list of event systems");
			if (err)
				tdat_error_prefix(err, "system %u of %u", i + 1, systems);
			return TDAT_E_DAMAGED;
		}
		system = tdat_arena_strndup(&ix->arena, name.ptr, name.len);
		if (!system)
			return tdat_error_no_memory(err, "event systems");
		st = read_formats(ix, c, system, count, err);
		ix->event_format_count += (uint32_t)(ix->format_count - before);
		ix->system_count++;
	}
	return st;
}

uint32_t dat_cpu_count(const struct dat_index *ix, struct tdat_span data)
{
	uint32_t n = tdat_load32(data.ptr, ix->big);

	return n > ix->limits.cpus && ix->mixed_order ? __builtin_bswap32(n) : n;
}

const char *dat_clock_name(struct dat_index *ix, struct tdat_span text)
{
	const struct tdat_span clock = tdat_active_clock(text);
	char *name = clock.ptr ? tdat_arena_strndup(&ix->arena, clock.ptr, clock.len) : NULL;

	return name ? name : "";
}
