/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads the records of one file in its order, and reports every defect that
 * docs/formats/kmemtrace.md §6 lists. It is the reading half of the kind of relay channels that
 * relay/capture.c converts. A short way takes the usual records of the window at once, and
 * tests/unit/formats/test_import_threads.c compares it with the other.
 */
#include "kmemtrace.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/checked.h"
#include "core/endian.h"
#include "core/zero.h"

/* TAKE: a record; SKIP: go behind it; STOP: the rest of the file is unreadable. */
enum verdict { TAKE, SKIP, STOP };

enum { ZERO_STEP = 64 * 1024 }; /* bytes of padding that are checked in one step */

static struct kmem_reader *own_of(const struct relay_reader *r)
{
	return r->own;
}

static struct kmem_setup *setup_of(const struct relay_reader *r)
{
	return r->setup->own;
}

/* Warns of a defect that ends the file. The second pass (emit NULL) is silent. */
static TDAT_PRINTF(3, 4) enum tdat_status
	stop_at(struct relay_reader *r, struct tdat_error *err, const char *fmt, ...)
{
	char sentence[256];
	va_list args;

	if (!r->emit)
		return TDAT_OK;
	va_start(args, fmt);
	vsnprintf(sentence, sizeof(sentence), fmt, args);
	va_end(args);
	return tdat_emit_warnf(r->emit, r->file->name, r->off, err, "%s", sentence);
}

/*
 * Warns of a defect behind which the file continues. Beyond KMEM_DOUBTS_TOLD of a kind they are
 * only counted, for warn_pending().
 */
static TDAT_PRINTF(5, 6) enum tdat_status
	doubt(struct relay_reader *r, enum kmem_doubt kind, uint64_t off, struct tdat_error *err,
	      const char *fmt, ...)
{
	char sentence[256];
	va_list args;

	if (!r->emit || ++own_of(r)->doubts[kind] > KMEM_DOUBTS_TOLD)
		return TDAT_OK;
	va_start(args, fmt);
	vsnprintf(sentence, sizeof(sentence), fmt, args);
	va_end(args);
	return tdat_emit_warnf(r->emit, r->file->name, off, err, "%s", sentence);
}

/* Warns, at the end of the file, of the doubts of each kind that were only counted. */
enum tdat_status kmem_reader_warn(struct relay_reader *r, struct tdat_error *err)
{
	const char *const what[KMEM_DOUBT_COUNT] = {
		setup_of(r)->opts.keep_unknown ? "records of unknown kinds were kept"
					       : "records of unknown kinds were skipped",
		"damaged features were ignored", "records have doubtful values",
		"records are out of order", "records cross the end of their sub-buffer"};
	const struct kmem_reader *own = own_of(r);
	enum tdat_status st = TDAT_OK;

	for (unsigned int i = 0; i < KMEM_DOUBT_COUNT && st == TDAT_OK; i++) {
		const uint64_t told = i ? KMEM_DOUBTS_TOLD : own->told_count;

		if (own->doubts[i] > told)
			st = tdat_emit_warnf(r->emit, r->file->name, r->off, err,
					     "%" PRIu64 " more %s", own->doubts[i] - told, what[i]);
	}
	return st;
}

/* Bytes from off to the end of its sub-buffer or of the file, whichever is nearer. */
static uint64_t subbuf_room(const struct relay_reader *r)
{
	uint64_t left = r->chunk.end - r->off;
	uint64_t room = setup_of(r)->subbuf_len - r->off % setup_of(r)->subbuf_len;

	return room < left ? room : left;
}

/* Sets *zero if len bytes from off are zero. Holes of sparse files are skipped without reading. */
static enum tdat_status all_zero(struct relay_reader *r, uint64_t len, bool *zero,
				 struct tdat_error *err)
{
	*zero = true;
	for (uint64_t done = 0; done < len && *zero;) {
		const uint64_t data = tdat_source_skip_hole(r->subbufs.window.source, r->off + done,
							    r->off + len);
		size_t n;

		if (data > r->off + done) {
			done = data - r->off;
			continue;
		}
		n = len - done < ZERO_STEP ? (size_t)(len - done) : ZERO_STEP;
		const uint8_t *p = import_window_get(&r->subbufs.window, r->off + done, n, err);

		if (!p)
			return r->subbufs.window.status;
		*zero = tdat_is_zero(p, n);
		done += n;
	}
	return TDAT_OK;
}

