/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Writes CPU data and latency text into the new file, compressed where that is asked for. Bytes
 * come from the spool or are borrowed from a source file. They are copied by the kernel where
 * nothing changes, compressed in jobs on threads where it does, and stay chunks where the codec
 * is the same. Holes stay holes. The order in the file is the order of the jobs, whatever
 * thread did them.
 */
#include "data.h"

#include "chunk_job.h"
#include "core/pool.h"
#include "core/source_fd.h"
#include "core/thread.h"
#include "dat/chunk.h"
#include "disk.h"

enum {
	/* Bytes that the kernel copies between two reports of progress. */
	COPY_STEP = 4 * 1024 * 1024,
	HOLE_MIN = 1024 * 1024, /* of a sparse file: shorter holes are read as zeros */
	/* Jobs for each thread, so that a thread finds work while others are written. */
	JOBS_PER_THREAD = 3,
	FLIGHT_MAX = 32 * 1024 *
		     1024, /* inflated bytes in the pool, beyond which no further job is started */
	KEEP_MAX = 4 * 1024 * 1024, /* memory that a job keeps for the next */
	/* The size of flow.jobs: a bound for any number of threads. */
	JOBS_MAX = 32
};

/* Returns the length of the hole at off, or 0 if there is none worth skipping. */
static uint64_t hole_at(const struct tdat_source *src, uint64_t off, uint64_t len)
{
	uint64_t hole = src ? tdat_source_skip_hole(src, off, off + len) - off : 0;

	return hole < HOLE_MIN ? 0 : hole;
}

/* Fills the index that the walk over chunks of lib/dat needs of a borrowed file. */
static void borrow_index(const struct write_borrow *from, struct dat_index *ix)
{
	const struct tdat_buffer *buffers;
	size_t count;

	memset(ix, 0, sizeof(*ix));
	buffers = tdat_file_buffers(from->file, &count);
	/* Chunks are walked if any CPU has them. */
	for (size_t i = 0; i < count; i++)
		for (uint32_t k = 0; buffers[i].compressed && k < buffers[i].cpu_count; k++)
			ix->chunked_count += buffers[i].cpus[k].len != 0;
	ix->src = from->src;
	ix->limits = *tdat_file_limits(from->file);
	ix->big = from->big;
	ix->codec = from->codec;
}

/* Chunks of a borrowed file are counted by their heads; nothing is inflated. */
enum tdat_status write_data_len(const struct write_data *d, uint64_t *len, struct tdat_error *err)
{
	struct dat_chunks chunks;
	struct dat_index ix;
	enum tdat_status st;
	bool more = true;

	*len = d->from.src ? d->from.len : d->ext->used;
	if (!d->from.src || !d->from.codec)
		return TDAT_OK;
	*len = 0;
	borrow_index(&d->from, &ix);
	st = dat_chunks_init(&chunks, &ix, d->from.off, d->from.len, err);
	while (st == TDAT_OK) {
		st = dat_chunks_next(&chunks, &more, err);
		if (st != TDAT_OK || !more)
			break;
		*len += chunks.out_len;
	}
	return st;
}

/* ---- plain bytes ---- */

/*
 * Copies len bytes of src, or (NULL) of the spool, and reports progress; holes stay holes. A spool
 * in memory gives back what was copied, so that both files together take the memory of one.
 */
static enum tdat_status put_copy(struct tdat_writer *w, const struct write_spool *spool,
				 const struct tdat_source *src, uint64_t off, uint64_t len,
				 struct tdat_error *err)
{
	int fd = src ? tdat_source_fd(src) : spool->fd;
	const char *name = src ? tdat_source_name(src) : spool->name;

	while (len) {
		uint64_t part = len < COPY_STEP ? len : COPY_STEP, hole = hole_at(src, off, len);
		enum tdat_status st;

		if (hole)
			st = write_out_skip(&w->out, part = hole, err);
		else
			st = write_out_copy(&w->out, fd, name, off, part, err);
		if (st != TDAT_OK)
			return st;
		if (!src && spool->in_memory)
			write_disk_give_back(fd, off, part);
		write_progress(w, part);
		off += part;
		len -= part;
	}
	return TDAT_OK;
}

