/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Collects the events of one CPU in one buffer on pages, and hands full pages to the spool. */
#include "write_stream.h"

#include <stdlib.h>

#include "disk.h"

/* Open pages in memory, all streams together. */
enum { RESIDENT_MAX = 4 * 1024 * 1024 };

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
	free(s->page.buf);
	write_extents_fini(&s->ext);
	free(s);
}

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

static void page_drop(struct write_store *store, struct write_stream *s)
{
	list_remove(store, s);
	store->resident -= s->shape->size;
	free(s->page.buf);
	s->page.buf = NULL;
}

/* Moves an open page to its place in the spool, unsealed. */
static enum tdat_status page_evict(struct write_store *store, struct write_stream *s,
				   struct tdat_error *err)
{
	uint32_t len = write_page_head(s->shape) + s->page.len;
	enum tdat_status st = TDAT_OK;
	uint64_t off;

	if (s->page.open) {
		st = write_spool_next(&store->spool, &s->ext, s->shape->size, &off, err);
		if (st == TDAT_OK)
			st = write_disk_put(store->spool.fd, store->spool.name, off, s->page.buf,
					    len, 0, err);
	}
	if (st == TDAT_OK)
		page_drop(store, s);
	return st;
}

/* Brings an evicted page back into page.buf. */
static enum tdat_status page_load(struct write_store *store, struct write_stream *s,
				  struct tdat_error *err)
{
	enum tdat_status st;
	uint64_t off;

	if (s->page.buf) {
		if (store->newest != s) {
			list_remove(store, s);
			list_push(store, s);
		}
		return TDAT_OK;
	}
	while (store->oldest && store->resident + s->shape->size > RESIDENT_MAX) {
		st = page_evict(store, store->oldest, err);
		if (st != TDAT_OK)
			return st;
	}
	s->page.buf = malloc(s->shape->size);
	if (!s->page.buf)
		return tdat_error_set(err, TDAT_E_NOMEM, TDAT_NO_OFFSET,
				      "no memory for a page of %u bytes", s->shape->size);
	store->resident += s->shape->size;
	list_push(store, s);
	if (!s->page.open)
		return TDAT_OK;
	st = write_spool_next(&store->spool, &s->ext, s->shape->size, &off, err);
	if (st != TDAT_OK)
		return st;
	return write_disk_get(store->spool.fd, store->spool.name, off, s->page.buf,
			      write_page_head(s->shape) + s->page.len, err);
}

/* Seals the open page, which is full, and moves it to the spool. */
static enum tdat_status page_store(struct write_store *store, struct write_stream *s,
				   struct tdat_error *err)
{
	write_page_seal(&s->page, s->shape);
	return write_spool_append(&store->spool, &s->ext, s->shape->size, s->page.buf,
				  s->shape->size, err);
}

static enum tdat_status too_large(const struct write_stream *s, size_t len, struct tdat_error *err)
{
	return tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET,
			      "an event of %zu bytes (%llu on a page) does not fit on a page of "
			      "%u bytes, %u of them data",
			      len, (unsigned long long)write_page_need(len), s->shape->size,
			      s->shape->size - write_page_head(s->shape));
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
	if (write_page_need(record.len) > s->shape->size - write_page_head(s->shape))
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

enum tdat_status write_stream_flush(struct write_store *store, struct write_stream *s,
				    struct tdat_error *err)
{
	enum tdat_status st;

	if (!s->page.open) {
		if (s->page.buf)
			page_drop(store, s);
		return TDAT_OK;
	}
	st = page_load(store, s, err);
	if (st == TDAT_OK)
		st = page_store(store, s, err);
	if (st == TDAT_OK)
		page_drop(store, s);
	return st;
}

enum tdat_status write_stream_pages(struct write_store *store, struct write_stream *s,
				    const void *data, size_t len, struct tdat_error *err)
{
	enum tdat_status st = write_stream_flush(store, s, err);

	if (st != TDAT_OK)
		return st;
	return write_spool_append(&store->spool, &s->ext, s->shape->size, data, len, err);
}

enum tdat_status write_stream_borrow(struct write_store *store, struct write_stream *s,
				     const struct tdat_source *src, uint64_t off, uint64_t len,
				     struct tdat_error *err)
{
	enum tdat_status st = write_stream_flush(store, s, err);

	return st == TDAT_OK ? write_spool_borrow(&store->spool, &s->ext, src, off, len, err) : st;
}
