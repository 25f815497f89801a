/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files of tests that write traces. */
#ifndef TDAT_TESTS_SCRATCH_H
#define TDAT_TESTS_SCRATCH_H

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "asserts.h"

enum { SCRATCH_PATH = 64 };

/* Makes an empty file: in memory where that can be, since each written trace is synced to the disk.
 */
static inline void scratch_file(char path[SCRATCH_PATH])
{
	int fd;

	strcpy(path,
	       access("/dev/shm", W_OK) ? "/tmp/tdat-test-XXXXXX" : "/dev/shm/tdat-test-XXXXXX");
	fd = mkstemp(path);
	ck_assert_int_ge(fd, 0);
	close(fd);
}

#endif
