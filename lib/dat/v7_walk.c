/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Walks the section heads of a version 7 file, names the sections, and orders its buffers. The walk
 * lists all sections for callers and finds those that nothing points to. Offsets of targets are
 * sorted for a binary search; sections of CPU data are compared with the buffers: buffers x
 * sections.
 */
#include <stdlib.h>
#include <string.h>

#include "core/search.h"

#include "option_table.h"
#include "v7.h"

/* The most empty heads in a row: beyond them the rest of a file is padding. */
enum { ZEROS_MOST = 4096 };

/*
 * Lists the sections, which follow each other without gaps. A section that the end of the file cuts
 * is listed up to there.
 */
static enum tdat_status walk_sections(struct dat_index *ix, uint64_t off, struct tdat_error *err)
{
	uint64_t total = tdat_source_len(ix->src), left;
	unsigned zeros = 0;
	enum tdat_status st = TDAT_OK;

	while (st == TDAT_OK && off < total) {
		bool news = !ix->damage_count; /* after other findings a cut is none */
		struct v7_head h;

		st = v7_read_head(ix, off, &h, err);
		if (st != TDAT_OK)
			return news ? dat_index_tolerate(ix, st, err) : TDAT_OK;
		if (!h.s.id && !h.s.body_len) {
			if (++zeros == ZEROS_MOST)
				return TDAT_OK;
			off = h.s.body_off;
			continue;
		}
		zeros = 0;
		left = total - h.s.body_off;
		if (h.s.body_len > left && news)
			st = dat_index_tolerate(ix,
						tdat_error_set(err, TDAT_E_DAMAGED, off,
							       "section %u at offset %llu claims "
							       "%llu bytes, but only %llu are left",
							       h.s.id, (unsigned long long)off,
							       (unsigned long long)h.s.body_len,
							       (unsigned long long)left),
						err);
		if (h.s.body_len > left)
			h.s.body_len = left;
		if (st == TDAT_OK)
			st = dat_index_add_section(ix, &h.s, err);
		if (st == TDAT_E_LIMIT)
			return dat_index_tolerate(ix, st, err);
		off = h.s.body_off + h.s.body_len;
	}
	return st;
}

/* All STRINGS sections in file order are one table of names. */
static enum tdat_status read_strings(struct dat_index *ix, struct tdat_span *strings,
				     struct tdat_error *err)
{
	uint8_t *all = NULL;
	size_t i, len = 0, room = 0;

	for (i = 0; i < ix->section_count; i++) {
		struct v7_head h;
		struct tdat_span body;
		enum tdat_status st;
		uint8_t *bigger;

		if (ix->sections[i].id != TDAT_OPTION_STRINGS)
			continue;
		st = v7_read_body(ix, ix->sections[i].off, TDAT_OPTION_STRINGS, "strings", &h,
				  &body, err);
		if (st != TDAT_OK)
			return st;
		if (!all || body.len > room - len) {
			/* Twice as much each time: many small sections are not copied for each. */
			room = 2 * (len + body.len) + 64;
			bigger = tdat_arena_alloc(&ix->arena, room);
			if (!bigger)
				return tdat_error_no_memory(err, "section names");
			if (len)
				memcpy(bigger, all, len);
			all = bigger;
		}
		if (body.len)
			memcpy(all + len, body.ptr, body.len);
		len += body.len;
	}
	*strings = (struct tdat_span){all, len};
	return TDAT_OK;
}

static enum tdat_status name_sections(struct dat_index *ix, struct tdat_error *err)
{
	struct tdat_span strings = {NULL, 0};
	enum tdat_status st = read_strings(ix, &strings, err);
	size_t i;

	/* Nothing depends on names: their loss is not reported beside other damage. */
	if (st != TDAT_OK && !ix->damage_count)
		st = dat_index_tolerate(ix, st, err);
	else if (st == TDAT_E_DAMAGED || st == TDAT_E_LIMIT)
		st = TDAT_OK;
	for (i = 0; st == TDAT_OK && i < ix->section_count; i++) {
		struct tdat_section *s = &ix->sections[i];
		struct v7_head h;

		if (v7_read_head(ix, s->off, &h, NULL) != TDAT_OK || h.string_id == UINT32_MAX)
			continue;
		if (h.string_id >= strings.len) {
			/* Recorders lose some of them; none at all is a file that was cut. */
			ix->strings_lost |= !strings.ptr;
			continue;
		}
		s->description = tdat_arena_strndup(&ix->arena, strings.ptr + h.string_id,
						    strnlen((const char *)strings.ptr + h.string_id,
							    strings.len - h.string_id));
		if (!s->description)
			return tdat_error_no_memory(err, "section names");
	}
	return st;
}

