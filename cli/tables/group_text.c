/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints the keys of groups. All commands with groups use it, so that a null and (others) look
 * alike everywhere.
 */
#include "tables/group_text.h"

#include "output/csv_text.h"
#include "terminal/safe_text.h"

static const struct tdat_span others = {(const uint8_t *)"(others)", 8};

void cli_key_build(struct tdat_build *out, struct tdat_summary_key key)
{
	const struct tdat_span text = key.is_others ? others : key.text;

	if (text.ptr)
		cli_build_text(out, text.ptr, text.len, "");
	else
		tdat_build_u8(out, '-');
}

void cli_cell_key(struct cli_columns *t, struct tdat_summary_key key)
{
	cli_key_build(&t->cells, key);
	cli_cell_end(t);
}

void cli_key_csv(struct tdat_summary_key key)
{
	cli_csv_text(key.is_others ? others : key.text);
}
