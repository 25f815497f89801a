/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Joins the options and further sections of all inputs, as far as one file can hold them. A column
 * of lib/dat/option_table.c decides for each option: once, the sum, one of each process, its own
 * order, or left out with a warning. Sections that options lead to are copied if the file does not
 * have the same bytes yet (seen.c, by keyed hashes).
 */
#include <stdio.h>
#include <stdlib.h>

#include "core/text.h"
#include "copy/copy_once.h"
#include "dat/option_table.h"
#include "file/cpustat.h"
#include "merge.h"

/* Adds an option unless the file has it with the same bytes. */
static enum tdat_status add_once(struct merge *m, uint16_t id, struct tdat_span data,
				 struct tdat_error *err)
{
	struct write_meta *meta = &m->w->meta;
	bool found;

	if (!merge_seen_option(&m->seen, meta, id, data, &found))
		return tdat_error_no_memory(err, "options");
	if (found)
		return TDAT_OK;
	return write_meta_option(meta, id, data.len ? (const void *)data.ptr : "", data.len, err);
}

/* Adds an option in the byte order of the new file; one that cannot be byte-swapped is left out. */
static enum tdat_status add_swapped(struct merge *m, const struct merge_part *part,
				    const struct tdat_file_option *o, struct tdat_error *err)
{
	struct tdat_build b;
	enum tdat_status st;

	tdat_build_init(&b, m->w->meta.big);
	st = swap_option(&b, o->id, o->data, part->file->ix.big, err);
	if (st == TDAT_OK)
		st = add_once(m, o->id, (struct tdat_span){b.ptr, b.len}, err);
	else if (st == TDAT_E_UNSUPPORTED)
		st = merge_warn(m, part, err,
				"option %u of %zu bytes is omitted, because its byte order cannot "
				"be changed",
				o->id, o->data.len);
	tdat_build_fini(&b);
	return st;
}

/* ---- statistics of CPUs ---- */

/* Returns what is behind "CPU: N" and sets *cpu to N; NULL for other texts. */
static const uint8_t *after_cpu(struct tdat_span text, unsigned *cpu)
{
	uint64_t v;

	if (text.len < 6 || memcmp(text.ptr, "CPU: ", 5) != 0)
		return NULL;
	text = tdat_span_from(text, 5);
	if (!tdat_take_digits(&text, 10, &v))
		return NULL;
	*cpu = v < UINT32_MAX ? (unsigned)v : UINT32_MAX;
	return text.ptr;
}

/* Adds statistics of one CPU, whose number changes as that of its events does. */
static enum tdat_status add_stat(struct merge *m, const struct merge_part *part,
				 const struct tdat_file_option *o, struct tdat_error *err)
{
	unsigned cpu = 0;
	const uint8_t *rest = after_cpu(o->data, &cpu);
	struct tdat_build b;
	enum tdat_status st;

	if (!rest || !part->cpu_base)
		return write_meta_option(&m->w->meta, o->id, o->data.ptr, o->data.len, err);
	tdat_build_init(&b, false);
	tdat_build_printf(&b, "CPU: %u", cpu + part->cpu_base);
	tdat_build_bytes(&b, rest, (size_t)(o->data.ptr + o->data.len - rest));
	st = b.failed ? tdat_error_no_memory(err, m->w->out.name)
		      : write_meta_option(&m->w->meta, o->id, b.ptr, b.len, err);
	tdat_build_fini(&b);
	return st;
}

/*
 * Adds the head of an instance's statistics. name is that of the instance in its input, empty
 * for the top buffer.
 */
static enum tdat_status head_stats(struct merge *m, const struct merge_part *part,
				   struct tdat_span name, struct tdat_error *err)
{
	bool labelled = m->opts.as == TDAT_MERGE_INSTANCES;
	struct tdat_build b;
	enum tdat_status st;

	tdat_build_init(&b, false);
	tdat_build_str(&b, "\nBuffer: ");
	if (labelled)
		tdat_build_str(&b, part->label);
	if (labelled && name.len)
		tdat_build_u8(&b, ':');
	tdat_build_bytes(&b, name.ptr, name.len);
	tdat_build_cstr(&b, "\n\n");
	st = b.failed ? tdat_error_no_memory(err, m->w->out.name)
		      : write_meta_option(&m->w->meta, TDAT_OPTION_CPUSTAT, b.ptr, b.len, err);
	tdat_build_fini(&b);
	return st;
}

/*
 * Adds the statistics of the top buffer, or of the instances. Options before the first head belong
 * to the top buffer.
 */
static enum tdat_status add_stats(struct merge *m, const struct merge_part *part, bool instances,
				  struct tdat_error *err)
{
	bool headed = m->opts.as != TDAT_MERGE_INSTANCES || instances, within = false;
	const struct tdat_file_option *list;
	enum tdat_status st = TDAT_OK;
	size_t count;

	list = tdat_file_options(part->file, &count);
	for (size_t i = 0; st == TDAT_OK && i < count; i++) {
		struct tdat_span name = {NULL, 0};
		bool head;

		if (dat_option_def(list[i].id)->merge != DAT_MERGE_STATS)
			continue;
		head = cpustat_instance(list[i].data, &name);
		within |= head;
		if (within != instances)
			continue;
		/* An instance needs a head; so does a top buffer that becomes an instance. */
		if (head || !headed)
			st = head_stats(m, part, name, err);
		headed = true;
		if (st == TDAT_OK && !head)
			st = add_stat(m, part, &list[i], err);
	}
	return st;
}

