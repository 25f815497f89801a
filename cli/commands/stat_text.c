/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints the counts of "tdat stat" as text. The histogram uses block characters if the locale is
 * UTF-8, ASCII otherwise. Event types and tasks beyond --top are summed up in one line. Streams of
 * each buffer are searched among all: buffers x streams. Called by stat.c for each file, with the
 * values of stat_facts.c.
 */
#include <inttypes.h>
#include <string.h>

#include "commands/stat_facts.h"
#include "terminal/columns.h"
#include "terminal/safe_text.h"
#include "terminal/screen.h"
#include "terminal/units.h"

static struct cli_numbers numbers_of(const struct stat_facts *f)
{
	return (struct cli_numbers){f->args->exact, f->seconds};
}

/* "-" if the clock does not count nanoseconds. */
static void cell_rate(struct cli_columns *t, const struct stat_facts *f, uint64_t events)
{
	uint64_t rate;

	if (stat_rate(f, events, &rate))
		cli_cell_count(t, rate);
	else
		cli_cell_none(t);
}

/* The cells after the name of a CPU or buffer. */
static void cell_sum(struct cli_columns *t, const struct stat_facts *f, const struct stat_sum *s)
{
	cli_cell_count(t, s->events);
	cli_cell_share(t, s->events, f->total.events);
	cell_rate(t, f, s->events);
	cli_cell_lost(t, s->lost, s->lost_marks);
	if (s->events) {
		cli_cell_ts(t, s->first_ts);
		cli_cell_ts(t, s->last_ts);
	} else {
		cli_cell_none(t);
		cli_cell_none(t);
	}
}

/* Prints a buffer with its CPUs. A single buffer has no line of its own. */
static void cell_buffer(struct cli_columns *t, const struct stat_facts *f, size_t buffer)
{
	const bool several = f->buffer_count > 1;
	struct stat_sum sum;

	if (!stat_buffer_sum(f, buffer, &sum))
		return;
	if (several) {
		cli_cell_str(t, *f->buffers[buffer].name ? f->buffers[buffer].name : "(top)");
		cell_sum(t, f, &sum);
	}
	for (size_t i = 0; i < f->stream_count; i++) {
		struct stat_sum one = {0};

		if (f->streams[i].buffer != buffer)
			continue;
		stat_sum_add(&one, &f->streams[i]);
		tdat_build_printf(&t->cells, "%s%" PRIu32, several ? "  " : "", f->streams[i].cpu);
		cli_cell_end(t);
		cell_sum(t, f, &one);
	}
}

/* The sum of all, then each buffer with its CPUs. False: no memory. */
static bool text_streams(const struct stat_facts *f)
{
	static const struct cli_column columns[] = {{"CPU", 0, true},	 {"events", 0, false},
						    {"share", 3, false}, {"a second", 4, false},
						    {"lost", 0, false},	 {"first", 1, false},
						    {"last", 2, false}};
	struct cli_columns t;

	putchar('\n');
	cli_columns_init(&t, columns, sizeof(columns) / sizeof(columns[0]), numbers_of(f));
	cli_cell_str(&t, "all");
	cell_sum(&t, f, &f->total);
	for (size_t b = 0; b < f->buffer_count; b++)
		cell_buffer(&t, f, b);
	return cli_columns_end(&t);
}

/* The rows that --top lets through; 0: all. */
static size_t rows(const struct stat_facts *f, size_t count)
{
	return f->args->top && f->args->top < count ? (size_t)f->args->top : count;
}

static void cell_count(struct cli_columns *t, const struct stat_facts *f, uint64_t count)
{
	cli_cell_count(t, count);
	cli_cell_share(t, count, f->total.events);
	cell_rate(t, f, count);
}

static void cell_event(struct cli_columns *t, const struct stat_facts *f, uint32_t id)
{
	const struct tdat_event_format *format = tdat_file_format_by_id(f->file, id);
	const char *system = format ? tdat_event_format_system(format) : NULL;

	if (format) {
		cli_build_text(&t->cells, system, strlen(system), "");
		tdat_build_u8(&t->cells, '/');
		cli_cell_str(t, tdat_event_format_name(format));
	} else {
		tdat_build_printf(&t->cells, "(unknown type %" PRIu32 ")", id);
		cli_cell_end(t);
	}
}

/* Tasks have the name that the file saved for their pid. */
static void cell_task(struct cli_columns *t, const struct stat_facts *f, int32_t pid)
{
	const struct tdat_span comm = stat_comm(f, pid);

	cli_build_text(&t->cells, comm.ptr, comm.len, "");
	tdat_build_printf(&t->cells, "-%" PRId32, pid);
	cli_cell_end(t);
}

/*
 * Prints event types or tasks, the most frequent first. Those that --top leaves out are one row.
 * False: no memory.
 */
