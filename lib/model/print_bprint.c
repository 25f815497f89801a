/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Prints records of trace_printk(): the address of a printk string, and its arguments
 * packed behind it, each number at a multiple of four bytes, strings with NUL.
 */
#include "print_prog.h"

#include <string.h>

#include "native_util.h"
#include "print_split.h"

struct unpack {
	const struct run *r;
	struct tdat_span buf; /* the packed arguments */
	size_t pos;
	size_t base; /* of buf in the record: what alignment counts from */
};

/* One conversion of the printk string. */
struct conversion {
	struct tdat_num_spec spec;
	int longs;
	bool odd; /* no conversion we know */
};

/* Whether any argument follows: after the last one, libtraceevent prints conversions. */
static bool has_more(const struct unpack *u)
{
	return u->pos < u->buf.len;
}

/* Of a number that the record cuts, what is not there is 0. */
static bool take_number(struct unpack *u, size_t len, uint64_t *out)
{
	size_t pos = u->pos;

	*out = 0;
	if (!has_more(u))
		return false;
	if (len >= 4)
		pos = ((u->base + pos + 3) & ~(size_t)3) - u->base;
	else if (len == 2)
		pos = ((u->base + pos + 1) & ~(size_t)1) - u->base;
	*out = native_load(u->buf, pos, len, u->r->env->big);
	u->pos = pos + len;
	return true;
}

static bool take_string(struct unpack *u, struct tdat_span *out)
{
	if (!has_more(u))
		return false;
	out->ptr = u->buf.ptr + u->pos;
	out->len = strnlen((const char *)out->ptr, u->buf.len - u->pos);
	u->pos += out->len + 1;
	return true;
}

static int32_t read_int(const char **p, const char *end)
{
	int32_t v = 0;

	while (*p < end && **p >= '0' && **p <= '9' && v < 100000)
		v = v * 10 + (*(*p)++ - '0');
	return v;
}

/* "%" at *p up to the conversion's letter, where *p is left. */
static void read_conversion(const char **p, const char *end, struct unpack *u, struct conversion *c)
{
	int32_t *number = &c->spec.width;
	uint64_t v;

	memset(c, 0, sizeof(*c));
	c->spec.prec = -1;
	for (++*p; *p < end; ++*p) {
		switch (**p) {
		case '-':
			c->spec.left = true;
			break;
		case '+':
			c->spec.plus = true;
			break;
		case '#':
			c->spec.alt = true;
			break;
		case '.':
			number = &c->spec.prec;
			*number = 0;
			break;
		case 'h':
			c->longs--;
			break;
		case 'l':
			c->longs++;
			break;
		case 'L':
			c->longs = 2;
			break;
		case 'z':
		case 'Z':
			c->longs = 1;
			break;
		case '*':
			take_number(u, 4, &v);
			*number = (int32_t)v > 0 && v < 100000 ? (int32_t)v : 0;
			break;
		case '0':
			if (number == &c->spec.width)
				c->spec.zero = true;
			*number = read_int(p, end);
			--*p;
			break;
		default:
			if (**p < '1' || **p > '9')
				return;
			*number = read_int(p, end);
			--*p;
		}
	}
}

static void put_function(const struct run *r, uint64_t addr, bool offset, struct tdat_build *out)
{
	uint64_t start = 0;
	struct tdat_span name = run_symbol(r, addr, &start);

	if (!name.ptr) {
		tdat_build_str(out, "0x");
		tdat_number_x64(out, addr, 0);
		return;
	}
	tdat_build_bytes(out, name.ptr, name.len);
	if (offset) {
		tdat_build_str(out, "+0x");
		tdat_number_x64(out, addr - start, 0);
	}
}

/* %p: a name, a string the kernel made of it already, or a number. */
static void put_pointer(struct unpack *u, const char *letters, size_t n, struct tdat_build *out)
{
	const char first = n ? letters[0] : '\0';
	bool number = !first || strchr("sSxfF", first), more;
	struct tdat_span s;
	uint64_t v;

	if ((first == 'f' || first == 'F') && n > 1 && letters[1] == 'w')
		number = false;
	more = (first >= '0' && first <= '9') || (first >= 'A' && first <= 'Z') ||
	       (first >= 'a' && first <= 'z');
	if (more && !number && u->pos < u->buf.len && u->buf.ptr[u->pos] >= 0x20 &&
	    u->buf.ptr[u->pos] < 0x7f) {
		if (take_string(u, &s))
			tdat_build_bytes(out, s.ptr, s.len);
		return;
	}
	if (!take_number(u, u->r->env->long_size, &v))
		return;
	if (first && strchr("sSfF", first)) {
		put_function(u->r, v, first == 'S' || first == 'F', out);
	} else if (first && strchr("MmUhIi", first)) {
		if (first != 'I' && first != 'i')
			tdat_build_str(out, "ARG TYPE NOT FIELD BUT 1");
		else if (n > 1 && (letters[1] == '4' || letters[1] == '6'))
			tdat_build_str(out, "ARG TYPE NOT FIELD BUT 1");
		else if (n > 1 && letters[1] == 'S')
			tdat_build_str(out, "ARG NOT FIELD NOR DYNAMIC ARRAY BUT TYPE 1");
	} else if (v) {
		tdat_build_str(out, "0x");
		tdat_number_x64(out, v, 0);
	} else {
		tdat_build_str(out, "(nil)");
	}
}

