/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Prints what the kernel's vsprintf() prints for "%p" and the letters behind it. Conversions are
 * of three kinds: those that print the pointer itself or its symbol (kprint_address), those that
 * print bytes which the record holds (kprint_bytes), and those that walk the kernel's memory,
 * which no recording has (kconv_refusal). docs/print-formats.md lists all of them.
 */
#include "kprintf.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "core/errno_name.h"
#include "bytes_text.h"
#include "core/endian.h"

#define KERNEL(major, minor) ((uint32_t)(major) << 16 | (uint32_t)(minor) << 8)

/* The letters of conversions that read what the pointer points to: lib/vsprintf.c, pointer(). */
bool kconv_needs_bytes(const struct kconv *c)
{
	return c->letters[0] && strchr("hbMmIiEUat4N", c->letters[0]);
}

/*
 * Refuses letters that follow pointers through structures of the kernel: clocks, dentries, flags,
 * resources, fwnodes.
 */
const char *kconv_refusal(const struct kconv *c)
{
	const char letter = c->letters[0];

	if (letter && (strchr("VdDCOgRrukA", letter) || !strncmp(c->letters, "fw", 2)))
		return "it reads kernel memory, which is not recorded";
	return letter == 'G' ? "the meaning of these bits depends on the kernel's configuration"
			     : NULL;
}

/* ---- the pointer itself ---- */

/*
 * Prints the symbol of an address; without one, the number. The kernel prints "+0xoff/0xsize" of
 * %pS, and %pB looks up the address before it.
 */
void kprint_symbol(struct tdat_build *out, const struct kprint_env *env, uint64_t addr,
		   enum kprint_symbol_kind kind)
{
	/* A return address may belong to the next function: the call before it does not. */
	const uint64_t back = kind == KPRINT_BACKTRACE;
	struct model_symbol s;

	if (!model_symbol_cache_lookup(env->names, env->symbols, addr - back, &s)) {
		tdat_number_0x(out, addr);
		return;
	}
	tdat_build_bytes(out, s.name.ptr, s.name.len);
	if (kind != KPRINT_NAME) {
		tdat_build_bytes(out, "+0x", 3);
		tdat_number_x64(out, addr - s.start, 0);
		if (s.size) {
			tdat_build_bytes(out, "/0x", 3);
			tdat_number_x64(out, s.size, 0);
		}
	}
	if (!s.module.len)
		return;
	tdat_build_bytes(out, " [", 2);
	tdat_build_bytes(out, s.module.ptr, s.module.len);
	tdat_build_u8(out, ']');
}

/* Addresses of 32-bit machines may be stored in wider fields, sign-extended. */
static uint64_t word_mask(const struct kprint_env *env)
{
	return env->long_size == 4 ? UINT32_MAX : UINT64_MAX;
}

/*
 * Prints the pointer in hexadecimal with all digits of a word unless a width is given. The kernel
 * would print a hash of "%p"; the recorded value is the real address.
 */
static void print_plain(struct tdat_build *out, const struct kprint_env *env, const struct kconv *c,
			uint64_t addr)
{
	struct kconv hex = *c;

	hex.spec.conv = 'x';
	hex.bits = (uint8_t)(8 * env->long_size);
	if (!c->has_width) {
		hex.spec.width = 2 * env->long_size;
		hex.spec.zero = true;
	}
	kprint_number(out, &hex, addr);
}

/*
 * Prints %pe: "-ENOENT" for ERR_PTR(-2). Errors without a name are decimal, other pointers as %p.
 */
static void print_error(struct tdat_build *out, const struct kprint_env *env, const struct kconv *c,
			uint64_t addr)
{
	enum { MAX_ERRNO = 4095 };
	const int64_t v = env->long_size == 4 ? (int32_t)addr : (int64_t)addr;
	const char *name = v < 0 && v >= -MAX_ERRNO ? tdat_errno_name(v) : NULL;
	struct kconv dec = *c;
	char text[32];

	if (v >= 0 || v < -MAX_ERRNO) {
		print_plain(out, env, c, addr);
	} else if (name) {
		snprintf(text, sizeof(text), "-%s", name);
		kprint_string(out, c, text, strlen(text));
	} else {
		dec.spec.conv = 'd';
		dec.bits = 64;
		kprint_number(out, &dec, (uint64_t)v);
	}
}

