/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Makes JSON of single values of EventHeader events. The encoding of a value says how many bytes it
 * has, its format how they are meant. A format may not go with the encoding, or with the bytes that
 * are there: then the encoding's own is printed, a number, text, or hexadecimal bytes.
 */
#include "event_header.h"

#include <arpa/inet.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "bytes_text.h"
#include "core/cursor.h"
#include "core/json_text.h"
#include "core/number.h"
#include "core/text.h"

enum encoding {
	VALUE8 = 2, /* to VALUE128: 1, 2, 4, 8 and 16 bytes */
	VALUE128 = 6,
	ZSTRING8 = 7, /* to ZSTRING32: units of 1, 2 and 4 bytes, up to one that is 0 */
	ZSTRING32 = 9,
	STRING8 = 10, /* to STRING32: a length of 16 bits in units, and these */
	STRING32 = 12,
	BINARY = 13 /* a length of 16 bits, and bytes */
};

/*
 * How the bytes of a value are meant. The numbers are those of the event_field_format of
 * eventheader.h; they are stored in records.
 */
enum format {
	DEFAULT,
	UNSIGNED,
	SIGNED,
	HEX,
	ERRNO,
	PID,
	TIME,
	BOOLEAN,
	FLOAT,
	HEX_BYTES,
	LATIN1,
	UTF,
	UTF_BOM,
	XML,
	JSON,
	UUID,
	PORT,
	IP,
	IP_OLD
};

/* ---- text ---- */

/* Appends text: escaped for the inside of a JSON string, or unchanged (plain). */
static void put_bytes(struct tdat_span s, bool plain, struct tdat_build *out)
{
	if (plain)
		tdat_build_bytes(out, s.ptr, s.len);
	else
		tdat_json_inside(out, s);
}

/*
 * Appends a character as UTF-8. A surrogate alone or a code beyond Unicode becomes U+FFFD, so the
 * output is valid UTF-8 whatever the record holds.
 */
static void put_code(uint32_t c, bool plain, struct tdat_build *out)
{
	uint8_t p[4];
	size_t n;

	if (c > 0x10ffff || (c >= 0xd800 && c < 0xe000))
		c = 0xfffd;
	if (c < 0x80) {
		p[0] = (uint8_t)c;
		n = 1;
	} else if (c < 0x800) {
		p[0] = (uint8_t)(0xc0 | c >> 6);
		n = 2;
	} else if (c < 0x10000) {
		p[0] = (uint8_t)(0xe0 | c >> 12);
		n = 3;
	} else {
		p[0] = (uint8_t)(0xf0 | c >> 18);
		n = 4;
	}
	for (size_t i = 1; i < n; i++)
		p[i] = (uint8_t)(0x80 | (c >> 6 * (n - 1 - i) & 0x3f));
	put_bytes((struct tdat_span){p, n}, plain, out);
}

/*
 * Appends text of units of 2 (UTF-16) or 4 bytes (UTF-32). A pair of surrogates is one character.
 */
static void put_units(struct tdat_span s, unsigned unit, bool big, bool plain,
		      struct tdat_build *out)
{
	for (size_t at = 0; s.len - at >= unit && !out->full; at += unit) {
		uint32_t c = (uint32_t)tdat_load_uint(s.ptr + at, unit, big);

		if (unit == 2 && c >= 0xd800 && c < 0xdc00 && s.len - at >= 4) {
			const uint32_t low = tdat_load16(s.ptr + at + 2, big);

			if (low >= 0xdc00 && low < 0xe000) {
				c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
				at += 2;
			}
		}
		put_code(c, plain, out);
	}
}

/*
 * Removes a byte order mark, which sets the unit and its byte order. The marks of 4 bytes come
 * first: the one of UTF-32 little endian begins like that of UTF-16.
 */
