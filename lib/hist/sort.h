/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Declares the order in which the entries of a histogram are printed. */
#ifndef TDAT_HIST_SORT_H
#define TDAT_HIST_SORT_H

#include "map.h"

/* Numbers of all entries in order, to be freed; NULL: no memory. */
uint32_t *hist_sort_entries(const struct tdat_hist *h, const struct hist_data *d);

#endif
