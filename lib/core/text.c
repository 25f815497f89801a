/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads numbers, words and names in texts of tracefs and of uname. A number stands behind a key: at
 * the start of a line in stats and formats, within a line in header_page. Texts are untrusted, and
 * end where their length says. The table of digits is a constant: kallsyms may have hundreds of
 * thousands of lines, and each digit takes one read and no call.
 */
#include "text.h"

#include "checked.h"

/* clang-format off */
const uint8_t tdat_digit_values[256] = {
	16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16,
	16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16,
	16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16,
	0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 16, 16, 16, 16, 16, 16,
	16, 10, 11, 12, 13, 14, 15, 16, 16, 16, 16, 16, 16, 16, 16, 16,
	16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16,
	16, 10, 11, 12, 13, 14, 15, 16, 16, 16, 16, 16, 16, 16, 16, 16,
	16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16,
	16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16,
	16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16,
	16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16,
	16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16,
	16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16,
	16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16,
	16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16,
	16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16,
};
/* clang-format on */

bool tdat_read_number(const char **p, uint64_t *v)
{
	const bool hex = (*p)[0] == '0' && ((*p)[1] == 'x' || (*p)[1] == 'X');

	*p += hex ? 2 : 0;
	return tdat_read_u64(p, NULL, hex ? 16 : 10, v);
}

bool tdat_whole_size(const char *text, uint64_t *v)
{
	static const char units[] = "kmg";
	const char *unit;

	if (!tdat_read_number(&text, v))
		return false;
	unit = *text ? strchr(units, *text | 0x20) : NULL;
	if (unit && !tdat_mul_u64(*v, UINT64_C(1024) << 10 * (unit - units), v))
		return false;
	return !text[unit != NULL];
}

/* A "+" before it and a newline behind it are taken, too. */
bool tdat_kstrtou64(const char *s, unsigned int base, uint64_t *v)
{
	s += *s == '+';
	if (!base) {
		base = *s == '0' ? 8 : 10;
		if (*s == '0' && (s[1] == 'x' || s[1] == 'X')) {
			base = 16;
			s += 2;
		}
	}
	return tdat_read_u64(&s, NULL, base, v) && !s[*s == '\n'];
}

/* A number that is the whole text, with an optional minus. */
bool tdat_whole_i64(struct tdat_span text, int64_t *v)
{
	const bool negative = text.len && *text.ptr == '-';
	uint64_t n;

	text = tdat_span_from(text, negative);
	if (!tdat_take_digits(&text, 10, &n) || text.len || n > (uint64_t)INT64_MAX + negative)
		return false;
	*v = (int64_t)(negative ? 0 - n : n);
	return true;
}

struct tdat_span tdat_take_token(struct tdat_span *text)
{
	struct tdat_span token = {text->ptr, 0};

	while (token.len < text->len && text->ptr[token.len] != ' ' && text->ptr[token.len] != '\t')
		token.len++;
	*text = tdat_span_from(*text, token.len);
	return token;
}

/*
 * The text behind a key at the start of a line, to the end of the text; ptr is NULL if there is
 * none.
 */
struct tdat_span tdat_behind(struct tdat_span text, const char *key)
{
	const size_t len = strlen(key);
	struct tdat_span rest = text, line;

	while (tdat_take_line(&text, &line)) {
		if (line.len >= len && !memcmp(line.ptr, key, len))
			return (struct tdat_span){rest.ptr + len, rest.len - len};
		rest = text;
	}
	return (struct tdat_span){NULL, 0};
}

/* A number behind a key at the start of a line, such as "entries: 12". False: there is none. */
bool tdat_line_number(struct tdat_span text, const char *key, uint64_t *v)
{
	struct tdat_span at = tdat_behind(text, key);

	*v = 0;
	tdat_take_blanks(&at);
	return at.len && tdat_take_u64(&at, 10, v);
}

/*
 * A number behind a key on the line of a field, as header_page has "field: u64 timestamp;
 * offset:0; size:8;".
 */
bool tdat_field_number(struct tdat_span text, const char *field, const char *key, uint64_t *v)
{
	struct tdat_span line;

	while (tdat_take_line(&text, &line)) {
		const uint8_t *end = line.ptr + line.len;
		const char *at = memmem(line.ptr, line.len, field, strlen(field));

		if (at)
			at = memmem(at, (size_t)((const char *)end - at), key, strlen(key));
		if (!at)
			continue;
		at += strlen(key);
		return tdat_read_digits(at, (const char *)end, 10, v) > at;
	}
	return false;
}

/* Word number of a text, from 0; empty: there are fewer. */
struct tdat_span tdat_word(struct tdat_span text, size_t number)
{
	struct tdat_span word;

	do {
		tdat_take_blanks(&text);
		word = (struct tdat_span){text.ptr, 0};
		while (text.len && *text.ptr && !tdat_is_space(*text.ptr)) {
			text.ptr++;
			text.len--;
		}
		word.len = (size_t)(text.ptr - word.ptr);
	} while (word.len && number--);
	return word;
}

/* The clock in brackets, as trace_clock shows the active one; ptr is NULL: there is none. */
struct tdat_span tdat_active_clock(struct tdat_span text)
{
	const uint8_t *open = text.len ? memchr(text.ptr, '[', text.len) : NULL, *close;

	close = open ? memchr(open, ']', (size_t)(text.ptr + text.len - open)) : NULL;
	return close ? (struct tdat_span){open + 1, (size_t)(close - open - 1)}
		     : (struct tdat_span){NULL, 0};
}
