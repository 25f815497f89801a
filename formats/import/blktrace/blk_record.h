/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Declares one record of blktrace, of version 7 or 8 and of either byte order. */
#ifndef TDAT_IMPORT_BLKTRACE_BLK_RECORD_H
#define TDAT_IMPORT_BLKTRACE_BLK_RECORD_H

#include <tdat/emit.h>

#include "core/endian.h"

enum { BLK_MAGIC = 0x65617400 };
enum { BLK_HEADER_V7 = 48, BLK_HEADER_V8 = 64 };

struct blk_record {
	uint32_t sequence;
	uint64_t time;
	uint64_t sector;
	uint32_t bytes;
	uint16_t action;     /* without BLK_CGROUP */
	uint32_t categories; /* READ 1, WRITE 2 ... */
	uint64_t raw_action;
	uint32_t pid;
	uint32_t device;
	uint32_t cpu;
	uint16_t error;
	struct tdat_span pdu;
};

enum {
	BLK_TC_WRITE = 0x2,
	BLK_TC_FLUSH = 0x4,
	BLK_TC_SYNC = 0x8,
	BLK_TC_PC = 0x200,
	BLK_TC_NOTIFY = 0x400,
	BLK_TC_AHEAD = 0x800,
	BLK_TC_META = 0x1000,
	BLK_TC_DISCARD = 0x2000,
	BLK_TC_FUA = 0x8000
};

enum { BLK_NOTIFY_PROCESS, BLK_NOTIFY_TIMESTAMP, BLK_NOTIFY_MESSAGE };

/* 0: not blktrace. Otherwise the version and byte order of the record at head. */
static inline unsigned int blk_version(struct tdat_span head, bool *big)
{
	if (head.len < 4)
		return 0;
	for (int order = 0; order < 2; order++) {
		uint32_t magic = tdat_load32(head.ptr, order);

		if ((magic & 0xffffff00) == BLK_MAGIC) {
			*big = order;
			return magic & 0xff ? magic & 0xff : 256;
		}
	}
	return 0;
}

/* data: a whole record. */
void blk_decode(unsigned int version, bool big, struct tdat_span data, struct blk_record *out);
/* Of a version that is known. */
static inline size_t blk_header_len(unsigned int version)
{
	return version == 8 ? BLK_HEADER_V8 : BLK_HEADER_V7;
}

/* Bytes behind the header; p: a whole header. */
static inline uint16_t blk_payload_len(unsigned int version, bool big, const uint8_t *p)
{
	return tdat_load16(p + (version == 8 ? 50 : 46), big);
}

uint32_t blk_probe(const struct tdat_import_input *inputs, size_t input_count);

#endif
