/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Opens the trace.dat files that a command reads, and parses them after the sandbox is entered. Of
 * packed files the content is taken, of foreign captures the trace.dat that they become. All files
 * are opened first; the sandbox is entered before the first byte is parsed; then each file is
 * parsed when the command gets to it. Failures are reported with the path. Which commands map:
 * docs/decisions/013-reading-and-mapping.md.
 */
#include "input/trace_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/grow.h"
#include "input/damage.h"
#include "input/directory.h"
#include "input/import_temp.h"
#include "input/inputs.h"
#include "input/mapped.h"
#include "input/packed.h"
#include "safety/descriptors.h"
#include "safety/sandbox.h"
#include "safety/sandbox_output.h"
#include "terminal/message.h"

/* Returns the one trace.dat of an archive, or its one file; NULL: there is neither. */
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
		tdat_error_set(err, TDAT_E_FORMAT, TDAT_NO_OFFSET,
			       "is an archive of %zu trace.dat files, the first one %s: unpack it "
			       "and name one",
			       count, found->name);
	return count == 1 ? found : !count && files == 1 ? any : NULL;
}

/*
 * Puts what a packed file holds in its place; the files of an archive without a trace.dat become
 * the inputs of one capture.
 */
static int unpack(const struct cli_files *files, struct cli_file *one, struct cli_inputs *in)
{
	const struct cli_inputs_wants wants = {files->importer, NULL, 0};
	struct cli_packed packed;
	struct cli_member *m = NULL;
	int rc = CLI_OK;

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
	} else if (!one->err.status) {
		rc = cli_inputs_add_members(in, one->path, &packed, &wants);
	}
	cli_packed_fini(&packed);
	return rc;
}

/* Opens one file, and maps it if it may be and is settled, or the environment asks for it. */
static int open_file(const struct cli_files *files, struct cli_file *one, bool may_map,
		     struct cli_inputs *in)
{
	struct tdat_source_opts opts = TDAT_SOURCE_OPTS_INIT;

	opts.spool_len = files->spool_len;
	if (may_map)
		cli_mapped_open(&one->source, one->path, &opts, &one->err);
	else
		tdat_source_open(&one->source, one->path, &opts, &one->err);
	if (one->source && cli_packing_of(one->source) != TDAT_PACKING_NONE)
		return unpack(files, one, in);
	return CLI_OK;
}

/* The inputs of a capture that a file or a folder is; none where it is a trace.dat. */
static int find_capture(const struct cli_files *files, struct cli_file *one, bool may_map,
			struct cli_inputs *in)
{
	const struct cli_inputs_wants wants = {NULL, NULL, 0};
	const char *slash;
	struct stat sb;
	int rc;

	if (!files->as_is && !stat(one->path, &sb) && S_ISDIR(sb.st_mode)) {
		if (cli_directory_is_tracefs(one->path)) {
			tdat_error_set(&one->err, TDAT_E_USAGE, TDAT_NO_OFFSET,
				       "is a live tracefs, and reading removes its events: save "
				       "them to a file with tdat convert");
			return CLI_OK;
		}
		in->quiet = true;
		return cli_inputs_open(in, (char *const[]){(char *)(uintptr_t)one->path}, 1,
				       &wants);
	}
	rc = open_file(files, one, may_map, in);
	if (rc != CLI_OK || files->as_is || !one->source || cli_is_trace_dat(one->source))
		return rc;
	slash = strrchr(one->path, '/');
	rc = cli_inputs_add(in, one->path, slash ? slash + 1 : one->path, one->source);
	one->source = NULL;
	return rc;
}

/*
 * Imports the inputs of a capture. A single file that no importer knows stays as it is: opening it
 * says what it is.
 */
static void import(const struct cli_files *files, const struct cli_import_opts *given,
		   struct cli_file *one, struct cli_inputs *in)
{
	const struct cli_import_job job = {files->importer, given, in, files->tmpdir};

	if (!files->importer && cli_inputs_are_several(in, &one->err))
		return;
	one->capture_len = cli_inputs_len(in);
	if (cli_import_temp(&one->source, &one->importer, &job, one->path, &one->err) ||
	    one->source)
		return;
	if (in->count == 1) {
		one->source = (struct tdat_source *)in->v[0].source;
		in->v[0].source = NULL;
	} else {
		tdat_error_set(&one->err, TDAT_E_FORMAT, TDAT_NO_OFFSET,
			       "contains neither a trace.dat nor a capture that tdat can import; "
			       "\"tdat list --formats\" lists the formats");
	}
}

static struct cli_file *add(struct cli_files *files, const char *path)
{
	struct cli_file *one;

	if (!TDAT_GROW(files->v, &files->room, files->count + 1))
		return NULL;
	one = &files->v[files->count++];
	*one = (struct cli_file){.path = path, .err = TDAT_ERROR_INIT};
	return one;
}

