/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Opens the files of a command and passes them to it one by one: info, check and stat. A file that
 * cannot be read costs only its own result.
 */
#include "commands/each_file.h"

#include "safety/own_input.h"
#include "terminal/message.h"

/* Returns the last bad exit status, or CLI_OK. With JSON the files are elements of one array. */
int cli_each_file(const struct cli_each *e, char *const *paths, int count)
{
	struct cli_files files = {.spool_len = e->limits->spool_len};
	struct tdat_json j;
	int status = cli_output_check_text(e->command, paths, (size_t)count);

	if (status != CLI_OK)
		return status;
	status = cli_files_open(&files, paths, count, !e->unmapped);
	if (e->json) {
		cli_json_init(&j, stdout, true);
		tdat_json_array(&j, NULL);
	}
	for (size_t i = 0; i < files.count; i++) {
		const int one = e->file(e->args, &j, &files, i);

		status = one == CLI_OK ? status : one;
	}
	if (e->json) {
		tdat_json_array_end(&j);
		cli_json_end(&j);
	}
	cli_files_close(&files);
	return status;
}
