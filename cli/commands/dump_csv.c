/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the event type of "tdat dump --csv". CSV has one head, so all events must be of one type.
 * The first event decides. The types of all others are counted (tdat_stat), within the same filter,
 * and another one is refused by name.
 */
#include "commands/dump_csv.h"

#include <string.h>

#include "terminal/message.h"

static const struct tdat_event_format *format_of(const struct dump_csv *csv, uint32_t input,
						 uint32_t id)
{
	return tdat_file_format_by_id(csv->inputs[input].file, id);
}

/* Without a format there are no columns to print. */
static int refuse_unknown(uint32_t id)
{
	cli_error(NULL, "the file does not describe event type %u", id);
	return CLI_FAILED;
}

/* Refuses a type other than the first event's. */
static int check_type(const struct tdat_event_format *first, const struct tdat_event_format *f)
{
	if (f && !strcmp(tdat_event_format_name(f), tdat_event_format_name(first)) &&
	    !strcmp(tdat_event_format_system(f), tdat_event_format_system(first)))
		return CLI_OK;
	cli_error(NULL,
		  "CSV needs events of one type, but there are '%s' and '%s': select one by name",
		  tdat_event_format_name(first), f ? tdat_event_format_name(f) : "an unknown one");
	return CLI_USAGE;
}

/* Reads the events themselves, up to the limit, or only the first one. */
static int check_first(const struct dump_csv *csv, uint64_t limit,
		       const struct tdat_event_format **first)
{
	struct tdat_error err = TDAT_ERROR_INIT;
	const struct tdat_event *ev = NULL;
	struct tdat_iter *iter;
	enum tdat_status st;
	int rc = CLI_OK;

	if (tdat_iter_new(&iter, csv->inputs, csv->input_count, csv->iter, &err))
		return cli_fail(NULL, &err);
	for (st = TDAT_OK; rc == CLI_OK && st == TDAT_OK && limit; limit--) {
		st = tdat_iter_next(iter, &ev, &err);
		if (st != TDAT_OK || !ev)
			break;
		/* Later events are only compared with the first. */
		if (*first) {
			rc = check_type(*first, format_of(csv, ev->input, ev->id));
			continue;
		}
		*first = format_of(csv, ev->input, ev->id);
		if (!*first)
			rc = refuse_unknown(ev->id);
	}
	if (st != TDAT_OK)
		rc = cli_fail(NULL, &err);
	tdat_iter_free(iter);
	return rc;
}

/* Counts by type on all threads, in any order: the whole input is read, but no event is kept. */
static int check_all(const struct dump_csv *csv, const struct tdat_event_format *first)
{
	struct tdat_stat_opts opts = TDAT_STAT_OPTS_INIT;
	struct tdat_error err = TDAT_ERROR_INIT;
	const struct tdat_stat_event *events;
	struct tdat_stat *stat;
	size_t count;
	int rc = CLI_OK;

	opts.iter = csv->iter;
	opts.threads = csv->threads;
	if (tdat_stat_new(&stat, csv->inputs, csv->input_count, &opts, &err))
		return cli_fail(NULL, &err);
	events = tdat_stat_events(stat, &count);
	for (size_t i = 0; i < count && rc == CLI_OK; i++)
		rc = check_type(first, format_of(csv, events[i].input, events[i].id));
	tdat_stat_free(stat);
	return rc;
}

/* *format NULL with CLI_OK: no event passes. */
int dump_csv_type(const struct dump_csv *csv, const struct tdat_event_format **format)
{
	int rc;

	*format = NULL;
	rc = check_first(csv, csv->limit ? csv->limit : 1, format);
	return rc == CLI_OK && *format && !csv->limit ? check_all(csv, *format) : rc;
}
