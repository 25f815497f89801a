/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Checks who owns the plugins that are to be loaded, since they are code. A folder or an object
 * that others can write is refused before libtraceevent loads it. Called before the sandbox is
 * entered.
 */
#include "input/plugins.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "input/directory.h"
#include "terminal/message.h"

/* Trusts root and the user: either could run any code anyway. */
static int check_one(const char *path)
{
	struct stat sb;

	if (stat(path, &sb)) {
		cli_error(path, "cannot load plugins: %s", strerror(errno));
		return CLI_FAILED;
	}
	if (sb.st_uid != 0 && sb.st_uid != geteuid()) {
		cli_error(path,
			  "belongs to user %u: plugins are code, so tdat loads only root's and "
			  "your own",
			  (unsigned)sb.st_uid);
		return CLI_FAILED;
	}
	if (sb.st_mode & (S_IWGRP | S_IWOTH)) {
		cli_error(path,
			  "is writable by others (mode %03o): plugins are code, so tdat does not "
			  "load it",
			  (unsigned)sb.st_mode & 0777);
		return CLI_FAILED;
	}
	return CLI_OK;
}

/* libtraceevent loads files with this ending. */
static int is_object(const struct dirent *e)
{
	size_t len = strlen(e->d_name);

	return len > 3 && !strcmp(e->d_name + len - 3, ".so");
}

/* Checks the folder and every object in it: a writable folder lets others replace objects. */
static int check_dir(const char *dir)
{
	struct dirent **list;
	int count, rc = check_one(dir);

	if (rc != CLI_OK)
		return rc;
	count = scandir(dir, &list, is_object, alphasort);
	if (count < 0) {
		cli_error(dir, "cannot load plugins: %s", strerror(errno));
		return CLI_FAILED;
	}
	for (int i = 0; i < count; i++) {
		char *path = cli_join_path(dir, list[i]->d_name);

		if (rc == CLI_OK)
			rc = path ? check_one(path) : cli_nomem();
		free(path);
		free(list[i]);
	}
	free(list);
	return rc;
}

int cli_plugins_check(const struct cli_list *dirs)
{
	int rc = CLI_OK;

	if (dirs->count && !tdat_has(TDAT_COMPONENT_PLUGINS)) {
		cli_error(NULL,
			  "--plugin-dir: this tdat was built without plugins of libtraceevent "
			  "(TDAT_PLUGINS=OFF)");
		return CLI_FAILED;
	}
	for (size_t i = 0; rc == CLI_OK && i < dirs->count; i++)
		rc = check_dir(dirs->v[i]);
	/* The sandbox lets the library find it only where it is loaded already. */
	if (rc == CLI_OK && dirs->count && !dlopen("libtraceevent.so.1", RTLD_NOW | RTLD_GLOBAL)) {
		cli_error(NULL, "--plugin-dir needs libtraceevent (in Debian libtraceevent1): %s",
			  dlerror());
		return CLI_FAILED;
	}
	/*
	 * libtraceevent would also look in these two places. HOME is replaced and not
	 * removed, because without any HOME libtraceevent loads nothing at all.
	 */
	unsetenv("TRACEEVENT_PLUGIN_DIR");
	if (dirs->count && setenv("HOME", "/dev/null", 1))
		rc = cli_nomem();
	return rc;
}
