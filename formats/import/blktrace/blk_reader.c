/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads blktrace records of one CPU's file in their order: docs/formats/gtsc.md §5. It checks
 * magic, version and length of each record, notes names and sequence numbers in the survey, and
 * reports what is damaged or missing with its offset. The usual record takes a short way with
 * one check. relay/ does the rest of the import.
 */
#include "blktrace.h"

#include <inttypes.h>
#include <stdlib.h>

#include "core/cursor.h"
#include "core/grow.h"

enum { SEQUENCE_GAP_MAX = 1 << 24 }; /* a larger step is another trace, not a gap */

/* Warns of a file that is left out: another byte order, an unknown version, or no magic. */
static enum tdat_status refuse(const struct relay_file *f, unsigned int version, bool wrong_order,
			       const struct tdat_emit *emit, struct tdat_error *err)
{
	if (wrong_order)
		return tdat_emit_warnf(
			emit, f->name, 0, err,
			"the byte order differs from that of earlier files: the file is omitted");
	if (version)
		return tdat_emit_warnf(emit, f->name, 0, err,
				       "blktrace version %u is unknown: the file is omitted",
				       version & 0xff);
	return tdat_emit_warnf(emit, f->name, 0, err,
			       "the file does not start with a blktrace record and is omitted");
}

/*
 * Settles byte order and version by the first good file, and drops files that differ. Empty files
 * stay: their CPUs count.
 */
enum tdat_status blk_settle(struct relay_setup *s, struct blk_setup *own,
			    const struct relay_options *opts, struct relay_files *f,
			    const struct tdat_emit *emit, struct tdat_error *err)
{
	size_t kept = 0, good = 0;
	unsigned int refused = 0;

	s->kind = &blk_kind;
	s->own = own;
	s->what = "blktrace-v0";
	relay_setup_order(s, opts, f, false, NULL);
	for (size_t i = 0; i < f->count; i++) {
		uint8_t buf[4];
		struct tdat_span head = import_look(f->files[i].source, buf, sizeof(buf));
		bool big = s->big;
		unsigned int version = blk_version(head, &big);
		bool known = version == 7 || version == 8;
		enum tdat_status st;

		if (known && !good++) {
			s->big = big;
			s->order_known = true;
			own->version = version;
			s->what = version == 8 ? "blktrace-v8" : "blktrace-v7";
		}
		if (!tdat_source_len(f->files[i].source) || (known && big == s->big)) {
			f->files[kept++] = f->files[i];
			continue;
		}
		refused = version ? version : refused;
		st = refuse(&f->files[i], version, known, emit, err);
		if (st != TDAT_OK)
			return st;
	}
	f->count = kept;
	if (kept)
		return TDAT_OK;
	if (refused)
		return tdat_error_set(err, TDAT_E_UNSUPPORTED, 0,
				      "blktrace version %u is unknown: tdat reads versions 7 and 8",
				      refused & 0xff);
	return tdat_error_set(err, TDAT_E_FORMAT, 0, "no file starts with a blktrace record");
}

/*
 * Counts gaps in the sequence numbers of the file's CPU; returns the records lost before this one.
 * Numbers of notes may hold anything, so they count only if they fit.
 */
static int64_t note_sequence(struct relay_reader *r, const struct blk_record *rec)
{
	bool is_note = rec->categories & BLK_TC_NOTIFY;
	uint32_t gap = rec->sequence - r->last_seq - 1;
	int64_t lost = 0;

	if (rec->cpu != r->file->cpu)
		return 0;
	if (is_note && (!r->seq_known || gap))
		return 0;
	if (r->seq_known && gap && gap < SEQUENCE_GAP_MAX) {
		lost = gap;
		r->missing_seq += gap;
	}
	r->seq_known = true;
	r->last_seq = rec->sequence;
	return lost;
}

