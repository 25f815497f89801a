/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Builds the payload of one event in the capture's byte order: the eight
 * common bytes every format file of an importer starts with, fixed fields, and
 * dynamic arrays behind them.
 *
 *	import_record_begin(&b, id, pid);
 *	tdat_build_u32(&b, seq);
 *	size_t at = import_record_loc(&b);        (a __data_loc field)
 *	import_record_dynamic(&b, at, bytes, len); (after the last fixed field)
 */
#ifndef TDAT_IMPORT_RECORD_H
#define TDAT_IMPORT_RECORD_H

#include "core/build.h"

enum { IMPORT_COMMON_LEN = 8, IMPORT_DYNAMIC_MAX = 0xffff };

/* Starts over: common_type, common_flags 0, common_preempt_count 0, common_pid. */
static inline void import_record_begin(struct tdat_build *b, uint16_t id, int32_t pid)
{
	b->len = 0;
	tdat_build_u16(b, id);
	tdat_build_u16(b, 0);
	tdat_build_u32(b, (uint32_t)pid);
}

/* Zero bytes up to a multiple of unit, as the compiler of a kernel would pad. */
static inline void import_record_align(struct tdat_build *b, size_t unit)
{
	while (b->len % unit && !b->failed)
		tdat_build_u8(b, 0);
}

/* A __data_loc field, still empty: its offset, for import_record_dynamic. */
static inline size_t import_record_loc(struct tdat_build *b)
{
	size_t at;

	import_record_align(b, 4);
	at = b->len;
	tdat_build_u32(b, 0);
	return at;
}

/*
 * Appends an array and points the __data_loc field at it. Its offset and its
 * length are 16 bits: what does not fit is cut, and false returned.
 */
static inline bool import_record_dynamic(struct tdat_build *b, size_t at, const void *p, size_t len)
{
	size_t off = b->len, room = off <= IMPORT_DYNAMIC_MAX ? IMPORT_DYNAMIC_MAX : 0;
	size_t n = len < room ? len : room;

	tdat_build_bytes(b, p, n);
	if (!n) /* viewers that print any array of bytes as a string find its end */
		tdat_build_u8(b, 0);
	if (b->failed || at + 4 > b->len)
		return false;
	tdat_store32(b->ptr + at, (uint32_t)(n << 16) | (uint32_t)(room ? off : 0), b->big);
	return n == len;
}

/* The same for text, of which a closing NUL becomes part. */
static inline bool import_record_string(struct tdat_build *b, size_t at, const void *p, size_t len)
{
	size_t n = len < IMPORT_DYNAMIC_MAX - 1 ? len : IMPORT_DYNAMIC_MAX - 1;
	size_t off = b->len;
	bool whole = import_record_dynamic(b, at, p, n);

	if (!whole || b->failed)
		return false;
	tdat_build_u8(b, 0);
	if (b->failed)
		return false;
	tdat_store32(b->ptr + at, (uint32_t)((n + 1) << 16) | (uint32_t)off, b->big);
	return n == len;
}

static inline struct tdat_span import_record_span(const struct tdat_build *b)
{
	return (struct tdat_span){b->ptr, b->len};
}

#endif
