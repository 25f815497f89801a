/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads the records of one CPU in one buffer, page by page. The rest of a page that is damaged
 * is skipped and the page counted; reading goes on at the next page.
 *
 * A stream has a head, the record that comes next:
 *
 *   read_stream_peek     looks at it
 *   read_stream_advance  leaves it for the record behind it (read_stream_step where no
 *                        bytes of records are kept)
 *   read_stream_retain   before that: its bytes are kept, and so their block must be
 *   read_run_*           looks at the records behind it on its page, and skips those that
 *                        the owner took, at less cost than an advance for each
 */
#ifndef TDAT_READ_STREAM_H
#define TDAT_READ_STREAM_H

#include "dat/chunk.h"
#include "ahead.h"
#include "owners.h"
#include "clock.h"
#include "file/file.h"

/* The record at the head of a stream. */
struct read_head {
	uint64_t ts;
	struct dat_record rec;
	int64_t lost_before;
	bool page_start; /* it is at the start of its page's data */
};

struct read_stream {
	const struct tdat_file *file;
	const struct tdat_source *src; /* of plain data */
	const struct tdat_buffer *buffer;
	const struct read_clock *clock;
	uint32_t cpu;
	uint32_t page_size;
	size_t window; /* bytes to read at once, whole pages */

	uint64_t off, end; /* plain data not read yet */
	bool compressed;
	struct dat_chunks chunks;
	uint64_t
		chunks_stop; /* file offset of a chunk that is not read any more; 0: all are read */
	struct dat_inflater own, *shared; /* shared: the owner's, for many streams, or NULL */
	struct read_ahead *ahead;	  /* the owner's, or NULL */

	struct read_block *block;
	size_t block_pos;	    /* next page in the block */
	struct read_block *retired; /* blocks left behind, until the end of an advance */
	struct dat_page page;
	uint64_t page_off;	   /* file offset of the page, or of its chunk */
	struct tdat_span page_raw; /* the page as it is; shorter than page_size: cut */
	bool gave;		   /* a record of the present block was at the head */
	bool in_page;		   /* a page is open, and its end was not reached */
	bool broken_page;	   /* some records of the page cannot be reached */
	bool dirty_page;	   /* its commit is wrong: bytes follow it, or all are zero */
	bool retained;		   /* bytes of records of the block are kept by the owner */
	bool shown;		   /* the owner's: read_select_event() */
	bool told_page;		   /* a record of the page that is too long was noted */
	bool cut_page;		   /* the page is the last one, and the end of the file cuts it */
	bool loss_follows;  /* the chunk inflated only in part: events are missing behind it */
	int64_t lost;	    /* events lost before the next record; TDAT_LOST_UNKNOWN: some */
	uint64_t lost_from; /* when they may have begun: the last record before; 0: there is none */
	bool is_cut;	    /* the end of the file cuts the data */

	/* Of a piece of a trace (cuts.h): */
	bool skips;   /* records before the piece may come first */
	bool stops;   /* the piece ends inside the part at stop_off */
	bool stopped; /* that place was reached */
	/*
	 * Records before the piece: all of parts before skip_off, and in the part there those
	 * before the first that is not earlier than skip_ts. skip_end is the offset behind it.
	 */
	uint64_t skip_off, skip_end, skip_ts;
	uint64_t stop_off, stop_ts;

	struct read_owners owners; /* of stacks, for read_select_event() */

	bool have; /* there is a record at the head; false at the end */
	struct read_head head;

	uint64_t pages; /* opened so far */
	uint64_t bad_pages;
	uint64_t lost_pages;		  /* of which not even the header is sound */
	uint64_t lost_len;		  /* bytes that damaged chunks would have given */
	struct tdat_stream_damage damage; /* of the first */
	void (*on_damage)(void *ctx, uint64_t off, const char *why); /* NULL, or gets each */
	void *damage_ctx;
	bool (*is_cancelled)(void *ctx); /* asked before each page; NULL: never */
	void *cancel_ctx;
};

/* window: bytes to keep in memory, at least one page. */
enum tdat_status read_stream_init(struct read_stream *s, const struct tdat_file *file,
				  const struct tdat_buffer *buffer, const struct tdat_cpu *cpu,
				  const struct read_clock *clock, size_t window,
				  struct tdat_error *err);
void read_stream_fini(struct read_stream *s);

static inline struct dat_inflater *read_stream_inflater(struct read_stream *s)
{
	return s->shared ? s->shared : &s->own;
}

/* Puts the stream's references to retired blocks. */
void read_stream_drop(struct read_stream *s);

/* The same, but the block with retained records goes to the list *kept with its reference. */
void read_stream_keep(struct read_stream *s, struct read_block **kept);

/* The record at the head; NULL at the end. Valid until the next advance. */
static inline const struct read_head *read_stream_peek(const struct read_stream *s)
{
	return s->have ? &s->head : NULL;
}

/*
 * Notes that the owner keeps bytes of the head, or of records behind it on its page: their
 * block then goes to the list of read_stream_advance when the stream leaves it.
 */
static inline void read_stream_retain(struct read_stream *s)
{
	s->retained = true;
}

/*
 * Whether the head is a record before the piece that the stream is to read; if not, none that
 * follows is.
 */
static inline bool read_stream_is_before(struct read_stream *s)
{
	if (__builtin_expect(!s->skips, 1))
		return false;
	s->skips = s->have && (s->page_off < s->skip_off ||
			       (s->page_off < s->skip_end && s->head.ts < s->skip_ts));
	return s->skips;
}

