/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Repairs pages one by one: good ones are copied, damaged ones are cut back to their good
 * records, and the page behind a loss is marked with it.
 */
#include <stdlib.h>
#include <string.h>

#include "dat/hidden.h"
#include "repair.h"

enum { REPAIR_WINDOW = 1 << 20, PAGE_MOST = 1 << 20 };

struct walk {
	struct repair *r;
	const struct tdat_buffer *buffer;
	const char *file; /* of its own; NULL: the CPU's data are in the trace.dat */
	struct read_stream s;
	struct write_stream *to;
};

/* What was found in the records of a page. */
struct page_sum {
	uint64_t events;
	uint32_t good_len; /* bytes of data up to the last good record */
	bool bad;	   /* some records are out of reach */
	bool hidden;	   /* lengths of records take in those behind them */
	bool short_record; /* records end before their fields */
};

static void on_damage(void *ctx, uint64_t off, const char *why)
{
	struct walk *w = ctx;

	w->r->result.chunks_mended += why == dat_chunk_mended;
	read_finding(&w->r->out, TDAT_DAMAGE, off, read_stream_cost(why), "CPU %u%s%.64s%s%s: %s",
		     w->s.cpu, *w->buffer->name ? " of buffer " : "", w->buffer->name,
		     w->file ? " in " : "", w->file ? w->file : "", why ? why : "damaged");
}

/* Whether a record ends before the id or the task of its event. */
static bool lacks_common(const struct repair *r, const struct dat_record *rec)
{
	return rec->len < r->common.type_off + r->common.type_len ||
	       rec->len < r->common.pid_off + r->common.pid_len;
}

/* The id of the event; 0, which no kernel gives to one, when the record is too short. */
static uint64_t event_id(const struct repair *r, const struct dat_record *rec)
{
	const struct file_common *c = &r->common;

	if (rec->len < c->type_off + c->type_len)
		return 0;
	return tdat_load_uint(rec->data + c->type_off, c->type_len, r->layout.big);
}

/*
 * Whether a record is replaced by one that changes the time by as much: other readers look for the
 * common fields of events behind its end. It has one word, as that record has.
 */
static bool is_dropped(const struct repair *r, const struct dat_page *page,
		       const struct dat_record *rec)
{
	const uint64_t id = event_id(r, rec);
	const struct tdat_format *format = id < FILE_ID_COUNT ? r->formats[id] : NULL;

	return rec->len == 4 && rec->data == page->data + rec->pos + 4 && !r->layout.old &&
	       lacks_common(r, rec) && format && format->end.tells;
}

/* Whether a record that ends before its task gets a format of its own: short_records.c. */
static bool is_known_short(const struct repair *r, const struct dat_record *rec)
{
	const uint64_t id = event_id(r, rec);

	return id && id < FILE_ID_COUNT && r->formats[id] && r->formats[id]->end.tells;
}

/* Sets ids[] of the events of a stream's page that no format describes. */
static void note_unknown(const struct repair *r, const struct read_stream *s, bool *ids)
{
	struct dat_page page = s->page;
	struct dat_record rec;
	const char *why;

	while (dat_page_next(&page, &r->layout, &rec, &why) == DAT_PAGE_RECORD) {
		uint64_t id = event_id(r, &rec);

		if (id < FILE_ID_COUNT && !r->formats[id])
			ids[id] = true;
	}
}

/*
 * Walks a page's records. Behind a record that no format describes, a page that breaks later,
 * or that has a record without common fields, is not to be trusted: whatever was written over it
 * looks like records for a while.
 */
static void sum_page(struct walk *w, struct page_sum *sum)
{
	const struct dat_page_layout *layout = &w->r->layout;
	struct page_sum trusted = {.bad = true}, sane = {.bad = true};
	struct dat_page page = w->s.page;
	enum dat_page_result res;
	struct dat_record rec;
	const char *why = NULL;
	uint64_t unknown = 0;
	bool zero = false, cut_short = false;

	*sum = (struct page_sum){.bad = w->s.broken_page};
	while ((res = dat_page_next(&page, layout, &rec, &why)) == DAT_PAGE_RECORD) {
		const uint64_t id = event_id(w->r, &rec);
		const bool dropped = is_dropped(w->r, &page, &rec);
		struct page_sum now;

		unknown += id >= FILE_ID_COUNT || !w->r->formats[id];
		zero |= !id;
		cut_short |= lacks_common(w->r, &rec) && !dropped && !is_known_short(w->r, &rec);
		sum->events += !dropped;
		sum->good_len = page.pos;
		now = (struct page_sum){sum->events, sum->good_len, true, page.hidden,
					page.short_record};
		if (!zero && !cut_short)
			sane = now;
		if (!unknown)
			trusted = now;
	}
	if (res == DAT_PAGE_DAMAGED) {
		if (!w->s.cut_page && !w->s.broken_page)
			on_damage(w, w->s.page_off, why);
		sum->bad = true;
	} else if (cut_short && !sum->bad) {
		on_damage(w, w->s.page_off, "a record ends before the common fields of its event");
		sum->bad = true;
	}
	sum->hidden = page.hidden;
	sum->short_record = page.short_record;
	if (page.hidden && !sum->bad) {
		on_damage(w, w->s.page_off, dat_page_hidden);
		w->r->result.lengths_mended++;
	}
	if (page.short_record && !sum->bad) {
		on_damage(w, w->s.page_off, dat_page_short);
		w->r->short_pages++;
	}
	if (!sum->bad)
		sum->good_len = page.len;
	if (sum->bad && w->r->result.formats && !w->s.cut_page) {
		*sum = trusted;
		return;
	}
	if ((zero || cut_short) && sum->bad)
		*sum = sane;
	w->r->result.unknown_events += unknown;
	if (unknown) /* they get formats in the end */
		note_unknown(w->r, &w->s, w->r->missed);
}

