/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whether output is what it claims to be, by rules of RFC 8259, RFC 4180 and
 * RFC 3629 written down once more: nothing of the library is used here.
 */
#ifndef TDAT_FUZZ_SYNTAX_H
#define TDAT_FUZZ_SYNTAX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * One JSON object and nothing around it, in well-formed UTF-8 without a control
 * character (C0, DEL, C1), with no key twice in an object.
 */
bool fuzz_is_json_object(const char *text, size_t len);

/*
 * Bytes of the CSV record at text up to and with its CRLF, and its columns; 0: there
 * is no such record. In quotes there may be tabs and line feeds, no other controls.
 */
size_t fuzz_csv_record(const char *text, size_t len, size_t *columns);

#endif
