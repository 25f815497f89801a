/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads version 6: one strictly sequential body (docs/file-format.md, "Version 6"). A walker
 * first finds how long each part is, then the part is read whole by the parser that version 7
 * uses for the same bytes.
 */
#include <string.h>

#include "core/checked.h"
#include "option_table.h"
#include "v6.h"

/* Gives n (<= sizeof(buf)) bytes at w->off, which stays; what is named in an error. */
enum tdat_status v6_peek(struct v6_walker *w, size_t n, const char *what, const uint8_t **out,
			 struct tdat_error *err)
{
	uint64_t total = tdat_source_len(w->ix->src), left;
	enum tdat_status st;

	*out = NULL;
	if (w->off < w->buf_off || w->off - w->buf_off > w->buf_len ||
	    n > w->buf_len - (size_t)(w->off - w->buf_off)) {
		left = w->off < total ? total - w->off : 0;
		w->buf_off = w->off;
		w->buf_len = left < sizeof(w->buf) ? (size_t)left : sizeof(w->buf);
		st = tdat_source_read(w->ix->src, w->buf_off, w->buf, w->buf_len, err);
		if (st != TDAT_OK) {
			w->buf_len = 0;
			return st;
		}
		if (n > w->buf_len)
			return tdat_error_set(err, TDAT_E_DAMAGED, w->off,
					      "%s is cut: %zu bytes needed at offset %llu, but the "
					      "file ends at %llu",
					      what, n, (unsigned long long)w->off,
					      (unsigned long long)total);
	}
	*out = w->buf + (w->off - w->buf_off);
	return TDAT_OK;
}

enum tdat_status v6_uint(struct v6_walker *w, size_t n, const char *what, uint64_t *v,
			 struct tdat_error *err)
{
	const uint8_t *p;
	enum tdat_status st = v6_peek(w, n, what, &p, err);

	*v = 0;
	if (!p)
		return st;
	*v = tdat_load_uint(p, n, w->ix->big);
	w->off += n;
	return TDAT_OK;
}

static enum tdat_status walk_skip(struct v6_walker *w, uint64_t n, const char *what,
				  struct tdat_error *err)
{
	uint64_t total = tdat_source_len(w->ix->src);

	if (!tdat_range_ok(w->off, n, total))
		return tdat_error_set(err, TDAT_E_DAMAGED, w->off,
				      "%s is cut: %llu bytes needed at offset %llu, but the file "
				      "ends at %llu",
				      what, (unsigned long long)n, (unsigned long long)w->off,
				      (unsigned long long)total);
	w->off += n;
	return TDAT_OK;
}

/* Skips a size of size_len bytes and as many bytes as it says. */
enum tdat_status v6_blob(struct v6_walker *w, size_t size_len, const char *what,
			 struct tdat_error *err)
{
	uint64_t n;
	enum tdat_status st = v6_uint(w, size_len, what, &n, err);

	return st != TDAT_OK ? st : walk_skip(w, n, what, err);
}

static enum tdat_status walk_cstr(struct v6_walker *w, const char *what, struct tdat_error *err)
{
	uint64_t start = w->off, c = 1;
	enum tdat_status st = TDAT_OK;

	while (st == TDAT_OK && c) {
		if (w->off - start > 65536)
			return tdat_error_set(err, TDAT_E_DAMAGED, start,
					      "%s at offset %llu has no end", what,
					      (unsigned long long)start);
		st = v6_uint(w, 1, what, &c, err);
	}
	return st;
}

static enum tdat_status walk_header_pages(struct v6_walker *w, struct tdat_error *err)
{
	enum tdat_status st = walk_skip(w, 12, "header_page", err);

	if (st == TDAT_OK)
		st = v6_blob(w, 8, "header_page", err);
	if (st == TDAT_OK)
		st = walk_skip(w, 13, "header_event", err);
	return st != TDAT_OK ? st : v6_blob(w, 8, "header_event", err);
}

static enum tdat_status walk_formats(struct v6_walker *w, struct tdat_error *err)
{
	uint64_t count, i;
	enum tdat_status st = v6_uint(w, 4, "the number of event formats", &count, err);

	for (i = 0; st == TDAT_OK && i < count; i++) {
		if (w->ix->tolerate && count > w->ix->limits.formats && !v6_at_format(w))
			break; /* the parser's error says more */
		if (i >= w->ix->limits.formats)
			return tdat_error_set(err, TDAT_E_LIMIT, w->off,
					      "more than %u event formats (limit formats)",
					      w->ix->limits.formats);
		st = v6_blob(w, 8, "an event format", err);
	}
	return st;
}

static enum tdat_status walk_systems(struct v6_walker *w, struct tdat_error *err)
{
	uint64_t count, i;
	enum tdat_status st = v6_uint(w, 4, "the number of event systems", &count, err);

