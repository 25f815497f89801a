/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The browser that tdat view opens its page in. */
#ifndef CLI_VIEW_BROWSER_H
#define CLI_VIEW_BROWSER_H

#include "view/listen.h"

/* Room for an address with its token. */
enum { CLI_BROWSER_ADDRESS = CLI_ADDRESS_LEN + 64 };

/*
 * Starts a process that opens a browser once it gets an address. Returns the descriptor of a pipe
 * to it, or -1 after a sentence. It must be called before the sandbox is entered.
 */
int cli_browser_start(void);
/* Has the browser opened at an address. */
void cli_browser_open(int fd, const char *address);
/* The page is there no longer, or never was. */
void cli_browser_end(int fd);

#endif
