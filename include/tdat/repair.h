/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Writes a valid file with all readable data of a damaged one.
 *
 * Threads: a repair runs on the calling thread, to which the writer belongs. It only reads the
 * file, formats_from, and the sources of pages: other threads may use them at the same time. The
 * callback runs on the thread that called tdat_repair; it may read the files but must not call
 * functions of the writer.
 *
 * Owners: the caller keeps ownership of all arguments. file and formats_from must stay open until
 * tdat_writer_finish has returned, sources of pages until tdat_repair has returned.
 */
#ifndef TDAT_REPAIR_H
#define TDAT_REPAIR_H

#include <tdat/check.h>
#include <tdat/writer.h>

TDAT_BEGIN_DECLS

/* Raw pages of one CPU, in the form of a recorder's temporary files. */
struct tdat_repair_pages {
	const char *buffer; /* "": the top-level buffer */
	uint32_t cpu;
	const struct tdat_source *source;
};

struct tdat_repair_opts {
	size_t size;			      /* sizeof(struct tdat_repair_opts) */
	const struct tdat_file *formats_from; /* source of missing formats and names; may be NULL */
	/*
	 * CPU data that the file itself lacks, such as the files trace.dat.cpuN that a killed
	 * recorder left. If the file contains data of one of these CPUs, the status is
	 * TDAT_E_USAGE.
	 */
	const struct tdat_repair_pages *pages;
	size_t page_source_count;
	/* The file is of another recording: use its formats, names and machine options only. */
	bool metadata_only;
};

#define TDAT_REPAIR_OPTS_INIT TDAT_SIZED(struct tdat_repair_opts)

struct tdat_repair_result {
	uint64_t events;	 /* saved */
	uint64_t pages;		 /* saved, including pages_mended */
	uint64_t pages_mended;	 /* damaged pages, truncated to their valid records */
	uint64_t pages_lost;	 /* pages without a readable record */
	uint64_t cpus;		 /* (buffer, CPU) pairs with pages */
	uint64_t lost_len;	 /* bytes of CPU data in damaged chunks */
	uint64_t missing_len;	 /* bytes missing after the end of the file */
	uint64_t loss_marks;	 /* pages marked with a loss before them */
	uint64_t formats;	 /* formats in the new file */
	uint64_t formats_taken;	 /* of these, from formats_from */
	uint64_t formats_lost;	 /* corrupt formats, omitted */
	uint64_t unknown_events; /* events without a format */
	uint64_t options_lost;	 /* invalid options, omitted */
	uint64_t damages;	 /* findings of severity TDAT_DAMAGE */
	uint64_t texts_mended;	 /* name tables from which unreadable lines were removed */
	/* chunks with a wrong length that hid the data after them, which is saved */
	uint64_t chunks_mended;
	uint64_t options_cut; /* options from which unused bytes were removed */
	/* other damage that may hide events */
	uint64_t hiding;
};

/*
 * tdat_repair fills an unused writer with all readable data of file, which must be opened with
 * tolerate_damage. It copies valid pages unchanged and truncates damaged pages to their valid
 * records; it marks missed events in the page after omitted data. The writer accepts no other data;
 * call tdat_writer_finish next. The input is never changed.
 *
 * fn receives each finding, as in tdat_check; fn, opts and result may be NULL. If fn fails, the
 * repair ends with that status. Damage of the input is not a failure. If formats_from has another
 * byte order or size of long, the status is TDAT_E_USAGE. After a failure, free the writer: its
 * contents are incomplete, and tdat_writer_finish rejects them.
 */
TDAT_API enum tdat_status tdat_repair(struct tdat_writer *writer, const struct tdat_file *file,
				      const struct tdat_repair_opts *opts, tdat_finding_fn fn,
				      void *ctx, struct tdat_repair_result *result,
				      struct tdat_error *err);

TDAT_END_DECLS
#endif
