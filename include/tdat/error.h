/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * How a failure is reported: a status, a sentence, and an offset in the input.
 *
 * The struct belongs to the caller and holds no pointers; nothing has to be
 * freed. The layer that notices a failure writes the sentence (what, where,
 * expected and found); upper layers only add where it happened.
 *
 * Threads: a struct tdat_error belongs to the thread whose call it is passed to.
 */
#ifndef TDAT_ERROR_H
#define TDAT_ERROR_H

#include <tdat/base.h>

TDAT_BEGIN_DECLS

#define TDAT_NO_OFFSET UINT64_MAX

struct tdat_error {
	enum tdat_status status; /* TDAT_OK when nothing failed */
	int sys_errno;		 /* errno of a TDAT_E_SYSTEM, or the errno that the kernel
				  * gives in a case it rejects (tdat/user_events.h); else 0 */
	uint64_t off;		 /* byte in the input, or TDAT_NO_OFFSET */
	char message[512];	 /* one sentence without a final period */
};

#define TDAT_ERROR_INIT                                                                            \
	{                                                                                          \
		TDAT_OK, 0, TDAT_NO_OFFSET, ""                                                     \
	}

/*
 * tdat_error_set fills *err (if not NULL) and returns status, so that a failing
 * function can end with "return tdat_error_set(...)". off may be
 * TDAT_NO_OFFSET. Control bytes in the sentence are replaced by '?', so a
 * sentence quoting a hostile file is safe to print.
 */
TDAT_API enum tdat_status tdat_error_set(struct tdat_error *err, enum tdat_status status,
					 uint64_t off, const char *fmt, ...) TDAT_PRINTF(4, 5);

/*
 * tdat_error_set_errno is tdat_error_set with TDAT_E_SYSTEM and the text of
 * errnum (": No such file or directory") appended to the sentence.
 */
TDAT_API enum tdat_status tdat_error_set_errno(struct tdat_error *err, int errnum, const char *fmt,
					       ...) TDAT_PRINTF(3, 4);

/*
 * tdat_error_no_memory is tdat_error_set with TDAT_E_NOMEM and "no memory for WHAT";
 * what names a thing in the plural or with an article: "symbols", "the list of CPUs".
 */
TDAT_API enum tdat_status tdat_error_no_memory(struct tdat_error *err, const char *what);

/* tdat_error_prefix puts "where: " before the sentence already in *err. */
TDAT_API void tdat_error_prefix(struct tdat_error *err, const char *fmt, ...) TDAT_PRINTF(2, 3);

/* tdat_error_reset makes *err say that nothing failed. */
TDAT_API void tdat_error_reset(struct tdat_error *err);

TDAT_END_DECLS
#endif
