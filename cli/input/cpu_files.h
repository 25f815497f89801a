/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files of raw pages that a recorder keeps beside its output: trace.dat.cpu0 ... */
#ifndef CLI_CPU_FILES_H
#define CLI_CPU_FILES_H

#include <tdat/repair.h>

struct cli_cpu_files {
	struct tdat_repair_pages *v;
	size_t count;
	char **names; /* of buffers */
};

/* cli_cpu_files_is_dat: does the file begin as a trace.dat, or is it a pipe or missing? */
bool cli_cpu_files_is_dat(const char *path);

/*
 * cli_cpu_files_open opens the files and finds CPU and buffer in their names:
 * NAME.cpuN is the top buffer's, NAME.BUFFER.cpuN that buffer's, NAME being the
 * shortest. Names without .cpuN count from 0 in their order. Returns CLI_OK, or
 * complains; the caller calls cli_cpu_files_close either way.
 */
int cli_cpu_files_open(struct cli_cpu_files *f, char *const *paths, size_t count);
void cli_cpu_files_close(struct cli_cpu_files *f);

#endif
