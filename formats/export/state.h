/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Declares what JSON and CSV share: inputs, and for each thread what it made of event types. */
#ifndef EXPORT_STATE_H
#define EXPORT_STATE_H

#include <tdat/export.h>

#include "core/build.h"
#include "event_type.h"
#include "put_cell.h"
#include "json_head.h"
#include "type_cache.h"

/* Bytes of text for an event of an input: tdat_file_text_max. */
struct export_room {
	size_t text_max, per_byte;
};

/* The first member of what an exporter's begin makes. */
struct export_state {
	struct tdat_iter_input *inputs;
	struct export_room *rooms; /* of each input */
	size_t input_count;
	bool text; /* the event's text is wanted, too */
	struct export_style style;
	struct tdat_cells *cells;	      /* of columns; NULL: none */
	const struct tdat_cell_type *columns; /* CSV: of the first input that has the event */
};

/* What one thread has. */
struct export_worker {
	const struct export_state *state;
	struct tdat_cells *cells;
	struct export_type_cache types; /* of export_type */
	struct tdat_printer *printer;	/* for flags and text */
	struct export_style style;
	struct export_symbols *symbols;
	struct export_heads *heads; /* JSON */
	struct tdat_build text;	    /* of names */
};

/* Takes the inputs of the request, and its option "text". After a failure only fini. */
enum tdat_status export_state_init(struct export_state *s,
				   const struct tdat_export_request *request,
				   struct tdat_error *err);
void export_state_fini(struct export_state *s);

/* The value that the request gives an option last; NULL: none. */
const char *export_option(const struct tdat_export_request *request, const char *key);

enum tdat_status export_end_free(void *state, struct tdat_build *tail, struct tdat_error *err);

/* As tdat_sink_ops have them; ctx starts with the state, the worker is an export_worker. */
enum tdat_status export_open(void *ctx, void **worker, struct tdat_error *err);
void export_close(void *worker);

/* *type is NULL when the file does not describe the event. */
enum tdat_status export_worker_type(struct export_worker *w, const struct tdat_event *ev,
				    const struct export_type **type, struct tdat_error *err);

/* How long an event's fields may become, but for the last value. */
size_t export_text_max(const struct export_state *s, const struct tdat_event *ev);

const char *export_buffer_name(const struct export_state *s, const struct tdat_event *ev);

#endif
