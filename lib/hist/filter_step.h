/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Declares the compiled filter of a trigger: comparisons, and the steps that join them. */
#ifndef TDAT_HIST_FILTER_STEP_H
#define TDAT_HIST_FILTER_STEP_H

#include "event.h"

enum hist_op {
	HIST_OP_GLOB,
	HIST_OP_NE,
	HIST_OP_EQ,
	HIST_OP_LE,
	HIST_OP_LT,
	HIST_OP_GE,
	HIST_OP_GT,
	HIST_OP_BAND
};

/* How a pattern is compared with a string. */
enum hist_glob {
	HIST_GLOB_FULL,
	HIST_GLOB_FRONT,
	HIST_GLOB_MIDDLE,
	HIST_GLOB_END,
	HIST_GLOB_ANY /* with *, ? and [] anywhere */
};

struct hist_pred {
	const struct hist_efield *field;
	enum hist_op op;
	bool is_string;
	bool invert; /* != of strings, and a pattern that begins with ! */
	uint64_t num;
	uint64_t end;	      /* of a function, which begins at num */
	bool function;	      /* the field lies in it */
	const uint64_t *cpus; /* bits of CPUS{}; NULL: the value is something else */
	bool one_cpu;
	const char *text;
	size_t text_len;
	enum hist_glob glob;
};

/* A step: a comparison, or a jump that tests the result so far. */
enum hist_step_kind { HIST_STEP_PRED, HIST_STEP_NOT, HIST_STEP_JUMP_TRUE, HIST_STEP_JUMP_FALSE };

struct hist_step {
	enum hist_step_kind kind;
	uint32_t target; /* of a jump, or the number of a comparison */
};

struct hist_filter {
	struct hist_step *steps;
	struct hist_pred *preds;
	uint32_t step_count, pred_count;
	bool comm; /* asks for the name of the running task */
};

#endif
