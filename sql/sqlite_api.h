/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Includes SQLite's functions: those of the library that the program is linked with, or, in the
 * loadable extension, those of the program that loads it.
 */
#ifndef SQL_SQLITE_API_H
#define SQL_SQLITE_API_H

#ifdef TDAT_SQLITE_EXTENSION
#include <sqlite3ext.h>
extern const sqlite3_api_routines *sqlite3_api;
#else
#include <sqlite3.h>
#endif

#endif
