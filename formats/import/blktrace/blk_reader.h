/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Declares the kind blktrace of relay channels. */
#ifndef TDAT_IMPORT_BLKTRACE_BLK_READER_H
#define TDAT_IMPORT_BLKTRACE_BLK_READER_H

#include "blk_tasks.h"
#include "import/relay/capture.h"

extern const struct relay_kind blk_kind;

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

/*
 * Makes setup one of blktrace: finds version and byte order; files that cannot be read are
 * warned of and taken out. Fails when none is left.
 */
enum tdat_status blk_settle(struct relay_setup *s, struct blk_setup *own,
			    const struct relay_options *opts, struct relay_files *f,
			    const struct tdat_emit *emit, struct tdat_error *err);

#endif
