/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Walks all of a file and tells everything that is wrong with it. */
#ifndef TDAT_CHECK_H
#define TDAT_CHECK_H

#include <tdat/file.h>

TDAT_BEGIN_DECLS

enum tdat_severity {
	TDAT_NOTE = 0,   /* unusual, but sound: does not make a file unclean */
	TDAT_DOUBT = 1,  /* readers may disagree or be surprised; nothing is lost: it is whole */
	TDAT_DAMAGE = 2  /* something cannot be read, or not be told apart: it is not whole */
};

struct tdat_finding {
	enum tdat_severity severity;
	uint64_t off;         /* file offset, or TDAT_NO_OFFSET */
	const char *sentence; /* what is wrong; valid during the call */
	const char *cost;     /* what it costs: "the rest of one page", "nothing" ... */
};

/* Gets each finding, in file order within each part. An error ends the check. */
typedef enum tdat_status (*tdat_finding_fn)(void *ctx, const struct tdat_finding *finding,
					    struct tdat_error *err);

struct tdat_check_result {
	uint64_t notes, doubts, damages;
	uint64_t pages, bad_pages;  /* sub-buffers walked; of them damaged */
	uint64_t events;            /* records that can be read */
	uint64_t formats, formats_broken;
	uint64_t prints_foreign;    /* print formats left to libtraceevent */
};

/*
 * tdat_check walks everything of an opened file (open it with tolerate_damage):
 * structure, options, the table of CPU data, formats and print formats, every
 * page and every record, order of time. A file without damages is whole: all of it
 * can be given out. One without doubts is clean. result may be NULL.
 */
TDAT_API enum tdat_status tdat_check(const struct tdat_file *file, tdat_finding_fn fn, void *ctx,
				     struct tdat_check_result *result, struct tdat_error *err);

/*
 * tdat_check_meta is the part of tdat_check that looks at options, sections and names of
 * buffers, beyond what tdat_file_damage tells. It takes little time.
 */
TDAT_API enum tdat_status tdat_check_meta(const struct tdat_file *file, tdat_finding_fn fn,
					  void *ctx, struct tdat_error *err);

/* tdat_severity_name: "note", "doubt" or "damage"; static. */
TDAT_API const char *tdat_severity_name(enum tdat_severity severity);

TDAT_END_DECLS
#endif
