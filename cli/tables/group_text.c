/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes the values of groups, and tells of rows that have no group of their own. All commands
 * with groups print keys through it, so that null and (others) look alike everywhere.
 */
#include "tables/group_text.h"

#include <inttypes.h>
#include <stdio.h>

#include "output/csv_text.h"
#include "terminal/message.h"
#include "terminal/safe_text.h"

static const char others[] = "(others)";

void cli_group_text(const struct cli_groups *g, size_t group, size_t part)
{
	const struct tdat_span text = cli_groups_part(g, group, part);

	if (cli_groups_are_others(g, group))
		fputs(others, stdout);
	else if (text.ptr)
		cli_put_text(stdout, (const char *)text.ptr, text.len);
	else
		putchar('-');
}

void cli_group_csv(const struct cli_groups *g, size_t group, size_t part)
{
	const struct tdat_span all = {(const uint8_t *)others, sizeof(others) - 1};

	cli_csv_text(cli_groups_are_others(g, group) ? all : cli_groups_part(g, group, part));
}

void cli_group_json(struct tdat_json *j, const struct cli_groups *g, size_t group, size_t part,
		    const char *name)
{
	const struct tdat_span text = cli_groups_part(g, group, part);

	if (text.ptr)
		tdat_json_strn(j, name, (const char *)text.ptr, text.len);
	else
		tdat_json_null(j, name);
}

void cli_group_json_others(struct tdat_json *j, const struct cli_groups *g, size_t group)
{
	if (cli_groups_are_others(g, group))
		tdat_json_bool(j, "others", true);
}

int cli_groups_complete(const struct cli_groups *g, const char *what)
{
	if (!g->full)
		return CLI_OK;
	cli_error(NULL,
		  "%s: %" PRIu64 " rows are counted as (others): the first %zu groups are kept "
		  "apart, as many as fit into %d MiB and at most %d; GROUP BY of 'tdat sql' has no "
		  "such limit",
		  what, g->other_rows, g->count - 1, CLI_GROUPS_KEYS_MAX >> 20, CLI_GROUPS_MAX - 1);
	return CLI_FAILED;
}
