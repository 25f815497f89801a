/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints one finding of check or repair, as text or as JSON. */
#ifndef CLI_FINDING_H
#define CLI_FINDING_H

#include <stdio.h>

#include <tdat/check.h>

#include "output/json_out.h"

/*
 * cli_put_finding appends f to the array that is open in j, or prints a line of text to
 * "to" if j is NULL.
 */
void cli_put_finding(FILE *to, struct tdat_json *j, const char *path, const struct tdat_finding *f);

#endif
