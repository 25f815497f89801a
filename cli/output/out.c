/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes much text to standard output in aligned pieces of 64 KiB, which file systems write
 * fastest. A failure is reported once, with its reason. Used by dump.
 */
#include "output/out.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#include "terminal/message.h"

/* A redirected output may begin at any offset (">>"), hence pieces are counted from there. */
void cli_out_init(struct cli_out *o)
{
	const off_t off = lseek(STDOUT_FILENO, 0, SEEK_CUR);
	struct stat sb;

	o->off = off > 0 ? (uint64_t)off : 0;
	o->file = !fstat(STDOUT_FILENO, &sb) && S_ISREG(sb.st_mode);
	o->kept_len = 0;
}

/* Bytes up to the next multiple of the piece in the file. */
static size_t to_bound(const struct cli_out *o)
{
	return CLI_OUT_PIECE - (size_t)(o->off % CLI_OUT_PIECE);
}

static bool write_all(struct cli_out *o, const unsigned char *p, size_t len)
{
	while (len) {
		size_t piece = to_bound(o);
		ssize_t n = write(STDOUT_FILENO, p, len < piece ? len : piece);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0) {
			cli_error(NULL, "cannot write to standard output: %s", strerror(errno));
			return false;
		}
		p += n;
		len -= (size_t)n;
		o->off += (uint64_t)n;
	}
	return true;
}

static void keep(struct cli_out *o, const unsigned char *p, size_t len)
{
	memcpy(o->kept + o->kept_len, p, len);
	o->kept_len += len;
}

/* Writes the rest that waits for a full piece. False after a reported failure. */
bool cli_out_flush(struct cli_out *o)
{
	const size_t len = o->kept_len;

	o->kept_len = 0;
	return write_all(o, o->kept, len);
}

/* Pipes and terminals get text at once: a reader waits for it. */
bool cli_out_write(struct cli_out *o, const void *data, size_t len)
{
	const unsigned char *p = data;
	size_t room, rest;

	if (!len)
		return true;
	/* Text that stdio holds comes first. */
	if (fflush(stdout))
		return false;
	if (!o->file)
		return write_all(o, p, len);
	room = to_bound(o) - o->kept_len;
	if (len < room) {
		keep(o, p, len);
		return true;
	}
	if (o->kept_len) {
		keep(o, p, room);
		p += room;
		len -= room;
		if (!cli_out_flush(o))
			return false;
	}
	/* From here, off is a multiple of the piece, or write_all first writes up to one. */
	rest = (size_t)((o->off + len) % CLI_OUT_PIECE);
	if (!write_all(o, p, len - rest))
		return false;
	keep(o, p + len - rest, rest);
	return true;
}
