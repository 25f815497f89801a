/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Serves the page and the answers by libmicrohttpd. Each connection has a thread of
 * libmicrohttpd, of which there is a bound. Every path must begin with the secret token; a Host
 * header that names another machine is refused. The page is one document with first answers
 * inside.
 */
#include "server.h"

#include <microhttpd.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/query.h"
#include "guard.h"
#include "page.h"

/*
 * Bounds of connections: together they limit the memory that clients can use. Those without the
 * token never take all of them (guard.h): a burst of them has room until their threads have ended.
 */
enum {
	CONNECTIONS = 112 + VIEW_GUARD_STRANGERS,
	TIMEOUT_S = 20,		      /* without a byte sent or taken */
	CONNECTION_MEMORY = 48 << 10, /* for an address and headers */
	STACK_LEN = 1 << 20,
	PATH_LEN = VIEW_QUERY_LEN + 1024
};

enum { POLICY_LEN = 512 };

/* The page has one script and one style, and may run no other. */
static const char policy_fmt[] =
	"default-src 'none'; script-src '%s'; style-src '%s'; img-src data: blob:; "
	"connect-src 'self'; base-uri 'none'; form-action 'none'%s";

struct view_server {
	struct view_server_def def;
	char *host;
	char policy[POLICY_LEN];
	struct view_guard *guard;
	struct MHD_Daemon *daemon;
};

/* A connection begins, or ends before its socket is closed. */
static void note_connection(void *ctx, struct MHD_Connection *connection, void **guest,
			    enum MHD_ConnectionNotificationCode what)
{
	struct view_server *s = ctx;
	const union MHD_ConnectionInfo *info =
		MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);

	if (what == MHD_CONNECTION_NOTIFY_STARTED)
		*guest = info ? view_guard_enter(s->guard, info->connect_fd) : NULL;
	else
		view_guard_leave(s->guard, *guest);
}

static struct view_guest *guest_of(struct MHD_Connection *connection)
{
	const union MHD_ConnectionInfo *info =
		MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);

	return info ? info->socket_context : NULL;
}

/* The address of a request as it was sent: libmicrohttpd decodes escapes in its own copy. */
struct request {
	bool begun; /* answer() was called */
	bool too_long;
	char *path;  /* up to the question mark */
	char *query; /* behind it, or "" */
};

/* Called before the headers are parsed. NULL: no memory; answer() refuses then. */
static void *begin_request(void *ctx, const char *uri, struct MHD_Connection *connection)
{
	struct request *r = calloc(1, sizeof(*r));
	char *question;

	(void)ctx;
	(void)connection;
	if (!r)
		return NULL;
	r->too_long = strlen(uri) > PATH_LEN;
	r->path = strdup(r->too_long ? "/" : uri);
	if (!r->path) {
		free(r);
		return NULL;
	}
	question = strchr(r->path, '?');
	r->query = question ? question + 1 : r->path + strlen(r->path);
	if (question)
		*question = 0;
	return r;
}

/* libmicrohttpd calls it once for each request, also if it failed. */
static void end_request(void *ctx, struct MHD_Connection *connection, void **request,
			enum MHD_RequestTerminationCode why)
{
	struct request *r = *request;

	(void)ctx;
	(void)connection;
	(void)why;
	if (r)
		free(r->path);
	free(r);
	*request = NULL;
}

/* ---- answers ---- */

static const char json_type[] = "application/json; charset=utf-8";

/*
 * Adds the headers that all answers have: nothing may be cached, embedded or sniffed. The response
 * is released in any case.
 */
static enum MHD_Result send_response(const struct view_server *s, struct MHD_Connection *connection,
				     unsigned status, const char *type,
				     struct MHD_Response *response)
{
	const struct {
		const char *name, *value;
	} headers[] = {
		{"Content-Security-Policy", s->policy},
		{"X-Content-Type-Options", "nosniff"},
		{"Referrer-Policy", "no-referrer"},
		{"Cache-Control", "no-store"},
		{"Cross-Origin-Resource-Policy", "same-origin"},
		{"Cross-Origin-Opener-Policy", "same-origin"},
	};
	enum MHD_Result ok = response ? MHD_YES : MHD_NO;

