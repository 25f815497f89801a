/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Declares handlers of events that are not printed by their print format. Each native_*.c has a
 * table of them, which native.c joins.
 */
#ifndef TDAT_MODEL_NATIVE_HANDLER_H
#define TDAT_MODEL_NATIVE_HANDLER_H

#include "print_env.h"

/*
 * One compiled handler. A handler with state embeds this struct first, is
 * allocated by its init function, and frees itself in fini.
 */
struct model_native {
	/*
	 * Appends the text of one event. False: the text of the print format is to be
	 * appended, too, as libtraceevent does when a plugin returns other than zero. It
	 * must give the same text as run_short, where there is one: see there.
	 */
	bool (*run)(const struct model_native *self, const struct model_event *event,
		    struct tdat_build *out);
	/*
	 * NULL, or a faster run() for most records, whose text takes at most
	 * MODEL_NATIVE_SHORT bytes. False: nothing was appended, and run() is to be called
	 * for this record. The test
	 * "fast_paths" (same_text in tests/unit/read/test_fast_paths.c) compares the two for
	 * every handler that has both.
	 */
	bool (*run_short)(const struct model_native *self, const struct model_event *event,
			  struct tdat_build *out);
	void (*fini)(struct model_native *self); /* NULL: free() is enough */
};

/* Bytes of text of run_short; the default limits of a text are never lower. */
enum { MODEL_NATIVE_SHORT = 256 };

/* One row of a table: which event, and how its handler is made. */
struct model_native_entry {
	const char *system; /* "sched" */
	const char *name;   /* "sched_switch" */
	/* *out NULL with TDAT_OK: fields are missing, so that the print format is used. */
	enum tdat_status (*init)(struct model_native **out, const struct tdat_event_format *format,
				 const struct model_env *env, struct tdat_error *err);
};

#endif
