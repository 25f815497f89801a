/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Error reports: a status, a sentence, and an offset in the input.
 *
 * The struct belongs to the caller and contains no pointers, so nothing needs to be freed. The
 * function that detects a failure writes the sentence, with the object, the place, the expected
 * value and the value found. Its callers in the library only add the place.
 *
 * Threads: a struct tdat_error belongs to the thread that passes it to a call.
 */
#ifndef TDAT_ERROR_H
#define TDAT_ERROR_H

#include <tdat/base.h>

TDAT_BEGIN_DECLS

#define TDAT_NO_OFFSET UINT64_MAX

struct tdat_error {
	enum tdat_status status; /* TDAT_OK if nothing failed */
	int sys_errno;		 /* errno of a TDAT_E_SYSTEM, or the errno with which the kernel
				  * rejects the input (tdat/user_events.h); else 0 */
	uint64_t off;		 /* byte offset in the input, or TDAT_NO_OFFSET */
	char message[512];	 /* one sentence without a final period */
};

#define TDAT_ERROR_INIT                                                                            \
	{                                                                                          \
		TDAT_OK, 0, TDAT_NO_OFFSET, ""                                                     \
	}

/*
 * tdat_error_set fills *err (if not NULL) and returns status, so that a failing function can end
 * with "return tdat_error_set(...)". off may be TDAT_NO_OFFSET. Control bytes in the sentence are
 * replaced by '?', so a sentence that quotes a hostile file is safe to print.
 */
TDAT_API enum tdat_status tdat_error_set(struct tdat_error *err, enum tdat_status status,
					 uint64_t off, const char *fmt, ...) TDAT_PRINTF(4, 5);

/*
 * tdat_error_set_errno calls tdat_error_set with TDAT_E_SYSTEM, and appends the text of errnum (":
 * No such file or directory") to the sentence.
 */
TDAT_API enum tdat_status tdat_error_set_errno(struct tdat_error *err, int errnum, const char *fmt,
					       ...) TDAT_PRINTF(3, 4);

/*
 * tdat_error_no_memory calls tdat_error_set with TDAT_E_NOMEM and the sentence "no memory for
 * WHAT". what is a plural or has an article: "symbols", "the list of CPUs".
 */
TDAT_API enum tdat_status tdat_error_no_memory(struct tdat_error *err, const char *what);

/* tdat_error_prefix inserts the formatted text and ": " before the sentence in *err. */
TDAT_API void tdat_error_prefix(struct tdat_error *err, const char *fmt, ...) TDAT_PRINTF(2, 3);

/* tdat_error_reset clears *err: status TDAT_OK, no sentence. */
TDAT_API void tdat_error_reset(struct tdat_error *err);

TDAT_END_DECLS
#endif
