/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Repairs pages one by one: good ones are copied, damaged ones are cut back to their good records,
 * and the page behind a loss is marked with it. Pages are read by lib/read/stream.c, so a page has
 * exactly the records that dump prints. Records that are longer than their fields are written one
 * by one as far as their fields go, each followed by a loss. A page without a fault is copied
 * unchanged.
 */
#include <stdlib.h>
#include <string.h>

#include "repair.h"

enum { REPAIR_WINDOW = 1 << 20, PAGE_MOST = 1 << 20 };

struct walk {
	struct repair *r;
	const struct tdat_buffer *buffer;
	const char *file; /* of its own; NULL: the CPU's data are in the trace.dat */
	struct read_stream s;
	struct write_stream *to;
};

/* Findings in the records of a page. */
struct page_sum {
	uint64_t events;
	uint32_t good_len; /* bytes of data up to the last good record */
	bool bad;	   /* some records are out of reach */
	bool long_record;  /* some are longer than their fields */
};

/* Makes a finding of a stream's report, with its offset. */
static void on_damage(void *ctx, uint64_t off, const char *why)
{
	struct walk *w = ctx;

	w->r->result.chunks_mended += why == dat_chunk_mended;
	read_finding(&w->r->out, TDAT_DAMAGE, off, read_stream_cost(why), "CPU %u%s%.64s%s%s: %s",
		     w->s.cpu, *w->buffer->name ? " of buffer " : "", w->buffer->name,
		     w->file ? " in " : "", w->file ? w->file : "", why ? why : "damaged");
}

/* Walks a page's records up to the first contradiction. Unknown events get formats in the end. */
static void sum_page(struct walk *w, struct page_sum *sum)
{
	struct repair *r = w->r;
	struct dat_page page = w->s.page;
	enum dat_page_result res;
	struct dat_record rec;
	const char *why = NULL;

	*sum = (struct page_sum){.bad = w->s.broken_page};
	while ((res = dat_page_next(&page, &r->layout, &rec, &why)) == DAT_PAGE_RECORD) {
		const uint32_t id = file_record_id(&r->common, rec.data, rec.len, r->layout.big);

		r->result.unknown_events += !r->formats[id];
		r->missed[id] |= !r->formats[id];
		sum->events++;
		sum->good_len = page.pos;
	}
	sum->long_record = page.long_record;
	if (page.long_record)
		on_damage(w, w->s.page_off, dat_page_long);
	if (res == DAT_PAGE_DAMAGED && !w->s.cut_page && !w->s.broken_page)
		on_damage(w, w->s.page_off, why);
	sum->bad |= res == DAT_PAGE_DAMAGED;
	if (!sum->bad)
		sum->good_len = page.len;
}

/* Returns room for a whole page, zeroed; NULL: no memory. */
static uint8_t *page_room(struct repair *r, uint32_t size)
{
	if (size > r->page_cap) {
		uint8_t *p = realloc(r->page, size);

		if (!p)
			return NULL;
		r->page = p;
		r->page_cap = size;
	}
	memset(r->page, 0, size);
	return r->page;
}

/*
 * Makes a page anew: timestamp and commit, the first len bytes of data right behind them, and the
 * loss before it.
 */
static const uint8_t *mend_page(struct walk *w, const struct page_sum *sum, int64_t lost)
{
	const struct dat_page_layout *layout = &w->r->layout;
	const uint32_t head = write_page_usual_head(layout->commit_size);
	uint8_t *page = page_room(w->r, w->s.page_size), *data;
	const uint32_t len = sum->good_len;
	uint32_t commit = len;

	if (!page)
		return NULL;
	data = page + head;
	memcpy(page, w->s.page_raw.ptr, head);
	memcpy(data, w->s.page.data, len);
	if (lost)
		commit |= DAT_COMMIT_LOST;
	if (lost > 0 && layout->commit_size <= w->s.page_size - head - len) {
		commit |= DAT_COMMIT_LOST_COUNT;
		tdat_store_uint(data + len, layout->commit_size, (uint64_t)lost, layout->big);
	}
	tdat_store_uint(page + 8, layout->commit_size, commit, layout->big);
	return page;
}

/*
 * Writes the records of a page one by one. Those that are too long are cut to their fields: a loss
 * follows each of them.
 */
