/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Declares a tdat_filter bound to the inputs of one iterator: a class for each event id, programs
 * that are made when the first record of an id comes, and times. It belongs to one thread.
 *
 * Kernel and user stacks pass with the event that they belong to (owners.h); or as in report: when
 * an event of their CPU and buffer has passed before; from trace-cmd 3.2 on, only when the event
 * right before was one that passed.
 */
#ifndef TDAT_READ_SELECT_H
#define TDAT_READ_SELECT_H

#include <tdat/iter.h>

#include "file/file.h"
#include "select_def.h"
#include "stream.h"

/* What is done with the events of an id; 0: all of them pass. */
enum select_class {
	SELECT_ABSENT = 1, /* none passes: no condition names the event type */
	SELECT_TEST = 2,   /* those pass that the programs of the conditions match */
	SELECT_STACK = 4,  /* it is a stack, which may also pass because of the event before */
	SELECT_NAMED = 16, /* it is a stack, and conditions name its type */
	SELECT_UNMET = 8   /* when one comes, the file is asked for their format first */
};

struct select_event;

struct select_input {
	const struct tdat_filter *def;
	const struct tdat_file *file;
	struct model_filter_env env;
	uint8_t classes[FILE_ID_COUNT]; /* enum select_class */
	uint8_t unknown;		/* of ids without a format */
	struct select_event **events;	/* by id; NULL: no record of that id has come */
	struct select_event *made;	/* the same ones as a list */
	struct model_pid_set pids;
	int32_t *pid_list;
	bool by_pid;
	bool owned;		       /* stacks pass with the events that they belong to */
	uint32_t flags_off, count_off; /* of common_flags and common_preempt_count */
	bool wants_comm;
	bool failed; /* memory ran out */
};

struct read_select {
	struct select_input *inputs;
	size_t input_count;
	struct read_times times; /* of the filter */
	/* What tables ask for beside the filter. */
	bool narrow; /* there is one of these */
	struct read_span span;
	const struct model_pid_set *pids; /* borrowed; NULL: any pid */
};

enum tdat_status read_select_new(struct read_select **out, const struct tdat_filter *def,
				 const struct tdat_iter_input *inputs, size_t input_count,
				 const struct tdat_iter_opts *opts, struct tdat_error *err);
void read_select_free(struct read_select *s);

/* Whether a buffer is wanted at all. */
bool read_select_buffer(const struct tdat_filter *def, const struct tdat_buffer *b);

/* Whether a name of a task is one of those wanted. */
bool read_select_comm(const struct tdat_filter *d, struct tdat_span comm);

/* Whether events of an id can pass. */
bool read_select_id(const struct select_input *in, uint32_t id);

/* Whether stacks pass with the events that they belong to, where a file has any. */
bool read_select_owns(const struct tdat_filter *d);

/* Whether events must pass one of the filter's expressions. */
bool read_select_wants_some(const struct tdat_filter *d);

/*
 * Whether the names of a selection may be those of event types that the file does not describe:
 * the file is then asked for the format of each id without one, as its first event comes.
 */
bool read_select_means_unnamed(const struct tdat_filter *d, const struct dat_index *ix);

/*
 * From now on only events of ids with a bit in wanted pass; but where stacks are among them that
 * may pass because of an event before, all do that did. ask_format: the file is asked for the
 * format of the others that passed until now, as their first events come, so that
 * tdat_file_undescribed knows of those that might be wanted if there was a format.
 */
void read_select_only(struct select_input *in, const uint8_t wanted[FILE_ID_COUNT / 8],
		      bool ask_format);

/* Whether an event lies in the span and has one of the pids. */
bool read_select_narrow(const struct read_select *s, uint64_t ts, int32_t pid);

/* Whether memory ran out since. */
static inline bool read_select_failed(const struct read_select *s)
{
	size_t i;

	for (i = 0; i < s->input_count; i++)
		if (s->inputs[i].failed)
			return true;
	return false;
}

bool read_select_slow(struct select_input *in, uint8_t class, uint32_t id,
		      const struct model_filter_event *ev, bool *shown);
bool read_select_owned(struct select_input *in, uint8_t class, uint32_t id,
		       const struct model_filter_event *ev, struct read_owners *owners);

/* What the kernel writes alike into an event and its stacks. */
static inline uint64_t read_select_context(const struct select_input *in, struct tdat_span record,
					   int32_t pid)
{
	const uint8_t flags = in->flags_off < record.len ? record.ptr[in->flags_off] : 0;
	const uint8_t count = in->count_off < record.len ? record.ptr[in->count_off] : 0;

	return (uint64_t)(uint32_t)pid << 16 | (uint32_t)flags << 8 | count;
}

/*
 * Whether an event passes. s keeps what stacks need that come next on its CPU in its buffer.
 */
static inline bool read_select_event(struct select_input *in, uint32_t id,
				     const struct model_filter_event *ev, struct read_stream *s)
{
	uint8_t class = id < FILE_ID_COUNT ? in->classes[id] : in->unknown;

	if (in->owned) {
		if (s->head.lost_before)
			read_owners_forget(&s->owners);
		return read_select_owned(in, class, id, ev, &s->owners);
	}
	if (class == SELECT_ABSENT)
		return false;
	if (class)
		return read_select_slow(in, class, id, ev, &s->shown);
	return s->shown = true;
}

/*
 * Whether the record at the stream's head is wanted. Names of tasks are those the
 * file was stored with.
 */
static inline bool read_select_head(const struct read_select *select, struct select_input *in,
				    const struct file_common *c, struct read_stream *s)
{
	struct model_filter_event e = {
		{s->head.rec.data, s->head.rec.len}, s->head.ts, s->cpu, 0, NULL, 0};
	const bool big = in->file->layout.big;
	uint32_t id = 0;

	if (select->times.set && (s->head.ts < select->times.from || s->head.ts > select->times.to))
		return false;
	if (s->head.rec.len >= c->type_off + c->type_len)
		id = (uint32_t)tdat_load_uint(s->head.rec.data + c->type_off, c->type_len, big);
	if (s->head.rec.len >= c->pid_off + c->pid_len)
		e.pid = (int32_t)tdat_load_uint(s->head.rec.data + c->pid_off, c->pid_len, big);
	if (select->narrow && !read_select_narrow(select, e.ts, e.pid))
		return false;
	return read_select_event(in, id, &e, s);
}

#endif
