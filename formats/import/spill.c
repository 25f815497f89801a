/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Keeps bytes in an unlinked temporary file. Bytes are appended through a buffer and read back
 * at any offset. sort.c is its user. The file is made with the first byte that does not fit the
 * buffer, in TMPDIR, and disappears with its descriptor (lib/core/temp_file.c).
 */
#include "spill.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/temp_file.h"

enum { SPILL_BUF = 64 * 1024 };

void import_spill_init(struct import_spill *s)
{
	*s = (struct import_spill){.fd = -1};
}

void import_spill_fini(struct import_spill *s)
{
	if (s->fd >= 0)
		close(s->fd);
	tdat_source_close(s->source);
	free(s->buf);
	import_spill_init(s);
}

static enum tdat_status spill_open(struct import_spill *s, struct tdat_error *err)
{
	const char *dir = tdat_temp_dir();

	s->buf = malloc(SPILL_BUF);
	if (!s->buf)
		return tdat_error_no_memory(err, "a temporary file");
	s->fd = tdat_temp_open(dir);
	if (s->fd < 0) {
		int errnum = errno;

		free(s->buf);
		s->buf = NULL;
		return tdat_error_set_errno(err, errnum, "cannot make a temporary file in %s", dir);
	}
	return TDAT_OK;
}

enum tdat_status import_spill_flush(struct import_spill *s, struct tdat_error *err)
{
	size_t done = 0;

	while (done < s->used) {
		ssize_t n = write(s->fd, s->buf + done, s->used - done);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return tdat_error_set_errno(err, errno, "cannot write a temporary file");
		done += (size_t)n;
	}
	s->written += s->used;
	s->used = 0;
	return TDAT_OK;
}

enum tdat_status import_spill_write(struct import_spill *s, const void *data, size_t len,
				    struct tdat_error *err)
{
	const uint8_t *p = data;
	enum tdat_status st = s->fd < 0 ? spill_open(s, err) : TDAT_OK;

	while (len && st == TDAT_OK) {
		size_t n = SPILL_BUF - s->used < len ? SPILL_BUF - s->used : len;

		memcpy(s->buf + s->used, p, n);
		s->used += n;
		p += n;
		len -= n;
		if (s->used == SPILL_BUF)
			st = import_spill_flush(s, err);
	}
	return st;
}

/* Opens the source anew, since a source is as long as its file was when it was opened. */
static enum tdat_status see_all(struct import_spill *s, struct tdat_error *err)
{
	if (s->source && tdat_source_len(s->source) == s->written)
		return TDAT_OK;
	tdat_source_close(s->source);
	s->source = NULL;
	return tdat_source_open_fd(&s->source, s->fd, "a temporary file", TDAT_ACCESS_READ, err);
}

enum tdat_status import_spill_read(struct import_spill *s, uint64_t off, void *buf, size_t len,
				   struct tdat_error *err)
{
	enum tdat_status st = see_all(s, err);

	return st == TDAT_OK ? tdat_source_read(s->source, off, buf, len, err) : st;
}
