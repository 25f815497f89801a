/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads version 6: one strictly sequential body (docs/file-format.md, "Version 6"). A walker first
 * finds the length of each part; then the parser that version 7 uses for the same bytes reads the
 * part. Lengths come from the file and are trusted only as far as the file is long. A part that
 * cannot be walked leads to v6_salvage.c in a tolerant open.
 */
#include "option_table.h"
#include "v6.h"

/* Two texts with their names, each behind a size of 8 bytes. */
static enum tdat_status walk_header_pages(struct v6_walker *w, struct tdat_error *err)
{
	enum tdat_status st = v6_skip(w, 12, "header_page", err);

	if (st == TDAT_OK)
		st = v6_blob(w, 8, "header_page", err);
	if (st == TDAT_OK)
		st = v6_skip(w, 13, "header_event", err);
	return st != TDAT_OK ? st : v6_blob(w, 8, "header_event", err);
}

/*
 * Each format has a size before it. A count beyond the limit is followed only as far as it
 * leads to formats.
 */
static enum tdat_status walk_formats(struct v6_walker *w, struct tdat_error *err)
{
	uint64_t count, i;
	enum tdat_status st = v6_uint(w, 4, "the number of event formats", &count, err);

	for (i = 0; st == TDAT_OK && i < count; i++) {
		if (w->ix->tolerate && count > w->ix->limits.formats && !v6_at_format(w))
			break; /* the parser's error says more */
		if (i >= w->ix->limits.formats)
			return tdat_error_set(
				err, TDAT_E_LIMIT, w->off,
				"the file has more than %u event formats (limit formats)",
				w->ix->limits.formats);
		st = v6_blob(w, 8, "an event format", err);
	}
	return st;
}

/* A name with its NUL, then the formats of the system. */
static enum tdat_status walk_systems(struct v6_walker *w, struct tdat_error *err)
{
	uint64_t count, i;
	enum tdat_status st = v6_uint(w, 4, "the number of event systems", &count, err);

	for (i = 0; st == TDAT_OK && i < count; i++) {
		if (w->ix->tolerate && count > w->ix->limits.formats && !v6_at_system(w))
			break;
		st = v6_cstr(w, "an event system's name", err);
		if (st == TDAT_OK)
			st = walk_formats(w, err);
	}
	return st;
}

typedef enum tdat_status (*part_walk)(struct v6_walker *w, struct tdat_error *err);
typedef enum tdat_status (*part_parse)(struct dat_index *ix, struct tdat_cursor *c,
				       struct tdat_error *err);

/* First the walk for the length, then the parser of version 7 over those bytes. */
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
	/* Parts that were parsed before a fault stay, and the place of the next part is known. */
	st = dat_index_tolerate(w->ix, parse(w->ix, &c, err), err);
	return st != TDAT_OK ? st : v6_note_section(w->ix, id, start, s.len, what, err);
}

/* The text is borrowed from the index; its readers parse it on first use. */
static enum tdat_status read_text_part(struct v6_walker *w, uint16_t id, size_t size_len,
				       struct tdat_span *out, struct tdat_error *err)
{
	const char *what = dat_option_def(id)->section;
	uint64_t start = w->part = w->off;
	enum tdat_status st = v6_blob(w, size_len, what, err);

	if (st == TDAT_OK)
		st = dat_index_bytes(w->ix, start + size_len, w->off - start - size_len, what, out,
				     err);
	return st != TDAT_OK ? st : v6_note_section(w->ix, id, start, w->off - start, what, err);
}

/*
 * Reads both headers. A broken size of header_page would hide all that follows: the tag of
 * header_event then shows where to continue.
 */
static enum tdat_status read_headers(struct v6_walker *w, struct tdat_error *err)
{
	enum tdat_status st = read_part(w, TDAT_OPTION_HEADER_INFO, walk_header_pages,
					dat_read_header_pages, err);

	if (st == TDAT_OK || !w->ix->tolerate)
		return st;
	st = dat_index_tolerate(w->ix, st, err);
	return st == TDAT_OK ? v6_salvage_headers(w, err) : st;
}

/* A count beyond the limit becomes 0: tables are then read by their entries. */
static enum tdat_status read_cpu_count(struct v6_walker *w, struct tdat_error *err)
{
	struct dat_index *ix = w->ix;
	enum tdat_status st;
	uint64_t cpus;

	w->part = w->off;
	st = v6_uint(w, 4, "the number of CPUs", &cpus, err);
	if (st == TDAT_OK && cpus > ix->limits.cpus) {
		tdat_error_set(
			err, TDAT_E_LIMIT, w->off - 4,
			"the file claims %llu CPUs at offset %llu, more than limit cpus of %u",
			(unsigned long long)cpus, (unsigned long long)(w->off - 4),
			ix->limits.cpus);
		st = dat_index_tolerate(ix, TDAT_E_LIMIT, err);
		cpus = 0;
	}
	ix->cpu_count = (uint32_t)cpus;
	return st;
}

/* The first failure ends the sequence, as nothing says where the next part begins. */
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

/*
 * Reads all of version 6. A file of which nothing could be read is refused with its first finding.
 */
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
