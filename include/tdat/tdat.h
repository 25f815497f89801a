/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Includes all public headers of libtdat except <tdat/user_events.h>, a separate component.
 *
 * Threads: each header documents which objects several threads may use at the same time.
 */
#ifndef TDAT_TDAT_H
#define TDAT_TDAT_H

#include <tdat/arrow.h>
#include <tdat/base.h>
#include <tdat/cells.h>
#include <tdat/check.h>
#include <tdat/define.h>
#include <tdat/emit.h>
#include <tdat/error.h>
#include <tdat/event.h>
#include <tdat/export.h>
#include <tdat/field_type.h>
#include <tdat/file.h>
#include <tdat/file_option.h>
#include <tdat/filter.h>
#include <tdat/hist.h>
#include <tdat/iter.h>
#include <tdat/keyed_option.h>
#include <tdat/merge.h>
#include <tdat/print.h>
#include <tdat/repair.h>
#include <tdat/rows.h>
#include <tdat/sink.h>
#include <tdat/source.h>
#include <tdat/split.h>
#include <tdat/stat.h>
#include <tdat/summary.h>
#include <tdat/table.h>
#include <tdat/text_record.h>
#include <tdat/writer.h>

#endif
