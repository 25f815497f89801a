/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What an option of some id must be, to be what it says. */
#ifndef TDAT_READ_OPTION_CHECK_H
#define TDAT_READ_OPTION_CHECK_H

#include <tdat/file.h>

/* Its payload is text that ends with NUL. */
bool file_option_is_text(uint16_t id);

/* Opening, which reads some options itself, has told that it is broken. */
bool check_option_told(const struct tdat_file *file, const struct tdat_option *option);

#endif
