/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Opens the inputs of a capture as the user named them: files, "-" and directories. */
#include "input/inputs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "input/directory.h"
#include "input/tree.h"
#include "safety/descriptors.h"
#include "terminal/message.h"

/* Adds the entry of dir if it is a regular file. */
static int add_entry(struct cli_inputs *in, const char *dir, const char *name)
{
	struct stat sb;
	char *path = cli_join_path(dir, name);
	int rc = CLI_OK;

	if (!path)
		return cli_nomem();
	if (stat(path, &sb)) {
		cli_error(path, "cannot open: %s", strerror(errno));
		rc = CLI_FAILED;
	} else if (S_ISREG(sb.st_mode)) {
		rc = cli_inputs_add_file(in, path, name);
	}
	free(path);
	return rc;
}

static int add_directory(struct cli_inputs *in, const char *path,
			 const struct cli_inputs_wants *wants)
{
	bool live = cli_directory_is_tracefs(path);
	size_t count, before = in->count;
	char **names;
	int rc = CLI_OK;

	if (!live) {
		rc = cli_read_names(path, &names, &count);
		if (rc)
			return rc;
		for (size_t i = 0; i < count && rc == CLI_OK; i++)
			rc = add_entry(in, path, names[i]);
		cli_free_names(names, count);
	}
	if (rc == CLI_OK)
		rc = cli_tree_add(in, path, wants, live);
	if (rc == CLI_OK && in->count == before) {
		cli_error(path, "the directory holds no files");
		rc = CLI_FAILED;
	}
	return rc;
}

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
