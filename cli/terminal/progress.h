/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A line that shows how far a long job is; only on a terminal, after a second. */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cli_progress {
	const char *what; /* "reading" */
	uint64_t start_ns;
	uint64_t shown_ns; /* when it was last drawn, 0: never */
	bool enabled;
	bool color;
};

void cli_progress_init(struct cli_progress *p, const char *what);

/*
 * cli_progress_update shows done of total things (total 0: not known), with the rate
 * and the time left. It is cheap enough to be called every few thousand events.
 */
void cli_progress_update(struct cli_progress *p, uint64_t done, uint64_t total, const char *unit);

/* cli_progress_bytes does the same for bytes: a tdat_progress_fn, its ctx the cli_progress. */
void cli_progress_bytes(void *progress, uint64_t done, uint64_t total);

/* cli_progress_clear removes the line; call it before printing anything else on stderr. */
void cli_progress_clear(struct cli_progress *p);

/* cli_progress_text makes the line without color and cursor movements, also for tests. */
void cli_progress_text(char *out, size_t room, const char *what, uint64_t done, uint64_t total,
		       const char *unit, uint64_t elapsed_ns);

#endif
