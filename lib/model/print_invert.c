/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Makes records of printed text. The items of a program are matched with the text from left to
 * right: what an item printed is read, and the fields of its expression get the value. Where more
 * than one way fits (the end of a string, the side of a choice) the others are tried, within a
 * number of steps. None of this decides: the record is printed, and is good if that is the text.
 */
#include <arpa/inet.h>
#include <string.h>

#include "print.h"
#include "print_prog.h"
#include "core/endian.h"

enum { STEPS_MOST = 2000, DYNAMIC_MOST = 8, BYTES_MOST = 64 };

/* A dynamic field, and what it holds. */
struct dynamic {
	const struct tdat_field *field;
	struct tdat_span text;
	bool bytes; /* no string, which a NUL would end */
};

struct invert {
	const struct print_prog *prog;
	const struct prog_env *env;
	const struct model_invert_env *names;
	struct model_scratch *scratch;
	struct tdat_span text;
	uint8_t *record; /* of prog->format->fixed_len bytes, and whether each was given a value */
	size_t len;
	struct dynamic dynamic[DYNAMIC_MOST];
	size_t dynamic_count;
	uint8_t copies[DYNAMIC_MOST][BYTES_MOST];
	unsigned steps;
};

/* ---- values ---- */

static bool store(struct invert *v, uint32_t off, unsigned bytes, uint64_t value, uint64_t mask)
{
	const bool big = v->prog->format->big;
	uint64_t old;

	if (off > v->len || bytes > v->len - off)
		return false;
	old = tdat_load_uint(v->record + off, bytes, big);
	old = (old & ~mask) | (value & mask);
	for (unsigned i = 0; i < bytes; i++) {
		v->record[off + i] = (uint8_t)(old >> 8 * (big ? bytes - 1 - i : i));
		v->record[v->len + off + i] = 1;
	}
	return true;
}

static uint64_t low_bits(uint64_t bits)
{
	return bits < 64 ? (UINT64_C(1) << bits) - 1 : UINT64_MAX;
}

/* bytes: 2, 4 or 8 */
static uint64_t swapped(uint64_t v, unsigned bytes)
{
	return __builtin_bswap64(v) >> (64 - 8 * bytes);
}

static bool solve(struct invert *v, const struct expr *x, uint64_t value, uint64_t mask);

/* The value of x in the record as it is now; 0 of what calls a function. */
static uint64_t evaluated(const struct invert *v, const struct expr *x)
{
	const struct run r = {v->record, v->len, v->len, UINT32_MAX, v->env, v->scratch};

	return x->op == X_CALL ? 0 : expr_eval(&r, x);
}

/*
 * Gives x a value, if it can be done. If not, another item may show the same field: the record is
 * printed in the end.
 */
static void give(struct invert *v, const struct expr *x, uint64_t value)
{
	if (x)
		solve(v, x, value, UINT64_MAX);
}

/* Sums of two fields, of which the first has its value: the other is what is missing. */
static bool solve_two(struct invert *v, const struct expr *x, uint64_t value, uint64_t mask)
{
	if (x->op != X_SUB && x->op != X_ADD)
		return false;
	return solve(v, x->b,
		     x->op == X_SUB ? evaluated(v, x->a) - value : value - evaluated(v, x->a),
		     mask);
}

/* Operations of a number and a constant. */
static bool solve_pair(struct invert *v, const struct expr *x, uint64_t value, uint64_t mask)
{
	const bool left = x->a->op == X_CONST;
	const uint64_t k = left ? x->a->k : x->b->k;
	const struct expr *a = left ? x->b : x->a;

	if (!left && x->b->op != X_CONST)
		return solve_two(v, x, value, mask);
	switch (x->op) {
	case X_AND:
		return solve(v, a, value, mask & k);
	case X_OR:
	case X_XOR:
		return solve(v, a, x->op == X_XOR ? value ^ k : value, mask);
	case X_ADD:
		return solve(v, a, value - k, mask);
	case X_SUB:
		return solve(v, a, left ? k - value : value + k, mask);
	case X_MUL:
		return k && solve(v, a, value / k, mask);
	case X_DIV:
	case X_SDIV:
		return !left && solve(v, a, value * k, mask);
	case X_SHL:
		return !left && k < 64 && solve(v, a, value >> k, mask >> k);
	case X_SHR:
	case X_SAR:
		return !left && k < 64 && solve(v, a, value << k, mask << k);
	default:
		return false;
	}
}

