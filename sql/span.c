/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Finds the integers that meet a comparison with a value of any type. Integers are compared
 * with integers, doubles and texts by SQLite's rules, so that no row is lost by rounding.
 */
#include "span.h"

#include <math.h>

/* from above to: no integer. */
static void set_empty(struct sql_span *s)
{
	*s = (struct sql_span){1, 0};
}

/* Both bounds only narrow: several conditions on one column are joined by AND. */
static void at_least(struct sql_span *s, int64_t v)
{
	if (v > s->from)
		s->from = v;
}

static void at_most(struct sql_span *s, int64_t v)
{
	if (v < s->to)
		s->to = v;
}

/* Strict bounds become the next integer, which must exist. */
static void narrow_integer(struct sql_span *s, enum plan_compare compare, int64_t v)
{
	if ((compare == PLAN_GT && v == INT64_MAX) || (compare == PLAN_LT && v == INT64_MIN)) {
		set_empty(s);
		return;
	}
	if (compare == PLAN_EQ || compare == PLAN_GE || compare == PLAN_GT)
		at_least(s, v + (compare == PLAN_GT));
	if (compare == PLAN_EQ || compare == PLAN_LE || compare == PLAN_LT)
		at_most(s, v - (compare == PLAN_LT));
}

/* SQLite compares an integer with a double exactly, so the bounds are exact integers, too. */
static void narrow_real(struct sql_span *s, enum plan_compare compare, double v)
{
	/* 2^63: the first double above all integers. The smallest integer is -2^63 itself. */
	const double limit = 9223372036854775808.0;
	const bool above = compare == PLAN_GE || compare == PLAN_GT;

	if (v >= limit || v < -limit) {
		/* All integers are on one side of it. */
		if (compare == PLAN_EQ || above == (v > 0))
			set_empty(s);
		return;
	}
	if (v == floor(v))
		narrow_integer(s, compare, (int64_t)v);
	else if (compare == PLAN_EQ)
		set_empty(s);
	/* A bound between two integers: the next one above or below. */
	else if (above)
		at_least(s, (int64_t)floor(v) + 1);
	else
		at_most(s, (int64_t)floor(v));
}

void sql_span_narrow(struct sql_span *s, enum plan_compare compare, sqlite3_value *value)
{
	switch (sqlite3_value_type(value)) {
	case SQLITE_INTEGER:
		narrow_integer(s, compare, sqlite3_value_int64(value));
		break;
	case SQLITE_FLOAT:
		narrow_real(s, compare, sqlite3_value_double(value));
		break;
	/* NULL equals nothing, and is not above or below anything. */
	case SQLITE_NULL:
		set_empty(s);
		break;
	default:
		/* SQLite may take a text for a number, so only it can decide: the span stays. */
		break;
	}
}