/*
 * Jumps over the unused tail of a sub-buffer (docs/formats/kmemtrace.md §5). *jumped: there was
 * one.
 */
static enum tdat_status skip_padding(struct relay_reader *r, bool *jumped, struct tdat_error *err)
{
	const struct kmem_layout *l = setup_of(r)->layout;
	uint64_t room = subbuf_room(r);
	enum tdat_status st;

	*jumped = false;
	/* A record may still be here: its size (or id) is not zero. */
	if (room >= l->free_len) {
		const uint8_t *p = import_window_get(&r->subbufs.window, r->off, l->free_len, err);
		struct kmem_head head;

		if (!p)
			return r->subbufs.window.status;
		head = kmem_read_head(l, p, r->setup->big);
		if (l->sized ? head.len : head.event_id)
			return TDAT_OK;
	}
	/* Only zeros count as unused; other bytes go to judge(). */
	st = all_zero(r, room, jumped, err);
	if (st == TDAT_OK && *jumped)
		r->off += room;
	return st;
}

/* Counts a record of an unknown kind; false for the first of each of a few kinds. */
static bool was_told(struct kmem_reader *own, uint32_t kind)
{
	own->doubts[KMEM_DOUBT_UNKNOWN]++;
	for (uint32_t i = 0; i < own->told_count; i++)
		if (own->told[i] == kind)
			return true;
	if (own->told_count == KMEM_KINDS_TOLD)
		return true;
	own->told[own->told_count++] = kind;
	return false;
}

/* Decides by the ids of a complete record if it is taken. */
static enum tdat_status judge_kind(struct relay_reader *r, const struct kmem_head *head,
				   enum verdict *v, struct tdat_error *err)
{
	bool known_event = kmem_least_len(setup_of(r)->layout, head->event_id) != 0;
	const bool keep = setup_of(r)->opts.keep_unknown;
	const uint32_t id = known_event ? head->type_id : head->event_id;

	*v = TAKE;
	if (known_event && head->type_id <= 2)
		return TDAT_OK;
	/* Its number is not missing: what makes events skips it. */
	if (!keep && !setup_of(r)->layout->has_seq)
		*v = SKIP;
	if (!r->emit || was_told(own_of(r), id << 1 | known_event))
		return TDAT_OK;
	return tdat_emit_warnf(r->emit, r->file->name, r->off, err,
			       "unknown %s id %u at %" PRIu64 " %s (%u bytes)",
			       known_event ? "type" : "event", id, r->off,
			       keep ? "kept" : "skipped", head->len);
}

/*
 * Skips the rest of a sub-buffer behind a record that claims to reach into the next one. Records
 * never do, so its bytes are stale.
 */
static enum tdat_status leave_subbuf(struct relay_reader *r, struct kmem_head *head,
				     enum verdict *v, struct tdat_error *err)
{
	uint32_t claimed = head->len;

	*v = SKIP;
	head->len = (uint32_t)subbuf_room(r);
	return doubt(r, KMEM_DOUBT_SUBBUF, r->off, err,
		     "record at %" PRIu64
		     " claims %u bytes, %u left in its sub-buffer, which is skipped",
		     r->off, claimed, head->len);
}

/*
 * Decides what becomes of the record at off. With TAKE and SKIP, head is valid and head->len is the
 * way to the next record.
 */
static enum tdat_status judge(struct relay_reader *r, struct kmem_head *head, enum verdict *v,
			      struct tdat_error *err)
{
	const struct kmem_layout *l = setup_of(r)->layout;
	uint64_t left = r->chunk.end - r->off;
	const uint8_t *p;

	/*
	 * A size that cannot be right hides where the next record begins, so the file ends there.
	 */
	*v = STOP;
	if (left < l->free_len)
		return stop_at(r, err,
			       "%" PRIu64 " trailing bytes at %" PRIu64 " do not hold a record",
			       left, r->off);
	p = import_window_get(&r->subbufs.window, r->off, l->free_len, err);
	if (!p)
		return r->subbufs.window.status;
	*head = kmem_read_head(l, p, r->setup->big);
	if (head->len < l->free_len)
		return stop_at(r, err, "record at %" PRIu64 " has event size %u (< %u), stopping",
			       r->off, head->len, l->free_len);
	if (head->len > left)
		return stop_at(r, err, "record at %" PRIu64 " claims %u bytes, %" PRIu64 " left",
			       r->off, head->len, left);
	if (setup_of(r)->subbuf_len && head->len > subbuf_room(r))
		return leave_subbuf(r, head, v, err);
	if (head->event_id == l->alloc_id && head->len < l->alloc_len)
		return stop_at(r, err,
			       "alloc record at %" PRIu64 " has event size %u (< %u), stopping",
			       r->off, head->len, l->alloc_len);
	return judge_kind(r, head, v, err);
}

