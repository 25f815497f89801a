/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Splits the columns that --by names. Commas within the words of --by become separate columns;
 * how many are allowed is the command's.
 */
#include "tables/key_list.h"

#include <stdlib.h>
#include <string.h>

#include "terminal/message.h"

int cli_key_list(struct cli_list *by, size_t most, char **text)
{
	struct cli_list all = {.count = 0};
	size_t len = 1;
	char *p;

	for (size_t i = 0; i < by->count; i++)
		len += strlen(by->v[i]) + 1;
	p = *text = calloc(len, 1);
	if (!p)
		return cli_nomem();
	for (size_t i = 0; i < by->count; i++) {
		strcat(p, by->v[i]);
		strcat(p, ",");
	}
	for (char *name; (name = strsep(&p, ",")) && p;)
		if (!cli_list_add(&all, name)) {
			cli_list_fini(&all);
			return cli_nomem();
		}
	cli_list_fini(by);
	*by = all;
	if (by->count <= most)
		return CLI_OK;
	cli_error(NULL, "--by takes up to %zu columns", most);
	return CLI_USAGE;
}
