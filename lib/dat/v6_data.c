/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads the part of version 6 behind its metadata: the number of CPUs, options, and a table of
 * offsets and sizes for each buffer; or, in files of latency tracers, text. Each entry of a table
 * is clipped to the file's end and added to the index.
 */
#include <string.h>

#include "option_table.h"
#include "v6.h"

/* Facts that later parts need are taken at once; all else waits in the list. */
static enum tdat_status note_option(struct dat_index *ix, uint16_t id, struct tdat_span data,
				    uint64_t off, struct tdat_error *err)
{
	const struct tdat_file_option opt = {id, off, data};

	if (dat_option_is_cpu_count(&opt)) {
		uint32_t n = tdat_load32(data.ptr, ix->big);

		if (n > ix->limits.cpus)
			return tdat_error_set(
				err, TDAT_E_LIMIT, off,
				"option CPUCOUNT claims %u CPUs, more than limit cpus of %u", n,
				ix->limits.cpus);
		ix->cpu_count = n;
	} else if (dat_option_is_tgids(&opt)) {
		ix->tgids = data;
	}
	return dat_index_add_option(ix, id, off, data, err);
}

/* Ends with id 0. Sizes are limited before the payload is read. */
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
			return v6_note_section(ix, 0, start, w->off - start, "options", err);
		st = v6_uint(w, 4, "an option's size", &len, err);
		if (st == TDAT_OK && len > ix->limits.option_len)
			st = tdat_error_set(err, TDAT_E_LIMIT, w->off,
					    "option %u at offset %llu has %llu bytes, more than "
					    "limit option_len of %u",
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

static bool has_tag(const uint8_t *p, const char *tag, size_t n)
{
	return !memcmp(p, tag, n);
}

/* Linear: asked once a buffer. */
static bool has_option(const struct dat_index *ix, uint16_t id)
{
	size_t i;

	for (i = 0; i < ix->option_count; i++)
		if (ix->options[i].id == id)
			return true;
	return false;
}

/*
 * Reads the {offset, size} table of a buffer. An extent outside the file is damage; its part inside
 * stays readable.
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
 * Reads the clock's text behind a table; only files with option TRACECLOCK have it. Old recorders
 * could corrupt it: then the clock is "local", as for trace-cmd.
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

/* The clock's text lies behind the table if there is an option TRACECLOCK. */
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

/* The text runs to the end of the file; there are no events beside it. */
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
static enum tdat_status read_instance(struct v6_walker *w, const struct tdat_file_option *opt,
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
		const struct tdat_file_option opt = ix->options[i];

		if (opt.id == TDAT_OPTION_BUFFER)
			st = read_instance(w, &opt, err);
	}
	return st;
}
