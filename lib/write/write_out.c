/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Writes the bytes of the new file, which target.c makes and names. Bytes are
 * collected and written in large pieces at rising offsets; a few places are patched later.
 * Holes are left where zeros would be written.
 */
#include "write_out.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#ifdef __linux__
#include <sys/syscall.h>
#endif
#include <unistd.h>

#include "core/checked.h"
#include "core/temp_file.h"
#include "disk.h"

/* OUT_BUF: bytes of one write. COPY_MAX: bytes of one copy_file_range(), which takes a size_t. */
enum { OUT_BUF = 256 * 1024, COPY_MAX = 1 << 30 };

enum tdat_status write_out_init(struct write_out *out, const char *name, struct tdat_error *err)
{
	memset(out, 0, sizeof(*out));
	out->fd = out->stream = out->mode = -1;
	out->buf = malloc(OUT_BUF);
	out->name = strdup(name);
	if (!out->buf || !out->name)
		return tdat_error_set(err, TDAT_E_NOMEM, TDAT_NO_OFFSET, "no memory to write %s",
				      name);
	return TDAT_OK;
}

void write_out_fini(struct write_out *out)
{
	/* The file was not committed, or was linked under its final name. */
	if (out->temp)
		unlink(out->temp);
	if (out->fd >= 0)
		close(out->fd);
	if (out->stream >= 0)
		close(out->stream);
	free(out->name);
	free(out->path);
	free(out->dir);
	free(out->temp);
	free(out->buf);
	memset(out, 0, sizeof(*out));
	out->fd = out->stream = -1;
}

/* All bytes up to here are handed to the system, in one write. */
enum tdat_status write_out_flush(struct write_out *out, struct tdat_error *err)
{
	enum tdat_status st = write_disk_put(out->fd, out->name, out->off, out->buf, out->used,
					     out->expected, err);

	if (st == TDAT_OK) {
		out->off += out->used;
		out->used = 0;
	}
	return st;
}

/* Pieces that are larger than the buffer are handed to the system from where they are. */
enum tdat_status write_out_bytes(struct write_out *out, const void *p, size_t n,
				 struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;

	if (n > OUT_BUF - out->used)
		st = write_out_flush(out, err);
	if (st != TDAT_OK)
		return st;
	if (n > OUT_BUF) {
		st = write_disk_put(out->fd, out->name, out->off, p, n, out->expected, err);
		out->off += st == TDAT_OK ? n : 0;
		return st;
	}
	if (n)
		memcpy(out->buf + out->used, p, n);
	out->used += n;
	return TDAT_OK;
}

/* The place may still be in the buffer: offsets are patched right behind it. */
enum tdat_status write_out_patch(struct write_out *out, uint64_t off, const void *p, size_t n,
				 struct tdat_error *err)
{
	enum tdat_status st;

	if (off >= out->off) {
		memcpy(out->buf + (off - out->off), p, n);
		return TDAT_OK;
	}
	st = write_out_flush(out, err);
	return st == TDAT_OK ? write_disk_put(out->fd, out->name, off, p, n, 0, err) : st;
}

/* The gap is written as zeros if the buffer holds it, else it becomes a hole. */
enum tdat_status write_out_align(struct write_out *out, uint32_t unit, struct tdat_error *err)
{
	uint64_t to, pos = write_out_pos(out);

	if (!tdat_align_u64(pos, unit, &to) || to > INT64_MAX)
		return tdat_error_set(err, TDAT_E_LIMIT, pos, "%s becomes too large", out->name);
	if (to == pos)
		return TDAT_OK;
	if (to - pos <= OUT_BUF - out->used) {
		memset(out->buf + out->used, 0, (size_t)(to - pos));
		out->used += (size_t)(to - pos);
		return TDAT_OK;
	}
	return write_out_skip(out, to - pos, err);
}

/* Nothing is written: the next write leaves a hole, or write_out_finish() sets the length. */
enum tdat_status write_out_skip(struct write_out *out, uint64_t n, struct tdat_error *err)
{
	enum tdat_status st = write_out_flush(out, err);

	if (st == TDAT_OK && n > INT64_MAX - out->off)
		return tdat_error_set(err, TDAT_E_LIMIT, out->off, "%s becomes too large",
				      out->name);
	if (st == TDAT_OK)
		out->off = out->hole = out->off + n;
	return st;
}

/* Lets the kernel copy or share bytes within one file system; *len is what is left to copy. */
static enum tdat_status copy_inside(struct write_out *out, int from, uint64_t *off, uint64_t *len,
				    struct tdat_error *err)
{
#ifdef __linux__
	/* The copy may be short; each round continues behind it. */
	while (*len) {
		off_t in = (off_t)*off, to = (off_t)out->off;
		/* The C library has had a function for it since glibc 2.27. */
		long n = syscall(SYS_copy_file_range, from, &in, out->fd, &to,
				 *len < COPY_MAX ? (size_t)*len : (size_t)COPY_MAX, 0U);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && (errno == ENOSPC || errno == EDQUOT || errno == EFBIG))
			return write_disk_put_error(errno, out->name, out->off, (size_t)*len,
						    out->expected, err);
		if (n <= 0) /* the kernel cannot for these files: reading and writing shows what is
			       wrong */
			break;
		out->off += (uint64_t)n;
		*off += (uint64_t)n;
		*len -= (uint64_t)n;
	}
#else
	(void)out, (void)from, (void)off, (void)len, (void)err;
#endif
	return TDAT_OK;
}

enum tdat_status write_out_copy(struct write_out *out, int from, const char *from_name,
				uint64_t off, uint64_t len, struct tdat_error *err)
{
	enum tdat_status st = write_out_flush(out, err);

	if (st == TDAT_OK)
		st = copy_inside(out, from, &off, &len, err);
	/* The kernel did not copy all: the rest is read and written, through the empty buffer. */
	while (st == TDAT_OK && len) {
		size_t part = len < OUT_BUF ? (size_t)len : OUT_BUF;

		st = write_disk_get(from, from_name, off, out->buf, part, err);
		if (st != TDAT_OK)
			return st;
		out->used = part;
		st = write_out_flush(out, err);
		off += part;
		len -= part;
	}
	return st;
}

/* Copies the finished file to a pipe or device, with a sentence for bytes that it did not take. */
static enum tdat_status stream_out(struct write_out *out, struct tdat_error *err)
{
	uint64_t pos = 0, len = out->off;

	while (pos < len) {
		size_t have = len - pos < OUT_BUF ? (size_t)(len - pos) : OUT_BUF, done;
		enum tdat_status st = write_disk_get(out->fd, out->name, pos, out->buf, have, err);

		if (st != TDAT_OK)
			return st;
		done = tdat_fd_write(out->stream, out->buf, have);
		if (done < have)
			return write_disk_put_error(errno, out->name, pos + done, 0, len, err);
		pos += have;
	}
	return TDAT_OK;
}

enum tdat_status write_out_finish(struct write_out *out, struct tdat_error *err)
{
	enum tdat_status st = write_out_flush(out, err);

	if (st != TDAT_OK)
		return st;
	/* A hole at the very end is made by setting the length. */
	if (out->off == out->hole && ftruncate(out->fd, (off_t)out->off))
		return tdat_error_set_errno(err, errno, "cannot write %s", out->name);
	return out->stream >= 0 ? stream_out(out, err) : TDAT_OK;
}
