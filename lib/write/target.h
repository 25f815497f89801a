/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Finds the name under which an output file is made, and gives it its final one. */
#ifndef TDAT_WRITE_TARGET_H
#define TDAT_WRITE_TARGET_H

#include "write_out.h"

/* Finds out what the target is, and sets path, dir and mode, or stream for a pipe or device. */
enum tdat_status write_target_find(struct write_out *out, const char *path, struct tdat_error *err);

/* Sets dir, the folder of temporary files, where the target has none: TMPDIR. */
enum tdat_status write_target_spool_dir(struct write_out *out, struct tdat_error *err);

/* Opens the temporary file. */
enum tdat_status write_target_temp(struct write_out *out, struct tdat_error *err);

/* Gives the complete file its name, and flushes the folder to the disk. */
enum tdat_status write_target_commit(struct write_out *out, struct tdat_error *err);

#endif
