/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Collects the events of one CPU in one buffer on pages, and hands full pages to the spool. One
 * stream is one CPU of one buffer. Open pages of all streams share 4 MiB; beyond that the page
 * used longest ago is put into the spool unsealed and brought back. A record goes onto the
 * current page, or starts a new one if it does not fit, if time goes back, or if a loss must be
 * marked.
 */
#include "write_stream.h"

#include <stdlib.h>

#include "chunk_job.h"
#include "disk.h"

/*
 * RESIDENT_MAX: pages in memory, all streams together. BLOCK_LEN: pages of one stream that are put
 * into the spool together, as long as half of that suffices.
 */
enum { RESIDENT_MAX = 4 * 1024 * 1024, BLOCK_LEN = 64 * 1024 };

/* The block is allocated with the first event. */
struct write_stream *write_stream_new(const struct write_page_shape *shape, uint32_t cpu)
{
	struct write_stream *s = calloc(1, sizeof(*s));

	if (s) {
		s->shape = shape;
		s->cpu = cpu;
	}
	return s;
}

void write_stream_free(struct write_stream *s)
{
	if (!s)
		return;
	free(s->block);
	write_extents_fini(&s->pack.ext);
	write_extents_fini(&s->ext);
	free(s);
}

/* A list of streams with a block, by their last use. */
static void list_remove(struct write_store *store, struct write_stream *s)
{
	*(s->newer ? &s->newer->older : &store->newest) = s->older;
	*(s->older ? &s->older->newer : &store->oldest) = s->newer;
	s->newer = s->older = NULL;
}

static void list_push(struct write_store *store, struct write_stream *s)
{
	s->older = store->newest;
	*(store->newest ? &store->newest->newer : &store->oldest) = s;
	store->newest = s;
}

/* The pages of the block are in the spool; the stream keeps its state. */
static void page_drop(struct write_store *store, struct write_stream *s)
{
	list_remove(store, s);
	store->resident -= (size_t)s->shape->size * s->block_pages;
	free(s->block);
	s->block = s->page.buf = NULL;
	s->block_pages = 0;
}

/* Chunks are made of whole pages from the first on: what follows spooled pages is not packed. */
static bool packs(const struct write_store *store, const struct write_stream *s)
{
	return store->packer && !s->ext.used;
}

/* Puts the sealed pages of the block into the spool; page.buf stays where it is. */
static enum tdat_status put_full(struct write_store *store, struct write_stream *s,
				 struct tdat_error *err)
{
	size_t len = (size_t)s->full * s->shape->size;

	s->full = 0;
	return write_spool_append(store->spool, &s->ext, s->shape->size, s->block, len, err);
}

/* Moves an open page to its place in the spool, unsealed. */
static enum tdat_status page_evict(struct write_store *store, struct write_stream *s,
				   struct tdat_error *err)
{
	uint32_t len = s->shape->head + s->page.len;
	enum tdat_status st = put_full(store, s, err);
	uint64_t off;

	if (st == TDAT_OK && s->page.open) {
		/*
		 * Its place is not counted as used: page_load() and page_store() come back to it.
		 */
		st = write_spool_next(store->spool, &s->ext, s->shape->size, &off, err);
		if (st == TDAT_OK)
			st = write_disk_put(store->spool->fd, store->spool->name, off, s->page.buf,
					    len, 0, err);
	}
	if (st == TDAT_OK)
		page_drop(store, s);
	return st;
}

/* How many pages a new block is to have: several as long as there is much room. */
static uint32_t pages_of_block(const struct write_store *store, const struct write_stream *s)
{
	/*
	 * Half of the bound is shared by long blocks, so that streams which come later get single
	 * pages.
	 */
	const size_t room =
		RESIDENT_MAX / 2 -
		(store->resident < RESIDENT_MAX / 2 ? store->resident : RESIDENT_MAX / 2);
	const size_t chunk = chunk_job_chunk_len(s->shape->size);

	/* Compressed pages are handed over in whole jobs, else in whole chunks. */
	if (packs(store, s) && chunk_job_len(chunk) <= room / 4)
		return (uint32_t)(chunk_job_len(chunk) / s->shape->size);
	if (packs(store, s) && chunk <= room / 2)
		return (uint32_t)(chunk / s->shape->size);
	return s->shape->size < BLOCK_LEN && BLOCK_LEN <= room ? BLOCK_LEN / s->shape->size : 1;
}

/* Gives a stream its block. */
static enum tdat_status block_new(struct write_store *store, struct write_stream *s,
				  struct tdat_error *err)
{
	const uint32_t pages = pages_of_block(store, s);

	s->block = malloc((size_t)s->shape->size * pages);
	if (!s->block)
		return tdat_error_set(err, TDAT_E_NOMEM, TDAT_NO_OFFSET,
				      "no memory for a page of %u bytes", s->shape->size);
	s->page.buf = s->block;
	s->block_pages = pages;
	s->full = 0;
	store->resident += (size_t)s->shape->size * pages;
	list_push(store, s);
	return TDAT_OK;
}

