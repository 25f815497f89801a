/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Takes the events of single CPUs from other threads than the writer's: the `cpu_emit` of
 * tdat_emit_ops. The emit of a CPU has its stream and its memory for itself, and shares only the
 * spool with others, where it takes a lock for an extent.
 */
#ifndef TDAT_WRITE_CPU_EMIT_H
#define TDAT_WRITE_CPU_EMIT_H

#include <tdat/emit.h>

struct tdat_writer;
struct write_cpu_emit;
struct write_stream;

/* Makes the emit of the CPU of a stream without events. It belongs to the writer. */
enum tdat_status write_cpu_emit_new(struct tdat_writer *w, struct write_stream *s, uint32_t buffer,
				    const struct tdat_emit **out, struct tdat_error *err);

/*
 * Moves what the emits of CPUs still hold to the spool and adds their counts to the writer's, after
 * all threads are done. Fails if one of them did.
 */
enum tdat_status write_cpu_emits_end(struct tdat_writer *w, struct tdat_error *err);
void write_cpu_emits_free(struct tdat_writer *w);

#endif
