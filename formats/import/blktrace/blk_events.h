/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Declares the relay_kind functions that make block:* events of blktrace records. */
#ifndef TDAT_IMPORT_BLKTRACE_BLK_EVENTS_H
#define TDAT_IMPORT_BLKTRACE_BLK_EVENTS_H

#include "import/relay/relay_output.h"

enum tdat_status blk_events_begin(struct relay_output *o, struct tdat_error *err);
enum tdat_status blk_events_record(struct relay_output *o, const struct import_merge_record *rec,
				   struct tdat_error *err);
enum tdat_status blk_events_end(struct relay_output *o, struct tdat_error *err);
void blk_events_close(struct relay_output *o);
enum tdat_status blk_events_fact(const struct relay_output *o, struct tdat_error *err);

/*
 * Names of tasks come from records of any CPU: the survey kept them, so that the events of each CPU
 * have the names that they have when all records are read in order of time.
 */
bool blk_events_prepare(struct relay_output *o, const struct relay_reader *readers, size_t count,
			enum tdat_status *st, struct tdat_error *err);
enum tdat_status blk_events_begin_part(struct relay_output *part, struct tdat_error *err);
void blk_events_end_part(struct relay_output *part);

#endif
