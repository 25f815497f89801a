/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "put_text.h"

#include "core/json_text.h"

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

void export_json_str(struct tdat_build *out, const void *s, size_t len)
{
	uint8_t escape[TDAT_JSON_ESCAPE];
	const uint8_t *p = s;

	tdat_build_u8(out, '"');
	while (len) {
		struct tdat_span piece = tdat_json_next(&p, &len, escape);

		tdat_build_bytes(out, piece.ptr, piece.len);
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
		size_t n = tdat_utf8_len(p, len, &c);

		if (!n) {
			tdat_build_bytes(out, "\xef\xbf\xbd", 3);
			n = 1;
		} else if (c == '"') {
			tdat_build_bytes(out, "\"\"", 2);
		} else if (tdat_utf8_is_control(c) && c != '\n' && c != '\t') {
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
