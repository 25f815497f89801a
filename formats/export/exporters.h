/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Declares the exporters that exporter_list.h names. */
#ifndef TDAT_EXPORT_EXPORTERS_H
#define TDAT_EXPORT_EXPORTERS_H

#include <tdat/export.h>

#define EXPORTER(name) extern const struct tdat_exporter export_##name;
#include "exporter_list.h"
#undef EXPORTER

#endif
