/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Runs a print program: literals and plain numbers here, all else in print_text.c and others. A
 * program is a list of items, run from the first to the last; each appends to one buffer. It
 * was bounded when it was compiled, so the loop has no checks but those of the record. A record
 * that is shorter than its format is read as if zeros followed (print_pad.c).
 */
#include "print_prog.h"

#include <string.h>

#include "core/put.h"

/*
 * Returns the eight hexadecimal digits of v as bytes, the first in the highest byte. Three steps
 * spread the digits over the bytes; those above 9 get the distance to 'a' added. No digit needs a
 * branch.
 */
static inline uint64_t hex8(uint32_t v)
{
	const uint64_t ones = UINT64_C(0x0101010101010101);
	uint64_t x = v;

	x = (x | x << 16) & UINT64_C(0x0000ffff0000ffff);
	x = (x | x << 8) & UINT64_C(0x00ff00ff00ff00ff);
	x = (x | x << 4) & UINT64_C(0x0f0f0f0f0f0f0f0f);
	return x + '0' * ones + (((x + 6 * ones) >> 4) & ones) * ('a' - '0' - 10);
}

/* Writes the last n of 16 digits of v. 16 bytes are written whatever n is: the caller has room. */
static inline char *put_hex_digits(char *p, uint64_t v, unsigned n)
{
	char digits[32];

	tdat_store64(digits, hex8((uint32_t)(v >> 32)), true);
	tdat_store64(digits + 8, hex8((uint32_t)v), true);
	memcpy(p, digits + 16 - n, 16);
	return p + n;
}

/* Writes v in hexadecimal without leading zeros; 0 is one digit. */
static inline char *put_hex(char *p, uint64_t v)
{
	return put_hex_digits(p, v, (67u - (unsigned)__builtin_clzll(v | 1)) / 4);
}

/* Writes v in hexadecimal with at least width digits; width is at most 16. */
static inline char *put_hex_zero(char *p, uint64_t v, unsigned width)
{
	unsigned n = (67u - (unsigned)__builtin_clzll(v | 1)) / 4;

	return put_hex_digits(p, v, n < width ? width : n);
}

/* Writes a pointer as glibc's printf() does, which libtraceevent uses. */
static inline char *put_pointer(char *p, uint64_t v)
{
	if (!v) {
		memcpy(p, "(nil)", 5);
		return p + 5;
	}
	memcpy(p, "0x", 2);
	return put_hex(p + 2, v);
}

static inline char *put_signed(char *p, int64_t v)
{
	if (v < 0) {
		*p++ = '-';
		return (char *)tdat_put_u64((uint8_t *)p, 0 - (uint64_t)v);
	}
	return (char *)tdat_put_u64((uint8_t *)p, (uint64_t)v);
}

/* Cuts v to the bits of its conversion. */
static inline uint64_t narrow(uint64_t v, unsigned bits)
{
	return bits == 64 ? v : v & ((UINT64_C(1) << bits) - 1);
}

/* Takes a width or precision from an argument. A negative one counts as none. */
static void take_star(const struct run *r, const struct item *it, struct tdat_num_spec *spec,
		      int32_t max)
{
	int32_t v = (int32_t)expr_eval(r, it->star);

	if (v < 0)
		v = it->star_prec ? -1 : 0;
	if (v > max)
		v = max;
	if (it->star_prec)
		spec->prec = v;
	else
		spec->width = v;
}

struct tdat_num_spec item_spec(const struct run *r, const struct item *it)
{
	struct tdat_num_spec spec = it->spec;

	if (it->star)
		take_star(r, it, &spec, 1 << 16);
	return spec;
}

/* Prints a number with width, precision or flags: the slow way of I_NUM. */
static void print_number(const struct run *r, const struct item *it, struct tdat_build *out)
{
	struct tdat_num_spec spec = item_spec(r, it);
	uint64_t v = narrow(run_value(r, it->value), it->bits);

	if (spec.conv == 'd' && it->bits < 64 && (v >> (it->bits - 1)))
		v |= ~UINT64_C(0) << it->bits;
	tdat_number_printf(out, &spec, v);
}

/* Prints the items that run_items() does not handle in place. */
void item_print(const struct run *r, const struct item *it, struct tdat_build *out)
{
	switch (it->op) {
	case I_NUM:
		print_number(r, it, out);
		break;
	case I_FUNCTION:
	case I_MAC:
	case I_IP4:
	case I_IP6:
	case I_SOCKADDR:
	case I_UUID:
	case I_BUFFER:
		item_print_pointer(r, it, out);
		break;
	case I_RAW:
		item_print_raw(r, it, out);
		break;
	case I_BPRINT:
		item_print_bprint(r, it, out);
		break;
	default:
		if (it->op > I_BPRINT)
			item_print_kernel(r, it, out);
		else
			item_print_string(r, it, out);
	}
}

/*
 * Writes the name in an array of 16 bytes (comm), up to its NUL. Two words are searched for a zero
 * byte at once; 16 bytes are written.
 */
