/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* CPU data and latency text, from the spool or from an opened file, to the new file. */
#ifndef TDAT_WRITE_DATA_H
#define TDAT_WRITE_DATA_H

#include "writer.h"

/* One run of bytes; from.src NULL: it is in the spool. */
struct write_data {
	const struct write_extents *ext;
	struct write_borrow from;
	uint32_t page_size; /* chunks hold whole pages */
};

static inline struct write_data write_data_stream(const struct write_stream *s)
{
	struct write_data d = {&s->ext, s->from, s->shape->size};

	return d;
}

static inline struct write_data write_data_latency(const struct write_buffer *buf)
{
	struct write_data d = {&buf->latency, buf->latency_from, 4096};

	return d;
}

/* Whether there is anything. */
static inline bool write_data_any(const struct write_data *d)
{
	return d->from.src ? d->from.len != 0 : d->ext->used != 0;
}

/* The bytes there are, inflated. */
enum tdat_status write_data_len(const struct write_data *d, uint64_t *len, struct tdat_error *err);

/*
 * Appends the data: as it is, or with the writer's codec in chunks (v7 §4.3): u32
 * count, then each chunk behind both its sizes. Threads inflate and deflate;
 * chunks of the same codec, no level being asked for, are copied.
 */
enum tdat_status write_data_put(struct tdat_writer *w, const struct write_data *d,
				struct tdat_error *err);

#endif