/* %pf and %pF printed functions until Linux 5.4; since 5.5 "f" begins %pfw, a firmware node. */
bool kconv_symbol(const struct kconv *c, uint32_t kernel, enum kprint_symbol_kind *kind)
{
	const char letter = c->letters[0];

	if (!letter || !strchr("SsBFf", letter) || (strchr("Ff", letter) && kernel >= KERNEL(5, 5)))
		return false;
	*kind = strchr("sf", letter) ? KPRINT_NAME
		: letter == 'B'	     ? KPRINT_BACKTRACE
				     : KPRINT_OFFSET;
	return true;
}

/* Prints conversions whose argument is the recorded address itself. */
void kprint_address(struct tdat_build *out, const struct kprint_env *env, const struct kconv *c,
		    uint64_t addr)
{
	const size_t start = out->len;
	enum kprint_symbol_kind kind;

	addr &= word_mask(env);
	if (kconv_symbol(c, env->kernel, &kind)) {
		kprint_symbol(out, env, addr, kind);
		kprint_fit(out, start, c->spec.left, c->spec.width, -1);
	} else if (c->letters[0] == 'e') {
		print_error(out, env, c, addr);
	} else {
		print_plain(out, env, c, addr);
	}
}

/* ---- bytes ---- */

/*
 * Prints %*ph and its forms C, D and N (colons, dashes, nothing between bytes). The width is the
 * number of bytes: 1 if there is none, 64 at most, as in hex_string() of lib/vsprintf.c.
 */
static void print_hex(struct tdat_build *out, const struct kconv *c, struct tdat_span bytes)
{
	const char kind = c->letters[1];
	const char between = kind == 'C' ? ':' : kind == 'D' ? '-' : kind == 'N' ? '\0' : ' ';
	size_t len = c->has_width ? (size_t)c->spec.width : 1;

	if (len > 64)
		len = 64;
	if (bytes.len > len)
		bytes.len = len;
	bytes_put_hex(bytes, between, out);
}

/* Returns a byte of a mask of words, each of which is in the machine's byte order. */
static uint32_t mask_byte(struct tdat_span bytes, uint64_t i, bool big, size_t word)
{
	const uint64_t at = big ? i - i % word + (word - 1 - i % word) : i;

	return at < bytes.len ? bytes.ptr[at] : 0;
}

static bool mask_bit(struct tdat_span bytes, uint64_t bit, bool big, size_t word)
{
	return mask_byte(bytes, bit / 8, big, word) >> (bit % 8) & 1;
}

/* Prints groups of 32 bits, the highest first, each as wide as its bits. */
void kprint_mask(struct tdat_build *out, struct tdat_span bytes, uint32_t bits, bool big,
		 size_t word)
{
	const uint32_t groups = bits / 32 + (bits % 32 != 0);

	for (uint32_t g = groups; g-- > 0 && !out->full && !out->failed;) {
		const uint32_t count = g + 1 == groups && bits % 32 ? bits % 32 : 32;
		uint32_t v = 0;

		for (uint32_t i = 0; i < 4; i++)
			v |= mask_byte(bytes, (uint64_t)g * 4 + i, big, word) << 8 * i;
		v &= UINT32_MAX >> (32 - count);
		tdat_number_x64(out, v, (count + 3) / 4);
		if (g)
			tdat_build_u8(out, ',');
	}
}

