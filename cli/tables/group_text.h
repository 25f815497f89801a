/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes the values of groups to stdout, as each kind of output has them, and tells of the rows
 * that the last group stands for when there are too many groups.
 */
#ifndef CLI_GROUP_TEXT_H
#define CLI_GROUP_TEXT_H

#include "output/json_out.h"
#include "tables/groups.h"

/* As text: "-" for null, "(others)" where the group stands for all further ones. */
void cli_group_text(const struct cli_groups *g, size_t group, size_t part);
/* As a value of CSV: nothing for null, "(others)" as above. */
void cli_group_csv(const struct cli_groups *g, size_t group, size_t part);
/* As a member of a JSON object. */
void cli_group_json(struct tdat_json *j, const struct cli_groups *g, size_t group, size_t part,
		    const char *name);
/* A member "others" of the object, if the group stands for all further ones. */
void cli_group_json_others(struct tdat_json *j, const struct cli_groups *g, size_t group);

/* Returns CLI_OK, or tells how many rows have no group of their own and returns CLI_FAILED. */
int cli_groups_complete(const struct cli_groups *g, const char *what);

#endif
