/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The events of an iterator, the last first. What a line says depends on lines
 * before it (names of tasks, folded functions, depths), so all are made in
 * order, kept in an unlinked temporary file, packed, and read from its end.
 */
#ifndef CLI_REVERSE_H
#define CLI_REVERSE_H

#include <tdat/sink.h>

struct cli_reverse {
	int fd; /* the temporary file; -1: none */
};

#define CLI_REVERSE_INIT {-1}

/* Makes the temporary file, in TMPDIR. */
enum tdat_status cli_reverse_open(struct cli_reverse *reverse, struct tdat_error *err);
void cli_reverse_close(struct cli_reverse *reverse);

/* As tdat_pump; opts->limit counts from the last event. */
enum tdat_status cli_reverse_pump(struct cli_reverse *reverse, struct tdat_iter *iter,
				  const struct tdat_sink_ops *sink, void *ctx, const struct tdat_pump_opts *opts, tdat_write_fn write,
				  void *write_ctx, struct tdat_error *err);

#endif