	for (size_t i = 0; ok == MHD_YES && i < sizeof(headers) / sizeof(headers[0]); i++)
		ok = MHD_add_response_header(response, headers[i].name, headers[i].value);
	if (ok == MHD_YES)
		ok = MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, type);
	if (ok == MHD_YES && !view_guard_keeps(s->guard, guest_of(connection)))
		ok = MHD_add_response_header(response, MHD_HTTP_HEADER_CONNECTION, "close");
	if (ok == MHD_YES && status == MHD_HTTP_METHOD_NOT_ALLOWED)
		ok = MHD_add_response_header(response, MHD_HTTP_HEADER_ALLOW, "GET, HEAD");
	if (ok == MHD_YES)
		ok = MHD_queue_response(connection, status, response);
	if (response)
		MHD_destroy_response(response);
	return ok;
}

/*
 * Sends a buffer, whose bytes become the response's. An empty or failed one closes the connection.
 */
static enum MHD_Result send_build(const struct view_server *s, struct MHD_Connection *connection,
				  unsigned status, const char *type, struct tdat_build *out)
{
	struct MHD_Response *response;

	if (out->failed || !out->len) {
		tdat_build_fini(out);
		return MHD_NO;
	}
	response = MHD_create_response_from_buffer(out->len, out->ptr, MHD_RESPMEM_MUST_FREE);
	if (!response)
		tdat_build_fini(out);
	return send_response(s, connection, status, type, response);
}

static enum MHD_Result send_error(const struct view_server *s, struct MHD_Connection *connection,
				  unsigned status, const char *message)
{
	struct tdat_build out;

	tdat_build_init(&out, false);
	view_api_error(&out, message, false, 0);
	return send_build(s, connection, status, json_type, &out);
}

/* The page and its first answers are one document, so that nothing waits for a second request. */
static enum MHD_Result send_page(struct view_server *s, struct MHD_Connection *connection)
{
	struct tdat_build out;

	tdat_build_init(&out, false);
	tdat_build_bytes(&out, view_page.live_head.data, view_page.live_head.len);
	view_api_first(s->def.api, &out);
	tdat_build_bytes(&out, view_page.tail.data, view_page.tail.len);
	return send_build(s, connection, MHD_HTTP_OK, "text/html; charset=utf-8", &out);
}

/*
 * True if a client has closed its connection. libmicrohttpd does not watch the connection while an
 * answer is made. A client that only closes its sending side looks the same; no browser does that.
 */
static bool is_gone(void *ctx)
{
	const union MHD_ConnectionInfo *info =
		MHD_get_connection_info(ctx, MHD_CONNECTION_INFO_CONNECTION_FD);
	struct pollfd at = {.fd = info ? info->connect_fd : -1, .events = POLLRDHUP};

	return poll(&at, 1, 0) > 0 && at.revents & (POLLRDHUP | POLLHUP | POLLERR);
}

static enum MHD_Result send_answer(struct view_server *s, struct MHD_Connection *connection,
				   const char *path, const char *query)
{
	const struct view_asker asker = {is_gone, connection};
	struct tdat_build out;
	unsigned status;

	tdat_build_init(&out, false);
	status = view_api_answer(s->def.api, path, query, &asker, &out);
	return send_build(s, connection, status, json_type, &out);
}

/* Without the token, a connection ends, also one that has shown it before. */
static enum MHD_Result refuse(const struct view_server *s, struct MHD_Connection *connection,
			      unsigned status, const char *message)
{
	view_guard_trust(s->guard, guest_of(connection), false);
	return send_error(s, connection, status, message);
}

/*
 * Answers a request. Without the token a client learns nothing of the trace. libmicrohttpd calls it
 * when the headers are complete, for each part of a body, and at the end. It closes a connection
 * that is answered before the end.
 */
