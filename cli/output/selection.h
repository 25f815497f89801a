/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tells that the options that choose events chose none. */
#ifndef CLI_SELECTION_H
#define CLI_SELECTION_H

#include <tdat/iter.h>

#include "args/filter_opts.h"
#include "core/nearest.h"

/*
 * cli_selection_warn says which options let no event of the inputs pass; it says nothing where
 * no option chooses. Call it when no event came. file may be NULL: there are several.
 */
bool cli_selection_warn(const char *file, const struct cli_filter *filter,
			const struct cli_cpus *cpus, const struct tdat_iter_input *inputs,
			size_t input_count);

/* "; did you mean 'NAME'?" if a name of --comm is none of the files'; near keeps the text. */
const char *cli_selection_hint(struct tdat_near *near, const struct cli_list *comms,
			       const struct tdat_iter_input *inputs, size_t input_count);

#endif