/* Gives the fields of x the bits of value that mask has. */
static bool solve(struct invert *v, const struct expr *x, uint64_t value, uint64_t mask)
{
	uint64_t i;

	if (!v->steps)
		return false;
	v->steps--;
	switch (x->op) {
	case X_U8:
	case X_S8:
		return store(v, x->off, 1, value, mask);
	case X_U16:
	case X_S16:
		return store(v, x->off, 2, value, mask);
	case X_U32:
	case X_S32:
		return store(v, x->off, 4, value, mask);
	case X_U64:
		return store(v, x->off, 8, value, mask);
	case X_MASK:
		return solve(v, x->a, value, mask & x->k);
	case X_SIGN:
		return solve(v, x->a, value, mask & low_bits(x->k));
	case X_BOOL:
		return solve(v, x->a, value != 0, mask);
	case X_SWAP:
		return solve(v, x->a, swapped(value, x->elem), swapped(mask, x->elem));
	case X_AT:
		return x->a->op == X_CONST && x->a->k <= UINT32_MAX &&
		       store(v, (uint32_t)x->a->k, x->elem, value, mask);
	case X_INDEX:
		i = x->a->op == X_CONST && x->a->k < 4096 ? x->a->k : UINT32_MAX;
		return i != UINT32_MAX &&
		       store(v, x->off + (uint32_t)i * x->elem, x->elem, value, mask);
	case X_CONST:
		return true; /* printing tells whether it is that */
	case X_COND:
		return solve(v, evaluated(v, x->a) ? x->b : x->c, value, mask);
	default:
		return x->a && x->b && !x->c && solve_pair(v, x, value, mask);
	}
}

/* Makes x true or false, if it is not so already. */
static bool solve_truth(struct invert *v, const struct expr *x, bool want)
{
	uint64_t k;

	if (want && evaluated(v, x))
		return true;
	switch (x->op) {
	case X_NOT:
		return solve_truth(v, x->a, !want);
	case X_BOOL:
	case X_SIGN:
		return solve_truth(v, x->a, want);
	case X_EQ:
	case X_NE:
		if (x->b->op != X_CONST)
			return false;
		if ((evaluated(v, x) != 0) == want)
			return true;
		k = x->b->k + ((x->op == X_EQ) != want);
		return solve(v, x->a, k, UINT64_MAX);
	case X_MASK:
		return solve(v, x->a, want ? x->k : 0, x->k);
	case X_AND:
		return x->b->op == X_CONST && solve(v, x->a, want ? x->b->k : 0, x->b->k);
	default:
		return (evaluated(v, x) != 0) == want || solve(v, x, want, UINT64_MAX);
	case X_U8:
	case X_U16:
	case X_U32:
	case X_U64:
	case X_S8:
	case X_S16:
	case X_S32:
		return solve(v, x, want, UINT64_MAX);
	}
}

/* ---- texts of items ---- */

static bool match(struct invert *v, uint32_t item, size_t at);

/* The items behind item, from byte at on; those of a choice stand for their choice. */
static bool next(struct invert *v, uint32_t item, size_t at)
{
	return match(v, item + 1, at);
}

static bool starts(const struct invert *v, size_t at, const char *s, size_t len)
{
	return len <= v->text.len - at && !memcmp(v->text.ptr + at, s, len);
}

