/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Computes keys, values and variables of an event, by the kernel's arithmetic. Numbers are read
 * at fixed offsets that plan.c has checked against the record's length; a record that is too
 * short takes the slow way. Division, shifts and logarithms are those of the kernel, overflow
 * included. Called for each hit by hit.c and batch.c.
 */
#include "eval.h"

#include "expr.h"
#include "read.h"
#include "tasks.h"

/* The logarithm of the power of two that is not below v. */
static uint64_t log2_up(uint64_t v)
{
	return v < 2 ? 0 : 64 - (uint64_t)__builtin_clzll(v - 1);
}

/* Evaluates fields that hist_eval_leaf() leaves out: small numbers, constants, and operators. */
uint64_t hist_eval_slow(const struct hist_eval *ev, const struct hist_field *f)
{
	const struct hist_hit *hit = ev->hit;
	const uint8_t *p = f->field ? hit->record + f->field->off : NULL;
	uint64_t v;

	switch (f->fn) {
	case HIST_FN_VAR_REF:
		return ev->refs[f->ref_idx].num;
	case HIST_FN_CONST:
		return f->constant;
	case HIST_FN_LOG2:
		return log2_up(hist_eval(ev, f->operands[0]));
	case HIST_FN_S16:
		return (uint64_t)(int64_t)(int16_t)tdat_load16(p, ev->h->big);
	case HIST_FN_U16:
		return tdat_load16(p, ev->h->big);
	case HIST_FN_S8:
		return (uint64_t)(int64_t)(int8_t)*p;
	case HIST_FN_U8:
		return *p;
	case HIST_FN_NEG:
		/* Unsigned arithmetic wraps, as the kernel's u64 does. */
		return 0 - hist_eval(ev, f->operands[0]);
	case HIST_FN_SUB:
	case HIST_FN_ADD:
	case HIST_FN_MUL:
	case HIST_FN_DIV:
	case HIST_FN_DIV_POWER:
	case HIST_FN_DIV_CONST:
	case HIST_FN_DIV_SHIFT:
		v = hist_eval(ev, f->operands[0]);
		return hist_expr_apply(f->fn, v, hist_eval(ev, f->operands[1]), f->operands[1]);
	/* Strings and stacks have no number. */
	case HIST_FN_NONE:
	case HIST_FN_STRING:
	case HIST_FN_DYN:
	case HIST_FN_REL:
	case HIST_FN_EXECNAME:
	case HIST_FN_STACK:
		return 0;
	default:
		return hist_eval(ev, f);
	}
}

/* Returns the value of a reference with its string or stack; other fields have a number only. */
struct hist_value hist_eval_value(const struct hist_eval *ev, const struct hist_field *f)
{
	if (f->fn == HIST_FN_VAR_REF)
		return ev->refs[f->ref_idx];
	return (struct hist_value){hist_eval(ev, f), NULL};
}

/* ---- stacks ---- */

/* The frames of a stack field: a number of frames as a long, then the frames. */
static uint32_t field_frames(const struct hist_eval *ev, const struct hist_field *f,
			     uint64_t out[HIST_FRAMES])
{
	const uint32_t w = ev->h->long_len, off = f->field->off;
	uint32_t loc, at, len, count = 0;
	uint64_t n;

	if (off > ev->hit->len || ev->hit->len - off < 4)
		return 0;
	/* A __data_loc: the offset in the lower 16 bits, the length in the upper ones. */
	loc = tdat_load32(ev->hit->record + off, ev->h->big);
	at = loc & 0xffff;
	len = loc >> 16;
	/* Damaged records may point outside: the stack then has no frames. */
	if (at > ev->hit->len || len > ev->hit->len - at || len < w)
		return 0;
	n = tdat_load_uint(ev->hit->record + at, w, ev->h->big);
	for (; count < n && count < HIST_FRAMES && (count + 2) * w <= len; count++)
		out[count] = tdat_load_uint(ev->hit->record + at + (count + 1) * w, w, ev->h->big);
	return count;
}

/*
 * Frames of a stack field, or of the event's own kernel stack if f is not a field. At most
 * HIST_FRAMES.
 */
static uint32_t frames_of(const struct hist_eval *ev, const struct hist_field *f,
			  uint64_t out[HIST_FRAMES])
{
	uint32_t count;

	if (f->field)
		return field_frames(ev, f, out);
	count = ev->hit->frame_count < HIST_FRAMES ? ev->hit->frame_count : HIST_FRAMES;
	if (count)
		memcpy(out, ev->hit->frames, count * sizeof(*out));
	return count;
}

/* ---- strings ---- */

/* Returns the bytes before the first NUL; empty if they lie outside the record. */
static struct tdat_span string_of(const struct hist_eval *ev, const struct hist_field *f)
{
	struct tdat_span s = {(const uint8_t *)"", 0};

	if (!f->field || !hist_read_bytes(ev->h, f->field, ev->hit, &s))
		return (struct tdat_span){(const uint8_t *)"", 0};
	return hist_until_nul(s);
}

void hist_eval_text(const struct hist_eval *ev, const struct hist_field *f, uint32_t task,
		    struct hist_text *out)
{
	struct tdat_span s;
	/*
	 * A variable holds HIST_STR bytes at most, its NUL included (the kernel's STR_VAR_LEN_MAX).
	 */
	size_t most = f->size < HIST_STR ? f->size : HIST_STR;

	if (f->flags & HF_STRING) {
		s = f->fn == HIST_FN_EXECNAME ? hist_tasks_name(ev->h, task) : string_of(ev, f);
		if (s.len >= most)
			s.len = most ? most - 1 : 0;
		out->len = (uint32_t)s.len;
		if (s.len)
			memcpy(out->u.text, s.ptr, s.len);
	} else {
		out->len = frames_of(ev, f, out->u.frames);
	}
}

/* ---- keys ---- */

/*
 * Frames are longs in the file's byte order. The rest of the key stays zero, so equal stacks have
 * equal keys.
 */
static void put_frames(const struct hist_eval *ev, const struct hist_field *f, uint8_t *out)
{
	const uint32_t w = ev->h->long_len, most = f->size / w;
	uint64_t frames[HIST_FRAMES];
	uint32_t count = frames_of(ev, f, frames);

	for (uint32_t i = 0; i < count && i < most; i++)
		tdat_store_uint(out + (size_t)i * w, w, frames[i], ev->h->big);
}

/*
 * Keys are the fields behind the values. Each starts at f->off; hist_fields_make() rounded its
 * size.
 */
void hist_eval_key(const struct hist_eval *ev, uint8_t *key)
{
	const struct hist_data *d = ev->d;

	for (uint32_t i = d->val_count; i < d->field_count; i++) {
		const struct hist_field *f = d->fields[i];
		uint8_t *out = key + f->off;

		if (f->flags & HF_STACKTRACE) {
			memset(out, 0, f->size);
			put_frames(ev, f, out);
		} else if (f->flags & HF_STRING) {
			struct tdat_span s = string_of(ev, f);
			/* The last byte of a field, and of a key, is always a NUL. */
			const size_t most =
				f->field->kind == HIST_TYPE_STATIC && f->field->len < f->size
					? f->field->len
					: f->size - 1;

			memset(out, 0, f->size);
			memcpy(out, s.ptr, s.len < most ? s.len : most);
		} else {
			tdat_store64(out, hist_eval(ev, f), ev->h->big);
		}
	}
}
