/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads text: lines, white space and digits. It never reads after the end of a text, and needs no
 * NUL there. Callers handle signs, "0x" and limits, because formats differ in them.
 */
#ifndef TDAT_CORE_TEXT_H
#define TDAT_CORE_TEXT_H

#include <string.h>

#include <tdat/base.h>

/* What is behind the first at bytes, of which s has so many. */
static inline struct tdat_span tdat_span_from(struct tdat_span s, size_t at)
{
	return (struct tdat_span){s.ptr + at, s.len - at};
}

/* What a count of damage counts: a chunk of compressed data counts once, with all of its pages. */
static inline const char *tdat_damaged_pages(bool is_compressed, unsigned long long count)
{
	if (is_compressed)
		return count == 1 ? "damaged page or chunk" : "damaged pages or chunks";
	return count == 1 ? "damaged page" : "damaged pages";
}

/* Takes the next line, without its newline, from the front of text; false at the end. */
static inline bool tdat_take_line(struct tdat_span *text, struct tdat_span *line)
{
	const uint8_t *nl = text->len ? (const uint8_t *)memchr(text->ptr, '\n', text->len) : NULL;
	size_t taken;

	if (!text->len)
		return false;
	*line = (struct tdat_span){text->ptr, nl ? (size_t)(nl - text->ptr) : text->len};
	taken = line->len + (nl != NULL);
	*text = tdat_span_from(*text, taken);
	return true;
}

/*
 * Lines as libtraceevent reads them with strtok_r() and sscanf(): text ends at its first NUL,
 * empty lines are skipped, white space is that of the C locale.
 */
struct tdat_lines {
	const uint8_t *pos;
	const uint8_t *end;
};

static inline struct tdat_lines tdat_lines_init(struct tdat_span text)
{
	const uint8_t *nul = NULL;
	struct tdat_lines l = {text.ptr, text.ptr};

	if (!text.len)
		return l;
	nul = (const uint8_t *)memchr(text.ptr, 0, text.len);
	l.end = nul ? nul : text.ptr + text.len;
	return l;
}

/* The next line without its newline; false at the end. */
static inline bool tdat_lines_next(struct tdat_lines *l, struct tdat_span *line)
{
	const uint8_t *nl;

	while (l->pos < l->end && *l->pos == '\n')
		l->pos++;
	if (l->pos == l->end)
		return false;
	nl = (const uint8_t *)memchr(l->pos, '\n', (size_t)(l->end - l->pos));
	line->ptr = l->pos;
	line->len = (size_t)((nl ? nl : l->end) - l->pos);
	l->pos = nl ? nl + 1 : l->end;
	return true;
}

/* What stands behind the last '/' of a path, or all of it. */
static inline const char *tdat_base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static inline struct tdat_span tdat_span_of(const char *text)
{
	return (struct tdat_span){(const uint8_t *)text, strlen(text)};
}

/* Whether both are empty, or have the same bytes. */
static inline bool tdat_span_same(struct tdat_span a, struct tdat_span b)
{
	return a.len == b.len && (!a.len || !memcmp(a.ptr, b.ptr, a.len));
}

/* Whether the bytes of s are those of text. */
static inline bool tdat_span_is(struct tdat_span s, const char *text)
{
	return s.len == strlen(text) && (!s.len || !memcmp(s.ptr, text, s.len));
}

/* The order by bytes, the shorter before one that it begins. */
static inline int tdat_span_order(struct tdat_span a, struct tdat_span b)
{
	const size_t n = a.len < b.len ? a.len : b.len;
	const int order = n ? memcmp(a.ptr, b.ptr, n) : 0;

	return order ? order : (a.len > b.len) - (a.len < b.len);
}

/* The same for qsort and bsearch. */
static inline int tdat_by_bytes(const void *a, const void *b)
{
	return tdat_span_order(*(const struct tdat_span *)a, *(const struct tdat_span *)b);
}

/* Whether s begins with text. */
static inline bool tdat_span_starts(struct tdat_span s, const char *text)
{
	const size_t len = strlen(text);

	return s.len >= len && (!len || !memcmp(s.ptr, text, len));
}

/* Whether text is somewhere in s. */
static inline bool tdat_span_has(struct tdat_span s, const char *text)
{
	return s.len && memmem(s.ptr, s.len, text, strlen(text)) != NULL;
}

