/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Keeps connections that have not shown the token from holding the server: each has a few seconds
 * for its first request, and of too many the oldest is ended.
 *
 * Threads: all functions may be called by several threads at once, but view_guard_free.
 */
#ifndef VIEW_HTTP_GUARD_H
#define VIEW_HTTP_GUARD_H

#include <tdat/error.h>

/*
 * Connections without the token at a time, and the seconds that each has. The oldest
 * VIEW_GUARD_KEPT connections with the token stay open for further requests; others end with their
 * answer, so that clients cannot keep all connections.
 */
enum { VIEW_GUARD_STRANGERS = 16, VIEW_GUARD_SECONDS = 5, VIEW_GUARD_KEPT = 16 };

struct view_guard;
struct view_guest; /* a connection */

/* Starts the thread that ends what is too slow. */
enum tdat_status view_guard_new(struct view_guard **out, struct tdat_error *err);
void view_guard_free(struct view_guard *g);

/* Notes a connection with its socket; NULL without memory. */
struct view_guest *view_guard_enter(struct view_guard *g, int fd);
/* Forgets a connection, before its socket is closed. */
void view_guard_leave(struct view_guard *g, struct view_guest *guest);
/* Notes whether the last request of the connection has shown the token. */
void view_guard_trust(struct view_guard *g, struct view_guest *guest, bool trusted);
/* True if the connection stays open behind the answer. */
bool view_guard_keeps(struct view_guard *g, const struct view_guest *guest);

#endif
