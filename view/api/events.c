/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Answers with rows of the list of events, and with the next hit of a search. The place of a
 * row is known from counts per bin (view/data/counts.c), so scrolling to any row reads one bin.
 * A search reads on from a key until it hits something or is cancelled.
 */
#include <string.h>

#include "answer.h"
#include "core/text.h"
#include "event_key.h"

enum { COUNT_MOST = 1000 };

/* ---- rows ---- */

/* State of one reading that writes rows, for lists and searches. */
struct rows {
	struct view_question *q;
	const char *name;	      /* the key of a row in its object; NULL: in an array */
	struct tdat_printer *printer; /* NULL: without texts */
	struct view_key_maker keys;
	uint64_t skip, left; /* events before the first row; rows that are still wanted */
	uint64_t row;	     /* the number of the next one */
	bool numbered;
};

/* Puts a row; row is NULL where its number is not known. */
static void put_row(struct rows *r, const struct tdat_event *event, const struct view_key *key,
		    const uint64_t *row)
{
	struct tdat_json *j = &r->q->json;
	char name[600], text[VIEW_KEY_TEXT];
	struct tdat_span info;

	view_event_name(r->q->api->trace, event, name, sizeof(name));
	view_key_text(key, text);
	tdat_json_object(j, r->name);
	if (row)
		tdat_json_u64(j, "row", *row);
	view_json_time(j, "ts", event->ts);
	tdat_json_u64(j, "rec", key->rec);
	tdat_json_u64(j, "cpu", event->cpu);
	tdat_json_i64(j, "pid", event->pid);
	tdat_json_strn(j, "comm", event->comm.ptr, event->comm.len);
	tdat_json_str(j, "event", name);
	if (r->printer) {
		const bool ok = !tdat_printer_info(r->printer, event, &info, NULL);

		/* The text begins with the blank that follows the name of the event. */
		while (ok && tdat_span_starts(info, " "))
			info = tdat_span_from(info, 1);
		tdat_json_strn(j, "text", ok ? (const void *)info.ptr : "", ok ? info.len : 0);
	}
	tdat_json_i64(j, "lost", event->lost_before);
	tdat_json_str(j, "key", text);
	tdat_json_object_end(j);
}

/*
 * Writes rows until enough are written. Keys are numbered from the first event of the bin, hence
 * skipped events count, too.
 */
static size_t take_rows(void *ctx, const struct tdat_event *events, size_t count)
{
	struct rows *r = ctx;

	for (size_t i = 0; i < count; i++) {
		const struct view_key key = view_key_next(&r->keys, &events[i]);

		if (r->skip) {
			r->skip--;
			continue;
		}
		if (!r->left)
			return i;
		r->left--;
		put_row(r, &events[i], &key, r->numbered ? &r->row : NULL);
		r->row++;
		/*
		 * A report takes events until their bytes are enough; "limits" in it has the number
		 * that was asked for.
		 */
		if (r->q->event_count && r->q->json.out->len > VIEW_REPORT_EVENTS_LEN)
			r->left = 0;
		else if (!r->q->event_count && view_answer_fits(r->q, "ask for fewer rows"))
			return i;
		if (r->keys.failed)
			return i;
	}
	return count;
}

/* Reads nothing of the events but their number. */
static size_t count_only(void *ctx, const struct tdat_event *events, size_t count)
{
	uint64_t *n = ctx;

	(void)events;
	*n += count;
	return count;
}

/*
 * Counts the selected events before a time: whole bins by their counts, the bin of the time by
 * reading. Without events in that bin nothing is read.
 */
