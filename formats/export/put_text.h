/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Writes strings of a trace as JSON, CSV and hexadecimal text. */
#ifndef EXPORT_PUT_TEXT_H
#define EXPORT_PUT_TEXT_H

#include "core/build.h"

/* In quotes only where they are needed; control characters as \xNN. */
void export_csv_str(struct tdat_build *out, const void *s, size_t len);

#endif
