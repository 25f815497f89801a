/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints a comparison as a table for people, or as one of Markdown. The cells are the same in all
 * outputs for people, and diff_html.c takes them, too: values with three digits and a unit, the
 * change, its interval, and the corrected p. Below the table lines count what is not in it. Texts
 * are escaped where they are printed, not in the cells. Called by diff.c.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands/diff_out.h"
#include "output/result.h"
#include "terminal/columns.h"
#include "terminal/safe_text.h"
#include "terminal/units.h"

/* Three digits, and a unit of thousands. */
static void put_number(struct tdat_build *out, double v, bool exact)
{
	char unit[CLI_UNIT_ROOM];

	if (exact)
		tdat_build_printf(out, "%.9g", v);
	else if (v >= 1000 && v < 1e18)
		tdat_build_str(out, cli_unit_count(unit, (uint64_t)(v + 0.5), false));
	else
		tdat_build_printf(out, "%.3g", v);
}

void diff_put_value(struct tdat_build *out, const struct tdat_diff *d,
		    const struct tdat_diff_change *c, double value, bool exact)
{
	const bool seconds = tdat_diff_facts(d)->seconds;
	char unit[CLI_UNIT_ROOM];

	if (!(value > 0) && c->metric < TDAT_DIFF_P50) {
		tdat_build_str(out, "-");
	} else if (c->metric == TDAT_DIFF_TIME) {
		put_number(out, 100 * value, exact);
		tdat_build_str(out, " %");
	} else if (c->metric == TDAT_DIFF_RATE) {
		put_number(out, value, exact);
		tdat_build_str(out, seconds ? "/s" : "/tick");
	} else if (seconds && value < 9e18) {
		tdat_build_str(out, cli_unit_ns(unit, (uint64_t)(value + 0.5), exact));
	} else {
		put_number(out, value, exact);
	}
}

/* A change in percent, or as a factor where it is large. */
static void put_percent(struct tdat_build *out, double change)
{
	if (change >= 9)
		tdat_build_printf(out, isfinite(change) ? "x %.3g" : "x inf", change + 1);
	else
		tdat_build_printf(out, "%+.1f %%", 100 * change);
}

void diff_put_change(struct tdat_build *out, const struct tdat_diff_change *c)
{
	const bool rates = c->metric < TDAT_DIFF_P50; /* a quantile may be 0 */

	if (rates && !(c->a > 0))
		tdat_build_str(out, "new");
	else if (rates && !(c->b > 0))
		tdat_build_str(out, "gone");
	else
		put_percent(out, c->change);
}

void diff_put_interval(struct tdat_build *out, const struct tdat_diff_change *c)
{
	if (c->low >= c->high) {
		tdat_build_str(out, "-");
		return;
	}
	put_percent(out, c->low);
	tdat_build_str(out, " to ");
	put_percent(out, c->high);
}

void diff_put_p(struct tdat_build *out, const struct tdat_diff_change *c)
{
	if (c->p_adjusted < 0.0001)
		tdat_build_str(out, "<0.0001");
	else
		tdat_build_printf(out, "%.4f", c->p_adjusted);
}

void diff_put_side(struct tdat_build *out, const struct tdat_diff *d, enum tdat_diff_side side)
{
	const struct tdat_diff_facts *f = tdat_diff_facts(d);
	const struct tdat_diff_side_facts *s = &f->sides[side];
	char unit[CLI_UNIT_ROOM];

	if (f->seconds && s->time < 9e18)
		tdat_build_str(out, cli_unit_ns(unit, (uint64_t)s->time, false));
	else
		tdat_build_printf(out, "%.3g ticks", s->time);
	tdat_build_printf(out, ", %.3g CPU%s", s->cpus, s->cpus == 1 ? "" : "s");
	if (s->samples > 1)
		tdat_build_printf(out, ", %zu files", s->samples);
	if (s->lost)
		tdat_build_printf(out, ", %s event%s lost", cli_unit_count(unit, s->lost, false),
				  s->lost == 1 ? "" : "s");
	if (s->lost_marks)
		tdat_build_printf(out, ", %s loss%s of unknown size",
				  cli_unit_count(unit, s->lost_marks, false),
				  s->lost_marks == 1 ? "" : "es");
}

static uint64_t notes_of(const struct tdat_diff *d, enum tdat_diff_side side)
{
	size_t count;
	const struct tdat_diff_note *notes = tdat_diff_notes(d, &count);
	uint64_t sum = 0;

	for (size_t i = 0; i < count; i++)
		sum += notes[i].side == side ? notes[i].count : 0;
	return sum;
}

void diff_put_counts(struct tdat_build *out, const struct tdat_diff *d)
{
	static const char *const sides[] = {"BEFORE", "AFTER"};
	const struct tdat_diff_facts *f = tdat_diff_facts(d);
	const uint64_t notes[] = {notes_of(d, TDAT_DIFF_A), notes_of(d, TDAT_DIFF_B)};
	enum tdat_diff_side on;
	const char *what;

	tdat_build_printf(out, "%zu change%s, %" PRIu64 " unchanged", f->change_count,
			  f->change_count == 1 ? "" : "s", f->unchanged);
	if (f->too_few)
		tdat_build_printf(out, ", %" PRIu64 " key%s with too few events to compare",
				  f->too_few, f->too_few == 1 ? "" : "s");
	for (size_t i = 0; (what = tdat_diff_what(d, i)); i++)
		if (!tdat_diff_compares(d, i, &on) && on != TDAT_DIFF_SIDES)
			tdat_build_printf(out, "\nnot compared, because only %s has the events: %s",
					  sides[on], what);
	if (f->left_out)
		tdat_build_printf(out, "\n%" PRIu64 " keys not compared: too many keys",
				  f->left_out);
	if (f->others)
		tdat_build_printf(out, "\n%" PRIu64 " rows of further keys not compared",
				  f->others);
	if (notes[0] || notes[1])
		tdat_build_printf(
			out,
			"\n"
			"rows omitted in the whole files because events are missing: %" PRIu64
			" of BEFORE, %" PRIu64 " of AFTER (--json has the reasons)",
			notes[0], notes[1]);
	tdat_build_u8(out, '\n');
}

