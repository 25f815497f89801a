/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The gate and the outputs of tdat diff. */
#ifndef CLI_DIFF_OUT_H
#define CLI_DIFF_OUT_H

#include <tdat/summary.h>

#include "args/arg_list.h"
#include "core/build.h"

/* How the sides are called: "trace.dat", "3 files: a.dat ..."; both are texts for people. */
struct diff_names {
	const char *sides[TDAT_DIFF_SIDES];
};

/* Percent, "5", "5%" or "0.5%", as a part of 1. False: it is none. */
bool diff_percent(const char *text, double *out);

/*
 * diff_gate_check checks the arguments of --fail-on: CLI_OK, or CLI_USAGE after a complaint.
 * diff_gate_trips tells whether one of the changes is such a one.
 */
int diff_gate_check(const struct cli_list *gates, const struct tdat_diff *d,
		    const struct cli_list *pairs, double min_change);
bool diff_gate_trips(const struct cli_list *gates, const struct tdat_diff *d);

/* Cells of a change, for all outputs: appended to out as text that is not escaped. */
void diff_put_value(struct tdat_build *out, const struct tdat_diff *d,
		    const struct tdat_diff_change *c, double value, bool exact);
void diff_put_change(struct tdat_build *out, const struct tdat_diff_change *c);
void diff_put_interval(struct tdat_build *out, const struct tdat_diff_change *c);
void diff_put_p(struct tdat_build *out, const struct tdat_diff_change *c);
/* A side in one sentence without its name, and the counts below the table. */
void diff_put_side(struct tdat_build *out, const struct tdat_diff *d, enum tdat_diff_side side);
void diff_put_counts(struct tdat_build *out, const struct tdat_diff *d);

/* Print all. False: no memory. */
bool diff_text(const struct tdat_diff *d, const struct diff_names *names, bool exact);
bool diff_markdown(const struct tdat_diff *d, const struct diff_names *names);
bool diff_html(const struct tdat_diff *d, const struct diff_names *names);

#endif
