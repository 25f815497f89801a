/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Lists all exporters in one table. A new exporter is a row here, a declaration in exporters.h
 * and a file. Names and options appear in tdat list --formats by themselves.
 */
#include <string.h>

#include "exporters.h"

/* Ended by NULL. A new exporter is one line here and one in exporters.h. */
static const struct tdat_exporter *const table[] = {
	&export_text,	&export_json,	  &export_event_csv, &export_parquet,
	&export_arrow,	&export_jsonl,	  &export_csv,	     &export_clickhouse,
	&export_sqlite, &export_perfetto, &export_ctf,	     &export_chrome,
	NULL,
};

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
