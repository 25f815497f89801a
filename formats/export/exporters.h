/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Declares every exporter, for the one table in exporters.c. */
#ifndef TDAT_EXPORT_EXPORTERS_H
#define TDAT_EXPORT_EXPORTERS_H

#include <tdat/export.h>

extern const struct tdat_exporter export_arrow;
extern const struct tdat_exporter export_chrome;
extern const struct tdat_exporter export_clickhouse;
extern const struct tdat_exporter export_event_csv;
extern const struct tdat_exporter export_csv;
extern const struct tdat_exporter export_ctf;
extern const struct tdat_exporter export_json;
extern const struct tdat_exporter export_jsonl;
extern const struct tdat_exporter export_parquet;
extern const struct tdat_exporter export_perfetto;
extern const struct tdat_exporter export_sqlite;
extern const struct tdat_exporter export_text;

#endif
