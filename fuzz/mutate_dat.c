/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Mutates a trace.dat and keeps its structure, or changes one number of the structure. */
#include "mutate_dat.h"

#include <string.h>

#include "core/codec.h"
#include "core/endian.h"
#include "trace.h"

enum { FIELDS_MOST = 1024, PIECE_MOST = 4096 };

/* A number of the file that tells of other bytes of it. */
struct field {
	size_t off;
	uint8_t width;
	bool is_offset;	 /* else the size of what it covers */
	size_t from, to; /* covered; of an offset: from is its value */
};

/* Bytes that are stored compressed: their two sizes lie before them. */
struct packed {
	size_t off, in_len, out_len;
};

struct dat {
	uint8_t *data;
	size_t len, max;
	uint64_t rnd;
	fuzz_blind_fn blind;
	int wanted;
	struct tdat_file *file;
	const struct tdat_file_info *info;
	bool big;
	struct field fields[FIELDS_MOST];
	size_t field_count;
	struct packed packed[FIELDS_MOST];
	size_t packed_count;
};

static uint64_t next_random(struct dat *d)
{
	uint64_t z = d->rnd += 0x9e3779b97f4a7c15u;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return z ^ z >> 31;
}

static size_t below(struct dat *d, size_t n)
{
	return n ? (size_t)(next_random(d) % n) : 0;
}

static void put(struct dat *d, size_t off, size_t width, uint64_t v)
{
	size_t i;

	for (i = 0; i < width && off + i < d->len; i++)
		d->data[off + (d->big ? width - 1 - i : i)] = (uint8_t)(v >> 8 * i);
}

/* ---- where the numbers are ---- */

static void add_size(struct dat *d, size_t off, uint8_t width, uint64_t from, uint64_t len)
{
	if (d->field_count < FIELDS_MOST && off < d->len && d->len - off >= width &&
	    from <= d->len && len <= d->len - from)
		d->fields[d->field_count++] =
			(struct field){off, width, false, (size_t)from, (size_t)(from + len)};
}

static void add_offset(struct dat *d, size_t off)
{
	uint64_t v;

	if (d->field_count == FIELDS_MOST || off >= d->len || d->len - off < 8)
		return;
	v = tdat_load64(d->data + off, d->big);
	if (v && v <= d->len)
		d->fields[d->field_count++] = (struct field){off, 8, true, (size_t)v, (size_t)v};
}

static void add_packed(struct dat *d, size_t off)
{
	struct packed p = {off + 8, 0, 0};

	if (d->packed_count == FIELDS_MOST || off > d->len || d->len - off < 8)
		return;
	p.in_len = tdat_load32(d->data + off, d->big);
	p.out_len = tdat_load32(d->data + off + 4, d->big);
	if (p.in_len > d->len - p.off || p.out_len > 1u << 20)
		return;
	d->packed[d->packed_count++] = p;
	add_size(d, off, 4, p.off, p.in_len);
}

/* Text that the file lends us, with its size before it. */
static void add_text(struct dat *d, struct tdat_span s, uint8_t width)
{
	uintptr_t at = (uintptr_t)s.ptr, base = (uintptr_t)d->data;

	if (s.ptr && at >= base + width && at - base <= d->len)
		add_size(d, at - base - width, width, at - base, s.len);
}

