/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Prints hrtimer_start and hrtimer_expire_entry as the plugin hrtimer of libtraceevent does.
 * The plugin prints the timer, its function by name, and times; field names changed between
 * kernels, so each handler takes the one that the format has.
 */
#include "native_tables.h"

#include "native_util.h"

#define FUNC_LEN 127 /* the plugin prints through a buffer of 128 bytes */

enum { TIMER, NOW, FUNCTION, EXPIRES, SOFTEXPIRES, NEW_TIMER };

/* Prints a time in nanoseconds; the plugin ignores its sign. */
static void print_time(const struct model_native *n, const struct native_field *f,
		       struct tdat_span record, struct tdat_build *out)
{
	uint64_t v;

	if (!native_num(f, record, &v))
		native_no_field(f, out);
	else if (n->env->kernel)
		tdat_number_i64(out, native_signed(f, v));
	else
		tdat_number_u64(out, v);
}

/* Prints the address of the timer. */
static void print_timer(const struct model_native *n, struct tdat_span record,
			struct tdat_build *out)
{
	uint64_t v;

	native_lit(out, "hrtimer=");
	if (!native_num(&n->f[TIMER], record, &v)) {
		native_no_field(&n->f[TIMER], out);
		return;
	}
	tdat_number_0x(out, v);
}

/*
 * Prints " function=name/0x..." with the offset of the address into the function. The plugin
 * subtracts the wrong way round, which --compat keeps.
 */
static void print_function(const struct model_native *n, const struct model_event *event,
			   struct tdat_build *out)
{
	const bool kernel = n->env->kernel;
	struct tdat_span name;
	uint64_t v, start;
	size_t from;

	/* Without the field the plugin prints nothing. */
	if (!native_num(&n->f[FUNCTION], event->record, &v))
		return;
	native_lit(out, " function=");
	from = out->len;
	name = native_name(n->env, event, v, &start);
	if (!name.ptr) {
		native_lit(out, "0x");
		tdat_number_x64(out, v, 8);
		return;
	}
	native_text(out, name);
	native_lit(out, "/0x");
	tdat_number_x64(out, kernel ? v - start : start - v, 0);
	/* The plugin formats the name into a buffer, which cuts long ones. */
	if (!kernel && out->len - from > FUNC_LEN)
		out->len = from + FUNC_LEN;
}

/* Prints an expiry: the timer, the time and the callback. */
static bool hrtimer_expire_run(const struct model_native *n, const struct model_event *event,
			       struct tdat_build *out)
{
	print_timer(n, event->record, out);
	native_lit(out, " now=");
	print_time(n, &n->f[NOW], event->record, out);
	print_function(n, event, out);
	return true;
}

/* Prints a start: the timer, its callback and both ends of the range in which it may expire. */
static bool hrtimer_start_run(const struct model_native *n, const struct model_event *event,
			      struct tdat_build *out)
{
	print_timer(n, event->record, out);
	print_function(n, event, out);
	native_lit(out, " expires=");
	print_time(n, &n->f[EXPIRES], event->record, out);
	native_lit(out, " softexpires=");
	print_time(n, &n->f[SOFTEXPIRES], event->record, out);
	return true;
}

/* Old kernels call the field "timer", newer ones "hrtimer". */
static bool hrtimer_init(struct model_native *n)
{
	if (!n->f[TIMER].number)
		n->f[TIMER] = n->f[NEW_TIMER];
	return true;
}

#define FIELDS .fields = {"timer", "-now", "function", "-expires", "-softexpires", "hrtimer"}

const struct model_native_entry native_hrtimer[] = {
	{"timer", "hrtimer_expire_entry", hrtimer_expire_run, FIELDS, .init = hrtimer_init},
	{"timer", "hrtimer_start", hrtimer_start_run, FIELDS, .init = hrtimer_init},
	{.name = NULL},
};
