/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Makes a clean file with all that can be read of a broken one.
 *
 * Threads: a repair runs on the calling thread, which the writer belongs to. The file, the
 * file that formats are taken from, and the sources of pages are only read: other threads
 * may use them at the same time. The callback is called on the thread that called
 * tdat_repair; it may read the files but must not call functions of the writer.
 *
 * Owners: all arguments stay the caller's. file and formats_from must stay open until
 * tdat_writer_finish has returned, sources of pages until tdat_repair has.
 */
#ifndef TDAT_REPAIR_H
#define TDAT_REPAIR_H

#include <tdat/check.h>
#include <tdat/writer.h>

TDAT_BEGIN_DECLS

/* Raw pages of one CPU, as a recorder keeps them until it is done. */
struct tdat_repair_pages {
	const char *buffer; /* "": the top buffer */
	uint32_t cpu;
	const struct tdat_source *source;
};

struct tdat_repair_opts {
	size_t size;			      /* sizeof(struct tdat_repair_opts) */
	const struct tdat_file *formats_from; /* for formats and names that are missing; or NULL */
	/*
	 * CPU data that the file itself does not have, as the files trace.dat.cpuN that
	 * "trace-cmd restore" takes. Data of a CPU that the file has is TDAT_E_USAGE.
	 */
	const struct tdat_repair_pages *pages;
	size_t page_source_count;
	/* The file is of another recording: its options of time and its tasks are not taken. */
	bool metadata_only;
};

#define TDAT_REPAIR_OPTS_INIT TDAT_SIZED(struct tdat_repair_opts)

struct tdat_repair_result {
	uint64_t events;	 /* saved */
	uint64_t pages;		 /* saved, those of pages_mended included */
	uint64_t pages_mended;	 /* damaged pages that were cut back to their good records */
	uint64_t pages_lost;	 /* pages of which nothing could be read */
	uint64_t cpus;		 /* (buffer, CPU) pairs with pages */
	uint64_t lost_len;	 /* bytes of CPU data in damaged chunks */
	uint64_t missing_len;	 /* bytes that should follow the end of the file */
	uint64_t loss_marks;	 /* pages that are marked with a loss before them */
	uint64_t formats;	 /* formats in the new file */
	uint64_t formats_taken;	 /* of these, those from formats_from */
	uint64_t formats_lost;	 /* broken formats that were left out */
	uint64_t unknown_events; /* events that no format describes */
	uint64_t options_lost;	 /* options that were left out since they make no sense */
	uint64_t damages;	 /* findings of severity TDAT_DAMAGE */
	uint64_t texts_mended;	 /* tables of names that lost lines that cannot be read */
	/* chunks whose lengths were wrong, which hid what follows; that is saved */
	uint64_t chunks_mended;
	uint64_t options_cut; /* options that lost bytes that nothing reads */
	/* damages that may hide events, of which no other number here tells */
	uint64_t hiding;
};

/*
 * tdat_repair fills a fresh writer with all that can be read of file, which was opened with
 * tolerate_damage. Good pages are copied as they are, and damaged ones are cut back to their
 * good records; the page behind a loss is marked with missed events. The writer takes
 * nothing else: call tdat_writer_finish next. The input is never written to.
 *
 * fn gets each finding, as that of tdat_check does; it may be NULL, as may opts and result.
 * When fn returns a failure, the repair ends with that status. Damage of the input is no
 * failure. Formats of formats_from in another byte order or long size are TDAT_E_USAGE. After
 * a failure free the writer: what it holds is not complete, and tdat_writer_finish refuses to
 * make a file of it.
 */
TDAT_API enum tdat_status tdat_repair(struct tdat_writer *writer, const struct tdat_file *file,
				      const struct tdat_repair_opts *opts, tdat_finding_fn fn,
				      void *ctx, struct tdat_repair_result *result,
				      struct tdat_error *err);

TDAT_END_DECLS
#endif
