/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* blktrace records to the byte: spec section 5. */
#include <inttypes.h>
#include <string.h>

#include "core/cursor.h"
#include "gtsc.h"

enum {
	MAGIC = 0x65617400,
	CGROUP = 0x100, /* in the action: the payload starts with a u64 */
	LOOK_LEN = 4096,
	SEQUENCE_GAP_MAX = 1 << 24, /* more is no gap but another trace */
	MAGIC_BITS = 24,
	RECORD_BITS = 32
};

unsigned int blk_version(struct tdat_span head, bool *big)
{
	if (head.len < 4)
		return 0;
	for (int order = 0; order < 2; order++) {
		uint32_t magic = tdat_load32(head.ptr, order);

		if ((magic & 0xffffff00) == MAGIC) {
			*big = order;
			return magic & 0xff ? magic & 0xff : 256;
		}
	}
	return 0;
}

static size_t header_len(unsigned int version)
{
	return version == 8 ? BLK_HEADER_V8 : BLK_HEADER_V7;
}

static uint16_t pdu_len(unsigned int version, bool big, const uint8_t *p)
{
	return tdat_load16(p + (version == 8 ? 50 : 46), big);
}

void blk_decode(unsigned int version, bool big, struct tdat_span data, struct blk_record *out)
{
	struct tdat_cursor c = tdat_cursor_init(data.ptr, data.len, 0, big);
	uint64_t action;

	memset(out, 0, sizeof(*out));
	tdat_cursor_u32(&c);
	out->sequence = tdat_cursor_u32(&c);
	out->time = tdat_cursor_u64(&c);
	out->sector = tdat_cursor_u64(&c);
	out->bytes = tdat_cursor_u32(&c);
	if (version == 8) {
		out->pid = tdat_cursor_u32(&c);
		action = tdat_cursor_u64(&c);
	} else {
		action = tdat_cursor_u32(&c);
		out->pid = tdat_cursor_u32(&c);
	}
	out->device = tdat_cursor_u32(&c);
	out->cpu = tdat_cursor_u32(&c);
	out->error = tdat_cursor_u16(&c);
	tdat_cursor_u16(&c);
	tdat_cursor_bytes(&c, version == 8 ? 12 : 0);
	out->raw_action = action;
	out->action = (uint16_t)(action & 0xffff & ~(uint64_t)CGROUP);
	out->categories = (uint32_t)(action >> 16);
	if (action & CGROUP && tdat_cursor_left(&c) >= 8)
		tdat_cursor_u64(&c);
	out->pdu = tdat_cursor_bytes(&c, tdat_cursor_left(&c));
}

static enum tdat_status refuse(const struct gtsc_file *f, unsigned int version, bool wrong_order,
			       const struct tdat_emit *emit, struct tdat_error *err)
{
	if (wrong_order)
		return tdat_emit_warnf(emit, f->name, 0, err,
				       "byte order differs from the files before, file left out");
	if (version)
		return tdat_emit_warnf(emit, f->name, 0, err,
				       "unknown blktrace version %u, file left out",
				       version & 0xff);
	return tdat_emit_warnf(emit, f->name, 0, err, "no blktrace record at 0, file left out");
}

