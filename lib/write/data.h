/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Writes CPU data and latency text, from the spool or from an opened file, to the new file. */
#ifndef TDAT_WRITE_DATA_H
#define TDAT_WRITE_DATA_H

#include "state.h"

/* One run of bytes; from.src NULL: it is in the spool. */
struct write_data {
	const struct write_extents *ext;
	const struct write_pack *pack; /* chunks that were made before; NULL: none */
	struct write_borrow from;
	uint32_t page_size; /* chunks hold whole pages */
};

static inline struct write_data write_data_stream(const struct write_stream *s)
{
	struct write_data d = {
		.ext = &s->ext,
		.pack = s->pack.chunk_count ? &s->pack : NULL,
		.from = s->from,
		.page_size = s->shape->size,
	};

	return d;
}

static inline struct write_data write_data_latency(const struct write_buffer *buf)
{
	struct write_data d = {.ext = &buf->latency, .from = buf->latency_from, .page_size = 4096};

	return d;
}

/* True if there are any bytes. */
static inline bool write_data_any(const struct write_data *d)
{
	return d->from.src ? d->from.len != 0 : d->ext->used || d->pack;
}

/* Sets *len to the number of bytes, inflated. */
enum tdat_status write_data_len(const struct write_data *d, uint64_t *len, struct tdat_error *err);

/*
 * Appends the data to the new file: unchanged, or compressed by the writer's codec in chunks
 * (docs/file-format.md, section 4.3). Several threads inflate and compress. Chunks that have
 * the same codec already are copied unless a level was asked for.
 */
enum tdat_status write_data_put(struct tdat_writer *w, const struct write_data *d,
				struct tdat_error *err);

#endif
