/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Makes temporary files that have no name. */
#ifndef TDAT_CORE_TEMP_FILE_H
#define TDAT_CORE_TEMP_FILE_H

/* Returns the folder that TMPDIR names, or /tmp. */
const char *tdat_temp_dir(void);

/*
 * Makes a file without a name in dir, which only its owner reads, and which ceases to exist when it
 * is closed or the process is killed. Returns its descriptor, or -1 with errno.
 */
int tdat_temp_open(const char *dir);

#endif