/* Checks the chain of features and cuts rec->tail to the sound ones. */
static enum tdat_status check_features(struct relay_reader *r, struct kmem_record *rec,
				       struct tdat_error *err)
{
	struct tdat_span tail = rec->tail;
	struct kmem_feature f = {0, {NULL, 0}};
	enum kmem_feature_verdict v;
	uint16_t size;

	do {
		v = kmem_next_feature(&tail, r->setup->big, &f, &size);
	} while (v == KMEM_FEATURE_OK);
	rec->tail.len -= tail.len;
	switch (v) {
	case KMEM_FEATURE_SMALL:
		return doubt(r, KMEM_DOUBT_FEATURE, rec->off, err,
			     "feature %u of record at %" PRIu64 " has size %u (< 3), rest ignored",
			     f.id, rec->off, size);
	case KMEM_FEATURE_LONG:
		return doubt(r, KMEM_DOUBT_FEATURE, rec->off, err,
			     "feature %u of record at %" PRIu64
			     " has size %u, %zu left, rest ignored",
			     f.id, rec->off, size, tail.len);
	case KMEM_FEATURE_CUT:
		return doubt(r, KMEM_DOUBT_FEATURE, rec->off, err,
			     "%zu bytes at the end of record at %" PRIu64 " do not hold a feature",
			     tail.len, rec->off);
	default:
		return TDAT_OK;
	}
}

/* Warns of wrong values; the record is kept nevertheless. One warning a record is enough. */
static enum tdat_status check_values(struct relay_reader *r, const struct kmem_record *rec,
				     struct tdat_error *err)
{
	uint64_t off = rec->off;

	if (rec->is_free)
		return TDAT_OK;
	if (!rec->bytes_req)
		return doubt(r, KMEM_DOUBT_VALUE, off, err, "alloc at %" PRIu64 " requests 0 bytes",
			     off);
	if (rec->bytes_alloc < rec->bytes_req)
		return doubt(r, KMEM_DOUBT_VALUE, off, err,
			     "alloc at %" PRIu64 " got %" PRIu64 " bytes for a request of %" PRIu64,
			     off, rec->bytes_alloc, rec->bytes_req);
	if (rec->gfp_flags > UINT32_MAX && (!setup_of(r)->opts.layout_6 || rec->head.type_id == 2))
		return doubt(r, KMEM_DOUBT_VALUE, off, err,
			     "alloc at %" PRIu64 " has gfp flags 0x%" PRIx64
			     ", of which 32 bits are kept",
			     off, rec->gfp_flags);
	return TDAT_OK;
}

/*
 * Widens the 32-bit sequence number to 63 bits (docs/formats/kmemtrace.md §3). Numbers of one file
 * are near each other, so the signed difference is right across a wrap.
 */
static enum tdat_status unwrap(struct relay_reader *r, uint32_t seq, struct tdat_error *err)
{
	int32_t delta = (int32_t)(seq - r->last_seq);
	int32_t last = (int32_t)r->last_seq;
	bool first = !r->seq_known;

	/*
	 * The first number is near that of the reference file, so that all files count from the
	 * same wrap.
	 */
	if (first) {
		const uint32_t from = setup_of(r)->ref_known ? setup_of(r)->ref : seq;

		r->key = (int64_t)from + (int32_t)(seq - from);
	}
	if (!first && __builtin_add_overflow(r->key, delta, &r->key))
		return tdat_error_set(err, TDAT_E_LIMIT, r->off,
				      "%s: sequence numbers go beyond 63 bits at offset %" PRIu64,
				      r->file->name, r->off);
	r->seq_known = true;
	r->last_seq = seq;
	if (first || delta > 0)
		return TDAT_OK;
	return doubt(r, KMEM_DOUBT_ORDER, r->off, err,
		     "sequence %d at %" PRIu64 " does not follow %d", (int32_t)seq, r->off, last);
}

