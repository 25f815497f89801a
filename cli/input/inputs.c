/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Opens the inputs of a capture as the user named them: files, "-" and directories. A directory is
 * a capture: its files in the order of their names, or a tree (tree.c) if an importer asks for it.
 * Everything is opened here, before the sandbox is entered.
 */
#include "input/inputs.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/text.h"

#include "input/beneath.h"
#include "input/directory.h"
#include "input/packed.h"
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
	if (rc == CLI_OK && in->count == before && !in->quiet) {
		cli_error(path, "the directory contains no files");
		rc = CLI_FAILED;
	}
	close(root);
	return rc;
}

/* The length of the folder that all members lie in, with its slash; 0: there is none. */
static size_t common_folder(const struct cli_packed *packed, size_t from)
{
	const char *first = packed->count ? packed->v[0].name + from : "";
	const size_t len = strcspn(first, "/") + 1;

	for (size_t i = 0; i < packed->count; i++)
		if (strncmp(packed->v[i].name + from, first, len) != 0)
			return 0;
	return first[len - 1] ? len : 0;
}

/* Returns how much of the names leads to the capture: often all lies in one folder. */
static size_t capture_at(const struct cli_packed *packed)
{
	size_t at = 0, len;

	while ((len = common_folder(packed, at)))
		at += len;
	return at;
}

/* tar finds files of tracefs empty, and takes those of one inode for links to one file. */
static bool is_lost_format(const struct cli_member *m)
{
	const char *name = tdat_base_name(m->name);

	return (!strcmp(name, "format") || !strncmp(name, "header_", 7)) &&
	       (m->hard_link || (m->source && !tdat_source_len(m->source)));
}

int cli_inputs_add_members(struct cli_inputs *in, const char *path, struct cli_packed *packed,
			   const struct cli_inputs_wants *wants)
{
	const size_t at = capture_at(packed), before = in->count;
	int rc = CLI_OK;
	bool lost = false;

	in->left_out += packed->left_out;
	/* First those of the folder itself, as a folder is read. */
	for (int deep = 0; deep < 2; deep++) {
		for (size_t i = 0; i < packed->count && rc == CLI_OK; i++) {
			struct cli_member *m = &packed->v[i];
			const char *name = m->name + at;
			char *full;

			if ((strchr(name, '/') != NULL) != deep ||
			    (deep && !cli_tree_wanted(wants, name, false)))
				continue;
			lost |= is_lost_format(m);
			if (asprintf(&full, "%s/%s", path, m->name) < 0)
				return cli_nomem();
			if (m->source) {
				rc = cli_inputs_add(in, full, name, m->source);
				m->source = NULL;
			} else if (!m->hard_link) {
				cli_inputs_leave_out(in, full, "is neither a file nor a folder");
			}
			free(full);
		}
	}
	if (lost) {
		cli_error(path, "its format files are empty, because tar stores files of tracefs "
				"without content: copy tracefs with 'cp -r' and tar the copy, or "
				"give \"tdat convert --from tracefs\" the formats of the same "
				"kernel with --formats-from");
		in->left_out++;
	}
	if (rc == CLI_OK && in->count == before) {
		cli_error(path, "the archive contains no files of a capture");
		rc = CLI_FAILED;
	}
	return rc;
}

/* Adds a file, or what it holds if it is packed. */
static int add_file(struct cli_inputs *in, const char *path, const char *name,
		    const struct cli_inputs_wants *wants)
{
	struct tdat_source_opts opts = TDAT_SOURCE_OPTS_INIT;
	struct tdat_error err = TDAT_ERROR_INIT;
	struct cli_packed packed;
	struct tdat_source *source;
	int rc;

	opts.spool_len = in->spool_len;
	if (tdat_source_open(&source, path, &opts, &err))
		return cli_fail(path, &err);
	if (cli_packing_of(source) == TDAT_PACKING_NONE)
		return cli_inputs_add(in, path, name, source);
	if (cli_packed_open(&packed, source, path, in->tmpdir, &err)) {
		rc = cli_fail(path, &err);
	} else if (packed.archive && (packed.count != 1 || !packed.v[0].source)) {
		rc = cli_inputs_add_members(in, path, &packed, wants);
	} else if (!packed.count) {
		cli_error(path, "the archive contains no files");
		rc = CLI_FAILED;
	} else {
		struct cli_member *m = &packed.v[0];

		rc = cli_inputs_add(in, path, tdat_base_name(m->name), m->source);
		m->source = NULL;
	}
	tdat_source_close(source);
	cli_packed_fini(&packed);
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
			rc = add_file(in, "-", "-", wants);
		else if (!stat(words[i], &sb) && S_ISDIR(sb.st_mode))
			rc = add_directory(in, words[i], wants);
		else
			rc = add_file(in, words[i], slash ? slash + 1 : words[i], wants);
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

static bool is_perf_data(const struct tdat_source *source)
{
	char head[8];

	return tdat_source_len(source) >= sizeof(head) &&
	       tdat_source_read(source, 0, head, sizeof(head), NULL) == TDAT_OK &&
	       (!memcmp(head, "PERFILE2", sizeof(head)) || !memcmp(head, "2ELIFREP", sizeof(head)));
}

bool cli_inputs_are_several(const struct cli_inputs *in, struct tdat_error *err)
{
	static const struct {
		const char *name;
		bool (*is)(const struct tdat_source *source);
	} kinds[] = {{"trace.dat", cli_is_trace_dat}, {"perf.data", is_perf_data}};

	for (size_t k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++) {
		char names[256] = "";
		size_t count = 0, used = 0;

		for (size_t i = 0; i < in->count; i++) {
			if (!kinds[k].is(in->v[i].source))
				continue;
			if (count++ && used < sizeof(names))
				used += (size_t)snprintf(names + used, sizeof(names) - used, ", ");
			if (used < sizeof(names))
				used += (size_t)snprintf(names + used, sizeof(names) - used, "%s",
							 in->v[i].path);
		}
		if (count < 2)
			continue;
		tdat_error_set(err, TDAT_E_FORMAT, TDAT_NO_OFFSET,
			       "%zu %s files, each a separate recording: name one of %s%s", count,
			       kinds[k].name, names, used < sizeof(names) ? "" : "...");
		return true;
	}
	return false;
}
