/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Makes one file of several.
 *
 * Threads: tdat_writer_merge runs on the calling thread. The writer belongs to that thread;
 * the files may be read by other threads at the same time.
 *
 * Owners: writer, files and options stay the caller's. The files must stay open until
 * tdat_writer_finish has returned; the arrays are needed only during the call.
 */
#ifndef TDAT_MERGE_H
#define TDAT_MERGE_H

#include <tdat/iter.h>
#include <tdat/writer.h>

TDAT_BEGIN_DECLS

/* What becomes of the CPUs of the inputs. */
enum tdat_merge_as {
	TDAT_MERGE_CPUS = 0,	  /* those of each further input get the next numbers */
	TDAT_MERGE_INSTANCES = 1, /* numbers stay, each input becomes a buffer instance */
	TDAT_MERGE_PARTS = 2	  /* numbers stay: parts of one recording */
};

enum tdat_merge_order {
	TDAT_MERGE_ORDER_FIRST = 0, /* byte order of the first input */
	TDAT_MERGE_ORDER_LITTLE = 1,
	TDAT_MERGE_ORDER_BIG = 2
};

struct tdat_merge_opts {
	size_t size; /* sizeof(struct tdat_merge_opts) */
	enum tdat_merge_as as;
	enum tdat_merge_order order;
	/*
	 * Names of the inputs as instances, one for each; NULL: the files' names
	 * without folder and ".dat", "name-2" for the second of a name.
	 */
	const char *const *labels;
};

#define TDAT_MERGE_OPTS_INIT TDAT_SIZED(struct tdat_merge_opts)

struct tdat_merge_result {
	uint64_t events;      /* written */
	uint64_t bad_pages;   /* of the inputs: as in struct tdat_stream_damage */
	uint64_t bad_formats; /* that cannot be understood: kept as they are */
};

/*
 * tdat_writer_merge fills a fresh writer with all events of the inputs, each with
 * the time that an iterator over the same inputs gives it, its CPU as opts->as
 * says, its text, its task and the losses before it. The writer takes nothing else; call
 * tdat_writer_finish next. opts and result may be NULL.
 *
 * Event types with the same format share an id, others get one of their own.
 * Kernel symbols, strings of trace_printk and names of tasks of different machines
 * are joined as far as events need them; where one address or pid means two
 * things, its name is both, "a|b". A part of an input that the new file cannot hold is left
 * out with a warning of the writer (tdat_writer_on_warn); so is the damaged rest of a page.
 *
 * Inputs that one file cannot hold are TDAT_E_UNSUPPORTED: latency text, longs of different
 * size, times in seconds beside times in ticks, and another byte order where the formats do
 * not describe every byte that has to be swapped. No input, or a writer that was used
 * before, is TDAT_E_USAGE. After any other failure the writer can only be freed.
 */
TDAT_API enum tdat_status tdat_writer_merge(struct tdat_writer *writer,
					    const struct tdat_iter_input *inputs,
					    size_t input_count, const struct tdat_merge_opts *opts,
					    struct tdat_merge_result *result,
					    struct tdat_error *err);

TDAT_END_DECLS
#endif
