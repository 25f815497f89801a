/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Maps input files, and handles SIGBUS if one of them loses bytes. The handler runs in any thread
 * at any moment, so it uses only a fixed list of files, removes unfinished outputs, writes one line
 * and ends the program. Files that are not settled are read instead. Why files are mapped:
 * docs/decisions/013-reading-and-mapping.md.
 */
#include "input/mapped.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "input/settled.h"
#include "safety/unfinished.h"
#include "terminal/message.h"
#include "terminal/safe_text.h"

/* A mapped file; it is never changed nor freed, since a signal may come at any time. */
struct mapped {
	const struct mapped *next;
	int fd;	    /* stays open, to ask for the length from the handler */
	off_t len;  /* when it was opened */
	char *name; /* made safe for terminals */
	size_t name_len;
};

/* A signal handler has no argument, so what it needs is global. */
static _Atomic(const struct mapped *) all_mapped;
static atomic_flag reported = ATOMIC_FLAG_INIT;

/* ---- in the handler: only calls that signal-safety(7) lists ---- */

/* A message without malloc(3) and stdio: the handler may have interrupted either. */
struct sentence {
	char text[1024];
	size_t len;
};

static void add(struct sentence *s, const char *text, size_t len)
{
	size_t room = sizeof(s->text) - s->len;

	if (len > room)
		len = room;
	memcpy(s->text + s->len, text, len);
	s->len += len;
}

static void add_str(struct sentence *s, const char *text)
{
	add(s, text, strlen(text));
}

static void add_number(struct sentence *s, off_t value)
{
	char digits[24];
	size_t at = sizeof(digits);

	do {
		digits[--at] = (char)('0' + value % 10);
		value /= 10;
	} while (value > 0);
	add(s, digits + at, sizeof(digits) - at);
}

/*
 * Returns the file that has fewer bytes than at its opening; NULL: none, so a disk or a network
 * failed.
 */
static const struct mapped *find_shrunk(off_t *len)
{
	for (const struct mapped *m = atomic_load(&all_mapped); m; m = m->next) {
		struct stat sb;

		if (fstat(m->fd, &sb) || sb.st_size >= m->len)
			continue;
		*len = sb.st_size;
		return m;
	}
	return NULL;
}

/* Names the file if it is known: the one that shrank, or the only one. */
static void describe(struct sentence *s)
{
	const struct mapped *m, *only = atomic_load(&all_mapped);
	off_t len = 0;

	m = find_shrunk(&len);
	add_str(s, "tdat: ");
	if (m) {
		add(s, m->name, m->name_len < 512 ? m->name_len : 512);
		add_str(s, ": shrank while it was read: it has ");
		add_number(s, len);
		add_str(s, " bytes, and had ");
		add_number(s, m->len);
	} else {
		if (only && !only->next) {
			add(s, only->name, only->name_len < 512 ? only->name_len : 512);
			add_str(s, ": ");
		}
		add_str(s, "a mapped file could not be read: its disk or network failed, or it "
			   "shrank and grew again");
	}
	add_str(s, "\n");
}

/*
 * BUS_ADRERR is an access beyond the end of a mapped file. The first thread reports it; others wait
 * for the exit.
 */
static void on_bus(int number, siginfo_t *info, void *context)
{
	struct sentence s = {.len = 0};

	(void)context;
	/* Other codes are a fault of the program, or a signal that a process sent. */
	if (info->si_code != BUS_ADRERR) {
		signal(number, SIG_DFL);
		raise(number);
		return;
	}
	/* Another thread reports it and ends the program. The sandbox refuses pause(). */
	while (atomic_flag_test_and_set(&reported))
		poll(NULL, 0, -1);
	cli_unfinished_end();
	describe(&s);
	for (size_t at = 0; at < s.len;) {
		ssize_t n = write(STDERR_FILENO, s.text + at, s.len - at);

		if (n <= 0)
			break;
		at += (size_t)n;
	}
	_exit(CLI_FAILED);
}

/* ---- before a signal ---- */

static bool handle_bus(void)
{
	struct sigaction act = {.sa_flags = SA_SIGINFO};

	act.sa_sigaction = on_bus;
	sigemptyset(&act.sa_mask);
	return !sigaction(SIGBUS, &act, NULL);
}

/* Keeps the name with control bytes escaped, since the handler cannot do that. */
static bool set_name(struct mapped *m, const char *name)
{
	FILE *f = open_memstream(&m->name, &m->name_len);

	if (!f)
		return false;
	cli_put_str(f, name);
	return !fclose(f);
}

/*
 * Adds a regular file to the list for the handler. Entries are never removed: the list is read
 * without a lock.
 */
static bool remember(int fd, const struct stat *sb, const char *name)
{
	struct mapped *m = calloc(1, sizeof(*m));

	if (!m || !set_name(m, name) || !handle_bus()) {
		free(m);
		return false;
	}
	m->fd = fd;
	m->len = sb->st_size;
	m->next = atomic_load(&all_mapped);
	atomic_store(&all_mapped, m);
	return true;
}

/* Maps a regular file if it is settled, or in any case with `any`; reads all others. */
static enum tdat_status open_mapped(struct tdat_source **out, const char *path, bool any,
				    const struct tdat_source_opts *opts, struct tdat_error *err)
{
	bool standard = !strcmp(path, "-");
	const char *name = standard ? "standard input" : path;
	struct stat sb;
	int fd = -1;

	/* A pipe must not be opened twice: its writer would see a reader go. */
	if (standard)
		fd = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3);
	else if (!stat(path, &sb) && S_ISREG(sb.st_mode))
		fd = open(path, O_RDONLY | O_CLOEXEC);
	/* A file that cannot be mapped is read, or its failure reported, as without mapping. */
	if (fd < 0 || fstat(fd, &sb) || !S_ISREG(sb.st_mode) || (!any && !cli_settled(fd, &sb)) ||
	    !remember(fd, &sb, name)) {
		if (fd >= 0)
			close(fd);
		return tdat_source_open(out, path, opts, err);
	}
	return tdat_source_open_fd(out, fd, name, TDAT_ACCESS_MAP, err);
}

/* TDAT_ACCESS in the environment is for tests and for users who know their file system. */
enum tdat_status cli_mapped_open(struct tdat_source **out, const char *path,
				 const struct tdat_source_opts *opts, struct tdat_error *err)
{
	const char *access = getenv("TDAT_ACCESS");

	if (!access || !*access)
		return open_mapped(out, path, false, opts, err);
	if (!strcmp(access, "map"))
		return open_mapped(out, path, true, opts, err);
	if (!strcmp(access, "read"))
		return tdat_source_open(out, path, opts, err);
	*out = NULL;
	return tdat_error_set(
		err, TDAT_E_USAGE, TDAT_NO_OFFSET,
		"the environment variable TDAT_ACCESS must be 'read' or 'map', not '%.64s'",
		access);
}
