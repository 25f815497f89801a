/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Compresses full pages of streams on threads while further pages are made. A stream hands over
 * whole chunks of pages; idle threads compress them, and finished ones are appended to the
 * spool in the stream's order. A thread that waits for a free job does the work of one
 * meanwhile. The number of jobs bounds the memory. A pool (core/pool.h) has one thread that puts
 * and takes, and one order; here any thread puts, and each stream has an order of its own.
 */
#include "pack.h"

#include <stdlib.h>

#include "core/thread.h"

/* JOBS_MAX: also a bound on threads. Each job holds the pages of several chunks. */
enum { JOBS_PER_THREAD = 2, JOBS_MAX = 32 };

/* One run of pages. It is free, queued, running or done, and belongs to at most two lists. */
struct pack_job {
	struct chunk_job chunk;
	struct write_pack *pack;
	struct write_spool *spool;
	bool done;
	struct pack_job *next;	 /* of the stream */
	struct pack_job *behind; /* among those that nobody has begun, or that are free */
};

/* Shared by all streams of a writer. Threads start with the first job. */
struct write_packer {
	const struct tdat_codec *codec;
	int level;
	bool big;
	uint32_t thread_max;
	pthread_mutex_t lock; /* guards what follows, but for the work of begun jobs */
	pthread_cond_t work;  /* a job waits, or all is to stop */
	pthread_cond_t freed; /* a job is free again */
	pthread_t threads[JOBS_MAX / JOBS_PER_THREAD];
	uint32_t thread_count;
	bool started, stop;
	struct pack_job *oldest, *newest; /* that nobody has begun */
	struct pack_job *unused;
	size_t busy; /* jobs that are not free */
	struct tdat_error err;
	enum tdat_status status; /* of the first failure */
	size_t job_count;
	struct pack_job jobs[JOBS_MAX];
};

struct write_packer *write_packer_new(const struct tdat_codec *codec, int level, bool big,
				      uint32_t threads)
{
	struct write_packer *p = calloc(1, sizeof(*p));

	if (!p)
		return NULL;
	p->codec = codec;
	p->level = level ? level : codec->default_level;
	p->big = big;
	p->thread_max = tdat_thread_count(threads, JOBS_MAX / JOBS_PER_THREAD);
	p->job_count = (size_t)p->thread_max * JOBS_PER_THREAD;
	pthread_mutex_init(&p->lock, NULL);
	pthread_cond_init(&p->work, NULL);
	pthread_cond_init(&p->freed, NULL);
	/* All jobs are free at first; the last one pushed is used first. */
	for (size_t i = p->job_count; i-- > 0;) {
		p->jobs[i].chunk.to = codec;
		p->jobs[i].behind = p->unused;
		p->unused = &p->jobs[i];
	}
	return p;
}

/* Jobs that nobody began are dropped: a writer is freed early only after a failure. */
void write_packer_free(struct write_packer *p)
{
	if (!p)
		return;
	pthread_mutex_lock(&p->lock);
	p->stop = true;
	pthread_cond_broadcast(&p->work);
	pthread_mutex_unlock(&p->lock);
	for (uint32_t i = 0; i < p->thread_count; i++)
		pthread_join(p->threads[i], NULL);
	for (size_t i = 0; i < p->job_count; i++)
		chunk_job_fini(&p->jobs[i].chunk);
	pthread_cond_destroy(&p->freed);
	pthread_cond_destroy(&p->work);
	pthread_mutex_destroy(&p->lock);
	free(p);
}

/* ---- with the lock held ---- */

/* Keeps the first failure; later ones follow from it. */
static void note(struct write_packer *p, enum tdat_status st, const struct tdat_error *err)
{
	if (st == TDAT_OK || p->status != TDAT_OK)
		return;
	p->status = st;
	p->err = *err;
}

/* Puts the chunks of the job into the spool; the lock is let go meanwhile. */
static void append(struct write_packer *p, struct write_pack *pack, struct pack_job *job)
{
	/*
	 * After a failure chunks are dropped, but jobs still become free, so that nobody waits for
	 * ever.
	 */
	const bool failed = p->status != TDAT_OK;
	struct tdat_error err = TDAT_ERROR_INIT;
	struct chunk_job *c = &job->chunk;
	enum tdat_status st = c->status;

	pthread_mutex_unlock(&p->lock);
	chunk_job_balance(c, &pack->sums);
	if (st != TDAT_OK)
		tdat_error_set(&err, st, TDAT_NO_OFFSET, "cannot compress CPU data: %s", c->why);
	else if (!failed)
		st = write_spool_append(job->spool, &pack->ext, 1, c->out, c->out_len, &err);
	pthread_mutex_lock(&p->lock);
	note(p, st, &err);
}

/* Makes a job free again. */
static void give_back(struct write_packer *p, struct pack_job *job)
{
	job->behind = p->unused;
	p->unused = job;
	p->busy--;
	pthread_cond_broadcast(&p->freed);
}

