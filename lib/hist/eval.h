/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Declares how fields of triggers get their values from an event. */
#ifndef TDAT_HIST_EVAL_H
#define TDAT_HIST_EVAL_H

#include "map.h"

/* Bytes of the longest key, as the kernel allows it. */
enum { HIST_KEY_MOST = HIST_STR + HIST_FRAMES * 8 };

struct hist_eval {
	const struct tdat_hist *h;
	const struct hist_data *d;
	const struct hist_hit *hit;
	const struct hist_value *refs; /* values of the variables that d refers to */
	bool usecs;
};

uint64_t hist_eval_slow(const struct hist_eval *ev, const struct hist_field *f);

/* The same for fields without operands, which most are. */
static inline uint64_t hist_eval_leaf(const struct hist_eval *ev, const struct hist_field *f)
{
	const uint8_t *p;

	/* The record was found long enough for all of them (hist_data.need_len). */
	switch (f->fn) {
	case HIST_FN_S32:
		p = ev->hit->record + f->field->off;
		return (uint64_t)(int64_t)(int32_t)tdat_load32(p, ev->h->big);
	case HIST_FN_U32:
		p = ev->hit->record + f->field->off;
		return tdat_load32(p, ev->h->big);
	case HIST_FN_S64:
	case HIST_FN_U64:
		p = ev->hit->record + f->field->off;
		return tdat_load64(p, ev->h->big);
	case HIST_FN_TIMESTAMP:
		return ev->usecs ? (ev->hit->ts + 500) / 1000 : ev->hit->ts;
	case HIST_FN_CPU:
		return ev->hit->cpu;
	case HIST_FN_COUNTER:
		return 1;
	default:
		return hist_eval_slow(ev, f);
	}
}

/* The number that a field has; strings and stacks have none. */
static inline uint64_t hist_eval(const struct hist_eval *ev, const struct hist_field *f)
{
	uint64_t v;

	if (f->fn != HIST_FN_BUCKET)
		return hist_eval_leaf(ev, f);
	v = hist_eval_leaf(ev, f->operands[0]);
	return f->buckets ? v / f->buckets * f->buckets : v;
}

/* A value with what it points to: that of a reference may be a string or a stack. */
struct hist_value hist_eval_value(const struct hist_eval *ev, const struct hist_field *f);
/* Copies a string or a stack into a variable's place; task is the number of the entry's name. */
void hist_eval_text(const struct hist_eval *ev, const struct hist_field *f, uint32_t task,
		    struct hist_text *out);
/* Writes the key of d->key_len bytes. */
void hist_eval_key(const struct hist_eval *ev, uint8_t *key);

#endif
