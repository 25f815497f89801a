/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Declares the arithmetic of hist triggers. */
#ifndef TDAT_HIST_EXPR_H
#define TDAT_HIST_EXPR_H

#include "hist.h"

/* Applies an operator to two numbers, as the kernel does at run time. */
uint64_t hist_expr_apply(enum hist_fn fn, uint64_t a, uint64_t b, const struct hist_field *divisor);

#endif
