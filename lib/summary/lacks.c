/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Says why a table has no rows: the events that it needs, the most frequent ones that the files
 * have instead, and the command that records the others. Only events that were recorded count:
 * files describe many types of which there are none. `tdat sql` and others, and the Python package,
 * call it after a table gave nothing.
 */
#include <tdat/summary.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <tdat/stat.h>

enum { NAMED_MOST = 3 };

static const struct tdat_event_format *format_of(const struct tdat_iter_input *inputs,
						 const struct tdat_stat_event *e)
{
	return tdat_file_format_by_id(inputs[e->input].file, e->id);
}

/* Whether a type has a name "system/event", or one that begins so before '*'. */
static bool is_named(const struct tdat_event_format *format, const char *name, size_t len)
{
	char full[256];
	const int n = snprintf(full, sizeof(full), "%s/%s", tdat_event_format_system(format),
			       tdat_event_format_name(format));

	if (name[len - 1] == '*')
		return !strncmp(full, name, len - 1);
	return (size_t)n == len && !memcmp(full, name, len);
}

/* Whether any of the alternatives "a|b" was recorded. */
static bool has_any(const struct tdat_iter_input *inputs, const struct tdat_stat_event *events,
		    size_t count, const char *word, size_t len)
{
	for (const char *end = word + len; word < end;) {
		const size_t n = strcspn(word, "| ");

		for (size_t i = 0; i < count; i++) {
			const struct tdat_event_format *f = format_of(inputs, &events[i]);

			if (f && is_named(f, word, n))
				return true;
		}
		word += n + 1;
	}
	return false;
}

/*
 * The events in words: "sched/sched_switch and sched/sched_wakeup or sched/sched_waking". Systems
 * are named, as an event of the same name in another system is another event.
 */
static void needs_text(char *text, const char *needs)
{
	size_t used = 0;

	while (*needs && used < TDAT_LACKS_LEN - 64) {
		const size_t n = strcspn(needs, "| ");

		used += (size_t)snprintf(text + used, TDAT_LACKS_LEN - used, "%.*s%s", (int)n,
					 needs,
					 needs[n] == '|'   ? " or "
					 : needs[n] == ' ' ? " and "
							   : "");
		needs += n + (needs[n] != '\0');
	}
}

/* The most frequent types with their numbers. */
static void has_text(char *text, const struct tdat_iter_input *inputs,
		     const struct tdat_stat_event *events, size_t count)
{
	size_t used = 0;

	snprintf(text, TDAT_LACKS_LEN, "no events");
	for (size_t i = 0; i < count && i < NAMED_MOST; i++) {
		const struct tdat_event_format *f = format_of(inputs, &events[i]);

		used += (size_t)snprintf(
			text + used, TDAT_LACKS_LEN - used, "%s%.64s%s%.64s (%" PRIu64 ")",
			i ? ", " : "", f ? tdat_event_format_system(f) : "", f ? "/" : "",
			f ? tdat_event_format_name(f) : "unknown types", events[i].count);
	}
	if (count > NAMED_MOST)
		snprintf(text + used, TDAT_LACKS_LEN - used, " and %zu more types",
			 count - NAMED_MOST);
}

/* True if one event of each of the alternatives was recorded. */
static bool has_all(const char *needs, const struct tdat_iter_input *inputs,
		    const struct tdat_stat_event *events, size_t count)
{
	bool complete = true;

	while (*needs && complete) {
		const size_t n = strcspn(needs, " ");

		complete = has_any(inputs, events, count, needs, n);
		needs += n + (needs[n] != '\0');
	}
	return complete;
}

bool tdat_table_lacks(char *sentence, char *record, const char *name,
		      const struct tdat_table_about *about, const struct tdat_iter_input *inputs,
		      size_t input_count, const struct tdat_filter *filter)
{
	struct tdat_iter_opts iter = TDAT_ITER_OPTS_INIT;
	struct tdat_stat_opts opts = TDAT_STAT_OPTS_INIT;
	char needs[TDAT_LACKS_LEN], has[TDAT_LACKS_LEN];
	const struct tdat_stat_event *events;
	struct tdat_stat *st;
	bool complete;
	size_t count;

	iter.filter = filter;
	opts.iter = &iter;
	if (!about->needs || tdat_stat_new(&st, inputs, input_count, &opts, NULL))
		return false;
	events = tdat_stat_events(st, &count);
	complete = has_all(about->needs, inputs, events, count);
	if (!complete) {
		needs_text(needs, about->needs);
		has_text(has, inputs, events, count);
		snprintf(sentence, TDAT_LACKS_SENTENCE_LEN, "%s needs %s; %s %s", name, needs,
			 filter ? "--event leaves" : "this trace has", has);
		snprintf(record, TDAT_LACKS_LEN, "\"trace-cmd record %s\" records %s",
			 about->record, strpbrk(about->needs, " |") ? "them" : "it");
	}
	tdat_stat_free(st);
	return !complete;
}
