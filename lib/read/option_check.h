/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Whether an option that is broken was told of before. */
#ifndef TDAT_READ_OPTION_CHECK_H
#define TDAT_READ_OPTION_CHECK_H

#include <tdat/file.h>

/* Opening, which reads some options itself, has told that it is broken. */
bool check_option_told(const struct tdat_file *file, const struct tdat_option *option);

#endif
