/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints the counts of "tdat stat" as text. The histogram uses block characters if the locale is
 * UTF-8, ASCII otherwise. Event types and tasks beyond --top are summed up in one line. Streams of
 * each buffer are searched among all: buffers x streams. Called by stat.c for each file, with the
 * values of stat_facts.c.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "commands/stat_facts.h"
#include "terminal/safe_text.h"

/* "-" if the clock does not count nanoseconds. */
static void put_rate(const struct stat_facts *f, uint64_t events)
{
	uint64_t rate;

	if (stat_rate(f, events, &rate))
		printf(" %12" PRIu64, rate);
	else
		printf(" %12s", "-");
}

static void put_share(const struct stat_facts *f, uint64_t count)
{
	printf(" %6.2f%%", f->total.events ? 100.0 * (double)count / (double)f->total.events : 0);
}

/* "12+?": 12 dropped events, and losses without a number. */
static void put_lost(uint64_t lost, uint64_t marks)
{
	char text[64];

	if (marks)
		snprintf(text, sizeof(text), "%" PRIu64 "+?", lost);
	else
		snprintf(text, sizeof(text), "%" PRIu64, lost);
	printf(" %10s", text);
}

static void put_sum(const struct stat_facts *f, const struct stat_sum *s)
{
	printf(" %12" PRIu64, s->events);
	put_rate(f, s->events);
	put_lost(s->lost, s->lost_marks);
	if (s->events) {
		cli_put_ts(f->seconds, s->first_ts);
		cli_put_ts(f->seconds, s->last_ts);
	} else {
		printf(" %20s %20s", "-", "-");
	}
	putchar('\n');
}

/*
 * Prints each buffer with its CPUs, then the sum of all. With a single buffer its own line is left
 * out.
 */
static void text_streams(const struct stat_facts *f)
{
	const bool several = f->buffer_count > 1;

	printf("\n  %-18s %12s %12s %10s %20s %20s\n", "CPU", "events", "a second", "lost", "first",
	       "last");
	for (size_t b = 0; b < f->buffer_count; b++) {
		struct stat_sum sum;

		if (!stat_buffer_sum(f, b, &sum))
			continue;
		if (several) {
			char name[20];

			snprintf(name, sizeof(name), "%s",
				 *f->buffers[b].name ? f->buffers[b].name : "(top)");
			fputs("  ", stdout);
			cli_put_str(stdout, name);
			/* Names are cut to the column; cli_put_str() escapes control bytes. */
			printf("%*s", (int)(18 - (strlen(name) < 18 ? strlen(name) : 18)), "");
			put_sum(f, &sum);
		}
		for (size_t i = 0; i < f->stream_count; i++) {
			struct stat_sum one = {0};

			if (f->streams[i].buffer != b)
				continue;
			stat_sum_add(&one, &f->streams[i]);
			printf("  %*s%-*" PRIu32, several ? 2 : 0, "", several ? 16 : 18,
			       f->streams[i].cpu);
			put_sum(f, &one);
		}
	}
	printf("  %-18s", "all");
	put_sum(f, &f->total);
}

/* The rows that --top lets through; 0: all. */
static size_t rows(const struct stat_facts *f, size_t count)
{
	return f->args->top && f->args->top < count ? (size_t)f->args->top : count;
}

static void put_count(const struct stat_facts *f, uint64_t count)
{
	printf("  %12" PRIu64, count);
	put_share(f, count);
	put_rate(f, count);
	fputs("  ", stdout);
}

static void put_event(const struct stat_facts *f, uint32_t id)
{
	const struct tdat_event_format *format = tdat_file_format_by_id(f->file, id);

	if (!format) {
		printf("(unknown type %" PRIu32 ")\n", id);
		return;
	}
	cli_put_str(stdout, tdat_event_format_system(format));
	putchar('/');
	cli_put_str(stdout, tdat_event_format_name(format));
	putchar('\n');
}

