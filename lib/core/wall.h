/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Times of the wall clock as people write them: in the zone that TZ names. Who reads them in a
 * sandbox calls tzset(3) before, as that reads a file.
 */
#ifndef TDAT_CORE_WALL_H
#define TDAT_CORE_WALL_H

#include "core/build.h"

/* Whether a text is meant for such a time: it has a colon. */
bool tdat_wall_is(const char *text);

/*
 * The nanoseconds since 1970 (UTC) of "10:15", "10:15:03.2" or "2026-11-26T10:15:03.2", where a
 * blank may replace the T. Without a day it is the one that is nearest to the time from first_ns to
 * last_ns. False: it is none, or one that no clock shows.
 */
bool tdat_wall_read(const char *text, uint64_t first_ns, uint64_t last_ns, uint64_t *ns);

/* Appends "2026-11-26 10:15:03.200000", with nine digits for nanoseconds. */
void tdat_wall_put(struct tdat_build *out, uint64_t ns, bool nanoseconds);

#endif
