/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Prints an event by a native handler, a program, libtraceevent, or as name=value. A struct
 * model_print is made once for each event type and shared by threads; scratch memory belongs to
 * one thread. A user's plugin comes first (tep_fallback.c), then a native handler, then the
 * compiled print fmt; name=value is left for print fmts that do not compile. The limits
 * print_len and print_steps bound the text of one event. Callers are lib/read/printer.c and
 * those that need single names.
 */
#include "print.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "native.h"
#include "print_prog.h"
#include "tep_fallback.h"
#include "core/limits.h"

enum { TEP_COLUMNS = 4096 };

/* All that printing one event type needs; see print.h for the ways. */
struct model_print {
	/*
	 * Compiled in every case: it is also the way out if a handler or plugin leaves the text to
	 * it.
	 */
	struct print_prog prog;
	struct prog_env env;
	const struct tdat_event_format *format;
	struct model_native *native; /* or NULL */
	struct model_tep *tep;	     /* of PROG_FOREIGN, or NULL */
	enum model_print_style style;
	enum prog_result result;
	bool may_nul;
	enum prog_reach reach; /* of the program, where nothing else prints; else PROG_FAR */
	bool run_short;	       /* the native handler's */
	char reason[160];
};

/* Replaces the program by one of name=value. A program that was begun is dropped. */
static enum tdat_status compile_plain(struct model_print *p, const struct model_env *env,
				      struct tdat_error *err)
{
	char why[1];

	prog_fini(&p->prog);
	if (prog_compile_fields(&p->prog, p->format, env, why, sizeof(why)) == PROG_NOMEM)
		return tdat_error_no_memory(err, p->format->name);
	return TDAT_OK;
}

/* Compiles print fmt, and decides how an event prints whose print fmt does not compile. */
static enum tdat_status compile(struct model_print *p, const struct model_env *env,
				struct tdat_error *err)
{
	p->result = prog_compile(&p->prog, p->format, env, p->style, p->reason, sizeof(p->reason));
	if (p->result == PROG_NOMEM)
		return tdat_error_no_memory(err, p->format->name);
	/* Our parser does not know functions that a user's plugin brings; libtraceevent does. */
	if (p->result == PROG_BROKEN && p->style == MODEL_PRINT_FMT && env->tep &&
	    model_tep_has_function(env->tep, p->format)) {
		p->result = PROG_FOREIGN;
		p->tep = env->tep;
		return TDAT_OK;
	}
	/*
	 * libtraceevent is not asked: it crashes on a bprint without its fields, reads
	 * outside of broken records, and takes whatever memory a width asks for.
	 */
	return p->result == PROG_FOREIGN ? compile_plain(p, env, err) : TDAT_OK;
}

/*
 * True if the text may hold a NUL. Only single characters and bytes that are copied can put one
 * there; strings end before theirs. libtraceevent's line ends at a NUL, so the printer must know.
 */
static bool may_put_nul(const struct model_print *p)
{
	static const char *const clean[] = {"function", "funcgraph_entry", "funcgraph_exit",
					    "kernel_stack"};
	size_t i;

	if (p->result != PROG_OK || p->tep || p->style == MODEL_PRINT_RAW)
		return true;
	for (i = 0; i < p->prog.count; i++) {
		const struct item *it = &p->prog.items[i];

		if (it->op == I_REST || it->op == I_RAW || it->op == I_BPRINT ||
		    ((it->op == I_NUM || it->op == K_NUM) && it->spec.conv == 'c'))
			return true;
	}
	if (!p->native || strcmp(p->format->system, "ftrace"))
		return false;
	/*
	 * Handlers of ftrace events copy bytes, except for these, which print names and numbers
	 * only.
	 */
	for (i = 0; i < sizeof(clean) / sizeof(clean[0]); i++)
		if (!strcmp(p->format->name, clean[i]))
			return false;
	return true;
}

/* Sets the reason to "%p: why", and the number of further arguments that cannot be evaluated. */
static void say_lacks(struct model_print *p)
{
	const struct prog_lack *first = p->prog.lacks;
	unsigned more = 0;

	for (const struct prog_lack *l = first->next; l; l = l->next)
		more++;
	snprintf(p->reason, sizeof(p->reason), more ? "%s: %s (and %u more)" : "%s: %s",
		 first->conv, first->why, more);
}

enum tdat_status model_print_new(struct model_print **out, const struct tdat_event_format *format,
				 const struct model_env *env, enum model_print_style style,
				 struct tdat_error *err)
{
	struct model_print *p = calloc(1, sizeof(*p));
	enum tdat_status status;

