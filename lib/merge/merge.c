/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Merges several files into a writer: the order of the steps, and which files are of one
 * machine. The steps in tdat_writer_merge() depend on each other: what must agree, buffers and
 * CPUs, formats, strings of trace_printk, symbols, tasks, events, options. Each lives in a file
 * of its own and adds maps from an input's ids to the new file's. Inputs are only read; the
 * writer takes nothing else meanwhile.
 */
#include "merge.h"

#include <stdio.h>
#include <stdlib.h>

#include "core/opts.h"
#include "core/text.h"

/* ---- same machine, same kernel ---- */

/* True if both files have the option, with the same bytes. */
static bool same_option(const struct merge_part *a, const struct merge_part *b, uint16_t id)
{
	const struct tdat_file_option *x = tdat_file_option_by_id(a->file, id);
	const struct tdat_file_option *y = tdat_file_option_by_id(b->file, id);

	return x && y && tdat_span_same(x->data, y->data);
}

/* True if two inputs were recorded on one machine, or are parts of one recording. */
static bool same_host(const struct merge *m, const struct merge_part *a, const struct merge_part *b)
{
	if (m->opts.as == TDAT_MERGE_PARTS)
		return true;
	if (a->file->ix.big == b->file->ix.big && same_option(a, b, TDAT_OPTION_TRACEID))
		return true;
	/*
	 * Equal symbols show one boot of one kernel, as addresses are randomized; UNAME must not
	 * contradict.
	 */
	return a->table == b->table && a->file->ix.kallsyms.len &&
	       (same_option(a, b, TDAT_OPTION_UNAME) ||
		!tdat_file_option_by_id(a->file, TDAT_OPTION_UNAME) ||
		!tdat_file_option_by_id(b->file, TDAT_OPTION_UNAME));
}

/*
 * Sets host and table of each part: the first input of the same machine, and of the same symbols.
 */
static void find_hosts(struct merge *m)
{
	for (uint32_t i = 0; i < m->count; i++) {
		struct merge_part *part = &m->parts[i];

		part->table = part->host = i;
		for (uint32_t k = i; k-- > 0;)
			if (tdat_span_same(part->file->ix.kallsyms, m->parts[k].file->ix.kallsyms))
				part->table = m->parts[k].table;
		for (uint32_t k = i; k-- > 0;)
			if (same_host(m, part, &m->parts[k]))
				part->host = m->parts[k].host;
		m->tables_differ |= part->table != 0;
		m->hosts_differ |= part->host != 0;
	}
}

/* ---- the whole ---- */

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

/* Labels must differ, as buffers are named by them. */
static bool label_taken(const struct merge *m, size_t i, const char *label)
{
	for (size_t k = 0; k < i; k++)
		if (!strcmp(m->parts[k].label, label))
			return true;
	return false;
}

/* Sets the label to the file's name; that of a second input of the name is "name-2". */
static bool make_label(struct merge *m, size_t i)
{
	const char *name = base_name(merge_name(&m->parts[i])), *label;
	size_t len = strlen(name), n = 1;

	if (m->opts.labels) {
		label = m->opts.labels[i];
		m->parts[i].label = tdat_arena_strndup(&m->w->meta.arena, label, strlen(label));
		return m->parts[i].label;
	}
	if (len > 4 && !strcmp(name + len - 4, ".dat"))
		len -= 4;
	label = tdat_arena_strndup(&m->w->meta.arena, name, len);
	while (label && label_taken(m, i, label))
		label = tdat_arena_printf(&m->w->meta.arena, "%.*s-%zu", (int)len, name, ++n);
	m->parts[i].label = label;
	return label;
}

/* ids is indexed by the 16 bits of an event id; 0 means not decided yet. */
static enum tdat_status init_part(struct merge *m, size_t i, struct tdat_error *err)
{
	struct merge_part *part = &m->parts[i];
	struct file_common common;

