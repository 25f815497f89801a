/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The part of tdat export that writes events, not tables: one file or folder of an exporter of
 * events. */
#ifndef CLI_EXPORT_EVENTS_H
#define CLI_EXPORT_EVENTS_H

#include <tdat/export.h>

#include "output/output_folder.h"

struct export_events {
	const struct tdat_exporter *exporter;
	const struct tdat_iter_input *inputs;
	size_t input_count;
	const struct tdat_iter_opts *iter;
	const struct tdat_keyed_option *options;
	size_t option_count;
	const char *output;	   /* "-": standard output */
	struct cli_folder *folder; /* an open one, for an exporter of a folder; else NULL */
	bool force;
	bool quiet; /* no notes about what the format has no place for */
	uint32_t threads;
	/* Gets what tdat_iter_damage says when all events were read. */
	void (*damage)(void *ctx, const struct tdat_stream_damage *damage, size_t count);
	void *damage_ctx;
};

/* export_events_run writes the file; *events is how many there were. An exit status. */
int export_events_run(const struct export_events *x, uint64_t *events);

#endif
