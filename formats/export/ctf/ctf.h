/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Declares what the parts of the CTF exporter share: its state, event types, streams. */
#ifndef EXPORT_CTF_CTF_H
#define EXPORT_CTF_CTF_H

#include <tdat/export.h>
#include <tdat/field_type.h>

#include "core/build.h"
#include "export/number_map.h"
#include "names.h"

/* What an event's payload looks like in CTF. */
enum ctf_shape {
	CTF_WHOLE,   /* all fields of the format */
	CTF_PARTIAL, /* each field behind a byte that says whether it is there */
	CTF_UNKNOWN  /* no format: the number of the event and the bytes of its record */
};

/* Of an event that is no system call, or of one without a name. */
enum { CTF_NO_CALL = INT32_MAX };

/* What the sink's bytes begin with for each event; ctf_pack reads it in the same process. */
struct ctf_chunk {
	uint64_t ts;
	int64_t lost;
	uint32_t len; /* of the context and payload behind it */
	uint32_t input, buffer, cpu, id;
	uint32_t call; /* number of the system call of sys_enter, or CTF_NO_CALL */
	uint32_t shape;
};

/* One step that turns a record into a payload: bytes as they are, or the value of a field. */
struct ctf_step {
	bool copy;
	uint32_t off, len; /* copy */
	size_t field;
};

/* An event type of an input. */
struct ctf_class {
	const struct tdat_event_format *format;
	struct tdat_field_types *types;
	const struct tdat_field_type *list;
	size_t *fields; /* numbers of the fields that the payload has, in order */
	size_t field_count;
	struct ctf_step *steps;
	size_t step_count;
	size_t need; /* bytes of a record that has all fields that are copied */
	const struct tdat_field *flags, *preempt;
	const struct tdat_field *call_id; /* of sys_enter and sys_exit; NULL: it is neither */
	bool big;
};

/* A file: the events of a CPU of a buffer, or those of them that are later than they should be. */
struct ctf_file {
	char *name;
	struct tdat_build packet; /* empty: none is open */
	bool started;		  /* some packet was begun */
	uint64_t begin, last;	  /* times of the first and last event in the packet */
	uint64_t discarded, number;
};

struct ctf_stream {
	uint32_t buffer, cpu;
	struct ctf_file *files;
	size_t file_count, file_room;
};

struct ctf_used {
	uint32_t id, call;
	enum ctf_shape shape;
};

struct ctf_input {
	const struct tdat_file *file;
	bool big;
	size_t text_max, per_byte; /* tdat_file_text_max */
	const struct tdat_syscalls *calls;
	char **names; /* of files, for each buffer */
	size_t buffer_count;
	struct export_map streams_by_key, used_by_key;
	struct ctf_stream *streams;
	size_t stream_count, stream_room;
	struct ctf_used *used; /* event types in the order of their numbers in CTF */
	size_t used_count, used_room;
	bool compact; /* event headers are the small ones */
};

struct ctf_state {
	struct ctf_input *inputs;
	size_t input_count;
	enum ctf_names names;
	uint8_t uuid[16];
	size_t packet_len;
	uint64_t clock_offset; /* ns from 1970 to 0 of the clock; taken off each time */
	bool wall;
	tdat_export_output_fn output;
	void *output_ctx;
};

/* ---- class.c ---- */

/* *out is NULL when the file does not describe the event. */
enum tdat_status ctf_class_new(struct ctf_class **out, const struct ctf_state *state, size_t input,
			       uint32_t id, struct tdat_error *err);
void ctf_class_free(void *class);

/* ---- encode.c: tdat_sink_ops; ctx is the state ---- */
extern const struct tdat_sink_ops ctf_events;

/* ---- stream.c ---- */

/* The exporter's pack: puts the events that the sink made into packets. */
enum tdat_status ctf_pack(void *state, struct tdat_span pieces, struct tdat_build *out,
			  struct tdat_error *err);
/* Writes the packets that are open. */
enum tdat_status ctf_flush(struct ctf_state *s, struct tdat_error *err);
void ctf_streams_fini(struct ctf_input *in);

/* ---- metadata.c ---- */
enum tdat_status ctf_metadata(struct ctf_state *s, struct tdat_error *err);
/* The machine that a file was recorded on, as uname names it; empty: not known. */
struct tdat_span ctf_machine(const struct tdat_file *file);

#endif
