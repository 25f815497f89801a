/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Takes the events of single CPUs from other threads than the writer's: the `lane` of
 * tdat_emit_ops. A lane has its stream and its memory for itself, and shares only the spool with
 * others, where it takes a lock for an extent.
 */
#ifndef TDAT_WRITE_LANE_H
#define TDAT_WRITE_LANE_H

#include <tdat/emit.h>

struct tdat_writer;
struct write_lane;
struct write_stream;

/* Makes a lane of a stream without events. It belongs to the writer. */
enum tdat_status write_lane_new(struct tdat_writer *w, struct write_stream *s, uint32_t buffer,
				const struct tdat_emit **out, struct tdat_error *err);

/*
 * Moves what lanes still hold to the spool and adds their counts to the writer's, after all
 * threads are done. Fails if a lane did.
 */
enum tdat_status write_lanes_end(struct tdat_writer *w, struct tdat_error *err);
void write_lanes_free(struct tdat_writer *w);

#endif
