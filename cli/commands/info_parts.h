/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Single facts of "tdat info", as trace-cmd's options of the same names print them. */
#ifndef CLI_INFO_PARTS_H
#define CLI_INFO_PARTS_H

#include <tdat/tdat.h>

enum info_part {
	INFO_STAT = 1u << 0,
	INFO_UNAME = 1u << 1,
	INFO_VERSION = 1u << 2,
	INFO_CPUS = 1u << 3,
	INFO_FIRST = 1u << 4,
	INFO_LAST = 1u << 5,
	INFO_CHECK_EVENTS = 1u << 6,
	INFO_TS_CHECK = 1u << 7
};

/* The options for parts that "tdat report" has, too; their member is parts. */
#define INFO_PART_OPTS(type)                                                                       \
	CLI_BIT(0, "stat", INFO_STAT, type, parts, "print the kernel's buffer statistics"),        \
		CLI_BIT(0, "uname", INFO_UNAME, type, parts, "print the traced host's uname"),     \
		CLI_BIT(0, "cpus", INFO_CPUS, type, parts, "list the CPUs that have data"),        \
		CLI_BIT(0, "first-event", INFO_FIRST, type, parts,                                 \
			"list the CPUs with the time of their first event"),                       \
		CLI_BIT(0, "last-event", INFO_LAST, type, parts,                                   \
			"list the CPUs with the time of their last event")

/* info_parts prints the parts (bits of enum info_part) of a file; returns an exit status. */
int info_parts(const struct tdat_file *file, const char *path, unsigned parts);

/* The stored parts, for --section; NULL ends. */
extern const char *const info_section_names[];
/* info_section prints one as it is, by its place there, with raw also to a terminal. */
int info_section(const struct tdat_file *file, const char *path, int section, bool raw);

#endif
