/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Declares what reading a blktrace leaves for its events: the version, and names of tasks. */
#ifndef TDAT_IMPORT_BLKTRACE_BLK_SEEN_H
#define TDAT_IMPORT_BLKTRACE_BLK_SEEN_H

#include "blk_tasks.h"

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

#endif
