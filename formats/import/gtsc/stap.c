/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SystemTap bulk mode: {u32 sequence, u32 length} and text: spec section 6. */
#include <inttypes.h>

#include "core/cursor.h"
#include "gtsc.h"

enum { HEADER_LEN = 8, TEXT_PLAUSIBLE = 1 << 16 };

size_t gtsc_stap_score(struct tdat_span head, bool big, size_t *records)
{
	size_t off = 0;

	*records = 0;
	while (head.len - off >= HEADER_LEN) {
		uint32_t len = tdat_load32(head.ptr + off + 4, big);
		size_t left = head.len - off - HEADER_LEN;
		struct tdat_span text = {head.ptr + off + HEADER_LEN, len < left ? len : left};

		if (len > TEXT_PLAUSIBLE || gtsc_binary_percent(text) > 30)
			break;
		++*records;
		if (len > left)
			return head.len;
		off += HEADER_LEN + len;
	}
	return off;
}

/* Sequence numbers count for all CPUs together and wrap. */
static void unwrap(struct gtsc_reader *r, uint32_t seq)
{
	if (r->seq_known)
		r->key += (int32_t)(seq - r->last_seq);
	else
		r->key = seq;
	r->seq_known = true;
	r->last_seq = seq;
}

static enum tdat_status cut_record(struct gtsc_reader *r, uint64_t want, uint64_t left,
				   struct tdat_error *err)
{
	r->stopped = true;
	if (!r->emit) {
		r->off = r->chunk.end;
		return TDAT_E_NOT_FOUND;
	}
	enum tdat_status st =
		want ? tdat_emit_warnf(r->emit, r->file->name, r->off, err,
				       "record at %" PRIu64 " wants %" PRIu64
				       " payload bytes, %" PRIu64 " left",
				       r->off, want, left)
		     : tdat_emit_warnf(r->emit, r->file->name, r->off, err,
				       "%" PRIu64 " trailing bytes at %" PRIu64
				       " do not hold a record",
				       left, r->off);
	r->off = r->chunk.end;
	return st == TDAT_OK ? TDAT_E_NOT_FOUND : st;
}

enum tdat_status gtsc_stap_next(struct gtsc_reader *r, struct import_merge_record *out,
				struct tdat_error *err)
{
	enum tdat_status st;
	const uint8_t *p;
	uint64_t left;
	uint32_t len;

	do {
		st = gtsc_reader_chunk(r, err);
		if (st != TDAT_OK)
			return st;
	} while (gtsc_reader_skip_zeros(r));
	left = r->chunk.end - r->off;
	if (left < HEADER_LEN)
		return cut_record(r, 0, left, err);
	p = gtsc_reader_get(r, HEADER_LEN, err);
	if (!p)
		return r->relay.window.status;
	len = tdat_load32(p + 4, r->setup->big);
	left -= HEADER_LEN;
	if (len > left)
		return cut_record(r, len, left, err);
	unwrap(r, tdat_load32(p, r->setup->big));
	out->key = r->key;
	out->data.len = len < GTSC_TEXT_MAX ? len : GTSC_TEXT_MAX;
	r->doubts.cut += len > GTSC_TEXT_MAX;
	r->off += HEADER_LEN;
	out->data.ptr = gtsc_reader_get(r, out->data.len, err);
	if (!out->data.ptr)
		return r->relay.window.status;
	r->off += len;
	if (out->data.len && out->data.ptr[out->data.len - 1] == '\n')
		out->data.len--;
	return TDAT_OK;
}
