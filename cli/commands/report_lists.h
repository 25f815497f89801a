/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Declares the lists that trace-cmd report prints in place of events. */
#ifndef CLI_REPORT_LISTS_H
#define CLI_REPORT_LISTS_H

#include <stdbool.h>

#include <tdat/tdat.h>

/* report_functions prints -f: the kernel's functions by address. False: no memory. */
bool report_functions(const struct tdat_file *file);

/* report_printks prints -P: the strings of trace_printk by address. False: no memory. */
bool report_printks(const struct tdat_file *file);

/* report_event_names prints -E: system:event of all events, in order. False: no memory. */
bool report_event_names(const struct tdat_file *file);

/*
 * report_formats prints the stored formats of the events that an expression "system:event",
 * "system" or "event" matches. An exit status.
 */
int report_formats(const struct tdat_file *file, const char *expression);

#endif