static enum tdat_status count_before(struct view_question *q, const struct view_counts *counts,
				     uint64_t ts, uint64_t *n)
{
	const struct view_index *ix = q->api->index;
	const uint32_t bin = view_index_bin(ix, ts);
	struct view_span span = {view_index_start(ix, bin), ts - 1};

	*n = 0;
	if (!ts || ts <= ix->trace->from)
		return TDAT_OK;
	if (ts > ix->trace->to) {
		*n = counts->total;
		return TDAT_OK;
	}
	for (uint32_t i = 0; i < bin; i++)
		*n += counts->bins[i];
	/* A bin without events need not be read. */
	if (!counts->bins[bin] || span.from >= ts)
		return TDAT_OK;
	return view_read_all(ix->trace, &span, &q->query->selection, count_only, n, q->err);
}

/*
 * Writes rows from a number on, counted from the beginning of the trace. Bins are skipped by their
 * counts, so one bin at most is read in vain.
 */
static enum tdat_status read_from_row(struct rows *r, const struct view_counts *counts,
				      uint64_t number, uint64_t to)
{
	const struct view_index *ix = r->q->api->index;
	struct view_span span = {0, to};
	uint32_t bin = 0;

	while (bin < ix->bin_count && number >= counts->bins[bin])
		number -= counts->bins[bin++];
	if (bin == ix->bin_count)
		return TDAT_OK;
	span.from = view_index_start(ix, bin);
	r->skip = number;
	return view_read_all(ix->trace, &span, &r->q->query->selection, take_rows, r, r->q->err);
}

/*
 * Writes the rows from `at` on: a row number, or a time as "ts:TIME". Without counts (they are
 * being made) row numbers are unknown, and only a start by time, or row 0, can be answered.
 */
static enum tdat_status put_rows(struct rows *r, const struct view_span *span,
				 const struct view_counts *counts, const char *at)
{
	struct view_question *q = r->q;
	struct tdat_json *j = &q->json;
	uint64_t first = 0, last = 0, row = 0;
	enum tdat_status st = TDAT_OK;
	struct view_span read = *span;
	const bool by_time = at && !strncmp(at, "ts:", 3);

	if (by_time ? !view_parse_u64(at + 3, at + strlen(at), &read.from)
		    : at && !view_parse_u64(at, at + strlen(at), &row))
		return tdat_error_set(q->err, TDAT_E_USAGE, TDAT_NO_OFFSET,
				      "the parameter at is neither a row nor ts:TIME");
	if (read.from < span->from)
		read.from = span->from;
	/*
	 * Row numbers of the answer count from the beginning of the window, those of the counts
	 * from that of the trace.
	 */
	if (counts) {
		st = count_before(q, counts, span->from, &first);
		if (st == TDAT_OK && span->to < UINT64_MAX)
			st = count_before(q, counts, span->to + 1, &last);
		if (st == TDAT_OK && by_time) {
			st = count_before(q, counts, read.from, &row);
			row -= first;
		}
		if (st != TDAT_OK)
			return st;
		tdat_json_u64(j, "total", last - first);
		tdat_json_u64(j, "at", row);
	} else {
		tdat_json_null(j, "total");
		tdat_json_null(j, "at");
		tdat_json_bool(j, "pending", true);
	}
	/* Without counts rows have no numbers. */
	r->numbered = counts;
	r->row = row;
	tdat_json_array(j, "rows");
	if (counts && !by_time && row < last - first)
		st = read_from_row(r, counts, first + row, span->to);
	else if (by_time || (!counts && !row))
		st = view_read_all(q->api->trace, &read, &q->query->selection, take_rows, r,
				   q->err);
	tdat_json_array_end(j);
	return st;
}

/*
 * Counts are asked for first: their making begins with the first question, while this one answers
 * without them.
 */
enum tdat_status view_answer_events(struct view_question *q)
{
	const char *at = view_query_get(q->query, "at");
	struct rows r = {.q = q, .keys = {.trace = q->api->trace}};
	const struct view_counts *counts = NULL;
	uint64_t count = 100, text = 1;
	struct view_span span;
	enum tdat_status st = view_query_span(q->query, q->api->trace, &span, q->err);

