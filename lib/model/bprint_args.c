/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Takes the arguments of trace_printk() out of a record. The kernel packs the arguments behind
 * the fields by the conversions of the string, which is in another table; so the string decides
 * where each argument lies. Every read is bounded by the record, and what is cut reads as 0.
 * Used by print_bprint.c.
 */
#include "bprint_args.h"

#include <string.h>

#include "native_util.h"

bool bprint_take_number(struct bprint_args *a, size_t len, uint64_t *out)
{
	size_t pos = a->pos;

	*out = 0;
	if (!bprint_has_more(a))
		return false;
	if (len >= 4)
		pos = ((a->base + pos + 3) & ~(size_t)3) - a->base;
	else if (len == 2)
		pos = ((a->base + pos + 1) & ~(size_t)1) - a->base;
	*out = native_load(a->buf, pos, len, a->big);
	a->pos = pos + len;
	return true;
}

bool bprint_take_string(struct bprint_args *a, struct tdat_span *out)
{
	if (!bprint_has_more(a))
		return false;
	out->ptr = a->buf.ptr + a->pos;
	out->len = strnlen((const char *)out->ptr, a->buf.len - a->pos);
	a->pos += out->len + 1;
	return true;
}

static int32_t read_int(const char **p, const char *end)
{
	int32_t v = 0;

	while (*p < end && **p >= '0' && **p <= '9' && v < 100000)
		v = v * 10 + (*(*p)++ - '0');
	return v;
}

void bprint_read_conversion(const char **p, const char *end, struct bprint_args *a,
			    struct bprint_conversion *c)
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
			bprint_take_number(a, 4, &v);
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

size_t bprint_number_len(const struct bprint_args *a, const struct bprint_conversion *c,
			 char letter)
{
	if (letter == 'c')
		return 1;
	if (c->longs < 0)
		return c->longs == -1 ? 2 : 1;
	return c->longs == 0 ? 4 : c->longs == 1 ? a->long_size : 8;
}

/* Whether the kernel makes text of a pointer with these letters behind its %p. */
static bool makes_text(const char *letters, size_t n)
{
	const char first = n ? letters[0] : '\0';
	const bool more = (first >= '0' && first <= '9') || (first >= 'A' && first <= 'Z') ||
			  (first >= 'a' && first <= 'z');
	bool number = !first || strchr("sSxfF", first);

	if ((first == 'f' || first == 'F') && n > 1 && letters[1] == 'w')
		number = false;
	return more && !number;
}

bool bprint_pointer_is_text(const struct bprint_args *a, const char *letters, size_t n)
{
	return makes_text(letters, n) && bprint_has_more(a) && a->buf.ptr[a->pos] >= 0x20 &&
	       a->buf.ptr[a->pos] < 0x7f;
}
