/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Reads options of exporters that take tables. An option that is not given leaves the value. */
#ifndef EXPORT_COLUMN_OPTIONS_H
#define EXPORT_COLUMN_OPTIONS_H

#include <tdat/export.h>

/* A decimal number from least to most; else TDAT_E_USAGE. */
enum tdat_status export_number(const struct tdat_export_request *r, const char *key, int64_t least,
			       int64_t most, int64_t *v, struct tdat_error *err);

/* One of the names, which NULL ends: its place among them; else TDAT_E_USAGE. */
enum tdat_status export_choice(const struct tdat_export_request *r, const char *key,
			       const char *const *names, size_t *v, struct tdat_error *err);

#endif
