/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Answers requests by a socket. A client writes one line, "enable GLOB" or "disable GLOB", and gets
 * one with the number of events that fit. Only the user who records can connect, as the socket has
 * no permissions for others.
 */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "recorder.h"
#include "terminal/message.h"

/*
 * Bytes of a line with its end; how long the recorder waits for a client that is slow, while its
 * rings fill; how long a client waits for the recorder.
 */
enum { LINE_MAX_LEN = 1024, WAIT_MS = 200, ASK_MS = 5000 };

/* Fills in the address of the socket at path, whose length the kernel limits (sun_path). */
static int address(const char *path, struct sockaddr_un *to)
{
	memset(to, 0, sizeof(*to));
	to->sun_family = AF_UNIX;
	if (strlen(path) >= sizeof(to->sun_path)) {
		cli_error(path, "the path of a socket may have at most %zu bytes",
			  sizeof(to->sun_path) - 1);
		return CLI_USAGE;
	}
	strcpy(to->sun_path, path);
	return CLI_OK;
}

/* The socket does not block: it is tried between two drains of the rings. */
int record_control_open(const char *path, int *fd)
{
	struct sockaddr_un to;
	int rc = address(path, &to);
	mode_t old;

	*fd = -1;
	if (rc)
		return rc;
	*fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	/*
	 * The socket is made without permissions for others: chmod() afterwards would come too
	 * late.
	 */
	old = umask(0177);
	if (*fd < 0 || bind(*fd, (struct sockaddr *)&to, sizeof(to)) || listen(*fd, 8)) {
		cli_error(path, "cannot create a socket: %s", strerror(errno));
		rc = CLI_FAILED;
	}
	umask(old);
	return rc;
}

/* Reads up to the end of a line, for a short time only. */
static bool read_line(int fd, char *line, size_t cap, int wait_ms)
{
	size_t len = 0;

	while (len + 1 < cap) {
		struct pollfd wait = {fd, POLLIN, 0};
		ssize_t n;

		if (poll(&wait, 1, wait_ms) <= 0)
			return false;
		n = read(fd, line + len, cap - 1 - len);
		if (n <= 0)
			return false;
		len += (size_t)n;
		line[len] = '\0';
		if (strchr(line, '\n')) {
			line[strcspn(line, "\n")] = '\0';
			return true;
		}
	}
	return false;
}

/* Answers one client: a count of events, or a line that begins with "error". */
static void answer(struct record_session *s, int fd)
{
	char line[LINE_MAX_LEN], reply[128];
	uint32_t matches = 0;
	bool on;

	if (!read_line(fd, line, sizeof(line), WAIT_MS))
		return;
	on = !strncmp(line, "enable ", 7);
	if (!on && strncmp(line, "disable ", 8) != 0)
		snprintf(reply, sizeof(reply), "error: expected enable GLOB or disable GLOB\n");
	else if (record_add_rule(s, on, line + (on ? 7 : 8), &matches))
		snprintf(reply, sizeof(reply), "error: too many globs\n");
	else
		snprintf(reply, sizeof(reply), "%u\n", (unsigned int)matches);
	/* A client that is gone is its own loss. */
	(void)!send(fd, reply, strlen(reply), MSG_NOSIGNAL);
}

void record_control_serve(struct record_session *s, int fd)
{
	int peer;

	while (fd >= 0 && (peer = accept4(fd, NULL, NULL, SOCK_CLOEXEC)) >= 0) {
		answer(s, peer);
		close(peer);
	}
}

/* Runs in a process of its own, "tdat user-events enable", not in the recorder. */
int record_control_ask(const char *path, const char *verb, const char *glob)
{
	char line[LINE_MAX_LEN];
	struct sockaddr_un to;
	int rc = address(path, &to), fd = -1, n;

	if (rc)
		return rc;
	n = snprintf(line, sizeof(line), "%s %s\n", verb, glob);
	/* A line's end in the glob would end the request. */
	if (n < 0 || (size_t)n >= sizeof(line) || strchr(glob, '\n')) {
		cli_error(NULL, "a glob may have at most %d bytes and one line", LINE_MAX_LEN - 16);
		return CLI_USAGE;
	}
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd < 0 || connect(fd, (struct sockaddr *)&to, sizeof(to)) ||
	    send(fd, line, (size_t)n, MSG_NOSIGNAL) != n) {
		cli_error(path, "cannot reach a recorder: %s", strerror(errno));
		rc = CLI_FAILED;
	} else if (!read_line(fd, line, sizeof(line), ASK_MS)) {
		cli_error(path, "the recorder did not answer");
		rc = CLI_FAILED;
	} else if (!strncmp(line, "error", 5)) {
		cli_error(path, "%s", line);
		rc = CLI_FAILED;
	} else {
		printf("%sd: %s event%s\n", verb, line, strcmp(line, "1") ? "s" : "");
	}
	if (fd >= 0)
		close(fd);
	return rc;
}
