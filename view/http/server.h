/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The HTTP server of tdat view: it listens on one address, knows one secret path, and hands
 * questions on. All of libmicrohttpd is behind it.
 *
 * Threads: the server answers on threads of its own, one for each connection.
 */
#ifndef VIEW_HTTP_SERVER_H
#define VIEW_HTTP_SERVER_H

#include "api/api.h"

enum { VIEW_TOKEN_LEN = 32 };

struct view_server;

struct view_server_def {
	struct view_api *api;		/* borrowed */
	int fd;				/* a socket that listens; the server closes it */
	const char *host;		/* a name besides 127.0.0.1, ::1 and localhost, or NULL */
	char token[VIEW_TOKEN_LEN + 1]; /* the first part of every path */
	bool in_frame;			/* other pages may show it in a frame */
};

/* Starts the server; view_server_stop ends it and waits for answers that are being made. */
enum tdat_status view_server_start(struct view_server **out, const struct view_server_def *def,
				   struct tdat_error *err);
void view_server_stop(struct view_server *server);

/* Fills a token with random digits; false where the system has no random numbers. */
bool view_token_make(char token[VIEW_TOKEN_LEN + 1]);

/*
 * Returns what follows the token in a path: "" for the page; NULL where the token is another one.
 */
const char *view_token_path(const char *token, const char *path);

/* Whether a Host header names this machine: a name, and any port, as tunnels change it. */
bool view_host_ok(const char *host, const char *own);

#endif
