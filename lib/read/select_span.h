/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Where the inputs of an iterator start and end, for times that count from there. */
#ifndef TDAT_READ_SELECT_SPAN_H
#define TDAT_READ_SELECT_SPAN_H

#include "select.h"

/* Fills from, to and timed. */
enum tdat_status read_select_times(struct read_select *s, const struct tdat_filter *def,
				   const struct tdat_iter_input *inputs, size_t input_count,
				   const struct tdat_iter_opts *opts, struct tdat_error *err);

#endif
