/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A finding of check or repair, as both print it. */
#ifndef CLI_FINDING_H
#define CLI_FINDING_H

#include <tdat/check.h>

#include "output/json.h"

/* j: where to put it as an element of the open array; NULL: a line of text on stdout. */
void cli_put_finding(struct cli_json *j, const char *path, const struct tdat_finding *f);

#endif