/* Copies spooled and borrowed extents in the order of the stream. */
static enum tdat_status put_extents(struct tdat_writer *w, const struct write_extents *ext,
				    struct tdat_error *err)
{
	uint64_t pos = 0;

	while (pos < ext->used) {
		const struct tdat_source *src;
		uint64_t off, len;
		enum tdat_status st;

		write_extents_find(ext, pos, &src, &off, &len);
		st = put_copy(w, ext->spool, src, off, len, err);
		if (st != TDAT_OK)
			return st;
		pos += len;
	}
	return TDAT_OK;
}

/* ---- chunks under way ---- */

/* The state of copying one CPU's data through jobs. */
struct flow {
	struct tdat_writer *w;
	const struct write_data *d;
	struct dat_index ix;
	struct dat_chunks chunks; /* when the data is chunked */
	bool chunked;
	uint64_t pos, len; /* when it is plain */
	uint64_t hole_len; /* of that, holes: no chunks are made of them */
	size_t chunk_len;
	size_t job_len; /* plain bytes of one job: whole chunks */
	uint64_t count; /* chunks there will be */
	struct tdat_pool *pool;
	size_t depth, next;
	struct chunk_sums sums;
	uint64_t in_flight; /* inflated bytes of the jobs in the pool */
	/* A ring: job n is jobs[n % depth]. The pool returns results in the order of its input. */
	struct chunk_job jobs[JOBS_MAX];
};

/* Returns how many plain bytes from *pos on become the next job; 0: none are left. Skips holes. */
static size_t next_plain(const struct flow *f, uint64_t *pos, uint64_t *hole_len)
{
	uint64_t hole = hole_at(f->d->from.src, f->d->from.off + *pos, f->len - *pos);

	/* A hole is skipped in whole pages only, so that chunks begin with a page. */
	if (hole < f->len - *pos)
		hole -= hole % f->d->page_size;
	*pos += hole;
	*hole_len += hole;
	return f->len - *pos < f->job_len ? (size_t)(f->len - *pos) : f->job_len;
}

/*
 * Returns how many chunks plain data makes, and sets *jobs to the number of jobs. The count is
 * written before the chunks, so it must be known first.
 */
static uint64_t count_plain(const struct flow *f, uint64_t *jobs)
{
	uint64_t pos = 0, count = 0, holes = 0;
	size_t len;

	for (*jobs = 0; (len = next_plain(f, &pos, &holes)); pos += len, ++*jobs)
		count += (len + f->chunk_len - 1) / f->chunk_len;
	return count;
}

/* Sets up counts, jobs and threads for one CPU's data. */
static enum tdat_status flow_init(struct flow *f, struct tdat_error *err)
{
	uint32_t threads = tdat_thread_count(f->w->threads, JOBS_MAX);
	enum tdat_status st = TDAT_OK;
	uint64_t jobs = 0;

	f->chunked = f->d->from.src && f->d->from.codec;
	f->chunk_len = chunk_job_chunk_len(f->d->page_size);
	f->job_len = chunk_job_len(f->chunk_len);
	f->len = f->d->from.src ? f->d->from.len : f->d->ext->used;
	if (!f->chunked)
		f->count = count_plain(f, &jobs);
	if (f->chunked) {
		borrow_index(&f->d->from, &f->ix);
		st = dat_chunks_init(&f->chunks, &f->ix, f->d->from.off, f->d->from.len, err);
		f->count = jobs = f->chunks.left;
	}
	if (st != TDAT_OK)
		return st;
	/* Chunks that pack.c made come first, and count, too. */
	f->count += f->d->pack ? f->d->pack->chunk_count : 0;
	if (f->d->pack)
		f->sums = f->d->pack->sums;
	if (f->count > UINT32_MAX)
		return tdat_error_set(err, TDAT_E_LIMIT, write_out_pos(&f->w->out),
				      "one CPU has %llu chunks, more than 32 bits can count",
				      (unsigned long long)f->count);
	/* Each thread has JOBS_PER_THREAD jobs under way, but no more than the data has. */
	f->depth = threads < JOBS_MAX / JOBS_PER_THREAD ? threads * JOBS_PER_THREAD : JOBS_MAX;
	if (jobs < f->depth)
		f->depth = jobs ? (size_t)jobs : 1;
	if (threads > f->depth)
		threads = (uint32_t)f->depth;
	f->pool = tdat_pool_new(threads, f->depth, chunk_job_run);
	return f->pool ? TDAT_OK : tdat_error_no_memory(err, f->w->out.name);
}

