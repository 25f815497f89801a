/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Declares what the user said of a GTSC capture, and what its time stamps mean. */
#ifndef TDAT_IMPORT_GTSC_GTSC_SETUP_H
#define TDAT_IMPORT_GTSC_GTSC_SETUP_H

#include <regex.h>

#include "core/checked.h"
#include "import/relay/capture.h"

enum gtsc_unit { GTSC_NS, GTSC_US, GTSC_MS, GTSC_S, GTSC_TSC };

struct gtsc_record_types;

/* The setup->own of the kinds text, SystemTap and record. */
struct gtsc_setup {
	enum gtsc_unit unit;
	uint64_t hz;			 /* of the unit tsc; 0: ticks stay as they are */
	bool stamped;			 /* text: some line of some file has a stamp */
	struct gtsc_record_types *types; /* of the kind record */
	const char *system;
	const char *event; /* NULL: from the capture's folder */
	bool as_print;
	bool atrace;
	const regex_t *pid_regex; /* NULL: no pid in the text */
};

/* The stamp in ns, or as it is; false when that is no 64-bit number any more. */
static inline bool gtsc_scale(const struct gtsc_setup *s, int64_t stamp, int64_t *key)
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

#endif