/* Room for a whole page, zeroed; NULL without memory. */
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

/* Gives a record that ends before its fields, at data in a copy of its page, a new id. */
static void put_short_id(struct repair *r, uint8_t *data, uint32_t len)
{
	const bool big = r->layout.big;
	const uint32_t id = repair_short_id(r, tdat_load16(data, big), len);
	struct tdat_error err = TDAT_ERROR_INIT;

	if (id)
		tdat_store16(data, (uint16_t)id, big);
	else if (r->next_free_id)
		repair_fail(r, tdat_error_no_memory(&err, "an event"), &err);
}

/*
 * Mends the records in a copy of the data's first len bytes: their lengths, as they are read, and
 * those that end before their fields.
 */
static void mend_records(struct walk *w, uint8_t *data, uint32_t len)
{
	const struct dat_page_layout *layout = &w->r->layout;
	struct dat_page page = w->s.page;
	struct dat_record rec;
	const char *why;

	while (dat_page_next(&page, layout, &rec, &why) == DAT_PAGE_RECORD && rec.pos < len) {
		struct dat_record copy = rec;

		copy.data = data + (rec.data - page.data);
		if (page.hidden)
			dat_record_put_len(data, &copy, layout);
		w->r->result.short_records += page.short_record;
		if (page.short_record && is_dropped(w->r, &page, &rec))
			dat_record_make_time(data + rec.pos, layout);
		else if (page.short_record)
			put_short_id(w->r, data + (rec.data - page.data), rec.len);
		page.hidden = page.short_record = false;
	}
}

/*
 * Makes a page anew: stamp and commit, the first len bytes of data right behind them, and what was
 * lost before.
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
	if (sum->hidden || sum->short_record)
		mend_records(w, data, len);
	if (lost)
		commit |= DAT_COMMIT_LOST;
	if (lost > 0 && layout->commit_size <= w->s.page_size - head - len) {
		commit |= DAT_COMMIT_LOST_COUNT;
		if (layout->commit_size == 8)
			tdat_store64(data + len, (uint64_t)lost, layout->big);
		else
			tdat_store32(data + len, (uint32_t)lost, layout->big);
	}
	if (layout->commit_size == 8)
		tdat_store64(page + 8, commit, layout->big);
	else
		tdat_store32(page + 8, commit, layout->big);
	return page;
}

static void put_page(struct walk *w)
{
	struct tdat_error err = TDAT_ERROR_INIT;
	struct repair *r = w->r;
	struct read_stream *s = &w->s;
	int64_t lost = r->layout.old ? 0 : s->lost;
	const uint8_t *page = s->page_raw.ptr;
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
	if (sum.bad || sum.hidden || sum.short_record || s->dirty_page || lost != s->page.lost ||
	    s->page_raw.len < s->page_size || repair_moves_data(r))
		page = mend_page(w, &sum, lost);
	if (!page) {
		tdat_error_set(&err, TDAT_E_NOMEM, s->page_off, "no memory for a page");
		repair_fail(r, TDAT_E_NOMEM, &err);
		return;
	}
	repair_fail(r, write_stream_pages(&r->w->store, w->to, page, s->page_size, &err), &err);
	r->result.pages++;
	r->result.pages_mended += sum.bad || s->dirty_page;
	r->result.loss_marks += lost != s->page.lost;
	r->result.events += sum.events;
	r->w->event_count += sum.events;
	s->lost = sum.bad ? TDAT_LOST_UNKNOWN : 0;
}

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

/* Opens the stream of a CPU's pages, whose file is source unless that is NULL. */
static void open_stream(struct walk *w, const struct tdat_cpu *cpu,
			const struct tdat_source *source)
{
	struct tdat_error err = TDAT_ERROR_INIT;

	repair_fail(w->r,
		    read_stream_init(&w->s, w->r->file, w->buffer, cpu, NULL, REPAIR_WINDOW, &err),
		    &err);
	if (source) {
		w->s.src = source;
		w->file = tdat_source_name(source);
	}
}

void repair_cpu_ids(struct repair *r, const struct tdat_buffer *buffer, const struct tdat_cpu *cpu,
		    const struct tdat_source *source)
{
	struct tdat_error err = TDAT_ERROR_INIT;
	struct walk w = {.r = r, .buffer = buffer};
	bool more = true;

	if (r->out.status != TDAT_OK || !cpu->len)
		return;
	open_stream(&w, cpu, source);
	while (r->out.status == TDAT_OK) {
		repair_fail(r, read_stream_page(&w.s, &more, &err), &err);
		read_stream_drop(&w.s);
		if (r->out.status != TDAT_OK || !more)
			break;
		note_unknown(r, &w.s, r->unknown);
	}
	read_stream_fini(&w.s);
}

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
	open_stream(&w, cpu, source);
	w.s.on_damage = on_damage;
	w.s.damage_ctx = &w;
	if (w.s.bad_pages)
		on_damage(&w, w.s.damage.off, w.s.damage.message);
	walk_pages(&w);
	r->result.lost_len += w.s.lost_len;
	r->result.cpus += r->result.pages != pages;
	read_stream_fini(&w.s);
}