static void put_records(struct walk *w)
{
	struct tdat_error err = TDAT_ERROR_INIT;
	struct repair *r = w->r;
	struct dat_page page = w->s.page;
	struct dat_record rec;
	const char *why;

	while (r->out.status == TDAT_OK &&
	       dat_page_next(&page, &r->layout, &rec, &why) == DAT_PAGE_RECORD) {
		const uint32_t most = r->layout.lens->find(r, rec.data, rec.len).most;
		const struct tdat_span fields = {rec.data, rec.len < most ? rec.len : most};
		const int64_t lost = w->s.lost;

		w->s.lost = page.long_record ? TDAT_LOST_UNKNOWN : 0;
		page.long_record = false;
		r->result.loss_marks += lost != 0;
		repair_fail(r, write_stream_event(&r->w->store, w->to, page.ts, lost, fields, &err),
			    &err);
	}
}

/* Writes the good records of a page, marked with the loss before it. */
static void put_mended(struct walk *w, const struct page_sum *sum)
{
	const struct read_stream *s = &w->s;
	const int64_t lost = w->r->layout.old ? 0 : s->lost;
	struct tdat_error err = TDAT_ERROR_INIT;
	const uint8_t *page = s->page_raw.ptr;
	struct repair *r = w->r;

	if (sum->bad || s->dirty_page || lost != s->page.lost || s->page_raw.len < s->page_size ||
	    repair_moves_data(r))
		page = mend_page(w, sum, lost);
	if (page)
		repair_fail(r, write_stream_pages(&r->w->store, w->to, page, s->page_size, &err),
			    &err);
	else
		repair_fail(r, tdat_error_no_memory(&err, "a page"), &err);
	r->result.loss_marks += lost != s->page.lost;
	w->s.lost = 0;
}

/* A page with a fault and no sound record is lost, and the next one is marked with that. */
static void put_page(struct walk *w)
{
	struct repair *r = w->r;
	struct read_stream *s = &w->s;
	struct page_sum sum;

	sum_page(w, &sum);
	/*
	 * No kernel makes larger pages: what lies behind the commit of one is other data, which
	 * is not replaced by zeros, since those would inflate beyond any ratio.
	 */
	if (s->dirty_page && s->page_size > PAGE_MOST)
		sum.events = 0;
	if ((sum.bad || s->dirty_page) && !sum.events) {
		r->result.pages_lost++;
		s->lost = TDAT_LOST_UNKNOWN;
		return;
	}
	if (!sum.good_len && !s->page.ts)
		return; /* it has nothing but, perhaps, a loss, with which the next page is marked
			 */
	if (sum.long_record)
		put_records(w);
	else
		put_mended(w, &sum);
	r->result.pages++;
	r->result.pages_mended += sum.bad || s->dirty_page;
	r->result.events += sum.events;
	r->w->event_count += sum.events;
	if (sum.bad)
		s->lost = TDAT_LOST_UNKNOWN;
}

/* The stream judges pages as dump does; no second rule is applied. */
static void walk_pages(struct walk *w)
{
	struct tdat_error err = TDAT_ERROR_INIT;
	bool more = true;

	while (w->r->out.status == TDAT_OK) {
		repair_fail(w->r, read_stream_page(&w->s, &more, &err), &err);
		read_stream_drop(&w->s);
		if (w->r->out.status != TDAT_OK || !more)
			break;
		put_page(w);
	}
}

/* source: the CPU's pages lie in a file of their own, as a killed recorder leaves them. */
void repair_cpu(struct repair *r, uint32_t number, const struct tdat_buffer *buffer,
		const struct tdat_cpu *cpu, const struct tdat_source *source)
{
	struct tdat_error err = TDAT_ERROR_INIT;
	struct walk w = {.r = r, .buffer = buffer};
	uint64_t pages = r->result.pages;

	if (r->out.status != TDAT_OK || !cpu->len)
		return;
	repair_fail(r, write_find_stream(r->w, number, cpu->cpu, &w.to, &err), &err);
	if (r->out.status != TDAT_OK)
		return;
	repair_fail(r, read_stream_init(&w.s, r->file, buffer, cpu, NULL, REPAIR_WINDOW, &err),
		    &err);
	if (source) {
		w.s.src = source;
		w.file = tdat_source_name(source);
	}
	w.s.on_damage = on_damage;
	w.s.damage_ctx = &w;
	if (w.s.bad_pages)
		on_damage(&w, w.s.damage.off, w.s.damage.message);
	walk_pages(&w);
	r->result.lost_len += w.s.lost_len;
	r->result.pages_lost += w.s.lost_pages;
	r->result.cpus += r->result.pages != pages;
	read_stream_fini(&w.s);
}
