/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Names of addresses. The tables of lib/model find what trace-cmd prints, which knows no sizes
 * and leaves out some symbols; the kernel prints the first symbol of an address in its own
 * order, and a size that ends at the next different address. The table is parsed once, when the
 * first address is printed, sorted by address with the order of lines kept for equal ones, and
 * searched by halves. A line of another shape is skipped.
 */
#include "symbols.h"

#include <stdio.h>
#include <stdlib.h>

#include "core/search.h"
#include "core/grow.h"
#include "core/text.h"

struct sym {
	uint64_t addr;
	uint32_t off; /* of its line in the text, which keeps the order of equal addresses */
	uint32_t name_off, name_len;
	uint32_t module_off, module_len;
};

struct hist_syms {
	struct tdat_span text;
	struct sym *v;
	size_t count, room;
};

/* Parses "ffffffff81000000 t name\t[module]" from at to end. False: the line has another shape. */
static bool parse_line(const uint8_t *text, size_t at, size_t end, struct sym *s)
{
	struct tdat_span line = {text + at, end - at};
	size_t i;

	memset(s, 0, sizeof(*s));
	/* 16 digits are 64 bits; a 17th shows that the line is not a symbol. */
	i = at + tdat_take_digits(&line, 16, &s->addr);
	if (i == at || i - at > 16 || end - i < 4 || text[i] != ' ' || text[i + 2] != ' ')
		return false;
	s->off = (uint32_t)at;
	i += 3;
	s->name_off = (uint32_t)i;
	while (i < end && text[i] != '\t' && text[i] != ' ')
		i++;
	s->name_len = (uint32_t)i - s->name_off;
	while (i < end && (text[i] == '\t' || text[i] == ' '))
		i++;
	s->module_off = (uint32_t)i;
	s->module_len = (uint32_t)(end - i);
	return s->name_len;
}

static int by_addr(const void *a, const void *b)
{
	const struct sym *x = a, *y = b;

	/* Equal addresses keep the order of their lines: the kernel prints the first. */
	return TDAT_ORDER(x->addr, y->addr, TDAT_ORDER(x->off, y->off, 0));
}

static bool read_all(struct hist_syms *s)
{
	struct tdat_span text = s->text, line;
	struct sym one;

	while (tdat_take_line(&text, &line)) {
		const size_t at = (size_t)(line.ptr - s->text.ptr);

		if (!parse_line(s->text.ptr, at, at + line.len, &one))
			continue;
		if (!TDAT_GROW(s->v, &s->room, s->count + 1))
			return false;
		s->v[s->count++] = one;
	}
	if (s->count)
		qsort(s->v, s->count, sizeof(*s->v), by_addr);
	return true;
}

/* Parses the table on first use. NULL: no memory. */
static const struct hist_syms *syms_of(struct tdat_hist *h)
{
	struct hist_syms *s = h->syms;

	if (s)
		return s;
	s = calloc(1, sizeof(*s));
	if (!s) {
		h->nomem = true;
		return NULL;
	}
	h->syms = s;
	s->text = tdat_file_part(h->file, TDAT_PART_KALLSYMS);
	/* Offsets have 32 bits. */
	if (s->text.len >= UINT32_MAX)
		s->text.len = 0;
	if (!read_all(s))
		h->nomem = true;
	if (!s->count)
		hist_note(h, "the file has no symbols: addresses have no names");
	return s;
}

void hist_syms_free(struct hist_syms *s)
{
	if (!s)
		return;
	free(s->v);
	free(s);
}

/*
 * Returns the first symbol at the highest address up to addr. *next: the next different address,
 * which ends the symbol's size.
 */
static const struct sym *find(const struct hist_syms *s, uint64_t addr, uint64_t *next)
{
	size_t lo, first;

	TDAT_SEARCH(lo, s->count, s->v[lo].addr <= addr);
	if (!lo)
		return NULL;
	*next = lo < s->count ? s->v[lo].addr : s->v[lo - 1].addr;
	/* Symbols of one address lie together: the first of them. */
	TDAT_SEARCH(first, lo - 1, s->v[first].addr < s->v[lo - 1].addr);
	return &s->v[first];
}

void hist_syms_put(struct tdat_hist *h, struct tdat_build *out, uint64_t addr, bool offset,
		   size_t width)
{
	const struct hist_syms *s = syms_of(h);
	const size_t start = out->len;
	const struct sym *sym = NULL;
	uint64_t next = 0;

	if (s)
		sym = find(s, addr, &next);
	if (sym) {
		const char *text = (const char *)s->text.ptr;

		tdat_build_bytes(out, text + sym->name_off, sym->name_len);
		if (offset)
			tdat_build_printf(out, "+0x%llx/0x%llx",
					  /*
					   * next is the symbol's own address if it is the last: its
					   * size is then unknown and printed as 0.
					   */
					  (unsigned long long)(addr - sym->addr),
					  (unsigned long long)(next - sym->addr));
		if (sym->module_len) {
			tdat_build_str(out, " ");
			tdat_build_bytes(out, text + sym->module_off, sym->module_len);
		}
	} else {
		tdat_build_printf(out, "0x%llx", (unsigned long long)addr);
	}
	hist_pad(out, start, width);
}

bool hist_syms_addr(struct tdat_hist *h, struct tdat_span name, uint64_t *addr)
{
	const struct hist_syms *s = syms_of(h);
	const struct sym *best = NULL;

	/* The first line of the name wins: that is the kernel's order. */
	for (size_t i = 0; s && i < s->count; i++)
		if (s->v[i].name_len == name.len &&
		    !memcmp(s->text.ptr + s->v[i].name_off, name.ptr, name.len) &&
		    (!best || s->v[i].off < best->off))
			best = &s->v[i];
	*addr = best ? best->addr : 0;
	return best;
}

bool hist_syms_bounds(struct tdat_hist *h, uint64_t addr, uint64_t *start, uint64_t *end)
{
	const struct hist_syms *s = syms_of(h);
	uint64_t next = 0;
	const struct sym *sym = s ? find(s, addr, &next) : NULL;

	if (!sym)
		return false;
	*start = sym->addr;
	/* The last function has no known end. */
	*end = next > sym->addr ? next : UINT64_MAX;
	return true;
}
