/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "out.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#include "common.h"

/*
 * A write makes the page cache look for as much memory in a row as it is long:
 * 64 KiB there always are, more costs up to ten times as much (ext4, Linux 6.18).
 */
enum { PIECE = 64 * 1024 };

void cli_out_init(struct cli_out *o)
{
	off_t off = lseek(STDOUT_FILENO, 0, SEEK_CUR);

	o->off = off > 0 ? (uint64_t)off : 0;
}

bool cli_out_write(struct cli_out *o, const void *data, size_t len)
{
	const char *p = data;

	if (!len)
		return true;
	if (fflush(stdout))
		return false;
	while (len) {
		size_t piece = PIECE - (size_t)(o->off % PIECE);
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
