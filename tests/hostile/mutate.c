/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs a program on mutated files (mutations.h) and looks how it ends. The
 * mutations depend on the seed alone, so that a find can be made again and two
 * programs see the same files.
 * usage: mutate [--count-only] [--from N] COUNT SEED FILE... -- PROGRAM [ARG]...
 * Mutations number N to N + COUNT - 1. The program gets the file's name as its last
 * argument. Exit status 1: it died of a signal, took over 10 times the CPU time of
 * the file as it is (and over a second), over 20 seconds, more than 256 MiB (not
 * with TDAT_MUTATE_ANY_MEMORY), or ended with 0 and fewer lines on a cut file, or
 * on any other for a reason that is not one of reasons.h.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "mutations.h"
#include "outcome.h"
#include "reasons.h"

enum { SECONDS_MOST = 20, TIMES_MOST = 10, MEMORY_MOST_KB = 256 * 1024, ARGS_MOST = 16 };

struct tally {
	uint64_t runs, ok, failed, signals, slow, fat, fewer, reasons[REASON_COUNT];
};

static void write_file(const char *path, const uint8_t *p, size_t len)
{
	FILE *f = fopen(path, "wb");

	if (!f || fwrite(p, 1, len, f) != len || fclose(f))
		die(path);
}

static bool is_slow(const struct original *o, const struct outcome *r)
{
	return r->hung || (r->seconds > 1 && r->seconds > TIMES_MOST * o->seconds);
}

/* What the program must not do; NULL: it did well. */
static const char *verdict(const struct original *o, enum kind kind, const struct outcome *r,
			   enum reason reason)
{
	if (is_slow(o, r))
		return "took too long";
	if (WIFSIGNALED(r->status))
		return "died of a signal";
	if (r->memory_kb > MEMORY_MOST_KB && !getenv("TDAT_MUTATE_ANY_MEMORY"))
		return "took too much memory";
	if (WIFEXITED(r->status) && WEXITSTATUS(r->status) > 2)
		return "ended with a strange status"; /* a sanitizer's, for one */
	if (reason == REASON_NONE || (reason != REASON_NOTHING_LOST && kind == CUT))
		return "ended with 0 though it lost lines";
	return NULL;
}

/* A loss with exit status 0: why the program could not know. */
static enum reason explain(const struct original *o, const struct outcome *r, const uint8_t *p,
			   size_t len, enum kind kind)
{
	bool zero = WIFEXITED(r->status) && !WEXITSTATUS(r->status);

	if (!zero || r->lines >= o->lines)
		return REASON_NOTHING_LOST;
	/* What the mutator mends is another sound file. */
	return kind == MENDED ? REASON_MENDED : find_reason(o, p, len);
}

static void add_up(struct tally *t, const struct original *o, const struct outcome *r,
		   enum reason reason)
{
	t->runs++;
	t->ok += WIFEXITED(r->status) && !WEXITSTATUS(r->status);
	t->failed += WIFEXITED(r->status) && WEXITSTATUS(r->status);
	t->slow += is_slow(o, r);
	t->signals += !r->hung && WIFSIGNALED(r->status);
	t->fat += r->memory_kb > MEMORY_MOST_KB;
	t->fewer += reason != REASON_NOTHING_LOST;
	t->reasons[reason]++;
}

static void print_tally(const struct tally *t)
{
	int k, i;

	printf("%-10s %7s %7s %7s %7s %7s %7s %7s", "kind", "runs", "exit 0", "exit >0", "signal",
	       "slow", "memory", "fewer");
	for (i = 0; i < REASON_COUNT; i++)
		if (i != REASON_NOTHING_LOST)
			printf(" %8s", reason_name((enum reason)i));
	putchar('\n');
	for (k = 0; k < KIND_COUNT; k++, t++) {
		printf("%-10s %7llu %7llu %7llu %7llu %7llu %7llu %7llu", kind_name((enum kind)k),
		       (unsigned long long)t->runs, (unsigned long long)t->ok,
		       (unsigned long long)t->failed, (unsigned long long)t->signals,
		       (unsigned long long)t->slow, (unsigned long long)t->fat,
		       (unsigned long long)t->fewer);
		for (i = 0; i < REASON_COUNT; i++)
			if (i != REASON_NOTHING_LOST)
				printf(" %8llu", (unsigned long long)t->reasons[i]);
		putchar('\n');
	}
}

