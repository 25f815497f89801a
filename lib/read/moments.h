/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Names of tasks at a moment: option TASK_NAMES of files that importers make of captures in which
 * a task has several names in turn. Events are printed with the name of their time.
 */
#ifndef TDAT_READ_MOMENTS_H
#define TDAT_READ_MOMENTS_H

#include "file/file.h"

struct read_moment {
	uint64_t ts; /* from then on, as the ring buffer has it */
	int32_t pid;
	struct tdat_span comm; /* in the option */
};

struct read_moments {
	struct read_moment *list; /* by pid and time */
	size_t count;
};

/* Takes over what the option says, up to its first row that is cut. */
enum tdat_status read_moments_init(struct read_moments *m, const struct tdat_file *file,
				   struct tdat_error *err);
void read_moments_fini(struct read_moments *m);

/* The name that the pid has at ts; ptr NULL: the option says none. */
struct tdat_span read_moments_find(const struct read_moments *m, int32_t pid, uint64_t ts);

#endif
