/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Walks a folder of event formats, a copy of tracefs's events. The user names it beside a capture
 * that lacks them: texts, and trees that were packed before they were copied.
 */
#include "format_folder.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

#include <tdat/source.h>

enum { FORMAT_MOST = 1 << 18 };

static enum tdat_status give_file(const char *system, const char *path, import_format_fn fn,
				  void *ctx, struct tdat_error *err)
{
	struct tdat_source *source;
	enum tdat_status st;
	uint64_t len;
	char *text;

	if (tdat_source_open_path(&source, path, TDAT_ACCESS_READ, NULL) != TDAT_OK)
		return TDAT_OK;
	len = tdat_source_len(source);
	text = len && len < FORMAT_MOST ? malloc((size_t)len) : NULL;
	st = text ? tdat_source_read(source, 0, text, (size_t)len, err) : TDAT_OK;
	if (st == TDAT_OK && text)
		st = fn(ctx, system, text, (size_t)len, err);
	free(text);
	tdat_source_close(source);
	return st;
}

/* With system NULL, names of the folder are systems. */
static enum tdat_status walk(const char *folder, const char *system, import_format_fn fn, void *ctx,
			     struct tdat_error *err)
{
	struct dirent **names;
	const int count = scandir(folder, &names, NULL, alphasort);
	enum tdat_status st = TDAT_OK;
	char path[4096];

	if (count < 0)
		return system ? TDAT_OK
			      : tdat_error_set(err, TDAT_E_SYSTEM, TDAT_NO_OFFSET,
					       "cannot open the folder %s", folder);
	for (int i = 0; i < count; i++) {
		const char *name = names[i]->d_name;
		const int n = snprintf(path, sizeof(path), system ? "%s/%s/format" : "%s/%s",
				       folder, name);

		if (st == TDAT_OK && *name != '.' && n > 0 && (size_t)n < sizeof(path))
			st = system ? give_file(system, path, fn, ctx, err)
				    : walk(path, name, fn, ctx, err);
		free(names[i]);
	}
	free(names);
	return st;
}

bool import_is_folder(const char *path)
{
	DIR *dir = opendir(path);

	if (dir)
		closedir(dir);
	return dir != NULL;
}

enum tdat_status import_format_folder(const char *folder, import_format_fn fn, void *ctx,
				      struct tdat_error *err)
{
	char events[4096];

	snprintf(events, sizeof(events), "%s/events", folder);
	return walk(import_is_folder(events) ? events : folder, NULL, fn, ctx, err);
}
