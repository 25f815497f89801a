/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes the values of groups to stdout, as each kind of output has them. */
#ifndef CLI_GROUP_TEXT_H
#define CLI_GROUP_TEXT_H

#include <tdat/summary.h>

/* As text: "-" for null, "(others)" where the group is that of all further ones. */
void cli_key_text(struct tdat_summary_key key);
/* As a value of CSV: nothing for null, "(others)" as above. */
void cli_key_csv(struct tdat_summary_key key);

#endif