/* Sets the key from a time in ns; an impossible one becomes 0. */
static enum tdat_status take_time(struct relay_reader *r, uint64_t time_ns, struct tdat_error *err)
{
	r->key = (int64_t)time_ns;
	if (time_ns <= INT64_MAX)
		return TDAT_OK;
	r->key = 0;
	return doubt(r, KMEM_DOUBT_VALUE, r->off, err,
		     "record at %" PRIu64 " has the impossible time 0x%" PRIx64 ", taken as 0",
		     r->off, time_ns);
}

/* True if a record of relay's layout has nothing doubtful; seen without decoding it. */
static bool is_beyond_doubt(const struct relay_reader *r, struct tdat_span bytes)
{
	const struct kmem_layout *l = setup_of(r)->layout;
	uint64_t req, alloc;

	if (!l->has_seq || !l->sized || bytes.ptr[1] > 2)
		return false;
	if (bytes.ptr[0] == l->free_id)
		return bytes.len == l->free_len;
	if (bytes.ptr[0] != l->alloc_id || bytes.len != l->alloc_len)
		return false;
	req = tdat_load64(bytes.ptr + 24, r->setup->big);
	alloc = tdat_load64(bytes.ptr + 32, r->setup->big);
	return req && alloc >= req;
}

/* Warns of everything doubtful in a record; only the first pass calls it. */
static enum tdat_status check_record(struct relay_reader *r, struct tdat_span bytes,
				     struct tdat_error *err)
{
	struct kmem_record rec;
	enum tdat_status st = TDAT_OK;

	if (is_beyond_doubt(r, bytes))
		return TDAT_OK;
	kmem_decode(setup_of(r)->layout, r->setup->big, bytes, &rec);
	rec.off = r->off;
	if (!rec.unknown)
		st = check_values(r, &rec, err);
	if (st == TDAT_OK && rec.tail.len)
		st = check_features(r, &rec, err);
	return st;
}

/* Makes the merge's record of a valid one. *usable is false if it must be skipped after all. */
static enum tdat_status take(struct relay_reader *r, const struct kmem_head *head,
			     struct import_merge_record *out, bool *usable, struct tdat_error *err)
{
	const struct kmem_layout *l = setup_of(r)->layout;
	const uint8_t *p = import_window_get(&r->subbufs.window, r->off, head->len, err);
	struct kmem_order order;
	enum tdat_status st;

	*usable = true;
	if (!p)
		return r->subbufs.window.status;
	if (l->has_seq)
		order = (struct kmem_order){.seq = tdat_load32(p + 4, r->setup->big)};
	else
		order = kmem_read_order(l, p, r->setup->big);
	out->cpu = l->has_cpu ? order.cpu : r->file->cpu;
	out->lost_before = 0;
	out->data = (struct tdat_span){p, head->len};
	/* A wild CPU number would make a trace of millions of CPUs. */
	if (l->has_cpu && order.cpu > KMEM_FTRACE_CPU_MAX) {
		*usable = false;
		return doubt(r, KMEM_DOUBT_VALUE, r->off, err,
			     "record at %" PRIu64 " names CPU %u (> %d), skipped", r->off,
			     order.cpu, KMEM_FTRACE_CPU_MAX);
	}
	st = l->has_seq ? unwrap(r, order.seq, err) : take_time(r, order.time_ns, err);
	out->key = r->key;
	return st == TDAT_OK && r->emit ? check_record(r, out->data, err) : st;
}

/*
 * True if the record at off is of the usual form: sized, of a known kind and whole within its
 * sub-buffer. The checks one by one (skip_padding(), judge()) accept this form, too.
 */
static bool is_plain(struct relay_reader *r, struct kmem_head *head)
{
	const struct kmem_layout *l = setup_of(r)->layout;
	uint64_t *end = &own_of(r)->subbuf_end;
	const uint8_t *p;

	/* Found once per sub-buffer: its modulo takes longer than the rest of the check. */
	if (r->off >= *end)
		*end = setup_of(r)->subbuf_len ? r->off + subbuf_room(r) : r->chunk.end;
	if (!l->sized || *end - r->off < l->free_len)
		return false;
	p = import_window_get(&r->subbufs.window, r->off, l->free_len, NULL);
	if (!p)
		return false;
	head->event_id = p[0];
	head->type_id = p[1];
	head->len = tdat_load16(p + 2, r->setup->big);
	return head->type_id <= 2 && head->len <= *end - r->off &&
	       ((head->event_id == l->alloc_id && head->len >= l->alloc_len) ||
		(head->event_id == l->free_id && head->len >= l->free_len));
}