static void take_bom(struct tdat_span *s, unsigned *unit, bool *big)
{
	static const struct {
		char bytes[5];
		uint8_t len, unit;
		bool big;
	} marks[] = {{"\0\0\xfe\xff", 4, 4, true},
		     {"\xff\xfe\0\0", 4, 4, false},
		     {"\xfe\xff", 2, 2, true},
		     {"\xff\xfe", 2, 2, false},
		     {"\xef\xbb\xbf", 3, 1, false}};

	for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++) {
		if (s->len < marks[i].len || memcmp(s->ptr, marks[i].bytes, marks[i].len) ||
		    (*unit != 1 && *unit != marks[i].unit))
			continue;
		*s = tdat_span_from(*s, marks[i].len);
		*unit = marks[i].unit;
		*big = marks[i].big;
		return;
	}
}

/* Appends text with its quotes. One-byte text is UTF-8 unless its format is LATIN1. */
static void put_string(struct tdat_span s, unsigned unit, uint8_t format, bool big, bool plain,
		       struct tdat_build *out)
{
	tdat_build_u8(out, '"');
	if (format == UTF_BOM || format == XML || format == JSON)
		take_bom(&s, &unit, &big);
	/* The codes of Latin-1 are the first 256 of Unicode. */
	if (format == LATIN1 && unit == 1)
		for (size_t i = 0; i < s.len; i++)
			put_code(s.ptr[i], plain, out);
	else if (unit == 1)
		put_bytes(s, plain, out);
	else
		put_units(s, unit, big, plain, out);
	tdat_build_u8(out, '"');
}

/* Appends bytes as two hexadecimal digits each, without blanks, as a JSON string. */
static void put_hex_bytes(struct tdat_span s, struct tdat_build *out)
{
	tdat_build_u8(out, '"');
	tdat_build_hex(out, s.ptr, s.len);
	tdat_build_u8(out, '"');
}

/* ---- numbers ---- */

/*
 * Appends the shortest decimal number that reads back as the same bits. JSON has no NaN or
 * infinity: they become strings.
 */
static void put_float(struct tdat_span s, bool big, struct tdat_build *out)
{
	const uint64_t bits = tdat_load_uint(s.ptr, s.len, big);
	const bool single = s.len == 4;
	double v;

	if (single) {
		float f;

		memcpy(&f, &(uint32_t){(uint32_t)bits}, 4);
		v = (double)f;
	} else {
		memcpy(&v, &bits, 8);
	}
	if (!isfinite(v)) {
		tdat_build_str(out, isnan(v) ? "\"NaN\""
				    : v < 0  ? "\"-Infinity\""
					     : "\"Infinity\"");
		return;
	}
	tdat_number_real(out, v, single, false);
}

/* Appends seconds since 1970 as ISO 8601. Years outside of 1 to 9999 stay a number. */
static void put_time(int64_t seconds, struct tdat_build *out)
{
	const time_t t = (time_t)seconds;
	struct tm tm;

	if (seconds < INT64_C(-62135596800) || seconds > INT64_C(253402300799) ||
	    !gmtime_r(&t, &tm)) {
		tdat_number_i64(out, seconds);
		return;
	}
	tdat_build_printf(out, "\"%04d-%02d-%02dT%02d:%02d:%02dZ\"", tm.tm_year + 1900,
			  tm.tm_mon + 1, tm.tm_mday, tm.tm_hour, tm.tm_min, tm.tm_sec);
}

/* Addresses are in network byte order in every record. */
static void put_ip(struct tdat_span s, struct tdat_build *out)
{
	char text[INET6_ADDRSTRLEN] = "";

	inet_ntop(s.len == 4 ? AF_INET : AF_INET6, s.ptr, text, sizeof(text));
	tdat_build_u8(out, '"');
	tdat_build_str(out, text);
	tdat_build_u8(out, '"');
}

/*
 * Appends an integer of at most 8 bytes. False: the format is not one of an integer, or needs
 * another length.
 */
