/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "text.h"

static const char pairs[] = "00010203040506070809101112131415161718192021222324"
			    "25262728293031323334353637383940414243444546474849"
			    "50515253545556575859606162636465666768697071727374"
			    "75767778798081828384858687888990919293949596979899";
static const char hex_digits[] = "0123456789abcdef";

enum { DIGITS_MOST = 20 };

static void put_number(struct tdat_build *out, uint64_t v, bool minus)
{
	char buf[DIGITS_MOST + 1], *end = buf + sizeof(buf), *p = end;

	while (v >= 100) {
		uint64_t q = v / 100;

		p -= 2;
		memcpy(p, pairs + (v - q * 100) * 2, 2);
		v = q;
	}
	if (v >= 10) {
		p -= 2;
		memcpy(p, pairs + v * 2, 2);
	} else {
		*--p = (char)('0' + v);
	}
	if (minus)
		*--p = '-';
	tdat_build_bytes(out, p, (size_t)(end - p));
}

void export_u64(struct tdat_build *out, uint64_t v)
{
	put_number(out, v, false);
}

void export_i64(struct tdat_build *out, int64_t v)
{
	put_number(out, v < 0 ? 0 - (uint64_t)v : (uint64_t)v, v < 0);
}

void export_hex(struct tdat_build *out, const uint8_t *p, size_t len)
{
	size_t i;

	for (i = 0; i < len; i++) {
		const char two[2] = {hex_digits[p[i] >> 4], hex_digits[p[i] & 15]};

		tdat_build_bytes(out, two, 2);
	}
}

/* Bytes of the well-formed UTF-8 character at p, or 0. *c: its number. */
static size_t utf8_len(const uint8_t *p, size_t left, uint32_t *c)
{
	size_t n, i;

	if (p[0] < 0x80) {
		*c = p[0];
		return 1;
	}
	if (p[0] < 0xc2 || p[0] > 0xf4)
		return 0;
	n = p[0] < 0xe0 ? 2 : p[0] < 0xf0 ? 3 : 4;
	if (n > left)
		return 0;
	*c = p[0] & (0x7fu >> n);
	for (i = 1; i < n; i++) {
		if ((p[i] & 0xc0) != 0x80)
			return 0;
		*c = *c << 6 | (p[i] & 0x3f);
	}
	if ((n == 3 && (*c < 0x800 || (*c >= 0xd800 && *c < 0xe000))) ||
	    (n == 4 && (*c < 0x10000 || *c > 0x10ffff)))
		return 0;
	return n;
}

static bool is_control(uint32_t c)
{
	return c < 0x20 || (c >= 0x7f && c < 0xa0);
}

/* Whether one of the eight bytes is no character of its own in JSON. */
static bool any_special(uint64_t w)
{
	const uint64_t ones = UINT64_C(0x0101010101010101), tops = ones << 7;
	const uint64_t del = w ^ 0x7f * ones, quote = w ^ '"' * ones, back = w ^ '\\' * ones;

	return (((w - 0x20 * ones) & ~w) | w | ((del - ones) & ~del) | ((quote - ones) & ~quote) |
		((back - ones) & ~back)) &
	       tops;
}

/* How many bytes from p on need no thought in JSON. */
static size_t plain_run(const uint8_t *p, size_t len)
{
	size_t i = 0;

	while (len - i >= 8 && !any_special(tdat_load64(p + i, false)))
		i += 8;
	for (; i < len; i++)
		if (p[i] < 0x20 || p[i] >= 0x7f || p[i] == '"' || p[i] == '\\')
			break;
	return i;
}

static void json_escape(struct tdat_build *out, uint32_t c)
{
	char text[6] = {'\\', 'u', '0', '0', hex_digits[c >> 4 & 15], hex_digits[c & 15]};

	switch (c) {
	case '"':
	case '\\':
		text[1] = (char)c;
		break;
	case '\n':
		text[1] = 'n';
		break;
	case '\t':
		text[1] = 't';
		break;
	default:
		tdat_build_bytes(out, text, 6);
		return;
	}
	tdat_build_bytes(out, text, 2);
}

void export_json_str(struct tdat_build *out, const void *s, size_t len)
{
	const uint8_t *p = s;

	tdat_build_u8(out, '"');
	while (len) {
		size_t n = plain_run(p, len);
		uint32_t c = 0;

		if (n) {
			tdat_build_bytes(out, p, n);
		} else {
			n = utf8_len(p, len, &c);
			if (!n)
				tdat_build_bytes(out, "\xef\xbf\xbd", 3);
			else if (is_control(c) || c == '"' || c == '\\')
				json_escape(out, c);
			else
				tdat_build_bytes(out, p, n);
			n = n ? n : 1;
		}
		p += n;
		len -= n;
	}
	tdat_build_u8(out, '"');
}

/* Whether a CSV value must be in quotes. */
static bool csv_needs_quotes(const uint8_t *p, size_t len)
{
	size_t i;

	for (i = 0; i < len; i++)
		if (p[i] == '"' || p[i] == ',' || p[i] == '\n' || p[i] == '\r')
			return true;
	return len && (p[0] == ' ' || p[len - 1] == ' ');
}

void export_csv_str(struct tdat_build *out, const void *s, size_t len)
{
	const uint8_t *p = s;
	bool quotes = csv_needs_quotes(p, len);

	if (quotes)
		tdat_build_u8(out, '"');
	while (len) {
		uint32_t c = 0;
		size_t n = utf8_len(p, len, &c);

		if (!n) {
			tdat_build_bytes(out, "\xef\xbf\xbd", 3);
			n = 1;
		} else if (c == '"') {
			tdat_build_bytes(out, "\"\"", 2);
		} else if (is_control(c) && c != '\n' && c != '\t') {
			tdat_build_bytes(out, "\\x", 2);
			tdat_build_u8(out, (uint8_t)hex_digits[c >> 4 & 15]);
			tdat_build_u8(out, (uint8_t)hex_digits[c & 15]);
		} else {
			tdat_build_bytes(out, p, n);
		}
		p += n;
		len -= n;
	}
	if (quotes)
		tdat_build_u8(out, '"');
}
