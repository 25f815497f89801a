/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Between the files of the check. */
#ifndef TDAT_READ_CHECK_PARTS_H
#define TDAT_READ_CHECK_PARTS_H

#include <tdat/check.h>

#include "stream.h"

struct check {
	const struct tdat_file *file;
	tdat_finding_fn fn;
	void *ctx;
	struct tdat_check_result result;
	enum tdat_status status; /* of fn, or of memory and I/O */
	struct tdat_error err;
	bool *known;             /* by id: a format describes it, or it has been told */
};

void check_tell(struct check *c, enum tdat_severity severity, uint64_t off, const char *cost,
		const char *fmt, ...) TDAT_PRINTF(5, 6);

/* Options that cannot be what they say. */
void check_options(struct check *c);

/* Formats that do not parse, print formats that do not compile, ids used twice. */
void check_formats(struct check *c);

#endif
