/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The types of columns of a data set, in words: "int64", "list<text>", "dictionary". */
#ifndef CLI_LAKE_TYPE_H
#define CLI_LAKE_TYPE_H

#include <stdbool.h>

#include <tdat/arrow.h>

/* Bytes of a type's text, with its NUL. */
enum { LAKE_TYPE_LEN = 24 };

/*
 * The type that an Arrow column has in parts, in words; as_signed: integers without a sign are
 * others (export -O unsigned=decimal). False: a data set has no such type.
 */
bool lake_type_of(const struct ArrowSchema *column, bool as_signed, char type[LAKE_TYPE_LEN]);
/* The Arrow format of a type, of a list that of its items. */
const char *lake_type_format(const char *type, bool *list);
/* Whether a column of one type holds all values of another. */
bool lake_type_holds(const char *type, const char *other);
/* Makes a type hold another as well: the narrowest integer that does. False: none does. */
bool lake_type_widen(char type[LAKE_TYPE_LEN], const char *other);
/* Bytes of an integer, also of a list's items; 0: it is none. */
unsigned lake_int_len(const char *type, bool *is_signed);

#endif
