/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The sandbox of commands that write a file: which paths stay usable. Writers need the folder of
 * their output and those for temporary files, importers also files that options name. Folders are
 * found before, with links followed.
 */
#include "safety/sandbox_output.h"

#include <stdlib.h>
#include <string.h>

#include "core/temp_file.h"
#include "safety/sandbox.h"

/* The folder in which path is made; of a link, the folder of what it points to. */
static char *folder_of(const char *path)
{
	char *real = realpath(path, NULL), *copy = real ? real : strdup(path);
	char *slash = copy ? strrchr(copy, '/') : NULL;

	if (slash)
		slash[slash == copy] = '\0';
	else if (copy)
		strcpy(copy, *copy ? "." : "");
	return copy;
}

/* The output's folder must be writable, because the file is made under a temporary name there. */
void cli_sandbox_for_output(const char *output, const char *tmpdir, const char *const *reads,
			    size_t count)
{
	struct cli_sandbox_path *paths = calloc(count + 4, sizeof(*paths));
	char *folder = folder_of(output);
	size_t n = 0;

	if (paths && folder) {
		if (strcmp(output, "-") != 0) {
			paths[n++] = (struct cli_sandbox_path){folder, true, false};
			paths[n++] = (struct cli_sandbox_path){output, true,
							       false}; /* may be a device */
		}
		paths[n++] = (struct cli_sandbox_path){tdat_temp_dir(), true, false};
		if (tmpdir)
			paths[n++] = (struct cli_sandbox_path){tmpdir, true, false};
		for (size_t i = 0; i < count; i++)
			paths[n++] = (struct cli_sandbox_path){reads[i], false, false};
		cli_sandbox_enter(paths, n, CLI_SANDBOX_READING);
	}
	free(paths);
	free(folder);
}

/* For a folder as output: folders can be made and removed beside it. */
void cli_sandbox_for_folder(const char *output, enum cli_sandbox_use use)
{
	char *folder = folder_of(output);
	const struct cli_sandbox_path paths[] = {
		{folder, true, true},
		{tdat_temp_dir(), true, false},
		{output, true, false}, /* may be a device */
	};

	if (folder)
		cli_sandbox_enter(paths, sizeof(paths) / sizeof(paths[0]), use);
	free(folder);
}

/*
 * Options of importers may name files, so their values are readable paths. anywhere: plugins may
 * read all files.
 */
void cli_sandbox_for_import(const char *output, const char *tmpdir,
			    const struct cli_import_opts *given, bool anywhere)
{
	const char **reads = calloc(given->count + 1, sizeof(*reads));
	size_t n = 0;

	for (size_t i = 0; reads && i < given->count; i++)
		if (given->v[i].value)
			reads[n++] = given->v[i].value;
	if (reads && anywhere)
		reads[n++] = "/";
	if (reads)
		cli_sandbox_for_output(output, tmpdir, reads, n);
	free(reads);
}
