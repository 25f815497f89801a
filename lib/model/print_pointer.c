/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Prints the %p family: function names, MAC and IP addresses, UUIDs, buffers. These are the
 * texts of trace-cmd; the kernel's are in kprint_pointer.c, which shares the printing of IP
 * addresses. Addresses are looked up in the file's symbols; bytes come from the record,
 * bounded.
 */
#include "ip_text.h"
#include "print_prog.h"

#include <string.h>

/* Returns the name of the function that addr lies in; cached by thread. */
struct tdat_span run_symbol(const struct run *r, uint64_t addr, uint64_t *start)
{
	return model_symbol_cache_find(&r->scratch->names, r->env->symbols, addr, start);
}

/*
 * Prints a function's name, with its offset for %pS. Without a name, or behind it in raw text, the
 * address.
 */
static void print_function(const struct run *r, const struct item *it, struct tdat_build *out)
{
	uint64_t addr = expr_eval(r, it->value), start = 0;
	struct tdat_span name = run_symbol(r, addr, &start);

	if (name.ptr) {
		if (name.len > r->most) /* and is cut there */
			name.len = r->most + 1;
		tdat_build_bytes(out, name.ptr, name.len);
		if (it->flag) {
			tdat_build_bytes(out, "+0x", 3);
			tdat_number_x64(out, addr - start, 0);
		}
		if (!it->flag2)
			return;
	}
	tdat_build_str(out, it->flag2 ? " (0x" : "0x");
	tdat_number_x64(out, addr, 0);
	if (it->flag2)
		tdat_build_u8(out, ')');
}

/* Prints six bytes; a record that has fewer prints nothing. */
static void print_mac(const struct run *r, const struct item *it, struct tdat_build *out)
{
	struct tdat_span s = run_bytes(r, it->off, 6);
	unsigned i;

	for (i = 0; i < 6 && s.len == 6; i++) {
		if (i && it->letter)
			tdat_build_u8(out, (uint8_t)it->letter);
		tdat_number_x64(out, s.ptr[it->flag ? 5 - i : i], 2);
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
void ip_put6_short(const uint8_t *p, struct tdat_build *out)
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
void ip_put6_long(const uint8_t *p, bool colons, struct tdat_build *out)
{
	unsigned i;

	for (i = 0; i < 8; i++) {
		tdat_number_x64(out, ip6_word(p, i), 4);
		if (colons && i < 7)
			tdat_build_u8(out, ':');
	}
}

/*
 * Prints a socket address. sockaddr_in: family, port, address; sockaddr_in6: family, port, flow,
 * address.
 */
static void print_sockaddr(const struct run *r, const struct item *it, struct tdat_build *out)
{
	enum { INET = 2, INET6 = 10, INET_LEN = 16, INET6_LEN = 28 };
	uint64_t off = it->field->off, len = it->field->len;
	struct tdat_span s;
	uint16_t family;

	if (it->letter2 == 'd')
		run_dynamic(r, it->field, &off, &len);
	s = run_bytes(r, off, UINT64_MAX);
	/* libtraceevent reads the family in its own machine's order. */
	family = s.len >= 2 ? tdat_load16(s.ptr, false) : 0;
	if (family == INET) {
		if (len < INET_LEN || s.len < 8) {
			tdat_build_str(out, "INVALIDIPv4");
			return;
		}
		ip_put4(s.ptr + 4, it->letter == 'i', it->star_prec, out);
		if (!it->flag)
			return;
		tdat_build_u8(out, ':');
		tdat_number_u64(out, tdat_load16(s.ptr + 2, true));
	} else if (family == INET6) {
		if (len < INET6_LEN || s.len < 24) {
			tdat_build_str(out, "INVALIDIPv6");
			return;
		}
		if (it->flag)
			tdat_build_u8(out, '[');
		if (it->flag2)
			ip_put6_short(s.ptr + 8, out);
		else
			ip_put6_long(s.ptr + 8, it->letter == 'I', out);
		if (!it->flag)
			return;
		tdat_build_str(out, "]:");
		tdat_number_u64(out, tdat_load16(s.ptr + 2, true));
	}
}

/* Prints a UUID; flag2: the first three parts are little endian. */
static void print_uuid(const struct run *r, const struct item *it, struct tdat_build *out)
{
	static const uint8_t guid[16] = {3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15};
	const char *digits = it->flag ? "0123456789ABCDEF" : "0123456789abcdef";
	struct tdat_span s = run_bytes(r, it->off, 16);
	unsigned i;

	for (i = 0; i < 16 && s.len == 16; i++) {
		uint8_t v = s.ptr[it->flag2 ? guid[i] : i];

		tdat_build_u8(out, (uint8_t)digits[v >> 4]);
		tdat_build_u8(out, (uint8_t)digits[v & 15]);
		if (i == 3 || i == 5 || i == 7 || i == 9)
			tdat_build_u8(out, '-');
	}
}

/* Prints the bytes of a dynamic array; "*" is their number. */
static void print_buffer(const struct run *r, const struct item *it, struct tdat_build *out)
{
	int32_t want = it->star ? (int32_t)expr_eval(r, it->star) : 1;
	struct tdat_span s;
	uint64_t off, len;
	size_t i;

	run_dynamic(r, it->field, &off, &len);
	if (len < (uint32_t)want) /* a negative length is a large one here */
		want = (int32_t)len;
	s = run_bytes(r, off, want > 0 ? (uint64_t)want : 0);
	for (i = 0; i < s.len; i++) {
		if (i && it->letter)
			tdat_build_u8(out, (uint8_t)it->letter);
		tdat_number_x64(out, s.ptr[i], 2);
	}
}

void item_print_pointer(const struct run *r, const struct item *it, struct tdat_build *out)
{
	struct tdat_span s;

	switch (it->op) {
	case I_FUNCTION:
		print_function(r, it, out);
		break;
	case I_MAC:
		print_mac(r, it, out);
		break;
	case I_IP4:
		s = run_bytes(r, it->off, 4);
		if (s.len == 4)
			ip_put4(s.ptr, it->letter == 'i', it->flag, out);
		break;
	case I_IP6:
		s = run_bytes(r, it->off, 16);
		if (s.len == 16 && it->flag)
			ip_put6_short(s.ptr, out);
		else if (s.len == 16)
			ip_put6_long(s.ptr, it->letter == 'I', out);
		break;
	case I_SOCKADDR:
		print_sockaddr(r, it, out);
		break;
	case I_UUID:
		print_uuid(r, it, out);
		break;
	case I_BUFFER:
		print_buffer(r, it, out);
		break;
	default:
		break;
	}
}
