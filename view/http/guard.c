/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lists connections, the oldest first, and shuts down sockets of those that have not shown the
 * token in time. libmicrohttpd knows only a time without any byte, which a client can stretch by
 * sending one byte after the other. A socket is shut down under the lock, and leaves the list
 * before it is closed, so that its number cannot be another socket's. Called by server.c.
 */
#include "guard.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <time.h>

#include "core/thread.h"

struct view_guest {
	struct view_guest *next, *prev;
	int fd;
	bool trusted, ended;
	time_t since;
};

struct view_guard {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	pthread_t thread;
	struct view_guest first; /* the list begins and ends with it */
	bool stop;
};

static time_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec;
}

/* The thread of the connection finds the socket ended, and closes it. Needs the lock. */
static void end(struct view_guest *guest)
{
	guest->ended = true;
	shutdown(guest->fd, SHUT_RDWR);
}

/* Ends strangers that are too slow, or too many. Needs the lock. */
static void end_strangers(struct view_guard *g)
{
	const time_t then = now() - VIEW_GUARD_SECONDS;
	size_t strangers = 0;

	/* From the newest on. */
	for (struct view_guest *i = g->first.prev; i != &g->first; i = i->prev) {
		if (i->trusted || i->ended)
			continue;
		if (++strangers > VIEW_GUARD_STRANGERS || i->since <= then)
			end(i);
	}
}

/* Looks once a second until the guard is freed. */
static void *run(void *arg)
{
	struct view_guard *g = arg;

	pthread_mutex_lock(&g->lock);
	while (!g->stop) {
		struct timespec at;

		clock_gettime(CLOCK_REALTIME, &at);
		at.tv_sec++;
		pthread_cond_timedwait(&g->changed, &g->lock, &at);
		end_strangers(g);
	}
	pthread_mutex_unlock(&g->lock);
	return NULL;
}

enum tdat_status view_guard_new(struct view_guard **out, struct tdat_error *err)
{
	struct view_guard *g = calloc(1, sizeof(*g));

	*out = g;
	if (!g)
		return tdat_error_no_memory(err, "the server");
	pthread_mutex_init(&g->lock, NULL);
	pthread_cond_init(&g->changed, NULL);
	g->first.next = g->first.prev = &g->first;
	if (tdat_thread_start(&g->thread, run, g))
		return TDAT_OK;
	pthread_cond_destroy(&g->changed);
	pthread_mutex_destroy(&g->lock);
	free(g);
	*out = NULL;
	return tdat_error_set(err, TDAT_E_SYSTEM, TDAT_NO_OFFSET, "no thread could be started");
}

/* All connections have left. */
void view_guard_free(struct view_guard *g)
{
	if (!g)
		return;
	pthread_mutex_lock(&g->lock);
	g->stop = true;
	pthread_cond_signal(&g->changed);
	pthread_mutex_unlock(&g->lock);
	pthread_join(g->thread, NULL);
	pthread_cond_destroy(&g->changed);
	pthread_mutex_destroy(&g->lock);
	free(g);
}

struct view_guest *view_guard_enter(struct view_guard *g, int fd)
{
	struct view_guest *guest = calloc(1, sizeof(*guest));

	if (!guest)
		return NULL;
	pthread_mutex_lock(&g->lock);
	*guest = (struct view_guest){&g->first, g->first.prev, fd, false, false, now()};
	guest->prev->next = guest;
	g->first.prev = guest;
	end_strangers(g);
	pthread_mutex_unlock(&g->lock);
	return guest;
}

void view_guard_leave(struct view_guard *g, struct view_guest *guest)
{
	if (!guest)
		return;
	pthread_mutex_lock(&g->lock);
	guest->prev->next = guest->next;
	guest->next->prev = guest->prev;
	pthread_mutex_unlock(&g->lock);
	free(guest);
}

bool view_guard_keeps(struct view_guard *g, const struct view_guest *guest)
{
	size_t older = 0;
	bool keeps;

	if (!guest)
		return false;
	pthread_mutex_lock(&g->lock);
	for (const struct view_guest *i = g->first.next; i != guest; i = i->next)
		older += i->trusted;
	keeps = guest->trusted && older < VIEW_GUARD_KEPT;
	pthread_mutex_unlock(&g->lock);
	return keeps;
}

void view_guard_trust(struct view_guard *g, struct view_guest *guest, bool trusted)
{
	if (!guest)
		return;
	pthread_mutex_lock(&g->lock);
	guest->trusted = trusted;
	pthread_mutex_unlock(&g->lock);
}