	for (i = 0; st == TDAT_OK && i < count; i++) {
		if (w->ix->tolerate && count > w->ix->limits.formats && !v6_at_system(w))
			break;
		st = walk_cstr(w, "an event system's name", err);
		if (st == TDAT_OK)
			st = walk_formats(w, err);
	}
	return st;
}

typedef enum tdat_status (*part_walk)(struct v6_walker *w, struct tdat_error *err);
typedef enum tdat_status (*part_parse)(struct dat_index *ix, struct tdat_cursor *c,
				       struct tdat_error *err);

static enum tdat_status note_section(struct dat_index *ix, uint16_t id, uint64_t off, uint64_t len,
				     const char *description, struct tdat_error *err)
{
	const struct tdat_section s = {
		.id = id, .off = off, .body_off = off, .body_len = len, .description = description};

	return dat_index_add_section(ix, &s, err);
}

static enum tdat_status read_part(struct v6_walker *w, uint16_t id, part_walk walk,
				  part_parse parse, struct tdat_error *err)
{
	const char *what = dat_option_def(id)->section;
	uint64_t start = w->part = w->off;
	struct tdat_span s;
	struct tdat_cursor c;
	enum tdat_status st = walk(w, err);

	if (st == TDAT_OK)
		st = dat_index_bytes(w->ix, start, w->off - start, what, &s, err);
	if (st != TDAT_OK)
		return st;
	c = tdat_cursor_init(s.ptr, s.len, start, w->ix->big);
	/* What was parsed before a fault stays, and it is known where the next part is. */
	st = dat_index_tolerate(w->ix, parse(w->ix, &c, err), err);
	return st != TDAT_OK ? st : note_section(w->ix, id, start, s.len, what, err);
}

static enum tdat_status read_text_part(struct v6_walker *w, uint16_t id, size_t size_len,
				       struct tdat_span *out, struct tdat_error *err)
{
	const char *what = dat_option_def(id)->section;
	uint64_t start = w->part = w->off;
	enum tdat_status st = v6_blob(w, size_len, what, err);

	if (st == TDAT_OK)
		st = dat_index_bytes(w->ix, start + size_len, w->off - start - size_len, what, out,
				     err);
	return st != TDAT_OK ? st : note_section(w->ix, id, start, w->off - start, what, err);
}

/* ---- options ---- */

static enum tdat_status note_option(struct dat_index *ix, uint16_t id, struct tdat_span data,
				    uint64_t off, struct tdat_error *err)
{
	const struct tdat_option opt = {id, off, data};

	if (dat_option_is_cpu_count(&opt)) {
		uint32_t n = tdat_load32(data.ptr, ix->big);

		if (n > ix->limits.cpus)
			return tdat_error_set(err, TDAT_E_LIMIT, off,
					      "option CPUCOUNT says %u CPUs, limit cpus is %u", n,
					      ix->limits.cpus);
		ix->cpu_count = n;
	} else if (dat_option_is_tgids(&opt)) {
		ix->tgids = data;
	}
	return dat_index_add_option(ix, id, off, data, err);
}

static enum tdat_status read_options(struct v6_walker *w, struct tdat_error *err)
{
	struct dat_index *ix = w->ix;
	uint64_t start = w->off;
	enum tdat_status st;

	for (;;) {
		struct tdat_span data = {NULL, 0};
		uint64_t id, len;

		st = v6_uint(w, 2, "the list of options", &id, err);
		if (st != TDAT_OK)
			return st;
		if (id == TDAT_OPTION_DONE)
			return note_section(ix, 0, start, w->off - start, "options", err);
		st = v6_uint(w, 4, "an option's size", &len, err);
		if (st == TDAT_OK && len > ix->limits.option_len)
			st = tdat_error_set(err, TDAT_E_LIMIT, w->off,
					    "option %u at offset %llu has %llu bytes, limit "
					    "option_len is %u",
					    (unsigned)id, (unsigned long long)w->off,
					    (unsigned long long)len, ix->limits.option_len);
		if (st == TDAT_OK)
			st = dat_index_bytes(ix, w->off, len, "an option", &data, err);
		if (st == TDAT_OK)
			st = note_option(ix, (uint16_t)id, data, w->off, err);
		if (st != TDAT_OK)
			return st;
		w->off += len;
	}
}

/* ---- CPU tables ---- */

static bool has_tag(const uint8_t *p, const char *tag, size_t n)
{
	return !memcmp(p, tag, n);
}

static bool has_option(const struct dat_index *ix, uint16_t id)
{
	size_t i;

	for (i = 0; i < ix->option_count; i++)
		if (ix->options[i].id == id)
			return true;
	return false;
}

/*
 * The {offset, size} table of a buffer. An extent outside the file is damage;
 * what of it is inside stays readable.
 */
