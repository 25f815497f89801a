/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Keeps a list of unfinished outputs, which a signal handler removes. Whoever changes the list or
 * its files has all signals blocked and holds a lock, so the handler never interrupts one that
 * holds it, and may wait for another thread. An output that a live process writes is known by a
 * lock of its open file, which ends with the process, also on other hosts and in other containers.
 */
#include "safety/unfinished.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { NUMBERS = 10000 };

/* One unfinished output, owned by its writer until cli_unfinished_free(). */
struct cli_unfinished {
	struct cli_unfinished *next;
	char *name; /* NULL: it has got the one it is for, or was removed */
	int fd;	    /* -1: none */
	bool folder;
};

static struct cli_unfinished *all;
static atomic_flag locked = ATOMIC_FLAG_INIT;

/* ---- removing, which a signal handler does, too ---- */

/* An entry as getdents64 returns it; readdir() is not for signal handlers. */
struct entry {
	uint64_t ino;
	int64_t off;
	uint16_t len;
	uint8_t type;
	char name[];
};

/* Removes the files of a folder, not those of folders in it: exports make none. */
static void remove_entries(int folder)
{
	_Alignas(struct entry) char buf[4096];
	long n;

	lseek(folder, 0, SEEK_SET);
	while ((n = syscall(SYS_getdents64, folder, buf, sizeof(buf))) > 0)
		for (long at = 0; at < n;) {
			const struct entry *e = (const struct entry *)(buf + at);

			unlinkat(folder, e->name, 0); /* fails for "." and ".." */
			at += e->len;
		}
}

/*
 * Removes a folder with its files. Another thread may be making files in it meanwhile, hence some
 * tries.
 */
static int remove_folder(const char *name, int fd)
{
	int rc, tries = 0;

	do {
		if (fd >= 0)
			remove_entries(fd);
		rc = unlinkat(AT_FDCWD, name, AT_REMOVEDIR);
	} while (rc && errno == ENOTEMPTY && ++tries < 100);
	return rc;
}

static int remove_it(const char *name, int fd, bool folder)
{
	return folder ? remove_folder(name, fd) : unlinkat(AT_FDCWD, name, 0);
}

/* A spin lock, because a signal handler cannot take a mutex. It is held for a few system calls. */
static void take_lock(void)
{
	while (atomic_flag_test_and_set(&locked))
		sched_yield();
}

/* Never releases the lock: the process ends, and no other thread may finish an output now. */
void cli_unfinished_end(void)
{
	take_lock();
	for (const struct cli_unfinished *u = all; u; u = u->next)
		if (u->name)
			remove_it(u->name, u->fd, u->folder);
}

/* The default action of the signal ends the process afterwards, so its parent sees the signal. */
static void on_end(int number)
{
	cli_unfinished_end();
	signal(number, SIG_DFL);
	raise(number); /* it is pending until the handler returns */
}

/*
 * Sets the handler where the default would end the process. Ignored signals stay ignored, and
 * handlers of commands stay.
 */
static void handle_signals(void)
{
	static const int numbers[] = {SIGHUP,  SIGINT,	SIGQUIT, SIGPIPE, SIGALRM,
				      SIGTERM, SIGUSR1, SIGUSR2, SIGXCPU, SIGXFSZ};
	struct sigaction act = {.sa_handler = on_end}, had;

	sigfillset(&act.sa_mask);
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		if (!sigaction(numbers[i], NULL, &had) && had.sa_handler == SIG_DFL)
			sigaction(numbers[i], &act, NULL);
}

/* ---- the list ---- */

/* Blocks all signals and takes the lock; had keeps the mask for end(). */
static void begin(sigset_t *had)
{
	sigset_t signals;

	sigfillset(&signals);
	pthread_sigmask(SIG_BLOCK, &signals, had);
	take_lock();
}

static void end(const sigset_t *had)
{
	const int errnum = errno;

	atomic_flag_clear(&locked);
	pthread_sigmask(SIG_SETMASK, had, NULL);
	errno = errnum;
}

/* ---- making ---- */

/*
 * The byte that is locked lies beyond any file: SQLite locks other bytes of the file that it
 * writes.
 */
static struct flock mark(short type)
{
	return (struct flock){
		.l_type = type, .l_whence = SEEK_SET, .l_start = (off_t)1 << 62, .l_len = 1};
}

/* Returns FOLDER/.NAME.tdat-part, with a number if that is in use; the leading point hides it. */
static char *part_name(const char *path, int number)
{
	size_t len = strlen(path), from;
	char *name, digits[16] = "";

	while (len > 1 && path[len - 1] == '/')
		len--;
	for (from = len; from && path[from - 1] != '/';)
		from--;
	if (number)
		snprintf(digits, sizeof(digits), ".%d", number);
	if (asprintf(&name, "%.*s.%.*s%s.tdat-part", (int)from, path, (int)(len - from),
		     path + from, digits) < 0)
		return NULL;
	return name;
}

/*
 * Makes the file or folder. Returns its descriptor, or -1 with errno; never opens one that exists.
 */
static int make(const char *name, bool folder)
{
	int fd, errnum;

	if (!folder)
		return open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666);
	if (mkdir(name, 0777))
		return -1;
	fd = open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
	errnum = errno;
	if (fd < 0)
		unlinkat(AT_FDCWD, name, AT_REMOVEDIR);
	errno = errnum;
	return fd;
}

/*
 * Removes an output that a killed process left. False: a live process writes it, or it cannot be
 * removed.
 */