enum tdat_status blk_settle(struct gtsc_setup *s, struct gtsc_files *f,
			    const struct tdat_emit *emit, struct tdat_error *err)
{
	size_t kept = 0, good = 0;
	unsigned int refused = 0;

	for (size_t i = 0; i < f->count; i++) {
		uint8_t buf[4];
		struct tdat_span head = gtsc_look(f->files[i].source, buf, sizeof(buf));
		bool big = s->big;
		unsigned int version = blk_version(head, &big);
		bool known = version == 7 || version == 8;
		enum tdat_status st;

		if (known && !good++) {
			s->big = big;
			s->order_known = true;
			s->blk_version = version;
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
				      "blktrace version %u is unknown: 7 and 8 can be read",
				      refused & 0xff);
	return tdat_error_set(err, TDAT_E_FORMAT, 0, "no file begins with a blktrace record");
}

static enum tdat_status stop(struct gtsc_reader *r, enum tdat_status st)
{
	r->stopped = true;
	r->off = r->chunk.end;
	return st == TDAT_OK ? TDAT_E_NOT_FOUND : st;
}

/* Records of one CPU have numbers without gaps; those of notes may hold anything. */
static int64_t note_sequence(struct gtsc_reader *r, const struct blk_record *rec)
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

static void note_wall(struct gtsc_reader *r, const struct blk_record *rec)
{
	struct tdat_cursor c = tdat_cursor_init(rec->pdu.ptr, rec->pdu.len, 0, r->setup->big);
	uint32_t sec = tdat_cursor_u32(&c), nsec = tdat_cursor_u32(&c);

	if (r->wall.set || !tdat_cursor_ok(&c) || !(rec->categories & BLK_TC_NOTIFY) ||
	    rec->action != BLK_NOTIFY_TIMESTAMP || rec->time > INT64_MAX)
		return;
	r->wall.set = true;
	r->wall.offset_ns = (int64_t)sec * 1000000000 + nsec - (int64_t)rec->time;
}

/* The header at r->off; NULL with *st when there is none. */
static const uint8_t *header(struct gtsc_reader *r, unsigned int *version, enum tdat_status *st,
			     struct tdat_error *err)
{
	uint64_t left = r->chunk.end - r->off;
	bool big = r->setup->big;
	const uint8_t *p = gtsc_reader_get(r, left < 4 ? (size_t)left : 4, err);

	*st = r->relay.window.status;
	if (!p)
		return NULL;
	*version = blk_version((struct tdat_span){p, left < 4 ? (size_t)left : 4}, &big);
	*st = TDAT_OK;
	if (left >= 4 && ((*version != 7 && *version != 8) || big != r->setup->big)) {
		if (r->emit)
			*st = tdat_emit_warnf(r->emit, r->file->name, r->off, err,
					      "bad magic %08" PRIx32 " at %" PRIu64 ", stopping",
					      tdat_load32(p, r->setup->big), r->off);
	} else if (left < 4 || left < header_len(*version)) {
		if (r->emit)
			*st = tdat_emit_warnf(r->emit, r->file->name, r->off, err,
					      "%" PRIu64 " trailing bytes at %" PRIu64
					      " do not hold a record",
					      left, r->off);
	} else {
		p = gtsc_reader_get(r, header_len(*version), err);
		if (!p)
			*st = r->relay.window.status;
		return p;
	}
	*st = stop(r, *st);
	return NULL;
}

enum tdat_status blk_next(struct gtsc_reader *r, struct import_merge_record *out,
			  struct tdat_error *err)
{
	struct blk_record rec;
	unsigned int version;
	enum tdat_status st;
	const uint8_t *p;
	uint64_t left;
	size_t len;

	do {
		st = gtsc_reader_chunk(r, err);
		if (st != TDAT_OK)
			return st;
	} while (gtsc_reader_skip_zeros(r));
	p = header(r, &version, &st, err);
	if (!p)
		return st;
	len = pdu_len(version, r->setup->big, p);
	left = r->chunk.end - r->off - header_len(version);
	if (len > left) {
		if (r->emit)
			st = tdat_emit_warnf(r->emit, r->file->name, r->off, err,
					     "record at %" PRIu64 " wants %zu payload bytes, "
					     "%" PRIu64 " left",
					     r->off, len, left);
		return stop(r, st);
	}
	len += header_len(version);
	p = gtsc_reader_get(r, len, err);
	if (!p)
		return r->relay.window.status;
	out->data = (struct tdat_span){p, len};
	r->off += len;
	blk_decode(version, r->setup->big, out->data, &rec);
	out->key = rec.time > INT64_MAX ? INT64_MAX : (int64_t)rec.time;
	r->doubts.clamped += rec.time > INT64_MAX;
	if (rec.cpu <= GTSC_CPU_MAX)
		out->cpu = rec.cpu;
	out->lost_before = note_sequence(r, &rec);
	note_wall(r, &rec);
	return TDAT_OK;
}

uint32_t blk_probe(const struct tdat_import_input *inputs, size_t input_count)
{
	uint64_t bits = 0;

	for (size_t i = 0; i < input_count; i++) {
		uint8_t buf[LOOK_LEN];
		struct tdat_span s = gtsc_look(inputs[i].source, buf, sizeof(buf));
		bool big = false, order = false;
		unsigned int version = blk_version(s, &big);

		if (strstr(inputs[i].name, ".blktrace."))
			bits += 8;
		if (version)
			bits += MAGIC_BITS;
		while ((version == 7 || version == 8) && s.len >= header_len(version)) {
			size_t len = header_len(version) + pdu_len(version, big, s.ptr);

			bits += RECORD_BITS;
			if (len > s.len)
				break;
			s.ptr += len;
			s.len -= len;
			version = blk_version(s, &order);
			if (order != big)
				break;
		}
	}
	return bits > UINT32_MAX ? UINT32_MAX : (uint32_t)bits;
}
