/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The folder in which the running program lies. */
#ifndef CLI_OWN_FOLDER_H
#define CLI_OWN_FOLDER_H

#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

/* cli_own_folder writes the folder without a slash at its end; false: it is not known. */
static inline bool cli_own_folder(char folder[PATH_MAX])
{
	const ssize_t len = readlink("/proc/self/exe", folder, PATH_MAX - 1);
	const char *name = (const char *)getauxval(AT_EXECFN);
	char *slash;

	folder[len > 0 ? len : 0] = '\0';
	/* Without /proc it is the path that the program was started by. */
	if (len <= 0 && (!name || !realpath(name, folder)))
		return false;
	slash = strrchr(folder, '/');
	if (slash)
		*slash = '\0';
	return slash != NULL;
}

#endif