/* Mutation number i of the seed: which file, which kind, which numbers. */
static bool try_one(struct original *files, size_t count, uint64_t seed, uint64_t i, char **args,
		    const char *path, bool only, struct tally *tally)
{
	uint64_t r = seed * 0x2545f4914f6cdd1du + i;
	const struct original *o = &files[below(&r, count)];
	enum kind kind = (enum kind)below(&r, KIND_COUNT);
	uint8_t *p = malloc(mutation_room(o));
	struct outcome out;
	enum reason reason;
	const char *what;
	char keep[256];
	size_t len;

	if (!p)
		die("malloc");
	len = mutate(o, p, kind, &r);
	write_file(path, p, len);
	out = run_program(args, NULL, SECONDS_MOST);
	if (out.hung && out.seconds < 1) /* perhaps the machine stood still */
		out = run_program(args, NULL, SECONDS_MOST);
	reason = only && out.lines < o->lines ? REASON_NONE : explain(o, &out, p, len, kind);
	if (only && (!WIFEXITED(out.status) || WEXITSTATUS(out.status)))
		reason = REASON_NOTHING_LOST;
	add_up(&tally[kind], o, &out, reason);
	what = verdict(o, kind, &out, reason);
	if (what && !only) {
		printf("seed %llu, number %llu, %s of %s: %s (status %#x, %.2f s, %llu of %llu "
		       "lines)\n",
		       (unsigned long long)seed, (unsigned long long)i, kind_name(kind), o->path,
		       what, (unsigned)out.status, out.seconds, (unsigned long long)out.lines,
		       (unsigned long long)o->lines);
		snprintf(keep, sizeof(keep), "mutation-%llu-%llu.dat", (unsigned long long)seed,
			 (unsigned long long)i);
		write_file(keep, p, len);
	}
	free(p);
	return what;
}

static uint64_t number(const char *text)
{
	char *end;
	uint64_t v = strtoull(text, &end, 10);

	if (!*text || *end) {
		fprintf(stderr, "not a number: %s\n", text);
		exit(2);
	}
	return v;
}

/* How the program does on the files as they are. */
static bool measure(struct original *files, int count, char **args, char **last, bool only)
{
	int a;

	for (a = 0; a < count; a++) {
		struct outcome whole;

		*last = (char *)files[a].path;
		whole = run_program(args, NULL, SECONDS_MOST);
		files[a].lines = whole.lines;
		files[a].seconds = whole.seconds;
		if (WIFEXITED(whole.status) && !WEXITSTATUS(whole.status))
			continue;
		fprintf(stderr, "%s fails on %s as it is\n", args[0], files[a].path);
		if (!only)
			return false;
	}
	return true;
}

int main(int argc, char **argv)
{
	struct tally tally[KIND_COUNT] = {{0}};
	char *args[ARGS_MOST + 2], path[] = "mutated.dat";
	uint64_t count, seed, i, from = 0, bad = 0;
	struct original *files;
	int a = 1, n = 0, file_count = 0;
	bool only = argc > a && !strcmp(argv[a], "--count-only");

	a += only;
	if (argc > a + 1 && !strcmp(argv[a], "--from")) {
		from = number(argv[a + 1]);
		a += 2;
	}
	if (argc - a < 5) {
		fputs("usage: mutate [--count-only] [--from N] COUNT SEED FILE... -- PROGRAM "
		      "[ARG]...\n",
		      stderr);
		return 2;
	}
	count = number(argv[a]);
	seed = number(argv[a + 1]);
	files = calloc((size_t)argc, sizeof(*files));
	if (!files)
		die("calloc");
	for (a += 2; a < argc && strcmp(argv[a], "--"); a++)
		original_load(&files[file_count++], argv[a]);
	for (a++; a < argc && n < ARGS_MOST; a++)
		args[n++] = argv[a];
	if (!n || !file_count)
		return 2;
	args[n + 1] = NULL;
	if (!measure(files, file_count, args, &args[n], only))
		return 2;
	args[n] = path;
	for (i = from; i < from + count; i++)
		bad += try_one(files, (size_t)file_count, seed, i, args, path, only, tally);
	print_tally(tally);
	for (a = 0; a < file_count; a++)
		original_free(&files[a]);
	free(files);
	return bad && !only;
}
