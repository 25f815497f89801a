/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * JSON to a stdio stream, written as it comes. A write error stays in the stream (ferror) for
 * whoever closes it.
 */
#ifndef CLI_JSON_OUT_H
#define CLI_JSON_OUT_H

#include <stdio.h>

#include "core/json_writer.h"

void cli_json_init(struct tdat_json *j, FILE *to, bool pretty);
/* Writes the newline behind the outermost value. */
void cli_json_end(struct tdat_json *j);

#endif