/* The section to which an option leads. */
struct target {
	uint64_t off;
	uint16_t id;
};

static int by_off_and_id(const void *a, const void *b)
{
	const struct target *x = a, *y = b;

	return TDAT_ORDER(x->off, y->off, TDAT_ORDER(x->id, y->id, 0));
}

/* Returns all targets, sorted, to be freed; NULL: no memory. */
static struct target *list_targets(const struct dat_index *ix, size_t *count)
{
	struct target *list = calloc(ix->option_count + 1, sizeof(*list));
	size_t i;

	*count = 0;
	for (i = 0; list && i < ix->option_count; i++) {
		const struct tdat_file_option *o = &ix->options[i];

		if (o->data.len >= 8)
			list[(*count)++] =
				(struct target){tdat_load64(o->data.ptr, ix->big), o->id};
	}
	if (list)
		qsort(list, *count, sizeof(*list), by_off_and_id);
	return list;
}

/* True if anything in the file leads to the section. */
static bool is_reached(const struct dat_index *ix, const struct tdat_section *s,
		       const struct target *targets, size_t target_count)
{
	const struct target wanted = {s->off, s->id};
	size_t i;

	switch (dat_option_role(s->id)) {
	case DAT_ROLE_STRINGS:
		return true;
	case DAT_ROLE_END:
		return v7_options_seen(ix, s->off);
	case DAT_ROLE_DATA:
		for (i = 0; i < ix->buffer_count; i++)
			if (ix->buffers[i].off == s->off)
				return true;
		return !s->body_len;
	default:
		return bsearch(&wanted, targets, target_count, sizeof(wanted), by_off_and_id) ||
		       !dat_option_def(s->id)->name; /* whatever it is, it is not ours */
	}
}

/* Reports sections that no option names: their options are lost. */
static enum tdat_status check_reached(struct dat_index *ix, struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;
	size_t i, count = ix->section_count, target_count;
	struct target *targets;

	if (ix->damage_count)
		return TDAT_OK; /* not beside other damage */
	targets = list_targets(ix, &target_count);
	if (!targets)
		return tdat_error_no_memory(err, "the offsets of sections");
	for (i = 0; st == TDAT_OK && i < count; i++) {
		const struct tdat_section *s = &ix->sections[i];

		if (is_reached(ix, s, targets, target_count))
			continue;
		tdat_error_set(err, TDAT_E_DAMAGED, s->off,
			       "no option refers to section %u \"%.64s\" at offset %llu", s->id,
			       s->description, (unsigned long long)s->off);
		st = dat_index_tolerate(ix, TDAT_E_DAMAGED, err);
	}
	free(targets);
	return st;
}

enum tdat_status v7_walk(struct dat_index *ix, uint64_t off, struct tdat_error *err)
{
	enum tdat_status st = walk_sections(ix, off, err);

	if (st == TDAT_OK)
		st = name_sections(ix, err);
	return st == TDAT_OK ? check_reached(ix, err) : st;
}

/*
 * Moves top buffers to the front. The last of several comes first, as libtracecmd takes that one.
 */
static void top_first(struct dat_index *ix)
{
	size_t i, k;

	for (i = 0; i < ix->buffer_count; i++) {
		const struct tdat_buffer b = ix->buffers[i];

		if (*b.name)
			continue;
		for (k = i; k; k--)
			ix->buffers[k] = ix->buffers[k - 1];
		ix->buffers[0] = b;
	}
}

/* Counts the CPUs: without option CPUCOUNT the highest CPU of the top buffer shows their number. */
static void count_cpus(struct dat_index *ix)
{
	size_t i;

	for (i = 0; i < ix->buffer_count; i++) {
		const struct tdat_buffer *b = &ix->buffers[i];

		if (!*b->name && b->cpu_count && b->cpus[b->cpu_count - 1].cpu >= ix->cpu_count)
			ix->cpu_count = b->cpus[b->cpu_count - 1].cpu + 1;
	}
}

void v7_order_buffers(struct dat_index *ix)
{
	top_first(ix);
	count_cpus(ix);
}
