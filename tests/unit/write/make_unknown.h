/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A version 7 file with sections and an option that tdat knows nothing of. */
#ifndef TESTS_WRITE_MAKE_UNKNOWN_H
#define TESTS_WRITE_MAKE_UNKNOWN_H

#include <stddef.h>
#include <stdint.h>

enum { UNKNOWN_OPTION = 4711, UNKNOWN_SECTION = 900 };

/* What is in them; BTF_FILE and MODULES_FILE are the other two sections. */
extern const char unknown_option_data[5], unknown_section_data[301], unknown_btf[64],
	unknown_modules[29];

/* Appends them to the file at path, a little-endian one of version 7. */
void make_unknown(const char *path);

#endif
