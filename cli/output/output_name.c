/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the format that the end of an output's name says. Names of pipes and devices say nothing.
 */
#include "output/output_name.h"

#include <string.h>

#include "core/text.h"

#include "output/table_file.h"

bool cli_name_ends(const char *path, const char *ends)
{
	const size_t len = path ? strlen(path) : 0;

	while (*ends) {
		const size_t n = strcspn(ends, " ");

		if (len > n && !memcmp(path + len - n, ends, n))
			return true;
		ends += n + (ends[n] != '\0');
	}
	return false;
}

bool cli_name_has_end(const char *path)
{
	const char *name = path ? tdat_base_name(path) : NULL;

	return name && *name && strchr(name + 1, '.') && !cli_table_file_is_stream(path);
}

const struct tdat_exporter *cli_exporter_of_name(const char *path)
{
	size_t count;
	const struct tdat_exporter *const *all = tdat_exporters(&count);

	for (size_t i = 0; i < count; i++)
		if (all[i]->suffixes && cli_name_ends(path, all[i]->suffixes))
			return all[i];
	return NULL;
}

const char *cli_picture_of_name(const char *path)
{
	if (cli_name_ends(path, ".html .htm"))
		return "\"tdat view -o\" writes a page";
	if (cli_name_ends(path, ".svg"))
		return "\"tdat flame -o\" and \"tdat view --svg -o\" write pictures";
	if (cli_name_ends(path, ".png .jpg .pdf"))
		return "\"tdat flame -o\" and \"tdat view --svg -o\" write pictures as .svg";
	return NULL;
}
