/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Keeps the CPU data of streams in an unlinked temporary file. Each stream has extents in a
 * common file without a name; they double in length, so that a stream has few. A spool can also
 * borrow bytes of a source, which are then never copied twice. Callers of several threads hold
 * the spool's lock. Other users of temporary files append and read back in order: core/spill.h.
 */
#include "spool.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/search.h"
#include "core/grow.h"
#include "core/temp_file.h"
#include "disk.h"

enum { EXTENT_FIRST = 4 * 1024, EXTENT_DOUBLINGS = 10 };

/* The file is made with the first byte: most writers of copies need none. */
enum tdat_status write_spool_init(struct write_spool *spool, const char *dir,
				  struct tdat_error *err)
{
	memset(spool, 0, sizeof(*spool));
	spool->fd = -1;
	spool->locks = !pthread_mutex_init(&spool->lock, NULL);
	spool->dir = strdup(dir);
	if (asprintf(&spool->name, "temporary data in %s", dir) < 0)
		spool->name = NULL;
	if (!spool->dir || !spool->name || !spool->locks)
		return tdat_error_set(err, TDAT_E_NOMEM, TDAT_NO_OFFSET, "no memory to write");
	return TDAT_OK;
}

void write_spool_fini(struct write_spool *spool)
{
	if (spool->fd >= 0)
		close(spool->fd);
	if (spool->locks)
		pthread_mutex_destroy(&spool->lock);
	free(spool->dir);
	free(spool->name);
	memset(spool, 0, sizeof(*spool));
	spool->fd = -1;
}

/* The bytes stay in the spool until it is closed. */
void write_extents_fini(struct write_extents *ext)
{
	free(ext->list);
	memset(ext, 0, sizeof(*ext));
}

enum tdat_status write_spool_open(struct write_spool *spool, struct tdat_error *err)
{
	if (spool->fd >= 0)
		return TDAT_OK;
	spool->fd = tdat_temp_open(spool->dir);
	if (spool->fd < 0)
		return tdat_error_set_errno(err, errno, "cannot create %s", spool->name);
	spool->in_memory = write_disk_in_memory(spool->fd);
	return TDAT_OK;
}

/* Extents double from 4 KiB to 4 MiB, in whole units: many CPUs have few events each. */
static uint64_t extent_size(size_t index, uint32_t unit)
{
	uint64_t size = (uint64_t)EXTENT_FIRST
			<< (index < EXTENT_DOUBLINGS ? index : EXTENT_DOUBLINGS);

	return (size + unit - 1) / unit * unit;
}

/* Adds an extent without any bytes yet. */
static enum tdat_status extent_push(const struct write_spool *spool, struct write_extents *ext,
				    const struct tdat_source *src, uint64_t off,
				    struct tdat_error *err)
{
	if (!TDAT_GROW(ext->list, &ext->cap, ext->count + 1))
		return tdat_error_set(err, TDAT_E_NOMEM, TDAT_NO_OFFSET,
				      "no memory to list %zu extents of %s", ext->count + 1,
				      spool->name);
	ext->list[ext->count++] = (struct write_extent){off, ext->room, src};
	return TDAT_OK;
}

/*
 * Takes the next bytes of the spool for a stream. Only this step is locked: extents of streams do
 * not overlap, so their bytes are written without a lock.
 */
static enum tdat_status extent_add(struct write_spool *spool, struct write_extents *ext,
				   uint32_t unit, struct tdat_error *err)
{
	uint64_t size = extent_size(ext->count, unit), off;
	enum tdat_status st;

	pthread_mutex_lock(&spool->lock);
	off = spool->end;
	spool->end += size;
	pthread_mutex_unlock(&spool->lock);
	st = extent_push(spool, ext, NULL, off, err);
	if (st == TDAT_OK) {
		ext->spool = spool;
		ext->room += size;
	}
	return st;
}