static enum MHD_Result answer(void *ctx, struct MHD_Connection *connection, const char *url,
			      const char *method, const char *version, const char *upload,
			      size_t *upload_len, void **request)
{
	struct view_server *s = ctx;
	struct request *r = *request;
	const char *path;

	(void)url;
	(void)version;
	(void)upload;
	if (!r)
		return MHD_NO;
	if (strcmp(method, MHD_HTTP_METHOD_GET) && strcmp(method, MHD_HTTP_METHOD_HEAD))
		return refuse(s, connection, MHD_HTTP_METHOD_NOT_ALLOWED,
			      "only GET and HEAD are supported");
	if (r->too_long)
		return refuse(s, connection, MHD_HTTP_CONTENT_TOO_LARGE, "the address is too long");
	if (!view_host_ok(
		    MHD_lookup_connection_value(connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_HOST),
		    s->host))
		return refuse(s, connection, MHD_HTTP_FORBIDDEN,
			      "the Host header names another machine");
	path = view_token_path(s->def.token, r->path);
	if (path && (!r->begun || *upload_len)) {
		view_guard_trust(s->guard, guest_of(connection), true);
		r->begun = true;
		*upload_len = 0; /* a body says nothing */
		return MHD_YES;
	}
	if (!path)
		return refuse(s, connection, MHD_HTTP_NOT_FOUND,
			      "there is no such page: the address must have the token that "
			      "tdat view printed");
	if (!strncmp(path, "api/", 4))
		return send_answer(s, connection, path + 4, r->query);
	if (!*path || !strcmp(path, "index.html"))
		return send_page(s, connection);
	return send_error(s, connection, MHD_HTTP_NOT_FOUND, "there is no such page");
}

/* libmicrohttpd would write to stderr, where tdat prints its own messages. */
static void ignore_log(void *ctx, const char *fmt, va_list args)
{
	(void)ctx;
	(void)fmt;
	(void)args;
}

/* The socket listens already; the server closes it. */
enum tdat_status view_server_start(struct view_server **out, const struct view_server_def *def,
				   struct tdat_error *err)
{
	const unsigned flags = MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_THREAD_PER_CONNECTION |
			       MHD_USE_POLL | MHD_USE_ITC | MHD_USE_ERROR_LOG;
	struct view_server *s = calloc(1, sizeof(*s));

	*out = s;
	if (!s)
		return tdat_error_no_memory(err, "the server");
	s->def = *def;
	snprintf(s->policy, sizeof(s->policy), policy_fmt, view_page.script_hash,
		 view_page.style_hash, def->in_frame ? "" : "; frame-ancestors 'none'");
	s->host = def->host ? strdup(def->host) : NULL;
	if (view_guard_new(&s->guard, err) != TDAT_OK) {
		free(s->host);
		free(s);
		*out = NULL;
		return TDAT_E_SYSTEM;
	}
	s->daemon = MHD_start_daemon(
		flags, 0, NULL, NULL, answer, s, MHD_OPTION_EXTERNAL_LOGGER, ignore_log, NULL,
		MHD_OPTION_LISTEN_SOCKET, def->fd, MHD_OPTION_CONNECTION_LIMIT,
		(unsigned)CONNECTIONS, MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)TIMEOUT_S,
		MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)CONNECTION_MEMORY,
		MHD_OPTION_THREAD_STACK_SIZE, (size_t)STACK_LEN, MHD_OPTION_URI_LOG_CALLBACK,
		begin_request, NULL, MHD_OPTION_NOTIFY_COMPLETED, end_request, NULL,
		MHD_OPTION_NOTIFY_CONNECTION, note_connection, s, MHD_OPTION_END);
	if (s->daemon)
		return TDAT_OK;
	view_guard_free(s->guard);
	free(s->host);
	free(s);
	*out = NULL;
	return tdat_error_set(err, TDAT_E_SYSTEM, TDAT_NO_OFFSET,
			      "the HTTP server could not be started");
}

void view_server_stop(struct view_server *s)
{
	if (!s)
		return;
	MHD_stop_daemon(s->daemon);
	view_guard_free(s->guard);
	free(s->host);
	free(s);
}
