/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Small trace.dat files made byte by byte from the format's description, and their index. */
#ifndef TESTS_COMMON_MADE_H
#define TESTS_COMMON_MADE_H

#include "core/build.h"
#include "dat/index.h"

enum { MADE_PAGE = 64 };

/* A file that is being made; tests change bytes at the offsets that the parts note. */
struct made {
	struct tdat_build b;
	uint32_t version;

	/* of index_open */
	struct tdat_limits limits;
	uint8_t *copy;
	struct tdat_source *src;
	struct dat_index ix;
	struct tdat_error err;
};

/* Magic, version, byte order, size of long, page size, and in version 7 the compression. */
void made_init(struct made *m, uint32_t version, bool big, const char *compression);
void made_fini(struct made *m);

/* A text with its size of size_len bytes before it; where the size is. */
size_t made_text(struct made *m, unsigned size_len, const char *text);

/* header_page (its commit has 8 bytes) and header_event. */
void made_headers(struct made *m);

/* The text of an event format, with a common_type, a common_pid and a field "value". */
const char *made_format(char *out, size_t size, const char *name, uint32_t id);

/*
 * A page at the next multiple of MADE_PAGE with one record: u16 id, u16 zero, s32 pid, u32
 * value. The page's offset.
 */
uint64_t made_page(struct made *m, uint64_t ts, uint16_t id, int32_t pid, uint32_t value);

/* Changes a number that is in the file already. */
void made_set(struct made *m, size_t off, unsigned len, uint64_t value);

/*
 * The index of the first len bytes of the file, which are copied so that a sanitizer sees a
 * byte too far. May be called again: what was opened before is closed.
 */
enum tdat_status made_open(struct made *m, size_t len, bool tolerate);

/* Fails the test when opening gives another status, or a sentence without words. */
void made_fails(struct made *m, bool tolerate, enum tdat_status st, const char *words);
void made_opens(struct made *m, bool tolerate);

/* Opens tolerantly: there is a finding with these words. */
void made_finds(struct made *m, const char *words);

#endif
