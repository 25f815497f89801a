/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes the values of groups, as each kind of output has them. */
#ifndef CLI_GROUP_TEXT_H
#define CLI_GROUP_TEXT_H

#include <tdat/summary.h>

#include "terminal/columns.h"

/* As text: "-" for null, "(others)" where the group is that of all further ones. */
void cli_key_build(struct tdat_build *out, struct tdat_summary_key key);
/* The same as a cell of a table. */
void cli_cell_key(struct cli_columns *t, struct tdat_summary_key key);
/* As a value of CSV on stdout: nothing for null, "(others)" as above. */
void cli_key_csv(struct tdat_summary_key key);

#endif
