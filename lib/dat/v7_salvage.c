/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A cut version 7 file has lost the options that come last, BUFFER among them.
 * The sections before the cut are still there, one behind the other: metadata
 * is taken by its id, CPU data by looking at its pages.
 */
#include <stdio.h>
#include <string.h>

#include "../core/checked.h"
#include "chunk.h"
#include "page.h"
#include "v7.h"

static bool buffer_known(const struct dat_index *ix, uint64_t off)
{
	size_t i;

	for (i = 0; i < ix->buffer_count; i++)
		if (ix->buffers[i].off == off)
			return true;
	return false;
}

static bool metadata_missing(const struct dat_index *ix, uint16_t id)
{
	switch (id) {
	case TDAT_OPTION_HEADER_INFO:
		return !ix->header_page.ptr;
	case TDAT_OPTION_FTRACE_EVENTS:
		return !ix->ftrace_format_count;
	case TDAT_OPTION_EVENT_FORMATS:
		return !ix->event_format_count;
	case TDAT_OPTION_KALLSYMS:
		return !ix->kallsyms.ptr;
	case TDAT_OPTION_PRINTK:
		return !ix->printk.ptr;
	case TDAT_OPTION_CMDLINES:
		return !ix->cmdlines.ptr;
	default:
		return false;
	}
}

/* Options sections that the chain did not reach, and what they lead to. */
static enum tdat_status salvage_options(struct dat_index *ix, uint64_t off,
					struct tdat_error *err)
{
	size_t before = ix->option_count;
	enum tdat_status st = TDAT_OK;
	uint64_t next;

	if (v7_options_seen(ix, off))
		return TDAT_OK;
	st = dat_index_tolerate(ix, v7_read_options(ix, off, &next, err), err);
	for (; st == TDAT_OK && before < ix->option_count; before++)
		st = dat_index_tolerate(ix, v7_follow_option(ix, before, err), err);
	return st;
}

/* ---- CPU data without its option ---- */

struct cpu_list {
	struct tdat_cpu *cpus;
	uint32_t count, cap;
};

static enum tdat_status add_cpu(struct dat_index *ix, struct cpu_list *l, uint64_t off,
				uint64_t len, struct tdat_error *err)
{
	struct tdat_cpu *bigger;

	if (l->count >= ix->limits.cpus)
		return tdat_error_set(err, TDAT_E_LIMIT, off, "more than %u CPUs (limit cpus)",
				      ix->limits.cpus);
	if (l->count == l->cap) {
		uint32_t cap = l->cap ? l->cap * 2 : 16;

		bigger = tdat_arena_array(&ix->arena, cap, sizeof(*bigger));
		if (!bigger)
			return tdat_error_set(err, TDAT_E_NOMEM, off, "no memory for CPUs");
		if (l->count)
			memcpy(bigger, l->cpus, l->count * sizeof(*bigger));
		l->cpus = bigger;
		l->cap = cap;
	}
	l->cpus[l->count] = (struct tdat_cpu){l->count, off, len};
	l->count++;
	return TDAT_OK;
}

/* The page's time stamp when there is a plausible page header at off. */
static bool page_time(const struct dat_index *ix, uint64_t off, uint64_t *ts)
{
	uint8_t raw[16];
	uint64_t commit;

	if (!tdat_range_ok(off, sizeof(raw), tdat_source_len(ix->src)) ||
	    tdat_source_read(ix->src, off, raw, sizeof(raw), NULL) != TDAT_OK)
		return false;
	*ts = tdat_load64(raw, ix->big);
	commit = tdat_load_uint(raw + 8, ix->kernel_long_size, ix->big);
	return *ts && ((uint32_t)commit & DAT_COMMIT_LEN_MASK) <=
			      ix->page_size - ix->header_data_off;
}

/*
 * Plain pages lie CPU behind CPU, in order of time within each: where time goes
 * back a new CPU starts. (Two CPUs that did not overlap look like one.)
 */
