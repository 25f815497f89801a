/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Turns the options of commands that write a trace.dat into the writer's. Version, compression,
 * level, threads and temporary folder are the same options in all of them; the messages about a
 * file that exists are made here as well.
 */
#include "output/output_file.h"

#include <stdlib.h>

#include "core/output_name.h"
#include "terminal/message.h"

const char *const cli_compressions[] = {"any", "none", "zlib", "zstd", NULL};

/*
 * Reports an existing output before long work begins. Devices and pipes may be written without
 * --force.
 */
int cli_output_taken(const char *path, bool force)
{
	struct tdat_output_name name;

	if (force || tdat_output_name_find(&name, path, NULL) != TDAT_OK)
		return CLI_OK;
	free(name.path);
	if (name.kind != TDAT_OUTPUT_FILE)
		return CLI_OK;
	cli_error(path, "exists already; --force replaces it");
	return CLI_FAILED;
}

/* The writer's own sentence about an existing file does not name the option of the command line. */
int cli_output_refused(const struct cli_output_file *out, const struct tdat_error *err)
{
	if (err->status == TDAT_E_USAGE && cli_output_taken(out->path, out->force) != CLI_OK)
		return CLI_FAILED;
	return cli_fail(out->path, err);
}

/* Zero or NULL leaves a choice to the library. */
void cli_output_opts(const struct cli_output_file *out, struct tdat_writer_opts *opts)
{
	opts->version = (uint32_t)out->file_version;
	opts->compression = out->compression < 0 ? NULL : cli_compressions[out->compression];
	opts->level = (int)out->level;
	opts->force = out->force;
	opts->threads = (uint32_t)out->threads;
	opts->tmpdir = out->tmpdir;
}

/*
 * Choices that the user did not make follow an input. Another version may not have its compression.
 */
void cli_output_opts_like(const struct cli_output_file *out, const struct tdat_file_info *info,
			  struct tdat_writer_opts *opts)
{
	cli_output_opts(out, opts);
	if (!opts->version)
		opts->version = info->version;
	if (!opts->compression && opts->version == info->version && info->version >= 7)
		opts->compression = info->compression;
}

static enum tdat_status on_warn(void *ctx, const char *input, uint64_t off, const char *sentence,
				struct tdat_error *err)
{
	struct cli_writing *w = ctx;

	cli_progress_clear(&w->progress);
	if (w->strict)
		return tdat_error_set(err, TDAT_E_DAMAGED, off, "%s%s%s", w->path ? "" : input,
				      w->path ? "" : ": ", sentence);
	cli_error(w->path ? w->path : input, "%s", sentence);
	return TDAT_OK;
}

int cli_writing_open(struct cli_writing *w, const struct cli_output_file *out,
		     const struct tdat_writer_opts *opts)
{
	struct tdat_error err = TDAT_ERROR_INIT;

	if (tdat_writer_new(&w->writer, out->path, opts, &err))
		return cli_output_refused(out, &err);
	tdat_writer_on_warn(w->writer, on_warn, w);
	tdat_writer_on_progress(w->writer, cli_progress_bytes, &w->progress);
	return CLI_OK;
}

enum tdat_status cli_writing_finish(struct cli_writing *w, const char *what, enum tdat_status st,
				    struct tdat_error *err)
{
	cli_progress_init(&w->progress, what);
	if (st == TDAT_OK)
		st = tdat_writer_finish(w->writer, err);
	cli_progress_clear(&w->progress);
	return st;
}
