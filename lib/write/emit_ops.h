/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The functions by which a writer is a tdat_emit. */
#ifndef TDAT_WRITE_OPS_H
#define TDAT_WRITE_OPS_H

#include "writer.h"

extern const struct tdat_emit_ops write_emit_ops;

/* Fails after finish, and after an I/O error with the same sentence. */
/* From the first event on, or without one at the end, page size and byte order stand. */
void write_buffer_shape(struct tdat_writer *w, struct write_buffer *buf);

enum tdat_status write_usable(const struct tdat_writer *w, struct tdat_error *err);

/* A further buffer; clock NULL: the file's. */
enum tdat_status write_add_buffer(struct tdat_writer *w, const char *name, const char *clock,
				  struct tdat_error *err);

/* The stream of a CPU, made when it is new. */
enum tdat_status write_find_stream(struct tdat_writer *w, uint32_t number, uint32_t cpu,
				   struct write_stream **out, struct tdat_error *err);

/* How a copy ended: a failed one leaves a writer that cannot finish. */
enum tdat_status copy_file_end(struct tdat_writer *w, enum tdat_status st,
				const struct tdat_error *err);

#endif
