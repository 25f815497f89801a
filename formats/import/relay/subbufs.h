/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Gives the sub-buffers of a relay buffer in order of time, without their padding. */
#ifndef TDAT_IMPORT_RELAY_SUBBUFS_H
#define TDAT_IMPORT_RELAY_SUBBUFS_H

#include <tdat/emit.h>

#include "channel_files.h"
#include "import/window.h"

enum { RELAY_SUB_MAX = 1 << 26 };

enum relay_padding { RELAY_PAD_NONE, RELAY_PAD_ZERO, RELAY_PAD_COUNT };

/* How raw images of relay buffers lie in a file. */
struct relay_geometry {
	uint64_t sub_len; /* 0: no sub-buffers, the file is dense */
	enum relay_padding padding;
	uint64_t produced; /* sub-buffers ever begun; 0: unknown, not rotated */
};

/* A stretch of a file that holds records only, and maybe zeros at its end. */
struct relay_chunk {
	uint64_t off;
	uint64_t end;
};

struct relay_subbufs {
	const struct relay_geometry *geometry;
	const char *name;
	const struct tdat_emit *emit; /* NULL: quiet */
	struct import_window window;
	bool big;	 /* of padding counts */
	bool keep_zeros; /* at the end: they may belong to a record */
	uint64_t next;	 /* slot, in order of time */
};

void relay_subbufs_init(struct relay_subbufs *r, const struct relay_geometry *geometry, bool big,
			const struct relay_file *file, size_t window_len,
			const struct tdat_emit *emit);
void relay_subbufs_fini(struct relay_subbufs *r);
/* The next one, oldest first. TDAT_E_NOT_FOUND at the end. */
enum tdat_status relay_subbufs_next(struct relay_subbufs *r, struct relay_chunk *out,
				    struct tdat_error *err);
/* The byte order in which more padding counts are sound: -1 when both are alike. */
int relay_subbufs_guess_big(const struct relay_geometry *geometry,
			    const struct tdat_source *source);

#endif
