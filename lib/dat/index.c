/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Makes the index of a trace.dat: reads what versions 6 and 7 have in common, and frees it. */
#include "index.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/checked.h"
#include "core/grow.h"
#include "core/search.h"
#include "option_table.h"
#include "page_size.h"

enum { OLDEST_VERSION = 6, NEWEST_VERSION = 7, TEXT_BASE = 16 << 20 };

static const uint8_t magic[10] = {0x17, 0x08, 0x44, 't', 'r', 'a', 'c', 'i', 'n', 'g'};

/* Makes room for one more element in *array, a pointer to elements of elem bytes. */
static enum tdat_status grow(void *array, size_t *cap, size_t count, size_t elem,
			     struct tdat_error *err)
{
	void *p;

	memcpy(&p, array, sizeof(p));
	p = tdat_grown(p, cap, count + 1, elem);
	if (!p)
		return tdat_error_no_memory(err, "the file's index");
	memcpy(array, &p, sizeof(p));
	return TDAT_OK;
}

enum tdat_status dat_index_bytes(struct dat_index *ix, uint64_t off, uint64_t len, const char *what,
				 struct tdat_span *out, struct tdat_error *err)
{
	uint64_t total = tdat_source_len(ix->src);
	enum tdat_status st;
	uint8_t *copy;

	out->ptr = NULL;
	out->len = 0;
	if (!tdat_range_ok(off, len, total))
		return tdat_error_set(err, TDAT_E_DAMAGED, off,
				      "%s is cut: %llu bytes needed at offset %llu, but the file "
				      "ends at %llu",
				      what, (unsigned long long)len, (unsigned long long)off,
				      (unsigned long long)total);
	if (len > ix->limits.section_len)
		return tdat_error_set(err, TDAT_E_LIMIT, off,
				      "%s at offset %llu has %llu bytes, limit section_len is %llu",
				      what, (unsigned long long)off, (unsigned long long)len,
				      (unsigned long long)ix->limits.section_len);
	if (len >= SIZE_MAX) /* a limit may be beyond what 32 bits count */
		return tdat_error_set(err, TDAT_E_NOMEM, off, "no memory for %s", what);
	out->ptr = tdat_source_peek(ix->src, off, (size_t)len);
	if (!out->ptr) {
		copy = tdat_arena_alloc(&ix->arena, (size_t)len + 1);
		if (!copy)
			return tdat_error_set(err, TDAT_E_NOMEM, off, "no memory for %s", what);
		st = tdat_source_read(ix->src, off, copy, (size_t)len, err);
		if (st != TDAT_OK)
			return st;
		out->ptr = copy;
	}
	out->len = (size_t)len;
	return TDAT_OK;
}

enum tdat_status dat_inflate_text(const struct tdat_limits *limits, uint64_t file_len,
				  uint64_t *sum, const char *what, uint64_t off, uint64_t len,
				  struct tdat_error *err)
{
	uint64_t ratio = limits->text_ratio, max;

	if (len > limits->section_len)
		return tdat_error_set(err, TDAT_E_LIMIT, off,
				      "%s at offset %llu inflates to %llu bytes, limit section_len "
				      "is %llu",
				      what, (unsigned long long)off, (unsigned long long)len,
				      (unsigned long long)limits->section_len);
	if (!tdat_mul_u64(file_len, ratio, &max) || max > UINT64_MAX - TEXT_BASE)
		max = UINT64_MAX - TEXT_BASE;
	max += TEXT_BASE;
	if (len > max - *sum)
		return tdat_error_set(
			err, TDAT_E_LIMIT, off,
			"%s at offset %llu inflates to %llu bytes, and limit text_ratio "
			"of %llu leaves %llu to this file",
			what, (unsigned long long)off, (unsigned long long)len,
			(unsigned long long)ratio, (unsigned long long)(max - *sum));
	*sum += len;
	return TDAT_OK;
}

enum tdat_status dat_index_inflate(struct dat_index *ix, const char *what, uint64_t off,
				   uint64_t len, struct tdat_error *err)
{
	return dat_inflate_text(&ix->limits, tdat_source_len(ix->src), &ix->inflated_len, what, off,
				len, err);
}

