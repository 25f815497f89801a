/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Every importer's description, for the one table in registry.c. */
#ifndef TDAT_IMPORT_IMPORTERS_H
#define TDAT_IMPORT_IMPORTERS_H

#include <tdat/emit.h>

extern const struct tdat_importer import_blktrace;
extern const struct tdat_importer import_gtsc;
extern const struct tdat_importer import_kmemtrace;
extern const struct tdat_importer import_ktr;
extern const struct tdat_importer import_tracefs;
extern const struct tdat_importer import_user_events;

#endif
