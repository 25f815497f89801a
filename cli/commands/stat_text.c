/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints what "tdat stat" counted in a file as text. Streams of each buffer are searched among
 * all: buffers x streams. The histogram uses block characters on a terminal that shows UTF-8.
 * Rows beyond the first are summed up in one line. Called by stat.c for each file, with what
 * stat_facts.c has computed.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "commands/stat_facts.h"
#include "terminal/safe_text.h"

static void put_str(const char *s)
{
	cli_put_text(stdout, s, strlen(s));
}

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

/* Prints a time as dump does: in seconds when the clock counts nanoseconds. */
static void put_ts(const struct stat_facts *f, uint64_t ts)
{
	char text[40];

	if (f->seconds)
		snprintf(text, sizeof(text), "%" PRIu64 ".%09" PRIu64, ts / 1000000000,
			 ts % 1000000000);
	else
		snprintf(text, sizeof(text), "%" PRIu64, ts);
	printf(" %20s", text);
}

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
		put_ts(f, s->first_ts);
		put_ts(f, s->last_ts);
	} else {
		printf(" %20s %20s", "-", "-");
	}
	putchar('\n');
}

static struct stat_sum sum_of(const struct tdat_stat_stream *s)
{
	struct stat_sum sum = {0};

	stat_sum_add(&sum, s);
	return sum;
}

/* Prints the buffers with their CPUs, then the sum of all. */
static void text_streams(const struct stat_facts *f)
{
	size_t i, b;

	printf("\n  %-18s %12s %12s %10s %20s %20s\n", "CPU", "events", "a second", "lost", "first",
	       "last");
	for (b = 0; b < f->buffer_count; b++) {
		struct stat_sum sum = {0};
		size_t rows = 0;

		for (i = 0; i < f->stream_count; i++) {
			if (f->streams[i].buffer != b)
				continue;
			stat_sum_add(&sum, &f->streams[i]);
			rows++;
		}
		if (!rows)
			continue;
		if (f->buffer_count > 1) {
			char name[20];

			snprintf(name, sizeof(name), "%s",
				 *f->buffers[b].name ? f->buffers[b].name : "(top)");
			fputs("  ", stdout);
			put_str(name);
			printf("%*s", (int)(18 - (strlen(name) < 18 ? strlen(name) : 18)), "");
			put_sum(f, &sum);
		}
		for (i = 0; i < f->stream_count; i++) {
			const struct stat_sum one = sum_of(&f->streams[i]);

			if (f->streams[i].buffer != b)
				continue;
			printf("  %*s%-*" PRIu32, f->buffer_count > 1 ? 2 : 0, "",
			       f->buffer_count > 1 ? 16 : 18, f->streams[i].cpu);
			put_sum(f, &one);
		}
	}
	printf("  %-18s", "all");
	put_sum(f, &f->total);
}

static size_t rows(const struct stat_facts *f, size_t count)
{
	return f->args->top && f->args->top < count ? (size_t)f->args->top : count;
}

/* Prints the sum of the rows that were left out as one row. */
static void put_rest(const struct stat_facts *f, uint64_t count, size_t kinds, const char *what)
{
	printf("  %12" PRIu64, count);
	put_share(f, count);
	put_rate(f, count);
	printf("  (%zu more %s)\n", kinds, what);
}

static void text_events(const struct stat_facts *f)
{
	size_t i, shown = rows(f, f->event_count);
	uint64_t rest = 0;

	printf("\n  %12s %7s %12s  %s\n", "events", "share", "a second", "event");
	for (i = 0; i < f->event_count; i++) {
		const struct tdat_stat_event *e = &f->events[i];
		const struct tdat_format *format;

		if (i >= shown) {
			rest += e->count;
			continue;
		}
		printf("  %12" PRIu64, e->count);
		put_share(f, e->count);
		put_rate(f, e->count);
		fputs("  ", stdout);
		format = tdat_file_format_by_id(f->file, e->id);
		if (format) {
			put_str(tdat_format_system(format));
			putchar('/');
			put_str(tdat_format_name(format));
			putchar('\n');
		} else {
			printf("(unknown type %" PRIu32 ")\n", e->id);
		}
	}
	if (shown < f->event_count)
		put_rest(f, rest, f->event_count - shown, "types of events");
}

static void text_tasks(const struct stat_facts *f)
{
	size_t i, shown = rows(f, f->task_count);
	uint64_t rest = 0;

	printf("\n  %12s %7s %12s  %s\n", "events", "share", "a second", "task");
	for (i = 0; i < f->task_count; i++) {
		const struct tdat_stat_task *t = &f->tasks[i];
		struct tdat_span comm;

		if (i >= shown) {
			rest += t->count;
			continue;
		}
		printf("  %12" PRIu64, t->count);
		put_share(f, t->count);
		put_rate(f, t->count);
		fputs("  ", stdout);
		comm = stat_comm(f, t->pid);
		cli_put_text(stdout, (const char *)comm.ptr, comm.len);
		printf("-%" PRId32 "\n", t->pid);
	}
	if (shown < f->task_count)
		put_rest(f, rest, f->task_count - shown, "tasks");
}

static void text_gaps(const struct stat_facts *f)
{
	size_t i;

	if (!f->gap_count)
		return;
	printf("\n  %20s %20s %20s  %s\n", "without events", "from", "to", "CPU");
	for (i = 0; i < f->gap_count; i++) {
		const struct tdat_stat_gap *g = &f->gaps[i];

		putchar(' ');
		put_ts(f, g->to - g->from);
		put_ts(f, g->from);
		put_ts(f, g->to);
		printf("  %" PRIu32, g->cpu);
		if (*f->buffers[g->buffer].name) {
			putchar(' ');
			put_str(f->buffers[g->buffer].name);
		}
		puts(g->lost ? " (events were lost)" : "");
	}
}

/* ---- the histogram ---- */

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

/* A bar is taller for more events; only a column without events is empty. */
static const char *bar(uint64_t count, uint64_t most, bool utf8)
{
	static const char *const blocks[] = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
	static const char *const ascii[] = {" ", ".", ":", "-", "=", "+", "*", "#", "@"};
	size_t level = count ? 1 + (size_t)((double)(count - 1) * 8 / (double)most) : 0;

	level = level > 8 ? 8 : level;
	return utf8 ? blocks[level] : ascii[level];
}

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

static void text_histogram(const struct stat_facts *f)
{
	const bool utf8 = utf8_terminal();
	uint64_t columns[STAT_COLUMNS], most = tallest(f);
	size_t i, c, n;

	printf("\n  Events over time; the tallest is %" PRIu64 " events in", most);
	put_ts(f, f->bin_count * f->bin_width / STAT_COLUMNS);
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
			put_str(name);
		}
		putchar('\n');
	}
}

void stat_text(const struct stat_facts *f, bool first)
{
	if (!first)
		putchar('\n');
	put_str(tdat_file_info(f->file)->name);
	putchar('\n');
	text_streams(f);
	if (!f->total.events)
		return;
	text_events(f);
	text_tasks(f);
	text_gaps(f);
	text_histogram(f);
	stat_kmem_text(f);
}
