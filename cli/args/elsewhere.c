/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The options that only trace-cmd's command of a name has, each with the command of tdat that
 * answers it. The parser looks here before it calls an option unknown. tests/corpus/report.sh walks
 * the options of the installed trace-cmd, so that none is forgotten.
 */
#include "args/elsewhere.h"

#include <string.h>

#define LIVE(what) "trace-cmd lists " what " of a live system"

static const struct {
	const char *command, *option, *answer;
} list[] = {
	{"report", "T", "\"tdat dump -F FILTER\" shows the error in a filter"},
	{"report", "filter-test", "\"tdat dump -F FILTER\" shows the error in a filter"},
	{"report", "w", "\"tdat latency\" shows how long woken tasks waited"},
	{"report", "H", "\"tdat latency --pair\" measures pairs of events"},
	{"report", "G", "\"tdat profile\" separates interrupts from tasks"},
	{"report", "profile", "\"tdat profile\" shows where tasks spend their time"},
	{"report", "by-comm", "\"tdat profile\" groups tasks by name"},
	{"report", "boundary", "\"tdat info --count\" shows pages and events of each CPU"},
	{"report", "debug", "\"tdat check --verbose\" reports damage in a file"},
	{"report", "kallsyms",
	 "tdat uses the symbols in the file; \"tdat info --section kallsyms\" prints them"},
	{"dump", "all", "\"tdat info --verbose\" shows sections and options"},
	{"dump", "summary", "\"tdat info\" shows a summary"},
	{"dump", "head-page", "\"tdat info --section header_page\" prints it"},
	{"dump", "head-event", "\"tdat info --section header_event\" prints it"},
	{"dump", "ftrace-events", "\"tdat info --section formats\" prints them"},
	{"dump", "systems", "\"tdat list --systems\" lists the event systems"},
	{"dump", "events", "\"tdat info --section formats\" prints them"},
	{"dump", "kallsyms", "\"tdat info --section kallsyms\" prints them"},
	{"dump", "printk", "\"tdat info --section printk\" prints them"},
	{"dump", "cmd-lines", "\"tdat info --section cmdlines\" prints them"},
	{"dump", "options", "\"tdat info --section options\" prints them"},
	{"dump", "flyrecord", "\"tdat info --count\" counts the events of each CPU"},
	{"dump", "clock", "\"tdat info\" shows the clock"},
	{"dump", "verbose", "\"tdat info --verbose\" shows sections and options"},
	{"hist", "P", "\"tdat flame\" draws the stacks of all tasks together"},
	{"stat", "B", "trace-cmd shows a live system; \"tdat info\" shows the buffers of a file"},
	{"stat", "t", "trace-cmd shows a live system; \"tdat info\" shows the buffers of a file"},
	{"stat", "o", "trace-cmd shows the options of a live system"},
	{"list", "e", "\"tdat list\" lists the events of a file"},
	{"list", "F", "\"tdat list --fields\" lists the fields of each event"},
	{"list", "full", "\"tdat list SYSTEM:EVENT\" prints the format of an event"},
	{"list", "s", "\"tdat list --systems\" lists the event systems"},
	{"list", "R", LIVE("triggers")},
	{"list", "l", LIVE("filters")},
	{"list", "t", LIVE("tracers")},
	{"list", "p", LIVE("tracers")},
	{"list", "o", LIVE("options")},
	{"list", "f", "\"tdat report -f\" lists the functions of a file"},
	{"list", "P", "\"tdat dump --plugin-dir\" loads plugins from a folder"},
	{"list", "O", "tdat-dump(1) describes plugin options"},
	{"list", "B", "\"tdat info\" shows the buffers of a file"},
	{"list", "C", "\"tdat info\" shows the clock of a file"},
	{"list", "c", "\"tdat convert --compression\" accepts none, zlib, zstd or any"},
};

const char *cli_elsewhere(const char *command, const char *option, size_t len)
{
	for (size_t i = 0; i < sizeof(list) / sizeof(list[0]); i++)
		if (!strcmp(list[i].command, command) && strlen(list[i].option) == len &&
		    !memcmp(list[i].option, option, len))
			return list[i].answer;
	return NULL;
}