/* The cells of a row, in the order of the columns; each ends where ends says. */
enum { CELLS = 7 };
static const char *const titles[CELLS] = {"what",   "key",	     "before", "after",
					  "change", "95 % interval", "p"};

static void put_cells(struct tdat_build *out, size_t ends[CELLS], const struct tdat_diff *d,
		      const struct tdat_diff_change *c, bool exact)
{
	size_t n = 0;

	out->len = 0;
	tdat_build_printf(out, "%s.%s%s", c->what, tdat_diff_metric_name(c->metric),
			  c->per_cpu ? "/CPU" : "");
	ends[n++] = out->len;
	if (c->key.len)
		tdat_build_bytes(out, c->key.ptr, c->key.len);
	else
		tdat_build_str(out, "-");
	ends[n++] = out->len;
	diff_put_value(out, d, c, c->a, exact);
	ends[n++] = out->len;
	diff_put_value(out, d, c, c->b, exact);
	ends[n++] = out->len;
	diff_put_change(out, c);
	ends[n++] = out->len;
	diff_put_interval(out, c);
	ends[n++] = out->len;
	diff_put_p(out, c);
	ends[n] = out->len;
}

/* also: characters of the names that get a backslash. */
static void print_sides(const struct tdat_diff *d, const struct diff_names *names,
			const char *const labels[], const char *also)
{
	for (size_t side = 0; side < TDAT_DIFF_SIDES; side++) {
		struct tdat_build b;

		tdat_build_init(&b, false);
		cli_build_text(&b, names->sides[side], strlen(names->sides[side]), also);
		tdat_build_str(&b, ": ");
		diff_put_side(&b, d, (enum tdat_diff_side)side);
		printf("%s%.*s\n", labels[side], (int)b.len, b.ptr ? (const char *)b.ptr : "");
		tdat_build_fini(&b);
	}
}

/* Lines below the table. Names of pairs are of the command line: they are escaped. */
static bool print_counts(const struct tdat_diff *d)
{
	struct tdat_build b;
	bool good;

	tdat_build_init(&b, false);
	diff_put_counts(&b, d);
	good = !b.failed;
	if (good)
		cli_put_lines(stdout, (const char *)b.ptr, b.len);
	tdat_build_fini(&b);
	return good;
}

bool diff_text(const struct tdat_diff *d, const struct diff_names *names, bool exact)
{
	static const char *const labels[] = {"BEFORE  ", "AFTER   "};
	const struct cli_column columns[CELLS] = {{titles[0], 0, true},	 {titles[1], 0, true},
						  {titles[2], 1, false}, {titles[3], 0, false},
						  {titles[4], 0, false}, {titles[5], 3, false},
						  {titles[6], 2, false}};
	const struct tdat_diff_change *c;
	struct tdat_build row;
	struct cli_columns t;
	size_t ends[CELLS];
	bool good = true;

	print_sides(d, names, labels, "");
	if (tdat_diff_change(d, 0)) {
		putchar('\n');
		tdat_build_init(&row, false);
		cli_columns_init(&t, columns, CELLS,
				 (struct cli_numbers){exact, tdat_diff_facts(d)->seconds});
		t.indent = 0;
		for (size_t i = 0; (c = tdat_diff_change(d, i)); i++) {
			put_cells(&row, ends, d, c, exact);
			for (size_t k = 0; k < CELLS && !row.failed; k++)
				cli_cell_text(&t, row.ptr + (k ? ends[k - 1] : 0),
					      ends[k] - (k ? ends[k - 1] : 0));
		}
		good = !row.failed;
		tdat_build_fini(&row);
		good &= cli_columns_end(&t);
	}
	putchar('\n');
	return good && print_counts(d);
}

bool diff_markdown(const struct tdat_diff *d, const struct diff_names *names)
{
	static const char *const labels[] = {"- before: ", "- after: "};
	const struct tdat_diff_change *c;
	struct tdat_build row;
	struct cli_result *r = NULL;
	size_t ends[CELLS];
	bool good = true;

	print_sides(d, names, labels, "\\`*_<>[]|&");
	putchar('\n');
	tdat_build_init(&row, false);
	if (tdat_diff_change(d, 0)) {
		r = cli_result_new(CLI_RESULT_MARKDOWN, titles, CELLS);
		good = r != NULL;
	}
	for (size_t i = 0; good && (c = tdat_diff_change(d, i)); i++) {
		struct cli_value values[CELLS];

		put_cells(&row, ends, d, c, false);
		for (size_t k = 0; k < CELLS && !row.failed; k++)
			values[k] = (struct cli_value){.kind = CLI_V_TEXT,
						       .bytes = row.ptr + (k ? ends[k - 1] : 0),
						       .len = ends[k] - (k ? ends[k - 1] : 0)};
		good = !row.failed && cli_result_row(r, values);
	}
	if (r)
		good &= cli_result_end(r);
	tdat_build_fini(&row);
	if (tdat_diff_change(d, 0))
		putchar('\n');
	return good && print_counts(d);
}
