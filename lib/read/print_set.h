/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Declares what printing needs of all inputs of an iterator: the programs of their events, made
 * once on first use and shared by the printers of all threads.
 */
#ifndef TDAT_READ_PRINT_SET_H
#define TDAT_READ_PRINT_SET_H

#include <stdatomic.h>

#include <tdat/print.h>

#include "model/tep_fallback.h"
#include "file/file.h"

enum { PRINT_HEAD_ROOM = 32 };

/* One event type, ready to print. */
struct print_event {
	const struct tdat_event_format *format; /* NULL: the file does not describe the id */
	struct model_print *print;
	char *head; /* " name: " and blanks; PRINT_HEAD_ROOM bytes or more */
	size_t head_len;
	bool may_nul;		  /* its text can hold a NUL byte */
	struct print_event *next; /* of its file's list */
};

/* How lines of one buffer begin. */
struct print_buffer {
	char *prefix; /* "file: ", or blanks, or "" */
	size_t prefix_len;
};

struct print_file {
	const struct tdat_file *file;
	uint64_t memory_failures; /* of the file, before */
	struct model_env env;
	struct model_tep *tep;
	bool usecs;							 /* times as seconds */
	bool use_trace_clock;						 /* of --ts-diff */
	const struct tdat_field *flags, *preempt, *migrate, *lock_depth; /* common fields */
	struct print_buffer *buffers;					 /* one per buffer */
	_Atomic(struct print_event *) *events;				 /* by id */
	struct print_event *made; /* all of them, under the set's lock */
};

struct print_set {
	struct tdat_print_opts opts;
	struct print_file *files;
	size_t file_count;
	pthread_mutex_t lock;
	atomic_size_t refs;
};

enum tdat_status print_set_new(struct print_set **out, const struct tdat_iter_input *inputs,
			       size_t input_count, const struct tdat_print_opts *opts,
			       struct tdat_error *err);
/* TDAT_E_NOMEM if since print_set_new formats or names could not be made for want of memory. */
enum tdat_status print_set_memory(const struct print_set *s, struct tdat_error *err);
void print_set_ref(struct print_set *s);
void print_set_put(struct print_set *s);

/* Makes what printing the event type of an id needs; NULL only without memory. */
const struct print_event *print_set_make(struct print_set *s, struct print_file *f, uint32_t id);

static inline const struct print_event *print_set_event(struct print_set *s, struct print_file *f,
							uint32_t id)
{
	struct print_event *e;

	id &= FILE_ID_COUNT - 1;
	e = atomic_load_explicit(&f->events[id], memory_order_acquire);
	return e ? e : print_set_make(s, f, id);
}

/* Appends what report prints before "cpus=" of an input. */
void print_set_file_name(const struct print_set *s, size_t input, struct tdat_build *out);

#endif
