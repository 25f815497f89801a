/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Reads lists of tasks, such as a copy of saved_cmdlines: lines of a pid and a name. */
#ifndef TDAT_IMPORT_TASK_NAMES_H
#define TDAT_IMPORT_TASK_NAMES_H

#include <tdat/emit.h>

/*
 * Emits the names. Warns of each line of another shape, of each that gives a task another name than
 * a line before it, which stays, and of a list that ends within a line.
 */
enum tdat_status import_task_names(const char *name, const struct tdat_source *source,
				   const struct tdat_emit *emit, struct tdat_error *err);

#endif