static enum tdat_status read_table(struct v6_walker *w, struct tdat_buffer *b,
				   struct tdat_error *err)
{
	struct dat_index *ix = w->ix;
	enum tdat_status st = TDAT_OK;
	struct tdat_cpu *cpus;
	uint32_t i;

	if (!ix->cpu_count && ix->damage_count) /* the number in the file made no sense */
		ix->cpu_count = v6_guess_cpus(w);
	cpus = tdat_arena_array(&ix->arena, ix->cpu_count, sizeof(*cpus));

	if (!cpus && ix->cpu_count)
		return tdat_error_set(err, TDAT_E_NOMEM, TDAT_NO_OFFSET, "no memory for %u CPUs",
				      ix->cpu_count);
	for (i = 0; i < ix->cpu_count && st == TDAT_OK; i++) {
		uint64_t at = w->off;

		cpus[i].cpu = i;
		st = v6_uint(w, 8, "the table of CPU data", &cpus[i].off, err);
		if (st == TDAT_OK)
			st = v6_uint(w, 8, "the table of CPU data", &cpus[i].len, err);
		if (st == TDAT_OK)
			st = dat_index_clip_cpu(ix, &cpus[i], b->name, at, err);
	}
	b->cpus = cpus;
	b->cpu_count = ix->cpu_count;
	return st;
}

/*
 * The clock text behind a table, there only with option TRACECLOCK. Old
 * recorders could corrupt it: then "local" is what trace-cmd takes, too.
 */
static void read_clock_block(struct v6_walker *w, struct tdat_buffer *b)
{
	struct dat_index *ix = w->ix;
	struct tdat_span text;
	uint64_t len;

	if (v6_uint(w, 8, "clock", &len, NULL) != TDAT_OK || len > 4096 ||
	    dat_index_bytes(ix, w->off, len, "clock", &text, NULL) != TDAT_OK) {
		b->clock = "local";
		return;
	}
	b->clock = dat_clock_name(ix, text);
}

enum tdat_status v6_read_flyrecord(struct v6_walker *w, const char *name, uint64_t tag_off,
				   struct tdat_error *err)
{
	struct dat_index *ix = w->ix;
	struct tdat_buffer b = {
		.name = name, .clock = "", .page_size = ix->page_size, .off = tag_off};
	enum tdat_status st = read_table(w, &b, err);

	if (st != TDAT_OK)
		return st;
	if (has_option(ix, TDAT_OPTION_TRACECLOCK))
		read_clock_block(w, &b);
	return dat_index_add_buffer(ix, &b, err);
}

enum tdat_status v6_read_latency(struct v6_walker *w, struct tdat_error *err)
{
	struct dat_index *ix = w->ix;
	const struct tdat_buffer b = {.name = "",
				      .clock = "",
				      .page_size = ix->page_size,
				      .latency = true,
				      .off = w->off};
	uint64_t len = tdat_source_len(ix->src) - w->off;
	enum tdat_status st =
		dat_index_bytes(ix, w->off, len, "the latency trace", &ix->latency, err);

	return st != TDAT_OK ? st : dat_index_add_buffer(ix, &b, err);
}

static bool tag_at(struct v6_walker *w, uint64_t off)
{
	const uint8_t *p;

	w->off = off;
	return off < tdat_source_len(w->ix->src) && v6_peek(w, 10, "a tag", &p, NULL) == TDAT_OK &&
	       has_tag(p, "flyrecord", 9);
}

/* An instance: option BUFFER gives where its flyrecord tag is (§3.1). */
static enum tdat_status read_instance(struct v6_walker *w, const struct tdat_option *opt,
				      struct tdat_error *err)
{
	struct dat_index *ix = w->ix;
	struct tdat_cursor c = tdat_cursor_init(opt->data.ptr, opt->data.len, opt->off, ix->big);
	uint64_t off = tdat_cursor_u64(&c);
	struct tdat_span name = tdat_cursor_cstr(&c);
	char *copy;

	if (!tdat_cursor_ok(&c))
		return dat_index_tolerate(ix, tdat_cursor_error(&c, err, "option BUFFER"), err);
	/* Versions 3.x may name the top buffer in an option, too; it was read before. */
	if (!name.len && ix->buffer_count &&
	    (off == ix->buffers[0].off || __builtin_bswap64(off) == ix->buffers[0].off))
		return TDAT_OK;
	/* Writers patch the offset in their host's order, whatever the file's. */
	if (!tag_at(w, off) && tag_at(w, __builtin_bswap64(off)))
		off = __builtin_bswap64(off);
	w->lost_instance |= !tag_at(w, off);
	if (!tag_at(w, off))
		return dat_index_tolerate(
			ix,
			tdat_error_set(err, TDAT_E_DAMAGED, opt->off,
				       "buffer \"%.64s\" should be at offset %llu, but there is no "
				       "\"flyrecord\" there",
				       (const char *)name.ptr, (unsigned long long)off),
			err);
	copy = tdat_arena_strndup(&ix->arena, name.ptr, name.len);
	if (!copy)
		return tdat_error_no_memory(err, "buffers");
	w->off = off + 10;
	return v6_read_flyrecord(w, copy, off, err);
}

