/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Turns conditions on numbers into the integers that can meet them. */
#ifndef SQL_SPAN_H
#define SQL_SPAN_H

#include "plan.h"

struct sql_span {
	int64_t from, to; /* both included; no integer where from is above to */
};

/* Narrows s to the integers that also meet "number COMPARE value". */
void sql_span_narrow(struct sql_span *s, enum plan_compare compare, sqlite3_value *value);

#endif
