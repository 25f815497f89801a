/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Measures how long the texts of a trace.dat take to parse, what a look-up of a symbol and of a
 * task's name costs, and a number as text, in tdat and in libtraceevent.
 * usage: bench_lookup FILE
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <event-parse.h>

#include "corpus.h"
#include "core/put.h"
#include "model/symbols.h"

enum { QUESTIONS = 1 << 20 };

static uint64_t questions[QUESTIONS];

static double now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec * 1e9 + (double)ts.tv_nsec;
}

static uint64_t rnd(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

static void report(const char *what, double ours, double theirs, const char *unit)
{
	printf("%-34s %10.1f %s", what, ours, unit);
	if (theirs > 0)
		printf("   libtraceevent %10.1f %s, %.1f times", theirs, unit, theirs / ours);
	printf("\n");
}

/* distinct addresses a few bytes into functions spread over the text. */
static void ask_symbols(const struct corpus_file *f, size_t distinct)
{
	uint64_t seed = 88172645463325252u;
	uint64_t *addrs = calloc(distinct, sizeof(*addrs));
	size_t i;

	for (i = 0; i < distinct; i++) {
		size_t at = rnd(&seed) % f->kallsyms.len;
		const uint8_t *nl = memchr(f->kallsyms.ptr + at, '\n', f->kallsyms.len - at);
		const uint8_t *end = f->kallsyms.ptr + f->kallsyms.len;

		addrs[i] = nl && nl + 20 < end ? strtoull((const char *)nl + 1, NULL, 16) + 4 : 0;
	}
	for (i = 0; i < QUESTIONS; i++)
		questions[i] = addrs[rnd(&seed) % distinct];
	free(addrs);
}

static void bench_symbols(const struct corpus_file *f, struct tep_handle *tep)
{
	static const size_t distinct[] = {64, 1024, 16384};
	struct model_symbols *s = NULL;
	volatile size_t sum = 0;
	double start, ours, theirs;
	size_t i, k;
	char *copy = strndup((const char *)f->kallsyms.ptr, f->kallsyms.len);

	start = now_ns();
	model_symbols_new(&s, f->kallsyms, NULL);
	ours = now_ns() - start;
	start = now_ns();
	tep_parse_kallsyms(tep, copy);
	tep_find_function(tep, 1);
	theirs = now_ns() - start;
	printf("%zu bytes of kallsyms\n", f->kallsyms.len);
	report("parse kallsyms", ours / 1e6, theirs / 1e6, "ms");
	for (k = 0; k < sizeof(distinct) / sizeof(distinct[0]); k++) {
		char what[64];

		ask_symbols(f, distinct[k]);
		start = now_ns();
		for (i = 0; i < QUESTIONS; i++)
			sum += model_symbols_find(s, questions[i], NULL).len;
		ours = now_ns() - start;
		start = now_ns();
		for (i = 0; i < QUESTIONS; i++)
			sum += tep_find_function(tep, questions[i]) != NULL;
		theirs = now_ns() - start;
		snprintf(what, sizeof(what), "find one of %zu addresses", distinct[k]);
		report(what, ours / QUESTIONS, theirs / QUESTIONS, "ns");
	}
	model_symbols_free(s);
	free(copy);
}

static void bench_tasks(const struct corpus_file *f, struct tep_handle *tep)
{
	struct model_tasks *t = NULL;
	volatile size_t sum = 0;
	uint64_t seed = 7;
	double start, ours, theirs;
	size_t i;
	char *copy = strndup((const char *)f->cmdlines.ptr, f->cmdlines.len);

	model_tasks_new(&t, f->cmdlines, NULL);
	tep_parse_saved_cmdlines(tep, copy);
	for (i = 0; i < QUESTIONS; i++)
		questions[i] = rnd(&seed) % 1024;
	start = now_ns();
	for (i = 0; i < QUESTIONS; i++)
		sum += model_tasks_find(t, (int32_t)questions[i]).len;
	ours = now_ns() - start;
	start = now_ns();
	for (i = 0; i < QUESTIONS; i++)
		sum += strlen(tep_data_comm_from_pid(tep, (int)questions[i]));
	theirs = now_ns() - start;
	report("find a task's name", ours / QUESTIONS, theirs / QUESTIONS, "ns");
	model_tasks_free(t);
	free(copy);
}

static void bench_numbers(void)
{
	static const unsigned int bits[] = {6, 16, 32, 48};
	uint64_t seed = 11;
	size_t i, k;

	for (k = 0; k < sizeof(bits) / sizeof(bits[0]); k++) {
		volatile size_t sum = 0;
		double start, ours, theirs;
		char buf[32], what[64];

		for (i = 0; i < QUESTIONS; i++)
			questions[i] = rnd(&seed) >> (64 - bits[k]);
		start = now_ns();
		for (i = 0; i < QUESTIONS; i++)
			sum += (size_t)(tdat_put_u64((uint8_t *)buf, questions[i]) -
					(uint8_t *)buf);
		ours = now_ns() - start;
		start = now_ns();
		for (i = 0; i < QUESTIONS; i++)
			sum += (size_t)snprintf(buf, sizeof(buf), "%llu",
						(unsigned long long)questions[i]);
		theirs = now_ns() - start;
		snprintf(what, sizeof(what), "decimal of %u bits (other: snprintf)", bits[k]);
		report(what, ours / QUESTIONS, theirs / QUESTIONS, "ns");
	}
}

int main(int argc, char **argv)
{
	struct corpus_file *f = argc == 2 ? corpus_open(argv[1]) : NULL;
	struct tep_handle *tep;

	if (!f) {
		fprintf(stderr, "usage: bench_lookup FILE\n");
		return 2;
	}
	tep = tep_alloc();
	tep_set_loglevel(TEP_LOG_NONE);
	if (f->kallsyms.len > 4096)
		bench_symbols(f, tep);
	bench_tasks(f, tep);
	bench_numbers();
	tep_free(tep);
	corpus_close(f);
	return 0;
}
