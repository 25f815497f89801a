/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Looks at the name of an output. The name may be new, a file, a folder, or a stream: a pipe, a
 * device or "-". A link is followed, so that the file behind it is replaced and not
 * the link. Commands compare the result with their inputs.
 */
#include "output_name.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Returns what is at path, a link followed; -1 with errno: stat() failed. */
static int look(const char *path, struct stat *sb)
{
	if (!strcmp(path, "-"))
		return TDAT_OUTPUT_STREAM;
	if (!stat(path, sb))
		return S_ISDIR(sb->st_mode)   ? TDAT_OUTPUT_FOLDER
		       : S_ISREG(sb->st_mode) ? TDAT_OUTPUT_FILE
					      : TDAT_OUTPUT_STREAM;
	if (errno != ENOENT)
		return -1;
	/*
	 * stat() failed, so a link there leads nowhere: it counts as a file, and writing makes its
	 * target.
	 */
	sb->st_mode = 0;
	return lstat(path, sb) ? TDAT_OUTPUT_NEW : TDAT_OUTPUT_FILE;
}

/* path is the file that will be replaced, links resolved; for a new file it is the name. */
enum tdat_status tdat_output_name_find(struct tdat_output_name *out, const char *path,
				       struct tdat_error *err)
{
	struct stat sb = {0};
	int kind;

	*out = (struct tdat_output_name){.mode = -1};
	if (!*path)
		return tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET,
				      "the output has an empty name");
	kind = look(path, &sb);
	*out = (struct tdat_output_name){.kind = (enum tdat_output_kind)kind, .mode = -1};
	if (kind < 0)
		return tdat_error_set_errno(err, errno, "cannot write %s", path);
	/* The mode of a replaced file is kept. */
	if (kind == TDAT_OUTPUT_FILE && S_ISREG(sb.st_mode)) {
		out->mode = sb.st_mode & 0777;
		out->path = realpath(path, NULL);
	}
	if (!out->path)
		out->path = strdup(path);
	return out->path ? TDAT_OK : tdat_error_no_memory(err, path);
}
