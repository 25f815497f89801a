/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Declares the importers that importer_list.h names, and the choice among them. */
#ifndef TDAT_IMPORT_IMPORTERS_H
#define TDAT_IMPORT_IMPORTERS_H

#include <tdat/emit.h>

#define IMPORTER(name) extern const struct tdat_importer import_##name;
#include "import/importer_list.h"
#undef IMPORTER

/* tdat_importer_probe among those of a list that NULL ends. */
enum tdat_status import_choose(const struct tdat_importer *const *list,
			       const struct tdat_import_input *inputs, size_t input_count,
			       const struct tdat_importer **out, struct tdat_error *err);

#endif
