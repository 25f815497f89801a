/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Writes addresses and bytes for %p, in the readings of the kernel and of trace-cmd, whose texts
 * agree: MAC and IP addresses, socket addresses, UUIDs, rows of bytes. The caller has checked that
 * the bytes are there.
 */
#include "bytes_text.h"

#include "core/number.h"

void bytes_put_hex(struct tdat_span s, char between, struct tdat_build *out)
{
	for (size_t i = 0; i < s.len; i++) {
		if (i && between)
			tdat_build_u8(out, (uint8_t)between);
		tdat_number_x64(out, s.ptr[i], 2);
	}
}

void mac_put(const uint8_t *p, char between, bool reversed, struct tdat_build *out)
{
	uint8_t bytes[6];

	for (unsigned i = 0; i < 6; i++)
		bytes[i] = p[reversed ? 5 - i : i];
	bytes_put_hex((struct tdat_span){bytes, 6}, between, out);
}

void uuid_put(const uint8_t *p, bool upper, bool swapped, struct tdat_build *out)
{
	static const uint8_t little[16] = {3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15};
	const char *digits = upper ? "0123456789ABCDEF" : "0123456789abcdef";

	for (unsigned i = 0; i < 16; i++) {
		const uint8_t b = p[swapped ? little[i] : i];

		if (i == 4 || i == 6 || i == 8 || i == 10)
			tdat_build_u8(out, '-');
		tdat_build_u8(out, (uint8_t)digits[b >> 4]);
		tdat_build_u8(out, (uint8_t)digits[b & 15]);
	}
}

/* Prints an IPv4 address; zeros: each part has three digits (%pi4). */
void ip_put4(const uint8_t *p, bool zeros, bool reverse, struct tdat_build *out)
{
	unsigned i;

	for (i = 0; i < 4; i++) {
		uint8_t v = p[reverse ? 3 - i : i];

		if (i)
			tdat_build_u8(out, '.');
		if (zeros && v < 100)
			tdat_build_fill(out, '0', v < 10 ? 2 : 1);
		tdat_number_u64(out, v);
	}
}

static uint16_t ip6_word(const uint8_t *p, unsigned i)
{
	return tdat_load16(p + 2 * i, true);
}

/*
 * True if the last four bytes are printed like IPv4: ::ffff:1.2.3.4 and ISATAP addresses (RFC
 * 5214).
 */
static bool ip6_has_ip4(const uint8_t *p)
{
	static const uint8_t mapped[12] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};

	return !memcmp(p, mapped, sizeof(mapped)) ||
	       ((p[8] | 2) == 2 && p[9] == 0 && p[10] == 0x5e && p[11] == 0xfe);
}

/*
 * Returns where the first longest run of two or more zero words begins, which "::" replaces (RFC
 * 5952); words: there is none.
 */
static unsigned ip6_gap(const uint8_t *p, unsigned words, unsigned *len)
{
	unsigned i, j, at = words;

	*len = 1;
	for (i = 0; i < words; i++) {
		for (j = i; j < words && !ip6_word(p, j); j++)
			;
		if (j - i > *len) {
			*len = j - i;
			at = i;
		}
	}
	return at;
}

/* Prints the short form of an IPv6 address (%pI6c). */
static void put6_short(const uint8_t *p, struct tdat_build *out)
{
	bool ip4 = ip6_has_ip4(p), colon = false;
	unsigned words = ip4 ? 6 : 8, len, i, gap = ip6_gap(p, words, &len);

	for (i = 0; i < words; i++) {
		if (i == gap) {
			tdat_build_str(out, colon || !i ? "::" : ":");
			colon = false;
			i += len - 1;
			continue;
		}
		if (colon)
			tdat_build_u8(out, ':');
		tdat_number_x64(out, ip6_word(p, i), 0);
		colon = true;
	}
	if (!ip4)
		return;
	if (colon)
		tdat_build_u8(out, ':');
	ip_put4(p + 12, false, false, out);
}

/* Prints all eight words with four digits each. */
static void put6_long(const uint8_t *p, bool colons, struct tdat_build *out)
{
	unsigned i;

	for (i = 0; i < 8; i++) {
		tdat_number_x64(out, ip6_word(p, i), 4);
		if (colons && i < 7)
			tdat_build_u8(out, ':');
	}
}

void ip_put6(const uint8_t *p, char letter, bool compressed, struct tdat_build *out)
{
	if (letter == 'I' && compressed)
		put6_short(p, out);
	else
		put6_long(p, letter == 'I', out);
}

static void put_port(const uint8_t *p, const struct sockaddr_how *how, struct tdat_build *out)
{
	if (!how->port)
		return;
	tdat_build_u8(out, ':');
	tdat_number_u64(out, tdat_load16(p + 2, true));
}

void sockaddr_put4(const uint8_t *p, const struct sockaddr_how *how, struct tdat_build *out)
{
	ip_put4(p + 4, how->letter == 'i', how->reversed, out);
	put_port(p, how, out);
}

/* An IPv6 address with more behind it stands in brackets. */
void sockaddr_put6(const uint8_t *p, const struct sockaddr_how *how, struct tdat_build *out)
{
	const bool brackets = how->port || how->flow || how->scope;

	if (brackets)
		tdat_build_u8(out, '[');
	ip_put6(p + 8, how->letter, how->compressed, out);
	if (brackets)
		tdat_build_u8(out, ']');
	put_port(p, how, out);
	if (how->flow) {
		tdat_build_u8(out, '/');
		tdat_number_u64(out, tdat_load32(p + 4, true) & 0x0fffffff);
	}
	if (how->scope) {
		tdat_build_u8(out, '%');
		tdat_number_u64(out, tdat_load32(p + 24, how->big));
	}
}
