/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Reads the events of one text of perf script, in its order. */
#ifndef TDAT_IMPORT_PERF_READER_H
#define TDAT_IMPORT_PERF_READER_H

#include "import/ftrace_text/text_reader.h"

/* As ft_read_text. */
enum tdat_status perf_read_text(const struct tdat_source *source, struct ft_facts *facts,
				struct ft_out *out, struct tdat_error *err);

#endif
