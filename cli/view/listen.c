/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes the socket of tdat view, and runs the browser. Both are made before the sandbox is entered:
 * the socket listens already, and the process for the browser waits for an address. Only the
 * loopback address is used unless --host names another.
 */
#include "view/listen.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
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
		cli_error(NULL, "the address '%s' is not known: %s", shown, gai_strerror(rc));
		return CLI_USAGE;
	}
	if (is_any(list)) {
		cli_error(
			NULL,
			"'%s' is no address that a browser can open: name one of this machine, as "
			"\"ip addr\" lists them",
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

/*
 * Runs the browser in this process, without output. It waits for the address, or ends if the pipe
 * is closed without one.
 */
static void run_browser(int from)
{
	char address[CLI_ADDRESS_LEN + 64];
	sigset_t none;
	size_t len = 0;
	ssize_t n;
	int null;

	while (len < sizeof(address) - 1 &&
	       (n = read(from, address + len, sizeof(address) - 1 - len)) > 0)
		len += (size_t)n;
	address[len] = 0;
	if (!len)
		_exit(0);
	null = open("/dev/null", O_RDWR | O_CLOEXEC);
	if (null >= 0) {
		dup2(null, STDIN_FILENO);
		dup2(null, STDOUT_FILENO);
		dup2(null, STDERR_FILENO);
	}
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	execlp("xdg-open", "xdg-open", address, (char *)NULL);
	_exit(127);
}

/* Returns the end of a pipe that takes the address; -1: none, and the user opens the page. */
int cli_browser_start(void)
{
	int ends[2];
	pid_t pid;

	if (pipe2(ends, O_CLOEXEC))
		return -1;
	pid = fork();
	if (!pid) {
		close(ends[1]);
		/*
		 * The browser gets a second process, so that nobody has to wait for it, and a
		 * session without this terminal.
		 */
		setsid();
		if (fork())
			_exit(0);
		run_browser(ends[0]);
	}
	close(ends[0]);
	if (pid > 0)
		waitpid(pid, NULL, 0);
	return ends[1];
}

void cli_browser_open(int fd, const char *address)
{
	if (fd < 0)
		return;
	if (address && write(fd, address, strlen(address)) < 0)
		cli_error(NULL, "the browser cannot be opened: %s", strerror(errno));
	close(fd);
}
