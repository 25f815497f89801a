/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Events that are not printed by print fmt: what libtraceevent's plugins and
 * trace-cmd's own overrides do, and functions that plugins add to print fmt.
 * Each native_*.c offers a table; native.c joins them.
 */
#ifndef TDAT_MODEL_NATIVE_H
#define TDAT_MODEL_NATIVE_H

#include "print.h"

/*
 * One compiled handler. A handler with state embeds this struct first, is
 * allocated by its init function, and frees itself in fini.
 */
struct model_native {
	/*
	 * Appends the text of one event. False: the handler declines, and what
	 * print fmt gives is appended too (as libtraceevent does when a plugin
	 * returns non-zero). Where there is a run_short, it must say the same: see there.
	 */
	bool (*run)(const struct model_native *self, const struct model_event *event,
		    struct tdat_build *out);
	/*
	 * NULL, or run() for most records, in at most MODEL_NATIVE_SHORT bytes that are
	 * asked for at once. False: nothing is done, this one is for run(). The test
	 * "fast_paths" (same_text in tests/unit/read/test_fast_paths.c) compares the two for
	 * every handler that has both.
	 */
	bool (*run_short)(const struct model_native *self, const struct model_event *event,
			  struct tdat_build *out);
	void (*fini)(struct model_native *self); /* NULL: free() is enough */
};

/* No limit of a text is below it unless set by hand. */
enum { MODEL_NATIVE_SHORT = 256 };

/* One row of a table: which event, and how its handler is made. */
struct model_native_entry {
	const char *system; /* "sched" */
	const char *name;   /* "sched_switch" */
	/* *out NULL with TDAT_OK: fields are missing, print fmt is to be used. */
	enum tdat_status (*init)(struct model_native **out, const struct tdat_format *format,
				 const struct model_env *env, struct tdat_error *err);
};

/*
 * model_native_new makes the handler of a format, or NULL in *out when the
 * event has none in this style: only MODEL_PRINT_FMT has them, as report -N leaves
 * trace-cmd's own overrides out, too.
 */
enum tdat_status model_native_new(struct model_native **out, const struct tdat_format *format,
				  const struct model_env *env, enum model_print_style style,
				  struct tdat_error *err);
void model_native_free(struct model_native *n);

enum model_arg_type {
	MODEL_ARG_INT,
	MODEL_ARG_LONG,
	MODEL_ARG_PTR,	 /* bytes: from where it points to the record's end */
	MODEL_ARG_STRING /* bytes: the text */
};

struct model_arg {
	uint64_t num;
	struct tdat_span bytes;
};

/* A function that a plugin adds to print fmt: jbd2_dev_to_name() and the like. */
struct model_func {
	const char *name;
	uint8_t arg_count; /* at most MODEL_FUNC_ARGS */
	uint8_t args[4];   /* enum model_arg_type */
	/* Appends its text; the result counts where a number is wanted. */
	uint64_t (*call)(const struct model_arg *args, bool big, struct tdat_build *out);
};
enum { MODEL_FUNC_ARGS = 4 };

/* The function of that name, or NULL. name is not NUL-terminated. */
const struct model_func *model_func_find(const char *name, size_t len);

#endif
