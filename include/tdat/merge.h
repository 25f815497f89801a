/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Merges several files into one.
 *
 * Threads: tdat_writer_merge runs on the calling thread, to which the writer belongs. Other threads
 * may read the files at the same time.
 *
 * Owners: the caller keeps ownership of writer, files and options. The files must stay open until
 * tdat_writer_finish has returned; the arrays are needed only during the call.
 */
#ifndef TDAT_MERGE_H
#define TDAT_MERGE_H

#include <tdat/iter.h>
#include <tdat/writer.h>

TDAT_BEGIN_DECLS

/* The numbering of CPUs in the output. */
enum tdat_merge_as {
	TDAT_MERGE_CPUS = 0,	  /* the CPUs of each further input get the next numbers */
	TDAT_MERGE_INSTANCES = 1, /* numbers are unchanged, each input becomes a buffer instance */
	TDAT_MERGE_PARTS = 2	  /* numbers are unchanged: the inputs are parts of one recording */
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
	 * With TDAT_MERGE_INSTANCES: the name of the buffer instance for each input. NULL: the name
	 * of the input's file without folder and ".dat"; a second file called "name" gets "name-2".
	 */
	const char *const *labels;
};

#define TDAT_MERGE_OPTS_INIT TDAT_SIZED(struct tdat_merge_opts)

struct tdat_merge_result {
	uint64_t events;      /* written */
	uint64_t bad_pages;   /* of the inputs: as in struct tdat_stream_damage */
	uint64_t bad_formats; /* formats that cannot be parsed, copied unchanged */
};

/*
 * tdat_writer_merge fills an unused writer with all events of the inputs. Each event keeps its
 * contents, its task, and the number of dropped events before it. Its time is the time that an
 * iterator over the same inputs returns. Its CPU depends on opts->as. The writer accepts no other
 * data; call tdat_writer_finish next. opts and result may be NULL.
 *
 * Event types with the same format share an id; event types with different formats get different
 * ids. The output has the kernel symbols, strings of trace_printk and names of tasks of all inputs,
 * as far as events need them. If inputs have different names for an address or a pid, the output
 * has both names, "a|b". Data of an input that the new file cannot store, such as the damaged rest
 * of a page, is omitted with a warning (tdat_writer_on_warn).
 *
 * TDAT_E_UNSUPPORTED: inputs that one file cannot store. These are inputs with the lines of a
 * latency tracer, inputs with different sizes of long, inputs with different units of time, and
 * inputs of another byte order whose formats do not describe every byte to swap. No input, or a
 * used writer, is TDAT_E_USAGE. After any other failure, only free the writer.
 */
TDAT_API enum tdat_status tdat_writer_merge(struct tdat_writer *writer,
					    const struct tdat_iter_input *inputs,
					    size_t input_count, const struct tdat_merge_opts *opts,
					    struct tdat_merge_result *result,
					    struct tdat_error *err);

TDAT_END_DECLS
#endif