	if (st == TDAT_OK)
		st = view_query_u64(q->query, "count", 0, COUNT_MOST, &count, q->err);
	if (st == TDAT_OK)
		st = view_query_u64(q->query, "text", 0, 1, &text, q->err);
	if (st == TDAT_OK)
		st = view_counts_get(q->api->counts, &q->query->selection, VIEW_ALL_LANES, &counts,
				     q->err);
	if (st == TDAT_OK && text)
		st = tdat_printer_share(&r.printer, q->api->trace->printer, q->err);
	r.left = q->event_count ? q->event_count : count;
	if (st == TDAT_OK)
		st = put_rows(&r, &span, counts, at);
	view_cache_put(counts);
	tdat_printer_free(r.printer);
	view_key_maker_fini(&r.keys);
	return st;
}

/* ---- search ---- */

/*
 * State of a search. Forward it stops at the first hit; backward it remembers the last hit of a
 * bin.
 */
struct search {
	struct rows rows;
	struct view_key after; /* the event that was found last */
	bool has_after;
	uint64_t from;
	bool met, found; /* the event after; a hit */
	enum { FORWARD, BACKWARD, WRITE } pass;
	/* The last hit before a time; it is put when its events are read again. */
	struct view_key hit;
};

/*
 * True if an event follows the one that was found last. Events of that time are compared by keys,
 * as several may share it.
 */
static bool is_behind(struct search *s, const struct view_key *key)
{
	if (!s->has_after)
		return true;
	if (view_key_same(key, &s->after)) {
		s->met = true;
		return false;
	}
	return s->met || view_key_before(s->rows.q->api->trace, &s->after, key);
}

/* True if an event comes before the one that was found last, or before a time. */
static bool is_before(struct search *s, const struct view_key *key)
{
	if (!s->has_after)
		return key->ts < s->from;
	if (key->ts != s->after.ts)
		return key->ts < s->after.ts;
	s->met = s->met || view_key_same(key, &s->after);
	return !s->met && !view_key_before(s->rows.q->api->trace, &s->after, key);
}

/*
 * Forward the first event behind the last hit is the answer. Backward within a bin each event
 * replaces the hit, until the one that ends the search; rows are not kept meanwhile, so that the
 * time of the hit is read once more to write it.
 */
static size_t take_hit(void *ctx, const struct tdat_event *events, size_t count)
{
	struct search *s = ctx;

	for (size_t i = 0; i < count; i++) {
		const struct view_key key = view_key_next(&s->rows.keys, &events[i]);

		if (s->pass == BACKWARD && !is_before(s, &key))
			return i;
		if (s->pass == BACKWARD) {
			s->hit = key;
			s->found = true;
		} else if (s->pass == FORWARD ? is_behind(s, &key) : view_key_same(&key, &s->hit)) {
			put_row(&s->rows, &events[i], &key, NULL);
			s->found = true;
			return i;
		}
	}
	return count;
}

/* Each reading starts at another time, and numbers of equal events begin again with it. */
static enum tdat_status read_span(struct search *s, const struct view_span *span)
{
	struct view_question *q = s->rows.q;

	s->rows.keys.count = 0;
	return view_read_all(q->api->trace, span, &q->query->selection, take_hit, s, q->err);
}

/*
 * Searches backward, bin by bin, for the last event before a time. Bins without events of the
 * selection are not read.
 */
static enum tdat_status search_prev(struct search *s, const struct view_counts *counts)
{
	const struct view_index *ix = s->rows.q->api->index;
	uint32_t bin = view_index_bin(ix, s->from);
	enum tdat_status st = TDAT_OK;
	struct view_span span;

	for (;; bin--) {
		span = (struct view_span){view_index_start(ix, bin),
					  view_index_start(ix, bin + 1) - 1};
		if (counts->bins[bin])
			st = read_span(s, &span);
		if (st != TDAT_OK || s->found || !bin)
			break;
	}
	if (st != TDAT_OK || !s->found)
		return st;
	/* Only events of the hit's time: their keys are numbered as before. */
	span = (struct view_span){s->hit.ts, s->hit.ts};
	s->pass = WRITE;
	return read_span(s, &span);
}

