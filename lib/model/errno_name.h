/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Names of errors that system calls return. */
#ifndef TDAT_MODEL_ERRNO_NAME_H
#define TDAT_MODEL_ERRNO_NAME_H

#include <stdint.h>

/*
 * "ENOENT" for -2; NULL for what is no error or has no name. The numbers are those of
 * include/uapi/asm-generic/errno.h of Linux, which alpha, mips, parisc and sparc differ from
 * above 34.
 */
const char *errno_name(int64_t ret);

#endif
