/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rights dropped before bytes of others are parsed. What is open stays usable;
 * nothing else can be opened, no program run, no process made, no network used.
 * Landlock and seccomp where the kernel has them, else silently without.
 */
#ifndef CLI_SANDBOX_H
#define CLI_SANDBOX_H

#include <stdbool.h>
#include <stddef.h>

/* What must still be opened later. */
struct cli_sandbox_path {
	const char *path; /* a file, or a folder with all below it; may be missing */
	bool write;       /* in a folder: make, replace and remove files, too */
};

enum {
	CLI_SANDBOX_FILES = 1, /* Landlock: only those paths can be opened */
	CLI_SANDBOX_CALLS = 2  /* seccomp: only calls that a reader needs */
};

/*
 * cli_sandbox_enter gives up every right that is not needed, for this process
 * and for good. Returns what is in force now: CLI_SANDBOX_ bits, 0 on a system
 * without them and in builds with a sanitizer, whose own work needs more.
 */
unsigned cli_sandbox_enter(const struct cli_sandbox_path *paths, size_t count);

#endif
