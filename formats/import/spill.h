/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Keeps bytes in an unlinked temporary file in TMPDIR (default /tmp): appended to through a
 * buffer, read at any place after a flush. The file is made with the first byte.
 */
#ifndef TDAT_IMPORT_SPILL_H
#define TDAT_IMPORT_SPILL_H

#include <tdat/source.h>

struct import_spill {
	int fd;			    /* -1: none yet */
	struct tdat_source *source; /* what was flushed when it was read last; NULL: not yet */
	uint64_t written;
	uint8_t *buf;
	size_t used;
};

void import_spill_init(struct import_spill *s);
void import_spill_fini(struct import_spill *s);

enum tdat_status import_spill_write(struct import_spill *s, const void *data, size_t len,
				    struct tdat_error *err);
enum tdat_status import_spill_flush(struct import_spill *s, struct tdat_error *err);

/* Exactly len bytes from off, of what was flushed. */
enum tdat_status import_spill_read(struct import_spill *s, uint64_t off, void *buf, size_t len,
				   struct tdat_error *err);

/* Bytes written so far, the buffered ones too. */
static inline uint64_t import_spill_len(const struct import_spill *s)
{
	return s->written + s->used;
}

#endif
