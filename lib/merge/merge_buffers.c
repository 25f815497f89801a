/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Decides on the buffers, CPU numbers and clocks of the merged file. A buffer is found by its
 * name, so that equal names become one buffer; with TDAT_MERGE_INSTANCES the input's label
 * makes names differ. The page size is the largest of those that are joined. Clocks that differ
 * are reported, as their times may have nothing to do with each other.
 */
#include <stdio.h>

#include "merge.h"

/*
 * Returns the name that a buffer of a part has in the new file; "": the top buffer. NULL: no
 * memory.
 */
static const char *new_name(struct merge *m, const struct merge_part *part, const char *name)
{
	if (m->opts.as != TDAT_MERGE_INSTANCES)
		return name;
	if (!*name)
		return part->label;
	return tdat_arena_printf(&m->w->meta.arena, "%s:%s", part->label, name);
}

/* NULL: the clock of the file. */
static const char *new_clock(const struct merge *m, const struct merge_part *part,
			     const struct tdat_buffer *buf)
{
	if (!m->keep_time && part->file->clock.mult)
		return "tsc2nsec"; /* timestamps are converted */
	return *buf->clock ? buf->clock : NULL;
}

/* Returns the number of the writer's buffer of that name, or the count of buffers. */
static uint32_t find_buffer(const struct merge *m, const char *name)
{
	uint32_t i = 0;

	while (i < m->w->buffer_count && strcmp(m->w->buffers[i]->name, name))
		i++;
	return i;
}

static enum tdat_status name_taken(const struct merge_part *part, const char *name,
				   struct tdat_error *err)
{
	return tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET,
			      "two inputs would become the instance \"%s\"; the second is %s", name,
			      merge_name(part));
}

/*
 * Adds a buffer to the writer, or joins it with that of its name. Pages are as large as the largest
 * of the joined buffers.
 */
static enum tdat_status add_buffer(struct merge *m, struct merge_part *part, size_t index,
				   struct tdat_error *err)
{
	const struct tdat_buffer *from = &part->file->ix.buffers[index];
	const char *name = new_name(m, part, from->name);
	enum tdat_status st = TDAT_OK;
	struct write_buffer *to;
	uint32_t number;

	if (!name)
		return tdat_error_no_memory(err, m->w->out.name);
	number = find_buffer(m, name);
	if (number == m->w->buffer_count)
		st = write_add_buffer(m->w, name, new_clock(m, part, from), err);
	/* Number 0 is the writer's own top buffer, which no input has named yet. */
	else if (number && m->opts.as == TDAT_MERGE_INSTANCES)
		st = name_taken(part, name, err);
	if (st != TDAT_OK)
		return st;
	to = m->w->buffers[number];
	to->absent = false;
	/* An event that fits on a page of its input fits on one of the new file. */
	if (from->page_size > to->shape.size)
		to->shape = (struct write_page_shape){from->page_size, m->long_size, m->w->meta.big,
						      write_page_usual_head(m->long_size)};
	part->buffers[index] = number;
	return TDAT_OK;
}

/* Option CPUCOUNT may be too small: the CPUs with data count as well. */
static uint32_t cpus_of(const struct merge_part *part)
{
	uint32_t count = part->file->ix.cpu_count;

	for (size_t i = 0; i < part->file->ix.buffer_count; i++) {
		const struct tdat_buffer *b = &part->file->ix.buffers[i];

		for (uint32_t k = 0; k < b->cpu_count; k++)
			if (b->cpus[k].cpu >= count)
				count = b->cpus[k].cpu + 1;
	}
	return count;
}

/*
 * Numbers the CPUs. With TDAT_MERGE_CPUS those of inputs follow each other; otherwise numbers stay.
 */
static void number_cpus(struct merge *m)
{
	uint32_t next = 0, most = 0;

	for (size_t i = 0; i < m->count; i++) {
		uint32_t cpus = cpus_of(&m->parts[i]);

		if (m->opts.as == TDAT_MERGE_CPUS) {
			m->parts[i].cpu_base = next;
			next += cpus;
		}
		if (m->parts[i].cpu_base + cpus > most)
			most = m->parts[i].cpu_base + cpus;
	}
	m->w->meta.cpu_count = most;
}

/* The clock of the top buffer; "": it is not known. */
static const char *clock_text(const struct merge_part *part)
{
	const struct dat_index *ix = &part->file->ix;

	return ix->buffer_count ? ix->buffers[0].clock : "";
}

static const char *clock_word(const char *name)
{
	return *name ? name : "unknown";
}

/*
 * Sets the clock of the new file, and warns if inputs have different ones: their times may be
 * unrelated.
 */
static enum tdat_status set_clock(struct merge *m, struct tdat_error *err)
{
	const char *first = clock_text(&m->parts[0]), *name = first;
	enum tdat_status st = TDAT_OK;
	bool named = false;

	for (size_t i = 0; st == TDAT_OK && i < m->count; i++) {
		const struct merge_part *part = &m->parts[i];

		named |= part->file->clock.has_trace_clock;
		if (!m->keep_time && part->file->clock.mult)
			name = "tsc2nsec";
		if (strcmp(clock_text(part), first))
			st = merge_warn(m, part, err, "its clock is %s, but the clock of %s is %s",
					clock_word(clock_text(part)), merge_name(&m->parts[0]),
					clock_word(first));
	}
	if (st != TDAT_OK)
		return st;
	if (*name && !write_meta_clock(&m->w->meta, name))
		return tdat_error_no_memory(err, m->w->out.name);
	/* No input has option TRACECLOCK: the new file gets none. */
	if (!named)
		m->w->meta.clock_text = NULL;
	return TDAT_OK;
}

/* Gives all buffers one page size in version 6, which has it in its head. */
static void one_page_size(struct merge *m)
{
	uint32_t most = 0;

	for (uint32_t i = 0; i < m->w->buffer_count; i++)
		if (m->w->buffers[i]->shape.size > most)
			most = m->w->buffers[i]->shape.size;
	if (!most)
		return;
	for (uint32_t i = 0; m->w->version < 7 && i < m->w->buffer_count; i++)
		m->w->buffers[i]->shape.size = most;
	m->w->meta.page_size = m->w->buffers[0]->shape.size ? m->w->buffers[0]->shape.size : most;
}

/* The top buffer is absent unless an input has one that keeps its name. */
enum tdat_status merge_buffers(struct merge *m, struct tdat_error *err)
{
	struct write_buffer *top = m->w->buffers[0];
	enum tdat_status st = set_clock(m, err);

	number_cpus(m);
	top->absent = true;
	for (size_t i = 0; st == TDAT_OK && i < m->count; i++)
		for (size_t b = 0; st == TDAT_OK && b < m->parts[i].file->ix.buffer_count; b++)
			st = add_buffer(m, &m->parts[i], b, err);
	one_page_size(m);
	return st;
}
