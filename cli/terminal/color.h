/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether the user wants color on a stream, and lines of events in it. */
#ifndef CLI_COLOR_H
#define CLI_COLOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* cli_color_ask takes the word of --color: auto, always or never. False: it is none of these. */
bool cli_color_ask(const char *when);

/* cli_color asks --color, NO_COLOR, CLICOLOR_FORCE, and then TERM and the terminal. */
bool cli_color(FILE *to);

/*
 * cli_put_events is cli_put_stored (safe_text.h) with task, CPU and event in color, and lines about
 * lost events. A pipe gets the bytes of the text as they are, a terminal escaped.
 */
void cli_put_events(const char *text, size_t len);

#endif
