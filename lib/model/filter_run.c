/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Runs a filter's program over a record. Jumps go forward only, so it ends. It is called for
 * every tested record, so it does not allocate unless a regular expression needs a NUL behind
 * its text. Reads are bounded by the record.
 */
#include <stdlib.h>
#include <string.h>

#include "core/endian.h"
#include "core/search.h"
#include "expr_op.h"
#include "filter.h"
#include "filter_ast.h"
#include "core/number.h"

/*
 * Loads a field's number; false: it ends behind the record, which is damage and fails the filter.
 */
static inline bool load(const struct model_filter_prog *p, const struct filter_ins *ins, bool sign,
			const struct model_filter_event *ev, uint64_t *v)
{
	if (ins->off > ev->record.len || ins->len > ev->record.len - ins->off)
		return false;
	*v = tdat_load_uint(ev->record.ptr + ins->off, ins->len, p->big);
	if (sign)
		*v = expr_sign(*v, 8u * ins->len);
	return true;
}

/* Compares two numbers of 64 bits, which are both signed or both unsigned. */
static inline bool compare(uint8_t op, bool sign, uint64_t l, uint64_t r)
{
	/* With the top bit flipped signed numbers are in order as unsigned ones. */
	const uint64_t flip = sign ? 1ull << 63 : 0;

	switch (op) {
	case FILTER_EQ:
		return l == r;
	case FILTER_NE:
		return l != r;
	case FILTER_LT:
		return (l ^ flip) < (r ^ flip);
	case FILTER_GT:
		return (l ^ flip) > (r ^ flip);
	case FILTER_LE:
		return (l ^ flip) <= (r ^ flip);
	default:
		return (l ^ flip) >= (r ^ flip);
	}
}

/* Divides; false: by zero, which the event's data caused and the caller counts as a failure. */
static bool divide(const struct filter_ins *ins, uint64_t l, uint64_t r, uint64_t *v)
{
	const bool mod = ins->op == FILTER_MOD;

	if (!r)
		return false;
	if (!ins->is_signed)
		*v = mod ? l % r : l / r;
	else if (r == UINT64_MAX) /* -1: the lowest number has no opposite */
		*v = mod ? 0 : 0 - l;
	else
		*v = mod ? (uint64_t)((int64_t)l % (int64_t)r)
			 : (uint64_t)((int64_t)l / (int64_t)r);
	return true;
}

/* Applies an operator of two numbers. Shifts of 64 and more give 0: C leaves them undefined. */
static bool arith(const struct filter_ins *ins, uint64_t l, uint64_t r, uint64_t *v)
{
	switch (ins->op) {
	case FILTER_ADD:
		*v = l + r;
		return true;
	case FILTER_SUB:
		*v = l - r;
		return true;
	case FILTER_MUL:
		*v = l * r;
		return true;
	case FILTER_SHL:
		*v = r < 64 ? l << r : 0;
		return true;
	case FILTER_SHR:
		*v = r < 64 ? l >> r : 0;
		return true;
	case FILTER_BAND:
		*v = l & r;
		return true;
	case FILTER_BOR:
		*v = l | r;
		return true;
	case FILTER_XOR:
		*v = l ^ r;
		return true;
	default:
		return divide(ins, l, r, v);
	}
}

/* Returns the text up to its first NUL. */
static struct tdat_span cut_at_nul(struct tdat_span s)
{
	const uint8_t *nul = s.len ? memchr(s.ptr, 0, s.len) : NULL;

	if (nul)
		s.len = (size_t)(nul - s.ptr);
	return s;
}

/* Writes "0x" and digits at the end of text, as libtraceevent shows an address without a symbol. */
static struct tdat_span hex(char *text, size_t len, uint64_t v)
{
	char *p = tdat_number_hex(text + len, v, false);

	*--p = 'x';
	*--p = '0';
	return (struct tdat_span){(const uint8_t *)p, (size_t)(text + len - p)};
}

/* No kernel has longer names of functions (KSYM_NAME_LEN and a module's). */
enum { HEX_LEN = 24, COPY_LEN = 512, SYMBOL_LEN = 1024 };

/* Finds the string of a field; num has room for one made from a number. */
static bool string_of(const struct model_filter_prog *p, const struct filter_ins *ins,
		      const struct model_filter_event *ev, char num[HEX_LEN], struct tdat_span *s)
{
	uint64_t v;

	switch (ins->source) {
	case SOURCE_COMM:
		/* This may be the first look-up of a name, from which on names stay. */
		if (ev->learn && ev->pid)
			learned_tasks_start(ev->learn);
		*s = ev->learn ? learned_tasks_find(ev->learn, ev->pid, ev->serial)
			       : p->name(p->ctx, ev->pid);
		return true;
	case SOURCE_FIXED:
		if (ins->off > ev->record.len || ins->num > ev->record.len - ins->off)
			return false;
		*s = cut_at_nul((struct tdat_span){ev->record.ptr + ins->off, (size_t)ins->num});
		return true;
	case SOURCE_DYNAMIC:
		return tdat_field_string(ins->field, ev->record, s, NULL) == TDAT_OK;
	default:
		if (!load(p, ins, ins->is_signed, ev, &v))
			return false;
		*s = (struct tdat_span){NULL, 0};
		if (ins->source == SOURCE_SYMBOL)
			*s = model_symbols_find(p->symbols, v, NULL);
		if (!s->ptr)
			*s = hex(num, HEX_LEN, v);
		if (s->len > SYMBOL_LEN)
			s->len = SYMBOL_LEN;
		return true;
	}
}