static void flow_fini(struct flow *f)
{
	tdat_pool_free(f->pool);
	for (size_t i = 0; i < f->depth; i++)
		chunk_job_fini(&f->jobs[i]);
}

/* Makes len stored bytes at off of the borrowed source the job's input. */
static enum tdat_status job_source(struct flow *f, struct chunk_job *job, uint64_t off, size_t len,
				   struct tdat_error *err)
{
	/* A mapped source lends its bytes; others are read into the job's own memory. */
	job->in = tdat_source_peek(f->d->from.src, off, len);
	job->in_len = len;
	if (job->in)
		return TDAT_OK;
	if (!chunk_mem_room(&job->own, len ? len : 1))
		return tdat_error_no_memory(err, f->w->out.name);
	job->in = job->own.ptr;
	return tdat_source_read(f->d->from.src, off, job->own.ptr, len, err);
}

/* Makes the next stored chunk a job; *more is false when there is none. */
static enum tdat_status job_chunk(struct flow *f, struct chunk_job *job, bool *more,
				  struct tdat_error *err)
{
	enum tdat_status st = dat_chunks_next(&f->chunks, more, err);

	if (st != TDAT_OK || !*more) /* a copy does not leave bytes out without a word */
		return st != TDAT_OK ? st : dat_chunks_rest(&f->chunks, err);
	job->from = f->d->from.codec;
	job->off = f->chunks.chunk_off;
	job->plain_len = f->chunks.out_len;
	job->chunk_len = job->plain_len ? job->plain_len : 1;
	/*
	 * Chunks of the same codec are passed on, unless a level asks for compressing them again.
	 */
	job->pass = f->w->codec == job->from && !f->w->level;
	return job_source(f, job, job->off + 8, f->chunks.in_len, err);
}

/* Makes the next piece of plain bytes a job. */
static enum tdat_status job_plain(struct flow *f, struct chunk_job *job, bool *more,
				  struct tdat_error *err)
{
	size_t len = next_plain(f, &f->pos, &f->hole_len);
	uint64_t pos = f->pos;

	*more = len != 0;
	job->off = f->d->from.off + pos; /* in the spool: of the stream */
	job->plain_len = len;
	job->chunk_len = f->chunk_len;
	f->pos += len;
	if (f->d->from.src)
		return job_source(f, job, job->off, len, err);
	if (!chunk_mem_room(&job->own, f->job_len))
		return tdat_error_no_memory(err, f->w->out.name);
	job->in = job->own.ptr;
	job->in_len = len;
	/* The spool is read once, so its memory can be given back (spool.h). */
	return write_spool_read(f->d->ext, pos, job->own.ptr, len, true, err);
}

/* Hands the next job to the pool. */
static enum tdat_status flow_feed(struct flow *f, bool *more, struct tdat_error *err)
{
	struct chunk_job *job = &f->jobs[f->next % f->depth];
	const struct tdat_codec *codec = f->w->codec;
	enum tdat_status st;

	/* Jobs are reused: all that an earlier one set is set anew. */
	job->from = NULL;
	job->to = codec;
	job->level = codec && !f->w->level ? codec->default_level : f->w->level;
	job->big = f->w->meta.big;
	job->pass = false;
	st = f->chunked ? job_chunk(f, job, more, err) : job_plain(f, job, more, err);
	if (st != TDAT_OK || !*more)
		return st;
	f->in_flight += job->plain_len;
	tdat_pool_put(f->pool, job);
	f->next++;
	return TDAT_OK;
}

