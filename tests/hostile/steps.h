/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a program built with steps.c counts: each basic block of our code is a step, and what
 * libraries do for it is so many steps for each byte. The count is the same on any machine,
 * whatever else it does, but for what threads inflate ahead and do not need.
 */
#ifndef TDAT_HOSTILE_STEPS_H
#define TDAT_HOSTILE_STEPS_H

/* The descriptor of a file of 8 bytes that gets the count (a number of the machine's). */
#define STEPS_FD "TDAT_STEPS_FD"
/* The program ends with STEPS_EXIT when it has counted more than this; 0 or unset: never. */
#define STEPS_MOST "TDAT_STEPS_MOST"

enum { STEPS_EXIT = 99 };

#endif
