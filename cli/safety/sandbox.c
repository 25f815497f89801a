/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The sandbox: limits the files that can be opened by Landlock, and enters the filter of system
 * calls. It is entered after all inputs are opened, and for good. The list of allowed things, with
 * reasons: docs/decisions/002-sandbox.md. A kernel without Landlock or seccomp is not a failure.
 */
#include "safety/sandbox.h"

#include "safety/sandbox_calls.h"

#if CLI_SANDBOX_BUILT

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "terminal/message.h"

/*
 * Landlock's calls and flags, see landlock(7), are given by their numbers, which are the
 * same on every machine, because the headers of a system may be older than its kernel.
 */
enum {
	NR_CREATE_RULESET = 444,
	NR_ADD_RULE = 445,
	NR_RESTRICT_SELF = 446,
	RULE_PATH_BENEATH = 1,
	CREATE_RULESET_VERSION = 1
};

enum {
	FS_WRITE_FILE = 1 << 1,
	FS_READ_FILE = 1 << 2,
	FS_READ_DIR = 1 << 3,
	FS_REMOVE_DIR = 1 << 4,
	FS_REMOVE_FILE = 1 << 5,
	FS_MAKE_DIR = 1 << 7,
	FS_MAKE_REG = 1 << 8,
	FS_ALL_1 = (1 << 13) - 1, /* what the first version knows */
	FS_REFER = 1 << 13,	  /* version 2 */
	FS_TRUNCATE = 1 << 14,	  /* version 3 */
	FS_IOCTL_DEV = 1 << 15,	  /* version 5 */
	NET_ALL = 3,		  /* version 4: bind and connect */
	SCOPE_ALL = 3		  /* version 6: abstract sockets, signals */
};

/*
 * struct landlock_ruleset_attr of <linux/landlock.h>, which grew with versions: older kernels get
 * its beginning only.
 */
struct ruleset_attr {
	uint64_t fs, net, scoped;
};

struct path_attr {
	uint64_t allowed;
	int32_t fd;
} __attribute__((packed));

/* Rights that the running kernel can handle; it refuses a ruleset with unknown ones. */
static uint64_t fs_known(long version)
{
	return FS_ALL_1 | (version >= 2 ? FS_REFER : 0) | (version >= 3 ? FS_TRUNCATE : 0) |
	       (version >= 5 ? FS_IOCTL_DEV : 0);
}

/*
 * Ends the program if descriptors ran out. A path without a rule would be refused later, and
 * without any rule nothing would be limited: the user must learn of either.
 */
static void check_descriptors(int fd)
{
	if (fd >= 0 || (errno != EMFILE && errno != ENFILE))
		return;
	cli_error(NULL, "cannot enter the sandbox: %s", strerror(errno));
	exit(CLI_FAILED);
}

/* Allows reading, and with write also changing, of a file or of everything below a folder. */
static void allow_path(int ruleset, const struct cli_sandbox_path *p, uint64_t known)
{
	uint64_t file = FS_READ_FILE | (p->write ? FS_WRITE_FILE | FS_TRUNCATE : 0);
	uint64_t dir = FS_READ_DIR | (p->write ? FS_REMOVE_FILE | FS_MAKE_REG | FS_REFER : 0) |
		       (p->folders ? FS_REMOVE_DIR | FS_MAKE_DIR : 0);
	struct path_attr attr = {.fd = open(p->path, O_PATH | O_CLOEXEC)};
	struct stat sb;

	check_descriptors(attr.fd);
	if (attr.fd < 0)
		return; /* it cannot be opened later either */
	attr.allowed = file & known;
	if (!fstat(attr.fd, &sb) && S_ISDIR(sb.st_mode))
		attr.allowed |= dir & known;
	syscall(NR_ADD_RULE, ruleset, RULE_PATH_BENEATH, &attr, 0);
	close(attr.fd);
}

/*
 * Limits this process to the paths. False: the kernel has no Landlock of that version, or it is
 * switched off.
 */
static bool restrict_files(const struct cli_sandbox_path *paths, size_t count, long least)
{
	long version = syscall(NR_CREATE_RULESET, NULL, 0, CREATE_RULESET_VERSION);
	struct ruleset_attr attr = {.fs = fs_known(version)};
	size_t size = sizeof(attr.fs);
	int ruleset;
	bool ok;

	if (version < least)
		return false;
	/*
	 * Version 4 added the network, version 6 abstract sockets and signals: all of it is
	 * refused.
	 */
	if (version >= 4) {
		attr.net = NET_ALL;
		size += sizeof(attr.net);
	}
	if (version >= 6) {
		attr.scoped = SCOPE_ALL;
		size += sizeof(attr.scoped);
	}
	ruleset = (int)syscall(NR_CREATE_RULESET, &attr, size, 0);
	check_descriptors(ruleset);
	if (ruleset < 0)
		return false;
	for (size_t i = 0; i < count; i++)
		allow_path(ruleset, &paths[i], attr.fs);
	ok = syscall(NR_RESTRICT_SELF, ruleset, 0) == 0;
	close(ruleset);
	return ok;
}

/* Returns the parts that are in force, as bits CLI_SANDBOX_*. */
unsigned cli_sandbox_enter(const struct cli_sandbox_path *paths, size_t count,
			   enum cli_sandbox_use use)
{
	unsigned in_force = 0;

	/* Landlock and seccomp both ask for the promise never to run a program with more rights. */
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		return 0;
	if (restrict_files(paths, count, use == CLI_SANDBOX_MOVING ? 2 : 1))
		in_force |= CLI_SANDBOX_FILES;
	if (cli_sandbox_calls(count > 0, use == CLI_SANDBOX_TYPING, use == CLI_SANDBOX_SERVING))
		in_force |= CLI_SANDBOX_CALLS;
	return in_force;
}

#else

unsigned cli_sandbox_enter(const struct cli_sandbox_path *paths, size_t count,
			   enum cli_sandbox_use use)
{
	(void)paths;
	(void)count;
	(void)use;
	return 0;
}

#endif
