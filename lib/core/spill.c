/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Keeps bytes in an unlinked temporary file. Bytes are appended through a buffer and read back
 * at any offset. Importers sort records that way, and dump prints in reverse. The file
 * disappears with its descriptor (temp_file.c). The spool of a writer (lib/write/spool.c) is
 * another thing: extents of many streams, put by several threads.
 */
#include "spill.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "temp_file.h"

/* Bytes that are written at once. */
enum { SPILL_BUF = 64 * 1024 };

/* Nothing is opened before the first byte: many spills stay empty. */
void tdat_spill_init(struct tdat_spill *s)
{
	*s = (struct tdat_spill){.fd = -1};
}

void tdat_spill_fini(struct tdat_spill *s)
{
	if (s->fd >= 0)
		close(s->fd);
	free(s->buf);
	tdat_spill_init(s);
}

/* Opens the file. Callers that must know early whether it works call it before the first write. */
enum tdat_status tdat_spill_open(struct tdat_spill *s, struct tdat_error *err)
{
	const char *dir = tdat_temp_dir();

	if (!s->buf)
		s->buf = malloc(SPILL_BUF);
	if (!s->buf)
		return tdat_error_no_memory(err, "a temporary file");
	s->fd = tdat_temp_open(dir);
	return s->fd >= 0 ? TDAT_OK
			  : tdat_error_set_errno(err, errno, "cannot make a temporary file in %s",
						 dir);
}

/* Writes the buffer; needed before bytes of it are read back. */
enum tdat_status tdat_spill_flush(struct tdat_spill *s, struct tdat_error *err)
{
	if (tdat_fd_write(s->fd, s->buf, s->used) != s->used)
		return tdat_error_set_errno(err, errno, "cannot write a temporary file");
	s->written += s->used;
	s->used = 0;
	return TDAT_OK;
}

/* Appends; opens the file at the first byte. */
enum tdat_status tdat_spill_write(struct tdat_spill *s, const void *data, size_t len,
				  struct tdat_error *err)
{
	const uint8_t *p = data;
	enum tdat_status st = s->fd < 0 ? tdat_spill_open(s, err) : TDAT_OK;

	while (len && st == TDAT_OK) {
		size_t n = SPILL_BUF - s->used < len ? SPILL_BUF - s->used : len;

		memcpy(s->buf + s->used, p, n);
		s->used += n;
		p += n;
		len -= n;
		if (s->used == SPILL_BUF)
			st = tdat_spill_flush(s, err);
	}
	return st;
}

/* Reads bytes at an offset, which must have been flushed. */
enum tdat_status tdat_spill_read(const struct tdat_spill *s, uint64_t off, void *buf, size_t len,
				 struct tdat_error *err)
{
	return tdat_fd_read(s->fd, off, buf, len) == len
		       ? TDAT_OK
		       : tdat_error_set_errno(err, errno ? errno : EIO,
					      "cannot read a temporary file");
}
