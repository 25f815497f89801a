/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checks Arrow arrays, and makes text of their rows. */
#include "arrow_text.h"

#include <inttypes.h>
#include <string.h>

#include "../common/asserts.h"
#include "core/utf8.h"

static bool is_valid(const struct ArrowArray *a, int64_t row)
{
	const uint8_t *bits = a->buffers[0];

	return !bits || bits[row / 8] >> (row & 7) & 1;
}

static size_t width_of(const char *format)
{
	switch (*format) {
	case 'c':
	case 'C':
		return 1;
	case 's':
	case 'S':
		return 2;
	case 'i':
	case 'I':
		return 4;
	case 'l':
	case 'L':
	case 't':
		return 8;
	default:
		ck_abort_msg("format %s is no number", format);
		return 0;
	}
}

static int64_t number_at(const char *format, const struct ArrowArray *a, int64_t row)
{
	const uint8_t *p = (const uint8_t *)a->buffers[1] + width_of(format) * (size_t)row;
	uint64_t u64;
	uint32_t u32;
	uint16_t u16;

	switch (width_of(format)) {
	case 1:
		return *format == 'c' ? (int8_t)*p : *p;
	case 2:
		memcpy(&u16, p, 2);
		return *format == 's' ? (int16_t)u16 : u16;
	case 4:
		memcpy(&u32, p, 4);
		return *format == 'i' ? (int64_t)(int32_t)u32 : (int64_t)u32;
	default:
		memcpy(&u64, p, 8);
		return (int64_t)u64;
	}
}

static int32_t offset_at(const struct ArrowArray *a, int64_t i)
{
	int32_t v;

	memcpy(&v, (const uint8_t *)a->buffers[1] + 4 * i, 4);
	return v;
}

static void check_utf8(const uint8_t *p, size_t len)
{
	while (len) {
		uint32_t code;
		size_t n = tdat_utf8_len(p, len, &code);

		ck_assert_msg(n, "text that is no UTF-8");
		p += n;
		len -= n;
	}
}

static void check_offsets(const struct ArrowArray *a)
{
	ck_assert_int_eq(offset_at(a, 0), 0);
	for (int64_t i = 0; i < a->length; i++)
		ck_assert_int_le(offset_at(a, i), offset_at(a, i + 1));
}

static void check_valid(const struct ArrowArray *a)
{
	int64_t nulls = 0;

	for (int64_t i = 0; i < a->length; i++)
		nulls += !is_valid(a, i);
	ck_assert_int_eq(a->null_count, nulls);
}

void arrow_check(const struct ArrowSchema *s, const struct ArrowArray *a)
{
	const bool text = *s->format == 'u' || *s->format == 'z', list = *s->format == '+';

	ck_assert(a->release);
	ck_assert_int_ge(a->length, 0);
	ck_assert_int_eq(a->offset, 0);
	ck_assert_int_eq(a->n_children, s->n_children);
	ck_assert_int_eq(a->n_buffers, !strcmp(s->format, "+s") ? 1 : text ? 3 : 2);
	check_valid(a);
	ck_assert_msg(!a->null_count || (s->flags & ARROW_FLAG_NULLABLE), "nulls in %s", s->name);
	if (!strcmp(s->format, "+s")) {
		for (int64_t i = 0; i < a->n_children; i++) {
			ck_assert_int_eq(a->children[i]->length, a->length);
			arrow_check(s->children[i], a->children[i]);
		}
		return;
	}
	if (text || list)
		check_offsets(a);
	for (int64_t i = 0; *s->format == 'u' && i < a->length; i++)
		check_utf8((const uint8_t *)a->buffers[2] + offset_at(a, i),
			   (size_t)(offset_at(a, i + 1) - offset_at(a, i)));
	if (list) {
		ck_assert_int_eq(a->children[0]->length, offset_at(a, a->length));
		arrow_check(s->children[0], a->children[0]);
	}
	ck_assert_int_eq(!s->dictionary, !a->dictionary);
	if (!s->dictionary)
		return;
	arrow_check(s->dictionary, a->dictionary);
	for (int64_t i = 0; i < a->length; i++) {
		if (!is_valid(a, i))
			continue;
		ck_assert_int_ge(number_at(s->format, a, i), 0);
		ck_assert_int_lt(number_at(s->format, a, i), a->dictionary->length);
	}
}

void arrow_put(FILE *out, const struct ArrowSchema *s, const struct ArrowArray *a, int64_t row)
{
	if (!is_valid(a, row)) {
		fputs("null", out);
	} else if (s->dictionary) {
		arrow_put(out, s->dictionary, a->dictionary, number_at(s->format, a, row));
	} else if (*s->format == 'u' || *s->format == 'z') {
		fprintf(out, "\"%.*s\"", offset_at(a, row + 1) - offset_at(a, row),
			(const char *)a->buffers[2] + offset_at(a, row));
	} else if (*s->format == '+') {
		fputc('[', out);
		for (int64_t i = offset_at(a, row); i < offset_at(a, row + 1); i++) {
			if (i > offset_at(a, row))
				fputc(' ', out);
			arrow_put(out, s->children[0], a->children[0], i);
		}
		fputc(']', out);
	} else if (*s->format == 'b') {
		fprintf(out, "%d", ((const uint8_t *)a->buffers[1])[row / 8] >> (row & 7) & 1);
	} else if (*s->format == 'L') {
		fprintf(out, "%" PRIu64, (uint64_t)number_at(s->format, a, row));
	} else {
		fprintf(out, "%" PRId64, number_at(s->format, a, row));
	}
}

void arrow_put_rows(FILE *out, const struct ArrowSchema *s, const struct ArrowArray *rows)
{
	for (int64_t row = 0; row < rows->length; row++) {
		for (int64_t i = 0; i < rows->n_children; i++) {
			if (!is_valid(rows->children[i], row))
				continue;
			fprintf(out, "%s=", s->children[i]->name);
			arrow_put(out, s->children[i], rows->children[i], row);
			fputc(' ', out);
		}
		fputc('\n', out);
	}
}