static int digit(uint8_t c, unsigned base)
{
	int d = c >= '0' && c <= '9'   ? c - '0'
		: c >= 'a' && c <= 'f' ? c - 'a' + 10
		: c >= 'A' && c <= 'F' ? c - 'A' + 10
				       : 99;

	return d < (int)base ? d : -1;
}

static bool digits(const struct invert *v, size_t *at, unsigned base, uint64_t *out)
{
	const size_t start = *at;
	int d;

	for (*out = 0; *at < v->text.len && (d = digit(v->text.ptr[*at], base)) >= 0; ++*at)
		*out = *out * base + (unsigned)d;
	return *at > start;
}

static bool function(struct invert *v, uint32_t i, const struct item *it, size_t at);

static bool number(struct invert *v, uint32_t i, const struct item *it, size_t at)
{
	const char conv = it->op == I_DEC32 || it->op == I_DEC64 ? 'd'
			  : it->op == I_UDEC			 ? 'u'
			  : it->op == I_HEX			 ? 'x'
								 : it->spec.conv;
	const unsigned base = conv == 'x' || conv == 'X' ? 16 : conv == 'o' ? 8 : 10;
	const size_t start = at;
	bool negative = false;
	uint64_t value;

	if (conv == 'c') {
		if (at >= v->text.len)
			return false;
		solve(v, it->value, v->text.ptr[at], 255);
		return next(v, i, at + 1);
	}
	while (at < v->text.len && v->text.ptr[at] == ' ' && it->spec.width)
		at++;
	if (at < v->text.len && conv == 'd' && (v->text.ptr[at] == '-' || v->text.ptr[at] == '+'))
		negative = v->text.ptr[at++] == '-';
	if (it->spec.alt && base == 16 && (starts(v, at, "0x", 2) || starts(v, at, "0X", 2)))
		at += 2;
	/* Probes print the function that they are in. */
	if (!digits(v, &at, base, &value))
		return base == 16 && at < v->text.len && v->text.ptr[at] > '9' &&
		       function(v, i, it, at);
	/* A name may begin with digits of a number. */
	if (base == 16 && at < v->text.len && (v->text.ptr[at] == '_' || v->text.ptr[at] > 'f'))
		return function(v, i, it, start);
	while (it->spec.left && at < v->text.len && v->text.ptr[at] == ' ')
		at++;
	give(v, it->value, negative ? -value : value);
	return next(v, i, at);
}

/*
 * Puts a string where the item takes it from. Texts that code of the kernel makes of other fields
 * are not taken apart: those fields may be shown elsewhere, too.
 */
static bool keep_string(struct invert *v, const struct item *it, struct tdat_span s)
{
	const struct tdat_field *f = it->field;
	uint32_t off = it->off, len = it->len;

	if (it->op != K_AT && it->op != I_NAME && it->op != I_NAME16)
		return true;

	if (it->op == K_AT && it->value->op == X_DYN_OFF) {
		for (size_t i = 0; i < v->dynamic_count; i++)
			if (v->dynamic[i].field == it->value->field)
				return v->dynamic[i].text.len == s.len &&
				       !memcmp(v->dynamic[i].text.ptr, s.ptr, s.len);
		if (v->dynamic_count == DYNAMIC_MOST)
			return false;
		v->dynamic[v->dynamic_count++] = (struct dynamic){it->value->field, s, false};
		return true;
	}
	if (it->op == K_AT) {
		if (!f || it->value->op != X_CONST)
			return false;
		off = f->off;
		len = f->len;
	}
	if (off > v->len || len > v->len - off || s.len > len)
		return false;
	memset(v->record + off, 0, len);
	memcpy(v->record + off, s.ptr, s.len);
	memset(v->record + v->len + off, 1, len);
	return true;
}

