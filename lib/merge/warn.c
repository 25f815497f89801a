/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Warns about data of an input that a merge cannot keep. All files of this folder call it. The
 * writer counts the warning and hands it to the caller's function (tdat_writer_on_warn()).
 */
#include "merge.h"

#include <stdarg.h>
#include <stdio.h>

/* Goes through the writer's own warnings, with the input's name in front. */
enum tdat_status merge_warn(struct merge *m, const struct merge_part *part, struct tdat_error *err,
			    const char *fmt, ...)
{
	char sentence[512];
	va_list args;

	va_start(args, fmt);
	vsnprintf(sentence, sizeof(sentence), fmt, args);
	va_end(args);
	return tdat_emit_warn(&m->w->emit, merge_name(part), TDAT_NO_OFFSET, sentence, err);
}
