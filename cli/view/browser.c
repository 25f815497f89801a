/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Opens the page in the browser of the desktop. The process for it is made before the sandbox is
 * entered, and waits for the address. The secret address is in no arguments, which all users of a
 * machine can read: the browser opens a file that only its owner can read and that leads to the
 * page. That process removes the file after a minute, or when tdat view ends.
 */
#include "view/browser.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "terminal/message.h"

enum { PATH_LEN = 4096, LOOKS = 300, LOOK_MS = 200, FDS_MOST = 1024 };

static bool has_env(const char *name)
{
	const char *value = getenv(name);

	return value && *value;
}

/* Whether PATH has a program. */
static bool has_program(const char *name)
{
	const char *at = has_env("PATH") ? getenv("PATH") : "/usr/local/bin:/usr/bin:/bin";
	char path[PATH_LEN];

	while (*at) {
		const size_t len = strcspn(at, ":");

		if (snprintf(path, sizeof(path), "%.*s/%s", (int)len, at, name) <
			    (int)sizeof(path) &&
		    !access(path, X_OK))
			return true;
		at += len + (at[len] == ':');
	}
	return false;
}

/* Makes the file that leads to an address. False: it cannot be made. */
static bool make_file(const char *address, char path[PATH_LEN])
{
	const char *folder = has_env("XDG_RUNTIME_DIR") ? getenv("XDG_RUNTIME_DIR")
			     : has_env("TMPDIR")	? getenv("TMPDIR")
							: "/tmp";
	FILE *f;
	int fd;

	snprintf(path, PATH_LEN, "%s/tdat-view-XXXXXX.html", folder);
	/* mkostemps(3) lets nobody but the owner read and write it. */
	fd = mkostemps(path, (int)strlen(".html"), O_CLOEXEC);
	f = fd < 0 ? NULL : fdopen(fd, "w");
	if (f)
		fprintf(f,
			"<!DOCTYPE html><html lang=\"en\"><meta charset=\"utf-8\">"
			"<meta name=\"referrer\" content=\"no-referrer\"><title>tdat view</title>"
			"<meta http-equiv=\"refresh\" content=\"0;url=%s\">"
			"<p><a href=\"%s\">tdat view</a></p></html>\n",
			address, address);
	if (f && !ferror(f) && !fclose(f))
		return true;
	cli_error(NULL, "no browser was opened: cannot write '%s': %s; open the address above",
		  path, strerror(errno));
	if (fd >= 0)
		unlink(path);
	return false;
}

/* Runs the browser without input and output, in a process that has no more to do. */
static pid_t run_browser(const char *path)
{
	const pid_t pid = fork();
	sigset_t none;
	int null;

	if (pid)
		return pid;
	null = open("/dev/null", O_RDWR | O_CLOEXEC);
	if (null >= 0) {
		dup2(null, STDIN_FILENO);
		dup2(null, STDOUT_FILENO);
		dup2(null, STDERR_FILENO);
	}
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	execlp("xdg-open", "xdg-open", path, (char *)NULL);
	_exit(127);
}

/* Waits until the pipe is closed or a minute is over; tells if the browser cannot be opened. */
static void wait_for(int from, pid_t pid)
{
	struct pollfd end = {.fd = from, .events = POLLIN};

	for (int i = 0; i < LOOKS; i++) {
		int status = 0;

		if (pid > 0 && waitpid(pid, &status, WNOHANG) == pid) {
			if (status)
				cli_error(NULL,
					  "no browser was opened: xdg-open failed (%d); open the "
					  "address above",
					  WIFEXITED(status) ? WEXITSTATUS(status) : -1);
			pid = 0;
		}
		if (poll(&end, 1, LOOK_MS) > 0)
			return;
	}
}

/* The process for the browser. It waits for the address, or ends if the pipe is closed without one.
 */
static void serve_browser(int from)
{
	char address[CLI_BROWSER_ADDRESS], path[PATH_LEN];
	size_t len = 0;
	ssize_t n;

	/* The socket and the files are the server's: none of them outlives it. */
	for (int fd = STDERR_FILENO + 1; fd < FDS_MOST; fd++)
		if (fd != from)
			close(fd);
	while (len < sizeof(address) - 1 && !memchr(address, '\n', len) &&
	       (n = read(from, address + len, sizeof(address) - 1 - len)) > 0)
		len += (size_t)n;
	address[len] = 0;
	if (!strchr(address, '\n'))
		_exit(0);
	*strchr(address, '\n') = 0;
	if (make_file(address, path)) {
		wait_for(from, run_browser(path));
		unlink(path);
	}
	_exit(0);
}

/* Returns the end of a pipe that takes the address; -1: none, and the user opens the page. */
int cli_browser_start(void)
{
	int ends[2];
	pid_t pid;

	if (!has_env("DISPLAY") && !has_env("WAYLAND_DISPLAY") && !has_env("BROWSER")) {
		cli_error(NULL,
			  "no browser was opened, because this session has no display%s; open the "
			  "address below, or use --no-browser",
			  has_env("SSH_CONNECTION") ? " (ssh)" : "");
		return -1;
	}
	if (!has_program("xdg-open")) {
		cli_error(NULL, "no browser was opened, because xdg-open is missing (package "
				"xdg-utils); open the address below");
		return -1;
	}
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
		serve_browser(ends[0]);
	}
	close(ends[0]);
	if (pid > 0)
		waitpid(pid, NULL, 0);
	return ends[1];
}

void cli_browser_open(int fd, const char *address)
{
	char line[CLI_BROWSER_ADDRESS];
	const int len = snprintf(line, sizeof(line), "%s\n", address);

	if (fd >= 0 && write(fd, line, (size_t)len) < 0)
		cli_error(NULL, "no browser was opened: %s; open the address above",
			  strerror(errno));
}

void cli_browser_end(int fd)
{
	if (fd >= 0)
		close(fd);
}
