/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * tdat/export.h - events as JSON lines or CSV: sinks for tdat_pump.
 *
 *   tdat_pump(iter, tdat_export_ops(e), e, opts, write, ctx, err);
 *
 * The iterator should not keep plugin_state: folded events would be missing.
 */
#ifndef TDAT_EXPORT_H
#define TDAT_EXPORT_H

#include <tdat/sink.h>

TDAT_BEGIN_DECLS

struct tdat_export;

enum tdat_export_kind {
	/*
	 * One object a line: ts, cpu, pid, comm, flags (as in the latency columns),
	 * file (of several inputs), buffer (not of the top one), system, event,
	 * lost (a count, or true, before this event), fields, cut (fields are missing, as
	 * they would be longer than this limit), text (if asked for).
	 */
	TDAT_EXPORT_JSON = 0,
	/* One event type, a column for each field; RFC 4180. */
	TDAT_EXPORT_CSV = 1
};

struct tdat_export_opts {
	size_t size;               /* sizeof(struct tdat_export_opts) */
	enum tdat_export_kind kind;
	bool text;                 /* also the text that report prints */
	const char *system;        /* CSV: the event type */
	const char *event;
};

#define TDAT_EXPORT_OPTS_INIT                                                                      \
	{                                                                                          \
		sizeof(struct tdat_export_opts), TDAT_EXPORT_JSON, false, NULL, NULL               \
	}

/* tdat_export_new takes the inputs of the iterator. An unknown event type is
 * TDAT_E_NOT_FOUND. */
TDAT_API enum tdat_status tdat_export_new(struct tdat_export **out,
					  const struct tdat_iter_input *inputs, size_t input_count,
					  const struct tdat_export_opts *opts,
					  struct tdat_error *err);
TDAT_API void tdat_export_free(struct tdat_export *e);

/* tdat_export_head is what comes before the first event: CSV's header line. */
TDAT_API struct tdat_span tdat_export_head(const struct tdat_export *e);

/* tdat_export_ops is its sink; the export is the sink's ctx. */
TDAT_API const struct tdat_sink_ops *tdat_export_ops(const struct tdat_export *e);

TDAT_END_DECLS
#endif
