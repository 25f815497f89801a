/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Walks one file of a channel chunk by chunk and hands its records to the merge. Chunks are
 * sub-buffers without their padding (subbufs.c). Damage ends the file with a warning, as no
 * later record can be found for sure. Warnings are made in the first pass only.
 */
#include "relay.h"

#include <inttypes.h>
#include <stdlib.h>

/* Opens a reader of one file. relay_reader_fini() must follow if setup is set, also on failure. */
enum tdat_status relay_reader_init(struct relay_reader *r, const struct relay_setup *setup,
				   const struct relay_file *file, size_t window_len,
				   const struct tdat_emit *emit, struct tdat_error *err)
{
	const struct relay_kind *kind = setup->kind;

	*r = (struct relay_reader){.setup = setup, .file = file, .emit = emit};
	relay_subbufs_init(&r->subbufs, &setup->geometry, setup->big, file, window_len, emit);
	r->subbufs.keep_zeros = kind->keep_zeros;
	/* Kinds may keep a state of their own per file. */
	if (kind->own_len) {
		r->own = calloc(1, kind->own_len);
		if (!r->own)
			return tdat_error_no_memory(err, file->name);
	}
	return kind->open ? kind->open(r, err) : TDAT_OK;
}

void relay_reader_fini(struct relay_reader *r)
{
	if (r->own && r->setup->kind->close)
		r->setup->kind->close(r);
	free(r->own);
	relay_subbufs_fini(&r->subbufs);
}

/*
 * Makes sure that off is inside a chunk; TDAT_E_NOT_FOUND at the end of the file or behind damage.
 */
enum tdat_status relay_reader_chunk(struct relay_reader *r, struct tdat_error *err)
{
	while (r->off == r->chunk.end) {
		enum tdat_status st;

		if (r->stopped)
			return TDAT_E_NOT_FOUND;
		st = relay_subbufs_next(&r->subbufs, &r->chunk, err);
		if (st != TDAT_OK)
			return st;
		r->off = r->chunk.off;
	}
	return TDAT_OK;
}

/* Failure of the last relay_reader_get(). */
enum tdat_status relay_reader_status(const struct relay_reader *r)
{
	return r->subbufs.window.status;
}

/*
 * Skips the rest of a chunk if all of it is zero, as unused sub-buffers are. Only raw buffers have
 * them.
 */
bool relay_reader_skip_zeros(struct relay_reader *r)
{
	enum { BLOCK = 4096 };

	if (!r->setup->geometry.sub_len)
		return false;
	for (uint64_t off = r->off; off < r->chunk.end;) {
		const uint64_t data =
			tdat_source_skip_hole(r->subbufs.window.source, off, r->chunk.end);

		if (data > off) {
			off = data;
			continue;
		}
		size_t n = r->chunk.end - off < BLOCK ? (size_t)(r->chunk.end - off) : BLOCK;
		/* A failure here happens again when the bytes are read as records. */
		const uint8_t *p = import_window_get(&r->subbufs.window, off, n, NULL);

		for (size_t i = 0; p && i < n; i++)
			if (p[i])
				return false;
		if (!p)
			return false;
		off += n;
	}
	r->off = r->chunk.end;
	return true;
}

/* Ends the file, after damage. Returns the status that the kind's next returns. */
enum tdat_status relay_reader_stop(struct relay_reader *r, enum tdat_status st)
{
	r->stopped = true;
	r->off = r->chunk.end;
	return st == TDAT_OK ? TDAT_E_NOT_FOUND : st;
}

/* Next record for the merge. */
static enum tdat_status next(void *ctx, struct import_merge_record *out, struct tdat_error *err)
{
	struct relay_reader *r = ctx;

	out->cpu = r->file->cpu;
	out->lost_before = 0;
	return r->setup->kind->next(r, out, err);
}

static size_t batch(void *ctx, struct import_merge_record *out, size_t max)
{
	struct relay_reader *r = ctx;

	return r->setup->kind->batch(r, out, max);
}

/* Goes back to the start, for the second pass or after a scan. Warnings are off from now on. */
void relay_reader_rewind(struct relay_reader *r)
{
	r->emit = NULL;
	r->subbufs.emit = NULL;
	r->subbufs.next = 0;
	r->chunk = (struct relay_chunk){0, 0};
	r->off = 0;
	r->stopped = false;
	r->seq_known = false;
	r->key = 0;
	r->missing_seq = 0;
	r->clamped = 0;
	if (r->setup->kind->rewind)
		r->setup->kind->rewind(r);
}

static void rewind_stream(void *ctx)
{
	relay_reader_rewind(ctx);
}

struct import_merge_stream relay_reader_stream(struct relay_reader *r)
{
	return (struct import_merge_stream){r, next, rewind_stream,
					    r->setup->kind->batch ? batch : NULL};
}

/* Emits the kind's warnings about a file, at the end of its first pass. */
enum tdat_status relay_reader_warn(struct relay_reader *r, struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;

	if (r->setup->kind->warn)
		st = r->setup->kind->warn(r, err);
	if (st != TDAT_OK || !r->clamped)
		return st;
	return tdat_emit_warnf(r->emit, r->file->name, TDAT_NO_OFFSET, err,
			       "%" PRIu64 " times beyond 64 bits were reduced to the largest",
			       r->clamped);
}
