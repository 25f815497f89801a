/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Pads a record shorter than its format, so that it is read as if zeros followed, and fields
 * that are only partly there as 0. Fields that may be cut are listed when the program is
 * compiled, so that whole records cost one comparison. print_run.c calls it for short ones.
 */
#include <stdlib.h>
#include <string.h>

#include "core/search.h"
#include "print_prog.h"

static int by_off(const void *a, const void *b)
{
	const struct tdat_field *const *x = a, *const *y = b;

	return (*x)->off < (*y)->off ? -1 : (*x)->off > (*y)->off;
}

/*
 * Makes the pads from the fields, sorted by offset. A record that ends within several fields is
 * cleared from the first of them on, so that each field adds only the ends behind those of all
 * before it.
 */
static uint32_t make_pads(struct pad *pads, const struct tdat_field *const *fields, size_t count)
{
	uint32_t n = 0, done = 0;
	size_t i;

	for (i = 0; i < count; i++) {
		const uint32_t off = fields[i]->off, last = off + fields[i]->len - 1;
		const uint32_t first = off + 1 > done ? off + 1 : done;

		if (first > last)
			continue;
		pads[n++] = (struct pad){first, last, off};
		done = last + 1;
	}
	return n;
}

/* Single bytes are whole or missing, and arrays may be cut anywhere: neither needs a pad. */
bool prog_pads(struct print_prog *prog, const struct tdat_event_format *format)
{
	const struct tdat_field **fields = malloc((format->field_count + 1) * sizeof(*fields));
	struct pad *pads = tdat_arena_array(&prog->arena, format->field_count + 1, sizeof(*pads));
	size_t i, n = 0;

	if (!fields || !pads) {
		free(fields);
		return false;
	}
	for (i = 0; i < format->field_count; i++)
		if (format->fields[i].len > 1 && !(format->fields[i].flags & TDAT_FIELD_ARRAY))
			fields[n++] = &format->fields[i];
	qsort(fields, n, sizeof(*fields), by_off);
	prog->pad_count = make_pads(pads, fields, n);
	prog->pads = pads;
	prog->fixed_len = (uint32_t)format->fixed_len;
	free(fields);
	return true;
}

/* Returns the pad of records of that length, NULL: no field is cut there. */
static const struct pad *find(const struct print_prog *prog, size_t len)
{
	size_t i;

	TDAT_SEARCH(i, prog->pad_count, prog->pads[i].last < len);
	return i < prog->pad_count && prog->pads[i].first <= len ? &prog->pads[i] : NULL;
}

/*
 * Makes n zeros in the scratch. Only bytes that the record before left are cleared. False: no
 * memory.
 */
static bool clear(struct model_scratch *s, size_t n)
{
	struct tdat_build *pad = &s->pad;

	if (pad->len)
		memset(pad->ptr, 0, pad->len);
	pad->len = 0;
	if (n <= s->pad_zeros)
		return true;
	if (!tdat_build_room(pad, n))
		return false;
	memset(pad->ptr + s->pad_zeros, 0, n - s->pad_zeros);
	s->pad_zeros = n;
	return true;
}

/*
 * Copies the record in front of zeros, and lets r read the copy. Called for records that are
 * shorter than their format.
 */
bool prog_pad(const struct print_prog *prog, struct run *r, struct tdat_span record)
{
	struct tdat_build *pad = &r->scratch->pad;
	const struct pad *cut = find(prog, record.len);

	if (!clear(r->scratch, prog->fixed_len))
		return false;
	if (record.len)
		memcpy(pad->ptr, record.ptr, record.len);
	pad->len = record.len;
	if (cut)
		memset(pad->ptr + cut->off, 0, record.len - cut->off);
	r->data = pad->ptr;
	r->avail = prog->fixed_len;
	return true;
}