/* ---- maps of processes ---- */

/*
 * Adds the map of a process unless the file has one: readers search by the pid and take the first.
 */
static enum tdat_status add_map(struct merge *m, const struct merge_part *part,
				const struct tdat_file_option *o, struct tdat_error *err)
{
	struct tdat_span pid = merge_map_pid(o->data);
	const struct write_option *first;

	if (!merge_seen_map(&m->seen, &m->w->meta, o->id, o->data, &first))
		return tdat_error_no_memory(err, "options");
	if (!first)
		return write_meta_option(&m->w->meta, o->id,
					 o->data.len ? (const void *)o->data.ptr : "", o->data.len,
					 err);
	if (tdat_span_same((struct tdat_span){first->data, first->len}, o->data))
		return TDAT_OK;
	return merge_warn(m, part, err,
			  "the map of process 0x%.*s is omitted, because an earlier input has a "
			  "different one for this pid",
			  (int)pid.len, (const char *)pid.ptr);
}

/* ---- all of them ---- */

/*
 * True if all inputs have the option with the same bytes. Only then can it be said of the whole
 * file, as by TRACEID.
 */
static bool all_have(const struct merge *m, const struct tdat_file_option *o)
{
	for (size_t i = 0; i < m->count; i++) {
		const struct tdat_file_option *other =
			tdat_file_option_by_id(m->parts[i].file, o->id);

		if (m->parts[i].swapped || !other || !tdat_span_same(other->data, o->data))
			return false;
	}
	return true;
}

/* Adds one option by the column merge of its row. */
static enum tdat_status add_option(struct merge *m, const struct merge_part *part,
				   const struct tdat_file_option *o, struct tdat_error *err)
{
	bool first = part == m->parts;

	if (dat_option_is_cpu_count(o))
		return TDAT_OK; /* the writer's own */
	switch (dat_option_def(o->id)->merge) {
	case DAT_MERGE_NEVER:
	case DAT_MERGE_STATS: /* in an order of their own: add_stats() */
		return TDAT_OK;
	case DAT_MERGE_TIME:
		if (!m->keep_time || !first)
			return TDAT_OK; /* timestamps include it, or the first input has it */
		return write_meta_option(&m->w->meta, o->id, o->data.ptr, o->data.len, err);
	case DAT_MERGE_EQUAL:
		return all_have(m, o) ? add_once(m, o->id, o->data, err) : TDAT_OK;
	case DAT_MERGE_MAPS:
		return add_map(m, part, o, err);
	case DAT_MERGE_ONCE:
		break;
	}
	return part->swapped ? add_swapped(m, part, o, err) : add_once(m, o->id, o->data, err);
}

/* Removes the section that was added last if an earlier input has one of its kind. */
static enum tdat_status settle_section(struct merge *m, const struct merge_part *part,
				       size_t before, struct tdat_error *err)
{
	struct write_meta *meta = &m->w->meta;
	const struct write_raw *last = &meta->raws[meta->raw_count - 1];

	size_t first;

	if (!merge_seen_section(&m->seen, last->id, before, &first))
		return tdat_error_no_memory(err, "sections");
	if (first == before)
		return TDAT_OK;
	meta->raw_count--;
	if (tdat_span_same(meta->raws[first].body, last->body))
		return TDAT_OK;
	return merge_warn(
		m, part, err,
		"section %u of %zu bytes is omitted, because an earlier input has a different one",
		last->id, last->body.len);
}

/* A section whose layout is not known cannot be byte-swapped. */
static enum tdat_status add_section(struct merge *m, const struct merge_part *part,
				    const struct tdat_file_option *o, bool *is_section,
				    struct tdat_error *err)
{
	size_t before = m->w->meta.raw_count;
	enum tdat_status st = copy_file_extra(m->w, part->file, o, is_section, err);

	if (st != TDAT_OK || m->w->meta.raw_count == before)
		return st;
	if (part->swapped && !dat_option_def(o->id)->text_section) {
		m->w->meta.raw_count--;
		return merge_warn(m, part, err,
				  "section %u is omitted, because its byte order cannot be changed",
				  o->id);
	}
	return settle_section(m, part, before, err);
}

/* Repeated options become one first (copy_once.c), as they would in a copy. */
static enum tdat_status add_options(struct merge *m, const struct merge_part *part,
				    struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;
	struct tdat_build text;
	size_t count;

	tdat_build_init(&text, false);
	tdat_file_options(part->file, &count);
	for (size_t i = 0; st == TDAT_OK && i < count; i++) {
		struct tdat_file_option o;
		bool is_section = false;

		if (!copy_option_once(part->file, i, &text, &o))
			continue;
		st = text.failed ? tdat_error_no_memory(err, m->w->out.name)
				 : add_section(m, part, &o, &is_section, err);
		if (st == TDAT_OK && !is_section && !dat_option_is_own(o.id))
			st = add_option(m, part, &o, err);
	}
	tdat_build_fini(&text);
	return st;
}

/*
 * Statistics come last, those of the top buffer before those of instances: readers need that
 * order.
 */
enum tdat_status merge_options(struct merge *m, struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;

	for (size_t i = 0; st == TDAT_OK && i < m->count; i++)
		st = add_options(m, &m->parts[i], err);
	for (size_t i = 0; st == TDAT_OK && i < m->count; i++)
		st = add_stats(m, &m->parts[i], false, err);
	for (size_t i = 0; st == TDAT_OK && i < m->count; i++)
		st = add_stats(m, &m->parts[i], true, err);
	return st;
}
