/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Makes the index of a trace.dat. This is the way in to lib/dat: lib/file/file.c calls
 * dat_index_read() once. The order of steps is fixed: head, metadata of the version, then the steps
 * that need all buffers (repeated options, page sizes, extents).
 */
#include "index.h"

#include <string.h>

#include "head.h"
#include "option_table.h"
#include "page_size.h"
#include "core/limits.h"
#include "core/opts.h"
#include "core/text.h"

/* Reports two options of an id that a file should have once, and how readers treat the first. */
static enum tdat_status repeated_found(struct dat_index *ix, const struct tdat_file_option *first,
				       const struct tdat_file_option *second,
				       struct tdat_error *err)
{
	const struct dat_option_def *def = dat_option_def(first->id);

	tdat_error_set(err, TDAT_E_DAMAGED, first->off,
		       "option %s occurs twice, at offsets %llu and %llu: %s", def->name,
		       (unsigned long long)first->off, (unsigned long long)second->off,
		       def->summed    ? "both are added"
		       : def->section ? "the first and its section are ignored"
				      : "the first is ignored");
	return dat_index_tolerate(ix, TDAT_E_DAMAGED, err);
}

/* Reports all repeated options, after all are known: the others are not used, or are added up. */
static enum tdat_status index_repeated(struct dat_index *ix, struct tdat_error *err)
{
	const struct tdat_file_option *last[DAT_OPTION_IDS] = {NULL};
	enum tdat_status st = TDAT_OK;
	size_t i;

	for (i = 0; st == TDAT_OK && i < ix->option_count; i++) {
		const struct tdat_file_option *o = &ix->options[i], *before;
		const struct dat_option_def *def = dat_option_def(o->id);

		if (!def->once)
			continue;
		before = last[o->id];
		last[o->id] = o;
		if (before && (def->summed || !tdat_span_same(before->data, o->data)))
			st = repeated_found(ix, before, o, err);
	}
	return st;
}

/* Sets limits that are zero to their defaults, so that callers set only those that they need. */
static void limits_default(struct tdat_limits *l)
{
#define DEFAULT(field)                                                                             \
	do {                                                                                       \
		if (!l->field)                                                                     \
			l->field = TDAT_LIMITS_DEFAULT.field;                                      \
	} while (0)
	DEFAULT(sections);
	DEFAULT(options);
	DEFAULT(option_len);
	DEFAULT(formats);
	DEFAULT(format_len);
	DEFAULT(buffers);
	DEFAULT(cpus);
	DEFAULT(page_len);
	DEFAULT(section_len);
	DEFAULT(chunk_len);
	DEFAULT(print_steps);
	DEFAULT(print_len);
	DEFAULT(text_ratio);
	DEFAULT(data_ratio);
	DEFAULT(name_len);
	DEFAULT(fields);
#undef DEFAULT
}

/* The head fits the first 4096 bytes; all else is read where it lies. */
enum tdat_status dat_index_read(struct dat_index *ix, const struct tdat_source *src,
				const struct tdat_limits *limits, bool tolerate,
				struct tdat_error *err)
{
	uint64_t total = tdat_source_len(src);
	uint8_t head[4096]; /* its contents are dropped */
	size_t head_len = total < sizeof(head) ? (size_t)total : sizeof(head);
	struct tdat_cursor c;
	enum tdat_status st;

	memset(ix, 0, sizeof(*ix));
	ix->src = src;
	tdat_opts_copy(&ix->limits, sizeof(ix->limits), limits);
	ix->tolerate = tolerate;
	ix->compression = ix->compression_version = "";
	limits_default(&ix->limits);

	st = tdat_source_read(src, 0, head, head_len, err);
	if (st != TDAT_OK)
		return st;
	c = tdat_cursor_init(head, head_len, 0, false);
	st = dat_read_head(ix, &c, total, err);
	if (st != TDAT_OK)
		return st;
	st = ix->version == 6 ? dat_read_v6(ix, tdat_cursor_off(&c), err)
			      : dat_read_v7(ix, tdat_cursor_off(&c), err);
	if (st == TDAT_OK)
		st = index_repeated(ix, err);
	if (st == TDAT_OK)
		st = dat_index_page_sizes(ix, err);
	if (st == TDAT_OK)
		st = dat_index_settle(ix, err);
	dat_index_count_cut(ix);
	return st;
}
