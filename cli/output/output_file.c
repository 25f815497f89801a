/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Options of the commands that write a trace.dat, turned into the writer's. */
#include "output/output_file.h"

#include <sys/stat.h>

#include "terminal/message.h"

const char *const cli_compressions[] = {"any", "none", "zlib", "zstd", NULL};

int cli_output_refused(const struct cli_output_file *out, const struct tdat_error *err)
{
	struct stat sb;

	if (err->status != TDAT_E_USAGE || out->force || lstat(out->path, &sb) ||
	    S_ISDIR(sb.st_mode))
		return cli_fail(out->path, err);
	cli_error(out->path, "exists already; --force replaces it");
	return CLI_FAILED;
}

void cli_output_opts(const struct cli_output_file *out, struct tdat_writer_opts *opts)
{
	opts->version = (uint32_t)out->file_version;
	opts->compression = out->compression < 0 ? NULL : cli_compressions[out->compression];
	opts->level = (int)out->level;
	opts->force = out->force;
	opts->threads = (uint32_t)out->threads;
	opts->tmpdir = out->tmpdir;
}

void cli_output_opts_like(const struct cli_output_file *out, const struct tdat_file_info *info,
			  struct tdat_writer_opts *opts)
{
	cli_output_opts(out, opts);
	if (!opts->version)
		opts->version = info->version;
	if (!opts->compression && opts->version == info->version && info->version >= 7)
		opts->compression = info->compression;
}
