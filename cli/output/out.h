/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Much text to standard output, in the pieces that file systems take fastest. */
#ifndef TDAT_CLI_OUT_H
#define TDAT_CLI_OUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A write makes the page cache look for as much memory in a row as it is long:
 * 64 KiB there always are, more costs up to ten times as much (ext4, Linux 6.18).
 * Pieces of it that lie across its bounds cost half as much again.
 */
enum { CLI_OUT_PIECE = 64 * 1024 };

struct cli_out {
	uint64_t off;    /* of what is kept, or of the next byte, in the file if it is one */
	bool file;       /* what does not fill a piece is kept for the next write */
	size_t kept_len;
	unsigned char kept[CLI_OUT_PIECE];
};

void cli_out_init(struct cli_out *o);

/*
 * Writes behind what stdio holds for stdout. False after a failure, which is told
 * at once, with its reason; cli_stdout_close() does not tell it again.
 */
bool cli_out_write(struct cli_out *o, const void *data, size_t len);

/* Writes what is kept: at the end, and before others write to stdout. As cli_out_write. */
bool cli_out_flush(struct cli_out *o);

#endif