	if (!p)
		return tdat_error_no_memory(err, format->name);
	p->format = format;
	p->style = style;
	p->env = prog_env_of(env, format);
	if (style == MODEL_PRINT_FMT && env->tep && model_tep_has_plugin(env->tep, format)) {
		p->result = PROG_FOREIGN;
		p->tep = env->tep;
		snprintf(p->reason, sizeof(p->reason), "a plugin prints it");
		status = compile_plain(p, env, err);
	} else {
		/* libtraceevent knows no handler of an event whose fields it cannot read. */
		status = format->cut ? TDAT_OK
				     : model_native_new(&p->native, format, env, style, err);
		if (status == TDAT_OK)
			status = compile(p, env, err);
	}
	if (status != TDAT_OK) {
		model_print_free(p);
		return status;
	}
	/* The kernel prints NUL bytes as they are; libtraceevent ends the line. */
	p->may_nul = (!env->kernel || style == MODEL_PRINT_RAW) && may_put_nul(p);
	if (p->prog.lacks && !p->reason[0])
		say_lacks(p);
	/* run_short() checks no limit, so the limit must be above its longest text. */
	p->run_short = p->native && p->native->run_short && p->prog.text_max >= MODEL_NATIVE_SHORT;
	p->reach = p->native || p->tep ? PROG_FAR : prog_reach(&p->prog);
	*out = p;
	return TDAT_OK;
}

void model_print_free(struct model_print *p)
{
	if (!p)
		return;
	model_native_free(p->native);
	prog_fini(&p->prog);
	free(p);
}

enum model_print_kind model_print_kind(const struct model_print *p)
{
	if (p->native)
		return MODEL_PRINT_NATIVE;
	if (p->result == PROG_OK)
		return p->prog.lacks ? MODEL_PRINT_PARTLY : MODEL_PRINT_COMPILED;
	return p->tep ? MODEL_PRINT_FALLBACK : MODEL_PRINT_FIELDS;
}

bool model_print_may_nul(const struct model_print *p)
{
	return p->may_nul;
}

const char *model_print_reason(const struct model_print *p)
{
	return p->reason;
}

enum tdat_status model_scratch_new(struct model_scratch **out, struct tdat_error *err)
{
	struct model_scratch *s = calloc(1, sizeof(*s));

	if (!s)
		return tdat_error_no_memory(err, "printing events");
	*out = s;
	return TDAT_OK;
}

struct model_symbol_cache *model_scratch_names(struct model_scratch *s)
{
	return &s->names;
}

bool model_scratch_failed(const struct model_scratch *s)
{
	return s->text.failed || s->pad.failed || s->invert.failed;
}

void model_scratch_free(struct model_scratch *s)
{
	if (!s)
		return;
	tdat_build_fini(&s->text);
	tdat_build_fini(&s->pad);
	tdat_build_fini(&s->invert);
	free(s);
}

/*
 * Limits of text if the caller set none. Text may grow with its record, or a long dynamic array
 * would be cut. LOW_: for files that inflate much. No event of 118 real files needs over 64 steps,
 * or has text of 16 times its length.
 */
enum { TEXT_PER_BYTE = 16, LOW_TEXT = 256, LOW_STEPS = 96 };

/* True if a limit has its default. One that the caller set is not lowered. */
static bool is_default(uint32_t limit, uint32_t usual)
{
	return !limit || limit == usual;
}

uint32_t model_text_max(const struct model_env *env)
{
	uint32_t len = env->limits ? env->limits->print_len : 0;

	if (!is_default(len, TDAT_LIMITS_DEFAULT.print_len))
		return len;
	return env->inflates_much ? LOW_TEXT : TDAT_LIMITS_DEFAULT.print_len;
}

/* A limit that the caller set is exact: it does not grow with the record. */
uint32_t model_text_per_byte(const struct model_env *env)
{
	return !env->limits || is_default(env->limits->print_len, TDAT_LIMITS_DEFAULT.print_len)
		       ? TEXT_PER_BYTE
		       : 0;
}

uint32_t model_steps_max(const struct model_env *env)
{
	uint32_t steps = env->limits ? env->limits->print_steps : 0;

	if (!is_default(steps, TDAT_LIMITS_DEFAULT.print_steps))
		return steps;
	return env->inflates_much ? LOW_STEPS : TDAT_LIMITS_DEFAULT.print_steps;
}

/* Appends the text by the first way that applies: handler, plugin, program. */
static void run(const struct model_print *p, const struct model_event *event,
		struct model_scratch *scratch, struct tdat_build *out)
{
	/*
	 * Where a native handler leaves the text to print fmt, print fmt is used as report -N
	 * does.
	 */
	const enum model_print_style style = p->native ? MODEL_PRINT_NO_PLUGINS : p->style;

