/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What libtracecmd reads of a file, where it is there. */
#ifndef TESTS_REPAIR_BY_TRACECMD_H
#define TESTS_REPAIR_BY_TRACECMD_H

#include "unit/common/seen.h"

/*
 * Fails the test unless libtracecmd gives the events of want, on each buffer and
 * CPU in order. cpus: as the file tells. Without libtracecmd it does nothing.
 */
void check_by_tracecmd(const char *path, const struct tdat_file *file, const struct seen_all *want,
		       const char *what);

#endif
