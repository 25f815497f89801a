/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Declares the values of filters that newer kernels know: sets of CPUs and names of functions. */
#ifndef TDAT_HIST_FILTER_VALUE_H
#define TDAT_HIST_FILTER_VALUE_H

#include "filter_step.h"

/*
 * Reads a value of a comparison at *at, of a field and with an operator that pred has. The result
 * is the text of the kernel's error, or NULL; *at is where the error is, or behind the value.
 */

/* "CPUS{0-3,5}" */
const char *hist_filter_read_cpus(struct tdat_hist *h, struct hist_pred *pred, const char **at);
/* A name or an address of a function, to compare with the function that the field lies in. */
const char *hist_filter_read_function(struct tdat_hist *h, struct hist_pred *pred, const char **at);

bool hist_filter_run_cpus(const struct tdat_hist *h, const struct hist_pred *pred,
			  const struct hist_hit *hit);
bool hist_filter_run_function(const struct tdat_hist *h, const struct hist_pred *pred,
			      const struct hist_hit *hit);

#endif