/* Notes the offset of the wall clock, from the first timestamp note of the file. */
static void note_wall(struct relay_reader *r, const struct blk_record *rec)
{
	struct tdat_cursor c = tdat_cursor_init(rec->pdu.ptr, rec->pdu.len, 0, r->setup->big);
	uint32_t sec = tdat_cursor_u32(&c), nsec = tdat_cursor_u32(&c);

	if (r->wall.set || !tdat_cursor_ok(&c) || !(rec->categories & BLK_TC_NOTIFY) ||
	    rec->action != BLK_NOTIFY_TIMESTAMP || rec->time > INT64_MAX)
		return;
	r->wall.set = true;
	r->wall.offset_ns = (int64_t)sec * 1000000000 + nsec - (int64_t)rec->time;
}

/*
 * Keeps the name in a notify record, for the threads that read other CPUs. Only the first pass
 * does.
 */
static void note_name(struct relay_reader *r, const struct blk_record *rec,
		      const struct import_merge_record *out)
{
	struct blk_seen *seen = r->own;
	struct blk_note *n;

	if (seen->too_many)
		return;
	if (seen->count >= BLK_NOTES_MAX || !TDAT_GROW(seen->notes, &seen->cap, seen->count + 1)) {
		seen->too_many = true;
		return;
	}
	n = &seen->notes[seen->count++];
	*n = (struct blk_note){.key = out->key, .cpu = out->cpu, .pid = rec->pid};
	n->text_len = rec->pdu.len < BLK_COMM_LEN ? (uint8_t)rec->pdu.len : BLK_COMM_LEN;
	if (n->text_len)
		memcpy(n->text, rec->pdu.ptr, n->text_len);
}

void blk_close(struct relay_reader *r)
{
	struct blk_seen *seen = r->own;

	free(seen->notes);
}

/* Returns the header at r->off; NULL, with the reason in *st: the file ends here or is damaged. */
static const uint8_t *header(struct relay_reader *r, unsigned int *version, enum tdat_status *st,
			     struct tdat_error *err)
{
	uint64_t left = r->chunk.end - r->off;
	bool big = r->setup->big;
	const uint8_t *p = relay_reader_get(r, left < 4 ? (size_t)left : 4, err);

	*st = relay_reader_status(r);
	if (!p)
		return NULL;
	*version = blk_version((struct tdat_span){p, left < 4 ? (size_t)left : 4}, &big);
	*st = TDAT_OK;
	/* A wrong magic hides where the next record begins, so the file ends. */
	if (left >= 4 && ((*version != 7 && *version != 8) || big != r->setup->big)) {
		if (r->emit)
			*st = tdat_emit_warnf(r->emit, r->file->name, r->off, err,
					      "bad magic %08" PRIx32 " at %" PRIu64 ", stopping",
					      tdat_load32(p, r->setup->big), r->off);
	} else if (left < 4 || left < blk_header_len(*version)) {
		if (r->emit)
			*st = tdat_emit_warnf(r->emit, r->file->name, r->off, err,
					      "%" PRIu64 " trailing bytes at %" PRIu64
					      " do not hold a record",
					      left, r->off);
	} else {
		p = relay_reader_get(r, blk_header_len(*version), err);
		if (!p)
			*st = relay_reader_status(r);
		return p;
	}
	*st = relay_reader_stop(r, *st);
	return NULL;
}

/*
 * Takes the records at off as long as they are of the usual form: whole in the window, of a
 * request, of the file's CPU, next in sequence. blk_next() does the same for each
 * (tests/unit/formats/test_import_threads.c compares).
 */