enum tdat_status dat_index_tolerate(struct dat_index *ix, enum tdat_status status,
				    struct tdat_error *err)
{
	if (status == TDAT_OK || !ix->tolerate || !err ||
	    (status != TDAT_E_DAMAGED && status != TDAT_E_LIMIT))
		return status;
	if (grow(&ix->damage, &ix->damage_cap, ix->damage_count, sizeof(*ix->damage), NULL))
		return TDAT_E_NOMEM;
	ix->damage[ix->damage_count++] = *err;
	tdat_error_reset(err);
	return TDAT_OK;
}

enum tdat_status dat_index_clip_cpu(struct dat_index *ix, struct tdat_cpu *cpu, const char *buffer,
				    uint64_t at, struct tdat_error *err)
{
	uint64_t total = tdat_source_len(ix->src);
	enum tdat_status st = TDAT_OK;
	struct tdat_error own;

	if (!cpu->len || tdat_range_ok(cpu->off, cpu->len, total))
		return TDAT_OK;
	if (!ix->cut_cpu_count++) {
		st = tdat_error_set(
			err ? err : &own, TDAT_E_DAMAGED, at,
			"the file ends at %llu, but the data of CPU %u%s%.64s should be "
			"%llu bytes at offset %llu",
			(unsigned long long)total, cpu->cpu, *buffer ? " of buffer " : "", buffer,
			(unsigned long long)cpu->len, (unsigned long long)cpu->off);
		st = dat_index_tolerate(ix, st, err ? err : &own);
		ix->cut_finding = ix->damage_count;
	}
	ix->missing_len += cpu->len;
	if (cpu->off >= total)
		ix->outside_len += cpu->len;
	cpu->len = cpu->off < total ? total - cpu->off : 0;
	ix->missing_len -= cpu->len;
	return st;
}

/* Other CPUs that are cut by the same end of the file go into the same finding. */
static void count_cut_cpus(struct dat_index *ix)
{
	struct tdat_error *e;
	size_t used;

	if (!ix->cut_finding || ix->cut_cpu_count < 2)
		return;
	e = &ix->damage[ix->cut_finding - 1];
	used = strlen(e->message);
	snprintf(e->message + used, sizeof(e->message) - used, " (and %zu more CPUs are cut)",
		 ix->cut_cpu_count - 1);
}

enum tdat_status dat_index_add_section(struct dat_index *ix, const struct tdat_section *section,
				       struct tdat_error *err)
{
	enum tdat_status st;

	if (ix->section_count >= ix->limits.sections)
		return tdat_error_set(err, TDAT_E_LIMIT, section->off,
				      "more than %u sections (limit sections)",
				      ix->limits.sections);
	st = grow(&ix->sections, &ix->section_cap, ix->section_count, sizeof(*section), err);
	if (st == TDAT_OK)
		ix->sections[ix->section_count++] = *section;
	return st;
}

const struct tdat_section *dat_section_at(const struct tdat_section *list, size_t count,
					  uint64_t off)
{
	size_t i;

	TDAT_SEARCH(i, count, list[i].off < off);
	return i < count && list[i].off == off ? &list[i] : NULL;
}

enum tdat_status dat_index_note_options(struct dat_index *ix, uint64_t off, struct tdat_error *err)
{
	enum tdat_status st;

	if (ix->option_section_count >= ix->limits.sections)
		return tdat_error_set(err, TDAT_E_LIMIT, off,
				      "more than %u options sections (limit sections)",
				      ix->limits.sections);
	st = grow(&ix->option_sections, &ix->option_section_cap, ix->option_section_count,
		  sizeof(off), err);
	if (st == TDAT_OK)
		ix->option_sections[ix->option_section_count++] = off;
	return st;
}

enum tdat_status dat_index_add_option(struct dat_index *ix, uint16_t id, uint64_t off,
				      struct tdat_span data, struct tdat_error *err)
{
	enum tdat_status st;

