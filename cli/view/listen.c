/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes the socket of tdat view before the sandbox is entered: it listens already. Only the
 * loopback address is used unless --host names another.
 */
#include "view/listen.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "terminal/message.h"

/* Returns a listening socket, or -1 with errno. */
static int bind_one(const struct addrinfo *a)
{
	const int on = 1, fd = socket(a->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd < 0)
		return -1;
	/* A port of an earlier run may still be in TIME_WAIT. */
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	if (bind(fd, a->ai_addr, a->ai_addrlen) || listen(fd, 32)) {
		const int why = errno;

		close(fd);
		errno = why;
		return -1;
	}
	return fd;
}

/* Whether an address is that of any interface: it binds, but no browser reaches a host by it. */
static bool is_any(const struct addrinfo *a)
{
	const struct sockaddr_in *v4 = (const struct sockaddr_in *)(const void *)a->ai_addr;
	const struct sockaddr_in6 *v6 = (const struct sockaddr_in6 *)(const void *)a->ai_addr;

	return a->ai_family == AF_INET	  ? v4->sin_addr.s_addr == htonl(INADDR_ANY)
	       : a->ai_family == AF_INET6 ? IN6_IS_ADDR_UNSPECIFIED(&v6->sin6_addr)
					  : false;
}

/* Port 0 lets the system choose; the address has the real one. */
int cli_listen(const char *host, uint16_t port, int *fd, char address[CLI_ADDRESS_LEN])
{
	const struct addrinfo hints = {.ai_family = host ? AF_UNSPEC : AF_INET,
				       .ai_socktype = SOCK_STREAM,
				       .ai_flags = AI_NUMERICSERV | (host ? 0 : AI_NUMERICHOST)};
	const char *shown = host ? host : "127.0.0.1";
	struct sockaddr_storage own;
	socklen_t own_len = sizeof(own);
	struct addrinfo *list;
	char text[16], bound[32];
	int rc;

	snprintf(text, sizeof(text), "%u", port);
	rc = getaddrinfo(shown, text, &hints, &list);
	if (rc) {
		cli_error(NULL, "unknown address '%s': %s", shown, gai_strerror(rc));
		return CLI_USAGE;
	}
	if (is_any(list)) {
		cli_error(NULL,
			  "'%s' is not an address that a browser can open; use one of this "
			  "machine's addresses, as listed by \"ip addr\"",
			  shown);
		freeaddrinfo(list);
		return CLI_USAGE;
	}
	*fd = -1;
	for (const struct addrinfo *a = list; a && *fd < 0; a = a->ai_next)
		*fd = bind_one(a);
	rc = errno;
	freeaddrinfo(list);
	if (*fd < 0 || getsockname(*fd, (struct sockaddr *)&own, &own_len) ||
	    getnameinfo((struct sockaddr *)&own, own_len, NULL, 0, bound, sizeof(bound),
			NI_NUMERICSERV)) {
		cli_error(NULL, "cannot listen on port %u of '%s': %s", port, shown, strerror(rc));
		return CLI_FAILED;
	}
	snprintf(address, CLI_ADDRESS_LEN,
		 strchr(shown, ':') ? "http://[%.300s]:%s" : "http://%.300s:%s", shown, bound);
	return CLI_OK;
}
