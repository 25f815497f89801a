/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Finds the text at an address, in lists of strings first and then in images
 * (docs/formats/ktr.md §3). Formats and %s arguments of KTR are addresses in the kernel;
 * without the string lists or the images of that kernel they stay numbers. Look-ups go through
 * a small cache and then by halves.
 */
#include "kernel_strings.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/search.h"
#include "core/build.h"
#include "core/checked.h"
#include "core/grow.h"
#include "core/text.h"
#include "import/text_lines.h"
#include "elf_image.h"
#include "entry_layout.h"
#include "clean_text.h"
#include "ktrgraph.h"

/* LINE_CAP: bytes of a line; BYTES_MAX: bytes of all strings of a list. */
enum { LINE_CAP = 64 * 1024, BYTES_MAX = 32 * 1024 * 1024 };

/*
 * Entry of the table; kept as bytes in a tdat_build and sorted by address, then by order in the
 * file.
 */
struct strings_entry {
	uint64_t addr;
	uint32_t off; /* in bytes */
	uint32_t len;
};

void ktr_strings_init(struct ktr_strings *s)
{
	memset(s, 0, sizeof(*s));
	tdat_build_init(&s->table, TDAT_HOST_BIG);
	tdat_build_init(&s->bytes, TDAT_HOST_BIG);
	s->max = KTR_STRING_MAX;
}

void ktr_strings_fini(struct ktr_strings *s)
{
	for (size_t i = 0; i < s->image_count; i++)
		ktr_image_close(s->images[i]);
	free(s->images);
	free(s->module_names);
	tdat_build_fini(&s->table);
	tdat_build_fini(&s->bytes);
}

/* Takes ownership of the image, even on failure. */
enum tdat_status ktr_strings_add_image(struct ktr_strings *s, struct ktr_image *image,
				       const char *module, struct tdat_error *err)
{
	if (!TDAT_GROW(s->images, &s->image_cap, s->image_count + 1) ||
	    !TDAT_GROW(s->module_names, &s->module_cap, s->image_count + 1)) {
		ktr_image_close(image);
		return tdat_error_no_memory(err, "images");
	}
	s->images[s->image_count] = image;
	s->module_names[s->image_count++] = module;
	return TDAT_OK;
}

/* Returns one character of a C string; p moves behind it. */
static uint8_t unescape(const uint8_t **p, const uint8_t *end)
{
	static const char names[] = "abfnrtv", values[] = "\a\b\f\n\r\t\v";
	uint8_t c = *(*p)++;
	const char *name;
	unsigned int v = 0;

	if (c != '\\' || *p == end)
		return c;
	c = *(*p)++;
	/* At most two hex digits, unlike C: a digit that follows belongs to the text. */
	if (c == 'x') {
		for (int n = 0; n < 2 && *p < end && tdat_digit(**p) < 16; n++)
			v = v * 16 + tdat_digit(*(*p)++);
		return (uint8_t)v;
	}
	/* Octal, of at most three digits. */
	if (tdat_digit(c) < 8) {
		v = tdat_digit(c);
		for (int n = 0; n < 2 && *p < end && tdat_digit(**p) < 8; n++)
			v = v * 8 + tdat_digit(*(*p)++);
		return (uint8_t)v;
	}
	name = c ? strchr(names, c) : NULL;
	return name ? (uint8_t)values[name - names] : c;
}

/* 0xADDR, blanks, "text"; false when the line is not so. */
static bool parse_line(struct ktr_strings *s, struct tdat_span line)
{
	struct strings_entry e = {.off = (uint32_t)s->bytes.len};
	const uint8_t *p, *end = line.ptr + line.len;
	size_t digits;

	/* The prefix is optional. */
	if (!ktr_span_skip(&line, "0x"))
		ktr_span_skip(&line, "0X");
	digits = tdat_take_digits(&line, 16, &e.addr);
	if (!digits || digits > 16 || !line.len || (*line.ptr != '\t' && *line.ptr != ' '))
		return false;
	tdat_take_blanks(&line);
	if (!ktr_span_skip(&line, "\""))
		return false;
	for (p = line.ptr; p < end && *p != '"';)
		tdat_build_u8(&s->bytes, unescape(&p, end));
	/* The closing quote is missing: drop the text that was taken. */
	if (p == end) {
		s->bytes.len = e.off;
		return false;
	}
	e.len = (uint32_t)(s->bytes.len - e.off);
	tdat_build_u8(&s->bytes, 0); /* an empty string is one, too */
	tdat_build_bytes(&s->table, &e, sizeof(e));
	return true;
}

