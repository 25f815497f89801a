/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Inflates, compresses or passes on one chunk of CPU data, on any thread. A job has the bytes
 * of one chunk, or of several pages, and makes the chunk that the new file gets. It shares
 * nothing with other jobs. Users are data.c, when a file is laid out, and pack.c, while events
 * are written.
 */
#include "chunk_job.h"

#include <stdlib.h>
#include <string.h>

#include "core/endian.h"
#include "core/grow.h"

/* Constants of chunks: docs/file-format.md, section 4.3. */
enum {
	HEAD = 8,	      /* stored and inflated size of a chunk */
	CHUNK_PAGES = 10,     /* of a chunk, as trace-cmd has it */
	JOB_LEN = 320 * 1024, /* plain bytes of a job */
	CHUNK_MAX =
		1024 *
		1024, /* the longest chunk of several pages, since each job holds one in memory */
	/*
	 * Readers let a CPU inflate to a share of 32 MiB and 32 times its stored bytes, and more
	 * (limit data_ratio, lib/dat/chunk.c). SHARE: that of 256 CPUs.
	 */
	SHARE = (32 << 20) / 256,
	RATIO = 32
};

/* Returns the inflated bytes of one chunk: CHUNK_PAGES pages, fewer if pages are very large. */
size_t chunk_job_chunk_len(uint32_t page_size)
{
	uint32_t pages = CHUNK_PAGES;

	if (page_size > CHUNK_MAX / CHUNK_PAGES)
		pages = page_size < CHUNK_MAX ? CHUNK_MAX / page_size : 1;
	return (size_t)page_size * pages;
}

/*
 * Returns the plain bytes of one job: several chunks, so that a thread works a while before it
 * waits.
 */
size_t chunk_job_len(size_t chunk_len)
{
	return chunk_len < JOB_LEN ? JOB_LEN / chunk_len * chunk_len : chunk_len;
}

/* Grows mem to len bytes at least; its contents are kept. False: no memory. */
bool chunk_mem_room(struct chunk_mem *mem, size_t len)
{
	return TDAT_GROW(mem->ptr, &mem->cap, len);
}

/* The job's threads have ended, or never began. */
void chunk_job_fini(struct chunk_job *job)
{
	if (job->state)
		job->to->deflate_free(job->state);
	tdat_inflater_fini(&job->inflater);
	free(job->own.ptr);
	free(job->plain.ptr);
	free(job->packed.ptr);
}

/* Frees a buffer that one large chunk has grown, so that memory stays bounded for the others. */
static void trim(struct chunk_mem *mem, size_t most)
{
	if (mem->cap <= most)
		return;
	free(mem->ptr);
	*mem = (struct chunk_mem){NULL, 0};
}

void chunk_job_trim(struct chunk_job *job, size_t most)
{
	trim(&job->own, most);
	trim(&job->plain, most);
	trim(&job->packed, most);
}

/*
 * Stores a failure. The thread that takes the job reports it: errors belong to the caller's thread.
 */
static void fail(struct chunk_job *job, enum tdat_status status, const char *why)
{
	job->status = status;
	job->why = why ? why : "unknown error";
}

/* Inflates the stored chunk; out becomes its bytes. */
static bool inflate_chunk(struct chunk_job *job)
{
	const char *why = NULL;

	/* The length comes from the chunk's head, which lib/dat has checked against its limits. */
	if (!chunk_mem_room(&job->plain, job->plain_len ? job->plain_len : 1)) {
		fail(job, TDAT_E_NOMEM, "no memory");
		return false;
	}
	if (tdat_inflater_run(&job->inflater, job->from, job->in, job->in_len, job->plain.ptr,
			      job->plain_len, &why)) {
		fail(job, TDAT_E_DAMAGED, why);
		return false;
	}
	job->out = job->plain.ptr;
	job->out_len = job->plain_len;
	return true;
}

/* Each chunk begins with its stored and its inflated size, 32 bits each. */
static void put_head(uint8_t *p, size_t packed, size_t plain, bool big)
{
	tdat_store32(p, (uint32_t)packed, big);
	tdat_store32(p + 4, (uint32_t)plain, big);
}

