/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Declares what the files of tdat_check share with each other. */
#ifndef TDAT_READ_CHECK_PARTS_H
#define TDAT_READ_CHECK_PARTS_H

#include "stream.h"
#include "findings.h"

struct check_counts;

struct check {
	const struct tdat_file *file;
	struct read_findings out; /* its status: also of memory and I/O */
	struct tdat_check_result result;
	bool *met;		     /* by id: an event has it */
	struct check_counts *counts; /* of option CPUSTAT, and of the events found */
	bool unknown;		     /* an event has an id that no format describes */
};

/* Reports options whose payload does not fit their id. */
void check_options(struct check *c);

/* Reports formats that do not parse, print formats that do not compile, and ids used twice. */
void check_formats(struct check *c);

#endif