static inline bool tdat_is_space(uint8_t c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

static inline size_t tdat_skip_space(struct tdat_span line, size_t pos)
{
	while (pos < line.len && tdat_is_space(line.ptr[pos]))
		pos++;
	return pos;
}

/* Whether a text has nothing but white space and NULs. */
static inline bool tdat_is_blank(struct tdat_span text)
{
	size_t i = 0;

	while (i < text.len && (!text.ptr[i] || tdat_is_space(text.ptr[i])))
		i++;
	return i == text.len;
}

/*
 * The first white space of [p, end), or end. It skips eight bytes at a time as long as none of
 * them has a value of 0x20 (blank) or less.
 */
static inline const uint8_t *tdat_find_space(const uint8_t *p, const uint8_t *end)
{
	const uint64_t ones = 0x0101010101010101u;

	while (p < end) {
		uint64_t v;

		if (end - p >= 8) {
			memcpy(&v, p, 8);
			/* Exact for the lowest hit; bytes from 0x80 on never hit. */
			if (!((v - ones * 0x21) & ~v & ones * 0x80)) {
				p += 8;
				continue;
			}
		}
		do {
			if (tdat_is_space(*p))
				return p;
			p++;
		} while (p<end && * p> ' ');
	}
	return end;
}

/* Values of digits up to base 16; 16 for every other byte. */
extern const uint8_t tdat_digit_values[256];

static inline unsigned int tdat_digit(uint8_t c)
{
	return tdat_digit_values[c];
}

static inline bool tdat_is_dec(uint8_t c)
{
	return c >= '0' && c <= '9';
}

static inline bool tdat_is_alnum(uint8_t c)
{
	return tdat_is_dec(c) || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z');
}

/* Whether a byte belongs to names of C. */
static inline bool tdat_is_word(uint8_t c)
{
	return tdat_is_alnum(c) || c == '_';
}

/*
 * Reads the digits at p, up to base 16, and returns their end: p, where there is none. A number
 * beyond 64 bits sets *over and is UINT64_MAX. end may be NULL in text with a NUL.
 */
static inline const char *tdat_scan_digits(const char *p, const char *end, unsigned int base,
					   uint64_t *v, bool *over)
{
	unsigned int digit;

	for (*v = 0; p != end && (digit = tdat_digit((uint8_t)*p)) < base; p++)
		if (__builtin_mul_overflow(*v, base, v) || __builtin_add_overflow(*v, digit, v)) {
			*v = UINT64_MAX;
			*over = true;
		}
	return p;
}

static inline const char *tdat_read_digits(const char *p, const char *end, unsigned int base,
					   uint64_t *v)
{
	bool over = false;

	return tdat_scan_digits(p, end, base, v, &over);
}

/* Reads a number at *p, and moves *p behind it; false: there is no digit, or too many. */
static inline bool tdat_read_u64(const char **p, const char *end, unsigned int base, uint64_t *v)
{
	const char *start = *p;
	bool over = false;

	*p = tdat_scan_digits(start, end, base, v, &over);
	return *p != start && !over;
}

/* As tdat_read_digits, from the front of text; returns how many there were. */
static inline size_t tdat_take_digits(struct tdat_span *text, unsigned int base, uint64_t *v)
{
	const char *start = (const char *)text->ptr;
	const char *p = tdat_read_digits(start, start + text->len, base, v);
	const size_t n = (size_t)(p - start);

	*text = tdat_span_from(*text, n);
	return n;
}

/* As tdat_read_u64, from the front of text. */
static inline bool tdat_take_u64(struct tdat_span *text, unsigned int base, uint64_t *v)
{
	const char *p = (const char *)text->ptr, *end = p + text->len;
	const bool ok = tdat_read_u64(&p, end, base, v);

	*text = (struct tdat_span){(const uint8_t *)p, (size_t)(end - p)};
	return ok;
}

/* As tdat_read_u64, for text with a NUL: a decimal number, or behind "0x" a hexadecimal one. */
bool tdat_read_number(const char **p, uint64_t *v);
/* The same of a whole text, which may end in k, M or G (powers of 1024), in either case. */
bool tdat_whole_size(const char *text, uint64_t *v);

/* Whether a text is a number as the kernel's kstrtoull() takes it, with that base; 0: by "0x" or
 * "0". */
bool tdat_kstrtou64(const char *s, unsigned int base, uint64_t *v);

static inline void tdat_take_blanks(struct tdat_span *text)
{
	while (text->len && (*text->ptr == ' ' || *text->ptr == '\t')) {
		text->ptr++;
		text->len--;
	}
}

/* Takes what stands before the next blank or tab. */
struct tdat_span tdat_take_token(struct tdat_span *text);

/* Returns the text behind key, which begins a line, to its end; ptr is NULL where no line has it.
 */
struct tdat_span tdat_behind(struct tdat_span text, const char *key);

/*
 * Reads the decimal number behind key, which begins a line ("entries:"), and blanks. False and 0
 * where there is none; false and UINT64_MAX where it is too large.
 */
bool tdat_line_number(struct tdat_span text, const char *key, uint64_t *v);

/*
 * Reads the decimal number behind key ("offset:") in the first line with both field (" commit;")
 * and key, as header_page and formats have them.
 */
bool tdat_field_number(struct tdat_span text, const char *field, const char *key, uint64_t *v);

/* The word of a number, from 0, of words with blanks between them, up to a newline or NUL. */
struct tdat_span tdat_word(struct tdat_span text, size_t number);

/* The name in [brackets] in a text of trace_clock; ptr is NULL where none is. */
struct tdat_span tdat_active_clock(struct tdat_span text);

/* Whether text is one decimal number, which may have a "-", and nothing else. */
bool tdat_whole_i64(struct tdat_span text, int64_t *v);

#endif