	if (p->native && p->native->run(p->native, event, out))
		return;
	if (p->tep && model_tep_print(p->tep, p->format, style, event, out))
		return;
	prog_run(&p->prog, &p->env, event->record, scratch, out);
}

/*
 * Cuts the text at the limit and says so in the text. full: more was appended than the buffer took.
 */
static void cut_at_limit(size_t most_len, bool full, struct tdat_build *out)
{
	if (!full && out->len <= most_len)
		return;
	if (out->len > most_len)
		out->len = most_len;
	tdat_build_str(out, "[CUT AT LIMIT print_len]");
}

/* Returns the limit for this event; a folded exit counts as part of it. */
static size_t text_most(const struct model_print *p, const struct model_event *event)
{
	return prog_text_most(&p->prog, event->record.len + event->leaf.len);
}

/*
 * Runs on a buffer that takes no more than the limit and the most that one item asks for at once.
 * Text without a bound of its own thus cannot take all memory.
 */
static void run_held(const struct model_print *p, const struct model_event *event,
		     struct model_scratch *scratch, struct tdat_build *out)
{
	const size_t most = text_most(p, event), most_len = out->len + most;
	bool full;

	if (!tdat_build_hold(out, most + p->prog.room + MODEL_TEXT_ROOM))
		return;
	run(p, event, scratch, out);
	full = tdat_build_let_go(out);
	cut_at_limit(most_len, full, out);
}

void model_print_run(const struct model_print *p, const struct model_event *event,
		     struct model_scratch *scratch, struct tdat_build *out)
{
	const size_t start = out->len;

	/* The common case has neither limit nor hold to check. */
	if (p->run_short && p->native->run_short(p->native, event, out))
		return;
	if (p->reach == PROG_FAR) {
		run_held(p, event, scratch, out);
		return;
	}
	prog_run(&p->prog, &p->env, event->record, scratch, out);
	/* The program is bounded by its compiler: checking once, afterwards, is enough. */
	if (__builtin_expect(out->len - start > p->prog.text_max, 0))
		cut_at_limit(start + text_most(p, event), false, out);
}

/*
 * Returns of probes are printed as "(caller <- function) ...", the other way around than print fmt
 * says.
 */
static bool invert_return(const struct model_print *p, const struct model_invert_env *env,
			  struct tdat_span text, struct model_scratch *scratch,
			  struct tdat_build *out)
{
	const uint8_t *end = text.ptr + text.len;
	const uint8_t *arrow = memmem(text.ptr, text.len, " <- ", 4);
	const uint8_t *close = arrow ? memchr(arrow, ')', (size_t)(end - arrow)) : NULL;
	struct tdat_build turned;
	bool found;

	if (!close)
		return false;
	tdat_build_init(&turned, false);
	tdat_build_u8(&turned, '(');
	tdat_build_bytes(&turned, arrow + 4, (size_t)(close - arrow) - 4);
	tdat_build_str(&turned, " <- ");
	tdat_build_bytes(&turned, text.ptr + 1, (size_t)(arrow - text.ptr) - 1);
	tdat_build_bytes(&turned, close, (size_t)(end - close));
	out->failed |= turned.failed;
	found = !turned.failed &&
		print_invert_prog(&p->prog, &p->env, env,
				  (struct tdat_span){turned.ptr, turned.len}, scratch, out);
	tdat_build_fini(&turned);
	return found;
}

/* What other native handlers print is mostly like print fmt. */
bool model_print_invert(const struct model_print *p, const struct model_invert_env *env,
			struct tdat_span text, struct model_scratch *scratch,
			struct tdat_build *out)
{
	struct model_event event = {.names = &scratch->names};
	struct tdat_build *again = &scratch->invert;
	bool found;

	if (p->result != PROG_OK || p->prog.lacks)
		return false;
	if (p->native && !strncmp(p->format->print_fmt, "\"(%lx <- %lx)", 13))
		found = invert_return(p, env, text, scratch, out);
	else if (p->native && !strcmp(p->format->system, "syscalls"))
		found = print_invert_syscall(p->format, text, out);
	else
		found = print_invert_prog(&p->prog, &p->env, env, text, scratch, out);
	if (!found)
		return false;
	again->len = 0;
	event.record = (struct tdat_span){out->ptr, out->len};
	model_print_run(p, &event, scratch, again);
	return !again->failed && again->len == text.len && !memcmp(again->ptr, text.ptr, text.len);
}
