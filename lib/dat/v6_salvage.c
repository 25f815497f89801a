/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Continues behind a broken part of version 6, where a wrong size hides all that follows. Tags
 * between the parts, and page headers, show where to continue. Called by v6.c in tolerant opens
 * only. Each find is a finding as well. CPU data found by its pages is listed like any other.
 */
#include <stdio.h>
#include <string.h>

#include "scan.h"
#include "v6.h"

/*
 * Returns the offset of the next tag from off on, or UINT64_MAX. Programs may write tags into
 * events: a tag within a page is skipped.
 */
static uint64_t next_tag(const struct dat_index *ix, const char *tag, uint64_t off)
{
	uint64_t ts;

	while ((off = dat_scan_tag(ix, tag, off)) != UINT64_MAX && off % ix->page_size &&
	       dat_scan_page(ix, ix->page_size, off - off % ix->page_size, &ts))
		off += ix->page_size - off % ix->page_size;
	return off;
}

/*
 * Reads header_page by the tag behind it. The tag must be near: header_page has some hundred bytes.
 */
enum tdat_status v6_salvage_headers(struct v6_walker *w, struct tdat_error *err)
{
	struct dat_index *ix = w->ix;
	uint64_t text = w->part + 12 + 8, tag = dat_scan_tag(ix, "header_event", text);
	enum tdat_status st;

	/* header_page is some hundred bytes. */
	if (tag == UINT64_MAX || tag - text > 65536)
		return tdat_error_set(err, TDAT_E_DAMAGED, w->part, "header_event is missing");
	st = dat_index_bytes(ix, text, tag - text, "header_page", &ix->header_page, err);
	w->off = tag + 13;
	if (st == TDAT_OK) {
		dat_note_page_layout(ix);
		st = v6_blob(w, 8, "header_event", err);
	}
	if (st == TDAT_OK)
		st = dat_index_bytes(ix, tag + 21, w->off - tag - 21, "header_event",
				     &ix->header_event, err);
	return st;
}

/* True if each entry has a possible offset and length: other bytes are not a table. */
static bool table_is_sound(struct v6_walker *w)
{
	uint64_t total = tdat_source_len(w->ix->src), start = w->off, off = 0, len = 0;
	bool sound = w->ix->cpu_count != 0;
	uint32_t i;

	for (i = 0; sound && i < w->ix->cpu_count; i++)
		sound = v6_uint(w, 8, "CPU data", &off, NULL) == TDAT_OK &&
			v6_uint(w, 8, "CPU data", &len, NULL) == TDAT_OK &&
			off % w->ix->page_size == 0 && (off > start || !len) && off <= total;
	w->off = start;
	return sound;
}

/* A buffer is known by its tag or by its name. */
static bool is_known(const struct dat_index *ix, uint64_t tag, const char *name, size_t len)
{
	size_t i;

	for (i = 0; i < ix->buffer_count; i++)
		if (ix->buffers[i].off == tag || (name && strlen(ix->buffers[i].name) == len &&
						  !memcmp(ix->buffers[i].name, name, len)))
			return true;
	return false;
}

/* Returns the name of the first instance that has an option and was not found, or NULL. */
static const char *missing_name(struct dat_index *ix)
{
	char lost[32];
	size_t i;

	for (i = 0; i < ix->option_count; i++) {
		const struct tdat_file_option *o = &ix->options[i];
		const char *name = (const char *)o->data.ptr + 8;
		size_t len;

		if (o->id != TDAT_OPTION_BUFFER || o->data.len < 9)
			continue;
		len = strnlen(name, o->data.len - 8);
		if (len && !is_known(ix, UINT64_MAX, name, len))
			return tdat_arena_strndup(&ix->arena, name, len);
	}
	snprintf(lost, sizeof(lost), "lost-name-%zu", ix->buffer_count);
	return tdat_arena_strndup(&ix->arena, lost, strlen(lost));
}

/* Reads all tables that were not read yet; the first one is the top buffer's. */
static enum tdat_status salvage_tables(struct v6_walker *w, struct tdat_error *err)
{
	struct dat_index *ix = w->ix;
	enum tdat_status st = TDAT_OK;
	uint64_t tag = w->part;

	while (st == TDAT_OK && (tag = next_tag(ix, "flyrecord", tag)) != UINT64_MAX) {
		w->off = tag + 10;
		if (!ix->cpu_count)
			ix->cpu_count = v6_guess_cpus(w);
		if (!is_known(ix, tag, NULL, 0) && table_is_sound(w)) {
			const char *name = ix->buffer_count ? missing_name(ix) : "";

			st = name ? v6_read_flyrecord(w, name, tag, err) : TDAT_E_NOMEM;
		}
		tag += 10;
	}
	return st;
}

/* Searches for pages, which are recognized by their heads, if no tag is left. */
static enum tdat_status salvage_pages(struct v6_walker *w, struct tdat_error *err)
{
	struct dat_index *ix = w->ix;
	struct tdat_buffer b = {
		.name = "", .clock = "", .page_size = ix->page_size, .off = w->part};
	uint64_t off = w->part + ix->page_size - 1;
	struct dat_cpu_list l = {NULL, 0, 0};
	enum tdat_status st;

	off -= off % ix->page_size;
	st = dat_scan_plain(ix, ix->page_size, off, tdat_source_len(ix->src), UINT32_MAX, &l, err);
	if (st != TDAT_OK || !l.count)
		return st;
	b.cpus = l.cpus;
	b.cpu_count = l.count;
	if (ix->cpu_count < l.count)
		ix->cpu_count = l.count;
	return dat_index_add_buffer(ix, &b, err);
}

/* Drops a failure whose cause was reported before. */
static enum tdat_status drop_known(enum tdat_status st, struct tdat_error *err)
{
	if (st != TDAT_E_DAMAGED && st != TDAT_E_LIMIT)
		return st;
	tdat_error_reset(err);
	return TDAT_OK;
}

/* First options by their tag, then tables, then latency text, and only then pages. */
enum tdat_status v6_salvage(struct v6_walker *w, struct tdat_error *err)
{
	struct dat_index *ix = w->ix;
	enum tdat_status st = TDAT_OK;
	uint64_t tag = w->in_data ? UINT64_MAX : next_tag(ix, "options  ", w->part), cpus;

	if (tag != UINT64_MAX && tag >= w->part + 4) {
		w->off = tag - 4;
		st = v6_uint(w, 4, "the number of CPUs", &cpus, err);
		ix->cpu_count = st == TDAT_OK && cpus <= ix->limits.cpus ? (uint32_t)cpus : 0;
		if (st == TDAT_OK)
			st = drop_known(v6_read_data(w, err), err);
	}
	if (st == TDAT_OK && !ix->latency.ptr)
		st = drop_known(salvage_tables(w, err), err);
	if (st != TDAT_OK || ix->buffer_count)
		return st;
	tag = next_tag(ix, "latency  ", w->part);
	if (tag != UINT64_MAX) {
		w->off = tag + 10;
		return v6_read_latency(w, err);
	}
	return drop_known(salvage_pages(w, err), err);
}
