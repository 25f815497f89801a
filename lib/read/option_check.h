/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tells whether the damage of a file names a broken option already. */
#ifndef TDAT_READ_OPTION_CHECK_H
#define TDAT_READ_OPTION_CHECK_H

#include <tdat/file.h>

/* Whether opening, which reads some options itself, has reported that this one is broken. */
bool check_option_told(const struct tdat_file *file, const struct tdat_option *option);

#endif