/* A string goes up to a place where the next literal stands, or to the end. */
static bool string(struct invert *v, uint32_t i, const struct item *it, size_t at)
{
	const bool last = i + 1 == v->prog->count;
	const struct item *behind = last ? NULL : &v->prog->items[i + 1];
	const size_t held = v->dynamic_count;

	for (size_t end = last ? v->text.len : at; end <= v->text.len && v->steps; end++) {
		if (behind && behind->text_len) {
			const uint8_t *p = memmem(v->text.ptr + end, v->text.len - end,
						  behind->text, behind->text_len);

			if (!p)
				return false;
			end = (size_t)(p - v->text.ptr);
		}
		v->dynamic_count = held;
		if (it->k && it->k->prec)
			give(v, it->k->prec, end - at);
		if (keep_string(v, it, (struct tdat_span){v->text.ptr + at, end - at}) &&
		    next(v, i, end))
			return true;
	}
	return false;
}

/* The longest name of the table that stands there. */
static const struct pair *name_at(const struct invert *v, const struct pairs *p, size_t at)
{
	const struct pair *best = NULL;

	for (uint32_t i = 0; i < p->count; i++)
		if (p->list[i].len && starts(v, at, p->list[i].text, p->list[i].len) &&
		    (!best || p->list[i].len > best->len))
			best = &p->list[i];
	return best;
}

/* The value that the names of a table, or one of them, say at *at, and where they end. */
static bool names_value(const struct invert *v, const struct item *it, bool many, size_t *at,
			uint64_t *value)
{
	const struct pairs *p = it->pairs;
	uint64_t n;

	for (*value = 0;;) {
		const struct pair *name = name_at(v, p, *at);

		if (name) {
			*value |= name->value;
			*at += name->len;
		} else if (starts(v, *at, "0x", 2)) {
			*at += 2;
			if (!digits(v, at, 16, &n))
				return false;
			*value |= n;
		} else {
			return many && !*value;
		}
		if (!many || !starts(v, *at, p->delim, p->delim_len) ||
		    (!p->delim_len && !name_at(v, p, *at) && !starts(v, *at, "0x", 2)))
			return true;
		*at += p->delim_len;
	}
}

/* Whether the side of a choice can stand at *at: its fields get their values. */
static bool side(struct invert *v, const struct item *it, size_t *at)
{
	uint64_t value;

	switch (it->op) {
	case I_TEXT:
	case K_TEXT:
		if (!starts(v, *at, it->str, it->len))
			return false;
		*at += it->len;
		return true;
	case K_FLAGS:
	case K_SYMBOL:
		if (!names_value(v, it, it->op == K_FLAGS, at, &value))
			return false;
		give(v, it->value, value);
		return true;
	default:
		return false;
	}
}

/* Longer sides first: one that is empty stands everywhere. */
static bool choice(struct invert *v, uint32_t i, const struct item *it, size_t at)
{
	const struct item *sides[2] = {it->yes, it->no};
	const bool no_first = it->no->len > it->yes->len && it->yes->op == it->no->op;

	for (unsigned k = 0; k < 2; k++) {
		const bool yes = (k == 0) != no_first;
		const struct item *s = sides[!yes];
		size_t end = at;

		if ((s->op == K_AT || s->op == I_NAME || s->op == I_NAME16) &&
		    solve_truth(v, it->value, yes) && string(v, i, s, at))
			return true;
		/* The other side of flags is printed when there are none. */
		if (side(v, sides[!yes], &end) && solve_truth(v, it->value, yes) &&
		    (end > at || !it->yes->len || !it->no->len) && next(v, i, end))
			return true;
	}
	return false;
}

/* A symbol, with its offset and module if they are printed, or an address. */
static bool function(struct invert *v, uint32_t i, const struct item *it, size_t at)
{
	const struct tdat_span all = v->text;
	size_t end = at;
	uint64_t addr;

	while (end < all.len && all.ptr[end] > ' ' && !strchr(",;)]}", all.ptr[end]))
		end++;
	if (v->names->address &&
	    v->names->address(v->names->ctx, (struct tdat_span){all.ptr + at, end - at}, &addr)) {
		const uint8_t *close =
			starts(v, end, " [", 2) ? memchr(all.ptr + end, ']', all.len - end) : NULL;

		give(v, it->value, addr);
		return (close && next(v, i, (size_t)(close - all.ptr) + 1)) || next(v, i, end);
	}
	if (starts(v, at, "0x", 2))
		at += 2;
	if (!digits(v, &at, 16, &addr))
		return false;
	give(v, it->value, addr);
	return next(v, i, at);
}

