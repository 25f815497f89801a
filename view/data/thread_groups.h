/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the lines "pid tgid" that a file was stored with: saved_tgids of tracefs. */
#ifndef TDAT_VIEW_THREAD_GROUPS_H
#define TDAT_VIEW_THREAD_GROUPS_H

#include <stdbool.h>
#include <stdint.h>

#include "data/trace.h"

struct view_thread_group {
	int32_t pid, tgid;
};

/* The lines of a recording that have not been read yet. */
struct tdat_span view_thread_groups(const struct view_trace *t, uint32_t rec);

/* Takes the next line with two numbers from the front of lines; false: there is none. */
bool view_thread_groups_next(struct tdat_span *lines, struct view_thread_group *group);

#endif
