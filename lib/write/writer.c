/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Makes and frees a tdat_writer. A writer belongs to one thread, but for its cpu_emit
 * (cpu_emit.c). It owns the spool, the metadata and the target; freeing it before
 * tdat_writer_finish() leaves no file.
 */
#include "state.h"

#include <stdlib.h>

#include "core/opts.h"
#include "cpu_emit.h"
#include "emit_ops.h"
#include "target.h"

static void buffer_free(struct write_buffer *buf)
{
	if (!buf)
		return;
	for (uint32_t i = 0; i < buf->stream_cap; i++)
		write_stream_free(buf->streams[i]);
	write_extents_fini(&buf->latency);
	free(buf->streams);
	free(buf);
}

/* The packer first: its threads use streams and spools. */
void tdat_writer_free(struct tdat_writer *w)
{
	if (!w)
		return;
	write_packer_free(w->packer);
	for (uint32_t i = 0; i < w->buffer_count; i++)
		buffer_free(w->buffers[i]);
	free(w->buffers);
	write_cpu_emits_free(w);
	write_spool_fini(&w->spool);
	for (size_t i = 0; i < WRITE_CPU_SPOOLS; i++)
		write_spool_fini(&w->cpu_spools[i]);
	write_meta_fini(&w->meta);
	write_out_fini(&w->out);
	free(w);
}

/* Levels that the codec accepts; 0 is its default. */
struct level_range {
	const char *codec;
	int min, max;
};

static enum tdat_status set_codec(struct tdat_writer *w, const char *name, int level,
				  struct tdat_error *err)
{
	static const struct level_range ranges[] = {{"zlib", 1, 9}, {"zstd", -7, 22}};

	/* Version 7 is compressed with zstd unless the caller says otherwise. */
	if (!name)
		name = "any";
	if (w->version == 6) {
		if (strcmp(name, "any") && strcmp(name, "none"))
			return tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET,
					      "version 6 files are not compressed: %s needs "
					      "version 7",
					      name);
		return TDAT_OK;
	}
	if (!strcmp(name, "none"))
		return TDAT_OK;
	w->codec = tdat_codec_find(strcmp(name, "any") ? name : "zstd");
	if (!w->codec)
		return tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET,
				      "compression must be none, zlib, zstd or any, not %s", name);
	for (size_t i = 0; i < sizeof(ranges) / sizeof(ranges[0]); i++)
		if (!strcmp(ranges[i].codec, w->codec->name) && level &&
		    (level < ranges[i].min || level > ranges[i].max))
			return tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET,
					      "the level of %s must be %d to %d, not %d",
					      w->codec->name, ranges[i].min, ranges[i].max, level);
	w->level = level;
	return TDAT_OK;
}

/* A spool for the writer's thread, and several for the emits of CPUs. */
static enum tdat_status init_spools(struct tdat_writer *w, const char *dir, struct tdat_error *err)
{
	enum tdat_status st = write_spool_init(&w->spool, dir, err);

	for (size_t i = 0; i < WRITE_CPU_SPOOLS && st == TDAT_OK; i++)
		st = write_spool_init(&w->cpu_spools[i], dir, err);
	return st;
}

static enum tdat_status writer_setup(struct tdat_writer *w, const char *path,
				     const struct tdat_writer_opts *o, struct tdat_error *err)
{
	enum tdat_status st;

	w->version = o->version ? o->version : 7;
	if (w->version != 6 && w->version != 7)
		return tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET,
				      "the version must be 6 or 7, not %u", w->version);
	w->threads = o->threads;
	st = set_codec(w, o->compression, o->level, err);
	if (st == TDAT_OK)
		st = o->fd ? write_out_open_fd(&w->out, path, *o->fd, err)
			   : write_out_open(&w->out, path, o->force, err);
	if (st == TDAT_OK)
		st = init_spools(w, o->tmpdir ? o->tmpdir : w->out.dir, err);
	/* Buffer 0 is the top buffer, which each file has. */
	return st == TDAT_OK ? write_add_buffer(w, "", NULL, err) : st;
}