static bool remove_left(const char *name)
{
	const int fd = open(name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	struct flock lock = mark(F_WRLCK);
	struct stat sb;
	bool gone = fd >= 0 && !fstat(fd, &sb) && (S_ISREG(sb.st_mode) || S_ISDIR(sb.st_mode)) &&
		    !fcntl(fd, F_OFD_GETLK, &lock) && lock.l_type == F_UNLCK &&
		    !remove_it(name, fd, S_ISDIR(sb.st_mode));

	if (fd >= 0)
		close(fd);
	return gone;
}

/*
 * True if the name is still that of the open file: another process may have removed it before it
 * was locked.
 */
static bool is_still(const char *name, int fd)
{
	struct stat a, b;

	return !lstat(name, &a) && !fstat(fd, &b) && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

/* Makes the first free name and locks it. Returns its number, or -1 with errno. */
static int make_first(const char *path, struct cli_unfinished *u)
{
	for (int i = 0; i < NUMBERS; i++) {
		struct flock lock = mark(F_RDLCK);

		u->name = part_name(path, i);
		if (!u->name) {
			errno = ENOMEM;
			return -1;
		}
		remove_left(u->name);
		u->fd = make(u->name, u->folder);
		/* Where there are no locks, nothing that is left is removed. */
		if (u->fd >= 0)
			fcntl(u->fd, F_OFD_SETLK, &lock);
		if (u->fd >= 0 && is_still(u->name, u->fd))
			return i;
		if (u->fd >= 0)
			close(u->fd);
		else if (errno != EEXIST)
			i = NUMBERS;
		free(u->name);
		u->name = NULL;
	}
	return -1;
}

/* Removes what several killed processes left of one output; their numbers have no gaps. */
static void remove_further(const char *path, int number)
{
	bool more = true;

	while (more) {
		char *name = part_name(path, ++number);

		more = name && (remove_left(name) || !access(name, F_OK));
		free(name);
	}
}

/* Handlers are set with the first output: a command that only reads keeps the defaults. */
static void add(struct cli_unfinished *u)
{
	static bool prepared;

	if (!prepared) {
		handle_signals();
		atexit(cli_unfinished_end);
		prepared = true;
	}
	u->next = all;
	all = u;
}

/* The file or folder of path exists under a temporary name from here on. */
static enum tdat_status start(struct cli_unfinished **out, const char *path, bool folder,
			      struct tdat_error *err)
{
	struct cli_unfinished *u = calloc(1, sizeof(*u));
	sigset_t had;
	int number;

	*out = NULL;
	if (!u)
		return tdat_error_no_memory(err, path);
	u->folder = folder;
	begin(&had);
	number = make_first(path, u);
	if (number >= 0) {
		remove_further(path, number);
		add(u);
	}
	end(&had);
	if (number < 0) {
		free(u);
		return tdat_error_set_errno(err, errno,
					    folder ? "cannot create %s" : "cannot write %s", path);
	}
	*out = u;
	return TDAT_OK;
}

enum tdat_status cli_unfinished_file(struct cli_unfinished **out, const char *path,
				     struct tdat_error *err)
{
	return start(out, path, false, err);
}

enum tdat_status cli_unfinished_folder(struct cli_unfinished **out, const char *path,
				       struct tdat_error *err)
{
	return start(out, path, true, err);
}

const char *cli_unfinished_name(const struct cli_unfinished *u)
{
	return u->name;
}

int cli_unfinished_fd(const struct cli_unfinished *u)
{
	return u->fd;
}

/* ---- finishing ---- */

/*
 * CLI_FINISH_NEW uses link(2), which fails if the name exists. EXCHANGE swaps two folders at once;
 * the older one is removed as the unfinished one.
 */
static int give_name(struct cli_unfinished *u, const char *to, enum cli_finish how)
{
	int rc;

	if (how == CLI_FINISH_NEW) {
		rc = link(u->name, to);
		return rc ? rc : unlink(u->name);
	}
	/* The C library has had a function for it since glibc 2.28. */
	rc = (int)syscall(SYS_renameat2, AT_FDCWD, u->name, AT_FDCWD, to,
			  how == CLI_FINISH_EXCHANGE ? RENAME_EXCHANGE : 0);
	if (rc || how != CLI_FINISH_EXCHANGE)
		return rc;
	/* The name is that of the older folder now, which is removed. */
	close(u->fd);
	u->fd = open(u->name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
	return 0;
}

/*
 * Gives the output its name. 0, or -1 with errno; the output is then removed by
 * cli_unfinished_free().
 */
int cli_unfinished_finish(struct cli_unfinished *u, const char *to, enum cli_finish how)
{
	sigset_t had;
	int rc;

	begin(&had);
	rc = give_name(u, to, how);
	if (!rc && how != CLI_FINISH_EXCHANGE) {
		free(u->name);
		u->name = NULL;
	}
	end(&had);
	return rc;
}

/*
 * Removes an output without its name, and closes it. The result is that of close(2), which may
 * report a late write error.
 */
int cli_unfinished_free(struct cli_unfinished *u)
{
	struct cli_unfinished **at = &all;
	sigset_t had;
	int rc = 0;

	if (!u)
		return 0;
	begin(&had);
	if (u->name)
		remove_it(u->name, u->fd, u->folder);
	while (*at != u)
		at = &(*at)->next;
	*at = u->next;
	end(&had);
	if (u->fd >= 0)
		rc = close(u->fd);
	free(u->name);
	free(u);
	return rc;
}
