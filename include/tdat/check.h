/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads a whole file and reports all problems in it.
 *
 * Threads: a check runs on the calling thread and does not change the file; other threads may use
 * and check it at the same time. The callback runs on the calling thread without a lock, so it may
 * call any function with the file.
 *
 * Owners: the caller keeps ownership of the file. A finding belongs to the library and is valid
 * only during the callback.
 */
#ifndef TDAT_CHECK_H
#define TDAT_CHECK_H

#include <tdat/file.h>

TDAT_BEGIN_DECLS

enum tdat_severity {
	TDAT_NOTE = 0,	/* unusual, but valid: a file with notes only is clean */
	TDAT_DOUBT = 1, /* readers may disagree, but no data is lost: the file is whole */
	TDAT_DAMAGE = 2 /* data cannot be read or identified: the file is not whole */
};

struct tdat_finding {
	enum tdat_severity severity;
	uint64_t off;	      /* file offset, or TDAT_NO_OFFSET */
	const char *sentence; /* the problem, without control bytes */
	const char *cost;     /* the data that is lost, such as "that option"; or "nothing" */
};

/*
 * Receives findings one at a time; findings about the same part of a file are sorted by offset. A
 * failure ends the check with its status and *err.
 */
typedef enum tdat_status (*tdat_finding_fn)(void *ctx, const struct tdat_finding *finding,
					    struct tdat_error *err);

struct tdat_check_result {
	uint64_t notes, doubts, damages;
	uint64_t pages, bad_pages; /* sub-buffers read; of these, damaged */
	uint64_t events;	   /* readable records */
	uint64_t formats, formats_broken;
	uint64_t prints_foreign; /* print fmts that the library itself cannot run */
};

/*
 * tdat_check reads an entire opened file: its structure, options, CPU data table, formats and print
 * fmts, every page and record, and the order of timestamps. Open the file with tolerate_damage,
 * because a damaged file does not open otherwise. A file without findings of severity TDAT_DAMAGE
 * is called whole: all its data can be read. A whole file without findings of severity TDAT_DOUBT
 * is called clean.
 *
 * If fn is NULL, findings are only counted. result may be NULL; after a failure it contains the
 * counts up to that point. Findings are not failures: the check fails only if memory runs out, if
 * reading or a decompression library fails, or if fn fails.
 */
TDAT_API enum tdat_status tdat_check(const struct tdat_file *file, tdat_finding_fn fn, void *ctx,
				     struct tdat_check_result *result, struct tdat_error *err);

/*
 * tdat_check_meta is a part of tdat_check that takes little time. It reports the findings of
 * tdat_file_damage, and checks options, sections and names of buffers.
 */
TDAT_API enum tdat_status tdat_check_meta(const struct tdat_file *file, tdat_finding_fn fn,
					  void *ctx, struct tdat_error *err);

/* tdat_severity_name returns the static string "note", "doubt" or "damage". */
TDAT_API const char *tdat_severity_name(enum tdat_severity severity);

TDAT_END_DECLS
#endif
