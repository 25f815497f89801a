/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Declares names of addresses as the kernel's %ps and %pS print them. */
#ifndef TDAT_HIST_SYMBOLS_H
#define TDAT_HIST_SYMBOLS_H

#include "hist.h"

void hist_syms_free(struct hist_syms *s);
/*
 * Appends "name [module]", or with offset "name+0x1/0x20 [module]", padded with blanks to width.
 * An address without a symbol is printed as "0x" and its digits.
 */
void hist_syms_put(struct tdat_hist *h, struct tdat_build *out, uint64_t addr, bool offset,
		   size_t width);

/* The address of the first symbol of a name, in the kernel's order; false: there is none. */
bool hist_syms_addr(struct tdat_hist *h, struct tdat_span name, uint64_t *addr);
/* Where the function that an address lies in begins and ends; false: it lies in none. */
bool hist_syms_bounds(struct tdat_hist *h, uint64_t addr, uint64_t *start, uint64_t *end);

#endif
