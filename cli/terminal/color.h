/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether a stream is a terminal on which the user wants colour. */
#ifndef CLI_COLOR_H
#define CLI_COLOR_H

#include <stdbool.h>
#include <stdio.h>

/* cli_color asks the terminal, TERM and NO_COLOR (https://no-color.org). */
bool cli_color(FILE *to);

#endif
