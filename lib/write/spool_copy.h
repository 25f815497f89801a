/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copies the bytes of a stream from a spool in memory to the new file, with threads that read. */
#ifndef TDAT_WRITE_SPOOL_COPY_H
#define TDAT_WRITE_SPOOL_COPY_H

#include "state.h"

/*
 * Whether write_spool_copy is better for the stream than a copy that the kernel makes: on a disk
 * the kernel may share blocks instead of copying them, in memory it copies on one CPU.
 */
bool write_spool_copy_fits(const struct write_extents *ext);

/* Appends the stream to the new file. The spool no longer has it. */
enum tdat_status write_spool_copy(struct tdat_writer *w, const struct write_extents *ext,
				  struct tdat_error *err);

#endif