/*
 * Runs a regular expression. regexec() needs a NUL behind the text, so the text is copied: short
 * ones to the stack, which is the common case.
 */
static bool regex_match(const struct filter_regex *re, struct tdat_span s, bool *failed)
{
	char room[COPY_LEN], *text = room;
	bool hit;

	if (s.len >= sizeof(room)) {
		text = malloc(s.len + 1);
		if (!text) {
			*failed = true;
			return false;
		}
	}
	if (s.len)
		memcpy(text, s.ptr, s.len);
	text[s.len] = '\0';
	/* A short text takes less time when each of its places is tried. */
	hit = !regexec(text != room && re->has_once ? &re->once : &re->regex, text, 0, NULL, 0);
	if (text != room)
		free(text);
	return hit;
}

/* Compares a string; LIKE and EQ want a hit, UNLIKE and NE want none. */
static bool match(const struct model_filter_prog *p, const struct filter_ins *ins,
		  const struct model_filter_event *ev, bool *failed)
{
	char num[HEX_LEN];
	struct tdat_span s;
	bool equal;

	if (!string_of(p, ins, ev, num, &s)) {
		*failed = true;
		return false;
	}
	if (ins->regex)
		return regex_match(ins->regex, s, failed) == (ins->op == FILTER_LIKE);
	equal = s.len == ins->text_len && (!s.len || !memcmp(s.ptr, ins->text, s.len));
	return equal == (ins->op == FILTER_EQ);
}

/* True if a sorted set of pids has pid. */
static bool in_set(const struct model_pid_set *set, int32_t pid)
{
	size_t i;

	TDAT_SEARCH(i, set->count, set->v[i] < pid);
	return i < set->count && set->v[i] == pid;
}

/* Runs an instruction that jumps; its operands are the values below top. */
static bool test(const struct model_filter_prog *p, const struct filter_ins *ins,
		 const struct model_filter_event *ev, const uint64_t *top, bool *failed)
{
	uint64_t v = 0;

	switch (ins->code) {
	case CODE_FIELD_CMP:
		*failed = !load(p, ins, ins->source, ev, &v);
		return compare(ins->op, ins->is_signed, v, ins->num);
	case CODE_CMP:
		return compare(ins->op, ins->is_signed, top[-2], top[-1]);
	case CODE_TRUTH:
		return top[-1];
	case CODE_MATCH:
		return match(p, ins, ev, failed);
	case CODE_IN_SET:
		*failed = !load(p, ins, false, ev, &v);
		return in_set(p->set, (int32_t)(uint32_t)v);
	default:
		return in_set(p->set, ev->pid);
	}
}

/*
 * Runs the program. The parser bounded the depth of each arithmetic, so the stack cannot overflow;
 * a test empties it.
 */
enum model_filter_result model_filter_run(const struct model_filter_prog *p,
					  const struct model_filter_event *ev)
{
	uint64_t stack[FILTER_STACK_MOST + 1], *top = stack;
	uint32_t at = p->entry;
	bool failed = false;

	while (at < FILTER_JUMP_MISS) {
		const struct filter_ins *ins = &p->ins[at++];

		switch (ins->code) {
		case CODE_PUSH_NUM:
			*top++ = ins->num;
			break;
		case CODE_PUSH_FIELD:
			failed = !load(p, ins, ins->is_signed, ev, top++);
			break;
		case CODE_PUSH_CPU:
			*top++ = ev->cpu;
			break;
		case CODE_PUSH_PID:
			*top++ = (uint64_t)(int64_t)ev->pid;
			break;
		case CODE_PUSH_TS:
			*top++ = ev->ts;
			break;
		case CODE_ARITH:
			top--;
			failed = !arith(ins, top[-1], top[0], &top[-1]);
			break;
		default:
			/*
			 * A false comparison jumps to its else, so && and || evaluate only what
			 * they need.
			 */
			at = test(p, ins, ev, top, &failed) ? ins->jump_true : ins->jump_false;
			top = stack;
			break;
		}
		if (failed)
			return MODEL_FILTER_FAILED;
	}
	return at == FILTER_JUMP_MATCH ? MODEL_FILTER_MATCH : MODEL_FILTER_MISS;
}