/* From the CPU count on: tag, options, tag, tables. */
enum tdat_status v6_read_data(struct v6_walker *w, struct tdat_error *err)
{
	struct dat_index *ix = w->ix;
	enum tdat_status st;
	const uint8_t *p;
	size_t i, n;

	st = v6_peek(w, 10, "the kind of data", &p, err);
	if (st == TDAT_OK && has_tag(p, "options", 7)) {
		w->off += 10;
		st = read_options(w, err);
		if (st == TDAT_OK)
			st = v6_peek(w, 10, "the kind of data", &p, err);
	}
	if (st != TDAT_OK)
		return st;
	if (has_tag(p, "latency", 7)) {
		w->off += 10;
		return v6_read_latency(w, err);
	}
	if (!has_tag(p, "flyrecord", 9))
		return tdat_error_set(
			err, TDAT_E_DAMAGED, w->off,
			"expected \"options\", \"latency\" or \"flyrecord\" at offset "
			"%llu, found \"%.9s\"",
			(unsigned long long)w->off, (const char *)p);
	w->off += 10;
	st = v6_read_flyrecord(w, "", w->off - 10, err);
	for (i = 0, n = ix->option_count; st == TDAT_OK && i < n; i++) {
		const struct tdat_option opt = ix->options[i];

		if (opt.id == TDAT_OPTION_BUFFER)
			st = read_instance(w, &opt, err);
	}
	return st;
}

static enum tdat_status read_headers(struct v6_walker *w, struct tdat_error *err)
{
	enum tdat_status st = read_part(w, TDAT_OPTION_HEADER_INFO, walk_header_pages,
					dat_read_header_pages, err);

	if (st == TDAT_OK || !w->ix->tolerate)
		return st;
	st = dat_index_tolerate(w->ix, st, err);
	return st == TDAT_OK ? v6_salvage_headers(w, err) : st;
}

static enum tdat_status read_cpu_count(struct v6_walker *w, struct tdat_error *err)
{
	struct dat_index *ix = w->ix;
	enum tdat_status st;
	uint64_t cpus;

	w->part = w->off;
	st = v6_uint(w, 4, "the number of CPUs", &cpus, err);
	if (st == TDAT_OK && cpus > ix->limits.cpus) {
		tdat_error_set(err, TDAT_E_LIMIT, w->off - 4,
			       "%llu CPUs at offset %llu, limit cpus is %u",
			       (unsigned long long)cpus, (unsigned long long)(w->off - 4),
			       ix->limits.cpus);
		st = dat_index_tolerate(ix, TDAT_E_LIMIT, err);
		cpus = 0;
	}
	ix->cpu_count = (uint32_t)cpus;
	return st;
}

static enum tdat_status read_all(struct v6_walker *w, struct tdat_error *err)
{
	struct dat_index *ix = w->ix;
	enum tdat_status st;

	if ((st = read_headers(w, err)) ||
	    (st = read_part(w, TDAT_OPTION_FTRACE_EVENTS, walk_formats, dat_read_ftrace_formats,
			    err)) ||
	    (st = read_part(w, TDAT_OPTION_EVENT_FORMATS, walk_systems, dat_read_event_formats,
			    err)) ||
	    (st = read_text_part(w, TDAT_OPTION_KALLSYMS, 4, &ix->kallsyms, err)) ||
	    (st = read_text_part(w, TDAT_OPTION_PRINTK, 4, &ix->printk, err)) ||
	    (st = read_text_part(w, TDAT_OPTION_CMDLINES, 8, &ix->cmdlines, err)) ||
	    (st = read_cpu_count(w, err)))
		return st;
	w->part = w->off;
	w->in_data = true;
	return v6_read_data(w, err);
}

enum tdat_status dat_read_v6(struct dat_index *ix, uint64_t off, struct tdat_error *err)
{
	struct v6_walker w = {.ix = ix, .off = off, .part = off};
	enum tdat_status st = read_all(&w, err);
	bool broken = st != TDAT_OK;

	st = dat_index_tolerate(ix, st, err);
	if (st == TDAT_OK && (broken || w.lost_instance))
		st = v6_salvage(&w, err);
	if (st == TDAT_OK && ix->damage_count && !ix->format_count && !ix->buffer_count) {
		/* There is nothing to read at all: the first finding says why. */
		if (err)
			*err = ix->damage[0];
		return ix->damage[0].status;
	}
	return st;
}
