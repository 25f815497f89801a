/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* One file of several. */
#ifndef TDAT_MERGE_H
#define TDAT_MERGE_H

#include <tdat/iter.h>
#include <tdat/writer.h>

TDAT_BEGIN_DECLS

/* What becomes of the CPUs of the inputs. */
enum tdat_merge_as {
	TDAT_MERGE_CPUS = 0,      /* those of each further input get the next numbers */
	TDAT_MERGE_INSTANCES = 1, /* numbers stay, each input becomes a buffer instance */
	TDAT_MERGE_PARTS = 2      /* numbers stay: parts of one recording */
};

enum tdat_merge_order {
	TDAT_MERGE_ORDER_FIRST = 0, /* byte order of the first input */
	TDAT_MERGE_ORDER_LITTLE = 1,
	TDAT_MERGE_ORDER_BIG = 2
};

struct tdat_merge_opts {
	size_t size;              /* sizeof(struct tdat_merge_opts) */
	enum tdat_merge_as as;
	enum tdat_merge_order order;
	/*
	 * Names of the inputs as instances, one for each; NULL: the files' names
	 * without folder and ".dat", "name-2" for the second of a name.
	 */
	const char *const *labels;
};

#define TDAT_MERGE_OPTS_INIT                                                                       \
	{                                                                                          \
		sizeof(struct tdat_merge_opts), TDAT_MERGE_CPUS, TDAT_MERGE_ORDER_FIRST, NULL      \
	}

struct tdat_merge_result {
	uint64_t events;          /* written */
	uint64_t bad_pages;       /* of the inputs, skipped whole or in part */
	uint64_t bad_formats;     /* that cannot be understood: kept as they are */
};

/*
 * tdat_writer_merge fills a fresh writer with all events of the inputs, each with
 * the time that an iterator over the same inputs gives it, its CPU as opts->as
 * tells, its text, its task and the losses before it. Then comes
 * tdat_writer_finish, until which the files must stay open.
 *
 * Event types with the same format share an id, others get one of their own.
 * Kernel symbols, strings of trace_printk and names of tasks of different machines
 * are joined as far as events need them; where one address or pid means two
 * things, its name is both, "a|b". What of an input has no place in the new file
 * is told as a warning of the writer, and so are damaged pages.
 *
 * TDAT_E_UNSUPPORTED, with a sentence, are inputs that one file cannot hold:
 * latency text, longs of different size, times in seconds and in ticks, another
 * byte order that the formats do not tell enough to change.
 */
TDAT_API enum tdat_status tdat_writer_merge(struct tdat_writer *writer,
					    const struct tdat_iter_input *inputs,
					    size_t input_count,
					    const struct tdat_merge_opts *opts,
					    struct tdat_merge_result *result,
					    struct tdat_error *err);

TDAT_END_DECLS
#endif
