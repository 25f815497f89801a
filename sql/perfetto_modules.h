/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Declares the texts of sql/perfetto/, which cmake/EmbedSql.cmake builds in. */
#ifndef SQL_PERFETTO_MODULES_H
#define SQL_PERFETTO_MODULES_H

#include <stddef.h>

/* A module that INCLUDE PERFETTO MODULE names; "prelude" is always included. */
struct sql_module_text {
	const char *name, *text;
	size_t len;
};

/* In the order of their names. */
extern const struct sql_module_text sql_module_texts[];
extern const size_t sql_module_count;

#endif
