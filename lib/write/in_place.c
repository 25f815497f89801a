/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Finds out whether the spool can become the new file, and makes it that. */
#include "in_place.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "data.h"
#include "disk.h"
#include "rearrange.h"

/* LEAST_LEN: less is copied as fast. Of the file, 1 / ASIDE_SHARE has room aside, up to ASIDE_MOST.
 */
enum { LEAST_LEN = 4 * 1024 * 1024, ASIDE_SHARE = 8, ASIDE_MOST = 16 * 1024 * 1024 };

/* Whether all bytes of the stream, if there are any, lie in the writer's spool. */
static bool stream_fits(const struct tdat_writer *w, const struct write_stream *s)
{
	const struct write_data d = write_data_stream(s);

	if (!write_data_any(&d))
		return true;
	if (d.from.src || d.pack || d.ext->spool != &w->spool || d.ext->used % d.page_size)
		return false;
	for (size_t i = 0; i < d.ext->count; i++)
		if (d.ext->list[i].src || d.ext->list[i].off % d.page_size)
			return false;
	return true;
}

/* Whether other buffers have nothing in the spool. */
static bool is_alone(const struct tdat_writer *w, const struct write_buffer *buf)
{
	for (uint32_t i = 0; i < w->buffer_count; i++) {
		const struct write_buffer *other = w->buffers[i];

		if (other == buf)
			continue;
		if (other->has_latency)
			return false;
		for (uint32_t cpu = 0; cpu < other->stream_cap; cpu++)
			if (other->streams[cpu] && other->streams[cpu]->ext.used)
				return false;
	}
	return true;
}

static bool fits(const struct tdat_writer *w, const struct write_buffer *buf, uint64_t *len)
{
	const struct write_out *out = &w->out;
	struct stat spool, file;

	*len = 0;
	if (w->codec || out->temp || w->spool.fd < 0 || !w->spool.nameless || !w->spool.in_memory ||
	    !is_alone(w, buf))
		return false;
	for (uint32_t cpu = 0; cpu < buf->stream_cap; cpu++) {
		if (!buf->streams[cpu])
			continue;
		if (!stream_fits(w, buf->streams[cpu]))
			return false;
		*len += buf->streams[cpu]->ext.used;
	}
	return *len >= LEAST_LEN && !fstat(w->spool.fd, &spool) && !fstat(out->fd, &file) &&
	       spool.st_dev == file.st_dev;
}

static enum tdat_status list_moves(struct rearrange *r, const struct write_buffer *buf,
				   uint64_t dest, struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;

	for (uint32_t cpu = 0; cpu < buf->stream_cap; cpu++) {
		const struct write_extents *ext;
		uint64_t pos = 0;

		if (!buf->streams[cpu])
			continue;
		for (ext = &buf->streams[cpu]->ext; pos < ext->used && st == TDAT_OK;) {
			const struct tdat_source *src;
			uint64_t off, len;

			write_extents_find(ext, pos, &src, &off, &len);
			st = rearrange_add(r, off, dest, len, err);
			pos += len;
			dest += len;
		}
	}
	return st;
}

static void moved(void *ctx, uint64_t len)
{
	write_progress(ctx, len);
}

/* Puts what was written so far before the pages of the spool, which then is the file. */
static enum tdat_status adopt(struct tdat_writer *w, struct tdat_error *err)
{
	struct write_out *out = &w->out;
	const uint64_t len = out->off;
	enum tdat_status st = TDAT_OK;
	struct stat sb;
	int fd = out->fd;

	/* What was left to be a hole at its end is not there yet. */
	if (fstat(fd, &sb) || fchmod(w->spool.fd, sb.st_mode & 0777) || ftruncate(fd, (off_t)len))
		return tdat_error_set_errno(err, errno, "cannot write %s", out->name);
	out->fd = w->spool.fd;
	w->spool.fd = -1;
	out->off = 0;
	st = write_out_copy(out, fd, out->name, 0, len, err);
	close(fd);
	return st;
}

enum tdat_status write_in_place(struct tdat_writer *w, struct write_buffer *buf,
				struct tdat_error *err)
{
	struct rearrange r = {.unit = buf->shape.size, .on_moved = moved, .ctx = w};
	enum tdat_status st;
	uint64_t len;

	if (!fits(w, buf, &len))
		return TDAT_OK;
	st = write_out_align(&w->out, buf->shape.size, err);
	if (st == TDAT_OK)
		st = write_out_flush(&w->out, err);
	/* What goes aside lies behind what was written so far. */
	r.aside_fd = w->out.fd;
	r.aside_off = w->out.off;
	r.aside_len = len / ASIDE_SHARE < ASIDE_MOST ? len / ASIDE_SHARE : ASIDE_MOST;
	if (st == TDAT_OK)
		st = list_moves(&r, buf, w->out.off, err);
	if (st == TDAT_OK)
		st = rearrange_run(&r, w->spool.fd, w->out.name, err);
	rearrange_fini(&r);
	if (st == TDAT_OK)
		st = adopt(w, err);
	if (st == TDAT_OK && ftruncate(w->out.fd, (off_t)(w->out.off + len)))
		st = tdat_error_set_errno(err, errno, "cannot write %s", w->out.name);
	for (uint32_t cpu = 0; cpu < buf->stream_cap; cpu++)
		if (buf->streams[cpu])
			buf->streams[cpu]->ext.placed = true;
	return st;
}
