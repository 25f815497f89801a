/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints the events of an iterator with the last one first. The text of a line depends
 * on the lines before it (names of tasks, folded functions, depths), so all lines are
 * made in order, compressed into an unlinked temporary file, and read from its end.
 */
#ifndef CLI_REVERSE_H
#define CLI_REVERSE_H

#include <tdat/sink.h>

struct cli_reverse {
	int fd; /* the temporary file; -1: none */
};

#define CLI_REVERSE_INIT                                                                           \
	{                                                                                          \
		-1                                                                                 \
	}

/* cli_reverse_open makes the temporary file, in TMPDIR. */
enum tdat_status cli_reverse_open(struct cli_reverse *reverse, struct tdat_error *err);
void cli_reverse_close(struct cli_reverse *reverse);

/* cli_reverse_pump does what tdat_pump does; opts->limit counts from the last event. */
enum tdat_status cli_reverse_pump(struct cli_reverse *reverse, struct tdat_iter *iter,
				  const struct tdat_sink_ops *sink, void *ctx,
				  const struct tdat_pump_opts *opts, tdat_write_fn write,
				  void *write_ctx, struct tdat_error *err);

#endif