static void find_texts(struct dat *d)
{
	static const struct {
		enum tdat_part part;
		uint8_t width;
	} parts[] = {{TDAT_PART_HEADER_PAGE, 8},
		     {TDAT_PART_HEADER_EVENT, 8},
		     {TDAT_PART_KALLSYMS, 4},
		     {TDAT_PART_PRINTK, 4},
		     {TDAT_PART_CMDLINES, 8}};
	const char *system;
	size_t i;

	for (i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		add_text(d, tdat_file_part(d->file, parts[i].part), parts[i].width);
	for (i = 0; i < tdat_file_format_count(d->file); i++)
		add_text(d, tdat_file_format_text(d->file, i, &system), 8);
}

static void find_sections(struct dat *d)
{
	const struct tdat_section *s;
	size_t i, count, at = 18;

	s = tdat_file_sections(d->file, &count);
	if (d->info->version < 7)
		return;
	for (i = 0; i < 2 && at < d->len; i++) /* algorithm, its version */
		at += strnlen((const char *)d->data + at, d->len - at) + 1;
	add_offset(d, at);
	for (i = 0; i < count; i++) {
		add_size(d, s[i].off + 8, 8, s[i].body_off, s[i].body_len);
		if (s[i].compressed && s[i].id != TDAT_OPTION_BUFFER)
			add_packed(d, s[i].body_off);
	}
}

static void find_options(struct dat *d)
{
	const struct tdat_file_option *o;
	size_t i, count;

	o = tdat_file_options(d->file, &count);
	for (i = 0; i < count; i++) {
		if (o[i].off < 6 || o[i].off > d->len)
			continue;
		add_size(d, o[i].off - 4, 4, o[i].off, o[i].data.len);
		if (o[i].id == TDAT_OPTION_BUFFER || o[i].id == TDAT_OPTION_BUFFER_TEXT ||
		    (d->info->version >= 7 && o[i].data.len == 8 &&
		     (o[i].id == TDAT_OPTION_DONE || o[i].id >= TDAT_OPTION_HEADER_INFO)))
			add_offset(d, o[i].off);
	}
}

static void add_entry(struct dat *d, size_t at, const struct tdat_cpu *cpu)
{
	add_offset(d, at);
	add_size(d, at + 8, 8, cpu->off, cpu->len);
}

/* The entries of version 7 lie behind the names in option BUFFER. */
static void find_entries(struct dat *d, const struct tdat_buffer *b)
{
	const struct tdat_file_option *o;
	size_t i, count;
	uint32_t k;

	o = tdat_file_options(d->file, &count);
	for (k = 0; d->info->version < 7 && k < b->cpu_count; k++)
		add_entry(d, b->off + 10 + 16 * (size_t)k, &b->cpus[k]);
	for (i = 0; d->info->version >= 7 && i < count; i++)
		if (o[i].id == TDAT_OPTION_BUFFER && o[i].data.len >= 8 + 20 * b->cpu_count &&
		    tdat_load64(o[i].data.ptr, d->big) == b->off)
			for (k = 0; k < b->cpu_count; k++)
				add_entry(d, o[i].off + o[i].data.len - 16 - 20 * (size_t)k,
					  &b->cpus[b->cpu_count - 1 - k]);
}

static void find_chunks(struct dat *d, const struct tdat_cpu *cpu)
{
	size_t at = cpu->off, end = cpu->off + cpu->len;

	for (at += 4; at < end && end - at > 8 && end <= d->len;) {
		size_t before = d->packed_count;

		add_packed(d, at);
		if (d->packed_count == before)
			return;
		at += 8 + d->packed[before].in_len;
	}
}

static void find_buffers(struct dat *d)
{
	const struct tdat_buffer *b;
	size_t i, count;
	uint32_t k;

	b = tdat_file_buffers(d->file, &count);
	for (i = 0; i < count; i++) {
		find_entries(d, &b[i]);
		for (k = 0; b[i].compressed && k < b[i].cpu_count; k++)
			if (b[i].cpus[k].len)
				find_chunks(d, &b[i].cpus[k]);
	}
}

/* ---- changing bytes and mending what tells of them ---- */

/* n bytes at off become those of piece; every number is mended. */
static bool splice(struct dat *d, size_t off, size_t n, const uint8_t *piece, size_t len)
{
	size_t grown = d->len - n + len, i;

	if (grown > d->max)
		return false;
	memmove(d->data + off + len, d->data + off + n, d->len - off - n);
	memcpy(d->data + off, piece, len);
	d->len = grown;
	for (i = 0; i < d->field_count; i++) {
		struct field *f = &d->fields[i];

		if (f->off >= off + n)
			f->off = f->off - n + len;
		if (f->is_offset && f->from > off)
			put(d, f->off, f->width, f->from - n + len);
		else if (!f->is_offset && f->from <= off && off + n <= f->to)
			put(d, f->off, f->width, f->to - f->from - n + len);
	}
	return true;
}

/* A part of [from, to), up to PIECE_MOST bytes, changed by the fuzzer. */
static bool change_piece(struct dat *d, size_t from, size_t to)
{
	uint8_t piece[2 * PIECE_MOST];
	size_t n = to - from, off = from, len;

	if (n > 256 && below(d, 4)) {
		off = from + below(d, n - 64);
		n = 16 + below(d, 48);
	}
	if (n > PIECE_MOST)
		n = PIECE_MOST;
	memcpy(piece, d->data + off, n);
	if (!n)
		piece[0] = 0;
	len = d->blind(piece, n ? n : 1, n < PIECE_MOST / 2 ? n + 64 : 2 * n);
	return splice(d, off, n, piece, len);
}

static bool change_body(struct dat *d)
{
	const struct field *f;

	if (!d->field_count)
		return false;
	f = &d->fields[below(d, d->field_count)];
	return !f->is_offset && change_piece(d, f->from, f->to);
}

static bool change_number(struct dat *d)
{
	const struct field *f, *other;
	const uint64_t numbers[] = {0,
				    1,
				    UINT64_MAX,
				    INT32_MAX,
				    1u << 31,
				    d->len,
				    d->len - 1,
				    4096,
				    next_random(d) & 0xff,
				    next_random(d) & 0xffff};
	uint64_t v;

	if (!d->field_count)
		return false;
	f = &d->fields[below(d, d->field_count)];
	other = &d->fields[below(d, d->field_count)];
	v = f->is_offset ? f->from : f->to - f->from;
	switch (below(d, 4)) {
	case 0:
		v = numbers[below(d, sizeof(numbers) / sizeof(numbers[0]))];
		break;
	case 1:
		v += below(d, 33) - 16;
		break;
	case 2:
		v ^= 1ull << below(d, 8u * f->width);
		break;
	default: /* what another one tells: loops, overlaps */
		v = other->is_offset ? other->from : other->to - other->from;
	}
	put(d, f->off, f->width, v);
	return true;
}

/* ---- pages ---- */

/* A page's records changed and its commit mended; or its head changed. */
static void change_page(struct dat *d, uint8_t *page, size_t len)
{
	size_t wide = d->info->kernel_long_size, head = 8 + wide, commit, i;
	uint64_t word;

	if (len <= head)
		return;
	word = tdat_load_uint(page + 8, wide, d->big);
	commit = word & 0x07ffffff;
	if (commit > len - head)
		commit = len - head;
	switch (below(d, 4)) {
	case 0: /* flags of lost events */
		word ^= (uint64_t)(1 + below(d, 3)) << 30;
		break;
	case 1: /* its time */
		page[below(d, 8)] ^= (uint8_t)(1 + below(d, 255));
		break;
	case 2: /* one record header */
		if (commit >= 4)
			page[head + 4 * below(d, commit / 4) + (d->big ? 0 : 3 * below(d, 2))] ^=
				(uint8_t)(1 + below(d, 255));
		break;
	default:
		commit = d->blind(page + head, commit ? commit : 1, len - head);
		word = (word & ~0x07ffffffull) | commit;
	}
	for (i = 0; i < wide; i++)
		page[8 + (d->big ? wide - 1 - i : i)] = (uint8_t)(word >> 8 * i);
}

static bool change_plain_page(struct dat *d)
{
	const struct tdat_buffer *b;
	const struct tdat_cpu *cpu;
	size_t count, off, len;

	b = tdat_file_buffers(d->file, &count);
	if (!count)
		return false;
	b += below(d, count);
	if (!b->cpu_count || b->compressed)
		return false;
	cpu = &b->cpus[below(d, b->cpu_count)];
	if (!cpu->len || cpu->off > d->len || cpu->len > d->len - cpu->off)
		return false;
	off = below(d, (cpu->len + b->page_size - 1) / b->page_size) * b->page_size;
	len = cpu->len - off < b->page_size ? cpu->len - off : b->page_size;
	change_page(d, d->data + cpu->off + off, len);
	return true;
}

/* ---- compressed bytes ---- */

static bool change_packed(struct dat *d)
{
	const struct tdat_codec *codec = tdat_codec_find(d->info->compression);
	uint8_t *out, *in;
	size_t in_len, out_len, room, page = d->info->page_size;
	struct packed p;
	const char *why;
	bool ok;

	if (!codec || !d->packed_count)
		return false;
	p = d->packed[below(d, d->packed_count)];
	room = 2 * p.out_len + 64;
	in_len = codec->bound(room);
	out = malloc(room);
	in = malloc(in_len);
	ok = out && in && !codec->inflate(NULL, d->data + p.off, p.in_len, out, p.out_len, &why);
	if (ok) {
		out_len = p.out_len;
		if (below(d, 2) && page >= 64 && out_len >= page && out_len % page == 0)
			change_page(d, out + page * below(d, out_len / page), page);
		else
			out_len = d->blind(out, out_len ? out_len : 1, room);
		ok = !codec->deflate(NULL, out, out_len, in, &in_len, 1, &why);
	}
	if (ok) {
		put(d, p.off - 4, 4, out_len);
		ok = splice(d, p.off, p.in_len, in, in_len);
	}
	free(out);
	free(in);
	return ok;
}

static bool change_one(struct dat *d)
{
	size_t which = d->wanted == FUZZ_NUMBERS  ? 0
		       : d->wanted == FUZZ_BODIES ? 2 + below(d, 6)
						  : below(d, 8);

	switch (which) {
	case 0:
	case 1:
		return change_number(d);
	case 2:
	case 3:
		return change_body(d);
	case 4:
	case 5:
		return change_packed(d) || change_plain_page(d);
	default:
		return change_plain_page(d) || change_packed(d);
	}
}

size_t fuzz_mutate_dat(uint8_t *data, size_t len, size_t max, uint64_t seed, int wanted,
		       fuzz_blind_fn blind)
{
	struct tdat_open_opts opts = fuzz_open_opts(true);
	struct tdat_error err = TDAT_ERROR_INIT;
	struct dat *d = calloc(1, sizeof(*d));
	unsigned int tries = 4;
	bool done = false;

	FUZZ_ASSERT(d);
	*d = (struct dat){.data = data,
			  .len = len,
			  .max = max,
			  .rnd = seed,
			  .blind = blind,
			  .wanted = wanted};
	if ((wanted != FUZZ_ALL || below(d, 8)) &&
	    tdat_file_open_memory(&d->file, data, len, "mutate", &opts, &err) == TDAT_OK) {
		d->info = tdat_file_info(d->file);
		d->big = d->info->big_endian;
		find_texts(d);
		find_sections(d);
		find_options(d);
		find_buffers(d);
		while (!done && tries--)
			done = change_one(d);
		len = d->len;
		tdat_file_close(d->file);
	}
	free(d);
	return done ? len : blind(data, len, max);
}
