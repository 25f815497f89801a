/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints the keys of groups. All commands with groups use it, so that a null and (others) look
 * alike everywhere.
 */
#include "tables/group_text.h"

#include <stdio.h>

#include "output/csv_text.h"
#include "terminal/safe_text.h"

static const struct tdat_span others = {(const uint8_t *)"(others)", 8};

void cli_key_text(struct tdat_summary_key key)
{
	const struct tdat_span text = key.is_others ? others : key.text;

	if (text.ptr)
		cli_put_text(stdout, (const char *)text.ptr, text.len);
	else
		putchar('-');
}

void cli_key_csv(struct tdat_summary_key key)
{
	cli_csv_text(key.is_others ? others : key.text);
}