/* Brings an evicted page back into page.buf. */
static enum tdat_status page_load(struct write_store *store, struct write_stream *s,
				  struct tdat_error *err)
{
	enum tdat_status st;
	uint64_t off;

	/* In memory: only the order of use changes. */
	if (s->page.buf) {
		if (store->newest != s) {
			list_remove(store, s);
			list_push(store, s);
		}
		return TDAT_OK;
	}
	/* Makes room for one page. Longer blocks are taken only if half of the bound is free. */
	while (store->oldest && store->resident + s->shape->size > RESIDENT_MAX) {
		st = page_evict(store, store->oldest, err);
		if (st != TDAT_OK)
			return st;
	}
	st = block_new(store, s, err);
	/* A page that was put aside comes back; a new one begins empty. */
	if (st != TDAT_OK || !s->page.open)
		return st;
	st = write_spool_next(store->spool, &s->ext, s->shape->size, &off, err);
	if (st != TDAT_OK)
		return st;
	return write_disk_get(store->spool->fd, store->spool->name, off, s->page.buf,
			      s->shape->head + s->page.len, err);
}

/* Hands the block, which is full, over. Then it is another. */
static enum tdat_status block_store(struct write_store *store, struct write_stream *s,
				    struct tdat_error *err)
{
	const size_t len = (size_t)s->full * s->shape->size;
	const size_t chunk_len = chunk_job_chunk_len(s->shape->size);

	/* A chunk holds whole pages; a part of one goes to the spool and ends packing (packs()). */
	if (!packs(store, s) || len % chunk_len)
		return put_full(store, s, err);
	s->full = 0;
	return write_pack_put(store->packer, &s->pack, store->spool, &s->block, len, chunk_len,
			      err);
}

/* Seals the open page, which is full; the block goes to the spool when all its pages are. */
static enum tdat_status page_store(struct write_store *store, struct write_stream *s,
				   struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;

	/* The page has its final bytes from here on. */
	write_page_seal(&s->page, s->shape);
	if (++s->full == s->block_pages)
		st = block_store(store, s, err);
	s->page.buf = s->block + (size_t)s->full * s->shape->size;
	return st;
}

static enum tdat_status too_large(const struct write_stream *s, size_t len, struct tdat_error *err)
{
	return tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET,
			      "an event of %zu bytes (%llu on a page) does not fit on a page of "
			      "%u bytes, %u of them data",
			      len, (unsigned long long)write_page_need(len), s->shape->size,
			      write_page_room(s->shape));
}

enum tdat_status write_stream_event(struct write_store *store, struct write_stream *s, uint64_t ts,
				    int64_t lost, struct tdat_span record, struct tdat_error *err)
{
	enum tdat_status st;

	/* Which page was used last matters only when some may have to go. */
	if (s->page.open && s->page.buf && !lost &&
	    (store->newest == s || store->resident <= RESIDENT_MAX / 2) &&
	    write_page_add(&s->page, s->shape, ts, record))
		return TDAT_OK;
	/* Page sizes come from captures, so an event may be longer than a page. */
	if (write_page_need(record.len) > write_page_room(s->shape))
		return too_large(s, record.len, err);
	st = page_load(store, s, err);
	if (st != TDAT_OK)
		return st;
	/* Lost events are marked in the header of a page, before its first event. */
	if (s->page.open && (lost || !write_page_fits(&s->page, s->shape, ts, record.len))) {
		st = page_store(store, s, err);
		if (st != TDAT_OK)
			return st;
	}
	if (!s->page.open)
		write_page_start(&s->page, s->shape, ts, lost);
	write_page_put(&s->page, s->shape, ts, record);
	return TDAT_OK;
}

/* After this call the stream has no memory, and its last page is in the spool. */
enum tdat_status write_stream_flush(struct write_store *store, struct write_stream *s,
				    struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;

	if (s->page.open)
		st = page_load(store, s, err);
	if (st == TDAT_OK && s->page.open)
		st = page_store(store, s, err);
	if (st == TDAT_OK && s->block) {
		st = put_full(store, s, err);
		page_drop(store, s);
	}
	return st;
}

/* Pages go behind the events so far, which are sealed first. */
enum tdat_status write_stream_pages(struct write_store *store, struct write_stream *s,
				    const void *data, size_t len, struct tdat_error *err)
{
	enum tdat_status st = write_stream_flush(store, s, err);

	if (st != TDAT_OK)
		return st;
	return write_spool_append(store->spool, &s->ext, s->shape->size, data, len, err);
}

enum tdat_status write_stream_borrow(struct write_store *store, struct write_stream *s,
				     const struct tdat_source *src, uint64_t off, uint64_t len,
				     struct tdat_error *err)
{
	enum tdat_status st = write_stream_flush(store, s, err);

	return st == TDAT_OK ? write_spool_borrow(store->spool, &s->ext, src, off, len, err) : st;
}