/* Gives back what the last extent does not use, if it is also the last one of the spool. */
static void extent_close(struct write_spool *spool, struct write_extents *ext)
{
	const struct write_extent *last = ext->count ? &ext->list[ext->count - 1] : NULL;

	pthread_mutex_lock(&spool->lock);
	if (last && !last->src && last->off + (ext->room - last->start) == spool->end)
		spool->end -= ext->room - ext->used;
	pthread_mutex_unlock(&spool->lock);
	ext->room = ext->used;
}

/* Closes the spooled extent first, so that extents follow each other in the stream. */
enum tdat_status write_spool_borrow(struct write_spool *spool, struct write_extents *ext,
				    const struct tdat_source *src, uint64_t off, uint64_t len,
				    struct tdat_error *err)
{
	const struct write_extent *last;
	enum tdat_status st = TDAT_OK;

	extent_close(spool, ext);
	last = ext->count ? &ext->list[ext->count - 1] : NULL;
	/* Bytes that follow the last borrowed ones extend that extent. */
	if (!last || last->src != src || last->off + (ext->used - last->start) != off)
		st = extent_push(spool, ext, src, off, err);
	if (st == TDAT_OK)
		ext->used = ext->room += len;
	return st;
}

/* unit is the page size: an extent holds whole pages, so no page is cut. */
enum tdat_status write_spool_next(struct write_spool *spool, struct write_extents *ext,
				  uint32_t unit, uint64_t *off, struct tdat_error *err)
{
	const struct write_extent *last;
	enum tdat_status st = write_spool_open(spool, err);

	if (st == TDAT_OK && ext->used == ext->room)
		st = extent_add(spool, ext, unit, err);
	if (st != TDAT_OK)
		return st;
	last = &ext->list[ext->count - 1];
	*off = last->off + (ext->used - last->start);
	return TDAT_OK;
}

/* Writes as much as the current extent holds, then goes to the next. */
enum tdat_status write_spool_append(struct write_spool *spool, struct write_extents *ext,
				    uint32_t unit, const void *p, size_t n, struct tdat_error *err)
{
	const uint8_t *at = p;

	while (n) {
		uint64_t off, room;
		size_t part;
		enum tdat_status st = write_spool_next(spool, ext, unit, &off, err);

		if (st != TDAT_OK)
			return st;
		room = ext->room - ext->used;
		part = n < room ? n : (size_t)room;
		st = write_disk_put(spool->fd, spool->name, off, at, part, 0, err);
		if (st != TDAT_OK)
			return st;
		ext->used += part;
		at += part;
		n -= part;
	}
	return TDAT_OK;
}

/* Extents are sorted by their start in the stream. */
void write_extents_find(const struct write_extents *ext, uint64_t pos,
			const struct tdat_source **src, uint64_t *off, uint64_t *len)
{
	size_t low; /* the last one that starts at or before pos, or the first */
	uint64_t end;

	TDAT_SEARCH(low, ext->count, ext->list[low].start <= pos);
	low -= low > 0;
	end = low + 1 < ext->count ? ext->list[low + 1].start : ext->used;
	*src = ext->list[low].src;
	*off = ext->list[low].off + (pos - ext->list[low].start);
	*len = end - pos;
}

/* Reads across extents. Borrowed bytes are never given back: they belong to the source. */
enum tdat_status write_spool_read(const struct write_extents *ext, uint64_t pos, void *p, size_t n,
				  bool give_back, struct tdat_error *err)
{
	const struct write_spool *spool = ext->spool;
	uint8_t *at = p;

	while (n) {
		const struct tdat_source *src;
		uint64_t off, len;
		size_t part;
		enum tdat_status st;

		write_extents_find(ext, pos, &src, &off, &len);
		part = n < len ? n : (size_t)len;
		st = src ? tdat_source_read(src, off, at, part, err)
			 : write_disk_get(spool->fd, spool->name, off, at, part, err);
		if (st != TDAT_OK)
			return st;
		if (!src && give_back && spool->in_memory)
			write_disk_give_back(spool->fd, off, part);
		pos += part;
		at += part;
		n -= part;
	}
	return TDAT_OK;
}