	if (ix->option_count >= ix->limits.options)
		return tdat_error_set(err, TDAT_E_LIMIT, off,
				      "more than %u options (limit options)", ix->limits.options);
	st = grow(&ix->options, &ix->option_cap, ix->option_count, sizeof(*ix->options), err);
	if (st == TDAT_OK)
		ix->options[ix->option_count++] = (struct tdat_option){id, off, data};
	return st;
}

/* What readers do with the first of two options of an id that a file should have once. */
static enum tdat_status repeated_found(struct dat_index *ix, const struct tdat_option *first,
				       const struct tdat_option *second, struct tdat_error *err)
{
	const struct dat_option_def *def = dat_option_def(first->id);

	tdat_error_set(err, TDAT_E_DAMAGED, first->off,
		       "option %s is there twice, at offsets %llu and %llu: %s", def->name,
		       (unsigned long long)first->off, (unsigned long long)second->off,
		       def->summed    ? "both are added up"
		       : def->section ? "what the first leads to is not used"
				      : "the first is not used");
	return dat_index_tolerate(ix, TDAT_E_DAMAGED, err);
}

/*
 * Makes findings, after all options are known, of those that a file should have once: others are
 * not used, or are counted twice.
 */
static enum tdat_status index_repeated(struct dat_index *ix, struct tdat_error *err)
{
	const struct tdat_option *last[TDAT_OPTION_SAVED_TGIDS + 1] = {NULL};
	enum tdat_status st = TDAT_OK;
	size_t i;

	for (i = 0; st == TDAT_OK && i < ix->option_count; i++) {
		const struct tdat_option *o = &ix->options[i], *before;
		const struct dat_option_def *def = dat_option_def(o->id);

		if (!def->once)
			continue;
		before = last[o->id];
		last[o->id] = o;
		if (before && (def->summed || before->data.len != o->data.len ||
			       (o->data.len && memcmp(before->data.ptr, o->data.ptr, o->data.len))))
			st = repeated_found(ix, before, o, err);
	}
	return st;
}

enum tdat_status dat_index_add_buffer(struct dat_index *ix, const struct tdat_buffer *buffer,
				      struct tdat_error *err)
{
	enum tdat_status st;

	if (ix->buffer_count >= ix->limits.buffers)
		return tdat_error_set(err, TDAT_E_LIMIT, buffer->off,
				      "more than %u buffers (limit buffers)", ix->limits.buffers);
	st = grow(&ix->buffers, &ix->buffer_cap, ix->buffer_count, sizeof(*buffer), err);
	if (st == TDAT_OK)
		ix->buffers[ix->buffer_count++] = *buffer;
	return st;
}

static enum tdat_status add_format(struct dat_index *ix, const char *system, struct tdat_span text,
				   uint64_t off, struct tdat_error *err)
{
	enum tdat_status st;

	if (ix->format_count >= ix->limits.formats)
		return tdat_error_set(err, TDAT_E_LIMIT, off,
				      "more than %u event formats (limit formats)",
				      ix->limits.formats);
	st = grow(&ix->formats, &ix->format_cap, ix->format_count, sizeof(*ix->formats), err);
	if (st == TDAT_OK)
		ix->formats[ix->format_count++] = (struct dat_format_text){system, text, off};
	return st;
}

enum tdat_status dat_read_text(struct tdat_cursor *c, unsigned size_len, const char *what,
			       struct tdat_span *out, struct tdat_error *err)
{
	uint64_t off = tdat_cursor_off(c);
	uint64_t len = size_len == 8 ? tdat_cursor_u64(c) : tdat_cursor_u32(c);

	if (!tdat_cursor_ok(c))
		return tdat_cursor_error(c, err, what);
	if (len > tdat_cursor_left(c))
		return tdat_error_set(err, TDAT_E_DAMAGED, off,
				      "%s claims %llu bytes at offset %llu, %zu are left", what,
				      (unsigned long long)len, (unsigned long long)off,
				      tdat_cursor_left(c));
	*out = tdat_cursor_bytes(c, (size_t)len);
	return TDAT_OK;
}

