/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Declares what the parts of the exporter of Chrome's trace events share. */
#ifndef EXPORT_CHROME_CHROME_H
#define EXPORT_CHROME_CHROME_H

#include <tdat/export.h>
#include <tdat/field_type.h>

#include "core/build.h"
#include "core/syscalls.h"
#include "export/ctf/names.h"

/* What an event means for slices. */
enum chrome_kind {
	CHROME_INSTANT,
	CHROME_SWITCH, /* key: the task that ran; next: the one that runs */
	CHROME_IRQ_IN, /* key: the number of the interrupt */
	CHROME_IRQ_OUT,
	CHROME_SOFTIRQ_IN, /* key: the vector */
	CHROME_SOFTIRQ_OUT,
	CHROME_CALL_IN, /* a system call; key 0: raw_syscalls, 1: syscalls */
	CHROME_CALL_OUT,
	CHROME_FUNCTION_IN, /* key: the depth */
	CHROME_FUNCTION_OUT,
	CHROME_MARK_IN, /* atrace: B and E */
	CHROME_MARK_OUT,
	CHROME_MARK_COUNT, /* C; key: the process */
	CHROME_ASYNC_IN,   /* S and F; next: the cookie */
	CHROME_ASYNC_OUT
};

/*
 * What the sink makes of an event, for the exporter's pack in the same process; four texts
 * follow: the name of the slice, that of the event, its category, and its arguments, all as JSON.
 */
struct chrome_piece {
	uint64_t ts;
	int64_t lost, next;
	int32_t pid, key;
	uint32_t input, buffer, cpu;
	uint32_t kind; /* enum chrome_kind */
	uint32_t slice_len, name_len, category_len, args_len;
};

/* An event type, and where what its slices need lies. */
struct chrome_class {
	const struct tdat_event_format *format;
	struct tdat_field_types *types;
	const struct tdat_field_type *list;
	size_t count;
	enum chrome_kind kind;
	const struct tdat_field *key, *next, *text; /* NULL: not needed */
	char **keys;				    /* JSON, for each field: "prev_comm": */
	char *name; /* JSON: "sched_switch""sched", of which name_len bytes are the first */
	size_t name_len, category_len;
};

struct chrome_input {
	const struct tdat_file *file;
	const struct tdat_syscalls *calls;
	bool big;
	size_t text_max, per_byte;
};

struct chrome_tracks;
struct chrome_gzip;

struct chrome_state {
	struct chrome_input *inputs;
	size_t input_count;
	struct chrome_tracks *tracks;
	struct chrome_gzip *gzip; /* NULL: not asked for */
	struct tdat_build text;	  /* what is compressed next */
};

/* event.c: tdat_sink_ops; ctx is the state. */
extern const struct tdat_sink_ops chrome_events;

/* class.c; *out is NULL when the file does not describe the event. */
enum tdat_status chrome_class_new(struct chrome_class **out, const struct chrome_input *in,
				  uint32_t id, struct tdat_error *err);
void chrome_class_free(struct chrome_class *c);

/* tracks.c: which slices are open. */
struct chrome_tracks *chrome_tracks_new(const struct chrome_state *s);
void chrome_tracks_free(struct chrome_tracks *t);
/* Appends the trace events of a piece; texts are its four texts. */
enum tdat_status chrome_tracks_add(struct chrome_tracks *t, const struct chrome_piece *piece,
				   const uint8_t *texts, struct tdat_build *out,
				   struct tdat_error *err);

/* gzip.c */
struct chrome_gzip *chrome_gzip_new(void);
void chrome_gzip_free(struct chrome_gzip *z);
/* Appends what becomes of bytes; last ends the stream. */
enum tdat_status chrome_gzip_put(struct chrome_gzip *z, struct tdat_span bytes, bool last,
				 struct tdat_build *out, struct tdat_error *err);

#endif
