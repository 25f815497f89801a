/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Declares handlers of events that are not printed by their print format. Each native_*.c has a
 * table of them, which native.c joins.
 */
#ifndef TDAT_MODEL_NATIVE_HANDLER_H
#define TDAT_MODEL_NATIVE_HANDLER_H

#include "print_env.h"

/* A field of the handler's event, found once. */
struct native_field {
	const char *name;
	uint32_t off;
	uint32_t len;
	bool found;
	bool number; /* 1, 2, 4 or 8 bytes */
	bool big;
	uint8_t spare; /* bits of 64 that its sign fills, where it has one */
};

enum { NATIVE_FIELDS = 14 };

/* One compiled handler. A handler with more state embeds this struct first. */
struct model_native {
	/*
	 * Appends the text of one event. False: the text of the print format is to be
	 * appended, too, as libtraceevent does when a plugin returns other than zero. It
	 * must give the same text as run_short, where there is one: see there.
	 */
	bool (*run)(const struct model_native *n, const struct model_event *event,
		    struct tdat_build *out);
	/*
	 * NULL, or a faster run() for most records, whose text takes at most
	 * MODEL_NATIVE_SHORT bytes. False: nothing was appended, and run() is to be called
	 * for this record. The test
	 * "fast_paths" (same_text in tests/unit/read/test_fast_paths.c) compares the two for
	 * every handler that has both.
	 */
	bool (*run_short)(const struct model_native *n, const struct model_event *event,
			  struct tdat_build *out);
	const struct tdat_event_format *format;
	const struct model_env *env;
	struct native_field f[NATIVE_FIELDS]; /* those that its entry names, in that order */
};

/* Bytes of text of run_short; the default limits of a text are never lower. */
enum { MODEL_NATIVE_SHORT = 256 };

/* One row of a table: which event, and how its handler is made. */
struct model_native_entry {
	const char *system; /* "sched" */
	const char *name;   /* "sched_switch" */
	bool (*run)(const struct model_native *n, const struct model_event *event,
		    struct tdat_build *out);
	/*
	 * Of the event's own fields; with "@" in front, common ones are looked at first. "-": the
	 * kernel prints its sign, while libtraceevent reads all fields unsigned here.
	 */
	const char *fields[NATIVE_FIELDS];
	size_t size; /* of the handler; 0: of struct model_native */
	/* Ends making it. False: fields are missing, so that the print format is used. */
	bool (*init)(struct model_native *n);
};

#endif