/* Returns the number after key in the line of header_page that names field; -1 without one. */
static int64_t page_field(struct tdat_span text, const char *field, const char *key)
{
	size_t n = strlen(field), k = strlen(key);
	const char *p = (const char *)text.ptr, *end = p + text.len;

	while (p < end) {
		const char *eol = memchr(p, '\n', (size_t)(end - p));
		const char *hit, *num;
		int64_t v = 0;

		if (!eol)
			eol = end;
		hit = memmem(p, (size_t)(eol - p), field, n);
		num = hit ? memmem(hit, (size_t)(eol - hit), key, k) : NULL;
		p = eol + 1;
		if (!num)
			continue;
		for (num += k; num < eol && *num >= '0' && *num <= '9' && v < 1 << 24; num++)
			v = v * 10 + (*num - '0');
		return v;
	}
	return -1;
}

/* Whether the line up to eol names that field: "field: TYPE NAME;..." */
static bool names_field(const char *line, const char *eol, const char *name)
{
	const char *end = memchr(line, ';', (size_t)(eol - line));
	size_t n = strlen(name);

	return end && (size_t)(end - line) > n + 1 && !memcmp(end - n, name, n) &&
	       (end[-(ptrdiff_t)n - 1] == ' ' || end[-(ptrdiff_t)n - 1] == '\t');
}

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
	return next == 4;
}

/*
 * header_page has the width of commit and where data starts; the byte in the file's head has
 * neither.
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
				"an event format has %zu bytes, limit format_len is %u", text.len,
				ix->limits.format_len);
		if (st == TDAT_OK)
			st = add_format(ix, system, text, off + 8, err);
	}
	if (st == TDAT_E_DAMAGED && err)
		tdat_error_prefix(err, "format %u of %u of system %.64s", i, count, system);
	return st;
}

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
	const uint8_t *open = text.len ? memchr(text.ptr, '[', text.len) : NULL;
	const uint8_t *end = text.ptr + text.len, *close;
	char *name;

	if (!open)
		return "";
	close = memchr(open, ']', (size_t)(end - open));
	if (!close)
		return "";
	name = tdat_arena_strndup(&ix->arena, open + 1, (size_t)(close - open - 1));
	return name ? name : "";
}

/* Version digits, up to their NUL; any length, strictly decimal. */
static enum tdat_status read_version(struct dat_index *ix, struct tdat_cursor *c,
				     struct tdat_error *err)
{
	uint64_t off = tdat_cursor_off(c);
	struct tdat_span s = tdat_cursor_cstr(c);
	uint32_t v = 0;
	size_t i;

	if (!tdat_cursor_ok(c))
		return tdat_error_set(err, TDAT_E_DAMAGED, off,
				      "the version at offset %llu has no end",
				      (unsigned long long)off);
	for (i = 0; i < s.len; i++) {
		if (s.ptr[i] < '0' || s.ptr[i] > '9' || v > 1000000)
			break;
		v = v * 10 + (uint32_t)(s.ptr[i] - '0');
	}
	if (i < s.len || !s.len)
		return tdat_error_set(err, TDAT_E_FORMAT, off,
				      "the version at offset %llu is \"%.*s\", expected a number",
				      (unsigned long long)off, (int)(s.len > 32 ? 32 : s.len),
				      (const char *)s.ptr);
	if (v < OLDEST_VERSION || v > NEWEST_VERSION)
		return tdat_error_set(err, TDAT_E_UNSUPPORTED, off,
				      "file version %u is not supported, %d and %d are", v,
				      OLDEST_VERSION, NEWEST_VERSION);
	ix->version = v;
	return TDAT_OK;
}

/*
 * Whether the bytes are raw pages: a stamp, and a commit that a page can have, in one of both
 * byte orders.
 */
static bool looks_like_pages(const struct tdat_cursor *c, uint64_t total)
{
	int big;

	if (c->len < 64 || total % 4096)
		return false;
	for (big = 0; big < 2; big++) {
		uint64_t ts = tdat_load64(c->base, big), commit = tdat_load64(c->base + 8, big);

		commit &= ~(1ull << 31 | 1ull << 30);
		if (ts && ts >> 60 == 0 && commit >= 8 && commit < 65536 && commit % 4 == 0)
			return true;
	}
	return false;
}

