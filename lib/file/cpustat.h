/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads the text of option CPUSTAT: "CPU: N" and what tracefs' per_cpu/cpuN/stats said, a line for
 * each number (kernel/trace/trace.c, tracing_stats_read), or the name of the instance that the
 * following options are about.
 */
#ifndef TDAT_FILE_CPUSTAT_H
#define TDAT_FILE_CPUSTAT_H

#include <tdat/base.h>

/* The name of an instance; false: the text is another one, and *name as it was. */
bool cpustat_instance(struct tdat_span text, struct tdat_span *name);

#endif
