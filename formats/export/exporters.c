/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Lists all exporters in one table. A new exporter is a row of exporter_list.h and a file. Names
 * and options appear in tdat list --formats by themselves.
 */
#include <string.h>

#include "exporters.h"

/* Ended by NULL. */
static const struct tdat_exporter *const table[] = {
#define EXPORTER(name) &export_##name,
#include "exporter_list.h"
#undef EXPORTER
	NULL,
};

/* All exporters, in the order of exporter_list.h; the list is constant. */
const struct tdat_exporter *const *tdat_exporters(size_t *count)
{
	*count = sizeof(table) / sizeof(table[0]) - 1;
	return table;
}

const struct tdat_exporter *tdat_exporter_find(const char *name)
{
	for (size_t i = 0; table[i]; i++)
		if (!strcmp(table[i]->name, name))
			return table[i];
	return NULL;
}
