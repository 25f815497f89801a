/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What tdat view writes to a file instead of serving it. */
#ifndef CLI_VIEW_OUTPUT_H
#define CLI_VIEW_OUTPUT_H

#include "api/api.h"
#include "view/options.h"

/*
 * Looks at the options and the output before anything is opened: that it is none of the inputs, no
 * terminal, and not there already. CLI_OK, or an exit status after a complaint.
 */
int cli_view_output_check(struct cli_view_args *args);

/* Writes it, when the engine has been started. CLI_OK, or an exit status after a complaint. */
int cli_view_output_write(struct cli_view_args *args, struct view_engine *engine,
			  struct view_api *api);

/* Reports damage that the index met, when it is complete. CLI_OK, or an exit status. */
int cli_view_tell_damage(struct view_engine *engine);

#endif
