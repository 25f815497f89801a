/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Every importer's description, for the one table in importers.c. */
#ifndef TDAT_IMPORT_IMPORTERS_H
#define TDAT_IMPORT_IMPORTERS_H

#include <tdat/emit.h>

extern const struct tdat_importer import_blktrace;
extern const struct tdat_importer import_gtsc;
extern const struct tdat_importer import_kmemtrace;
extern const struct tdat_importer import_ktr;
extern const struct tdat_importer import_tracefs;
extern const struct tdat_importer import_user_events;

/* tdat_importer_probe among those of a list that NULL ends. */
enum tdat_status import_choose(const struct tdat_importer *const *list,
			       const struct tdat_import_input *inputs, size_t input_count,
			       const struct tdat_importer **out, struct tdat_error *err);

#endif
