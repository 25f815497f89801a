/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Names errors of the kernel. */
#ifndef TDAT_CORE_ERRNO_NAME_H
#define TDAT_CORE_ERRNO_NAME_H

#include <stddef.h>
#include <stdint.h>

/* errno_table.c: by number. */
extern const char *const tdat_errno_names[];
extern const size_t tdat_errno_count;

/*
 * "ENOENT" for -2; NULL for what is no error or has no name. The numbers are those of
 * include/uapi/asm-generic/errno.h of Linux, which alpha, mips, parisc and sparc differ from
 * above 34, and those that the kernel uses inside.
 */
static inline const char *tdat_errno_name(int64_t ret)
{
	return ret < 0 && ret > -(int64_t)tdat_errno_count ? tdat_errno_names[-ret] : NULL;
}

#endif
