/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "data.h"

#include <stdlib.h>

#include "core/pool.h"

enum {
	CHUNK_PAGES = 10,        /* as trace-cmd cuts */
	CHUNK_MAX = 1024 * 1024, /* but a chunk is held in memory, once a job */
	JOBS_PER_THREAD = 3,
	JOBS_MAX = 32
};

enum tdat_status write_data_plain(struct tdat_writer *w, const struct write_extents *ext,
				  struct tdat_error *err)
{
	uint64_t pos = 0;

	while (pos < ext->used) {
		uint64_t off, len;
		enum tdat_status st;

		write_extents_find(ext, pos, &off, &len);
		st = write_out_copy(&w->out, w->store.spool.fd, w->store.spool.name, off, len,
				    err);
		if (st != TDAT_OK)
			return st;
		pos += len;
	}
	return TDAT_OK;
}

struct chunk_job {
	const struct tdat_codec *codec;
	int level;
	size_t in_len, out_len;
	const char *why; /* of a failure */
	uint8_t *in, *out;
};

static void chunk_run(void *arg)
{
	struct chunk_job *job = arg;

	job->out_len = job->codec->bound(job->in_len);
	job->why = NULL;
	if (job->codec->deflate(job->in, job->in_len, job->out, &job->out_len, job->level,
				&job->why) && !job->why)
		job->why = "compression failed";
}

/* The chunks of one stream under way. */
struct chunk_flow {
	struct tdat_writer *w;
	const struct write_extents *ext;
	struct tdat_pool *pool;
	size_t chunk_len, depth;
	struct chunk_job jobs[JOBS_MAX];
};

static enum tdat_status flow_init(struct chunk_flow *flow, struct tdat_error *err)
{
	const struct tdat_codec *codec = flow->w->codec;
	uint32_t threads = flow->w->threads ? flow->w->threads : tdat_pool_cpus();
	uint64_t chunks = (flow->ext->used + flow->chunk_len - 1) / flow->chunk_len;

	flow->depth = threads < JOBS_MAX / JOBS_PER_THREAD ? threads * JOBS_PER_THREAD : JOBS_MAX;
	if (chunks < flow->depth)
		flow->depth = (size_t)chunks;
	if (threads > flow->depth)
		threads = (uint32_t)flow->depth;
	for (size_t i = 0; i < flow->depth; i++) {
		struct chunk_job *job = &flow->jobs[i];

		job->codec = codec;
		job->level = flow->w->level ? flow->w->level : codec->default_level;
		job->in = malloc(flow->chunk_len);
		job->out = malloc(codec->bound(flow->chunk_len));
		if (!job->in || !job->out)
			return tdat_error_set(err, TDAT_E_NOMEM, TDAT_NO_OFFSET,
					      "no memory to compress %s", flow->w->out.name);
	}
	flow->pool = tdat_pool_new(threads, flow->depth, chunk_run);
	if (!flow->pool)
		return tdat_error_set(err, TDAT_E_NOMEM, TDAT_NO_OFFSET,
				      "no memory to compress %s", flow->w->out.name);
	return TDAT_OK;
}

static void flow_fini(struct chunk_flow *flow)
{
	tdat_pool_free(flow->pool);
	for (size_t i = 0; i < flow->depth; i++) {
		free(flow->jobs[i].in);
		free(flow->jobs[i].out);
	}
}

/* Writes the oldest chunk. */
static enum tdat_status chunk_write(struct chunk_flow *flow, struct tdat_error *err)
{
	struct write_out *out = &flow->w->out;
	const struct chunk_job *job = tdat_pool_take(flow->pool);
	enum tdat_status st;
	uint8_t head[8];

	if (job->why)
		return tdat_error_set(err, TDAT_E_SYSTEM, write_out_pos(out),
				      "cannot compress a chunk of %zu bytes of %s with %s: %s",
				      job->in_len, out->name, job->codec->name, job->why);
	tdat_store32(head, (uint32_t)job->out_len, flow->w->meta.big);
	tdat_store32(head + 4, (uint32_t)job->in_len, flow->w->meta.big);
	st = write_out_bytes(out, head, sizeof(head), err);
	return st == TDAT_OK ? write_out_bytes(out, job->out, job->out_len, err) : st;
}

static enum tdat_status flow_run(struct chunk_flow *flow, struct tdat_error *err)
{
	uint64_t total = flow->ext->used, pos = 0;
	enum tdat_status st = TDAT_OK;
	size_t next = 0;

	while (st == TDAT_OK && (pos < total || tdat_pool_count(flow->pool))) {
		struct chunk_job *job = &flow->jobs[next % flow->depth];

		if (pos == total || tdat_pool_count(flow->pool) == flow->depth) {
			st = chunk_write(flow, err);
			continue;
		}
		job->in_len = total - pos < flow->chunk_len ? (size_t)(total - pos)
							    : flow->chunk_len;
		st = write_spool_read(&flow->w->store.spool, flow->ext, pos, job->in,
				      job->in_len, err);
		if (st == TDAT_OK)
			tdat_pool_put(flow->pool, job);
		pos += job->in_len;
		next++;
	}
	return st;
}

enum tdat_status write_data_chunks(struct tdat_writer *w, const struct write_extents *ext,
				   uint32_t page_size, struct tdat_error *err)
{
	struct chunk_flow flow = {.w = w, .ext = ext};
	uint32_t pages = page_size <= CHUNK_MAX / CHUNK_PAGES ? CHUNK_PAGES
							       : CHUNK_MAX / page_size;
	enum tdat_status st;
	uint8_t head[4];
	uint64_t count;

	flow.chunk_len = (size_t)page_size * pages;
	count = (ext->used + flow.chunk_len - 1) / flow.chunk_len;
	if (count > UINT32_MAX)
		return tdat_error_set(err, TDAT_E_LIMIT, write_out_pos(&w->out),
				      "%llu chunks of one CPU are more than 32 bits can count",
				      (unsigned long long)count);
	tdat_store32(head, (uint32_t)count, w->meta.big);
	st = write_out_bytes(&w->out, head, sizeof(head), err);
	if (st == TDAT_OK && count)
		st = flow_init(&flow, err);
	if (st == TDAT_OK && count)
		st = flow_run(&flow, err);
	flow_fini(&flow);
	return st;
}
