/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Names of the options of trace.dat, as trace-cmd's sources call them. */
#include <tdat/file.h>

const char *tdat_option_name(uint16_t id)
{
	static const char *const names[] = {
		"DONE",	    "DATE",	   "CPUSTAT",	"BUFFER",   "TRACECLOCK", "UNAME",
		"HOOK",	    "OFFSET",	   "CPUCOUNT",	"VERSION",  "PROCMAPS",	  "TRACEID",
		"TIME_SHIFT", "GUEST",	   "TSC2NSEC",	"STRINGS",  "HEADER_INFO",
		"FTRACE_EVENTS", "EVENT_FORMATS", "KALLSYMS", "PRINTK", "CMDLINES",
		"BUFFER_TEXT", "BTF_FILE", "LAST_BOOT_INFO", "MODULES_FILE"};

	if (id < sizeof(names) / sizeof(names[0]))
		return names[id];
	return id == TDAT_OPTION_SAVED_TGIDS ? "SAVED_TGIDS" : NULL;
}