/* Writes the result of the oldest job. */
static enum tdat_status flow_write(struct flow *f, struct tdat_error *err)
{
	struct write_out *out = &f->w->out;
	struct chunk_job *job = tdat_pool_take(f->pool);
	enum tdat_status st;

	/* Earlier chunks are written, but the file has no name yet: nothing is left behind. */
	if (job->status != TDAT_OK)
		return tdat_error_set(err, job->status, job->off,
				      "cannot copy the chunk at %llu to %s: %s",
				      (unsigned long long)job->off, out->name, job->why);
	chunk_job_balance(job, &f->sums);
	st = write_out_bytes(out, job->out, job->out_len, err);
	f->in_flight -= job->plain_len;
	chunk_job_trim(job, KEEP_MAX);
	write_progress(f->w, f->chunked ? job->in_len + 8 : job->plain_len);
	return st;
}

static enum tdat_status flow_run(struct flow *f, struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;
	bool more = true;
	uint8_t head[4];

	/* Compressed data begins with the number of its chunks. */
	if (f->w->codec) {
		tdat_store32(head, (uint32_t)f->count, f->w->meta.big);
		st = write_out_bytes(&f->w->out, head, sizeof(head), err);
	}
	if (st == TDAT_OK && f->d->pack)
		st = put_extents(f->w, &f->d->pack->ext, err);
	/* Feeds until jobs or memory are at their bound, then writes the oldest result. */
	while (st == TDAT_OK && (more || tdat_pool_count(f->pool))) {
		if (more && tdat_pool_count(f->pool) < f->depth &&
		    (f->in_flight < FLIGHT_MAX || !tdat_pool_count(f->pool)))
			st = flow_feed(f, &more, err);
		else
			st = flow_write(f, err);
	}
	return st;
}

/* ---- one CPU's data ---- */

static enum tdat_status warn_hole(const struct flow *f, struct tdat_error *err)
{
	struct tdat_writer *w = f->w;

	return tdat_emit_warnf(&w->emit, tdat_source_name(f->d->from.src), f->d->from.off, err,
			       "%llu bytes of CPU data at offset %llu are a hole in the file: they "
			       "are not compressed",
			       (unsigned long long)f->hole_len, (unsigned long long)f->d->from.off);
}

/* Bytes behind the chunks that their number counts belong to nothing: they are left out. */
static enum tdat_status warn_rest(const struct flow *f, struct tdat_error *err)
{
	struct tdat_error rest = TDAT_ERROR_INIT;

	if (!f->chunked || dat_chunks_rest(&f->chunks, &rest) == TDAT_OK)
		return TDAT_OK;
	return tdat_emit_warnf(&f->w->emit, tdat_source_name(f->d->from.src), rest.off, err,
			       "%s: they are omitted", rest.message);
}

/* Chooses the cheapest way: a copy of plain bytes by the kernel, or jobs. */
enum tdat_status write_data_put(struct tdat_writer *w, const struct write_data *d,
				struct tdat_error *err)
{
	struct flow f = {.w = w, .d = d};
	enum tdat_status st;
	int fd;

	/* Plain bytes of the spool stay plain. */
	if (!w->codec && !d->from.src)
		return put_extents(w, d->ext, err);
	fd = d->from.src ? tdat_source_fd(d->from.src) : -1;
	/* The source has a descriptor: the kernel copies. */
	if (!w->codec && !d->from.codec && fd >= 0)
		return put_copy(w, NULL, d->from.src, d->from.off, d->from.len, err);
	/*
	 * Chunks are inflated, compressed or passed on by jobs; so is a source without a
	 * descriptor.
	 */
	st = flow_init(&f, err);
	if (st == TDAT_OK)
		st = flow_run(&f, err);
	if (st == TDAT_OK && f.hole_len)
		st = warn_hole(&f, err);
	if (st == TDAT_OK)
		st = warn_rest(&f, err);
	flow_fini(&f);
	return st;
}
