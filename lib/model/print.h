/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Declares the print format of an event as a small program that is run over its records. A
 * program is compiled once, never changes, and is shared by threads; what changes while it runs
 * is in a scratch, which belongs to one thread.
 */
#ifndef TDAT_MODEL_PRINT_H
#define TDAT_MODEL_PRINT_H

#include "print_env.h"

enum model_print_kind {
	MODEL_PRINT_COMPILED, /* a program of print fmt */
	MODEL_PRINT_NATIVE,   /* a native handler does what a plugin or trace-cmd does */
	MODEL_PRINT_FALLBACK, /* libtraceevent formats it (model/tep_fallback.c) */
	MODEL_PRINT_FIELDS,   /* name=value: print fmt is broken */
	MODEL_PRINT_PARTLY    /* compiled, but for arguments that cannot be evaluated */
};

struct model_print;
/*
 * What one thread needs to run programs: temporary memory, and names that were looked up. The
 * files of the programs that use a scratch must outlive it.
 */
struct model_scratch;

/*
 * model_print_new does not fail for a print format that it cannot compile: the events are then
 * printed in another way, and model_print_reason says why.
 */
enum tdat_status model_print_new(struct model_print **out, const struct tdat_event_format *format,
				 const struct model_env *env, enum model_print_style style,
				 struct tdat_error *err);
void model_print_free(struct model_print *p);
enum model_print_kind model_print_kind(const struct model_print *p);
/* Whether its text can hold a NUL byte. */
bool model_print_may_nul(const struct model_print *p);
/* Why it is not compiled; "" when it is. */
const char *model_print_reason(const struct model_print *p);

enum tdat_status model_scratch_new(struct model_scratch **out, struct tdat_error *err);
/* Whether it lacked memory at some time. */
bool model_scratch_failed(const struct model_scratch *s);
void model_scratch_free(struct model_scratch *s);
/* Names that programs looked up with it, for model_event.names. */
struct model_symbol_cache *model_scratch_names(struct model_scratch *s);

/*
 * model_print_run appends the event's text to out, without a final newline
 * unless print fmt has one. Never reads outside event->record and ->leaf.
 */
void model_print_run(const struct model_print *p, const struct model_event *event,
		     struct model_scratch *scratch, struct tdat_build *out);

/* The address of a function of that name; false: not known. */
typedef bool (*model_address_fn)(void *ctx, struct tdat_span name, uint64_t *addr);

struct model_invert_env {
	model_address_fn address; /* NULL: no function is known */
	void *ctx;
	const bool *shown; /* by field: whether print fmt shows it */
};

/*
 * Makes a record, in place of what out holds, that p prints as text: all fields that print fmt
 * shows have the values that the text says, all others are 0. False: there is none, or it is not
 * found; what out holds is undefined then.
 */
bool model_print_invert(const struct model_print *p, const struct model_invert_env *env,
			struct tdat_span text, struct model_scratch *scratch,
			struct tdat_build *out);

#endif