/* Keeps bytes where the argument of the item points to. */
static bool keep_bytes(struct invert *v, const struct item *it, const uint8_t *bytes, size_t len)
{
	if (it->value->op == X_DYN_OFF) {
		uint8_t *copy;

		if (v->dynamic_count == DYNAMIC_MOST || len > sizeof(v->copies[0]))
			return false;
		copy = memcpy(v->copies[v->dynamic_count], bytes, len);
		v->dynamic[v->dynamic_count++] =
			(struct dynamic){it->value->field, {copy, len}, true};
		return true;
	}
	for (size_t i = 0; i < len; i++)
		if (it->value->op != X_CONST || it->value->k > v->len ||
		    !store(v, (uint32_t)(it->value->k + i), 1, bytes[i], 255))
			return false;
	return true;
}

/* Two hexadecimal digits a byte, with "-" or ":" between them: UUIDs, MAC addresses. */
static bool hex_bytes(const struct invert *v, size_t *at, uint8_t *out, unsigned count)
{
	for (unsigned n = 0; n < count; n++) {
		int high, low;

		if (n && *at < v->text.len && (v->text.ptr[*at] == '-' || v->text.ptr[*at] == ':'))
			++*at;
		if (*at + 2 > v->text.len || (high = digit(v->text.ptr[*at], 16)) < 0 ||
		    (low = digit(v->text.ptr[*at + 1], 16)) < 0)
			return false;
		out[n] = (uint8_t)(high << 4 | low);
		*at += 2;
	}
	return true;
}

/* An address of the internet; family 0: what stands there is of either. */
static bool ip_bytes(const struct invert *v, size_t *at, int family, uint8_t *out, int *found)
{
	char word[INET6_ADDRSTRLEN + 8];
	const bool bracket = starts(v, *at, "[", 1);
	size_t n = 0, start = *at + bracket;

	while (start + n < v->text.len && n < sizeof(word) - 1 &&
	       (digit(v->text.ptr[start + n], 16) >= 0 || v->text.ptr[start + n] == '.' ||
		((bracket || family == AF_INET6) && v->text.ptr[start + n] == ':')))
		n++;
	memcpy(word, v->text.ptr + start, n);
	/* A sign behind an address belongs to the text. */
	while (n && word[n - 1] == (family == AF_INET6 ? 0 : ':'))
		n--;
	word[n] = 0;
	*found = bracket || family == AF_INET6 ? AF_INET6 : AF_INET;
	if (inet_pton(*found, word, out) != 1)
		return false;
	*at = start + n + bracket;
	return true;
}

/* "%pIS": a struct sockaddr, with its port if it is printed. */
static bool sockaddr(struct invert *v, uint32_t i, const struct item *it, size_t at)
{
	uint8_t address[28] = {0}, ip[16];
	uint64_t port = 0;
	int family;

	if (!ip_bytes(v, &at, 0, ip, &family))
		return false;
	if (strchr(it->k->conv.letters, 'p') &&
	    (!starts(v, at, ":", 1) || !digits(v, (at++, &at), 10, &port)))
		return false;
	tdat_store16(address, family == AF_INET6 ? 10 : 2, v->prog->format->big);
	tdat_store16(address + 2, (uint16_t)port, true);
	memcpy(address + (family == AF_INET6 ? 8 : 4), ip, family == AF_INET6 ? 16 : 4);
	return keep_bytes(v, it, address, family == AF_INET6 ? 28 : 16) && next(v, i, at);
}