static inline size_t take_usual(struct relay_reader *r, struct import_merge_record *out, size_t max,
				const unsigned int version, const bool big)
{
	const size_t head = blk_header_len(version);
	const uint8_t *p = NULL;
	size_t room = r->seq_known ? relay_reader_in_window(r, &p) : 0, n = 0, len;
	uint32_t last_seq = r->last_seq;

	for (; n < max && room >= head; n++) {
		/*
		 * Offsets by version (load_header() in blk_record.c); the categories are the
		 * action's upper half.
		 */
		const uint64_t action =
			version == 8 ? tdat_load64(p + 32, big) : tdat_load32(p + 28, big);
		const uint32_t cpu = tdat_load32(p + (version == 8 ? 44 : 40), big);
		const uint64_t time = tdat_load64(p + 8, big);

		len = head + blk_payload_len(version, big, p);
		if (len > room || tdat_load32(p, big) != (BLK_MAGIC | version) ||
		    action >> 16 & BLK_TC_NOTIFY || time > INT64_MAX || cpu != r->file->cpu ||
		    tdat_load32(p + 4, big) != last_seq + 1)
			break;
		out[n] = (struct import_merge_record){(int64_t)time, cpu, 0, {p, len}};
		last_seq++;
		p += len;
		room -= len;
		r->off += len;
	}
	r->last_seq = last_seq;
	return n;
}

/* Batch function of the kind. Constants in each call make four specialized loops. */
size_t blk_batch(struct relay_reader *r, struct import_merge_record *out, size_t max)
{
	const unsigned int version = ((const struct blk_setup *)r->setup->own)->version;

	if (version == 8)
		return r->setup->big ? take_usual(r, out, max, 8, true)
				     : take_usual(r, out, max, 8, false);
	return r->setup->big ? take_usual(r, out, max, 7, true) : take_usual(r, out, max, 7, false);
}

/*
 * Returns the record whose header is at p; NULL, with the reason in *st: it does not end within the
 * file. A payload may hold what looks like a header, so nothing is searched.
 */
static const uint8_t *whole_record(struct relay_reader *r, unsigned int version, const uint8_t *p,
				   size_t *len, enum tdat_status *st, struct tdat_error *err)
{
	const size_t head = blk_header_len(version);
	const uint64_t left = r->chunk.end - r->off;

	*len = head + blk_payload_len(version, r->setup->big, p);
	*st = TDAT_OK;
	if (*len <= left) {
		p = relay_reader_get(r, *len, err);
		*st = p ? TDAT_OK : relay_reader_status(r);
		return p;
	}
	if (r->emit)
		*st = tdat_emit_warnf(r->emit, r->file->name, r->off, err,
				      "record at %" PRIu64 " wants %zu payload bytes, %" PRIu64
				      " left",
				      r->off, *len - head, left - head);
	*st = relay_reader_stop(r, *st);
	return NULL;
}

/* Next record of the file; a record may name another CPU than its file. */
enum tdat_status blk_next(struct relay_reader *r, struct import_merge_record *out,
			  struct tdat_error *err)
{
	struct blk_record rec;
	unsigned int version;
	enum tdat_status st;
	const uint8_t *p;
	size_t len;

	do {
		st = relay_reader_chunk(r, err);
		if (st != TDAT_OK)
			return st;
	} while (relay_reader_skip_zeros(r));
	p = header(r, &version, &st, err);
	if (!p)
		return st;
	p = whole_record(r, version, p, &len, &st, err);
	if (!p)
		return st;
	out->data = (struct tdat_span){p, len};
	r->off += len;
	blk_decode(version, r->setup->big, out->data, &rec);
	/* Times are u64 in the record and signed in the merge. */
	out->key = rec.time > INT64_MAX ? INT64_MAX : (int64_t)rec.time;
	r->clamped += rec.time > INT64_MAX;
	if (rec.cpu <= RELAY_CPU_MAX)
		out->cpu = rec.cpu;
	out->lost_before = note_sequence(r, &rec);
	if (!(rec.categories & BLK_TC_NOTIFY))
		return TDAT_OK;
	note_wall(r, &rec);
	if (rec.action == BLK_NOTIFY_PROCESS && r->emit)
		note_name(r, &rec, out);
	return TDAT_OK;
}
