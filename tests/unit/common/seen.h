/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a reader gives of a file, kept to be compared with what it gives of a part of it. */
#ifndef TESTS_COMMON_SEEN_H
#define TESTS_COMMON_SEEN_H

#include <tdat/tdat.h>

struct bytes {
	uint8_t *ptr;
	size_t len;
};

/* All of a file; fails the test when it cannot be read. */
void bytes_load(struct bytes *b, const char *path);

/* The first len bytes, in an allocation of their own: a sanitizer sees a byte too far. */
uint8_t *bytes_cut(const struct bytes *b, size_t len);

/* Enough of an event to see that it is the same one. */
struct seen {
	uint64_t ts, hash;
	uint64_t end; /* of its page in the file; in compressed data of the page's last chunk */
	uint32_t cpu, buffer;
};

struct seen_all {
	struct seen *v;
	size_t count, cap;
	uint64_t latency_len; /* text of a latency tracer */
};

/* Reads all events; may be called again on the same struct. */
void seen_read(struct seen_all *all, struct tdat_file *file);
void seen_free(struct seen_all *all);

/* Of the record; equal records have equal ones. */
uint64_t seen_hash(struct tdat_span record);

/* How many events of pages that are whole in a file cut at that offset are not in got. */
size_t seen_missing(const struct seen_all *all, uint64_t cut, const struct seen_all *got);

/* How many events lie in pages that are whole in a file cut at that offset. */
size_t seen_before(const struct seen_all *all, uint64_t cut);

#endif
