/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Finds first and last time of the inputs of an iterator, for times that count from there. */
#ifndef TDAT_READ_SELECT_SPAN_H
#define TDAT_READ_SELECT_SPAN_H

#include <tdat/iter.h>

#include "file/file.h"
#include "select_time.h"

/* Sets *out to the span of time that the filter asks for. */
enum tdat_status read_select_times(struct read_times *out, const struct select_time *from,
				   const struct select_time *to,
				   const struct tdat_iter_input *inputs, size_t input_count,
				   const struct tdat_iter_opts *opts, struct tdat_error *err);

/* Sets *ts to the time that a text means on the clock of the inputs. */
enum tdat_status read_select_time(uint64_t *ts, const char *text,
				  const struct tdat_iter_input *inputs, size_t input_count,
				  const struct tdat_iter_opts *opts, struct tdat_error *err);

#endif
