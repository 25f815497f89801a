/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The version of the program, and what it was built with. */
#ifndef CLI_VERSION_H
#define CLI_VERSION_H

#include <stdbool.h>

/* "tdat --version", with -v or --json. Returns the exit status. */
int print_version(bool verbose, bool json);

#endif
