/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What targets share that take a trace.dat: small limits, events as sums, a place to write to. */
#ifndef TDAT_FUZZ_TRACE_H
#define TDAT_FUZZ_TRACE_H

#include <tdat/tdat.h>

#include "fuzz.h"

/* A slow input must be our mistake, not a generous limit. */
struct tdat_open_opts fuzz_open_opts(bool tolerate);

/* Every byte can be read. */
void fuzz_touch(struct tdat_span s);

/* A sum over bytes, piece by piece. */
#define FUZZ_HASH_INIT 0xcbf29ce484222325u
uint64_t fuzz_hash(uint64_t hash, const void *data, size_t len);

/* What the events of a file are, whichever file of them it is. */
struct fuzz_events {
	enum tdat_status status;
	uint64_t count;
	uint64_t hash; /* of buffers' names, CPUs, times, losses; of ids, pids and records if asked
			*/
	bool bad;      /* a page could not be read whole */
};

/* Fields that lie over each other cannot be turned round: then ask without records. */
struct fuzz_events fuzz_read_events(struct tdat_file *file, bool records);

/* The last one first. */
struct fuzz_events fuzz_read_backwards(struct tdat_file *file);

/* Those that a filter lets pass (NULL: all). */
struct fuzz_events fuzz_filter_events(struct tdat_file *file, const struct tdat_filter *filter);

/* What tdat_check says of a file. false: it could not be told for want of memory. */
bool fuzz_check(const struct tdat_file *file, struct tdat_check_result *result);

/* A writer to one file of this process, which fuzz_reopen opens; of one thread, or some. */
struct tdat_writer *fuzz_writer(uint32_t version, const char *compression);
struct tdat_writer *fuzz_writer_threads(uint32_t version, const char *compression,
					uint32_t threads);
/* What targets that write have in common in their byte of flags; the other bits are theirs. */
enum { FUZZ_V6 = 1, FUZZ_ZLIB = 4, FUZZ_ZSTD = 8 };
struct tdat_writer *fuzz_writer_as(uint8_t flags);
/* Finishes what went well so far, and frees the writer; a failure has its sentence. */
enum tdat_status fuzz_finish(struct tdat_writer *w, enum tdat_status st, struct tdat_error *err);
struct tdat_file *fuzz_reopen(void);

/* Tolerant: what was written may be as damaged as what it was made of; NULL: beyond reading. */
struct tdat_file *fuzz_reopen_as(bool tolerate);

#endif
