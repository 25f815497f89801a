/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Declares the texts that the kernel makes of triggers and their histograms. */
#ifndef TDAT_HIST_PRINT_H
#define TDAT_HIST_PRINT_H

#include "map.h"

/* The line of a trigger, with its line end. */
void hist_print_trigger(struct tdat_hist *h, const struct hist_trigger *t, struct tdat_build *out);
/* "name.modifier" of a key, a value or a variable. */
void hist_print_field(struct tdat_hist *h, const struct hist_field *f, struct tdat_build *out);

/* "{ KEYS }" */
void hist_print_keys(struct tdat_hist *h, const struct hist_data *d, const uint8_t *key,
		     uint32_t task, struct tdat_build *out);

/* The largest value and the sum over all entries. */
struct hist_total {
	uint64_t max, sum;
};

/* In hundredths of a percent; UINT32_MAX: of nothing. */
uint32_t hist_share(uint64_t v, uint64_t of);
/* The columns of a graph. */
enum { HIST_GRAPH = 20 };
void hist_print_graph(uint64_t v, uint64_t max, char out[HIST_GRAPH + 1]);
void hist_totals(const struct hist_data *d, struct hist_total totals[HIST_VALS]);

/* One entry with its line end; the whole histogram. */
void hist_print_entry(struct tdat_hist *h, const struct hist_data *d, uint8_t *entry,
		      const struct hist_total *totals, struct tdat_build *out);

/* view_json.c and view_table.c: one histogram. */
bool hist_json_trigger(struct tdat_hist *h, const struct hist_trigger *t, struct tdat_build *out);
bool hist_table_trigger(struct tdat_hist *h, const struct hist_trigger *t, struct tdat_build *out);

/* A sink that gets the text when enough of it is there. */
struct hist_out {
	struct tdat_build text;
	tdat_write_fn write;
	void *ctx;
	struct tdat_error *err;
	enum tdat_status st;
};
/* Hands on what was built, if it is much or all is asked for; false after a failure. */
bool hist_out_flush(struct hist_out *o, bool all);

#endif
