/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads version 7 files that are cut: they have lost the options that come last, BUFFER among them.
 * The sections before the cut are still there, one behind the other. Metadata is recognized by its
 * id, CPU data by its pages. Called by v7.c if the chain of options is broken. Buffers are compared
 * with each section: buffers x sections, both within the limits.
 */
#include <stdio.h>
#include <string.h>

#include "core/checked.h"
#include "scan.h"
#include "v7.h"

/* Linear: buffers x sections, in broken files only. */
static bool buffer_known(const struct dat_index *ix, uint64_t off)
{
	size_t i;

	for (i = 0; i < ix->buffer_count; i++)
		if (ix->buffers[i].off == off)
			return true;
	return false;
}

/* Only parts that no option led to are read from their section. */
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

/* Reads options sections that the chain did not reach, and what they lead to. */
static enum tdat_status salvage_options(struct dat_index *ix, uint64_t off, struct tdat_error *err)
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

/* trace-cmd's description of the section holds the buffer's name. */
static const char *section_buffer(const struct tdat_section *s)
{
	static const char prefix[] = "buffer flyrecord ";
	size_t n = sizeof(prefix) - 1;

	return strlen(s->description) >= n && !memcmp(s->description, prefix, n)
		       ? s->description + n
		       : NULL;
}

/* The section's head says how long the data was; the walk cut its length to the end of the file. */
static enum tdat_status tell_missing(struct dat_index *ix, const struct tdat_section *s,
				     uint32_t found, struct tdat_error *err)
{
	struct v7_head h;
	enum tdat_status st = v7_read_head(ix, s->off, &h, err);

	if (st != TDAT_OK || h.s.body_len == s->body_len ||
	    !tdat_add_u64(ix->missing_len, h.s.body_len - s->body_len, &ix->missing_len))
		return st;
	tdat_error_set(
		err, TDAT_E_DAMAGED, s->off,
		"the file ends at %llu, but the CPU data at offset %llu should be %llu bytes: "
		"data of %u of %u CPUs is left",
		(unsigned long long)tdat_source_len(ix->src), (unsigned long long)s->body_off,
		(unsigned long long)h.s.body_len, found,
		found > ix->cpu_count ? found : ix->cpu_count);
	return dat_index_tolerate(ix, TDAT_E_DAMAGED, err);
}

/* CPUs are found by their pages, since their table was in the lost option. */
static enum tdat_status salvage_buffer(struct dat_index *ix, const struct tdat_section *s,
				       struct tdat_error *err)
{
	uint64_t end = s->body_off + s->body_len, off;
	struct tdat_buffer b = {.clock = "",
				.page_size = ix->page_size,
				.off = s->off,
				.compressed = s->compressed && ix->codec};
	struct dat_cpu_list l = {NULL, 0, 0};
	const uint64_t missing = ix->missing_len;
	char name[32] = "";
	enum tdat_status st;

	if (!tdat_align_u64(s->body_off, ix->page_size, &off) || off >= end)
		return tell_missing(ix, s, 0, err);
	st = b.compressed ? dat_scan_chunked(ix, ix->page_size, off, end, UINT32_MAX, &l, err)
			  : dat_scan_plain(ix, ix->page_size, off, end, UINT32_MAX, &l, err);
	if (st == TDAT_OK)
		st = tell_missing(ix, s, (uint32_t)l.count, err);
	if (st != TDAT_OK || !l.count)
		return st;
	b.name = section_buffer(s);
	if (!b.name && ix->buffer_count)
		snprintf(name, sizeof(name), "lost-name-%zu", ix->buffer_count);
	if (!b.name)
		b.name = tdat_arena_strndup(&ix->arena, name, strlen(name));
	if (!b.name)
		return tdat_error_set(err, TDAT_E_NOMEM, s->off, "no memory for buffers");
	if (ix->missing_len > missing) {
		l.cpus[l.count - 1].missing_len = UINT64_MAX;
		b.lost_cpu_count = ix->cpu_count > l.count ? ix->cpu_count - l.count : 0;
	}
	b.cpus = l.cpus;
	b.cpu_count = l.count;
	/* The finding about the cut includes all of this kind. */
	ix->cut_cpu_count++;
	return dat_index_add_buffer(ix, &b, err);
}

/* Takes latency text, cut or not; compressed text only as a whole. */
static enum tdat_status salvage_latency(struct dat_index *ix, const struct tdat_section *s,
					struct tdat_error *err)
{
	const struct tdat_buffer b = {.name = "",
				      .clock = "",
				      .page_size = ix->page_size,
				      .off = s->off,
				      .compressed = s->compressed && ix->codec,
				      .latency = true};
	enum tdat_status st = v7_read_latency(ix, s, err);

	if (st == TDAT_E_DAMAGED || st == TDAT_E_LIMIT) {
		tdat_error_reset(err);
		return TDAT_OK;
	}
	return st == TDAT_OK ? dat_index_add_buffer(ix, &b, err) : st;
}

/* Sections are copied from the list, which grows while options are read. */
enum tdat_status v7_salvage(struct dat_index *ix, struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;
	size_t i, n = ix->section_count;

	/* Options come first: they may still lead to the rest. */
	for (i = 0; st == TDAT_OK && i < n; i++)
		if (ix->sections[i].id == TDAT_OPTION_DONE)
			st = salvage_options(ix, ix->sections[i].off, err);
	for (i = 0; st == TDAT_OK && i < n; i++) {
		const struct tdat_section s = ix->sections[i];

		if (metadata_missing(ix, s.id)) {
			st = v7_read_metadata(ix, s.id, s.off, err);
			if (st == TDAT_E_DAMAGED || st == TDAT_E_LIMIT) {
				/* It is cut with the file, which was reported. */
				tdat_error_reset(err);
				st = TDAT_OK;
			}
		} else if (s.id == TDAT_OPTION_BUFFER && !buffer_known(ix, s.off)) {
			st = salvage_buffer(ix, &s, err);
		} else if (s.id == TDAT_OPTION_BUFFER_TEXT && !ix->latency.ptr) {
			st = salvage_latency(ix, &s, err);
		}
	}
	return st;
}