/* The length of "NAME.blktrace." in "NAME.blktrace.12"; 0: it is not named so. */
static size_t stem_len(const char *path)
{
	const char *dot = strrchr(path, '.');
	static const char kind[] = ".blktrace";
	const size_t len = dot ? (size_t)(dot - path) : 0, n = sizeof(kind) - 1;

	return len > n && !memcmp(dot - n, kind, n) && dot[1] &&
			       dot[1 + strspn(dot + 1, "0123456789")] == '\0'
		       ? len + 1
		       : 0;
}

/* Whether two files are of one capture. */
static bool is_part_of(const char *path, const char *other)
{
	const size_t len = stem_len(path);

	return len && len == stem_len(other) && !memcmp(path, other, len);
}

static const char *word_at(void *words, size_t i, size_t item_size)
{
	return *(const char **)((char *)words + i * item_size);
}

/* Compares with all words before, for names of parts only: CPUs x words. */
size_t cli_files_join(struct cli_files *files, void *words, size_t count, size_t item_size)
{
	char item[64];

	for (size_t i = 1; i < count && item_size <= sizeof(item);) {
		char *at = (char *)words + i * item_size;
		size_t k = 0;

		while (k < i &&
		       !is_part_of(word_at(words, i, item_size), word_at(words, k, item_size)))
			k++;
		if (k == i || !cli_list_add(&files->parts, word_at(words, i, item_size))) {
			i++;
			continue;
		}
		memcpy(item, at, item_size);
		memmove(at, at + item_size, (count - i - 1) * item_size);
		count--;
		memcpy((char *)words + count * item_size, item, item_size);
	}
	return count;
}

/* Adds the other files of the capture that path is of. */
static int add_parts(const struct cli_files *files, struct cli_file *one, struct cli_inputs *in)
{
	int rc = CLI_OK;

	for (size_t i = 0; i < files->parts.count && rc == CLI_OK && !one->err.status; i++) {
		const char *path = files->parts.v[i], *slash = strrchr(path, '/');
		struct tdat_source *source;

		if (is_part_of(path, one->path) &&
		    tdat_source_open(&source, path, NULL, &one->err) == TDAT_OK)
			rc = cli_inputs_add(in, path, slash ? slash + 1 : path, source);
	}
	return rc;
}

/*
 * Opens one file, or what a foreign capture becomes. A failure is kept for cli_files_parse(): other
 * files of the command are read nevertheless.
 */
int cli_files_add(struct cli_files *files, const char *path, bool may_map)
{
	struct cli_inputs in = {.spool_len = files->spool_len, .tmpdir = files->tmpdir};
	struct cli_file *one = add(files, path);
	const unsigned int doubts = cli_input_doubts();
	int rc = CLI_OK;

	if (!one)
		return cli_nomem();
	rc = find_capture(files, one, may_map, &in);
	if (rc == CLI_OK && in.count)
		rc = add_parts(files, one, &in);
	if (rc == CLI_OK && in.count && !one->err.status)
		import(files, NULL, one, &in);
	else if (!one->source && !one->err.status)
		tdat_error_set(&one->err, TDAT_E_FORMAT, TDAT_NO_OFFSET,
			       "is a directory without the files of a capture");
	one->doubted = cli_input_doubts() > doubts;
	cli_inputs_fini(&in);
	return CLI_OK;
}

int cli_files_add_capture(struct cli_files *files, const struct cli_import_opts *given,
			  char *const *words, size_t count)
{
	const struct cli_inputs_wants wants = {files->importer, given->v, given->count};
	struct cli_inputs in = {.spool_len = files->spool_len, .tmpdir = files->tmpdir};
	struct cli_file *one = add(files, words[0]);
	int rc = one ? cli_inputs_open(&in, words, count, &wants) : cli_nomem();

	if (rc == CLI_OK)
		rc = cli_inputs_check_output("dump", "-", &in);
	if (rc == CLI_OK)
		import(files, given, one, &in);
	cli_inputs_fini(&in);
	return rc;
}

/* Without arguments the file is trace.dat, as for trace-cmd. */
static int open_all(struct cli_files *files, char *const *paths, int count, bool may_map)
{
	int rc = CLI_OK;

	count = (int)cli_files_join(files, (void *)(uintptr_t)paths, (size_t)count, sizeof(*paths));
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

	if (rc == CLI_OK && files->output)
		cli_sandbox_for_output(files->output, NULL, NULL, 0);
	else if (rc == CLI_OK)
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

/* The file shares its source with the one that cli_files_parse() opens later. */
enum tdat_status cli_files_peek(struct cli_files *files, size_t i, const struct tdat_limits *limits,
				struct tdat_file **out, struct tdat_error *err)
{
	struct tdat_source *source = files->v[i].source;
	enum tdat_status st;

	if (source)
		tdat_source_share(source);
	st = cli_files_parse(files, i, limits, out, err);
	files->v[i].source = source;
	return st;
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
	cli_list_fini(&files->parts);
	free(files->v);
	*files = (struct cli_files){.count = 0};
}
