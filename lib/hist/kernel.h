/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Declares which kernel's rules hold. */
#ifndef TDAT_HIST_KERNEL_H
#define TDAT_HIST_KERNEL_H

#include "hist.h"

/* Sets h->kernel and h->machine by text, or by the file's uname option if it is NULL. */
enum tdat_status hist_kernel_init(struct tdat_hist *h, const char *text, struct tdat_error *err);

/* Sets h->clock_ns: true if timestamps of the clock count ns. */
void hist_clock_init(struct tdat_hist *h, const char *clock);

#endif
