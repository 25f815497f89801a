/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Hands the pages of one CPU over as they are, and makes new ones where they are damaged. Pages
 * go to the writer untouched, many at once; a damaged page is replaced by one with its good
 * records and the loss is counted. Nothing here decodes events.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "import/window.h"
#include "tracefs.h"

/* BLOCK: bytes read at once; TOLD_MAX: pages that get a warning of their own. */
enum { BLOCK = 256 * 1024, TOLD_MAX = 100 };

/* State of one CPU's data. */
struct data {
	const struct tdat_import_input *in;
	uint32_t buffer, cpu;
	const struct tracefs_layout *l;
	const struct tdat_emit *emit;
	struct tracefs_totals *t;
	struct import_window w;
	uint8_t *page; /* a repaired one; NULL: none yet */
	uint64_t damaged;
};

/* Hands over whole pages. */
static enum tdat_status put(struct data *d, const uint8_t *p, size_t len, struct tdat_error *err)
{
	if (!len)
		return TDAT_OK;
	d->t->pages += len / d->l->page_size;
	return tdat_emit_pages(d->emit, d->buffer, d->cpu, p, len, err);
}

/*
 * Adds a page's events and losses to the totals; an unknown loss (UINT64_MAX) makes the sum
 * unknown.
 */
static void count(struct data *d, const struct tracefs_page *page)
{
	struct tracefs_totals *t = d->t;

	t->events += page->records;
	t->lost = page->lost < UINT64_MAX - t->lost ? t->lost + page->lost : UINT64_MAX;
}

/*
 * Warns of a page that is not whole, and says in which way. After TOLD_MAX of them they are only
 * counted.
 */
static enum tdat_status warn_page(struct data *d, const struct tracefs_page *page, uint64_t off,
				  size_t len, struct tdat_error *err)
{
	uint32_t size = d->l->page_size;

	if (++d->damaged > TOLD_MAX)
		return TDAT_OK;
	if (page->zero)
		return tdat_emit_warnf(d->emit, d->in->name, off, err,
				       "the page at %" PRIu64 " is all zero and is omitted", off);
	if (page->rest)
		return tdat_emit_warnf(d->emit, d->in->name, off, err,
				       "the page at %" PRIu64
				       " has bytes after its %u bytes of data, which readers "
				       "ignore: the page size may not be %u bytes",
				       off, page->len, size);
	if (len < size)
		return tdat_emit_warnf(d->emit, d->in->name, off, err,
				       "the last page, at %" PRIu64
				       ", has only %zu of %u bytes: its %u whole events are kept",
				       off, len, size, page->records);
	if (!page->sane)
		return tdat_emit_warnf(
			d->emit, d->in->name, off, err,
			"the page at %" PRIu64 " claims 0x%" PRIx64
			" bytes of data, but can have only %u: its %u whole events are kept",
			off, page->commit, size - tracefs_page_head(d->l), page->records);
	return tdat_emit_warnf(
		d->emit, d->in->name, off, err,
		"the page at %" PRIu64
		" has no record at byte %u of %u bytes of data: the %u events before it are kept",
		off, page->good, page->len, page->records);
}

/* Repairs a damaged page and hands it over: its good records, and its mark of lost events. */
static enum tdat_status put_damaged(struct data *d, const struct tracefs_page *page,
				    const uint8_t *p, uint64_t off, size_t len,
				    struct tdat_error *err)
{
	enum tdat_status st = warn_page(d, page, off, len, err);

	if (st != TDAT_OK)
		return st;
	/*
	 * Bit 31 of the commit word marks lost events (RB_MISSED_EVENTS of the kernel's
	 * ring_buffer.c).
	 */
	if (!page->records && !(page->sane && page->commit >> 31 & 1))
		return TDAT_OK; /* without events and without a loss it is left out */
	if (!d->page)
		d->page = malloc(d->l->page_size);
	if (!d->page)
		return tdat_error_set(err, TDAT_E_NOMEM, off, "no memory for a page of %u bytes",
				      d->l->page_size);
	tracefs_page_repair(d->l, page, p, len, d->page);
	count(d, page);
	return put(d, d->page, d->l->page_size, err);
}

