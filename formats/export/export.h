/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the export formats share. */
#ifndef EXPORT_EXPORT_H
#define EXPORT_EXPORT_H

#include <tdat/export.h>

#include "plan.h"

/* Bytes of text for an event of an input: tdat_file_text_max. */
struct export_room {
	size_t text_max, per_byte;
};

struct tdat_export {
	struct tdat_export_opts opts;
	struct tdat_iter_input *inputs;
	struct export_room *rooms; /* of each input */
	size_t input_count;
	char *system, *event;    /* CSV */
	struct tdat_build head;
	struct export_plan *columns; /* CSV: of the first input that has the event */
};

enum { EXPORT_IDS = 65536 };

/* What one thread has. */
struct export_worker {
	const struct tdat_export *export;
	struct export_plan **plans;   /* by input and id; NULL: not made yet */
	struct tdat_printer *printer; /* for flags and text */
};

extern const struct tdat_sink_ops export_json_ops, export_csv_ops;

/* As tdat_sink_ops have them; ctx is the export, the worker an export_worker. */
enum tdat_status export_open(void *ctx, void **worker, struct tdat_error *err);
void export_close(void *worker);

/* *plan is NULL when the file does not describe the event. */
enum tdat_status export_worker_plan(struct export_worker *w, const struct tdat_event *ev,
				    const struct export_plan **plan, struct tdat_error *err);

/* How long an event's fields may become, but for the last value. */
size_t export_text_max(const struct tdat_export *e, const struct tdat_event *ev);

const char *export_buffer_name(const struct tdat_export *e, const struct tdat_event *ev);
bool export_big(const struct tdat_export *e, const struct tdat_event *ev);

#endif