static enum tdat_status find_plain(struct dat_index *ix, uint64_t off, uint64_t end,
				   struct cpu_list *l, struct tdat_error *err)
{
	uint64_t start = off, before = 0, ts;
	enum tdat_status st = TDAT_OK;

	for (; st == TDAT_OK && off < end; off += ix->page_size) {
		if (!page_time(ix, off, &ts))
			continue;
		if (off > start && ts < before) {
			st = add_cpu(ix, l, start, off - start, err);
			start = off;
		}
		before = ts;
	}
	if (st == TDAT_OK && start < end)
		st = add_cpu(ix, l, start, end - start, err);
	return st;
}

/* Compressed data tells its end: after all chunks, at the next page. */
static enum tdat_status find_chunked(struct dat_index *ix, uint64_t off, uint64_t end,
				     struct cpu_list *l, struct tdat_error *err)
{
	while (off < end) {
		struct dat_chunks c;
		uint64_t next;
		bool more = true, cut = false;
		enum tdat_status st = dat_chunks_init(&c, ix, off, end - off, err);

		while (st == TDAT_OK && more)
			st = dat_chunks_next(&c, &more, err);
		if (st == TDAT_E_DAMAGED || st == TDAT_E_LIMIT) {
			tdat_error_reset(err);
			cut = true;
		} else if (st != TDAT_OK) {
			return st;
		}
		next = cut ? end : c.off;
		st = add_cpu(ix, l, off, next - off, err);
		if (st != TDAT_OK || cut || !tdat_align_u64(next, ix->page_size, &off))
			return st;
	}
	return TDAT_OK;
}

static enum tdat_status salvage_buffer(struct dat_index *ix, const struct tdat_section *s,
				       struct tdat_error *err)
{
	uint64_t end = s->body_off + s->body_len, off;
	struct tdat_buffer b = {.clock = "", .page_size = ix->page_size, .off = s->off,
				.compressed = s->compressed && ix->codec};
	struct cpu_list l = {NULL, 0, 0};
	char name[32] = "";
	enum tdat_status st;

	if (!tdat_align_u64(s->body_off, ix->page_size, &off) || off >= end)
		return TDAT_OK;
	st = b.compressed ? find_chunked(ix, off, end, &l, err) : find_plain(ix, off, end, &l, err);
	if (st != TDAT_OK || !l.count)
		return st;
	if (ix->buffer_count)
		snprintf(name, sizeof(name), "lost-name-%zu", ix->buffer_count);
	b.name = tdat_arena_strndup(&ix->arena, name, strlen(name));
	if (!b.name)
		return tdat_error_set(err, TDAT_E_NOMEM, s->off, "no memory for buffers");
	b.cpus = l.cpus;
	b.cpu_count = l.count;
	/* Every finding of this kind has been told by the cut itself. */
	ix->cut_cpu_count++;
	return dat_index_add_buffer(ix, &b, err);
}

enum tdat_status v7_salvage(struct dat_index *ix, struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;
	size_t i, n = ix->section_count;

	/* Options first: they may still lead to the rest. */
	for (i = 0; st == TDAT_OK && i < n; i++)
		if (ix->sections[i].id == TDAT_OPTION_DONE)
			st = salvage_options(ix, ix->sections[i].off, err);
	for (i = 0; st == TDAT_OK && i < n; i++) {
		const struct tdat_section s = ix->sections[i];

		if (metadata_missing(ix, s.id)) {
			st = v7_read_metadata(ix, s.id, s.off, err);
			if (st == TDAT_E_DAMAGED || st == TDAT_E_LIMIT) {
				/* Cut with the file, which has been told. */
				tdat_error_reset(err);
				st = TDAT_OK;
			}
		} else if (s.id == TDAT_OPTION_BUFFER && !buffer_known(ix, s.off)) {
			st = salvage_buffer(ix, &s, err);
		}
	}
	return st;
}
