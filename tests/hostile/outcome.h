/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Running a program, and what it took. */
#ifndef TDAT_HOSTILE_OUTCOME_H
#define TDAT_HOSTILE_OUTCOME_H

#include <stdbool.h>
#include <stdint.h>

struct outcome {
	int status; /* as of wait */
	bool hung;
	long memory_kb;
	uint64_t steps; /* counted by the program, where it counts: steps.h; else 0 */
	double seconds; /* of CPU, to be told */
	uint64_t lines; /* on standard output */
};

/* Programs that count their steps end when they have counted more; 0: never. */
void limit_steps(uint64_t most);

/*
 * Standard error goes to err, or nowhere. seconds_most is of the clock. A program has
 * at least the memory of ours when it is started: keep that small.
 */
struct outcome run_program(char **args, const char *err, double seconds_most);

_Noreturn void die(const char *what);

#endif
