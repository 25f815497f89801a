/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Says whether the user wants color on a stream: --color, then NO_COLOR (https://no-color.org),
 * then CLICOLOR_FORCE, then whether it is a terminal. Lines of events are split at what all layouts
 * of the kernel and of trace-cmd have in common, "TASK-PID [CPU] ... TIME: EVENT:"; other lines
 * stay plain. Only colors that are read on light and dark ground are used.
 */
#include "terminal/color.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "terminal/pager.h"
#include "terminal/safe_text.h"

static enum { AUTO, ALWAYS, NEVER } asked;

bool cli_color_ask(const char *when)
{
	if (!strcmp(when, "auto"))
		asked = AUTO;
	else if (!strcmp(when, "always"))
		asked = ALWAYS;
	else if (!strcmp(when, "never"))
		asked = NEVER;
	else
		return false;
	return true;
}

static bool is_set(const char *name)
{
	const char *value = getenv(name);

	return value && *value;
}

bool cli_color(FILE *to)
{
	const char *term = getenv("TERM"), *force = getenv("CLICOLOR_FORCE");

	if (asked != AUTO)
		return asked == ALWAYS;
	if (is_set("NO_COLOR"))
		return false;
	if (force && *force && strcmp(force, "0") != 0)
		return true;
	return term && *term && strcmp(term, "dumb") != 0 &&
	       (to == stdout ? cli_is_terminal() : isatty(fileno(to)));
}

/* ---- lines of events ---- */

#define BOLD "\033[1m"
#define RED "\033[31m"
#define GREEN "\033[32m"
#define MAGENTA "\033[35m"
#define PLAIN "\033[m"

static void put_in(const char *color, const char *text, size_t len)
{
	fputs(color, stdout);
	cli_put_stored(text, len, false);
	fputs(PLAIN, stdout);
}

/* The length of "[DIGITS]" at p; 0: it is none. */
static size_t cpu_len(const char *p, size_t len)
{
	size_t n = 1;

	while (n < len && isdigit((unsigned char)p[n]))
		n++;
	return *p == '[' && n > 1 && n < len && p[n] == ']' ? n + 1 : 0;
}

/* Where the event's name begins: behind "DIGIT: " and blanks; len: nowhere. */
static size_t find_event(const char *line, size_t from, size_t len)
{
	for (size_t i = from; i + 2 < len; i++) {
		if (!isdigit((unsigned char)line[i]) || line[i + 1] != ':' || line[i + 2] != ' ')
			continue;
		for (i += 2; i < len && line[i] == ' '; i++)
			;
		return i;
	}
	return len;
}

static void put_line(const char *line, size_t len)
{
	size_t cpu = 0, n = 0, event, name = 0;

	/* A line about lost events is no event. */
	if (len > 4 && !memcmp(line, "CPU:", 4)) {
		put_in(RED, line, len);
		return;
	}
	while (cpu < len && !(cpu && line[cpu - 1] == ' ' && (n = cpu_len(line + cpu, len - cpu))))
		cpu++;
	event = find_event(line, cpu + n, len);
	while (event + name < len && line[event + name] != ':' && line[event + name] != ' ')
		name++;
	if (cpu == len || event + name >= len || line[event + name] != ':') {
		cli_put_stored(line, len, false);
		return;
	}
	put_in(MAGENTA, line, cpu);
	put_in(GREEN, line + cpu, n);
	cli_put_stored(line + cpu + n, event - cpu - n, false);
	put_in(BOLD, line + event, name);
	cli_put_stored(line + event + name, len - event - name, false);
}

void cli_put_events(const char *text, size_t len)
{
	while (len) {
		const char *end = memchr(text, '\n', len);
		const size_t n = end ? (size_t)(end - text) : len;

		put_line(text, n);
		if (end)
			putchar('\n');
		text += n + (end != NULL);
		len -= n + (end != NULL);
	}
}
