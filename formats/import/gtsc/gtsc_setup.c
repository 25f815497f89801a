/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Turns time stamps of any unit into nanoseconds. */
#include "gtsc_setup.h"

#include "core/checked.h"

bool gtsc_scale(const struct gtsc_setup *s, int64_t stamp, int64_t *key)
{
	static const uint64_t factors[] = {1, 1000, 1000000, 1000000000};
	uint64_t v = stamp < 0 ? 0 - (uint64_t)stamp : (uint64_t)stamp, rest = 0;
	bool ok = true;

	if (s->unit != GTSC_TSC) {
		ok = tdat_mul_u64(v, factors[s->unit], &v);
	} else if (s->hz) {
		/* hz is at most 10^10, so that the rest's product fits. */
		rest = v % s->hz * 1000000000 / s->hz;
		ok = tdat_mul_u64(v / s->hz, 1000000000, &v) && tdat_add_u64(v, rest, &v);
	}
	if (!ok || v > INT64_MAX) {
		ok = !s->hz && stamp == INT64_MIN && s->unit == GTSC_NS;
		*key = stamp < 0 ? INT64_MIN : INT64_MAX;
		return ok;
	}
	*key = stamp < 0 ? -(int64_t)v : (int64_t)v;
	return true;
}
