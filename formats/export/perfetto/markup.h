/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Declares the form of what programs write to trace_marker for slices and counters. */
#ifndef TDAT_PERFETTO_MARKUP_H
#define TDAT_PERFETTO_MARKUP_H

#include <tdat/base.h>

/*
 * Whether trace processor makes a slice or a counter of a text: atrace's form, a letter, the number
 * of a process, and what the letter needs, with | between, such as "B|12|name" and "C|12|name|5".
 *
 * Any other text must not be in a message print. Trace processor counts it as an error, but takes
 * each that begins with E for the end of a slice.
 */
bool pf_is_markup(struct tdat_span text);

#endif
