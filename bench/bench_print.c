/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Measures the nanoseconds per event of the print programs and of libtraceevent, on made-up records
 * of every event of a trace.dat, or of those named.
 * usage: bench_print FILE [EVENT...]
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "model/native.h"
#include "oracle.h"

static double now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec * 1e9 + (double)ts.tv_nsec;
}

static double ours_ns(struct oracle *o, const struct model_print *print,
		      const struct model_event *e)
{
	const unsigned rounds = 200000;
	double start = now_ns();
	unsigned i;

	for (i = 0; i < rounds; i++) {
		o->ours.len = 0;
		model_print_run(print, e, o->scratch, &o->ours);
	}
	return (now_ns() - start) / rounds;
}

static double theirs_ns(struct oracle *o, struct tep_event *event, size_t len)
{
	const unsigned rounds = 20000;
	double start = now_ns();
	unsigned i;

	for (i = 0; i < rounds; i++)
		oracle_tep(o, event, len, false);
	return (now_ns() - start) / rounds;
}

static void one(struct oracle *o, const struct corpus_format *cf, enum model_print_style style)
{
	struct tdat_event_format *format = NULL;
	struct model_print *print = NULL;
	struct model_event e = {.cpu = 0};
	struct tep_event *event;
	uint64_t seed = 7;
	double a, b;

	if (model_format_parse(&format, cf->system, cf->text, 0, o->file->big, o->file->long_size,
			       NULL) != TDAT_OK)
		return;
	event = tep_find_event(o->tep, (int)format->id);
	if (event && model_print_new(&print, format, &o->env, style, NULL) == TDAT_OK) {
		size_t len = oracle_fill(o, format, 0, true, &seed);

		e.record = (struct tdat_span){o->record, len - 96};
		a = ours_ns(o, print, &e);
		b = theirs_ns(o, event, len);
		printf("%-40s %s %8.1f ns %8.1f ns  %5.1fx  %.*s\n", format->name,
		       model_print_kind(print) == MODEL_PRINT_COMPILED ? "c" : "n", a, b, b / a,
		       (int)o->ours.len, (const char *)o->ours.ptr);
	}
	model_print_free(print);
	model_format_free(format);
}

int main(int argc, char **argv)
{
	struct corpus_file *file = argc > 1 ? corpus_open(argv[1]) : NULL;
	struct oracle o;
	size_t i;
	int k;

	if (!file) {
		fprintf(stderr, "usage: bench_print FILE [EVENT...]\n");
		return 2;
	}
	oracle_open(&o, file, false);
	for (i = 0; i < file->format_count; i++) {
		struct tdat_span name;
		uint32_t id;

		if (!model_format_head(file->formats[i].text, &name, &id))
			continue;
		for (k = 2; k < argc; k++)
			if (strlen(argv[k]) == name.len && !memcmp(argv[k], name.ptr, name.len))
				break;
		if (argc == 2 || k < argc)
			one(&o, &file->formats[i], MODEL_PRINT_NO_PLUGINS);
	}
	oracle_close(&o);
	corpus_close(file);
	return 0;
}
