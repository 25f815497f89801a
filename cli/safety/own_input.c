/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Refuses outputs that would replace an input of the command, or be shown on a terminal. Files are
 * compared by device and inode, so links do not hide them. It runs before anything is made; the
 * message names the input.
 */
#include "safety/own_input.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "terminal/message.h"

/* "-" is standard input or output, whose descriptor is `standard`. */
static bool stat_path(const char *path, int standard, struct stat *sb)
{
	return !(strcmp(path, "-") ? stat(path, sb) : fstat(standard, sb));
}

/* Character devices and pipes may be input and output at once. */
static bool same_file(const struct stat *a, const struct stat *b)
{
	return (S_ISREG(a->st_mode) || S_ISBLK(a->st_mode)) && a->st_dev == b->st_dev &&
	       a->st_ino == b->st_ino;
}

/* True also for a path such as /dev/stdout that leads to the same file. */
bool cli_output_is_stdout(const char *path)
{
	struct stat a, b;

	return !strcmp(path, "-") ||
	       (!stat(path, &a) && !fstat(STDOUT_FILENO, &b) && !S_ISCHR(a.st_mode) &&
		a.st_dev == b.st_dev && a.st_ino == b.st_ino);
}

/* An output that does not exist yet cannot be an input. */
static int check_inputs(const char *command, const char *output, const char *const *inputs,
			size_t count)
{
	struct stat in, out;

	if (!stat_path(output, STDOUT_FILENO, &out))
		return CLI_OK;
	for (size_t i = 0; i < count; i++) {
		if (!stat_path(inputs[i], STDIN_FILENO, &in) || !same_file(&in, &out))
			continue;
		cli_error(strcmp(inputs[i], "-") ? inputs[i] : "standard input",
			  "is also the output: %s never changes its input", command);
		return CLI_USAGE;
	}
	return CLI_OK;
}

/*
 * True if the path is a terminal. Opening a terminal that is not the controlling one has no effect
 * on it.
 */
