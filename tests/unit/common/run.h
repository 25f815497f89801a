/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The end of every unit test's main(). */
#ifndef TDAT_TESTS_RUN_H
#define TDAT_TESTS_RUN_H

#include <stdlib.h>

#include "asserts.h"

/* Runs the suite as CK_RUN_CASE, CK_VERBOSITY and so on say; its exit status. */
static inline int run_suite(Suite *suite)
{
	SRunner *runner = srunner_create(suite);
	int failed;

	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

#endif
