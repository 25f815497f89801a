/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Opens a file to be mapped or to be read, and ends the program with a sentence when a
 * mapped file loses bytes.
 */
#ifndef CLI_MAPPED_H
#define CLI_MAPPED_H

#include <tdat/source.h>

/*
 * cli_mapped_open opens path as tdat_source_open does, and maps the file if it is settled
 * (settled.h). SIGBUS is handled from then on: standard error gets "tdat: FILE: shrank while it
 * was read ..." and the program ends with status 1; what was written before stays. With
 * TDAT_ACCESS=map in the environment every regular file is mapped, with TDAT_ACCESS=read
 * none; any other value is TDAT_E_USAGE. One thread only, before others start.
 */
enum tdat_status cli_mapped_open(struct tdat_source **out, const char *path,
				 const struct tdat_source_opts *opts, struct tdat_error *err);

#endif
