/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Fills a caller's struct tdat_error with a status, a sentence and an offset. The lowest layer
 * that notices a failure writes the sentence, with the offset; layers above put their place in
 * front once. A caller without interest passes NULL, so every function here takes it. No state
 * is kept between calls.
 */
#include <tdat/error.h>

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "cursor.h"
#include "utf8.h"

static void fill(struct tdat_error *err, enum tdat_status status, uint64_t off, const char *fmt,
		 va_list args)
{
	err->status = status;
	err->sys_errno = 0;
	err->off = off;
	vsnprintf(err->message, sizeof(err->message), fmt, args);
	tdat_utf8_clean(err->message);
}

/*
 * Returns status, so that a caller can return the call's value. Control characters in quoted bytes
 * are replaced.
 */
enum tdat_status tdat_error_set(struct tdat_error *err, enum tdat_status status, uint64_t off,
				const char *fmt, ...)
{
	va_list args;

	if (!err)
		return status;
	va_start(args, fmt);
	fill(err, status, off, fmt, args);
	va_end(args);
	return status;
}

/* strerror_r exists in two incompatible forms: accept what either returns. */
static const char *pick_xsi(int rc, const char *buf)
{
	return rc ? "unknown error" : buf;
}
static const char *pick_gnu(const char *text, const char *buf)
{
	(void)buf;
	return text;
}
#define PICK(call, buf) _Generic((call), int : pick_xsi, char * : pick_gnu)((call), (buf))

/* The text of errno comes last, so that the sentence before it is never cut for it. */
enum tdat_status tdat_error_set_errno(struct tdat_error *err, int errnum, const char *fmt, ...)
{
	char buf[128] = "";
	va_list args;
	size_t used;

	if (!err)
		return TDAT_E_SYSTEM;
	va_start(args, fmt);
	fill(err, TDAT_E_SYSTEM, TDAT_NO_OFFSET, fmt, args);
	va_end(args);
	err->sys_errno = errnum;
	used = strlen(err->message);
	snprintf(err->message + used, sizeof(err->message) - used, ": %s",
		 PICK(strerror_r(errnum, buf, sizeof(buf)), buf));
	return TDAT_E_SYSTEM;
}

/* The one sentence for memory that ran out. */
enum tdat_status tdat_error_no_memory(struct tdat_error *err, const char *what)
{
	return tdat_error_set(err, TDAT_E_NOMEM, TDAT_NO_OFFSET, "no memory for %s", what);
}

/* A sentence that gets too long loses its end, not the place in front. */
void tdat_error_prefix(struct tdat_error *err, const char *fmt, ...)
{
	char old[sizeof(err->message)];
	va_list args;
	size_t used;

	if (!err || err->status == TDAT_OK)
		return;
	memcpy(old, err->message, sizeof(old));
	va_start(args, fmt);
	vsnprintf(err->message, sizeof(err->message), fmt, args);
	va_end(args);
	tdat_utf8_clean(err->message);
	used = strlen(err->message);
	snprintf(err->message + used, sizeof(err->message) - used, ": %s", old);
}

/* For callers that go on after a failure that they have dealt with. */
void tdat_error_reset(struct tdat_error *err)
{
	if (!err)
		return;
	err->status = TDAT_OK;
	err->sys_errno = 0;
	err->off = TDAT_NO_OFFSET;
	err->message[0] = '\0';
}

/* Makes a sentence of a failed cursor: where bytes were needed, and how many. */
enum tdat_status tdat_cursor_error(const struct tdat_cursor *c, struct tdat_error *err,
				   const char *what)
{
	return tdat_error_set(
		err, TDAT_E_DAMAGED, c->file_off + c->fail_pos,
		"%s is truncated: it needs %zu bytes at offset %llu, but only %zu are left", what,
		c->need, (unsigned long long)(c->file_off + c->fail_pos), c->len - c->fail_pos);
}
