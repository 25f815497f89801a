/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A filter as the caller described it, before any file is known. */
#ifndef TDAT_READ_SELECT_DEF_H
#define TDAT_READ_SELECT_DEF_H

#include <tdat/iter.h>

#include "core/arena.h"
#include "model/filter.h"
#include "select_time.h"

struct tdat_filter {
	struct model_filter **exprs;
	bool *negative;
	size_t expr_count;
	char **events, **comms, **buffers;
	size_t event_count, comm_count, buffer_count;
	int32_t *pids;
	size_t pid_count;
	struct select_time from, to;
	enum tdat_filter_stacks stacks;
	struct tdat_arena arena;
};

#endif
