/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes texts of traces as values of CSV. */
#ifndef CLI_CSV_TEXT_H
#define CLI_CSV_TEXT_H

#include <tdat/base.h>

/*
 * cli_csv_text writes a text to stdout in quotes, as RFC 4180 has it, without bytes that drive a
 * terminal (cli_put_text); nothing for one whose ptr is NULL.
 */
void cli_csv_text(struct tdat_span text);

#endif
