/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Keeps bytes in an unlinked temporary file in TMPDIR (default /tmp): appended to through a
 * buffer, read at any place after a flush. The file is made with the first byte, or before.
 */
#ifndef TDAT_CORE_SPILL_H
#define TDAT_CORE_SPILL_H

#include <tdat/error.h>

struct tdat_spill {
	int fd;		  /* -1: none yet */
	uint64_t written; /* to the file */
	uint8_t *buf;
	size_t used;
};

void tdat_spill_init(struct tdat_spill *s);
void tdat_spill_fini(struct tdat_spill *s);

/* Makes the file now; a sandbox may forbid it later. */
enum tdat_status tdat_spill_open(struct tdat_spill *s, struct tdat_error *err);
enum tdat_status tdat_spill_write(struct tdat_spill *s, const void *data, size_t len,
				  struct tdat_error *err);
enum tdat_status tdat_spill_flush(struct tdat_spill *s, struct tdat_error *err);

/* Exactly len bytes from off, of what was flushed. */
enum tdat_status tdat_spill_read(const struct tdat_spill *s, uint64_t off, void *buf, size_t len,
				 struct tdat_error *err);

/* Bytes written so far, the buffered ones too. */
static inline uint64_t tdat_spill_len(const struct tdat_spill *s)
{
	return s->written + s->used;
}

#endif