static enum tdat_status check_magic(struct tdat_cursor *c, uint64_t total, struct tdat_error *err)
{
	struct tdat_span m = tdat_cursor_bytes(c, sizeof(magic));

	if (!m.ptr)
		return tdat_error_set(err, TDAT_E_FORMAT, 0,
				      "not a trace.dat file: it has only %zu bytes", c->len);
	if (memcmp(m.ptr, magic, sizeof(magic)) && looks_like_pages(c, total))
		return tdat_error_set(err, TDAT_E_FORMAT, 0,
				      "not a trace.dat file, but raw pages of one CPU, as a killed "
				      "recorder leaves them: repair joins them with a trace.dat");
	if (memcmp(m.ptr, magic, sizeof(magic)))
		return tdat_error_set(err, TDAT_E_FORMAT, 0,
				      "not a trace.dat file: it starts with %02x %02x %02x, "
				      "expected 17 08 44 \"tracing\"",
				      m.ptr[0], m.ptr[1], m.ptr[2]);
	/* perf.data stores a header of its own behind the same magic. */
	if (tdat_cursor_left(c) >= 3 && c->base[c->pos] == '0' && c->base[c->pos + 1] == '.')
		return tdat_error_set(err, TDAT_E_UNSUPPORTED, sizeof(magic),
				      "this is the tracing header of a perf.data file (version "
				      "%.3s), not a trace.dat",
				      (const char *)c->base + c->pos);
	return TDAT_OK;
}

/* Returns how far a page size is from those of real machines; the least is the best. */
static uint32_t page_size_doubt(uint32_t size)
{
	return size >= 1024 && !(size & (size - 1)) ? size : UINT32_MAX;
}

/*
 * Guesses the byte order where its byte is neither 0 nor 1: the one in which the page size
 * makes more sense.
 */
static enum tdat_status guess_order(struct dat_index *ix, struct tdat_cursor *c, uint8_t found,
				    uint64_t off, struct tdat_error *err)
{
	struct tdat_cursor size = *c;
	uint32_t little;

	tdat_cursor_u8(&size); /* of long */
	size.big = false;
	little = tdat_cursor_u32(&size);
	c->big = page_size_doubt(__builtin_bswap32(little)) < page_size_doubt(little);
	tdat_error_set(err, TDAT_E_DAMAGED, off,
		       "the byte order at offset %llu is %u, expected 0 or 1",
		       (unsigned long long)off, found);
	return dat_index_tolerate(ix, TDAT_E_DAMAGED, err);
}

/* Byte order, long size, page size (§2). */
static enum tdat_status read_machine(struct dat_index *ix, struct tdat_cursor *c,
				     struct tdat_error *err)
{
	uint64_t off = tdat_cursor_off(c);
	uint8_t endian = tdat_cursor_u8(c);
	enum tdat_status st = TDAT_OK;

	c->big = endian == 1;
	if (endian > 1 && tdat_cursor_left(c) >= 5)
		st = guess_order(ix, c, endian, off, err);
	ix->long_size = tdat_cursor_u8(c);
	ix->big = c->big;
	ix->page_size = tdat_cursor_u32(c);
	if (!tdat_cursor_ok(c))
		return tdat_cursor_error(c, err, "the header");
	if (st == TDAT_OK && ix->long_size != 4 && ix->long_size != 8) {
		tdat_error_set(err, TDAT_E_DAMAGED, off + 1,
			       "the long size at offset %llu is %u, expected 4 or 8",
			       (unsigned long long)(off + 1), ix->long_size);
		st = dat_index_tolerate(ix, TDAT_E_DAMAGED, err);
		ix->long_size = 8; /* of pages whose header_page says so */
	}
	if (st != TDAT_OK)
		return st;
	if (ix->page_size < 64 || ix->page_size > ix->limits.page_len) {
		st = tdat_error_set(
			err, ix->page_size < 64 ? TDAT_E_DAMAGED : TDAT_E_LIMIT, off + 2,
			"the page size at offset %llu is %u, expected 64 to limit "
			"page_len of %u",
			(unsigned long long)(off + 2), ix->page_size, ix->limits.page_len);
		st = dat_index_tolerate(ix, st, err);
		if (st != TDAT_OK)
			return st;
		ix->page_size = 4096;
		ix->page_size_lost = true;
	}
	ix->kernel_long_size = ix->long_size;
	ix->header_data_off = 8u + ix->long_size; /* unless header_page knows better */
	return TDAT_OK;
}

