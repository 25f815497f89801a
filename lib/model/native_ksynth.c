/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Prints synthetic events as the kernel does, which separates values with a blank where their
 * print fmt has a comma: "lat=12 comm=sh stack=STACK:" and a line for each address. Which
 * fields are strings, stacks or numbers is found once from the format.
 */
#include <stdlib.h>
#include <string.h>

#include "native_kernel.h"

enum value_kind { VALUE_NUMBER, VALUE_HEX, VALUE_STRING, VALUE_STACK };

/* One field of a synthetic event. */
struct synth_value {
	const char *name;
	uint32_t off, len;
	uint8_t kind;
	bool is_signed;
	bool is_loc; /* the field says where the bytes are */
};

struct synth {
	struct model_native base;
	size_t count;
	struct synth_value values[];
};

/*
 * Prints a stack, a line for each address. Since Linux 6.4 the number of addresses is the first
 * word; before, a 0 ends them. An address is never as small as a count.
 */
static void put_stack(const struct synth *s, const struct model_event *event,
		      const struct synth_value *v, struct tdat_build *out)
{
	const struct tdat_span stack = native_loc(event->record, v->off, s->base.format->big);
	const size_t step = s->base.env->long_size;
	const bool counted = native_load(stack, 0, step, s->base.format->big) <= stack.len / step;

	native_lit(out, "STACK:\n");
	for (size_t off = counted ? step : 0; off + step <= stack.len; off += step) {
		const uint64_t addr = native_load(stack, off, step, s->base.format->big);

		if (!addr && !counted)
			break;
		native_lit(out, "=> ");
		native_symbol(s->base.env, event, addr, out);
		tdat_build_u8(out, '\n');
	}
}

/* Prints a string of the record's dynamic part, or one of a fixed array. */
static void put_string(const struct synth *s, const struct model_event *event,
		       const struct synth_value *v, struct tdat_build *out)
{
	if (v->is_loc)
		native_text(out,
			    native_cstr(native_loc(event->record, v->off, s->base.format->big), 0));
	else
		native_text(out, native_str(event->record, v->off, v->len));
}

/* Prints a number. The kernel prints those of less than four bytes without a sign. */
static void put_number(const struct synth *s, const struct model_event *event,
		       const struct synth_value *v, struct tdat_build *out)
{
	const uint64_t n = native_load(event->record, v->off, v->len, s->base.format->big);

	if (v->kind == VALUE_HEX)
		tdat_number_x64(out, n, 0);
	else if (v->is_signed)
		tdat_number_i64(out, v->len == 4 ? (int32_t)n : (int64_t)n);
	else
		tdat_number_u64(out, n);
}

/*
 * Prints "name=value" with blanks between them (print_synth_event() of
 * kernel/trace/trace_events_synth.c).
 */
static bool synth_run(const struct model_native *self, const struct model_event *event,
		      struct tdat_build *out)
{
	const struct synth *s = (const struct synth *)self;

	for (size_t i = 0; i < s->count; i++) {
		const struct synth_value *v = &s->values[i];

		tdat_build_str(out, v->name);
		tdat_build_u8(out, '=');
		if (v->kind == VALUE_STACK) {
			put_stack(s, event, v, out);
			continue; /* its last line ends what is printed of it */
		}
		if (v->kind == VALUE_STRING)
			put_string(s, event, v, out);
		else
			put_number(s, event, v, out);
		if (i + 1 < s->count)
			tdat_build_u8(out, ' ');
	}
	return true;
}

/* Chooses how a field is printed by its type. False: no synthetic event has such a field. */
static bool set_value(struct synth_value *v, const struct tdat_field *f)
{
	v->name = f->name;
	v->off = f->off;
	v->len = f->len;
	v->is_loc = model_field_is_loc(f);
	/* The kernel takes the sign from the type's name. */
	v->is_signed = *f->type != 'u' && strcmp(f->type, "gfp_t") != 0;
	if (f->flags & TDAT_FIELD_STRING || strstr(f->type, "char["))
		v->kind = VALUE_STRING;
	else if (strstr(f->type, "long["))
		v->kind = VALUE_STACK;
	else if (!strcmp(f->type, "gfp_t"))
		v->kind = VALUE_HEX;
	else
		v->kind = VALUE_NUMBER;
	return v->kind == VALUE_STRING || v->kind == VALUE_STACK || model_is_number_len(v->len);
}

enum tdat_status native_ksynth_new(struct model_native **out,
				   const struct tdat_event_format *format,
				   const struct model_env *env, struct tdat_error *err)
{
	const size_t count = format->field_count - format->common_count;
	struct synth *s =
		native_new(sizeof(*s) + count * sizeof(s->values[0]), synth_run, format, env, err);
	bool known = env->long_size == 4 || env->long_size == 8;

	if (!s)
		return TDAT_E_NOMEM;
	s->count = count;
	for (size_t i = 0; i < count && known; i++)
		known = set_value(&s->values[i], &format->fields[format->common_count + i]);
	if (known)
		*out = &s->base;
	else
		free(s);
	return TDAT_OK;
}