static int by_addr(const void *pa, const void *pb)
{
	const struct strings_entry *a = pa, *b = pb;

	return TDAT_ORDER(a->addr, b->addr, TDAT_ORDER(a->off, b->off, 0));
}

static bool is_comment(struct tdat_span line)
{
	return !line.len || line.ptr[0] == '#';
}

/* Reads a list of strings (--strings). Bad lines are counted and skipped, with one warning. */
enum tdat_status ktr_strings_add_file(struct ktr_strings *s, const struct tdat_import_input *in,
				      const struct tdat_emit *emit, struct tdat_error *err)
{
	struct import_lines lines;
	struct import_line line;
	uint64_t bad = 0, first_off = 0;
	enum tdat_status st;

	import_lines_init(&lines, in->source, LINE_CAP);
	while ((st = import_lines_next(&lines, &line, err)) == TDAT_OK) {
		if (s->bytes.len > BYTES_MAX) {
			st = tdat_error_set(err, TDAT_E_LIMIT, line.off,
					    "%s contains more than %d bytes of strings", in->name,
					    BYTES_MAX);
			break;
		}
		if (is_comment(line.text) || parse_line(s, line.text))
			continue;
		if (!bad++)
			first_off = line.off;
	}
	import_lines_fini(&lines);
	if (st != TDAT_E_NOT_FOUND)
		return st;
	if (s->table.failed || s->bytes.failed)
		return tdat_error_no_memory(err, in->name);
	/* Sorted after each file: look-ups may come between files. */
	if (s->table.len)
		qsort(s->table.ptr, s->table.len / sizeof(struct strings_entry),
		      sizeof(struct strings_entry), by_addr);
	if (!bad)
		return TDAT_OK;
	return tdat_emit_warnf(emit, in->name, first_off, err,
			       "%" PRIu64 " line%s without an address and a string", bad,
			       bad == 1 ? "" : "s");
}

/* True if addresses can be resolved at all. */
bool ktr_strings_any(const struct ktr_strings *s)
{
	return s->image_count || s->table.len;
}

/* The string of the table that begins at addr or holds it (linkers share tails). */
static struct tdat_span find_in_table(const struct ktr_strings *s, uint64_t addr)
{
	const struct strings_entry *t = (const struct strings_entry *)(const void *)s->table.ptr;
	struct tdat_span none = {NULL, 0};
	uint64_t skip;
	size_t low;

	/* The entry before the first one that begins above addr; the last of equal ones wins. */
	TDAT_SEARCH(low, s->table.len / sizeof(*t), t[low].addr <= addr);
	if (!low || s->bytes.failed)
		return none;
	t += low - 1;
	skip = addr - t->addr;
	if (skip && skip >= t->len)
		return none;
	return (struct tdat_span){s->bytes.ptr + t->off + skip, t->len - (size_t)skip};
}

/*
 * Finds the text at an address: the lists win, since a user made them; then images in their order.
 */
static struct tdat_span find_text(const struct ktr_strings *s, uint64_t addr)
{
	struct tdat_span text = {NULL, 0};
	const uint8_t *nul;

	if (!addr)
		return text;
	text = find_in_table(s, addr);
	for (size_t i = 0; i < s->image_count && !text.ptr; i++)
		text = ktr_image_string(s->images[i], addr, s->max);
	if (text.len > s->max)
		text.len = s->max;
	nul = text.len ? memchr(text.ptr, 0, text.len) : NULL;
	if (nul)
		text.len = (size_t)(nul - text.ptr);
	return text;
}

/* Fills a slot of the look-up cache (kernel_strings.h), with whether the text needs escaping. */
void ktr_strings_fill(const struct ktr_strings *s, struct ktr_strings_slot *slot, uint64_t addr)
{
	const struct tdat_span text = find_text(s, addr);

	*slot = (struct ktr_strings_slot){addr, text, true, text.ptr && ktr_text_is_clean(text)};
}
