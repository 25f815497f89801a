/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Has one row for each importer, in the order of "tdat list --formats".
 *
 * IMPORTER(name) means the folder formats/import/name (of user_events: user-events/import), which
 * defines the importer import_name. CMake reads the rows, too, and leaves out those whose option
 * TDAT_NAME is off; who includes this file defines IMPORTER.
 */
IMPORTER(kmemtrace)
IMPORTER(ktr)
IMPORTER(gtsc)
IMPORTER(blktrace)
IMPORTER(tracefs)
IMPORTER(user_events)
IMPORTER(ftrace_text)
IMPORTER(perf_text)
IMPORTER(perf)