enum tdat_status tdat_writer_new(struct tdat_writer **out, const char *path,
				 const struct tdat_writer_opts *opts, struct tdat_error *err)
{
	struct tdat_writer_opts o = TDAT_WRITER_OPTS_INIT;
	struct tdat_writer *w = calloc(1, sizeof(*w));
	enum tdat_status st;

	*out = NULL;
	if (!w)
		return tdat_error_set(err, TDAT_E_NOMEM, TDAT_NO_OFFSET, "no memory to write %s",
				      path);
	tdat_opts_copy(&o, sizeof(o), opts);
	/*
	 * Descriptors are -1 before anything can fail: tdat_writer_free() closes those from 0 on.
	 */
	w->out.fd = w->out.stream = w->spool.fd = -1;
	for (size_t i = 0; i < WRITE_CPU_SPOOLS; i++)
		w->cpu_spools[i].fd = -1;
	w->store.spool = &w->spool;
	w->emit.ops = &write_emit_ops;
	w->emit.ctx = w;
	write_meta_init(&w->meta);
	st = writer_setup(w, path, &o, err);
	if (st != TDAT_OK) {
		tdat_writer_free(w);
		return st;
	}
	*out = w;
	return TDAT_OK;
}

const struct tdat_emit *tdat_writer_emit(struct tdat_writer *w)
{
	return &w->emit;
}

void tdat_writer_on_warn(struct tdat_writer *w, tdat_warn_fn fn, void *ctx)
{
	w->warn = fn;
	w->warn_ctx = ctx;
}

void tdat_writer_on_progress(struct tdat_writer *w, tdat_progress_fn fn, void *ctx)
{
	w->progress = fn;
	w->progress_ctx = ctx;
}

/* Called by the thread that lays the file out; fn sees the bytes in rising order. */
void write_progress(struct tdat_writer *w, uint64_t len)
{
	w->progress_done += len;
	if (w->progress)
		w->progress(w->progress_ctx, w->progress_done, w->progress_total);
}

void tdat_writer_on_note(struct tdat_writer *w, tdat_warn_fn fn, void *ctx)
{
	w->note = fn;
	w->note_ctx = ctx;
}

uint64_t tdat_writer_warnings(const struct tdat_writer *w)
{
	return w->warn_count;
}

uint64_t tdat_writer_events(const struct tdat_writer *w)
{
	return w->event_count;
}

void tdat_writer_on_fact(struct tdat_writer *w, tdat_fact_fn fn, void *ctx)
{
	w->fact = fn;
	w->fact_ctx = ctx;
}

void tdat_writer_on_events(struct tdat_writer *w, tdat_progress_fn fn, void *ctx)
{
	w->events = fn;
	w->events_ctx = ctx;
}

static bool has_data(const struct tdat_writer *w, uint32_t cpu)
{
	for (uint32_t i = 0; i < w->buffer_count; i++) {
		const struct write_buffer *buf = w->buffers[i];

		if (cpu < buf->stream_cap && buf->streams[cpu] &&
		    write_stream_has_data(buf->streams[cpu]))
			return true;
	}
	return false;
}

uint32_t tdat_writer_cpus(const struct tdat_writer *w)
{
	const uint32_t end = write_cpu_count(w);
	uint32_t count = 0;

	for (uint32_t cpu = 0; cpu < end; cpu++)
		count += has_data(w, cpu);
	return count;
}

uint32_t write_cpu_count(const struct tdat_writer *w)
{
	uint32_t count = w->meta.cpu_count;

	for (uint32_t i = 0; i < w->buffer_count; i++) {
		const struct write_buffer *buf = w->buffers[i];

		/* Streams above the emitted number of CPUs raise it. */
		for (uint32_t cpu = count; cpu < buf->stream_cap; cpu++)
			if (buf->streams[cpu])
				count = cpu + 1;
	}
	return count;
}