/*
 * Takes records as long as they are of the usual form: whole in the window, of a known kind,
 * without features or doubts, each later than the one before. next() does the same with one check
 * after the other (tests/unit/formats/test_import_threads.c compares). Kinds follow each other at
 * random, so the loop avoids branches on the kind.
 */
static inline size_t take_usual(struct relay_reader *r, struct import_merge_record *out, size_t max,
				const bool big)
{
	const struct kmem_layout *l = setup_of(r)->layout;
	const uint64_t end = own_of(r)->subbuf_end;
	const uint8_t *p = NULL;
	uint64_t room = relay_reader_in_window(r, &p);
	uint32_t last_seq = r->last_seq;
	int64_t key = r->key;
	size_t n = 0;

	if (!l->has_seq || !r->seq_known || r->off >= end)
		return 0;
	room = room < end - r->off ? room : end - r->off;
	/* req and got are loaded for frees too, hence room for the longer record. */
	for (; n < max && room >= l->alloc_len; n++) {
		const bool is_alloc = p[0] == l->alloc_id, is_free = p[0] == l->free_id;
		const uint32_t len = is_alloc ? l->alloc_len : l->free_len;
		const uint32_t seq = tdat_load32(p + 4, big);
		const uint64_t req = tdat_load64(p + 24, big), got = tdat_load64(p + 32, big);
		const int32_t delta = (int32_t)(seq - last_seq);
		const bool sound = is_free | ((req != 0) & (got >= req));

		if (!((is_alloc | is_free) & (p[1] <= 2) & (tdat_load16(p + 2, big) == len) &
		      sound & (delta > 0)) ||
		    __builtin_add_overflow(key, delta, &key))
			break;
		last_seq = seq;
		out[n] = (struct import_merge_record){key, r->file->cpu, 0, {p, len}};
		p += len;
		room -= len;
		r->off += len;
	}
	if (n) {
		r->key = out[n - 1].key;
		r->last_seq = last_seq;
	}
	return n;
}

/* Batch function of the kind. big is a constant in each call, for the compiler. */
size_t kmem_reader_batch(struct relay_reader *r, struct import_merge_record *out, size_t max)
{
	return r->setup->big ? take_usual(r, out, max, true) : take_usual(r, out, max, false);
}

/*
 * Next record of the file. All warnings of the first pass come from here, in the order of the
 * file.
 */
enum tdat_status kmem_reader_next(struct relay_reader *r, struct import_merge_record *out,
				  struct tdat_error *err)
{
	enum tdat_status st;

	while ((st = relay_reader_chunk(r, err)) == TDAT_OK) {
		struct kmem_head head = {0, 0, 0};
		bool jumped = false, usable = false;
		enum verdict v = TAKE;

		/* The usual record goes without the checks one by one. */
		if (!is_plain(r, &head)) {
			if (setup_of(r)->subbuf_len)
				st = skip_padding(r, &jumped, err);
			if (st == TDAT_OK && jumped)
				continue;
			if (st == TDAT_OK)
				st = judge(r, &head, &v, err);
		}
		if (st == TDAT_OK && v == TAKE)
			st = take(r, &head, out, &usable, err);
		if (st == TDAT_OK && v == STOP)
			return relay_reader_stop(r, st);
		if (st != TDAT_OK)
			return st;
		r->off += head.len;
		if (usable)
			return TDAT_OK;
	}
	return st;
}

/*
 * Finds the sequence number that others are unwrapped around: that of the first record of the first
 * file that has one. A failure here happens again in the survey, where it is reported.
 */
enum tdat_status kmem_reader_open(struct relay_reader *r, struct tdat_error *err)
{
	struct kmem_setup *s = setup_of(r);
	const struct tdat_emit *emit = r->emit;
	struct import_merge_record rec;

	(void)err;
	if (s->ref_known || !s->layout->has_seq)
		return TDAT_OK;
	r->emit = NULL;
	s->ref_known = kmem_reader_next(r, &rec, NULL) == TDAT_OK;
	s->ref = r->last_seq;
	relay_reader_rewind(r);
	r->emit = r->subbufs.emit = emit;
	return TDAT_OK;
}

void kmem_reader_rewind(struct relay_reader *r)
{
	own_of(r)->subbuf_end = 0;
}