/* Prints ranges of bits: "0-3,8". */
void kprint_mask_list(struct tdat_build *out, struct tdat_span bytes, uint32_t bits, bool big,
		      size_t word)
{
	bool any = false;

	for (uint64_t bit = 0, first; bit < bits && !out->full && !out->failed; bit++) {
		if (!mask_bit(bytes, bit, big, word))
			continue;
		for (first = bit; bit < bits && mask_bit(bytes, bit, big, word); bit++)
			;
		if (any)
			tdat_build_u8(out, ',');
		any = true;
		tdat_number_u64(out, first);
		if (bit - first == 1)
			continue;
		tdat_build_u8(out, '-');
		tdat_number_u64(out, bit - 1);
	}
}

/*
 * Prints %*pb and %*pbl. The width is the number of bits. False: the record holds fewer, and the
 * rest would be invented.
 */
static bool print_mask(struct tdat_build *out, const struct kprint_env *env, const struct kconv *c,
		       struct tdat_span bytes)
{
	const uint64_t bits = c->has_width ? (uint64_t)c->spec.width : 0;

	if ((bits + 7) / 8 > bytes.len)
		return false;
	if (c->letters[1] == 'l')
		kprint_mask_list(out, bytes, (uint32_t)bits, env->big, env->long_size);
	else
		kprint_mask(out, bytes, (uint32_t)bits, env->big, env->long_size);
	return true;
}

/* Prints %pM and %pm: R reverses the bytes (Bluetooth), F puts dashes between them (FDDI). */
static bool print_mac(struct tdat_build *out, const struct kconv *c, struct tdat_span bytes)
{
	const char between = c->letters[1] == 'F' ? '-' : ':';

	if (bytes.len < 6)
		return false;
	mac_put(bytes.ptr, c->letters[0] == 'M' ? between : '\0', c->letters[1] == 'R', out);
	return true;
}

/*
 * True if the bytes of an IPv4 address must be swapped: h is the machine's own order, l little
 * endian; n, b and no letter are the network's.
 */
static bool is_reversed(const struct kprint_env *env, char letter)
{
	return letter == 'l' || (letter == 'h' && !env->big);
}

/* Reads the letters of %pIS or %piS. */
static struct sockaddr_how read_how(const struct kprint_env *env, const char *p)
{
	struct sockaddr_how how = {.letter = *p, .big = env->big};

	for (p += 2; *p; p++) {
		how.port |= *p == 'p';
		how.flow |= *p == 'f';
		how.scope |= *p == 's';
		how.compressed |= *p == 'c';
		if (strchr("hnbl", *p))
			how.reversed = is_reversed(env, *p);
	}
	return how;
}

/*
 * Prints a socket address by its family. AF_INET and AF_INET6 have the same numbers on all Linux
 * machines. False: it is cut.
 */
static bool print_sockaddr(struct tdat_build *out, const struct kprint_env *env,
			   const struct kconv *c, struct tdat_span s)
{
	enum { INET = 2, INET6 = 10 };
	const struct sockaddr_how how = read_how(env, c->letters);
	const uint16_t family = s.len >= 2 ? tdat_load16(s.ptr, env->big) : 0;

	if ((family == INET6 && s.len < 28) || (family == INET && s.len < 8))
		return false;
	if (family == INET6)
		sockaddr_put6(s.ptr, &how, out);
	else if (family == INET)
		sockaddr_put4(s.ptr, &how, out);
	else
		tdat_build_str(out, env->kernel && env->kernel < KERNEL(5, 1) ? "(invalid address)"
									      : "(einval)");
	return true;
}

/* Prints %pI4, %pI6, %pIS and their small forms. */
static bool print_ip(struct tdat_build *out, const struct kprint_env *env, const struct kconv *c,
		     struct tdat_span s)
{
	if (c->letters[1] == 'S')
		return print_sockaddr(out, env, c, s);
	if (c->letters[1] == '4' && s.len >= 4) {
		ip_put4(s.ptr, c->letters[0] == 'i', is_reversed(env, c->letters[2]), out);
		return true;
	}
	if (c->letters[1] != '6' || s.len < 16)
		return false;
	ip_put6(s.ptr, c->letters[0], c->letters[2] == 'c', out);
	return true;
}

