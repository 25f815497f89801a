/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Events of files as lists, for targets that compare them one by one. */
#ifndef TDAT_FUZZ_EVENTS_H
#define TDAT_FUZZ_EVENTS_H

#include "trace.h"

struct fuzz_event {
	uint64_t stream; /* of the buffer's name and the CPU */
	/*
	 * Of the length, as the writer rounds it, and of the record unless ids may change.
	 * Where the pid is a format tells, which may be found or not.
	 */
	uint64_t ts, hash;
	int64_t lost;
};

struct fuzz_list {
	struct fuzz_event *v;
	size_t count, cap;
	enum tdat_status status;
};

/* Appends one event; records: the record belongs to its hash. */
void fuzz_list_add(struct fuzz_list *l, const char *buffer, uint32_t cpu, uint64_t ts, int64_t lost,
		   struct tdat_span record, bool records);

/* Appends all that an iterator gives. */
void fuzz_list_read(struct fuzz_list *l, const struct tdat_iter_input *in, size_t count,
		    const struct tdat_iter_opts *opts, bool records);
void fuzz_list_fini(struct fuzz_list *l);

/* The next event of that stream at or behind index i; count: there is none. */
size_t fuzz_list_next(const struct fuzz_list *l, size_t i, uint64_t stream);

/* Text of all events as tdat dump prints it. */
struct fuzz_text {
	uint64_t len, hash;
};

enum tdat_status fuzz_print(const struct tdat_iter_input *in, uint32_t threads,
			    struct fuzz_text *text);

#endif
