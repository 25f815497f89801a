/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What tdat view needs of the system before the sandbox: a socket, and a browser. */
#ifndef CLI_VIEW_LISTEN_H
#define CLI_VIEW_LISTEN_H

#include <stddef.h>
#include <stdint.h>

enum { CLI_ADDRESS_LEN = 400 };

/*
 * Listens on a port (0: a free one) of host, or of 127.0.0.1 where that is NULL. *fd is the
 * socket, and address gets "http://HOST:PORT". CLI_OK, or an exit status after a complaint.
 */
int cli_listen(const char *host, uint16_t port, int *fd, char address[CLI_ADDRESS_LEN]);

/*
 * Starts a process that waits for an address and then opens it in the browser of the desktop.
 * Returns where cli_browser_open writes the address, or -1 where there is no such process.
 */
int cli_browser_start(void);
/* Opens an address, or, where it is NULL, ends the process. */
void cli_browser_open(int fd, const char *address);

#endif