static bool is_terminal(const char *path)
{
	struct stat sb;
	bool is;
	int fd;

	if (!strcmp(path, "-"))
		return isatty(STDOUT_FILENO);
	if (stat(path, &sb) || !S_ISCHR(sb.st_mode))
		return false;
	fd = open(path, O_WRONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
	is = fd >= 0 && isatty(fd);
	if (fd >= 0)
		close(fd);
	return is;
}

int cli_output_check(const char *command, const char *output, bool force, const char *const *inputs,
		     size_t count)
{
	if (!force && is_terminal(output)) {
		cli_error(strcmp(output, "-") ? output : NULL,
			  "this output is binary and is not written to a terminal without --force");
		return CLI_USAGE;
	}
	return check_inputs(command, output, inputs, count);
}

/* An option of an importer may name a file, also as FILE@OFFSET. */
int cli_output_check_option(const char *command, const char *output, const char *value)
{
	const char *at = strrchr(value, '@');
	char *file = at ? strndup(value, (size_t)(at - value)) : NULL;
	int rc = check_inputs(command, output, &value, 1);

	if (at && !file)
		rc = cli_nomem();
	if (rc == CLI_OK && file)
		rc = check_inputs(command, output, (const char *const *)&file, 1);
	free(file);
	return rc;
}

/* Files of a folder that a command may replace. */
struct files {
	const char *folder;
	const char *word; /* what their names begin or end with */
	bool (*fits)(const char *name, const char *word);
};

/* Compares each file of a folder whose name fits with the inputs. */
static int check_files(const char *command, const struct files *f, const char *const *inputs,
		       size_t count)
{
	DIR *dir = opendir(f->folder); /* the writer reports a missing one */
	struct dirent *e;
	int rc = CLI_OK;

	while (rc == CLI_OK && dir && (e = readdir(dir))) {
		char *path;

		if (!f->fits(e->d_name, f->word))
			continue;
		if (asprintf(&path, "%s/%s", f->folder, e->d_name) < 0) {
			rc = cli_nomem();
			break;
		}
		rc = check_inputs(command, path, inputs, count);
		free(path);
	}
	if (dir)
		closedir(dir);
	return rc;
}

/* True if name is STEM.NUMBER with four digits or more: a piece of tdat split -r. */
static bool is_piece(const char *name, const char *stem)
{
	const size_t stem_len = strlen(stem);

	if (strncmp(name, stem, stem_len) || name[stem_len] != '.')
		return false;
	name += stem_len + 1;
	return strlen(name) >= 4 && !name[strspn(name, "0123456789")];
}

/* Called by split before the first piece is written: any of them may be the input. */
int cli_output_check_series(const char *command, const char *output, const char *const *inputs,
			    size_t count)
{
	const char *slash = strrchr(output, '/');
	char *folder = slash ? strndup(output, (size_t)(slash - output) + 1) : strdup(".");
	const struct files f = {folder, slash ? slash + 1 : output, is_piece};
	int rc = folder ? check_files(command, &f, inputs, count) : cli_nomem();

	free(folder);
	return rc;
}

static bool ends_with(const char *name, const char *suffix)
{
	const size_t len = strlen(name), n = strlen(suffix);

	return len >= n && !strcmp(name + len - n, suffix);
}

int cli_output_check_folder(const char *command, const char *folder, const char *suffix,
			    const char *const *inputs, size_t count)
{
	const struct files f = {folder, suffix, ends_with};

	return check_files(command, &f, inputs, count);
}

/* Returns the number of the input that is this file; count: none is. */
static size_t input_that_is(const struct stat *sb, const struct stat *inputs, size_t count)
{
	size_t i = 0;

	while (i < count && !same_file(&inputs[i], sb))
		i++;
	return i;
}

/* The inputs of a command, and what a walk through a folder compares them with. */
struct walk {
	const char *command, *suffix;
	const char *const *inputs;
	const struct stat *stats; /* of the inputs */
	size_t count;
};

/* Compares all files below a folder. Links are not followed. */
static int check_below(const struct walk *w, const char *folder)
{
	DIR *dir = opendir(folder); /* the writer reports one that cannot be read */
	struct dirent *e;
	int rc = CLI_OK;

	while (rc == CLI_OK && dir && (e = readdir(dir))) {
		struct stat sb;
		char *path;

		if (!strcmp(e->d_name, ".") || !strcmp(e->d_name, ".."))
			continue;
		if (asprintf(&path, "%s/%s", folder, e->d_name) < 0) {
			rc = cli_nomem();
			break;
		}
		if (!lstat(path, &sb)) {
			if (S_ISDIR(sb.st_mode))
				rc = check_below(w, path);
			else if (S_ISREG(sb.st_mode) && ends_with(e->d_name, w->suffix) &&
				 input_that_is(&sb, w->stats, w->count) < w->count)
				rc = check_inputs(w->command, path, w->inputs, w->count);
		}
		free(path);
	}
	if (dir)
		closedir(dir);
	return rc;
}

/* Compares all files below the folder of a data set with the inputs. */
int cli_output_check_tree(const char *command, const char *folder, const char *suffix,
			  const char *const *inputs, size_t count)
{
	struct stat *stats = calloc(count + 1, sizeof(*stats));
	const struct walk w = {command, suffix, inputs, stats, count};
	int rc;

	if (!stats)
		return cli_nomem();
	for (size_t i = 0; i < count; i++)
		if (!stat_path(inputs[i], STDIN_FILENO, &stats[i]))
			memset(&stats[i], 0, sizeof(stats[i])); /* it is no file */
	rc = check_below(&w, folder);
	free(stats);
	return rc;
}

int cli_output_check_text(const char *command, char *const *paths, size_t count)
{
	static const char *const usual[] = {"trace.dat"};

	return check_inputs(command, "-", count ? (const char *const *)paths : usual,
			    count ? count : 1);
}