/* The kernel's isprint() (lib/ctype.c): Latin-1, so bytes from 0xa0 on are printable. */
static bool is_printable(uint8_t c)
{
	return (c >= 0x20 && c <= 0x7e) || c >= 0xa0;
}

/* Characters that %pE escapes, as its letters choose. */
struct escapes {
	bool space, special, null, octal, hex, printable;
};

/* Reads the letters of %pE; without any, the kernel escapes everything but printable bytes. */
static struct escapes read_escapes(const char *letters)
{
	static const struct escapes usual = {true, true, true, true, false, true};
	struct escapes e = {false, false, false, false, false, false};

	if (!*letters || !strchr("achnops", *letters))
		return usual;
	for (; *letters; letters++) {
		const char l = *letters;

		e.space |= l == 's' || l == 'a';
		e.special |= l == 'c' || l == 'a';
		e.null |= l == 'n' || l == 'a';
		e.octal |= l == 'o' || l == 'a';
		e.hex |= l == 'h';
		e.printable |= l == 'p';
	}
	return e;
}

/*
 * Prints %*pE; the width is the number of bytes. The tests follow string_escape_mem() of the
 * kernel.
 */
static void print_escaped(struct tdat_build *out, const struct kconv *c, struct tdat_span s)
{
	static const char space[] = "\f\n\r\t\v", space_to[] = "fnrtv";
	static const char special[] = "\a\033\\\"", special_to[] = "ae\\\"";
	const struct escapes e = read_escapes(c->letters + 1);
	const size_t len = c->has_width ? (size_t)c->spec.width : 1;

	for (size_t i = 0; i < len && i < s.len && !out->full; i++) {
		const uint8_t b = s.ptr[i];
		const char *at;

		if (e.printable && is_printable(b))
			tdat_build_u8(out, b);
		else if (e.space && b && (at = strchr(space, b)))
			tdat_build_printf(out, "\\%c", space_to[at - space]);
		else if (e.special && b && (at = strchr(special, b)))
			tdat_build_printf(out, "\\%c", special_to[at - special]);
		else if (e.null && !b)
			tdat_build_str(out, "\\0");
		else if (e.octal)
			tdat_build_printf(out, "\\%03o", (unsigned)b);
		else if (e.hex)
			tdat_build_printf(out, "\\x%02x", (unsigned)b);
		else
			tdat_build_u8(out, b);
	}
}

/*
 * Prints %pU and its forms: b and B in the order of bytes, l and L little endian; capitals print
 * capitals.
 */
static bool print_uuid(struct tdat_build *out, const struct kconv *c, struct tdat_span s)
{
	/* A little-endian UUID has its first three parts swapped. */
	const char kind = c->letters[1];

	if (s.len < 16)
		return false;
	uuid_put(s.ptr, kind == 'B' || kind == 'L', kind == 'L' || kind == 'l', out);
	return true;
}

/* Prints "0x" and all digits of a number of len bytes: %pa and %pNF. */
static bool print_special(struct tdat_build *out, const struct kprint_env *env, struct tdat_span s,
			  size_t len)
{
	if ((len != 4 && len != 8) || s.len < len)
		return false;
	tdat_build_bytes(out, "0x", 2);
	tdat_number_x64(out, tdat_load_uint(s.ptr, len, env->big), (unsigned)(2 * len));
	return true;
}

/*
 * Prints %p4cc: four characters, byte order and number of a pixel format. %p4ch, %p4cl and %p4cb
 * print other codes without the byte order.
 */
