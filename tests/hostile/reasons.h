/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Why fewer lines with exit status 0 can be right: the format has nothing to check
 * the changed bytes against. Each reason is tested: with those bytes, and no
 * others, put back, all events are there again.
 */
#ifndef TDAT_HOSTILE_REASONS_H
#define TDAT_HOSTILE_REASONS_H

#include "mutations.h"

enum reason {
	REASON_NONE, /* none of these: a silent loss */
	REASON_NOTHING_LOST,
	REASON_TEXT,	/* all events are there, a changed format prints them shorter */
	REASON_RECORDS, /* types and lengths of records, which still fill their pages */
	REASON_ZSTD,	/* chunks that inflate to as much: their frames have no checksum */
	REASON_MENDED,	/* the mutator made another sound file */
	REASON_COUNT
};

const char *reason_name(enum reason reason);

enum reason find_reason(const struct original *o, const uint8_t *p, size_t len);

#endif