static bool text_counts(const struct stat_facts *f, bool tasks)
{
	const size_t count = tasks ? f->task_count : f->event_count, shown = rows(f, count);
	const struct cli_column columns[] = {{"events", 0, false},
					     {"share", 1, false},
					     {"a second", 2, false},
					     {tasks ? "task" : "event", 0, true}};
	struct cli_columns t;
	uint64_t rest = 0;

	putchar('\n');
	cli_columns_init(&t, columns, sizeof(columns) / sizeof(columns[0]), numbers_of(f));
	for (size_t i = 0; i < count; i++) {
		const uint64_t n = tasks ? f->tasks[i].count : f->events[i].count;

		if (i >= shown) {
			rest += n;
			continue;
		}
		cell_count(&t, f, n);
		if (tasks)
			cell_task(&t, f, f->tasks[i].pid);
		else
			cell_event(&t, f, f->events[i].id);
	}
	if (shown < count) {
		cell_count(&t, f, rest);
		tdat_build_printf(&t.cells, "(%zu more %s)", count - shown,
				  tasks ? "tasks" : "types of events");
		cli_cell_end(&t);
	}
	return cli_columns_end(&t);
}

/* The longest times without an event, which may be idle times or dropped events. */
static bool text_gaps(const struct stat_facts *f)
{
	static const struct cli_column columns[] = {{"without events", 0, false},
						    {"from", 0, false},
						    {"to", 1, false},
						    {"CPU", 0, true}};
	struct cli_columns t;

	if (!f->gap_count)
		return true;
	putchar('\n');
	cli_columns_init(&t, columns, sizeof(columns) / sizeof(columns[0]), numbers_of(f));
	for (size_t i = 0; i < f->gap_count; i++) {
		const struct tdat_stat_gap *g = &f->gaps[i];
		const char *buffer = f->buffers[g->buffer].name;

		cli_cell_time(&t, g->to - g->from);
		cli_cell_ts(&t, g->from);
		cli_cell_ts(&t, g->to);
		tdat_build_printf(&t.cells, "%" PRIu32 "%s", g->cpu, *buffer ? " " : "");
		cli_build_text(&t.cells, buffer, strlen(buffer), "");
		cli_cell_str(&t, g->lost ? " (events were lost)" : "");
	}
	return cli_columns_end(&t);
}

/* ---- the histogram ---- */

/* Returns the character of a column: taller for more events, and blank only without events. */
static const char *bar(uint64_t count, uint64_t most, bool utf8)
{
	static const char *const blocks[] = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
	static const char *const ascii[] = {" ", ".", ":", "-", "=", "+", "*", "#", "@"};
	size_t level = count ? 1 + (size_t)((double)(count - 1) * 8 / (double)most) : 0;

	level = level > 8 ? 8 : level;
	return utf8 ? blocks[level] : ascii[level];
}

/* All CPUs are drawn in the scale of the busiest column. */
static uint64_t tallest(const struct stat_facts *f, size_t most_columns)
{
	uint64_t columns[STAT_COLUMNS], most = 1;
	size_t i, c, n;

	for (i = 0; i < f->stream_count; i++) {
		n = stat_columns(f, &f->streams[i], columns, most_columns);
		for (c = 0; c < n; c++)
			most = columns[c] > most ? columns[c] : most;
	}
	return most;
}

/* Characters before and behind the columns: "  12345 |" and "| NAME". */
static size_t columns_that_fit(const struct stat_facts *f)
{
	const size_t width = cli_screen_width();
	size_t other = 10, name = 0;

	for (size_t i = 0; i < f->buffer_count; i++) {
		const size_t len = strlen(f->buffers[i].name);

		name = len > name ? len : name;
	}
	other += name ? name + 1 : 0;
	return !width || width >= other + STAT_COLUMNS ? STAT_COLUMNS
	       : width > other + 8		       ? width - other
						       : 8;
}

/* One line for each CPU of each buffer. */
static void text_histogram(const struct stat_facts *f)
{
	const bool utf8 = cli_screen_is_utf8();
	const size_t most_columns = columns_that_fit(f);
	uint64_t columns[STAT_COLUMNS], most = tallest(f, most_columns);
	const size_t used = f->bin_count < most_columns ? f->bin_count : most_columns;
	const uint64_t width = used ? f->bin_count * f->bin_width / used : 0;
	char count[CLI_UNIT_ROOM], time[CLI_UNIT_ROOM];
	size_t i, c, n;

	printf("\n  Events over time; the tallest is %s events in %s%s\n",
	       cli_unit_count(count, most, f->args->exact),
	       (f->seconds ? cli_unit_ns : cli_unit_count)(time, width, f->args->exact),
	       f->seconds ? "" : " ticks");
	for (i = 0; i < f->stream_count; i++) {
		const char *name = f->buffers[f->streams[i].buffer].name;

		n = stat_columns(f, &f->streams[i], columns, most_columns);
		printf("  %5" PRIu32 " |", f->streams[i].cpu);
		for (c = 0; c < n; c++)
			fputs(bar(columns[c], most, utf8), stdout);
		putchar('|');
		if (*name) {
			putchar(' ');
			cli_put_str(stdout, name);
		}
		putchar('\n');
	}
}

/* A file without events has only the table of its CPUs. False: no memory. */
bool stat_text(const struct stat_facts *f, bool first)
{
	if (!first)
		putchar('\n');
	cli_put_str(stdout, tdat_file_info(f->file)->name);
	putchar('\n');
	if (!text_streams(f))
		return false;
	if (!f->total.events)
		return true;
	if (!text_counts(f, false) || !text_counts(f, true) || !text_gaps(f))
		return false;
	text_histogram(f);
	return stat_kmem_text(f);
}
