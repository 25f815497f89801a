/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Has one row for each exporter, in the order of "tdat list --formats".
 *
 * EXPORTER(name) means the exporter export_name; who includes this file defines EXPORTER.
 */
EXPORTER(text)
EXPORTER(json)
EXPORTER(event_csv)
EXPORTER(parquet)
EXPORTER(arrow)
EXPORTER(jsonl)
EXPORTER(csv)
EXPORTER(clickhouse)
EXPORTER(sqlite)
EXPORTER(perfetto)
EXPORTER(ctf)
EXPORTER(chrome)
