/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* CPU data and latency text from the spool to the file. */
#ifndef TDAT_WRITE_DATA_H
#define TDAT_WRITE_DATA_H

#include "writer.h"

/* The stream's bytes as they are. */
enum tdat_status write_data_plain(struct tdat_writer *w, const struct write_extents *ext,
				  struct tdat_error *err);

/*
 * The stream in compressed chunks (v7): u32 count, then each chunk with both its
 * sizes. Chunks are compressed on threads and written in order.
 */
enum tdat_status write_data_chunks(struct tdat_writer *w, const struct write_extents *ext,
				   uint32_t page_size, struct tdat_error *err);

#endif
