/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Makes the file of an output, and gives it its name when it is complete. */
#ifndef TDAT_WRITE_TARGET_H
#define TDAT_WRITE_TARGET_H

#include "write_out.h"

/*
 * Prepares writing path; an existing one without force is TDAT_E_USAGE. After a failure only
 * write_out_fini may be called.
 */
enum tdat_status write_out_open(struct write_out *out, const char *path, bool force,
				struct tdat_error *err);
/* The same for a file of the caller's, which gets no name; name is for sentences. */
enum tdat_status write_out_open_fd(struct write_out *out, const char *name, int fd,
				   struct tdat_error *err);

/* Flushes to the disk and makes the file visible under its name. */
enum tdat_status write_out_commit(struct write_out *out, struct tdat_error *err);

#endif
