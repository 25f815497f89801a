/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Writes strings of a trace as JSON, CSV and hexadecimal text. */
#ifndef EXPORT_PUT_TEXT_H
#define EXPORT_PUT_TEXT_H

#include "core/build.h"

/* In quotes, escaped as core/json_text.h says. */
void export_json_str(struct tdat_build *out, const void *s, size_t len);

/* The same without the quotes. */
void export_json_inside(struct tdat_build *out, const void *s, size_t len);

/* In quotes only where they are needed; control characters as \xNN. */
void export_csv_str(struct tdat_build *out, const void *s, size_t len);

void export_hex(struct tdat_build *out, const uint8_t *p, size_t len);

#endif
