/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Hands findings to the caller, for check and repair alike. */
#ifndef TDAT_READ_TELL_H
#define TDAT_READ_TELL_H

#include <tdat/check.h>

struct read_teller {
	tdat_finding_fn fn; /* NULL: findings are only counted */
	void *ctx;
	uint64_t notes, doubts, damages;
	enum tdat_status status; /* the first failure, of fn or the owner; no finding follows it */
	struct tdat_error err;
};

/* Counts a finding, formats its sentence without control bytes, and hands it to fn. */
void read_tell(struct read_teller *t, enum tdat_severity severity, uint64_t off, const char *cost,
	       const char *fmt, ...) TDAT_PRINTF(5, 6);

/* Hands over the damage that opening the file found. */
void read_tell_opening(struct read_teller *t, const struct tdat_file *file);

#endif
