/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What tdat view needs of the system before the sandbox: a socket. */
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

#endif
