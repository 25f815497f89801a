/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Ends a recorded program, with the line that failed, when something does not hold. */
#ifndef TESTS_RECORD_CHECK_H
#define TESTS_RECORD_CHECK_H

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#define CHECK(what)                                                                                \
	do {                                                                                       \
		if (!(what)) {                                                                     \
			printf("line %d: %s (errno %d)\n", __LINE__, #what, errno);                \
			exit(1);                                                                   \
		}                                                                                  \
	} while (0)

#endif
