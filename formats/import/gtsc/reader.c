/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* One file's records, whatever their kind. */
#include <inttypes.h>

#include "gtsc.h"

void gtsc_reader_init(struct gtsc_reader *r, const struct gtsc_setup *setup,
		      const struct gtsc_file *file, size_t window_len,
		      const struct tdat_emit *emit)
{
	*r = (struct gtsc_reader){
		.setup = setup, .file = file, .emit = emit, .window_len = window_len};
	tdat_build_init(&r->text, setup->big);
	tdat_build_init(&r->next, setup->big);
	gtsc_relay_init(&r->relay, &setup->geometry, setup->big, file, window_len, emit);
	r->relay.keep_zeros = setup->kind != GTSC_TEXT;
}

void gtsc_reader_fini(struct gtsc_reader *r)
{
	gtsc_relay_fini(&r->relay);
	tdat_build_fini(&r->text);
	tdat_build_fini(&r->next);
}

enum tdat_status gtsc_reader_chunk(struct gtsc_reader *r, struct tdat_error *err)
{
	while (r->off == r->chunk.end) {
		enum tdat_status st;

		if (r->stopped)
			return TDAT_E_NOT_FOUND;
		st = gtsc_relay_next(&r->relay, &r->chunk, err);
		if (st != TDAT_OK)
			return st;
		r->off = r->chunk.off;
	}
	return TDAT_OK;
}

const uint8_t *gtsc_reader_get(struct gtsc_reader *r, size_t len, struct tdat_error *err)
{
	return import_window_get(&r->relay.window, r->off, len, err);
}

bool gtsc_reader_skip_zeros(struct gtsc_reader *r)
{
	enum { BLOCK = 4096 };

	if (!r->setup->geometry.sub_len)
		return false;
	for (uint64_t off = r->off; off < r->chunk.end;) {
		size_t n = r->chunk.end - off < BLOCK ? (size_t)(r->chunk.end - off) : BLOCK;
		const uint8_t *p = import_window_get(&r->relay.window, off, n, NULL);

		for (size_t i = 0; p && i < n; i++)
			if (p[i])
				return false;
		if (!p)
			return false;
		off += n;
	}
	r->off = r->chunk.end;
	return true;
}

static enum tdat_status next(void *ctx, struct import_merge_record *out, struct tdat_error *err)
{
	struct gtsc_reader *r = ctx;
	enum tdat_status st;

	out->cpu = r->file->cpu;
	out->lost_before = 0;
	switch (r->setup->kind) {
	case GTSC_STAP:
		st = gtsc_stap_next(r, out, err);
		break;
	case GTSC_BLK:
		st = blk_next(r, out, err);
		break;
	case GTSC_RECORD:
		st = gtsc_record_next(r, out, err);
		break;
	default:
		st = gtsc_text_next(r, out, err);
	}
	if (st == TDAT_OK)
		r->records++;
	return st;
}

/* The second pass is quiet: all was told in the first. */
static void rewind_reader(void *ctx)
{
	struct gtsc_reader *r = ctx;

	r->emit = NULL;
	r->relay.emit = NULL;
	r->relay.next = 0;
	import_window_rewind(&r->relay.window);
	r->chunk = (struct gtsc_chunk){0, 0};
	r->off = 0;
	r->stopped = false;
	r->records = 0;
	r->have_next = false;
	r->seq_known = false;
	r->key = 0;
	r->missing_seq = 0;
	r->doubts = (struct gtsc_doubts){0};
}

struct import_merge_stream gtsc_reader_stream(struct gtsc_reader *r)
{
	return (struct import_merge_stream){r, next, rewind_reader};
}

enum tdat_status gtsc_reader_tell(struct gtsc_reader *r, struct tdat_error *err)
{
	const struct gtsc_doubts *d = &r->doubts;
	const struct {
		uint64_t n;
		const char *sentence;
	} rows[] = {
		{d->leading, "lines before the first timestamp kept at the time of the first "
			     "stamped record"},
		{d->unstamped, r->setup->stamped
				       ? "lines of a file without timestamps kept at time 0"
				       : "lines without timestamps numbered in their order"},
		{d->continuation, "continuation lines joined to the record before them"},
		{d->cut, "records longer than 4000 bytes cut"},
		{d->nuls, "NUL bytes left out"},
		{d->behind_nul, "bytes behind a NUL in their sub-buffer left out"},
		{d->clamped, "times larger than 64 bits can tell cut to the largest"},
	};
	enum tdat_status st = TDAT_OK;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]) && st == TDAT_OK; i++)
		if (rows[i].n)
			st = tdat_emit_warnf(r->emit, r->file->name, TDAT_NO_OFFSET, err,
					     "%" PRIu64 " %s", rows[i].n, rows[i].sentence);
	return st;
}