/* The block that the bytes of the head lie in, without a reference; NULL: none. */
static inline struct read_block *read_stream_block(const struct read_stream *s)
{
	return s->block;
}

/*
 * Opens the next page and reads none of its records; *more is false at the end.
 * s->lost is what was lost before it, which the caller may take.
 */
enum tdat_status read_stream_page(struct read_stream *s, bool *more, struct tdat_error *err);

/* Leaves the head's page for the next one with records; have is false at the end. */
enum tdat_status read_stream_next_page(struct read_stream *s, struct tdat_error *err);

/* What damage costs that was noted with why. */
const char *read_stream_cost(const char *why);

/* Whether records may be missing behind the last one, at the end of the stream. */
static inline bool read_stream_lost_end(const struct read_stream *s)
{
	return s->lost || s->is_cut;
}

/* Notes that the current page is broken. */
void read_stream_note(struct read_stream *s, uint64_t off, const char *why);

/*
 * Notes, once a page, that a record of it is longer than its fields, as page.long_record says.
 * Something that cannot be read is lost before the next one.
 */
void read_stream_note_long(struct read_stream *s);

/*
 * Ends a page after a last result r of other than a record. If records of it are out of reach,
 * the next event is marked with an unknown number of lost events.
 */
static inline void read_stream_leave(struct read_stream *s, enum dat_page_result r, const char *why)
{
	/* Damage of a cut page was noted when it was opened. */
	if (r == DAT_PAGE_DAMAGED && !s->cut_page && !s->broken_page)
		read_stream_note(s, s->page_off, why);
	if (r == DAT_PAGE_DAMAGED || s->broken_page || s->dirty_page)
		s->lost = TDAT_LOST_UNKNOWN;
}

/* Makes the record that was read last the head. */
static inline void read_stream_put_head(struct read_stream *s)
{
	s->head.ts = read_clock_ts(s->clock, s->page.ts, s->cpu);
	s->head.page_start = s->head.rec.pos == 0;
	s->head.lost_before = s->lost;
	s->lost = 0;
	if (__builtin_expect(s->page.long_record, 0))
		read_stream_note_long(s);
}

/*
 * Does what the two functions below do but for their last step: blocks that the stream has left
 * stay in retired until read_stream_drop or read_stream_keep.
 */
static inline enum tdat_status read_stream_next(struct read_stream *s, struct tdat_error *err)
{
	const uint64_t ts = s->page.ts;
	const char *why = NULL;
	enum dat_page_result r;

	if (__builtin_expect(s->in_page, 1)) {
		r = dat_page_next(&s->page, &s->file->layout, &s->head.rec, &why);
		if (__builtin_expect(r == DAT_PAGE_RECORD, 1)) {
			read_stream_put_head(s);
			return TDAT_OK;
		}
		read_stream_leave(s, r, why);
	}
	/* Damage may have changed the time of the page since its last record. */
	s->lost_from = s->have ? read_clock_ts(s->clock, ts, s->cpu) : 0;
	return read_stream_next_page(s, err);
}

/*
 * Puts the next record at the head; peek gives NULL at the end. A block left behind that
 * holds retained records goes to the list *kept, and with it the stream's reference.
 */
static inline enum tdat_status read_stream_advance(struct read_stream *s, struct read_block **kept,
						   struct tdat_error *err)
{
	enum tdat_status st = read_stream_next(s, err);

	if (__builtin_expect(s->retired != NULL, 0))
		read_stream_keep(s, kept);
	return st;
}

/* read_stream_advance for owners that keep no bytes of records: blocks that were left are put. */
static inline enum tdat_status read_stream_step(struct read_stream *s, struct tdat_error *err)
{
	enum tdat_status st = read_stream_next(s, err);

	if (__builtin_expect(s->retired != NULL, 0))
		read_stream_drop(s);
	return st;
}

/* ---- the records behind the head on its page ---- */

/* A walk over these records; the stream does not move before read_run_end. */
struct read_run {
	struct dat_page_layout layout;
	struct dat_page page;  /* behind the record looked at */
	struct dat_page taken; /* behind the last record that was taken */
	uint64_t ts;	       /* of the record looked at */
	struct dat_record rec;
	bool any; /* records may be taken: none is of another kind, or behind a loss */
};

static inline void read_run_begin(struct read_run *run, const struct read_stream *s)
{
	run->layout = s->file->layout;
	run->any = s->in_page && !s->lost && !run->layout.old;
	run->page = s->page;
	run->taken = s->page;
}

/*
 * Looks at the next record. False: what follows is no record of the usual kind, or on
 * another page; read_stream_advance reads it.
 */
static inline bool read_run_next(struct read_run *run, const struct read_stream *s)
{
	if (!run->any || !dat_page_usual(&run->page, &run->layout, &run->rec))
		return false;
	run->ts = read_clock_ts(s->clock, run->page.ts, s->cpu);
	return true;
}

/* Takes the record that was looked at, and with it all before it. */
static inline void read_run_take(struct read_run *run)
{
	run->taken = run->page;
}

/*
 * Moves the stream behind the records taken, as advances over them would have. The head, which
 * peek gives, is still the old one: an advance comes next.
 */
static inline void read_run_end(const struct read_run *run, struct read_stream *s)
{
	s->page.pos = run->taken.pos;
	s->page.ts = run->taken.ts;
}

#endif