static bool print_fourcc(struct tdat_build *out, const struct kprint_env *env,
			 const struct kconv *c, struct tdat_span s)
{
	const char kind = c->letters[2];
	uint32_t number, v;
	bool own = kind == 'c';

	if (s.len < 4 || c->letters[1] != 'c' || !kind || !strchr("chlb", kind))
		return false;
	number = tdat_load32(s.ptr, kind == 'l' ? false : kind == 'b' ? true : env->big);
	if (kind == 'h' && c->letters[3] == 'R')
		number = __builtin_bswap32(number);
	v = own ? number & ~(1u << 31) : number;
	for (unsigned i = 0; i < 4; i++) {
		const uint8_t ch = (uint8_t)(v >> 8 * (own ? i : 3 - i));

		tdat_build_u8(out, ch >= 0x20 && ch <= 0x7e ? ch : '.');
	}
	if (own)
		tdat_build_str(out, number >> 31 ? " big-endian" : " little-endian");
	tdat_build_printf(out, " (0x%08x)", (unsigned)number);
	return true;
}

/*
 * Prints date, time or both. struct rtc_time counts years from 1900 and months from 0; r prints
 * them unchanged.
 */
static void print_rtc_time(struct tdat_build *out, const char *how, int64_t year, int mon,
			   const int *rest)
{
	const bool date = strchr(how, 'd') != NULL, time = strchr(how, 't') != NULL;
	const bool raw = strchr(how, 'r') != NULL, blank = strchr(how, 's') != NULL;

	if (date || !time)
		tdat_build_printf(out, "%04lld-%02d-%02d", (long long)(year + (raw ? 0 : 1900)),
				  mon + (raw ? 0 : 1), rest[3]);
	if (date == time)
		tdat_build_u8(out, blank ? ' ' : 'T');
	if (time || !date)
		tdat_build_printf(out, "%02d:%02d:%02d", rest[2], rest[1], rest[0]);
}

/* %ptR of a struct rtc_time, %ptT of seconds since 1970. */
static bool print_time(struct tdat_build *out, const struct kprint_env *env, const struct kconv *c,
		       struct tdat_span s)
{
	const char *how = c->letters[1] ? c->letters + 2 : "";
	int v[6];
	struct tm tm;
	time_t secs;

	if (c->letters[1] == 'R' && s.len >= sizeof(v)) {
		for (unsigned i = 0; i < 6; i++)
			v[i] = (int)tdat_load32(s.ptr + 4 * i, env->big);
		print_rtc_time(out, how, v[5], v[4], v);
		return true;
	}
	if (c->letters[1] != 'T' || s.len < 8)
		return false;
	secs = (time_t)tdat_load64(s.ptr, env->big);
	if (!gmtime_r(&secs, &tm))
		return false;
	v[0] = tm.tm_sec;
	v[1] = tm.tm_min;
	v[2] = tm.tm_hour;
	v[3] = tm.tm_mday;
	print_rtc_time(out, how, tm.tm_year, tm.tm_mon, v);
	return true;
}

/* Prints conversions of a fixed length of bytes, which a width pads. False: too few bytes. */
static bool print_some(struct tdat_build *out, const struct kprint_env *env, const struct kconv *c,
		       struct tdat_span bytes)
{
	switch (c->letters[0]) {
	case 'M':
	case 'm':
		return print_mac(out, c, bytes);
	case 'I':
	case 'i':
		return print_ip(out, env, c, bytes);
	case 'U':
		return print_uuid(out, c, bytes);
	case 'a':
		return print_special(out, env, bytes, bytes.len >= 8 ? 8 : bytes.len);
	case 'N':
		return c->letters[1] == 'F' && print_special(out, env, bytes, 8);
	case '4':
		return print_fourcc(out, env, c, bytes);
	case 't':
		return print_time(out, env, c, bytes);
	default:
		return false;
	}
}

bool kprint_bytes(struct tdat_build *out, const struct kprint_env *env, const struct kconv *c,
		  struct tdat_span bytes)
{
	const size_t start = out->len;

	/* The width of these three counts bytes or bits. */
	if (c->letters[0] == 'h')
		print_hex(out, c, bytes);
	else if (c->letters[0] == 'E')
		print_escaped(out, c, bytes);
	else if (c->letters[0] == 'b')
		return print_mask(out, env, c, bytes);
	else if (print_some(out, env, c, bytes))
		kprint_fit(out, start, c->spec.left, c->spec.width, -1);
	else
		return false;
	return true;
}