/* Compresses len plain bytes to a chunk at *at of packed, and moves *at behind it. */
static bool deflate_chunk(struct chunk_job *job, const uint8_t *plain, size_t len, size_t *at)
{
	/* The caller reserved bound() bytes for each chunk, so a chunk always fits. */
	size_t room = job->packed.cap - *at - HEAD;
	uint8_t *to = job->packed.ptr + *at;
	const char *why = NULL;

	if (job->to->deflate(job->state, plain, len, to + HEAD, &room, job->level, &why)) {
		fail(job, TDAT_E_SYSTEM, why);
		return false;
	}
	put_head(to, room, len, job->big);
	*at += HEAD + room;
	return true;
}

/* Compresses the job's plain bytes, chunk by chunk, into one buffer. */
static void deflate_chunks(struct chunk_job *job)
{
	size_t count = (job->plain_len + job->chunk_len - 1) / job->chunk_len, at = 0;
	const uint8_t *plain = job->out;

	if (!count)
		count = 1; /* a chunk without bytes stays one */
	if (!chunk_mem_room(&job->packed, count * (HEAD + job->to->bound(job->chunk_len)))) {
		fail(job, TDAT_E_NOMEM, "no memory");
		return;
	}
	/* The codec's state is kept from job to job: making it takes longer than a small chunk. */
	if (!job->state)
		job->state = job->to->deflate_new();
	for (size_t i = 0; i < count; i++) {
		size_t pos = i * job->chunk_len, left = job->plain_len - pos;
		size_t len = left < job->chunk_len ? left : job->chunk_len;

		if (!deflate_chunk(job, plain + pos, len, &at))
			return;
	}
	job->out = job->packed.ptr;
	job->out_len = at;
}

/* Gives the stored chunk as the result, with a head in the byte order of the new file. */
static void pass_chunk(struct chunk_job *job)
{
	if (!chunk_mem_room(&job->packed, HEAD + job->in_len)) {
		fail(job, TDAT_E_NOMEM, "no memory");
		return;
	}
	put_head(job->packed.ptr, job->in_len, job->plain_len, job->big);
	if (job->in_len)
		memcpy(job->packed.ptr + HEAD, job->in, job->in_len);
	job->out = job->packed.ptr;
	job->out_len = HEAD + job->in_len;
}

/* The function of tdat_pool and of pack.c: reads only the job, and leaves the result in it. */
void chunk_job_run(void *arg)
{
	struct chunk_job *job = arg;

	job->status = TDAT_OK;
	job->why = NULL;
	/* Plain bytes that stay plain need no copy: the result is the input. */
	job->out = job->in;
	job->out_len = job->in_len;
	if (job->pass) {
		pass_chunk(job);
		return;
	}
	if (job->from && !inflate_chunk(job))
		return;
	if (job->to)
		deflate_chunks(job);
}

/* Replaces the first chunk of the result by one that holds its bytes uncompressed. */
static void store_first(struct chunk_job *job)
{
	const uint8_t *plain = job->from ? job->plain.ptr : job->in;
	const size_t len = job->plain_len < job->chunk_len ? job->plain_len : job->chunk_len;
	const size_t first = HEAD + tdat_load32(job->packed.ptr, job->big);
	struct chunk_mem made = {NULL, 0};
	size_t stored = job->to->bound(len);

	if (!len || !chunk_mem_room(&made, HEAD + stored + job->out_len - first))
		return;
	if (job->to->store(plain, len, made.ptr + HEAD, &stored)) {
		free(made.ptr);
		return;
	}
	put_head(made.ptr, stored, len, job->big);
	memcpy(made.ptr + HEAD + stored, job->packed.ptr + first, job->out_len - first);
	job->out_len += HEAD + stored - first;
	free(job->packed.ptr);
	job->packed = made;
	job->out = made.ptr;
}

void chunk_job_balance(struct chunk_job *job, struct chunk_sums *sums)
{
	const size_t heads =
		job->pass ? HEAD : (job->plain_len + job->chunk_len - 1) / job->chunk_len * HEAD;

	if (job->status != TDAT_OK || !job->to)
		return;
	sums->plain += job->plain_len;
	if (!job->pass && sums->plain > SHARE + RATIO * (sums->stored + job->out_len - heads))
		store_first(job);
	sums->stored += job->out_len - heads;
}
