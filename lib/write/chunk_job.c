/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "chunk_job.h"

#include <stdlib.h>

bool chunk_mem_room(struct chunk_mem *mem, size_t len)
{
	uint8_t *p;

	if (len <= mem->cap)
		return true;
	p = realloc(mem->ptr, len);
	if (!p)
		return false;
	mem->ptr = p;
	mem->cap = len;
	return true;
}

void chunk_job_fini(struct chunk_job *job)
{
	if (job->state)
		job->to->deflate_free(job->state);
	free(job->own.ptr);
	free(job->plain.ptr);
	free(job->packed.ptr);
}

static void fail(struct chunk_job *job, enum tdat_status status, const char *why)
{
	job->status = status;
	job->why = why ? why : "it fails";
}

/* out becomes the inflated bytes. */
static bool inflate_chunk(struct chunk_job *job)
{
	const char *why = NULL;

	if (!chunk_mem_room(&job->plain, job->plain_len ? job->plain_len : 1)) {
		fail(job, TDAT_E_NOMEM, "no memory");
		return false;
	}
	if (job->from->inflate(job->in, job->in_len, job->plain.ptr, job->plain_len, &why)) {
		fail(job, TDAT_E_DAMAGED, why);
		return false;
	}
	job->out = job->plain.ptr;
	job->out_len = job->plain_len;
	return true;
}

static void deflate_chunk(struct chunk_job *job)
{
	size_t room = job->to->bound(job->plain_len);
	const char *why = NULL;

	if (!chunk_mem_room(&job->packed, room)) {
		fail(job, TDAT_E_NOMEM, "no memory");
		return;
	}
	if (!job->state)
		job->state = job->to->deflate_new();
	if (job->to->deflate(job->state, job->out, job->plain_len, job->packed.ptr, &room,
			     job->level, &why)) {
		fail(job, TDAT_E_SYSTEM, why);
		return;
	}
	job->out = job->packed.ptr;
	job->out_len = room;
}

void chunk_job_run(void *arg)
{
	struct chunk_job *job = arg;

	job->status = TDAT_OK;
	job->why = NULL;
	job->out = job->in;
	job->out_len = job->in_len;
	if (job->pass)
		return;
	if (job->from && !inflate_chunk(job))
		return;
	if (job->to)
		deflate_chunk(job);
}
