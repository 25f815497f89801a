/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Takes the pages of one CPU into a piece. While all records of a page are wanted they are held
 * back. If that lasts to its end, the page is copied; else its records are written one by one. Runs
 * of whole pages are borrowed from the source, and copied when the piece is laid out. Short runs
 * and inflated pages are spooled. Losses before events that are left out go to the next kept one,
 * which then starts a page: only a page can mark them. Input is a read_stream clipped to the span
 * of time.
 */
#include <stdlib.h>

#include "split.h"
#include "core/grow.h"

/* RUN_BORROWED: shorter runs are copied at once, as a list of them would take as much memory. */
enum { PROGRESS_PAGES = 256, RUN_BORROWED = 64 * 1024 };

/* Adds losses; an unknown number makes the sum unknown. */
static void add_lost(int64_t *sum, int64_t lost)
{
	if (*sum == TDAT_LOST_UNKNOWN || lost == TDAT_LOST_UNKNOWN ||
	    __builtin_add_overflow(*sum, lost, sum))
		*sum = TDAT_LOST_UNKNOWN;
}

/* The stream of the CPU in this piece's writer, made with its first event. */
static enum tdat_status find_target(struct tdat_split *sp, struct split_stream *ss,
				    struct tdat_error *err)
{
	if (ss->to)
		return TDAT_OK;
	return write_find_stream(sp->w, ss->buffer->number, ss->s.cpu, &ss->to, err);
}

/* Copies few pages at once into memory: a list of where they lie would take as much. */
static enum tdat_status copy_run(struct tdat_split *sp, struct split_stream *ss,
				 struct tdat_error *err)
{
	const size_t len = (size_t)ss->run_len;
	enum tdat_status st;

	if (!TDAT_GROW(sp->run, &sp->run_cap, len))
		return tdat_error_no_memory(err, "pages to copy");
	st = tdat_source_read(ss->s.src, ss->run_off, sp->run, len, err);
	return st == TDAT_OK ? write_stream_pages(&sp->w->store, ss->to, sp->run, len, err) : st;
}

/*
 * Writes the pages that wait to be copied; it is called before anything else of this CPU is
 * written.
 */
static enum tdat_status put_run(struct tdat_split *sp, struct split_stream *ss,
				struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;

	if (!ss->run_len)
		return TDAT_OK;
	if (ss->run_len < RUN_BORROWED)
		st = copy_run(sp, ss, err);
	else
		st = write_stream_borrow(&sp->w->store, ss->to, ss->s.src, ss->run_off, ss->run_len,
					 err);
	ss->run_len = 0;
	return st;
}

/* Pages that wait to be copied come before it. */
static enum tdat_status put_event(struct tdat_split *sp, struct split_stream *ss, uint64_t raw_ts,
				  const struct dat_record *rec, struct tdat_error *err)
{
	const struct tdat_span payload = {rec->data, rec->len};
	enum tdat_status st = find_target(sp, ss, err);

	if (st == TDAT_OK)
		st = put_run(sp, ss, err);
	if (st == TDAT_OK)
		st = write_stream_event(&sp->w->store, ss->to, raw_ts, ss->lost, payload, err);
	ss->lost = 0;
	sp->w->event_count += st == TDAT_OK;
	return st;
}

/* Writes the events of the page that were held back, one by one. */
static enum tdat_status put_held(struct tdat_split *sp, struct split_stream *ss,
				 struct tdat_error *err)
{
	const struct dat_page_layout *layout = &sp->file->layout;
	enum tdat_status st = TDAT_OK;
	struct dat_record rec;
	struct dat_page page;
	const char *why;

	ss->whole = false;
	if (!ss->held)
		return TDAT_OK;
	/* The page was read before, so it can be opened again. */
	dat_page_open(&page, ss->page.ptr, ss->page.len, ss->s.page_size, layout, &why);
	for (; st == TDAT_OK && ss->held; ss->held--) {
		if (dat_page_next(&page, layout, &rec, &why) != DAT_PAGE_RECORD)
			break;
		st = put_event(sp, ss, page.ts, &rec, err);
	}
	return st;
}

/* Copies the page unchanged: at once, or in a run with the pages beside it in the file. */
static enum tdat_status put_page(struct tdat_split *sp, struct split_stream *ss,
				 struct tdat_error *err)
{
	enum tdat_status st = find_target(sp, ss, err);

	if (st == TDAT_OK && ss->run_off + ss->run_len != ss->page_off)
		st = put_run(sp, ss, err);
	/*
	 * Inflated pages are not in the file, and a source without a descriptor cannot be borrowed.
	 */
	if (st == TDAT_OK && (ss->s.compressed || sp->fd < 0)) {
		st = write_stream_pages(&sp->w->store, ss->to, ss->page.ptr, ss->page.len, err);
	} else if (st == TDAT_OK) {
		if (!ss->run_len)
			ss->run_off = ss->page_off;
		ss->run_len += ss->page.len;
	}
	if (st == TDAT_OK)
		sp->w->event_count += ss->held;
	ss->lost = 0;
	ss->held = 0;
	return st;
}

static void drop_block(struct split_stream *ss)
{
	read_block_put(ss->block);
	ss->block = NULL;
}

/* Ends a page: the head is on another one, or there is none. */
static enum tdat_status leave_page(struct tdat_split *sp, struct split_stream *ss,
				   struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;

	/* A page with damage is not copied: the readers of the piece would find it again. */
	if (ss->held)
		st = ss->bad_pages == ss->s.bad_pages ? put_page(sp, ss, err)
						      : put_held(sp, ss, err);
	drop_block(ss);
	return st;
}

