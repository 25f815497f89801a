/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Writes the wire format of protocol buffers: varints, tags and fields with a length
 * (https://protobuf.dev/programming-guides/encoding/).
 */
#ifndef TDAT_PERFETTO_PROTO_H
#define TDAT_PERFETTO_PROTO_H

#include <tdat/base.h>

#include "core/build.h"

enum proto_wire { PROTO_VARINT = 0, PROTO_LEN = 2 };

/* Bytes of the longest varint, of the longest tag, and of the longest length of a field. */
enum { PROTO_VARINT_MAX = 10, PROTO_TAG_MAX = 5, PROTO_LEN_MAX = 5 };

/* Writes a varint at p, where there is room for it, and returns the place behind it. */
static inline uint8_t *proto_varint_at(uint8_t *p, uint64_t v)
{
	while (v >= 0x80) {
		*p++ = (uint8_t)(v | 0x80);
		v >>= 7;
	}
	*p++ = (uint8_t)v;
	return p;
}

static inline size_t proto_varint_len(uint64_t v)
{
	size_t n = 1;

	for (; v >= 0x80; v >>= 7)
		n++;
	return n;
}

static inline uint8_t *proto_tag_at(uint8_t *p, uint32_t number, enum proto_wire wire)
{
	return proto_varint_at(p, (uint64_t)number << 3 | wire);
}

static inline void proto_varint(struct tdat_build *b, uint64_t v)
{
	uint8_t *p = tdat_build_room(b, PROTO_VARINT_MAX);

	if (p)
		b->len += (size_t)(proto_varint_at(p, v) - p);
}

static inline void proto_tag(struct tdat_build *b, uint32_t number, enum proto_wire wire)
{
	proto_varint(b, (uint64_t)number << 3 | wire);
}

static inline void proto_u64(struct tdat_build *b, uint32_t number, uint64_t v)
{
	proto_tag(b, number, PROTO_VARINT);
	proto_varint(b, v);
}

/* int32 and int64: a negative number takes ten bytes. */
static inline void proto_i64(struct tdat_build *b, uint32_t number, int64_t v)
{
	proto_u64(b, number, (uint64_t)v);
}

static inline void proto_bytes(struct tdat_build *b, uint32_t number, const void *p, size_t len)
{
	proto_tag(b, number, PROTO_LEN);
	proto_varint(b, len);
	tdat_build_bytes(b, p, len);
}

/*
 * Begins a message of unknown length: its tag, and room for one byte of length. proto_close
 * fills that in, and moves the message where its length takes more.
 */
static inline size_t proto_open(struct tdat_build *b, uint32_t number)
{
	proto_tag(b, number, PROTO_LEN);
	tdat_build_u8(b, 0);
	return b->len;
}

void proto_close(struct tdat_build *b, size_t start);

/* A string: bytes that are no UTF-8 become U+FFFD each, as in tdat's JSON. */
void proto_string(struct tdat_build *b, uint32_t number, const void *p, size_t len);
void proto_cstr(struct tdat_build *b, uint32_t number, const char *text);

#endif
