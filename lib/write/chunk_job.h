/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Declares jobs that inflate, compress or pass on one chunk of CPU data, on any thread. */
#ifndef TDAT_WRITE_CHUNK_JOB_H
#define TDAT_WRITE_CHUNK_JOB_H

#include "core/codec.h"

/* Memory that grows and is kept from job to job. */
struct chunk_mem {
	uint8_t *ptr;
	size_t cap;
};

bool chunk_mem_room(struct chunk_mem *mem, size_t len);

struct chunk_job {
	const struct tdat_codec *from, *to; /* NULL: plain */
	int level;
	bool big;	   /* byte order of the heads of chunks */
	bool pass;	   /* the stored bytes of one chunk stay as they are */
	uint64_t off;	   /* of the first chunk, for sentences */
	const uint8_t *in; /* stored bytes: in own, or lent */
	size_t in_len;
	size_t plain_len;   /* inflated bytes */
	size_t chunk_len;   /* inflated bytes of each chunk to be made, the last may be shorter */
	const uint8_t *out; /* result: with to or pass, each chunk behind both its sizes */
	size_t out_len;
	const char *why; /* of a failure; NULL */
	enum tdat_status status;
	void *state;		       /* memory for compressing, kept from chunk to chunk */
	struct tdat_inflater inflater; /* memory for inflating, likewise */
	struct chunk_mem own, plain, packed;
};

/* Bytes of a chunk of several pages, as trace-cmd has it, or of one. */
size_t chunk_job_chunk_len(uint32_t page_size);
/* Bytes of the chunks that one job makes, so that threads wait less often. */
size_t chunk_job_len(size_t chunk_len);

void chunk_job_run(void *job);

/* Inflated and stored bytes of a stream's chunks so far, without their heads. */
struct chunk_sums {
	uint64_t plain, stored;
};

/*
 * Adds the job's chunks to the sums of their stream. Data that compresses too well for limit
 * data_ratio of readers gets its first chunk uncompressed.
 */
void chunk_job_balance(struct chunk_job *job, struct chunk_sums *sums);
void chunk_job_fini(struct chunk_job *job);

/* Frees those of the job's buffers that have more than most bytes. */
void chunk_job_trim(struct chunk_job *job, size_t most);

#endif