/*
 * Searches forward, bin by bin, from a time on. Without counts a text is looked for in a 16th of
 * the trace only, as each event has to be printed: counting them is as fast, and serves all hits.
 */
static enum tdat_status search_next(struct search *s, const struct view_counts *counts,
				    bool *pending)
{
	const struct view_index *ix = s->rows.q->api->index;
	uint32_t bin = view_index_bin(ix, s->from);
	struct view_span span = {s->from, UINT64_MAX};
	enum tdat_status st = TDAT_OK;

	if (!counts) {
		const uint32_t end = bin + ix->bin_count / 16 + 1;

		*pending = s->rows.q->query->selection.contains && end < ix->bin_count;
		if (*pending)
			span.to = view_index_start(ix, end) - 1;
		st = read_span(s, &span);
		*pending = *pending && !s->found;
		return st;
	}
	for (; st == TDAT_OK && !s->found && bin < ix->bin_count; bin++) {
		const bool is_last = bin + 1 == ix->bin_count;

		span.to = is_last ? UINT64_MAX : view_index_start(ix, bin + 1) - 1;
		if (counts->bins[bin])
			st = read_span(s, &span);
		span.from = span.to + 1;
	}
	return st;
}

/*
 * A backward search needs counts; until they are made, the answer is pending and the page asks
 * again.
 */
static enum tdat_status search(struct search *s)
{
	struct view_question *q = s->rows.q;
	struct tdat_json *j = &q->json;
	const struct view_counts *counts = NULL;
	enum tdat_status st = view_counts_get(q->api->counts, &q->query->selection, VIEW_ALL_LANES,
					      &counts, q->err);
	bool pending = s->pass == BACKWARD && !counts;

	if (st != TDAT_OK)
		return st;
	if (counts)
		tdat_json_u64(j, "total", counts->total);
	if (s->pass != BACKWARD)
		st = search_next(s, counts, &pending);
	else if (counts)
		st = search_prev(s, counts);
	if (pending)
		tdat_json_bool(j, "pending", true);
	else if (!s->found)
		tdat_json_null(j, "hit");
	view_cache_put(counts);
	return st;
}

/*
 * Without after=KEY a forward search starts at the beginning of the trace, a backward one behind
 * its end.
 */
enum tdat_status view_answer_search(struct view_question *q)
{
	const char *dir = view_query_get(q->query, "dir");
	const char *after = view_query_get(q->query, "after");
	struct search s = {.rows = {.q = q, .name = "hit", .keys = {.trace = q->api->trace}},
			   .from = q->api->trace->from};
	const bool prev = dir && !strcmp(dir, "prev");
	enum tdat_status st = TDAT_OK;

	if ((dir && !prev && strcmp(dir, "next")) || (after && !view_key_parse(after, &s.after)))
		return tdat_error_set(
			q->err, TDAT_E_USAGE, TDAT_NO_OFFSET,
			"a search needs dir=next or dir=prev, and after=KEY of a row");
	s.pass = prev ? BACKWARD : FORWARD;
	if (prev)
		s.from = q->api->trace->to == UINT64_MAX ? UINT64_MAX : q->api->trace->to + 1;
	st = view_query_u64(q->query, "from", 0, UINT64_MAX, &s.from, q->err);
	s.has_after = after;
	if (after)
		s.from = s.after.ts;
	if (st == TDAT_OK)
		st = tdat_printer_share(&s.rows.printer, q->api->trace->printer, q->err);
	if (st == TDAT_OK)
		st = search(&s);
	tdat_printer_free(s.rows.printer);
	view_key_maker_fini(&s.rows.keys);
	return st;
}