static void put_number(struct unpack *u, const struct conversion *c, char letter,
		       struct tdat_build *out)
{
	struct tdat_num_spec spec = c->spec;
	size_t len = c->longs == 0 ? 4 : c->longs == 1 ? u->r->env->long_size : 8;
	unsigned bits = c->longs <= 0 ? 32 : 64;
	uint64_t v;

	if (c->longs < 0) {
		len = c->longs == -1 ? 2 : 1;
		bits = (unsigned)len * 8;
	}
	if (letter == 'c')
		len = 1;
	if (!take_number(u, len, &v))
		return;
	spec.conv = letter == 'i' ? 'd' : letter;
	if (bits < 64) {
		v &= (UINT64_C(1) << bits) - 1;
		if (spec.conv == 'd' && (v >> (bits - 1)))
			v |= ~UINT64_C(0) << bits;
	}
	tdat_number_printf(out, &spec, v);
}

/* A conversion's letter when there is no argument for it, or one that is unknown. */
static void put_letter(const struct unpack *u, char letter, struct tdat_build *out)
{
	const bool known = letter && strchr("spduixXo", letter);

	if (known || letter == '*' || (letter == 'c' && !u->r->env->tep17)) {
		tdat_build_u8(out, (uint8_t)letter);
		return;
	}
	tdat_build_u8(out, '>');
	tdat_build_u8(out, (uint8_t)letter);
	tdat_build_u8(out, '<');
}

/*
 * A conversion behind the last argument: its length and numbers go, the rest is printed as
 * it stands. *p is moved behind the first character that is left of it.
 */
static void put_missing(const char **p, const char *end, const struct unpack *u,
			struct tdat_build *out)
{
	for (++*p; *p < end && **p && strchr("hlLzZ#.-0123456789", **p); ++*p)
		;
	if (*p < end)
		put_letter(u, *(*p)++, out);
}

/* The conversion at *p, which is moved behind it. */
static void put_conversion(const char **p, const char *end, struct unpack *u,
			   struct tdat_build *out)
{
	struct conversion c;
	struct tdat_span s;
	char letter;

	if (!has_more(u)) {
		put_missing(p, end, u, out);
		return;
	}
	read_conversion(p, end, u, &c);
	if (*p >= end)
		return;
	letter = *(*p)++;
	if (!has_more(u)) { /* "*" took the last one */
		put_letter(u, letter, out);
		return;
	}
	switch (letter) {
	case 'p':
		put_pointer(u, *p, (size_t)(end - *p), out);
		*p += part_pointer_letters(*p, (size_t)(end - *p));
		break;
	case 's':
		if (take_string(u, &s))
			tdat_string_printf(out, (const char *)s.ptr, s.len, c.spec.left,
					   c.spec.width, c.spec.prec);
		break;
	case 'c':
	case 'd':
	case 'u':
	case 'i':
	case 'x':
	case 'X':
	case 'o':
		put_number(u, &c, letter, out);
		break;
	default:
		put_letter(u, letter, out);
	}
}

static void put_escape(char ch, struct tdat_build *out)
{
	tdat_build_u8(out, (uint8_t)(ch == 'n' ? '\n' : ch == 't' ? '\t' : ch == 'r' ? '\r' : ch));
}

/* What stands for itself: up to the next escape or conversion. */
static void put_plain(const char **p, const char *end, struct tdat_build *out)
{
	const char *start = *p;

	while (*p < end && **p != '%' && **p != '\\')
		++*p;
	if (*p == start) /* a last backslash */
		++*p;
	tdat_build_bytes(out, start, (size_t)(*p - start));
}

static void put_format(struct unpack *u, struct tdat_span format, struct tdat_build *out)
{
	const size_t len = format.len < u->r->most ? format.len : u->r->most;
	const char *p = (const char *)format.ptr, *end = p + len;

	while (p < end && !out->full) {
		if (*p == '\\' && p + 1 < end) {
			put_escape(p[1], out);
			p += 2;
		} else if (*p == '%' && p + 1 < end && p[1] == '%') {
			tdat_build_u8(out, '%');
			p += 2;
		} else if (*p == '%') {
			put_conversion(&p, end, u, out);
		} else {
			put_plain(&p, end, out);
		}
	}
	/* Much of it may print nothing: it is read no further than text may go. */
	if (len < format.len)
		tdat_build_stop(out);
}

void item_print_bprint(const struct run *r, const struct item *it, struct tdat_build *out)
{
	uint64_t addr = expr_eval(r, it->value);
	struct tdat_span format = {NULL, 0};
	struct unpack u = {.r = r, .base = it->off};

	put_function(r, expr_eval(r, it->value2), false, out);
	tdat_build_str(out, ": ");
	if (r->env->printk)
		format = model_printk_find(r->env->printk, addr);
	if (!format.ptr) {
		tdat_build_str(out, "(NO FORMAT FOUND at ");
		tdat_number_x64(out, addr, 0);
		tdat_build_str(out, ")\n");
		return;
	}
	u.buf = run_bytes(r, it->off, r->size > it->off ? r->size - it->off : 0);
	put_format(&u, format, out);
}
