/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * For scripts/analyse only, before each source: what analysers of one file cannot
 * see, that these functions return the failure they are given.
 */
#include "core/cursor.h"

#include <tdat/error.h>

#define tdat_error_set(err, status, ...) \
	((void)tdat_error_set(err, status, __VA_ARGS__), (enum tdat_status)(status))
#define tdat_error_set_errno(err, ...) \
	((void)tdat_error_set_errno(err, __VA_ARGS__), TDAT_E_SYSTEM)
#define tdat_cursor_error(c, ...) ((void)tdat_cursor_error(c, __VA_ARGS__), TDAT_E_DAMAGED)