/* Puts what is finished of the stream into the spool, as far as nothing before it is missing. */
static void append_done(struct write_packer *p, struct write_pack *pack)
{
	/*
	 * One thread appends at a time, so chunks keep their order. It takes along those that are
	 * done.
	 */
	if (pack->appends)
		return;
	pack->appends = true;
	while (pack->first && pack->first->done) {
		struct pack_job *job = pack->first;

		append(p, pack, job);
		pack->first = job->next;
		give_back(p, job);
	}
	pack->appends = false;
}

/* Runs the job that waits longest. */
static void run_oldest(struct write_packer *p)
{
	struct pack_job *job = p->oldest;

	p->oldest = job->behind;
	pthread_mutex_unlock(&p->lock);
	chunk_job_run(&job->chunk);
	pthread_mutex_lock(&p->lock);
	job->done = true;
	append_done(p, job->pack);
}

/* Each helper: runs jobs until the packer is freed. */
static void *helper(void *arg)
{
	struct write_packer *p = arg;

	pthread_mutex_lock(&p->lock);
	while (!p->stop) {
		if (p->oldest)
			run_oldest(p);
		else
			pthread_cond_wait(&p->work, &p->lock);
	}
	pthread_mutex_unlock(&p->lock);
	return NULL;
}

/* With one thread, or where no other can be had, those that put chunks compress them. */
static void start_helpers(struct write_packer *p)
{
	p->started = true;
	while (p->thread_max > 1 && p->thread_count < p->thread_max &&
	       tdat_thread_start(&p->threads[p->thread_count], helper, p))
		p->thread_count++;
}

/* A free job. Who waits for one does the work of another meanwhile. */
static struct pack_job *free_job(struct write_packer *p)
{
	struct pack_job *job;

	while (!p->unused) {
		if (p->oldest)
			run_oldest(p);
		else
			pthread_cond_wait(&p->freed, &p->lock);
	}
	job = p->unused;
	p->unused = job->behind;
	p->busy++;
	return job;
}

static void queue(struct write_packer *p, struct write_pack *pack, struct pack_job *job)
{
	job->next = job->behind = NULL;
	*(pack->first ? &pack->last->next : &pack->first) = job;
	pack->last = job;
	*(p->oldest ? &p->newest->behind : &p->oldest) = job;
	p->newest = job;
}

/* Moves the block into the job and returns the job's old memory in its place: nothing is copied. */
static bool take_block(struct write_packer *p, struct chunk_job *c, uint8_t **block, size_t len,
		       size_t chunk_len)
{
	uint8_t *full = *block;

	if (!chunk_mem_room(&c->own, len))
		return false;
	*block = c->own.ptr;
	c->own = (struct chunk_mem){full, len};
	c->in = full;
	c->in_len = c->plain_len = len;
	c->chunk_len = chunk_len;
	c->level = p->level;
	c->big = p->big;
	return true;
}

/* Queues one block of pages. May run another job meanwhile. */
static enum tdat_status put(struct write_packer *p, struct write_pack *pack,
			    struct write_spool *spool, uint8_t **block, size_t len,
			    size_t chunk_len, struct tdat_error *err)
{
	struct pack_job *job;

	if (!p->started)
		start_helpers(p);
	job = free_job(p);
	if (!take_block(p, &job->chunk, block, len, chunk_len)) {
		give_back(p, job);
		return tdat_error_no_memory(err, "CPU data");
	}
	job->pack = pack;
	job->spool = spool;
	job->done = false;
	pack->chunk_count += len / chunk_len;
	queue(p, pack, job);
	/* Without helpers the caller compresses at once. */
	if (p->thread_count)
		pthread_cond_signal(&p->work);
	else
		run_oldest(p);
	return TDAT_OK;
}

/* Returns the first failure of any stream. */
static enum tdat_status failure(const struct write_packer *p, struct tdat_error *err)
{
	if (p->status != TDAT_OK && err)
		*err = p->err;
	return p->status;
}

/* ---- without it ---- */

enum tdat_status write_pack_put(struct write_packer *p, struct write_pack *pack,
				struct write_spool *spool, uint8_t **block, size_t len,
				size_t chunk_len, struct tdat_error *err)
{
	/* Made before other threads put chunks into it. */
	enum tdat_status st = write_spool_open(spool, err);

	if (st != TDAT_OK)
		return st;
	pthread_mutex_lock(&p->lock);
	st = failure(p, err);
	if (st == TDAT_OK)
		st = put(p, pack, spool, block, len, chunk_len, err);
	pthread_mutex_unlock(&p->lock);
	return st;
}

/* Waits for all jobs, and works on them meanwhile. */
enum tdat_status write_packer_end(struct write_packer *p, struct tdat_error *err)
{
	enum tdat_status st;

	pthread_mutex_lock(&p->lock);
	while (p->busy) {
		if (p->oldest)
			run_oldest(p);
		else
			pthread_cond_wait(&p->freed, &p->lock);
	}
	st = failure(p, err);
	pthread_mutex_unlock(&p->lock);
	return st;
}
