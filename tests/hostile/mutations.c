/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Mutates files by a seed alone. */
#include "mutations.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tdat/tdat.h>

#include "mutate_dat.h"

const char *kind_name(enum kind kind)
{
	static const char *const names[] = {"bytes",  "structure", "numbers",
					    "mended", "blocks",	   "cut"};

	return names[kind];
}

uint64_t next_random(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15u;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return z ^ z >> 31;
}

size_t below(uint64_t *state, size_t n)
{
	return n ? (size_t)(next_random(state) % n) : 0;
}

/* ---- where the structure is ---- */

static void add_spot(struct original *o, uint64_t off, size_t len)
{
	if (off >= o->len)
		return;
	if (o->spot_count == o->spot_cap) {
		o->spot_cap = o->spot_cap ? o->spot_cap * 2 : 64;
		o->spots = realloc(o->spots, o->spot_cap * sizeof(*o->spots));
		if (!o->spots)
			die("realloc");
	}
	if (len > o->len - off)
		len = o->len - (size_t)off;
	o->spots[o->spot_count++] = (struct spot){(size_t)off, len};
}

static void find_spots(struct original *o)
{
	struct tdat_error err = TDAT_ERROR_INIT;
	const struct tdat_section *s;
	const struct tdat_file_option *opt;
	const struct tdat_buffer *b;
	struct tdat_file *file;
	size_t i, count;
	uint64_t off;
	uint32_t k;

	if (tdat_file_open_memory(&file, o->ptr, o->len, o->path, NULL, &err)) {
		fprintf(stderr, "%s\n", err.message);
		exit(2);
	}
	o->big = tdat_file_info(file)->big_endian;
	add_spot(o, 0, 64);
	s = tdat_file_sections(file, &count);
	for (i = 0; i < count; i++)
		add_spot(o, s[i].off, 40);
	opt = tdat_file_options(file, &count);
	for (i = 0; i < count; i++)
		add_spot(o, opt[i].off < 6 ? 0 : opt[i].off - 6, 6 + opt[i].data.len);
	b = tdat_file_buffers(file, &count);
	for (i = 0; i < count; i++) {
		add_spot(o, b[i].off, 64);
		for (k = 0; k < b[i].cpu_count; k++)
			for (off = 0; off < b[i].cpus[k].len; off += b[i].page_size)
				add_spot(o, b[i].cpus[k].off + off, 48);
	}
	tdat_file_close(file);
}

void original_load(struct original *o, const char *path)
{
	FILE *f = fopen(path, "rb");
	long len;

	memset(o, 0, sizeof(*o));
	o->path = path;
	if (!f || fseek(f, 0, SEEK_END) || (len = ftell(f)) <= 0)
		die(path);
	rewind(f);
	o->len = (size_t)len;
	o->ptr = malloc(o->len);
	if (!o->ptr || fread(o->ptr, 1, o->len, f) != o->len)
		die(path);
	fclose(f);
	find_spots(o);
}

/* ---- mutations ---- */

static void put_number(uint8_t *p, size_t size, uint64_t v, bool big)
{
	size_t i;

	for (i = 0; i < size; i++)
		p[big ? size - 1 - i : i] = (uint8_t)(v >> 8 * i);
}

static void mutate_structure(const struct original *o, uint8_t *p, uint64_t *r)
{
	const uint64_t numbers[] = {0,
				    1,
				    UINT64_MAX,
				    INT32_MAX,
				    (uint64_t)INT64_MAX,
				    1u << 31,
				    o->len,
				    o->len - 1,
				    4096,
				    65536,
				    next_random(r),
				    next_random(r) & 0xff,
				    next_random(r) & 0xffff};
	size_t n = 1 + below(r, 3);

	while (n--) {
		const struct spot *s = &o->spots[below(r, o->spot_count)];
		size_t size = (size_t)1 << below(r, 4);

		if (size > s->len)
			size = 1;
		put_number(p + s->off + below(r, s->len - size + 1), size,
			   numbers[below(r, sizeof(numbers) / sizeof(numbers[0]))], o->big);
	}
}

/* Returns the new length; p has room for twice the original. */
static size_t mutate_blocks(const struct original *o, uint8_t *p, uint64_t *r)
{
	size_t from = below(r, o->len), to = below(r, o->len);
	size_t most = o->len - (from > to ? from : to);
	size_t n = 1 + below(r, most < 8192 ? most : 8192);

	switch (below(r, 3)) {
	case 0: /* copied over another place */
		memmove(p + to, o->ptr + from, n);
		return o->len;
	case 1: /* removed */
		memmove(p + from, o->ptr + from + n, o->len - from - n);
		return o->len - n;
	default: /* doubled */
		memcpy(p + from + n, o->ptr + from, o->len - from);
		return o->len + n;
	}
}

/* Up to 4 bytes changed, sometimes some more or fewer of them. */
static size_t flip(uint8_t *data, size_t len, size_t max)
{
	uint64_t r = len; /* the place decides: a mutation depends on its seed alone */
	size_t i, n;

	for (i = 0; i < len; i++)
		r = r * 31 + data[i];
	n = below(&r, 4) ? 0 : below(&r, 9);
	for (i = 0; i < n && len < max; i++)
		data[len++] = (uint8_t)next_random(&r);
	for (n = 1 + below(&r, 4); n; n--)
		data[below(&r, len)] ^= (uint8_t)(1 + below(&r, 255));
	return below(&r, 8) ? len : 1 + below(&r, len);
}

size_t mutation_room(const struct original *o)
{
	return 2 * o->len;
}

size_t mutate(const struct original *o, uint8_t *p, enum kind kind, uint64_t *r)
{
	size_t n;

	memcpy(p, o->ptr, o->len);
	switch (kind) {
	case STRUCTURE:
		mutate_structure(o, p, r);
		return o->len;
	case NUMBERS:
		return fuzz_mutate_dat(p, o->len, mutation_room(o), next_random(r), FUZZ_NUMBERS,
				       flip);
	case MENDED:
		return fuzz_mutate_dat(p, o->len, mutation_room(o), next_random(r), FUZZ_BODIES,
				       flip);
	case BLOCKS:
		return mutate_blocks(o, p, r);
	case CUT:
		return below(r, o->len);
	default:
		for (n = 1 + below(r, 16); n; n--)
			p[below(r, o->len)] ^= (uint8_t)(1 + below(r, 255));
		return o->len;
	}
}

void original_free(struct original *o)
{
	free(o->ptr);
	free(o->spots);
}
