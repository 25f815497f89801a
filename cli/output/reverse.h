/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints the events of an iterator with the last one first. The text of a line depends
 * on the lines before it (names of tasks, folded functions, depths), so all lines are
 * made in order, compressed into an unlinked temporary file, and read from its end.
 */
#ifndef CLI_REVERSE_H
#define CLI_REVERSE_H

#include <tdat/sink.h>

#include "core/spill.h"

/* Does what tdat_pump does, by way of spill; opts->limit counts from the last event. */
enum tdat_status cli_reverse_pump(struct tdat_spill *spill, struct tdat_iter *iter,
				  const struct tdat_sink_ops *sink, void *ctx,
				  const struct tdat_pump_opts *opts, tdat_write_fn write,
				  void *write_ctx, struct tdat_error *err);

#endif
