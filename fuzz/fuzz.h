/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What fuzz targets share: one entry point for libFuzzer, AFL++ and standalone.c. */
#ifndef TDAT_FUZZ_H
#define TDAT_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Our mistake, whatever the input is. */
#define FUZZ_ASSERT(cond)                                                                          \
	do {                                                                                       \
		if (!(cond)) {                                                                     \
			fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #cond);                 \
			abort();                                                                   \
		}                                                                                  \
	} while (0)

#endif
