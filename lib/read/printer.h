/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Gives printers to the rest of the library: makes a further printer of a print_set, and appends
 * lines to a buffer of the caller. A print_set does not know its printers.
 */
#ifndef TDAT_READ_PRINTER_H
#define TDAT_READ_PRINTER_H

#include <tdat/print.h>

struct print_set;
struct tdat_build;

/* Makes a printer, for one thread, that keeps a reference to the set until tdat_printer_free. */
enum tdat_status read_printer_new(struct tdat_printer **out, struct print_set *set,
				  struct tdat_error *err);

/* Does what tdat_printer_line does, but appends the line to out, whose failed is set without
 * memory. */
enum tdat_status read_printer_append(struct tdat_printer *p, const struct tdat_event *ev,
				     struct tdat_build *out, struct tdat_error *err);

#endif
