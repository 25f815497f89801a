/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The sandbox that a command enters before it parses bytes of others. Open descriptors
 * stay usable; nothing else can be opened, no program run, no process made, no network
 * used. It is made of Landlock and seccomp where the kernel has them, and is silently
 * left out elsewhere.
 */
#ifndef CLI_SANDBOX_H
#define CLI_SANDBOX_H

#include <stdbool.h>
#include <stddef.h>

/* A path that can still be opened in the sandbox. */
struct cli_sandbox_path {
	const char *path; /* a file, or a folder with all below it; may be missing */
	bool write;	  /* in a folder: make, replace and remove files, too */
	bool folders;	  /* in a folder: make, rename and remove folders, too */
};

enum {
	CLI_SANDBOX_FILES = 1, /* Landlock: only those paths can be opened */
	CLI_SANDBOX_CALLS = 2  /* seccomp: only calls that a reader needs */
};

/* What the process does in the sandbox, beside reading what is open. */
enum cli_sandbox_use {
	CLI_SANDBOX_READING,
	/* moves files between folders, which the first version of Landlock forbids: it is left out
	 */
	CLI_SANDBOX_MOVING,
	CLI_SANDBOX_TYPING, /* changes settings of a terminal, which editing of lines needs */
	CLI_SANDBOX_SERVING /* accepts and answers connections on a socket that listens already */
};

/*
 * cli_sandbox_enter puts this process into the sandbox for good. Returns which parts of
 * it are in force: CLI_SANDBOX_ bits, 0 on a system without them and in builds with a
 * sanitizer, whose own work needs more. Without free descriptors it ends the program with a
 * complaint.
 */
unsigned cli_sandbox_enter(const struct cli_sandbox_path *paths, size_t count,
			   enum cli_sandbox_use use);

#endif