static inline char *put_name16(char *p, const uint8_t *name)
{
	const uint64_t ones = UINT64_C(0x0101010101010101), tops = ones << 7;
	uint64_t a = tdat_load64(name, false), b = tdat_load64(name + 8, false);
	uint64_t zero_a = (a - ones) & ~a & tops, zero_b = (b - ones) & ~b & tops;

	memcpy(p, name, 16);
	if (zero_a)
		return p + (__builtin_ctzll(zero_a) >> 3);
	return p + (zero_b ? 8 + (__builtin_ctzll(zero_b) >> 3) : 16);
}

/* Writes the literal: 16 bytes at once, since most are shorter, and the rest if there is one. */
static inline char *put_literal(char *p, const struct item *it)
{
	memcpy(p, it->text, 16);
	if (it->text_len > 16)
		memcpy(p + 16, it->text + 16, it->text_len - 16);
	return p + it->text_len;
}

/*
 * Runs the program. Room for all literals and plain numbers is asked for once, so those write
 * without checks; an item that asks for room of its own is followed by asking anew.
 */
static void run_items(const struct print_prog *prog, const struct run *r, struct tdat_build *out)
{
	const struct item *it = prog->items, *end = it + prog->count;
	char *p = (char *)tdat_build_room(out, prog->room);
	size_t start = out->len, n;

	for (; p && it < end; it++) {
		p = put_literal(p, it);
		switch (it->op) {
		case I_NONE:
			break;
		case I_DEC32:
			p = put_signed(p, (int32_t)run_value(r, it->value));
			break;
		case I_DEC64:
			p = put_signed(p, (int64_t)run_value(r, it->value));
			break;
		case I_UDEC:
			p = (char *)tdat_put_u64((uint8_t *)p,
						 narrow(run_value(r, it->value), it->bits));
			break;
		case I_HEX:
			p = put_hex(p, narrow(run_value(r, it->value), it->bits));
			break;
		case I_HEX_ZERO:
			p = put_hex_zero(p, narrow(run_value(r, it->value), it->bits),
					 (unsigned)it->spec.width);
			break;
		case I_POINTER:
			p = put_pointer(p, run_value(r, it->value));
			break;
		case I_NAME16:
			p = put_name16(p, r->data + it->off);
			break;
		case I_NAME:
			n = strnlen((const char *)r->data + it->off, it->len);
			memcpy(p, r->data + it->off, n);
			p += n;
			break;
		/* Other items may grow the buffer: p is written back, and made anew behind them. */
		default:
			out->len = (size_t)(p - (char *)out->ptr);
			item_print(r, it, out);
			if (out->len - start > r->most || out->full)
				return; /* the caller cuts it */
			p = (char *)tdat_build_room(out, prog->room);
		}
	}
	if (p)
		out->len = (size_t)(p - (char *)out->ptr);
}

/* Returns how far one item can print beyond the limit of an event's text. */
static enum prog_reach item_reach(const struct print_prog *prog, const struct item *it)
{
	switch (it->op) {
	case I_NONE:
	case I_DEC32:
	case I_DEC64:
	case I_UDEC:
	case I_HEX:
	case I_HEX_ZERO:
	case I_POINTER:
	case I_NAME16:
	case I_NAME:
		return PROG_WITHIN;
	case I_NUM:
	case I_TEXT:
	case I_CHARS:
	case I_REST:
	case I_DYN_STR:
		return it->star ? PROG_FAR : PROG_ITEM_BEYOND;
	case K_NUM:
	case K_AT:
	case K_FUNCTION:
		return PROG_ITEM_BEYOND;
	case K_POINTER:
		return it->k->width || it->k->prec ? PROG_FAR : PROG_ITEM_BEYOND;
	case K_FLAGS:
	case K_SYMBOL:
		return it->k->width || it->pairs->text_len > prog->text_max ? PROG_FAR
									    : PROG_ITEM_BEYOND;
	case I_FLAGS:
	case I_SYMBOL:
		return it->star || it->pairs->text_len > prog->text_max ? PROG_FAR
									: PROG_ITEM_BEYOND;
	case I_FUNCTION:
		return PROG_ITEM_BEYOND;
	default:
		return PROG_FAR;
	}
}

/*
 * print.c asks once for each event type: a program that stays within bounds runs without a held
 * buffer.
 */
enum prog_reach prog_reach(const struct print_prog *prog)
{
	enum prog_reach most = prog->room <= prog->text_max ? PROG_WITHIN : PROG_FAR;
	uint32_t i;

	for (i = 0; i < prog->count; i++) {
		const enum prog_reach reach = item_reach(prog, &prog->items[i]);

		if (reach > most)
			most = reach;
	}
	return most;
}

void prog_run(const struct print_prog *prog, const struct prog_env *env, struct tdat_span record,
	      struct model_scratch *scratch, struct tdat_build *out)
{
	struct run r = {.data = record.ptr,
			.avail = record.len,
			.size = record.len,
			.most = prog_text_most(prog, record.len),
			.env = env,
			.scratch = scratch};

	/* One comparison makes every load at a fixed offset safe. */
	if (record.len < prog->fixed_len && !prog_pad(prog, &r, record)) {
		out->failed = true;
		return;
	}
	run_items(prog, &r, out);
}
