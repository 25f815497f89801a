/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Writes structs in Thrift's compact protocol, which the heads of Parquet's pages, its indexes
 * and its footer are in. Fields of a struct are written in the order of their ids.
 *
 * Source: Apache Thrift, doc/specs/thrift-compact-protocol.md
 */
#ifndef PARQUET_THRIFT_H
#define PARQUET_THRIFT_H

#include "core/build.h"

enum thrift_type {
	THRIFT_TRUE = 1,
	THRIFT_FALSE = 2,
	THRIFT_BYTE = 3,
	THRIFT_I16 = 4,
	THRIFT_I32 = 5,
	THRIFT_I64 = 6,
	THRIFT_BINARY = 8,
	THRIFT_LIST = 9,
	THRIFT_STRUCT = 12,
};

enum { THRIFT_DEPTH = 16 };

struct thrift {
	struct tdat_build *out;
	int16_t last[THRIFT_DEPTH]; /* id of the field before, for each open struct */
	unsigned int depth;
};

/* A value of its own: the struct that is written first is open already. */
static inline struct thrift thrift_open(struct tdat_build *out)
{
	return (struct thrift){.out = out};
}

/* Ends the struct that was opened last, also the first one. */
void thrift_end(struct thrift *t);

void thrift_i16(struct thrift *t, int16_t id, int16_t v);
void thrift_i32(struct thrift *t, int16_t id, int32_t v);
void thrift_i64(struct thrift *t, int16_t id, int64_t v);
void thrift_byte(struct thrift *t, int16_t id, int8_t v);
void thrift_bool(struct thrift *t, int16_t id, bool v);
void thrift_binary(struct thrift *t, int16_t id, const void *p, size_t len);
void thrift_string(struct thrift *t, int16_t id, const char *s);
void thrift_struct(struct thrift *t, int16_t id);
/* A field whose value is encoded already. */
void thrift_raw(struct thrift *t, int16_t id, enum thrift_type type, struct tdat_span value);
/* An element of a list of KeyValue, as parquet.thrift calls them. */
void thrift_put_pair(struct thrift *t, struct tdat_span key, struct tdat_span value);
/* A field that is a struct without fields. */
void thrift_empty(struct thrift *t, int16_t id);

/* The head of a list; count elements must follow, by the functions below. */
void thrift_list(struct thrift *t, int16_t id, enum thrift_type type, size_t count);
void thrift_put_i64(struct thrift *t, int64_t v);
void thrift_put_bool(struct thrift *t, bool v);
void thrift_put_binary(struct thrift *t, const void *p, size_t len);
/* Opens a struct that is an element; thrift_end ends it. */
void thrift_put_struct(struct thrift *t);

/* Numbers as the protocol, and also Parquet's encodings, have them. */
void varint_put(struct tdat_build *out, uint64_t v);
static inline uint64_t zigzag(int64_t v)
{
	return (uint64_t)v << 1 ^ (uint64_t)(v >> 63);
}

#endif
