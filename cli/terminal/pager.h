/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The pager between standard output and the terminal. */
#ifndef CLI_PAGER_H
#define CLI_PAGER_H

#include <stdbool.h>
#include <stddef.h>

/*
 * cli_pager_start has a pager show what is printed from here on, if standard output is a terminal
 * (of so many columns): TDAT_PAGER, PAGER, or less; none if that is "cat" or empty, or TERM is
 * dumb. The process that returns is a child; its parent waits for it and the pager, and exits as it
 * did. To be called before threads and the sandbox.
 */
void cli_pager_start(size_t columns);

/* cli_is_terminal: is stdout a terminal, or read by the pager that shows it on one? */
bool cli_is_terminal(void);

/* The columns of the terminal of the pager; 0: there is no pager. */
size_t cli_pager_width(void);

#endif
