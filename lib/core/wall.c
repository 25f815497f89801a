/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads and writes times of the wall clock. Days and zones are those of the C library: localtime_r
 * and mktime by TZ. A time without a day is tried on the day of a time near it, the one before and
 * the one behind, since traces go over midnight and clocks are set back by an hour. --from and
 * --until read such times, dump --time wall prints them.
 */
#include "core/wall.h"

#include <string.h>
#include <time.h>

#include "core/text.h"

#define SECOND_NS UINT64_C(1000000000)
enum { DAY = 86400 };

bool tdat_wall_is(const char *text)
{
	return strchr(text, ':') != NULL;
}

/* One or more digits, at most `most`. */
static bool read_number(const char **p, uint64_t most, int *to)
{
	uint64_t v;

	if (!tdat_is_dec((uint8_t) * *p) || !tdat_read_u64(p, NULL, 10, &v) || v > most)
		return false;
	*to = (int)v;
	return true;
}

static bool skip(const char **p, char c)
{
	if (**p != c)
		return false;
	++*p;
	return true;
}

/* Digits behind the point, as nanoseconds; further ones are skipped. */
static bool read_fraction(const char **p, uint64_t *ns)
{
	uint64_t unit = SECOND_NS / 10;

	if (!tdat_is_dec((uint8_t) * *p))
		return false;
	for (; tdat_is_dec((uint8_t) * *p); ++*p, unit /= 10)
		*ns += (uint64_t)(**p - '0') * unit;
	return true;
}

static bool read_day(const char **p, struct tm *tm)
{
	if (!read_number(p, 9999, &tm->tm_year) || !skip(p, '-') ||
	    !read_number(p, 12, &tm->tm_mon) || !skip(p, '-') ||
	    !read_number(p, 31, &tm->tm_mday) || !tm->tm_mon || !tm->tm_mday)
		return false;
	tm->tm_year -= 1900;
	tm->tm_mon--;
	return skip(p, 'T') || skip(p, ' ');
}

static bool read_clock(const char **p, struct tm *tm, uint64_t *ns)
{
	*ns = 0;
	if (!read_number(p, 23, &tm->tm_hour) || !skip(p, ':') || !read_number(p, 59, &tm->tm_min))
		return false;
	if (!skip(p, ':'))
		return true;
	return read_number(p, 60, &tm->tm_sec) && (!skip(p, '.') || read_fraction(p, ns));
}

/* The second of a day and time; -1: no clock shows it, as it is skipped in spring, or in no month.
 */
static time_t second_of(struct tm tm)
{
	const struct tm asked = tm;
	const time_t at = mktime(&tm);

	return tm.tm_mday == asked.tm_mday && tm.tm_mon == asked.tm_mon &&
			       tm.tm_hour == asked.tm_hour && tm.tm_min == asked.tm_min &&
			       tm.tm_sec == asked.tm_sec
		       ? at
		       : -1;
}

/* The day of the first event is tried with those around it, as the trace may go over midnight. */
static time_t nearest_day(const struct tm *clock, time_t first, time_t last)
{
	time_t best = -1, least = 0;
	struct tm day;

	for (int d = -1; d <= 1; d++) {
		const time_t other = first + d * DAY;
		time_t at, away;

		if (!localtime_r(&other, &day))
			continue;
		day.tm_hour = clock->tm_hour;
		day.tm_min = clock->tm_min;
		day.tm_sec = clock->tm_sec;
		day.tm_isdst = -1;
		at = second_of(day);
		away = at < first ? first - at : at > last ? at - last : 0;
		if (at >= 0 && (best < 0 || away < least)) {
			best = at;
			least = away;
		}
	}
	return best;
}

bool tdat_wall_read(const char *text, uint64_t first_ns, uint64_t last_ns, uint64_t *ns)
{
	struct tm tm = {.tm_isdst = -1};
	const bool dated = strchr(text, '-') != NULL;
	uint64_t part;
	time_t at;

	if ((dated && !read_day(&text, &tm)) || !read_clock(&text, &tm, &part) || *text)
		return false;
	at = dated ? second_of(tm)
		   : nearest_day(&tm, (time_t)(first_ns / SECOND_NS),
				 (time_t)(last_ns / SECOND_NS));
	if (at < 0)
		return false;
	*ns = (uint64_t)at * SECOND_NS + part;
	return true;
}

void tdat_wall_put(struct tdat_build *out, uint64_t ns, bool nanoseconds)
{
	const time_t at = (time_t)(ns / SECOND_NS);
	const unsigned part = (unsigned)(ns % SECOND_NS);
	struct tm tm;

	if (!localtime_r(&at, &tm))
		memset(&tm, 0, sizeof(tm));
	tdat_build_printf(out, "%04d-%02d-%02d %02d:%02d:%02d.", tm.tm_year + 1900, tm.tm_mon + 1,
			  tm.tm_mday, tm.tm_hour, tm.tm_min, tm.tm_sec);
	if (nanoseconds)
		tdat_build_printf(out, "%09u", part);
	else
		tdat_build_printf(out, "%06u", part / 1000);
}
