/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Makes what print formats of a file may look up. */
#ifndef TDAT_TABLE_ENV_H
#define TDAT_TABLE_ENV_H

#include "file/file.h"
#include "model/print.h"

/* The tables of names that *env points to belong to the file. */
enum tdat_status table_env_init(struct model_env *env, struct tdat_file *file,
				struct tdat_error *err);

#endif
