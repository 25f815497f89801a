/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "input/inputs.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "terminal/common.h"
#include "input/tree.h"

static bool make_room(struct cli_inputs *in)
{
	size_t room = in->room ? in->room * 2 : 16;
	struct tdat_import_input *grown;

	if (in->count < in->room)
		return true;
	grown = realloc(in->v, room * sizeof(*grown));
	if (!grown)
		return false;
	in->v = grown;
	in->room = room;
	return true;
}

int cli_inputs_add(struct cli_inputs *in, const char *path, const char *name,
		   struct tdat_source *source)
{
	struct tdat_import_input *one;

	if (!make_room(in)) {
		tdat_source_close(source);
		return cli_nomem();
	}
	one = &in->v[in->count++];
	one->source = source;
	one->name = strdup(name);
	one->path = strdup(strcmp(path, "-") ? path : "standard input");
	return one->name && one->path ? CLI_OK : cli_nomem();
}

int cli_inputs_add_file(struct cli_inputs *in, const char *path, const char *name)
{
	struct tdat_error err = TDAT_ERROR_INIT;
	struct tdat_source *source;

	if (tdat_source_open_path(&source, path, TDAT_ACCESS_READ, &err))
		return cli_fail(path, &err);
	return cli_inputs_add(in, path, name, source);
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

void cli_free_names(char **names, size_t count)
{
	for (size_t i = 0; i < count; i++)
		free(names[i]);
	free(names);
}

int cli_read_names(const char *path, char ***out, size_t *count)
{
	DIR *dir = opendir(path);
	size_t room = 0, n = 0;
	char **names = NULL;
	struct dirent *e;
	int rc = CLI_OK;

	if (!dir) {
		cli_error(path, "cannot open the directory: %s", strerror(errno));
		return CLI_FAILED;
	}
	errno = 0;
	while (rc == CLI_OK && (e = readdir(dir))) {
		if (e->d_name[0] == '.')
			continue;
		if (n == room) {
			size_t more = room ? room * 2 : 64;
			char **grown = realloc(names, more * sizeof(*names));

			if (!grown) {
				rc = cli_nomem();
				break;
			}
			names = grown;
			room = more;
		}
		names[n] = strdup(e->d_name);
		if (!names[n++])
			rc = cli_nomem();
		errno = 0;
	}
	if (rc == CLI_OK && errno) {
		cli_error(path, "cannot read the directory: %s", strerror(errno));
		rc = CLI_FAILED;
	}
	closedir(dir);
	if (rc != CLI_OK) {
		cli_free_names(names, n);
		return rc;
	}
	if (n)
		qsort(names, n, sizeof(*names), by_name);
	*out = names;
	*count = n;
	return CLI_OK;
}

/* A file of dir; not told which: every regular one. */
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
	bool live = cli_tree_is_live(path);
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

void cli_inputs_fini(struct cli_inputs *in)
{
	for (size_t i = 0; i < in->count; i++) {
		tdat_source_close((struct tdat_source *)in->v[i].source);
		free((char *)in->v[i].name);
		free((char *)in->v[i].path);
	}
	free(in->v);
	free(in->host);
	memset(in, 0, sizeof(*in));
}

const char *cli_inputs_path(const struct cli_inputs *in, const char *name)
{
	for (size_t i = 0; name && i < in->count; i++)
		if (!strcmp(in->v[i].name, name))
			return in->v[i].path;
	return name;
}

bool cli_inputs_is_trace_dat(const struct tdat_source *source)
{
	static const char magic[10] = {0x17, 0x08, 0x44, 't', 'r', 'a', 'c', 'i', 'n', 'g'};
	char head[sizeof(magic)];

	if (tdat_source_len(source) < sizeof(head) ||
	    tdat_source_read(source, 0, head, sizeof(head), NULL))
		return false;
	return !memcmp(head, magic, sizeof(magic));
}
