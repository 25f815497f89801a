/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Parses one argument of a print fmt. */
#ifndef TDAT_MODEL_KFMT_ARG_H
#define TDAT_MODEL_KFMT_ARG_H

#include "kfmt.h"

/*
 * The tree of an argument, in the arena; NULL: no memory. as_written: see kfmt_parse_written().
 * *too_deep is set if it became KN_BAD for its depth, and left alone otherwise.
 */
struct kn *kfmt_arg_parse(const struct tdat_event_format *format, struct tdat_arena *arena,
			  bool as_written, struct tdat_span text, bool *too_deep);

#endif
