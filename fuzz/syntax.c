/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checks output by the rules of RFC 8259, RFC 4180 and RFC 3629, without the library. */
#include "syntax.h"

#include <string.h>

enum { DEPTH_MOST = 16, KEYS_MOST = 4096 };

struct text {
	const unsigned char *p, *end;
	int depth;
};

/* Steps over one character; its number, or -1 when it is not well-formed UTF-8. */
static int32_t take_char(struct text *t)
{
	static const int32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
	int32_t c;
	int n, i;

	if (t->p == t->end)
		return -1;
	c = *t->p;
	if (c < 0x80) {
		t->p++;
		return c;
	}
	n = c >= 0xf8 ? 0 : c >= 0xf0 ? 4 : c >= 0xe0 ? 3 : c >= 0xc0 ? 2 : 0;
	if (!n || t->end - t->p < n)
		return -1;
	c &= 0xff >> (n + 1);
	for (i = 1; i < n; i++) {
		if (t->p[i] >> 6 != 2)
			return -1;
		c = c * 64 + t->p[i] % 64;
	}
	t->p += n;
	return c < least[n] || c > 0x10ffff || (c >> 11) == 0x1b ? -1 : c;
}

static bool is_control(int32_t c)
{
	return c < 32 || (c > 126 && c < 160);
}

static bool take(struct text *t, const char *word)
{
	size_t n = strlen(word);

	if ((size_t)(t->end - t->p) < n || memcmp(t->p, word, n) != 0)
		return false;
	t->p += n;
	return true;
}

static bool take_digits(struct text *t)
{
	const unsigned char *from = t->p;

	while (t->p < t->end && *t->p >= '0' && *t->p <= '9')
		t->p++;
	return t->p > from;
}

/* ---- JSON ---- */

static bool number(struct text *t)
{
	take(t, "-");
	if (!take(t, "0") && !take_digits(t))
		return false;
	if (take(t, ".") && !take_digits(t))
		return false;
	if (!take(t, "e") && !take(t, "E"))
		return true;
	if (!take(t, "+"))
		take(t, "-");
	return take_digits(t);
}

static bool escape(struct text *t)
{
	int32_t c = take_char(t);
	int i;

	if (c != 'u')
		return c > 0 && strchr("\"\\/bfnrt", (char)c) && c < 128;
	for (i = 0; i < 4; i++) {
		c = take_char(t);
		if (c <= 0 || c > 127 || !strchr("0123456789abcdefABCDEF", (char)c))
			return false;
	}
	return true;
}

static bool string(struct text *t)
{
	if (!take(t, "\""))
		return false;
	for (;;) {
		int32_t c = take_char(t);

		if (c == '"')
			return true;
		if (is_control(c) || (c == '\\' && !escape(t)))
			return false;
	}
}

static bool value(struct text *t);

static bool list(struct text *t)
{
	if (take(t, "]"))
		return true;
	do {
		if (!value(t))
			return false;
	} while (take(t, ","));
	return take(t, "]");
}

/* A key stands for itself: the library escapes the same text in the same way. */
struct key {
	const unsigned char *p;
	size_t len;
};

static bool is_known(const struct key *keys, size_t count, struct key k)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (keys[i].len == k.len && !memcmp(keys[i].p, k.p, k.len))
			return true;
	return false;
}

static bool object(struct text *t)
{
	struct key keys[KEYS_MOST];
	size_t count = 0;

	if (take(t, "}"))
		return true;
	do {
		struct key k = {t->p, 0};

		if (!string(t))
			return false;
		k.len = (size_t)(t->p - k.p);
		if (count == KEYS_MOST || is_known(keys, count, k))
			return false;
		keys[count++] = k;
		if (!take(t, ":") || !value(t))
			return false;
	} while (take(t, ","));
	return take(t, "}");
}

static bool value(struct text *t)
{
	bool ok;

	if (t->p == t->end || ++t->depth > DEPTH_MOST)
		return false;
	if (take(t, "{"))
		ok = object(t);
	else if (take(t, "["))
		ok = list(t);
	else if (*t->p == '"')
		ok = string(t);
	else
		ok = take(t, "null") || take(t, "true") || take(t, "false") || number(t);
	t->depth--;
	return ok;
}

bool fuzz_is_json_object(const char *text, size_t len)
{
	struct text t = {(const unsigned char *)text, (const unsigned char *)text + len, 0};

	return take(&t, "{") && object(&t) && t.p == t.end;
}

/* ---- CSV ---- */

/* Up to the quote that ends it. */
static bool quoted(struct text *t)
{
	for (;;) {
		int32_t c = take_char(t);

		if (c == '"' && !take(t, "\""))
			return true;
		if (c < 0 || (is_control(c) && c != '\n' && c != '\t'))
			return false;
	}
}

static bool plain(struct text *t)
{
	while (t->p < t->end && *t->p != ',' && *t->p != '\r') {
		int32_t c = take_char(t);

		if (c == '"' || c == '\n' || (is_control(c) && c != '\t'))
			return false;
	}
	return true;
}

size_t fuzz_csv_record(const char *text, size_t len, size_t *columns)
{
	struct text t = {(const unsigned char *)text, (const unsigned char *)text + len, 0};

	*columns = 0;
	do {
		++*columns;
		if (!(take(&t, "\"") ? quoted(&t) : plain(&t)))
			return 0;
	} while (take(&t, ","));
	return take(&t, "\r\n") ? (size_t)(t.p - (const unsigned char *)text) : 0;
}
