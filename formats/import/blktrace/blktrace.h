/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Declares blktrace, a kind of relay channels: its records, the names of tasks, and reading. */
#ifndef TDAT_IMPORT_BLKTRACE_BLKTRACE_H
#define TDAT_IMPORT_BLKTRACE_BLKTRACE_H

#include <tdat/base.h>
#include <tdat/emit.h>

#include "core/endian.h"
#include "core/map.h"
#include "import/relay/relay.h"

/* ---- blk_tasks.c ---- */

enum { BLK_COMM_LEN = 16, BLK_RECENT = 1024 };

struct blk_task {
	uint32_t pid;
	char comm[BLK_COMM_LEN];
};

/* All zero is an empty table. */
struct blk_tasks {
	struct blk_task *v;
	size_t cap;
	struct tdat_map map;
	const struct blk_task *recent[BLK_RECENT]; /* by pid; NULL: none yet */
	uint64_t unnamed; /* names that the full table did not take, for a warning */
};

void blk_tasks_fini(struct blk_tasks *t);
/* The name of a pid, BLK_COMM_LEN bytes filled up with NULs, valid until the next set; "" without.
 */
const char *blk_tasks_look(struct blk_tasks *t, uint32_t pid);
static inline const char *blk_tasks_comm(struct blk_tasks *t, uint32_t pid)
{
	const struct blk_task *recent = t->recent[pid % BLK_RECENT];

	return recent && recent->pid == pid ? recent->comm : blk_tasks_look(t, pid);
}
/*
 * Sets the name to text up to its first NUL; *comm is the name as it is kept, NULL when the
 * table is full. False: no memory.
 */
bool blk_tasks_set(struct blk_tasks *t, uint32_t pid, struct tdat_span text, const char **comm);

/* ---- blk_seen ---- */

/* The setup->own of this kind. */
struct blk_setup {
	unsigned int version; /* of the first file */
};

enum { BLK_NOTES_MAX = 16 * 1024 };

/* A name that a notify record gives a task. */
struct blk_note {
	int64_t key;
	uint32_t cpu, pid;
	size_t number; /* in the order in which they were read, file by file */
	uint8_t text_len;
	char text[BLK_COMM_LEN];
};

/* The own state of a reader: what its survey met. */
struct blk_seen {
	struct blk_note *notes;
	size_t count, cap;
	bool too_many; /* more than BLK_NOTES_MAX, or no memory: the list is not complete */
};

/* ---- blk_record.c ---- */

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

/* ---- blk_reader.c ---- */

extern const struct relay_kind blk_kind;

/*
 * Makes setup one of blktrace: finds version and byte order; files that cannot be read are
 * warned of and taken out. Fails when none is left.
 */
enum tdat_status blk_settle(struct relay_setup *s, struct blk_setup *own,
			    const struct relay_options *opts, struct relay_files *f,
			    const struct tdat_emit *emit, struct tdat_error *err);

/* The reading half of the kind. */
void blk_close(struct relay_reader *r);
enum tdat_status blk_next(struct relay_reader *r, struct import_merge_record *out,
			  struct tdat_error *err);
size_t blk_batch(struct relay_reader *r, struct import_merge_record *out, size_t max);

#endif
