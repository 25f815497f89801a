/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Printers for the rest of the library: one more of a print_set, and lines into the
 * caller's buffer. A print_set knows nothing of printers.
 */
#ifndef TDAT_READ_PRINTER_H
#define TDAT_READ_PRINTER_H

#include <tdat/print.h>

struct print_set;
struct tdat_build;

/* A printer of a set, which it keeps a reference to, for one thread; tdat_printer_free. */
enum tdat_status read_printer_new(struct tdat_printer **out, struct print_set *set,
				  struct tdat_error *err);

/* tdat_printer_line, but the line is appended to out; no memory for it is told by out. */
enum tdat_status read_printer_append(struct tdat_printer *p, const struct tdat_event *ev,
				     struct tdat_build *out, struct tdat_error *err);

#endif
