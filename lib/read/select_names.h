/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Whether the inputs of an iterator know every name that a filter has. */
#ifndef TDAT_READ_SELECT_NAMES_H
#define TDAT_READ_SELECT_NAMES_H

#include "file/file.h"
#include "select_def.h"

/* Facts about the formats of all inputs together. */
struct select_survey {
	const struct tdat_filter *def;
	bool *globs;  /* by pattern: names an event */
	bool **items; /* by filter and item of its list */
	bool **words; /* by filter and word of its expression */
};

bool select_survey_init(struct select_survey *v, const struct tdat_filter *def);
void select_survey_fini(struct select_survey *v);

/* Notes which items of filter i name the format; true: at least one. */
bool select_survey_expr(struct select_survey *v, size_t i, const struct tdat_file *file,
			size_t format, const char *system, const char *name);

/* After all formats: fails with the first name that no input knows, and the nearest one. */
enum tdat_status select_survey_check(const struct select_survey *v,
				     const struct tdat_iter_input *inputs, size_t input_count,
				     struct tdat_error *err);

/* A pattern of buffers must match in some input: a misspelled name is an error. */
enum tdat_status select_check_buffers(const struct tdat_filter *def,
				      const struct tdat_iter_input *inputs, size_t input_count,
				      struct tdat_error *err);

#endif
