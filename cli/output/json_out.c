/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes JSON to a stdio stream: the commands with --json do. */
#include "output/json_out.h"

static void put(void *to, const void *p, size_t len)
{
	/* The program writes from one thread, hence without stdio's lock. */
	fwrite_unlocked(p, 1, len, to);
}

void cli_json_init(struct tdat_json *j, FILE *to, bool pretty)
{
	*j = (struct tdat_json){.put = put, .to = to, .pretty = pretty};
}

void cli_json_end(struct tdat_json *j)
{
	putc('\n', j->to);
}
