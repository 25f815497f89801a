/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes much text to standard output in the pieces that file systems accept fastest. */
#ifndef CLI_OUT_H
#define CLI_OUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The page cache looks for as much contiguous memory as a write is long: 64 KiB are
 * always found, a longer write costs up to ten times as much (ext4, Linux 6.18).
 * Writes that are not aligned to 64 KiB cost half as much again.
 */
enum { CLI_OUT_PIECE = 64 * 1024 };

struct cli_out {
	uint64_t off; /* file offset at which the kept bytes will be written */
	bool file;    /* stdout is a regular file: an incomplete piece is kept */
	size_t kept_len;
	unsigned char kept[CLI_OUT_PIECE];
};

void cli_out_init(struct cli_out *o);

/*
 * cli_out_write flushes what stdio holds for stdout, then writes data after it. False
 * after a failure, which is reported at once, with its reason, and not again by
 * cli_stdout_close().
 */
bool cli_out_write(struct cli_out *o, const void *data, size_t len);

/*
 * cli_out_flush writes the kept bytes: to be called at the end, and before anything else
 * writes to stdout. Fails as cli_out_write does.
 */
bool cli_out_flush(struct cli_out *o);

#endif