/* Hands over whole pages at p, runs of good ones in one call. off: of p in the file. */
static enum tdat_status put_block(struct data *d, const uint8_t *p, uint64_t off, size_t len,
				  struct tdat_error *err)
{
	uint32_t size = d->l->page_size;
	enum tdat_status st = TDAT_OK;
	size_t from = 0;

	for (size_t at = 0; at < len && st == TDAT_OK; at += size) {
		struct tracefs_page page;

		tracefs_page_look(d->l, p + at, size, &page, &d->t->seen);
		tracefs_page_find_rest(d->l, &page, p + at, size);
		if (page.whole && page.rest) /* kept unchanged: nothing in it need be cut */
			st = warn_page(d, &page, off + at, size, err);
		if (page.whole && !page.zero) {
			count(d, &page);
			d->t->lost_pages += page.commit >> 31 & 1;
			continue;
		}
		page.rest = false;
		/* Good pages up to here, then the damaged one. */
		st = put(d, p + from, at - from, err);
		if (st == TDAT_OK)
			st = put_damaged(d, &page, p + at, off + at, size, err);
		from = at + size;
	}
	return st == TDAT_OK && from < len ? put(d, p + from, len - from, err) : st;
}

/* Hands over what is left of a page at the end of a file, filled up to a page. */
static enum tdat_status put_rest(struct data *d, uint64_t off, struct tdat_error *err)
{
	size_t len = (size_t)(d->w.len - off);
	struct tracefs_page page;
	const uint8_t *p;

	if (!len)
		return TDAT_OK;
	p = import_window_get(&d->w, off, len, err);
	if (!p)
		return d->w.status;
	tracefs_page_look(d->l, p, len, &page, &d->t->seen);
	return put_damaged(d, &page, p, off, len, err);
}

/* Warns of the pages of zeros in a hole of a sparse file, and skips them without reading. */
static enum tdat_status skip_hole(struct data *d, uint64_t *off, uint64_t whole,
				  struct tdat_error *err)
{
	const struct tracefs_page zero = {.zero = true};
	const uint32_t size = d->l->page_size;
	uint64_t pages = (tdat_source_skip_hole(d->in->source, *off, whole) - *off) / size;
	enum tdat_status st = TDAT_OK;

	for (; pages && d->damaged < TOLD_MAX && st == TDAT_OK; pages--, *off += size)
		st = warn_page(d, &zero, *off, size, err);
	if (st == TDAT_OK) {
		d->damaged += pages;
		*off += pages * size;
	}
	return st;
}

/* Hands over a whole file, in blocks of whole pages. */
static enum tdat_status put_all(struct data *d, struct tdat_error *err)
{
	uint32_t size = d->l->page_size;
	size_t block = size < BLOCK ? BLOCK / size * size : size;
	uint64_t whole = d->w.len / size * size;
	enum tdat_status st = TDAT_OK;

	for (uint64_t off = 0; off < whole && st == TDAT_OK;) {
		const uint8_t *p;
		size_t n;

		st = skip_hole(d, &off, whole, err);
		if (st != TDAT_OK || off == whole)
			break;
		n = whole - off < block ? (size_t)(whole - off) : block;
		p = import_window_get(&d->w, off, n, err);
		st = p ? put_block(d, p, off, n, err) : d->w.status;
		off += n;
	}
	if (st == TDAT_OK)
		st = put_rest(d, whole, err);
	if (st == TDAT_OK && d->damaged > TOLD_MAX)
		st = tdat_emit_warnf(d->emit, d->in->name, d->w.len, err,
				     "%" PRIu64 " more pages are damaged", d->damaged - TOLD_MAX);
	return st;
}

/* Hands over the data of one CPU of a buffer, and adds to the totals. */
enum tdat_status tracefs_data(const struct tdat_import_input *in, uint32_t buffer, uint32_t cpu,
			      const struct tracefs_layout *l, const struct tdat_emit *emit,
			      struct tracefs_totals *t, struct tdat_error *err)
{
	struct data d = {.in = in, .buffer = buffer, .cpu = cpu, .l = l, .emit = emit, .t = t};
	enum tdat_status st;

	import_window_init(&d.w, in->source, BLOCK);
	st = put_all(&d, err);
	import_window_fini(&d.w);
	free(d.page);
	return st;
}
