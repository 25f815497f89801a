/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Appends bytes, numbers and formatted text to a growable buffer. A failed growth, or a limit
 * that is reached (tdat_build_hold), sets a flag that stays. Callers append without checks and
 * look at the flag once at the end. Hot paths write through the inline functions of build.h;
 * this file has what they call when room runs out.
 */
#include "build.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "utf8.h"
#include "checked.h"

void tdat_build_fini(struct tdat_build *b)
{
	free(b->ptr);
	b->ptr = NULL;
	b->len = b->cap = 0;
}

char *tdat_build_text(struct tdat_build *b)
{
	tdat_build_u8(b, '\0');
	if (b->failed)
		tdat_build_fini(b);
	return (char *)b->ptr;
}

/*
 * Capacity doubles, so that n appended bytes cost a constant time each. A buffer that is held
 * at its capacity (tdat_build_hold) is full instead, which is not a failure.
 */
bool tdat_build_grow(struct tdat_build *b, size_t n)
{
	size_t need, cap = b->cap ? b->cap : 256;
	uint8_t *p;

	if (b->failed || b->full)
		return false;
	if (b->held) {
		tdat_build_stop(b);
		return false;
	}
	if (!tdat_add_size(b->len, n, &need))
		goto fail;
	while (cap < need) {
		if (!tdat_mul_size(cap, 2, &cap))
			goto fail;
	}
	p = realloc(b->ptr, cap);
	if (!p)
		goto fail;
	b->ptr = p;
	b->cap = cap;
	return true;
fail:
	b->failed = true;
	return false;
}

/* A held buffer takes the part that fits and is full then: text is cut, not refused. */
size_t tdat_build_fit(struct tdat_build *b, size_t n)
{
	if (b->failed || b->full)
		return 0;
	if (!b->held)
		return tdat_build_grow(b, n) ? n : 0;
	b->full = true;
	return b->cap - b->len;
}

/* The slow path of tdat_build_bytes(): room ran out. */
void tdat_build_more(struct tdat_build *b, const void *p, size_t n)
{
	n = tdat_build_fit(b, n);
	if (!n)
		return;
	memcpy(b->ptr + b->len, p, n);
	b->len += n;
}

/*
 * Formats twice: first for the length. Callers are not hot, and a buffer of fixed size would
 * cut.
 */
void tdat_build_printf(struct tdat_build *b, const char *fmt, ...)
{
	va_list args;
	uint8_t *room;
	int n;

	va_start(args, fmt);
	n = vsnprintf(NULL, 0, fmt, args);
	va_end(args);
	if (n < 0)
		return;
	room = tdat_build_room(b, (size_t)n + 1);
	if (!room)
		return;
	va_start(args, fmt);
	vsnprintf((char *)room, (size_t)n + 1, fmt, args);
	va_end(args);
	b->len += (size_t)n;
}

/*
 * Appends text as valid UTF-8: each invalid byte becomes U+FFFD. ASCII, the usual case, is copied
 * in runs.
 */
void tdat_build_utf8(struct tdat_build *b, const void *text, size_t len)
{
	const uint8_t *p = text;

	while (len) {
		size_t n = tdat_ascii_run(p, len);
		uint32_t code;

		n = n ? n : tdat_utf8_len(p, len, &code);
		tdat_build_bytes(b, n ? (const char *)p : "\xef\xbf\xbd", n ? n : 3);
		n = n ? n : 1;
		p += n;
		len -= n;
	}
}

/* Appends bytes as hexadecimal digits, 64 bytes at a time. */
void tdat_build_hex(struct tdat_build *b, const uint8_t *p, size_t len)
{
	static const char digits[] = "0123456789abcdef";
	char text[128];
	size_t n = 0;

	for (size_t i = 0; i < len; i++) {
		text[n++] = digits[p[i] >> 4];
		text[n++] = digits[p[i] & 15];
		if (n == sizeof(text)) {
			tdat_build_bytes(b, text, n);
			n = 0;
		}
	}
	tdat_build_bytes(b, text, n);
}

/* Appends a word as a shell takes it: in quotes unless it has only harmless characters. */
void tdat_build_shell_word(struct tdat_build *b, const char *word)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789_-./:,=+@%";

	if (*word && strspn(word, plain) == strlen(word)) {
		tdat_build_str(b, word);
		return;
	}
	tdat_build_u8(b, '\'');
	for (; *word; word++) {
		if (*word == '\'')
			tdat_build_str(b, "'\\'");
		tdat_build_u8(b, (uint8_t)*word);
	}
	tdat_build_u8(b, '\'');
}
