/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads the records of one file of a channel. Where a record ends and what its time is depends
 * on the program that wrote the channel: that is in its relay_kind.
 */
#ifndef TDAT_IMPORT_RELAY_CHANNEL_READER_H
#define TDAT_IMPORT_RELAY_CHANNEL_READER_H

#include "import/record_merge.h"
#include "subbufs.h"

struct relay_setup;

struct relay_wall {
	bool set;
	int64_t offset_ns; /* wall clock minus the trace's */
};

/* What the survey of a file leaves when its reader is rewound. */
struct relay_surveyed {
	uint64_t missing_seq;
	bool damaged;
};

struct relay_reader {
	const struct relay_setup *setup;
	const struct relay_file *file;
	const struct tdat_emit *emit; /* NULL: quiet */
	struct relay_subbufs subbufs;
	struct relay_chunk chunk;
	uint64_t off;	  /* of what comes next; chunk.end: a new chunk is needed */
	bool stopped;	  /* by damage */
	uint64_t clamped; /* times that are none */
	int64_t key;	  /* of the record before */
	uint32_t last_seq;
	bool seq_known;
	uint64_t missing_seq;
	struct relay_wall wall;
	struct relay_surveyed surveyed;
	void *own; /* of the kind */
};

/* Takes memory for what the kind needs. To be followed by fini, after a failure too. */
enum tdat_status relay_reader_init(struct relay_reader *r, const struct relay_setup *setup,
				   const struct relay_file *file, size_t window_len,
				   const struct tdat_emit *emit, struct tdat_error *err);
void relay_reader_fini(struct relay_reader *r);
/* A new chunk when the last one is used up; TDAT_E_NOT_FOUND at the end. */
enum tdat_status relay_reader_chunk(struct relay_reader *r, struct tdat_error *err);
/* Returns len bytes at off, as import_window_get; NULL: relay_reader_status says why. */
static inline const uint8_t *relay_reader_get(struct relay_reader *r, size_t len,
					      struct tdat_error *err)
{
	return import_window_get(&r->subbufs.window, r->off, len, err);
}
enum tdat_status relay_reader_status(const struct relay_reader *r);
/* How many bytes lie in the window from off to the end of the chunk, which *p points at. */
static inline size_t relay_reader_in_window(const struct relay_reader *r, const uint8_t **p)
{
	const struct import_window *w = &r->subbufs.window;
	const uint64_t at = r->off - w->buf_off, left = r->chunk.end - r->off;

	if (at >= w->buf_len || r->off >= r->chunk.end)
		return 0;
	*p = w->buf + at;
	return left < w->buf_len - at ? (size_t)left : w->buf_len - (size_t)at;
}
/* Skips zeros, if only zeros follow in a sub-buffer, and returns whether that was so. */
bool relay_reader_skip_zeros(struct relay_reader *r);
/* Ends the file for damage at off; st is that of the warning. */
enum tdat_status relay_reader_stop(struct relay_reader *r, enum tdat_status st);
/* Goes back to the start for the second pass, in which nothing is warned of again. */
void relay_reader_rewind(struct relay_reader *r);
struct import_merge_stream relay_reader_stream(struct relay_reader *r);
/* Warnings about the whole file, after the first pass. */
enum tdat_status relay_reader_warn(struct relay_reader *r, struct tdat_error *err);

#endif
