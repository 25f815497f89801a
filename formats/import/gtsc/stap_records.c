/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads SystemTap's bulk mode: {u32 sequence, u32 length} and text: docs/formats/gtsc.md §6.
 * Sequence numbers count for all CPUs together and wrap, so they are unwrapped to an order. A
 * record that is cut ends its file with a warning; zeros between records are a hole and are
 * counted.
 */
#include "gtsc.h"

#include <inttypes.h>

#include "core/endian.h"

/* Counts of one file, for its warnings. */
struct stap_state {
	uint64_t cut;
	uint64_t zeros; /* bytes that hold no records */
};

/* TEXT_PLAUSIBLE: bytes of a text above which the guess gives up. */
enum { HEADER_LEN = 8, TEXT_PLAUSIBLE = 1 << 16 };

/*
 * Bytes from the start that SystemTap's records explain in a byte order. A last record that is cut
 * by the head counts whole.
 */
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

/* Guesses the byte order; -1: both fit alike. */
int gtsc_stap_guess_big(struct tdat_span head)
{
	size_t n, little = gtsc_stap_score(head, false, &n), big = gtsc_stap_score(head, true, &n);

	return little == big ? -1 : big > little;
}

/* Widens the sequence number, which counts over all CPUs and wraps at 2^32. */
static void unwrap(struct relay_reader *r, uint32_t seq)
{
	if (r->seq_known)
		r->key += (int32_t)(seq - r->last_seq);
	else
		r->key = seq;
	r->seq_known = true;
	r->last_seq = seq;
}

/* Warns of the end of a file that was cut within a header (want 0) or a text. */
static enum tdat_status cut_record(struct relay_reader *r, uint64_t want, uint64_t left,
				   struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;

	if (r->emit && want)
		st = tdat_emit_warnf(r->emit, r->file->name, r->off, err,
				     "record at %" PRIu64 " wants %" PRIu64
				     " payload bytes, %" PRIu64 " left",
				     r->off, want, left);
	else if (r->emit)
		st = tdat_emit_warnf(r->emit, r->file->name, r->off, err,
				     "%" PRIu64 " trailing bytes at %" PRIu64
				     " do not hold a record",
				     left, r->off);
	return relay_reader_stop(r, st);
}

/*
 * Passes a run of zeros in steps of a header. SystemTap writes no record without a number and a
 * text: zeros are a hole, or the unwritten end of the file.
 */
static enum tdat_status pass_zeros(struct relay_reader *r, struct tdat_error *err)
{
	const uint64_t begin = r->off;
	struct stap_state *t = r->own;

	while (r->chunk.end - r->off >= HEADER_LEN) {
		const uint64_t data =
			tdat_source_skip_hole(r->subbufs.window.source, r->off, r->chunk.end);
		const uint8_t *p;

		/* Skip a hole of a sparse file, but keep in step with headers. */
		r->off += (data - r->off) / HEADER_LEN * HEADER_LEN;
		if (r->chunk.end - r->off < HEADER_LEN)
			break;
		p = relay_reader_get(r, HEADER_LEN, err);
		if (!p)
			return relay_reader_status(r);
		if (tdat_load64(p, r->setup->big))
			break;
		r->off += HEADER_LEN;
	}
	t->zeros += r->off - begin;
	return TDAT_OK;
}

/* Next record of the file; its text loses the line end, which an event does not have. */
static enum tdat_status stap_next(struct relay_reader *r, struct import_merge_record *out,
				  struct tdat_error *err)
{
	struct stap_state *t = r->own;
	enum tdat_status st;
	const uint8_t *p;
	uint64_t left;
	uint32_t len;

	do {
		st = relay_reader_chunk(r, err);
		if (st != TDAT_OK)
			return st;
		if (relay_reader_skip_zeros(r))
			continue;
		st = pass_zeros(r, err);
		if (st != TDAT_OK)
			return st;
	} while (r->off == r->chunk.end);
	left = r->chunk.end - r->off;
	if (left < HEADER_LEN)
		return cut_record(r, 0, left, err);
	p = relay_reader_get(r, HEADER_LEN, err);
	if (!p)
		return relay_reader_status(r);
	len = tdat_load32(p + 4, r->setup->big);
	left -= HEADER_LEN;
	if (len > left)
		return cut_record(r, len, left, err);
	unwrap(r, tdat_load32(p, r->setup->big));
	out->key = r->key;
	/* Longer texts are cut to what an event can hold; the rest is passed below. */
	out->data.len = len < RELAY_PAYLOAD_MAX ? len : RELAY_PAYLOAD_MAX;
	t->cut += len > RELAY_PAYLOAD_MAX;
	r->off += HEADER_LEN;
	out->data.ptr = relay_reader_get(r, out->data.len, err);
	if (!out->data.ptr)
		return relay_reader_status(r);
	r->off += len;
	if (out->data.len && out->data.ptr[out->data.len - 1] == '\n')
		out->data.len--;
	return TDAT_OK;
}

static void stap_rewind(struct relay_reader *r)
{
	struct stap_state *t = r->own;

	t->cut = 0;
	t->zeros = 0;
}

/* Warns of what was cut or left out in a file. */
static enum tdat_status stap_warn(struct relay_reader *r, struct tdat_error *err)
{
	const struct stap_state *t = r->own;
	enum tdat_status st = TDAT_OK;

	if (t->zeros)
		st = tdat_emit_warnf(r->emit, r->file->name, TDAT_NO_OFFSET, err,
				     "%" PRIu64 " zero bytes between records omitted", t->zeros);
	if (st != TDAT_OK || !t->cut)
		return st;
	return tdat_emit_warnf(r->emit, r->file->name, TDAT_NO_OFFSET, err,
			       "%" PRIu64 " records longer than 4000 bytes cut", t->cut);
}

/* Sequence numbers only order the records. */
static const char *stap_clock(const struct relay_setup *s)
{
	(void)s;
	return "counter";
}

const struct relay_kind gtsc_stap_kind = {
	.importer = "gtsc",
	.own_len = sizeof(struct stap_state),
	.keep_zeros = true,
	.by_cpu = true,
	.next = stap_next,
	.rewind = stap_rewind,
	.warn = stap_warn,
	.clock = stap_clock,
	.begin = gtsc_text_begin,
	.record = gtsc_text_record,
	.close_output = gtsc_text_close_output,
};
