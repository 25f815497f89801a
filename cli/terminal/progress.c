/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Draws the line that shows how far a long job is. It is drawn on stderr and removed before other
 * text is printed there. Updates are cheap: the clock decides whether it is drawn again. Jobs of
 * less than a second show none.
 */
#include "terminal/progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "terminal/color.h"

#define SECOND_NS UINT64_C(1000000000)

/* Five times a second: faster is not read, slower looks stuck. */
enum { REDRAW_NS = 200000000, NUMBER_LEN = 40 };

static uint64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * SECOND_NS + (uint64_t)ts.tv_nsec;
}

/* Without a terminal nothing is ever drawn. */
void cli_progress_init(struct cli_progress *p, const char *what)
{
	const char *term = getenv("TERM");

	p->what = what;
	p->start_ns = now_ns();
	p->shown_ns = 0;
	p->enabled = isatty(STDERR_FILENO) && term && strcmp(term, "dumb") != 0;
	p->color = cli_color(stderr);
}

/* Bytes are shown in units of 1000, as disks are sold; other amounts as numbers. */
static void put_amount(char out[NUMBER_LEN], double v, const char *unit)
{
	static const char *const names[] = {"B", "kB", "MB", "GB", "TB"};
	size_t i = 0;

	if (strcmp(unit, "bytes") != 0) {
		snprintf(out, NUMBER_LEN, "%.0f %s", v, unit);
		return;
	}
	for (; v >= 999.5 && i + 1 < sizeof(names) / sizeof(names[0]); i++)
		v /= 1000;
	snprintf(out, NUMBER_LEN, "%.*f %s", i && v < 9.95 ? 1 : 0, v, names[i]);
}

static void put_time_left(char out[NUMBER_LEN], double seconds)
{
	const uint64_t s = seconds < 1e9 ? (uint64_t)(seconds + 0.5) : 999999999;

	if (s >= 3600)
		snprintf(out, NUMBER_LEN, "%" PRIu64 ":%02u:%02u", s / 3600,
			 (unsigned int)(s / 60 % 60), (unsigned int)(s % 60));
	else
		snprintf(out, NUMBER_LEN, "%u:%02u", (unsigned int)(s / 60),
			 (unsigned int)(s % 60));
}

/* total 0: it is not known. The time left is that of the average rate so far. */
void cli_progress_text(char *out, size_t room, const char *what, uint64_t done, uint64_t total,
		       const char *unit, uint64_t elapsed_ns)
{
	const double seconds = (double)elapsed_ns / SECOND_NS;
	const double per_second = seconds > 0 ? (double)done / seconds : 0;
	char have[NUMBER_LEN], all[NUMBER_LEN], rate[NUMBER_LEN], left[NUMBER_LEN];

	put_amount(have, (double)done, unit);
	put_amount(rate, per_second, unit);
	if (!total || done > total || !done) {
		snprintf(out, room, "%s: %s, %s/s", what, have, rate);
		return;
	}
	put_amount(all, (double)total, unit);
	put_time_left(left, (double)(total - done) / per_second);
	snprintf(out, room, "%s: %u %%, %s of %s, %s/s, %s left", what,
		 (unsigned int)(100.0 * (double)done / (double)total), have, all, rate, left);
}

void cli_progress_update(struct cli_progress *p, uint64_t done, uint64_t total, const char *unit)
{
	char text[256];
	uint64_t now;

	if (!p->enabled)
		return;
	now = now_ns();
	/* Short jobs show no line: it begins after a second. */
	if (now - p->start_ns < SECOND_NS || now - p->shown_ns < REDRAW_NS)
		return;
	p->shown_ns = now;
	cli_progress_text(text, sizeof(text), p->what, done, total, unit, now - p->start_ns);
	fprintf(stderr, p->color ? "\r\033[2m%s\033[0m\033[K" : "\r%s\033[K", text);
	fflush(stderr);
}

void cli_progress_bytes(void *progress, uint64_t done, uint64_t total)
{
	cli_progress_update(progress, done, total, "bytes");
}

void cli_progress_clear(struct cli_progress *p)
{
	if (!p->enabled || !p->shown_ns)
		return;
	fputs("\r\033[K", stderr);
	p->shown_ns = 0;
}
