/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Opens the inputs of a capture as the user named them: files, "-" and directories. A directory is
 * a capture: its files in the order of their names, or a tree (tree.c) if an importer asks for it.
 * Everything is opened here, before the sandbox is entered.
 */
#include "input/inputs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "input/beneath.h"
#include "input/directory.h"
#include "input/tree.h"
#include "safety/descriptors.h"
#include "safety/own_input.h"
#include "terminal/message.h"

/*
 * Adds an entry of a directory unless it is a directory itself, or a link to one: those are found
 * by tree.c.
 */
static int add_entry(struct cli_inputs *in, int root, const char *dir, const char *name)
{
	char *path = cli_join_path(dir, name);
	int rc, fd = cli_beneath_open(root, name, true);

	if (fd >= 0)
		close(fd);
	if (!path)
		return cli_nomem();
	rc = fd < 0 ? cli_inputs_add_below(in, root, path, name, false, 0) : CLI_OK;
	free(path);
	return rc;
}

static int add_entries(struct cli_inputs *in, int root, const char *path)
{
	size_t count;
	char **names;
	int rc = cli_read_names(cli_beneath_open(root, ".", true), path, &names, &count);

	if (rc)
		return rc;
	for (size_t i = 0; i < count && rc == CLI_OK; i++)
		rc = add_entry(in, root, path, names[i]);
	cli_free_names(names, count);
	return rc;
}

/* A live tracefs has no files of its own to add, only those that an importer wants. */
static int add_directory(struct cli_inputs *in, const char *path,
			 const struct cli_inputs_wants *wants)
{
	bool live = cli_directory_is_tracefs(path);
	const size_t before = in->count;
	int rc = CLI_OK, root = cli_beneath_root(path);

	if (root < 0) {
		cli_error(path, "cannot open the directory: %s", strerror(errno));
		return CLI_FAILED;
	}
	if (!live)
		rc = add_entries(in, root, path);
	if (rc == CLI_OK)
		rc = cli_tree_add(in, root, path, wants, live);
	if (rc == CLI_OK && in->count == before) {
		cli_error(path, "the directory holds no files");
		rc = CLI_FAILED;
	}
	close(root);
	return rc;
}

/* Names of files are their last components; importers find parts of a capture by them. */
int cli_inputs_open(struct cli_inputs *in, char *const *words, size_t count,
		    const struct cli_inputs_wants *wants)
{
	int rc = CLI_OK;

	cli_raise_file_limit();
	for (size_t i = 0; i < count && rc == CLI_OK; i++) {
		const char *slash = strrchr(words[i], '/');
		struct stat sb;

		if (!strcmp(words[i], "-"))
			rc = cli_inputs_add_file(in, "-", "-");
		else if (!stat(words[i], &sb) && S_ISDIR(sb.st_mode))
			rc = add_directory(in, words[i], wants);
		else
			rc = cli_inputs_add_file(in, words[i], slash ? slash + 1 : words[i]);
	}
	return rc;
}

/* Importer options may name files: the output must not be one of them. */
int cli_inputs_check_options(const char *command, const char *output,
			     const struct cli_import_opts *given)
{
	int rc = CLI_OK;

	for (size_t i = 0; i < given->count && rc == CLI_OK; i++)
		rc = cli_output_check_option(command, output, given->v[i].value);
	return rc;
}

int cli_inputs_check_output(const char *command, const char *output, const struct cli_inputs *in)
{
	int rc = CLI_OK;

	for (size_t i = 0; i < in->count && rc == CLI_OK; i++)
		rc = cli_output_check(command, output, true, &in->v[i].path, 1);
	return rc;
}
