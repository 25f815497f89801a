/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The defaults of struct tdat_limits, which <tdat/base.h> documents. */
#ifndef TDAT_CORE_LIMITS_H
#define TDAT_CORE_LIMITS_H

#include <tdat/base.h>

static const struct tdat_limits TDAT_LIMITS_DEFAULT = {
	.size = sizeof(struct tdat_limits),
	.sections = 1u << 16,
	.options = 1u << 16,
	.option_len = 1u << 26,
	.formats = 1u << 16,
	.format_len = 1u << 20,
	.buffers = 1u << 12,
	.cpus = 1u << 16,
	.page_len = 1u << 24,
	.section_len = 1u << 28,
	.chunk_len = 1u << 26,
	.print_steps = 1u << 12,
	.print_len = 1u << 14,
	.text_ratio = 16,
	.data_ratio = 64,
	.name_len = 1u << 14,
	.fields = 6000,
};

#endif