	part->file = m->inputs[i].file;
	part->memory_failures = tdat_file_memory_failures(part->file);
	part->swapped = part->file->ix.big != m->w->meta.big;
	file_common_find(part->file, &common);
	part->type_off = common.type_off;
	part->type_len = common.type_len;
	part->ids = calloc(FILE_ID_COUNT, sizeof(*part->ids));
	part->buffers = calloc(part->file->ix.buffer_count + 1, sizeof(*part->buffers));
	if (!part->ids || !part->buffers || !make_label(m, i))
		return tdat_error_no_memory(err, m->w->out.name);
	return part->swapped
		       ? record_swapper_init(&part->swapper, part->file, &m->w->meta.arena, err)
		       : TDAT_OK;
}

/* The writer takes nothing else from now on. */
static enum tdat_status begin(struct merge *m, struct tdat_error *err)
{
	const struct tdat_file *first = m->inputs[0].file;
	enum tdat_status st = copy_file_shape(m->w, first, err);

	if (st != TDAT_OK)
		return st;
	if (m->opts.order != TDAT_MERGE_ORDER_FIRST)
		m->w->meta.big = m->opts.order == TDAT_MERGE_ORDER_BIG;
	m->long_size = first->ix.kernel_long_size;
	m->parts = calloc(m->count, sizeof(*m->parts));
	if (!m->parts)
		return tdat_error_no_memory(err, m->w->out.name);
	for (size_t i = 0; st == TDAT_OK && i < m->count; i++)
		st = init_part(m, i, err);
	return st;
}

/* Without memory formats and names look as if the inputs had none. */
static enum tdat_status check_memory(struct merge *m, struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;

	for (size_t i = 0; st == TDAT_OK && i < m->count; i++)
		st = file_memory(m->parts[i].file, m->parts[i].memory_failures, err);
	return st;
}

/* Runs the steps of the merge. Each needs the maps of those before it. */
static enum tdat_status run(struct merge *m, struct tdat_error *err)
{
	static enum tdat_status (*const steps[])(struct merge * m, struct tdat_error * err) = {
		merge_check,  merge_buffers, merge_formats, merge_survey, merge_symbols,
		merge_printk, merge_tasks,   merge_options, merge_events, check_memory,
	};
	enum tdat_status st = begin(m, err);

	if (st == TDAT_OK)
		find_hosts(m);
	for (size_t i = 0; st == TDAT_OK && i < sizeof(steps) / sizeof(steps[0]); i++)
		st = steps[i](m, err);
	return st;
}

/* Also after a failure in the middle: members that were not made are zero. */
static void fini(struct merge *m)
{
	for (size_t i = 0; m->parts && i < m->count; i++) {
		struct merge_part *part = &m->parts[i];

		record_swapper_fini(&part->swapper);
		merge_used_fini(&part->used);
		free(part->ids);
		free(part->buffers);
		free(part->moves);
	}
	free(m->parts);
	free(m->record);
	merge_seen_fini(&m->seen);
}

/* The result is filled in any case, so that warnings can be counted. */
enum tdat_status tdat_writer_merge(struct tdat_writer *w, const struct tdat_iter_input *inputs,
				   size_t input_count, const struct tdat_merge_opts *opts,
				   struct tdat_merge_result *result, struct tdat_error *err)
{
	const struct tdat_merge_opts defaults = TDAT_MERGE_OPTS_INIT;
	struct merge m = {.w = w, .inputs = inputs, .opts = defaults, .count = input_count};
	enum tdat_status st = write_usable(w, err);

	if (st != TDAT_OK)
		return st;
	if (!input_count)
		return tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET,
				      "there are no inputs to merge into %s", w->out.name);
	tdat_opts_copy(&m.opts, sizeof(m.opts), opts);
	st = run(&m, err);
	if (result)
		*result = m.result;
	fini(&m);
	return copy_file_end(w, st, err);
}
