/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Writes Thrift's compact protocol. Fields of a struct must come by rising ids, as the protocol
 * stores differences. Only the parts that Parquet's metadata needs are here; thrift_read.c reads
 * them.
 */
#include "thrift.h"

/* Appends an unsigned LEB128 varint. */
void varint_put(struct tdat_build *out, uint64_t v)
{
	uint8_t *room = tdat_build_room(out, 10), *p = room;

	if (!room)
		return;
	for (; v >= 0x80; v >>= 7)
		*p++ = (uint8_t)(v | 0x80);
	*p++ = (uint8_t)v;
	out->len += (size_t)(p - room);
}

/*
 * Writes the head of a field: id as the difference to the last one, with the type in one byte if it
 * is 1 to 15.
 */
static void head(struct thrift *t, int16_t id, enum thrift_type type)
{
	const int step = id - t->last[t->depth];

	if (step > 0 && step < 16) {
		tdat_build_u8(t->out, (uint8_t)(step << 4 | (int)type));
	} else {
		tdat_build_u8(t->out, (uint8_t)type);
		varint_put(t->out, zigzag(id));
	}
	t->last[t->depth] = id;
}

/* Ends a struct by a stop byte. */
void thrift_end(struct thrift *t)
{
	tdat_build_u8(t->out, 0);
	if (t->depth)
		t->depth--;
}

void thrift_i16(struct thrift *t, int16_t id, int16_t v)
{
	head(t, id, THRIFT_I16);
	varint_put(t->out, zigzag(v));
}

void thrift_i32(struct thrift *t, int16_t id, int32_t v)
{
	head(t, id, THRIFT_I32);
	thrift_put_i64(t, v);
}

void thrift_i64(struct thrift *t, int16_t id, int64_t v)
{
	head(t, id, THRIFT_I64);
	thrift_put_i64(t, v);
}

void thrift_byte(struct thrift *t, int16_t id, int8_t v)
{
	head(t, id, THRIFT_BYTE);
	tdat_build_u8(t->out, (uint8_t)v);
}

/* The value of a boolean field is its type. */
void thrift_bool(struct thrift *t, int16_t id, bool v)
{
	head(t, id, v ? THRIFT_TRUE : THRIFT_FALSE);
}

void thrift_binary(struct thrift *t, int16_t id, const void *p, size_t len)
{
	head(t, id, THRIFT_BINARY);
	thrift_put_binary(t, p, len);
}

void thrift_string(struct thrift *t, int16_t id, const char *s)
{
	thrift_binary(t, id, s, strlen(s));
}

/* Begins a struct that is an element of a list; thrift_end() must follow. */
void thrift_put_struct(struct thrift *t)
{
	if (t->depth + 1 < THRIFT_DEPTH)
		t->last[++t->depth] = 0;
	else
		t->out->failed = true; /* no struct of Parquet is that deep */
}

void thrift_struct(struct thrift *t, int16_t id)
{
	head(t, id, THRIFT_STRUCT);
	thrift_put_struct(t);
}

void thrift_raw(struct thrift *t, int16_t id, enum thrift_type type, struct tdat_span value)
{
	head(t, id, type);
	tdat_build_bytes(t->out, value.ptr, value.len);
}

/* An empty struct, as the members of unions often are. */
void thrift_empty(struct thrift *t, int16_t id)
{
	thrift_struct(t, id);
	thrift_end(t);
}

/* Begins a list; its count elements must follow by the thrift_put functions. */
void thrift_list(struct thrift *t, int16_t id, enum thrift_type type, size_t count)
{
	head(t, id, THRIFT_LIST);
	if (count < 15) {
		tdat_build_u8(t->out, (uint8_t)(count << 4 | type));
		return;
	}
	tdat_build_u8(t->out, (uint8_t)(0xf0 | type));
	varint_put(t->out, count);
}

void thrift_put_i64(struct thrift *t, int64_t v)
{
	varint_put(t->out, zigzag(v));
}

void thrift_put_bool(struct thrift *t, bool v)
{
	tdat_build_u8(t->out, v ? THRIFT_TRUE : THRIFT_FALSE);
}

void thrift_put_binary(struct thrift *t, const void *p, size_t len)
{
	varint_put(t->out, len);
	tdat_build_bytes(t->out, p, len);
}

void thrift_put_pair(struct thrift *t, struct tdat_span key, struct tdat_span value)
{
	thrift_put_struct(t);
	thrift_binary(t, 1, key.ptr, key.len);
	thrift_binary(t, 2, value.ptr, value.len);
	thrift_end(t);
}
