/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reports damage that an export met, and frees what it holds. Used by export_events.c and
 * export_tables.c, so both report alike.
 */
#include "commands/exporting.h"

#include <stdlib.h>

#include "input/damage.h"
#include "terminal/message.h"

/* Called by readers; a damaged input makes the exit status 1. */
void exporting_damage(void *ctx, const struct tdat_stream_damage *damage, size_t count)
{
	struct exporting *x = ctx;

	if (cli_damage_all(x->inputs, damage, count) != CLI_OK)
		x->status = CLI_FAILED;
}

void exporting_undescribed(struct exporting *x)
{
	if (cli_undescribed_all(x->inputs, x->input_count) != CLI_OK)
		x->status = CLI_FAILED;
}

/*
 * Outputs that are still open were not finished: they are given up, and their temporary files
 * removed.
 */
void exporting_fini(struct exporting *x)
{
	export_parts_fini(&x->parts);
	cli_table_file_close(&x->own, true, NULL);
	cli_folder_close(&x->made, true, NULL);
	free(x->made_path);
	free(x->options);
	cli_files_free_inputs(x->inputs, x->input_count);
	cli_files_close(&x->files);
	tdat_filter_free(x->filter);
}