static bool put_integer(struct tdat_span s, uint8_t format, bool big, struct tdat_build *out)
{
	const uint64_t v = tdat_load_uint(s.ptr, s.len, big);
	const unsigned unused = 64 - 8 * (unsigned)s.len;
	/* The sign is the top bit of the value's own length. */
	const int64_t i = (int64_t)(v << unused) >> unused;

	switch (format) {
	case UNSIGNED:
		tdat_number_u64(out, v);
		return true;
	case SIGNED:
		tdat_number_i64(out, i);
		return true;
	case HEX:
		tdat_build_str(out, "\"0x");
		tdat_number_x64(out, v, 1);
		tdat_build_u8(out, '"');
		return true;
	case ERRNO:
	case PID:
		if (s.len == 4)
			tdat_number_i64(out, i);
		return s.len == 4;
	case TIME:
		if (s.len >= 4)
			put_time(i, out);
		return s.len >= 4;
	case BOOLEAN:
		if (s.len <= 4 && v <= 1)
			tdat_build_str(out, v ? "true" : "false");
		else if (s.len <= 4)
			tdat_number_i64(out, s.len == 4 ? i : (int64_t)v);
		return s.len <= 4;
	case PORT:
		/* Ports are in network byte order, whatever the record's. */
		if (s.len == 2)
			tdat_number_u64(out, tdat_load16(s.ptr, true));
		return s.len == 2;
	default:
		return false;
	}
}

/* Appends a value of 1, 2, 4, 8 or 16 bytes. False: its format does not go with that length. */
static bool put_fixed(struct tdat_span s, uint8_t format, bool big, struct tdat_build *out)
{
	switch (format) {
	case FLOAT:
		if (s.len != 4 && s.len != 8)
			return false;
		put_float(s, big, out);
		return true;
	case UUID:
		if (s.len != 16)
			return false;
		tdat_build_u8(out, '"');
		uuid_put(s.ptr, false, false, out);
		tdat_build_u8(out, '"');
		return true;
	case IP:
	case IP_OLD:
		if (s.len != 4 && s.len != 16)
			return false;
		put_ip(s, out);
		return true;
	default:
		return s.len <= 8 && put_integer(s, format, big, out);
	}
}

/*
 * Appends a value of fixed length by its format; if that does not fit, as an unsigned number; of 16
 * bytes, in hexadecimal.
 */
static void put_value(struct tdat_span s, uint8_t format, bool big, bool plain,
		      struct tdat_build *out)
{
	if (format == HEX_BYTES)
		put_hex_bytes(s, out);
	else if ((format == LATIN1 && s.len == 1) || (format == UTF && (s.len == 2 || s.len == 4)))
		put_string(s, (unsigned)s.len, format, big, plain, out);
	else if (!put_fixed(s, format, big, out) && !put_fixed(s, UNSIGNED, big, out))
		put_hex_bytes(s, out);
}

/*
 * Appends bytes whose length was stored before them. A format of a number means a value that may be
 * absent: no bytes are null. Bytes of a power of two up to 16 are that value.
 */
static void put_counted(struct tdat_span s, bool binary, uint8_t format, bool big, bool plain,
			struct tdat_build *out)
{
	const bool text = format >= LATIN1 && format <= JSON;
	const bool fixed = format != DEFAULT && format != HEX_BYTES && !text && format <= IP_OLD;
	const bool is_size = s.len <= 16 && s.len && !(s.len & (s.len - 1));

	if (fixed && !s.len)
		tdat_build_str(out, "null");
	else if (fixed && is_size && put_fixed(s, format, big, out))
		return;
	else if (format == HEX_BYTES || (binary && !text))
		put_hex_bytes(s, out);
	else
		put_string(s, 1, format, big, plain, out);
}

/*
 * Takes the units before one that is 0, and that one. Without it the cursor fails: the record is
 * cut.
 */
static struct tdat_span take_zstring(struct tdat_cursor *c, unsigned unit)
{
	const uint8_t *start = c->base + c->pos;
	size_t len = 0;

	while (tdat_cursor_left(c) - len >= unit && tdat_load_uint(start + len, unit, false))
		len += unit;
	return (struct tdat_span){tdat_cursor_take(c, len + unit), len};
}

