/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads Thrift's compact protocol, as thrift.c writes it, of files that others may have changed.
 * Each step takes at least a byte of the cursor, so work is bounded by the bytes; structs and lists
 * nest at most THRIFT_DEPTH deep. A cursor that failed makes all that follows fail. join.c and its
 * kin call it.
 */
#include "thrift_read.h"

void thrift_bad(struct tdat_cursor *c)
{
	tdat_cursor_take(c, SIZE_MAX);
}

static uint64_t get_varint(struct tdat_cursor *c)
{
	uint64_t v = 0;

	for (unsigned int shift = 0; shift < 64; shift += 7) {
		const uint8_t byte = tdat_cursor_u8(c);

		v |= (uint64_t)(byte & 0x7f) << shift;
		if (byte < 0x80)
			return v;
	}
	thrift_bad(c);
	return 0;
}

int64_t thrift_get_int(struct tdat_cursor *c)
{
	const uint64_t v = get_varint(c);

	return (int64_t)(v >> 1 ^ (0 - (v & 1)));
}

bool thrift_field(struct tdat_cursor *c, int16_t *id, enum thrift_type *type)
{
	const uint8_t head = tdat_cursor_u8(c);
	const int64_t next = head >> 4 ? *id + (head >> 4) : head ? thrift_get_int(c) : 0;

	if (!head || !tdat_cursor_ok(c))
		return false;
	/* Ids rise: so no field comes twice. */
	if (next <= *id || next > INT16_MAX) {
		thrift_bad(c);
		return false;
	}
	*id = (int16_t)next;
	*type = (enum thrift_type)(head & 15);
	return true;
}

struct tdat_span thrift_get_binary(struct tdat_cursor *c)
{
	const uint64_t len = get_varint(c);

	return tdat_cursor_bytes(c, len < SIZE_MAX ? (size_t)len : SIZE_MAX);
}

/* Reads the head of a list of any type. */
static size_t get_list(struct tdat_cursor *c, enum thrift_type *type)
{
	const uint8_t head = tdat_cursor_u8(c);
	const uint64_t count = head >> 4 == 15 ? get_varint(c) : head >> 4;

	*type = (enum thrift_type)(head & 15);
	/* An element has a byte at least. */
	if (count > tdat_cursor_left(c))
		thrift_bad(c);
	return tdat_cursor_ok(c) ? (size_t)count : 0;
}

size_t thrift_get_list(struct tdat_cursor *c, enum thrift_type type)
{
	enum thrift_type found;
	const size_t count = get_list(c, &found);

	if (count && found != type)
		thrift_bad(c);
	return tdat_cursor_ok(c) ? count : 0;
}

static void skip(struct tdat_cursor *c, enum thrift_type type, bool in_list, unsigned int depth)
{
	enum thrift_type inner;
	int16_t id = 0;

	switch (depth < THRIFT_DEPTH ? type : 0) {
	case THRIFT_TRUE:
	case THRIFT_FALSE:
		/* The value of a field is its type. */
		tdat_cursor_take(c, in_list);
		break;
	case THRIFT_BYTE:
		tdat_cursor_u8(c);
		break;
	case THRIFT_I16:
	case THRIFT_I32:
	case THRIFT_I64:
		get_varint(c);
		break;
	case THRIFT_BINARY:
		thrift_get_binary(c);
		break;
	case THRIFT_LIST:
		for (size_t n = get_list(c, &inner); n && tdat_cursor_ok(c); n--)
			skip(c, inner, true, depth + 1);
		break;
	case THRIFT_STRUCT:
		while (thrift_field(c, &id, &inner))
			skip(c, inner, false, depth + 1);
		break;
	default:
		thrift_bad(c);
	}
}

struct tdat_span thrift_get_raw(struct tdat_cursor *c, enum thrift_type type)
{
	const size_t pos = c->pos;

	skip(c, type, false, 0);
	return (struct tdat_span){c->base + pos, c->pos - pos};
}
