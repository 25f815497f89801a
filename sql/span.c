/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Finds the integers that meet a comparison with a value of any type. Integers are compared
 * with integers, doubles and texts by SQLite's rules, so that no row is lost by rounding.
 */
#include "span.h"

#include <math.h>

static void set_empty(struct sql_span *s)
{
	*s = (struct sql_span){1, 0};
}

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

/* SQLite compares an integer with a double exactly, so that the bounds are those of integers. */
static void narrow_real(struct sql_span *s, enum plan_compare compare, double v)
{
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
	case SQLITE_NULL:
		set_empty(s);
		break;
	default:
		/* SQLite may take a text for a number, so that only it can tell. */
		break;
	}
}
