/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A clean file with all that is readable of a broken one. */
#ifndef TDAT_REPAIR_H
#define TDAT_REPAIR_H

#include <tdat/check.h>
#include <tdat/writer.h>

TDAT_BEGIN_DECLS

/* Raw pages of one CPU, as a recorder keeps them until it is done. */
struct tdat_repair_pages {
	const char *buffer;               /* "": the top buffer */
	uint32_t cpu;
	const struct tdat_source *source;
};

struct tdat_repair_opts {
	size_t size;                      /* sizeof(struct tdat_repair_opts) */
	const struct tdat_file *formats_from; /* for formats and names that are missing; or NULL */
	/*
	 * CPU data that the file does not have itself: what "trace-cmd restore" joins.
	 * Sources stay open until tdat_repair returns.
	 */
	const struct tdat_repair_pages *pages;
	size_t page_source_count;
	/* The file is of another recording: what it says of time and tasks is not taken. */
	bool metadata_only;
};

#define TDAT_REPAIR_OPTS_INIT { sizeof(struct tdat_repair_opts), NULL, NULL, 0, false }

struct tdat_repair_result {
	uint64_t events;           /* saved */
	uint64_t pages;            /* saved, the mended ones included */
	uint64_t pages_mended;     /* of them cut back to their good records */
	uint64_t pages_lost;       /* nothing of them could be read */
	uint64_t cpus;             /* (buffer, CPU) pairs with pages */
	uint64_t lost_len;         /* bytes of CPU data in damaged chunks */
	uint64_t missing_len;      /* bytes that should follow the end of the file */
	uint64_t loss_marks;       /* pages that tell of a loss before them */
	uint64_t formats;          /* written */
	uint64_t formats_taken;    /* of them from formats_from */
	uint64_t formats_lost;     /* broken ones left out */
	uint64_t unknown_events;   /* events no format describes */
	uint64_t options_lost;     /* senseless ones left out */
	uint64_t damages;          /* findings that cost something */
};

/*
 * tdat_repair fills a fresh writer with all that can be read of file, which was
 * opened with tolerate_damage: good pages as they are, damaged ones cut back to
 * their good records, what is lost told by the next page as missed events. fn
 * (may be NULL) gets what is wrong, as tdat_check tells it. Then comes
 * tdat_writer_finish, until which file and formats_from must stay open. The
 * input is never written to.
 */
TDAT_API enum tdat_status tdat_repair(struct tdat_writer *writer, const struct tdat_file *file,
				      const struct tdat_repair_opts *opts, tdat_finding_fn fn,
				      void *ctx, struct tdat_repair_result *result,
				      struct tdat_error *err);

TDAT_END_DECLS
#endif