/* Tasks have the name that the file saved for their pid. */
static void put_task(const struct stat_facts *f, int32_t pid)
{
	const struct tdat_span comm = stat_comm(f, pid);

	cli_put_text(stdout, (const char *)comm.ptr, comm.len);
	printf("-%" PRId32 "\n", pid);
}

/* Prints event types or tasks, the most frequent first. Those that --top leaves out are one row. */
static void text_counts(const struct stat_facts *f, bool tasks)
{
	const size_t count = tasks ? f->task_count : f->event_count, shown = rows(f, count);
	uint64_t rest = 0;

	printf("\n  %12s %7s %12s  %s\n", "events", "share", "a second", tasks ? "task" : "event");
	for (size_t i = 0; i < count; i++) {
		const uint64_t n = tasks ? f->tasks[i].count : f->events[i].count;

		if (i >= shown) {
			rest += n;
			continue;
		}
		put_count(f, n);
		if (tasks)
			put_task(f, f->tasks[i].pid);
		else
			put_event(f, f->events[i].id);
	}
	if (shown == count)
		return;
	put_count(f, rest);
	printf("(%zu more %s)\n", count - shown, tasks ? "tasks" : "types of events");
}

/* The longest times without an event, which may be idle times or dropped events. */
static void text_gaps(const struct stat_facts *f)
{
	size_t i;

	if (!f->gap_count)
		return;
	printf("\n  %20s %20s %20s  %s\n", "without events", "from", "to", "CPU");
	for (i = 0; i < f->gap_count; i++) {
		const struct tdat_stat_gap *g = &f->gaps[i];

		putchar(' ');
		cli_put_ts(f->seconds, g->to - g->from);
		cli_put_ts(f->seconds, g->from);
		cli_put_ts(f->seconds, g->to);
		printf("  %" PRIu32, g->cpu);
		if (*f->buffers[g->buffer].name) {
			putchar(' ');
			cli_put_str(stdout, f->buffers[g->buffer].name);
		}
		puts(g->lost ? " (events were lost)" : "");
	}
}

/* ---- the histogram ---- */

/*
 * The locale of the environment, in the order in which setlocale(3) reads it. The program itself
 * stays in the locale "C".
 */
static bool utf8_terminal(void)
{
	static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const char *v = getenv(names[i]);

		if (v && *v)
			return strstr(v, "UTF-8") || strstr(v, "utf8") || strstr(v, "UTF8");
	}
	return false;
}

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
static uint64_t tallest(const struct stat_facts *f)
{
	uint64_t columns[STAT_COLUMNS], most = 1;
	size_t i, c, n;

	for (i = 0; i < f->stream_count; i++) {
		n = stat_columns(f, &f->streams[i], columns);
		for (c = 0; c < n; c++)
			most = columns[c] > most ? columns[c] : most;
	}
	return most;
}

/* One line for each CPU of each buffer. */
static void text_histogram(const struct stat_facts *f)
{
	const bool utf8 = utf8_terminal();
	uint64_t columns[STAT_COLUMNS], most = tallest(f);
	size_t i, c, n;

	printf("\n  Events over time; the tallest is %" PRIu64 " events in", most);
	cli_put_ts(f->seconds, f->bin_count * f->bin_width / STAT_COLUMNS);
	puts(f->seconds ? " s" : " ticks");
	for (i = 0; i < f->stream_count; i++) {
		const char *name = f->buffers[f->streams[i].buffer].name;

		n = stat_columns(f, &f->streams[i], columns);
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

/* A file without events has only the table of its CPUs. */
void stat_text(const struct stat_facts *f, bool first)
{
	if (!first)
		putchar('\n');
	cli_put_str(stdout, tdat_file_info(f->file)->name);
	putchar('\n');
	text_streams(f);
	if (!f->total.events)
		return;
	text_counts(f, false);
	text_counts(f, true);
	text_gaps(f);
	text_histogram(f);
	stat_kmem_text(f);
}