static enum tdat_status read_compression(struct dat_index *ix, struct tdat_cursor *c,
					 struct tdat_error *err)
{
	uint64_t off = tdat_cursor_off(c);
	struct tdat_span name = tdat_cursor_cstr(c);
	struct tdat_span version = tdat_cursor_cstr(c);

	if (!tdat_cursor_ok(c))
		return tdat_cursor_error(c, err, "the compression name");
	ix->compression = tdat_arena_strndup(&ix->arena, name.ptr, name.len);
	ix->compression_version = tdat_arena_strndup(&ix->arena, version.ptr, version.len);
	if (!ix->compression || !ix->compression_version)
		return tdat_error_set(err, TDAT_E_NOMEM, TDAT_NO_OFFSET, "no memory");
	ix->codec = tdat_codec_find(ix->compression);
	if (!ix->codec && strcmp(ix->compression, "none"))
		return tdat_error_set(err, TDAT_E_UNSUPPORTED, off,
				      "compression \"%.64s\" is not known, \"none\", \"zlib\" and "
				      "\"zstd\" are",
				      ix->compression);
	return TDAT_OK;
}

static void limits_default(struct tdat_limits *l)
{
	const struct tdat_limits d = TDAT_LIMITS_INIT;

#define DEFAULT(field)                                                                             \
	do {                                                                                       \
		if (!l->field)                                                                     \
			l->field = d.field;                                                        \
	} while (0)
	DEFAULT(sections);
	DEFAULT(options);
	DEFAULT(option_len);
	DEFAULT(formats);
	DEFAULT(format_len);
	DEFAULT(buffers);
	DEFAULT(cpus);
	DEFAULT(page_len);
	DEFAULT(section_len);
	DEFAULT(chunk_len);
	DEFAULT(print_steps);
	DEFAULT(print_len);
	DEFAULT(text_ratio);
	DEFAULT(data_ratio);
	DEFAULT(name_len);
	DEFAULT(fields);
#undef DEFAULT
}

enum tdat_status dat_index_read(struct dat_index *ix, const struct tdat_source *src,
				const struct tdat_limits *limits, bool tolerate,
				struct tdat_error *err)
{
	uint64_t total = tdat_source_len(src);
	uint8_t head[4096]; /* its contents are dropped */
	size_t head_len = total < sizeof(head) ? (size_t)total : sizeof(head);
	struct tdat_cursor c;
	enum tdat_status st;

	memset(ix, 0, sizeof(*ix));
	ix->src = src;
	ix->limits = *limits;
	ix->tolerate = tolerate;
	ix->compression = ix->compression_version = "";
	limits_default(&ix->limits);

	st = tdat_source_read(src, 0, head, head_len, err);
	if (st != TDAT_OK)
		return st;
	c = tdat_cursor_init(head, head_len, 0, false);
	if ((st = check_magic(&c, total, err)) || (st = read_version(ix, &c, err)) ||
	    (st = read_machine(ix, &c, err)))
		return st;
	if (ix->version == 6) {
		st = dat_read_v6(ix, tdat_cursor_off(&c), err);
	} else {
		st = read_compression(ix, &c, err);
		if (st == TDAT_OK)
			st = dat_read_v7(ix, tdat_cursor_off(&c), err);
	}
	if (st == TDAT_OK)
		st = index_repeated(ix, err);
	if (st == TDAT_OK)
		st = dat_index_page_sizes(ix, err);
	if (st == TDAT_OK)
		st = dat_index_settle(ix, err);
	count_cut_cpus(ix);
	return st;
}

void dat_index_fini(struct dat_index *ix)
{
	free(ix->formats);
	free(ix->options);
	free(ix->sections);
	free(ix->option_sections);
	free(ix->buffers);
	free(ix->damage);
	tdat_arena_fini(&ix->arena);
	memset(ix, 0, sizeof(*ix));
}
