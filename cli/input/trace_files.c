/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Opens the trace.dat files that a command reads, and parses them after the sandbox is entered. All
 * files are opened first; the sandbox is entered before the first byte is parsed; then each file is
 * parsed when the command gets to it. Failures are reported with the path. Which commands map:
 * docs/decisions/013-reading-and-mapping.md.
 */
#include "input/trace_files.h"

#include <stdio.h>
#include <stdlib.h>

#include "core/grow.h"
#include "input/damage.h"
#include "input/mapped.h"
#include "input/packed.h"
#include "safety/descriptors.h"
#include "safety/sandbox.h"
#include "terminal/message.h"

/* Returns the one trace.dat of an archive, or its one file. */
static struct cli_member *choose(struct cli_packed *packed, struct tdat_error *err)
{
	struct cli_member *found = NULL, *any = NULL;
	size_t count = 0, files = 0;

	for (size_t i = 0; i < packed->count; i++) {
		struct cli_member *m = &packed->v[i];

		if (!m->source)
			continue;
		files++;
		any = m;
		if (cli_is_trace_dat(m->source) && !count++)
			found = m;
	}
	if (count > 1)
		tdat_error_set(
			err, TDAT_E_FORMAT, TDAT_NO_OFFSET,
			"is an archive of %zu trace.dat files, the first of them %s: unpack it "
			"and name one",
			count, found->name);
	else if (!count && files != 1)
		tdat_error_set(
			err, TDAT_E_FORMAT, TDAT_NO_OFFSET,
			"is an archive of %zu files, none of them a trace.dat: 'tdat convert' "
			"reads captures",
			files);
	return count == 1 ? found : !count && files == 1 ? any : NULL;
}

/* Puts what a packed file holds in its place. */
static void unpack(const struct cli_files *files, struct cli_file *one)
{
	struct cli_packed packed;
	struct cli_member *m = NULL;

	if (!cli_packed_open(&packed, one->source, one->path, files->tmpdir, &one->err))
		m = choose(&packed, &one->err);
	tdat_source_close(one->source);
	one->source = NULL;
	if (m && packed.archive && asprintf(&one->member, "%s/%s", one->path, m->name) < 0) {
		one->member = NULL;
		tdat_error_no_memory(&one->err, "a name");
	} else if (m) {
		one->path = one->member ? one->member : one->path;
		one->source = m->source;
		m->source = NULL;
	}
	cli_packed_fini(&packed);
}

/*
 * Opens one file. A failure is kept for cli_files_parse(): other files of the command are read
 * nevertheless. With may_map it is mapped if it is settled or the environment asks for it.
 */
int cli_files_add(struct cli_files *files, const char *path, bool may_map)
{
	struct tdat_source_opts opts = TDAT_SOURCE_OPTS_INIT;
	struct cli_file *one;

	if (!TDAT_GROW(files->v, &files->room, files->count + 1))
		return cli_nomem();
	one = &files->v[files->count++];
	*one = (struct cli_file){path, NULL, TDAT_ERROR_INIT, NULL};
	opts.spool_len = files->spool_len;
	opts.magic = TDAT_FILE_MAGIC;
	opts.magic_len = TDAT_FILE_MAGIC_LEN;
	if (may_map)
		cli_mapped_open(&one->source, path, &opts, &one->err);
	else
		tdat_source_open(&one->source, path, &opts, &one->err);
	if (one->source && cli_packing_of(one->source) != TDAT_PACKING_NONE)
		unpack(files, one);
	return CLI_OK;
}

/* Without arguments the file is trace.dat, as for trace-cmd. */
static int open_all(struct cli_files *files, char *const *paths, int count, bool may_map)
{
	int rc = CLI_OK;

	cli_raise_file_limit();
	if (!count)
		rc = cli_files_add(files, "trace.dat", may_map);
	for (int i = 0; rc == CLI_OK && i < count; i++)
		rc = cli_files_add(files, paths[i], may_map);
	return rc;
}

int cli_files_open(struct cli_files *files, char *const *paths, int count, bool may_map)
{
	const int rc = open_all(files, paths, count, may_map);

	if (rc == CLI_OK)
		cli_sandbox_enter(NULL, 0, CLI_SANDBOX_READING);
	return rc;
}

/* SQLite sorts in files of tmpdir, which the sandbox keeps usable. */
int cli_files_open_sorting(struct cli_files *files, char *const *paths, int count,
			   const char *tmpdir, bool typing)
{
	const struct cli_sandbox_path path = {tmpdir, true, false};
	int rc;

	files->tmpdir = tmpdir;
	/* A shell runs for hours, and a file that shrinks meanwhile must not end it. */
	rc = open_all(files, paths, count, !typing);
	if (rc == CLI_OK)
		cli_sandbox_enter(&path, 1, typing ? CLI_SANDBOX_TYPING : CLI_SANDBOX_READING);
	return rc;
}

/* Parses file i. Its source belongs to the opened file, or is closed after a failure. */
enum tdat_status cli_files_parse(struct cli_files *files, size_t i,
				 const struct tdat_limits *limits, struct tdat_file **out,
				 struct tdat_error *err)
{
	struct tdat_open_opts opts = TDAT_OPEN_OPTS_INIT;
	struct cli_file *one = &files->v[i];
	enum tdat_status st;

	*out = NULL;
	if (!one->source) {
		*err = one->err;
		return err->status;
	}
	opts.limits = limits;
	opts.tolerate_damage = !files->strict;
	st = tdat_file_open_source(out, one->source, &opts, err);
	if (st != TDAT_OK)
		tdat_source_close(one->source);
	one->source = NULL;
	return st;
}

/*
 * Parses all files as inputs of one iterator. Damage of metadata is reported and sets *status; a
 * file that cannot be opened ends it.
 */
int cli_files_parse_all(struct cli_files *files, const struct tdat_limits *limits,
			struct tdat_iter_input **inputs, size_t *count, int *status)
{
	*count = 0;
	*inputs = calloc(files->count + 1, sizeof(**inputs));
	if (!*inputs)
		return cli_nomem();
	for (size_t i = 0; i < files->count; i++) {
		struct tdat_error err = TDAT_ERROR_INIT;
		const char *path = files->v[i].path;

		if (cli_files_parse(files, i, limits, &(*inputs)[i].file, &err))
			return cli_fail(path, &err);
		++*count;
		if (cli_file_damage(path, (*inputs)[i].file) != CLI_OK)
			*status = CLI_FAILED;
	}
	return CLI_OK;
}

void cli_files_free_inputs(struct tdat_iter_input *inputs, size_t count)
{
	for (size_t i = 0; i < count; i++)
		tdat_file_close(inputs[i].file);
	free(inputs);
}

void cli_files_close(struct cli_files *files)
{
	for (size_t i = 0; i < files->count; i++) {
		tdat_source_close(files->v[i].source);
		free(files->v[i].member);
	}
	free(files->v);
	*files = (struct cli_files){.count = 0};
}