static bool is_zstring(uint8_t encoding)
{
	return encoding >= ZSTRING8 && encoding <= ZSTRING32;
}

/* Bytes of a unit of a string. */
static unsigned unit_of(uint8_t encoding)
{
	if (encoding > STRING32)
		return 1;
	return 1u << (encoding - (is_zstring(encoding) ? ZSTRING8 : STRING8));
}

/*
 * Takes the bytes of one value from the cursor. *s has the payload only, neither length nor
 * terminator. False: an unknown encoding, or the record is cut.
 */
bool event_header_take_value(struct tdat_cursor *c, uint8_t encoding, struct tdat_span *s)
{
	if (encoding < VALUE8 || encoding > BINARY)
		return false;
	if (encoding <= VALUE128)
		*s = tdat_cursor_bytes(c, (size_t)1 << (encoding - VALUE8));
	else if (is_zstring(encoding))
		*s = take_zstring(c, unit_of(encoding));
	else
		*s = tdat_cursor_bytes(c, (size_t)tdat_cursor_u16(c) * unit_of(encoding));
	return tdat_cursor_ok(c);
}

/* Takes one value and appends it; plain leaves out escapes, not quotes. */
bool event_header_put_value(struct tdat_cursor *c, uint8_t encoding, uint8_t format, bool plain,
			    struct tdat_build *out)
{
	struct tdat_span s;

	if (!event_header_take_value(c, encoding, &s))
		return false;
	if (encoding <= VALUE128)
		put_value(s, format, c->big, plain, out);
	else if (encoding == STRING8 || encoding == BINARY)
		put_counted(s, encoding == BINARY, format, c->big, plain, out);
	else if (format == HEX_BYTES)
		put_hex_bytes(s, out);
	else
		put_string(s, unit_of(encoding), format, c->big, plain, out);
	return true;
}

/* Appends a value for a column: text without its quotes. False: the value is null or cut. */
bool event_header_put_plain(struct tdat_cursor *c, uint8_t encoding, uint8_t format,
			    struct tdat_build *out)
{
	const size_t at = out->len;

	if (!event_header_put_value(c, encoding, format, true, out))
		return false;
	if (out->failed || out->len == at || out->ptr[at] != '"')
		return out->failed || (out->len > at && out->ptr[at] != 'n');
	/*
	 * If the buffer is full the closing quote did not fit, so only the opening one is removed.
	 */
	out->len -= out->full ? 1 : 2;
	memmove(out->ptr + at, out->ptr + at + 1, out->len - at);
	return true;
}

/* ---- values of one type ---- */

/*
 * Decides the type of a column before any value is read, so every value of that encoding and format
 * must fit in it.
 */
bool event_header_find_kind(struct event_header_field *f)
{
	bool text = false;
	unsigned len;

	if (f->encoding < VALUE8 || f->encoding > BINARY)
		return false;
	/* 0: a string, binary, or 16 bytes, none of which is an integer. */
	len = f->encoding < VALUE128 ? 1u << (f->encoding - VALUE8) : 0;
	f->len = (uint8_t)len;
	switch (f->format) {
	case SIGNED:
		f->is_signed = true;
		break;
	case ERRNO:
	case PID:
	case BOOLEAN:
		f->is_signed = len == 4;
		break;
	case HEX:
	case HEX_BYTES:
		text = true;
		break;
	case TIME:
	case FLOAT:
		text = len >= 4;
		break;
	case LATIN1:
		text = len == 1;
		break;
	case UTF:
		text = len == 2 || len == 4;
		break;
	case IP:
	case IP_OLD:
		text = len == 4;
		break;
	default:
		break;
	}
	f->kind = text || !len			     ? EVENT_HEADER_TEXT
		  : f->format == BOOLEAN && len <= 4 ? EVENT_HEADER_BOOL
						     : EVENT_HEADER_INT;
	return true;
}
