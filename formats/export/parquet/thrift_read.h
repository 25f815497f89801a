/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads Thrift's compact protocol through a cursor. What contradicts the protocol fails the cursor
 * at its place, as bytes that are missing do, so that callers check it once after a struct.
 *
 * Source: Apache Thrift, doc/specs/thrift-compact-protocol.md
 */
#ifndef PARQUET_THRIFT_READ_H
#define PARQUET_THRIFT_READ_H

#include "core/cursor.h"
#include "thrift.h"

/* Fails the cursor where it is. */
void thrift_bad(struct tdat_cursor *c);

/*
 * Reads the head of the next field. *id is that of the field before it, 0 for the first one; false:
 * the struct ends, or the cursor failed.
 */
bool thrift_field(struct tdat_cursor *c, int16_t *id, enum thrift_type *type);

/* Values. thrift_get_int is for I16, I32 and I64. */
int64_t thrift_get_int(struct tdat_cursor *c);
struct tdat_span thrift_get_binary(struct tdat_cursor *c);

/* The head of a list of elements of that type; 0: it has none, or the cursor failed. */
size_t thrift_get_list(struct tdat_cursor *c, enum thrift_type type);

/* Skips the value of a field, and returns its bytes. */
struct tdat_span thrift_get_raw(struct tdat_cursor *c, enum thrift_type type);

#endif