/* As many bytes in hexadecimal as stand there, each with the same sign before it, or none. */
static bool bytes_in_hex(struct invert *v, uint32_t i, const struct item *it, size_t at)
{
	uint8_t out[BYTES_MOST];
	unsigned n = 0;
	char sign = 0;

	for (; n < BYTES_MOST && at + 2 <= v->text.len && digit(v->text.ptr[at], 16) >= 0 &&
	       digit(v->text.ptr[at + 1], 16) >= 0;
	     n++) {
		out[n] =
			(uint8_t)(digit(v->text.ptr[at], 16) << 4 | digit(v->text.ptr[at + 1], 16));
		at += 2;
		if (n == 0 && at < v->text.len && strchr(" :-", v->text.ptr[at]))
			sign = (char)v->text.ptr[at];
		if (!sign || at + 2 >= v->text.len || v->text.ptr[at] != (uint8_t)sign ||
		    digit(v->text.ptr[at + 1], 16) < 0 || digit(v->text.ptr[at + 2], 16) < 0) {
			if (sign) {
				n++;
				break;
			}
			continue;
		}
		at++;
	}
	if (it->k->width)
		give(v, it->k->width, n);
	if (it->value2)
		give(v, it->value2, n);
	return keep_bytes(v, it, out, n) && next(v, i, at);
}

/* Bytes that a "%p" conversion prints. */
static bool bytes(struct invert *v, uint32_t i, const struct item *it, size_t at)
{
	const char *letters = it->k->conv.letters;
	const bool six = letters[1] == '6';
	uint8_t out[16];
	int family;

	if (letters[0] == 'h')
		return bytes_in_hex(v, i, it, at);
	if (letters[0] == 'I' && letters[1] == 'S')
		return sockaddr(v, i, it, at);
	if (letters[0] == 'I' || letters[0] == 'i')
		return ip_bytes(v, &at, six ? AF_INET6 : AF_INET, out, &family) &&
		       keep_bytes(v, it, out, six ? 16 : 4) && next(v, i, at);
	if (letters[0] == 'U')
		return hex_bytes(v, &at, out, 16) && keep_bytes(v, it, out, 16) && next(v, i, at);
	return (letters[0] == 'M' || letters[0] == 'm') && hex_bytes(v, &at, out, 6) &&
	       keep_bytes(v, it, out, 6) && next(v, i, at);
}

static bool match(struct invert *v, uint32_t i, size_t at)
{
	const struct item *it = &v->prog->items[i];
	uint64_t value;

	if (i == v->prog->count)
		return at == v->text.len;
	if (!v->steps || !starts(v, at, it->text, it->text_len))
		return false;
	v->steps--;
	at += it->text_len;
	switch (it->op) {
	case I_NONE:
		return next(v, i, at);
	case I_DEC32:
	case I_UDEC:
	case I_DEC64:
	case I_HEX:
	case I_HEX_ZERO:
	case I_NUM:
	case K_NUM:
		return number(v, i, it, at);
	case I_NAME:
	case I_NAME16:
	case K_AT:
		return string(v, i, it, at);
	case K_FLAGS:
	case K_SYMBOL:
		if (!names_value(v, it, it->op == K_FLAGS, &at, &value))
			return false;
		give(v, it->value, value);
		return next(v, i, at);
	case K_CHOICE:
		return choice(v, i, it, at);
	case K_FUNCTION:
	case K_POINTER:
		return function(v, i, it, at);
	case K_BYTES:
		return bytes(v, i, it, at);
	case K_HEX:
		return bytes_in_hex(v, i, it, at);
	default:
		return string(v, i, it, at);
	}
}

