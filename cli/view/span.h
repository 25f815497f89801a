/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The span of --from and --until, as times of a trace. */
#ifndef CLI_VIEW_SPAN_H
#define CLI_VIEW_SPAN_H

#include "data/read.h"

/*
 * The span from ... to, written as of tdat dump, in a trace; NULL: its first or last time. A time
 * that cannot be read and a span that ends before it begins are TDAT_E_USAGE.
 */
enum tdat_status cli_view_span(const struct view_trace *t, const char *from, const char *to,
			       struct view_span *span, struct tdat_error *err);

#endif
