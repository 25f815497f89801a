/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the user said of a GTSC capture, and what its time stamps mean. */
#ifndef TDAT_IMPORT_GTSC_GTSC_SETUP_H
#define TDAT_IMPORT_GTSC_GTSC_SETUP_H

#include <regex.h>

#include "import/relay/capture.h"

enum gtsc_unit { GTSC_NS, GTSC_US, GTSC_MS, GTSC_S, GTSC_TSC };

struct gtsc_record_types;

/* The setup->own of the kinds text, SystemTap and record. */
struct gtsc_setup {
	enum gtsc_unit unit;
	uint64_t hz;  /* of the unit tsc; 0: ticks stay as they are */
	bool stamped; /* text: some line of some file has a stamp */
	struct gtsc_record_types *types; /* of the kind record */
	const char *system;
	const char *event; /* NULL: from the capture's folder */
	bool as_print;
	bool atrace;
	const regex_t *pid_regex; /* NULL: no pid in the text */
};

/* The stamp in ns, or as it is; false when that is no 64-bit number any more. */
bool gtsc_scale(const struct gtsc_setup *s, int64_t stamp, int64_t *key);

#endif
