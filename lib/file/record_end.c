/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tells the pages of a file where the fields of their records end, by the file's formats. */
#include "file.h"

#include "model/record_end.h"

/* Words of the longest record without a length word: no record without one is longer. */
enum { WORDS_MOST = 28 };

/* How many bytes of a record may lie behind that end, aligned to a word. */
static uint32_t spare_of(const struct tdat_format *format, uint32_t end)
{
	const enum model_end_kind kind = format->end.kind;

	if (format->end.spare || (kind != MODEL_END_FIXED && kind != MODEL_END_LOCS))
		return format->end.spare;
	return dat_record_room((uint32_t)format->fixed_len, end) - ((end + 3) & ~3u);
}

/* How many bytes every record of an event has at least: up to the last field, if that varies. */
static uint32_t least_of(const struct tdat_format *format)
{
	const enum model_end_kind kind = format->end.kind;
	const size_t len = kind == MODEL_END_FIXED || kind == MODEL_END_LOCS
				   ? format->fixed_len
				   : format->fields[format->field_count - 1].off;

	return kind == MODEL_END_UNKNOWN ? 0 : len < UINT32_MAX ? (uint32_t)len : UINT32_MAX;
}

/* The hint for an event with nothing but fixed fields. */
static uint16_t hint_of_fixed(const struct tdat_format *format)
{
	const uint32_t end = (uint32_t)format->fixed_len, least = (end + 3) & ~3u;

	/* Records without a length word are too short, all of them. */
	if (format->fixed_len > 4 * WORDS_MOST)
		return 0;
	return DAT_LEN_HINT(least / 4, (least + spare_of(format, end)) / 4);
}

uint16_t file_record_hint(const struct tdat_format *format)
{
	const struct model_end *end = format ? &format->end : NULL;
	const struct tdat_field *loc;

	if (!end || !end->tells || end->kind == MODEL_END_UNKNOWN)
		return DAT_LEN_HINT(0, WORDS_MOST);
	if (end->kind == MODEL_END_FIXED)
		return hint_of_fixed(format);
	/* The least record that can be hidden has three words. */
	if (end->kind == MODEL_END_BPRINT && format->fixed_len / 4 + 2 <= WORDS_MOST)
		return DAT_LEN_HINT((least_of(format) + 3) / 4, format->fixed_len / 4 + 2);
	if (end->kind != MODEL_END_LOCS || end->loc_count != 1)
		return 0;
	loc = &format->fields[end->locs[0]];
	/* The array lies behind all fields if it does behind the last one. */
	if (loc->flags & TDAT_FIELD_RELATIVE || loc->len != 4 || loc->off + 4 > UINT8_MAX ||
	    format->fixed_len != loc->off + 4)
		return 0;
	return DAT_LOC_HINT(loc->off);
}

bool file_record_asks_printk(const struct tdat_format *format)
{
	return format && format->end.kind == MODEL_END_BPRINT;
}

bool file_record_end(const struct tdat_format *format, const struct model_printk *printk,
		     const uint8_t *record, uint32_t len, struct dat_record_end *end)
{
	if (!format || !format->end.tells)
		return false;
	end->off = model_record_end(format, printk, record, len);
	end->spare = end->off ? spare_of(format, end->off) : 0;
	end->least = least_of(format);
	end->alike = format->end.kind == MODEL_END_FIXED;
	return true;
}

static bool find_end(const void *ctx, uint32_t id, const uint8_t *record, uint32_t len,
		     struct dat_record_end *end)
{
	struct tdat_file *f = (struct tdat_file *)ctx;
	const struct model_printk *printk = NULL;
	bool known;
	const struct tdat_format *format = file_format_quiet(f, id, &known);

	if (known)
		atomic_store_explicit(&f->ends.hints[id], file_record_hint(format),
				      memory_order_relaxed);
	if (file_record_asks_printk(format))
		printk = file_printk(f);
	return file_record_end(format, printk, record, len, end);
}

void file_record_ends_init(struct tdat_file *f)
{
	f->ends.find = find_end;
	f->ends.ctx = f;
	f->layout.ends = &f->ends;
}
