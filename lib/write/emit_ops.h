/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Declares the functions by which a writer is a tdat_emit. */
#ifndef TDAT_WRITE_EMIT_OPS_H
#define TDAT_WRITE_EMIT_OPS_H

#include "state.h"

extern const struct tdat_emit_ops write_emit_ops;

/*
 * Gives a buffer the page size and byte order of the file unless it has them. It is called
 * with the buffer's first event, or when the file is finished; from then on the facts of the
 * capture (tdat_emit_ops.info) can no longer be given.
 */
void write_buffer_shape(struct tdat_writer *w, struct write_buffer *buf);

/* Fails when the writer is finished, and after a failure of the writer with the same sentence. */
enum tdat_status write_usable(const struct tdat_writer *w, struct tdat_error *err);

/* Adds a buffer; clock NULL: it has the file's. */
enum tdat_status write_add_buffer(struct tdat_writer *w, const char *name, const char *clock,
				  struct tdat_error *err);

/* Gives the stream of a CPU in a buffer, and makes it if there is none. */
enum tdat_status write_find_stream(struct tdat_writer *w, uint32_t number, uint32_t cpu,
				   struct write_stream **out, struct tdat_error *err);

#endif
