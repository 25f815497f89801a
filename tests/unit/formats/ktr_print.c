/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints what a KTR importer emitted, in the words of the samples' expected.txt. */
#include "ktr_print.h"

#include <inttypes.h>
#include <string.h>

static bool is_event(const struct collect_event *e, const char *name)
{
	return !strcmp(e->format->name, name);
}

static void print_event(FILE *out, const struct collect_event *e)
{
	char file[4096], msg[8192];
	uint64_t thread = collect_uint(e, "thread");

	fprintf(out, "[%03u] %" PRIu64 " td=", e->cpu, e->ts);
	if (thread)
		fprintf(out, "0x%" PRIx64, thread);
	else
		fputc('-', out);
	collect_string(e, "file", file, sizeof(file));
	fprintf(out, " %s", file);
	if (strcmp(file, "-"))
		fprintf(out, ":%" PRIu64, collect_uint(e, "line"));
	fprintf(out, ": %s\n", collect_string(e, "msg", msg, sizeof(msg)));
}

char *ktr_print_all(const struct collect *c)
{
	static const char *const facts[] = {"layout", "endian", "entries", "cpus"};
	char *text;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	fputc('#', out);
	for (size_t i = 0; i < 4; i++)
		fprintf(out, " %s=%s", facts[i], collect_fact(c, facts[i]));
	fputc('\n', out);
	for (size_t i = 0; i < c->warning_count; i++)
		fprintf(out, "# warning: %s\n", c->warnings[i]);
	for (size_t i = 0; i < c->event_count; i++)
		if (is_event(&c->events[i], "ktr"))
			print_event(out, &c->events[i]);
	fclose(out);
	return text;
}
