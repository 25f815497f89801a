/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Prints hrtimer_start and hrtimer_expire_entry as the plugin hrtimer of libtraceevent does.
 * The plugin prints the timer, its function by name, and times; field names changed between
 * kernels, so each handler takes the one that the format has.
 */
#include "native_tables.h"

#include "native_util.h"

#define FUNC_LEN 127 /* the plugin prints through a buffer of 128 bytes */

struct hrtimer {
	struct model_native base;
	const struct model_env *env;
	struct native_field timer; /* or "hrtimer" */
	struct native_field now, function, expires, softexpires;
};

/* Prints a time in nanoseconds; the plugin ignores its sign. */
static void print_time(const struct hrtimer *h, const struct native_field *f,
		       struct tdat_span record, struct tdat_build *out)
{
	uint64_t v;

	if (!native_num(f, record, &v))
		native_no_field(f, out);
	else if (h->env->kernel)
		tdat_number_i64(out, native_signed(f, v));
	else
		tdat_number_u64(out, v);
}

/* Prints the address of the timer. */
static void print_timer(const struct hrtimer *h, struct tdat_span record, struct tdat_build *out)
{
	uint64_t v;

	native_lit(out, "hrtimer=");
	if (!native_num(&h->timer, record, &v)) {
		native_no_field(&h->timer, out);
		return;
	}
	native_lit(out, "0x");
	tdat_number_x64(out, v, 0);
}

/*
 * Prints " function=name/0x..." with the offset of the address into the function. The plugin
 * subtracts the wrong way round, which --compat keeps.
 */
static void print_function(const struct hrtimer *h, const struct model_event *event,
			   struct tdat_build *out)
{
	const bool kernel = h->env->kernel;
	struct tdat_span name;
	uint64_t v, start;
	size_t from;

	/* Without the field the plugin prints nothing. */
	if (!native_num(&h->function, event->record, &v))
		return;
	native_lit(out, " function=");
	from = out->len;
	name = native_name(h->env, event, v, &start);
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
static bool hrtimer_expire_run(const struct model_native *self, const struct model_event *event,
			       struct tdat_build *out)
{
	const struct hrtimer *h = (const struct hrtimer *)self;

	print_timer(h, event->record, out);
	native_lit(out, " now=");
	print_time(h, &h->now, event->record, out);
	print_function(h, event, out);
	return true;
}

/* Prints a start: the timer, its callback and both ends of the range in which it may expire. */
static bool hrtimer_start_run(const struct model_native *self, const struct model_event *event,
			      struct tdat_build *out)
{
	const struct hrtimer *h = (const struct hrtimer *)self;

	print_timer(h, event->record, out);
	print_function(h, event, out);
	native_lit(out, " expires=");
	print_time(h, &h->expires, event->record, out);
	native_lit(out, " softexpires=");
	print_time(h, &h->softexpires, event->record, out);
	return true;
}

/* Makes the handler of either event. Old kernels call the field "timer", newer ones "hrtimer". */
static enum tdat_status hrtimer_init(struct model_native **out,
				     const struct tdat_event_format *format,
				     const struct model_env *env, struct tdat_error *err,
				     bool start)
{
	struct hrtimer *h = native_alloc(sizeof(*h), format, err);

	if (!h)
		return TDAT_E_NOMEM;
	h->base.run = start ? hrtimer_start_run : hrtimer_expire_run;
	h->env = env;
	h->timer = native_field_find(format, "timer");
	if (!h->timer.number)
		h->timer = native_field_find(format, "hrtimer");
	h->now = native_field_find(format, "now");
	h->function = native_field_find(format, "function");
	h->expires = native_field_find(format, "expires");
	h->softexpires = native_field_find(format, "softexpires");
	native_field_sign(&h->now, format, env);
	native_field_sign(&h->expires, format, env);
	native_field_sign(&h->softexpires, format, env);
	*out = &h->base;
	return TDAT_OK;
}

static enum tdat_status hrtimer_expire_init(struct model_native **out,
					    const struct tdat_event_format *format,
					    const struct model_env *env, struct tdat_error *err)
{
	return hrtimer_init(out, format, env, err, false);
}

static enum tdat_status hrtimer_start_init(struct model_native **out,
					   const struct tdat_event_format *format,
					   const struct model_env *env, struct tdat_error *err)
{
	return hrtimer_init(out, format, env, err, true);
}

const struct model_native_entry native_hrtimer[] = {
	{"timer", "hrtimer_expire_entry", hrtimer_expire_init},
	{"timer", "hrtimer_start", hrtimer_start_init},
	{NULL, NULL, NULL},
};
