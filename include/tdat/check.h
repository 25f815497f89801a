/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads all of a file and reports everything that is wrong with it.
 *
 * Threads: a check runs on the calling thread alone and changes nothing of the file, which
 * other threads may use, and check, at the same time. The callback is called on the thread
 * that called the check, with no lock held: it may call any function with the file.
 *
 * Owners: the file stays the caller's. A finding belongs to the library and is valid only
 * while the callback runs.
 */
#ifndef TDAT_CHECK_H
#define TDAT_CHECK_H

#include <tdat/file.h>

TDAT_BEGIN_DECLS

enum tdat_severity {
	TDAT_NOTE = 0,	/* unusual, but sound: does not make a file unclean */
	TDAT_DOUBT = 1, /* readers may disagree or be surprised; nothing is lost: it is whole */
	TDAT_DAMAGE = 2 /* something cannot be read, or not be told apart: it is not whole */
};

struct tdat_finding {
	enum tdat_severity severity;
	uint64_t off;	      /* file offset, or TDAT_NO_OFFSET */
	const char *sentence; /* what is wrong, without control bytes */
	const char *cost;     /* what it costs: "the rest of one page", "nothing" ... */
};

/*
 * Gets one finding after the other; findings of the same part of the file come in the order
 * of their offsets. When it returns a failure, the check ends with that status and *err.
 */
typedef enum tdat_status (*tdat_finding_fn)(void *ctx, const struct tdat_finding *finding,
					    struct tdat_error *err);

struct tdat_check_result {
	uint64_t notes, doubts, damages;
	uint64_t pages, bad_pages; /* sub-buffers walked; of them damaged */
	uint64_t events;	   /* records that can be read */
	uint64_t formats, formats_broken;
	uint64_t prints_foreign; /* print formats that the library itself cannot run */
};

/*
 * tdat_check reads everything of an opened file: its structure, options, the table of CPU
 * data, formats and print formats, every page and every record, and the order of time. Open
 * the file with tolerate_damage, since a damaged one does not open otherwise. A file without
 * damages is whole: all of it can be given out. One without doubts is clean.
 *
 * fn may be NULL: findings are then only counted. result may be NULL; it is filled also
 * when the check fails, with what was counted until then. Findings are no failures: the
 * check fails only for want of memory, when reading or a decompression library fails, or
 * with what fn returned.
 */
TDAT_API enum tdat_status tdat_check(const struct tdat_file *file, tdat_finding_fn fn, void *ctx,
				     struct tdat_check_result *result, struct tdat_error *err);

/*
 * tdat_check_meta is the part of tdat_check that looks at options, sections and names of
 * buffers, beyond what tdat_file_damage gives. It takes little time.
 */
TDAT_API enum tdat_status tdat_check_meta(const struct tdat_file *file, tdat_finding_fn fn,
					  void *ctx, struct tdat_error *err);

/* tdat_severity_name returns the static string "note", "doubt" or "damage". */
TDAT_API const char *tdat_severity_name(enum tdat_severity severity);

TDAT_END_DECLS
#endif
