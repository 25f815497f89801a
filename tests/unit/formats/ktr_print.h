/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a KTR importer emitted, in the words of the samples' expected.txt. */
#ifndef TESTS_FORMATS_KTR_PRINT_H
#define TESTS_FORMATS_KTR_PRINT_H

#include "collect.h"

/* The whole of expected.txt; to be freed. */
char *ktr_print_all(const struct collect *c);

#endif
