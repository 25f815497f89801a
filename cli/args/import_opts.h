/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Importers' options on the command line. A command's table is extended by the
 * options of the importer that an option names, or of all when it names none;
 * what the user gave is kept until the importer is known.
 */
#ifndef CLI_IMPORT_OPTS_H
#define CLI_IMPORT_OPTS_H

#include <tdat/emit.h>

#include "args/opt.h"

/* This must be the first member of the struct that the command parses into. */
struct cli_import_opts {
	struct tdat_keyed_option *v; /* as they were given, in order */
	size_t count, room;
};

/*
 * cli_import_opts_table makes a table of own's entries and then importers'
 * options (hidden from the help unless "--FORMAT NAME" names one, "from" of convert or "format" of
 * dump); the caller frees it. NULL: memory ran out.
 */
struct cli_opt *cli_import_opts_table(const struct cli_opt *own, const struct tdat_importer *named);

/* cli_import_opts_named finds the importer that the last "--option NAME" of the line names, or
 * NULL. */
const struct tdat_importer *cli_import_opts_named(const char *option, int argc, char *const *argv);

/*
 * cli_import_opts_note keeps an option for the importer: the function of a
 * CLI_CALL, for one that means something to the command, too.
 */
int cli_import_opts_note(void *values, const struct cli_opt *opt, const char *value);

/* cli_import_opts_check: CLI_OK if importer has every option that was given. */
int cli_import_opts_check(const struct cli_import_opts *given,
			  const struct tdat_importer *importer);

void cli_import_opts_fini(struct cli_import_opts *given);

/* cli_importer_named finds an importer or complains with the nearest name. */
const struct tdat_importer *cli_importer_named(const char *name);

#endif