/* Puts dynamic fields behind the fixed ones; those that nothing shows are empty. */
static void put_dynamic(struct invert *v, struct tdat_build *out)
{
	const struct tdat_event_format *f = v->prog->format;

	for (size_t i = f->common_count; i < f->field_count; i++) {
		const struct tdat_field *field = &f->fields[i];
		const struct dynamic *d = NULL;
		uint32_t loc, len;

		if (!model_field_is_loc(field) || field->off + 4 > f->fixed_len)
			continue;
		for (size_t k = 0; k < v->dynamic_count; k++)
			if (v->dynamic[k].field == field)
				d = &v->dynamic[k];
		len = (d ? (uint32_t)d->text.len : 0) + !(d && d->bytes);
		loc = len << 16 |
		      (uint32_t)(out->len -
				 (field->flags & TDAT_FIELD_RELATIVE ? field->off + 4 : 0));
		if (d)
			tdat_build_bytes(out, d->text.ptr, d->text.len);
		if (!d || !d->bytes)
			tdat_build_u8(out, 0);
		if (!out->failed)
			tdat_store32(out->ptr + field->off, loc, f->big);
	}
}

/* Whether each field that print fmt shows was given a value: else it is not known. */
static bool all_given(const struct invert *v)
{
	const struct tdat_event_format *f = v->prog->format;

	for (size_t i = f->common_count; i < f->field_count; i++) {
		const struct tdat_field *field = &f->fields[i];

		if (!model_field_is_loc(field) && field->len && field->off + field->len <= v->len &&
		    !memchr(v->record + v->len + field->off, 1, field->len) && v->names->shown[i])
			return false;
	}
	return true;
}

bool print_invert_prog(const struct print_prog *prog, const struct prog_env *env,
		       const struct model_invert_env *names, struct tdat_span text,
		       struct model_scratch *scratch, struct tdat_build *out)
{
	struct invert v = {.prog = prog,
			   .env = env,
			   .names = names,
			   .scratch = scratch,
			   .text = text,
			   .len = prog->format->fixed_len,
			   .steps = STEPS_MOST};

	out->len = 0;
	tdat_build_fill(out, 0, 2 * v.len);
	if (out->failed || text.len > UINT16_MAX || v.len < 8)
		return false;
	v.record = out->ptr;
	if (!match(&v, 0, 0) || !all_given(&v))
		return false;
	out->len = v.len;
	put_dynamic(&v, out);
	return !out->failed;
}

/* "sys_read(fd: 3, buf: 7ffe0)" and "sys_read -> 0x1" by the fields behind the call's number. */
bool print_invert_syscall(const struct tdat_event_format *f, struct tdat_span text,
			  struct tdat_build *out)
{
	const struct print_prog prog = {.format = f};
	struct invert v = {.prog = &prog, .text = text, .len = f->fixed_len, .steps = STEPS_MOST};
	const bool enter = strstr(f->name, "sys_enter_") != NULL;
	const uint8_t *p = memmem(text.ptr, text.len, enter ? "(" : "-> 0x", enter ? 1 : 5);
	size_t at = p ? (size_t)(p - text.ptr) + (enter ? 1 : 5) : 0;
	uint64_t value;

	out->len = 0;
	tdat_build_fill(out, 0, 2 * v.len);
	if (!p || out->failed || v.len < 8)
		return false;
	v.record = out->ptr;
	/* The call's number is not printed. */
	if (f->field_count > f->common_count && f->fields[f->common_count].len <= 8)
		store(&v, f->fields[f->common_count].off, (unsigned)f->fields[f->common_count].len,
		      UINT64_MAX, UINT64_MAX);
	for (size_t i = f->common_count + 1; i < f->field_count; i++) {
		const struct tdat_field *field = &f->fields[i];
		const size_t len = strlen(field->name);

		if (enter) {
			if (!starts(&v, at, field->name, len) || !starts(&v, at + len, ": ", 2))
				return false;
			at += len + 2;
			at += starts(&v, at, "0x", 2) ? 2 : 0;
		}
		if (!digits(&v, &at, 16, &value) || field->len > 8 ||
		    !store(&v, field->off, (unsigned)field->len, value, UINT64_MAX))
			return false;
		at += starts(&v, at, ", ", 2) ? 2 : 0;
	}
	out->len = v.len;
	return true;
}
