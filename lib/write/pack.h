/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Compresses full pages of streams on threads while further pages are made, so that only what was
 * compressed goes into the spool. Chunks are the same as those that are made of spooled pages when
 * the file is laid out (data.h).
 */
#ifndef TDAT_WRITE_PACK_H
#define TDAT_WRITE_PACK_H

#include "chunk_job.h"
#include "spool.h"

struct write_packer;
struct pack_job;

/* The compressed beginning of a stream. */
struct write_pack {
	struct write_extents ext; /* chunks, each behind its sizes */
	uint64_t chunk_count;
	struct chunk_sums sums;	       /* of chunks in the spool */
	struct pack_job *first, *last; /* under way, in their order; guarded by the packer */
	bool appends;		       /* a thread puts finished ones into the spool; likewise */
};

/* threads: as in tdat_thread_count; they start with the first chunk. NULL without memory. */
struct write_packer *write_packer_new(const struct tdat_codec *codec, int level, bool big,
				      uint32_t threads);
void write_packer_free(struct write_packer *packer);

/*
 * Takes len bytes of *block, which is memory of malloc: whole chunks of chunk_len bytes. *block
 * becomes other memory of that length. Several threads may call it for different streams, whose
 * chunks go into the given spool. An earlier failure of any stream is returned.
 */
enum tdat_status write_pack_put(struct write_packer *packer, struct write_pack *pack,
				struct write_spool *spool, uint8_t **block, size_t len,
				size_t chunk_len, struct tdat_error *err);

/* Waits until all is in the spools. */
enum tdat_status write_packer_end(struct write_packer *packer, struct tdat_error *err);

#endif