/* The page's block is kept, as the stream may move on while events are held back. */
static void enter_page(struct split_stream *ss)
{
	ss->page = ss->s.page_raw;
	ss->page_off = ss->s.page_off;
	ss->block = read_stream_block(&ss->s);
	read_block_ref(ss->block);
	ss->page_lost = ss->s.page.lost;
	ss->bad_pages = ss->s.bad_pages;
	ss->page_counted = false;
	/* A page that is cut, or whose head is damaged, is written event by event. */
	ss->whole = !ss->s.broken_page && ss->page.len == ss->s.page_size;
}

/* Returns up to where the stream was read: bytes, or chunks. */
static uint64_t position(const struct split_stream *ss)
{
	return ss->s.compressed ? ss->end - ss->s.chunks.left : ss->s.off;
}

/* All streams are added up: called every PROGRESS_PAGES pages only. */
static void report_progress(const struct tdat_split *sp)
{
	uint64_t done = 0, total = 0;

	for (size_t i = 0; i < sp->buffer_count; i++) {
		for (size_t k = 0; k < sp->buffers[i].stream_count; k++) {
			const struct split_stream *ss = &sp->buffers[i].streams[k];

			total += ss->stored_len;
			if (ss->end > ss->start)
				done += (uint64_t)((double)ss->stored_len *
						   (double)(position(ss) - ss->start) /
						   (double)(ss->end - ss->start));
		}
	}
	sp->progress(sp->progress_ctx, done, total);
}

/*
 * Brings the next record, wanted or not, to the head. The page it leaves stays: enter_page took
 * a reference to its block.
 */
static enum tdat_status step(struct tdat_split *sp, struct split_stream *ss, struct tdat_error *err)
{
	uint64_t pages = ss->s.pages;
	enum tdat_status st = read_stream_step(&ss->s, err);

	if (st != TDAT_OK)
		return st;
	if (pages != ss->s.pages || !ss->s.have) {
		st = leave_page(sp, ss, err);
		if (ss->s.have)
			enter_page(ss);
		if (sp->progress && !(++sp->progress_pages % PROGRESS_PAGES))
			report_progress(sp);
	}
	if (!ss->s.have || !ss->s.head.lost_before)
		return st;
	/* A record whose length is wrong is a loss within a page: what is held came before it. */
	if (st == TDAT_OK && ss->held)
		st = put_held(sp, ss, err);
	/*
	 * A page is copied with the loss in its header only if that is all that was lost before
	 * it.
	 */
	add_lost(&ss->lost, ss->s.head.lost_before);
	if (ss->lost != ss->page_lost)
		ss->whole = false;
	return st;
}

/* True if the head belongs to the pieces. Without a filter every event does. */
static bool wanted(struct tdat_split *sp, struct split_stream *ss)
{
	if (!sp->select)
		return true;
	if (read_select_head(sp->select, &sp->select->inputs[0], &sp->common, &ss->s))
		return true;
	/* Events lost before the span of time do not count. */
	if (sp->select->times.set && ss->s.head.ts < sp->select->times.from && !ss->held)
		ss->lost = 0;
	return false;
}

/* Moves to the next wanted event. Events before it end the page that was held back. */
enum tdat_status split_stream_start(struct tdat_split *sp, struct split_stream *ss,
				    struct tdat_error *err)
{
	for (;;) {
		enum tdat_status st = step(sp, ss, err);

		if (st != TDAT_OK || !ss->s.have || wanted(sp, ss))
			return st;
		st = put_held(sp, ss, err);
		if (st != TDAT_OK)
			return st;
	}
}

/* Notes the head for shrink, which uses only these members. */
static enum tdat_status note_event(struct tdat_split *sp, const struct split_stream *ss,
				   struct tdat_error *err)
{
	const struct tdat_event ev = {
		.ts = ss->s.head.ts,
		.buffer = (uint32_t)(ss->buffer->from - sp->file->ix.buffers),
		.cpu = ss->s.cpu,
		.record = {ss->s.head.rec.data, ss->s.head.rec.len},
	};

	return split_shrink_note(sp->shrink, &ev, err);
}

/*
 * Takes the head into the piece and moves on. While the page is whole, its events are only counted.
 */
enum tdat_status split_stream_take(struct tdat_split *sp, struct split_stream *ss,
				   struct tdat_error *err)
{
	const struct dat_record *rec = &ss->s.head.rec;
	enum tdat_status st = TDAT_OK;

	if (sp->shrink)
		st = note_event(sp, ss, err);
	ss->events++;
	ss->pages += !ss->page_counted;
	ss->page_counted = true;
	if (ss->whole)
		ss->held++;
	else if (st == TDAT_OK)
		st = put_event(sp, ss, ss->s.page.ts, rec, err);
	return st == TDAT_OK ? split_stream_start(sp, ss, err) : st;
}

/* The end of a piece: no page is held over to the next. */
enum tdat_status split_stream_end(struct tdat_split *sp, struct split_stream *ss,
				  struct tdat_error *err)
{
	enum tdat_status st = ss->held ? put_held(sp, ss, err) : TDAT_OK;

	ss->page_counted = false;
	return st == TDAT_OK ? put_run(sp, ss, err) : st;
}

void split_stream_fini(struct split_stream *ss)
{
	drop_block(ss);
	read_stream_fini(&ss->s);
}
