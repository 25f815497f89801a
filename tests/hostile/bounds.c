/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Files of 1 MB at most (bombs.h) through the commands of tdat: none may take more
 * than 256 MiB of memory or steps_most steps (steps.h), or end with
 * anything but 0 or 1. merge gets a small file besides: each input may take as much. No limit
 * is of time, but for CLOCK_MOST seconds after which a program that does nothing at all counts
 * as hung.
 *
 * usage: bounds [--tell] [--any] [--uncounted] [--some] [--part=I/N] [--only=GLOB]
 *        [--command=GLOB] TDAT [BOMB [COMMAND]]
 *
 * TDAT has to count its steps (tdat_steps); --uncounted: only memory is limited.
 * --tell: what each run took. --any: of a build with a sanitizer, which takes memory
 * and time of its own: how programs end is all that is looked at, and not on the
 * files that give them most to do, nor on those of zlib. --part=2/4: every fourth file.
 * BOMB and COMMAND: patterns of the shell, as those of --only and --command are.
 * --some: commands that export and analyse get one file of six.
 */
#include <fcntl.h>
#include <fnmatch.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bombs.h"
#include "outcome.h"
#include "steps.h"

enum { MEMORY_MOST_KB = 256 * 1024, CLOCK_MOST = 900, WORDS = 12 };
/*
 * Some ten seconds of a CPU of 2020. The most that was counted is a little over 20 thousand
 * million, of "reverse" with the file printk-of-chunks; captures.sh has the same limit.
 */
static const uint64_t steps_most = UINT64_C(30000000000);
enum { FILE_MOST = 1 << 20 };

static const struct command {
	const char *name;
	const char *words[WORDS]; /* "=": the file */
} commands[] = {
	{"info", {"info", "-v", "="}},
	{"count", {"info", "--count", "="}},
	{"list", {"list", "--fields", "-i", "="}},
	{"dump", {"dump", "="}},
	{"json", {"dump", "--json", "="}},
	{"text", {"dump", "--json", "--text", "="}},
	{"csv", {"dump", "--csv", "-e", "e", "="}},
	{"csv-text", {"dump", "--csv", "--text", "-e", "e", "="}},
	{"fields", {"dump", "-R", "="}},
	{"latency", {"dump", "-l", "-F", ".*:COMM =~ \"a.*b\" || common_type > 0", "="}},
	{"reverse", {"dump", "--reverse", "="}},
	{"check", {"check", "-v", "="}},
	{"stat", {"stat", "="}},
	{"repair", {"repair", "-f", "-q", "-o", "out.dat", "="}},
	{"convert-6", {"convert", "-f", "-q", "--file-version", "6", "-o", "out.dat", "="}},
	{"convert-7",
	 {"convert", "-f", "-q", "--file-version", "7", "--compression", "zstd", "-o", "out.dat",
	  "="}},
	{"split", {"split", "-f", "-q", "--exact", "-o", "out.dat", "-i", "="}},
	{"shrink", {"split", "-f", "-q", "--shrink", "--exact", "-o", "out.dat", "-i", "="}},
	{"merge", {"merge", "-f", "-q", "-o", "out.dat", "=", "sound.dat"}},
	/* With --some: for one file of six. */
	{"parquet", {"export", "--to", "parquet", "-f", "-q", "-o", "out", "="}},
	{"arrow", {"export", "--to", "arrow", "-f", "-q", "-o", "out", "="}},
	{"jsonl", {"export", "--to", "jsonl", "-f", "-q", "-o", "out", "="}},
	{"csv-tables", {"export", "--to", "csv", "-f", "-q", "-o", "out", "="}},
	{"clickhouse", {"export", "--to", "clickhouse", "-f", "-q", "-o", "out", "="}},
	{"sqlite", {"export", "--to", "sqlite", "-f", "-q", "-o", "out.dat", "="}},
	{"perfetto", {"export", "--to", "perfetto", "-f", "-q", "-o", "out.dat", "="}},
	{"ctf", {"export", "--to", "ctf", "-f", "-q", "-o", "out", "="}},
	{"chrome", {"export", "--to", "chrome", "-f", "-q", "-o", "out.dat", "="}},
	{"latencies", {"latency", "--table", "sched", "="}},
	{"profile", {"profile", "="}},
	{"flame", {"flame", "--of", "kernel-stack", "="}},
	{"hist", {"hist", "=", "s/e hist:keys=common_pid,common_timestamp"}},
	{"groups", {"stat", "--by", "event,cpu,pid", "="}},
	{"sql",
	 {"sql", "--csv", "=", "SELECT event, cpu, count(*), max(ts) FROM events GROUP BY 1, 2"}},
	/* Where tdat-view is beside TDAT. */
	{"view-report", {"view", "-f", "-o", "out.html", "="}},
	{"view-svg", {"view", "-f", "--svg", "-o", "out.dat", "="}},
};
enum { COMMAND_COUNT = sizeof(commands) / sizeof(commands[0]), DERIVING = 17 };

static void put(const struct bomb *bomb, const char *path)
{
	struct tdat_build b;
	FILE *f = fopen(path, "wb");

	bomb->make(bomb, &b);
	if (!f || b.failed || fwrite(b.ptr, 1, b.len, f) != b.len || fclose(f))
		die(path);
	if (bomb->len && truncate(path, (off_t)bomb->len))
		die("truncate");
	tdat_build_fini(&b);
}

/* In another process, as a program that we start has at least our memory. */
static void make(const struct bomb *bomb, const char *path)
{
	pid_t pid = fork();
	struct stat sb;
	int status;

	if (!pid) {
		put(bomb, path);
		_exit(0);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid || status || stat(path, &sb))
		die(bomb->name);
	if (sb.st_blocks * 512 > FILE_MOST + 65536 || (!bomb->len && sb.st_size > FILE_MOST)) {
		printf("%s: a file of %lld bytes is no test\n", bomb->name, (long long)sb.st_size);
		exit(2);
	}
}

/* hist is used wrongly where a file does not have the event of its trigger. */
static int status_most(const struct command *c)
{
	return !strcmp(c->name, "hist") ? 2 : 1;
}

static const char *verdict(const struct outcome *o, const struct command *c, bool any)
{
	if (o->hung)
		return "hangs";
	if (!WIFEXITED(o->status))
		return "dies of a signal";
	if (WEXITSTATUS(o->status) == STEPS_EXIT)
		return "does too much";
	if (WEXITSTATUS(o->status) > status_most(c))
		return "ends with a strange status";
	if (any)
		return NULL;
	if (o->memory_kb > MEMORY_MOST_KB)
		return "takes too much memory";
	return NULL;
}

static int remove_one(const char *path, const struct stat *sb, int type, struct FTW *ftw)
{
	(void)sb;
	(void)type;
	(void)ftw;
	return remove(path);
}

/* Results are a file or a folder. */
static void remove_results(void)
{
	unlink("out.dat");
	nftw("out", remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static bool run(const struct bomb *bomb, const struct command *c, char *tdat, bool tell, bool any)
{
	char *args[WORDS + 2] = {tdat}, file[] = "bomb.dat";
	const char *what;
	struct outcome o;
	size_t i;

	for (i = 0; i < WORDS && c->words[i]; i++)
		args[i + 1] = strcmp(c->words[i], "=") ? (char *)c->words[i] : file;
	o = run_program(args, "said", CLOCK_MOST);
	remove_results();
	what = verdict(&o, c, any);
	if (what || tell)
		printf("%-24s %-10s status %#x, %8.2f M steps, %6.2f s, %4ld MiB, %llu lines%s%s\n",
		       bomb->name, c->name, (unsigned)o.status, (double)o.steps / 1e6, o.seconds,
		       o.memory_kb / 1024, (unsigned long long)o.lines, what ? ": " : "",
		       what ? what : "");
	return !what;
}

static uint64_t distance(uint64_t a, uint64_t b)
{
	return a > b ? a - b : b - a;
}

/*
 * A limit that nothing can keep is not kept, and a count is the same each time, but for the
 * last steps of each thread and for how threads share the work.
 */
static bool counts(char *tdat)
{
	char *args[] = {tdat, (char *)"dump", (char *)"sound.dat", NULL};
	struct outcome o = run_program(args, "said", CLOCK_MOST), again;

	again = run_program(args, "said", CLOCK_MOST);
	if (o.status || o.steps < 10000 || distance(o.steps, again.steps) > o.steps / 4)
		return false;
	limit_steps(o.steps / 2);
	o = run_program(args, "said", CLOCK_MOST);
	return WIFEXITED(o.status) && WEXITSTATUS(o.status) == STEPS_EXIT;
}

static bool is_slow(const struct bomb *bomb)
{
	return bomb->dear || (bomb->codec && !strcmp(bomb->codec, "zlib"));
}

static bool wanted(const char *name, char **argv, int at, int argc)
{
	return argc <= at || !fnmatch(argv[at], name, 0);
}

/* tdat-view is not built everywhere. */
static bool is_view_beside(const char *tdat)
{
	const char *slash = strrchr(tdat, '/');
	char path[PATH_MAX];

	return slash &&
	       snprintf(path, sizeof(path), "%.*s/tdat-view", (int)(slash - tdat), tdat) <
		       (int)sizeof(path) &&
	       !access(path, X_OK);
}

int main(int argc, char **argv)
{
	bool tell = false, any = false, uncounted = false, some = false;
	unsigned int bad = 0, runs = 0, part = 1, parts = 1;
	const char *only = "*", *command = "*";
	bool has_view;
	int a = 1;
	size_t i, k;

	setvbuf(stdout, NULL, _IOLBF, 0);
	for (; a < argc && !strncmp(argv[a], "--", 2); a++) {
		tell |= !strcmp(argv[a], "--tell");
		any |= !strcmp(argv[a], "--any");
		uncounted |= !strcmp(argv[a], "--uncounted");
		some |= !strcmp(argv[a], "--some");
		if (!strncmp(argv[a], "--only=", 7))
			only = argv[a] + 7;
		if (!strncmp(argv[a], "--command=", 10))
			command = argv[a] + 10;
		if (!strncmp(argv[a], "--part=", 7) &&
		    (sscanf(argv[a] + 7, "%u/%u", &part, &parts) != 2 || !part || part > parts))
			argc = 0;
	}
	if (a >= argc) {
		fputs("usage: bounds [--tell] [--any] [--uncounted] [--some] [--part=I/N] "
		      "[--only=GLOB] [--command=GLOB] TDAT [BOMB [COMMAND]]\n",
		      stderr);
		return 2;
	}
	has_view = is_view_beside(argv[a]);
	put(&bomb_sound, "sound.dat");
	if (!any && !uncounted && !counts(argv[a])) {
		printf("%s does not count its steps, or not alike\n", argv[a]);
		return 2;
	}
	limit_steps(any ? 0 : steps_most);
	for (i = 0; i < bomb_count; i++) {
		if (!wanted(bombs[i].name, argv, a + 1, argc) || (any && is_slow(&bombs[i])) ||
		    i % parts != part - 1 || fnmatch(only, bombs[i].name, 0))
			continue;
		make(&bombs[i], "bomb.dat");
		for (k = 0; k < COMMAND_COUNT; k++)
			if (wanted(commands[k].name, argv, a + 2, argc) &&
			    !fnmatch(command, commands[k].name, 0) &&
			    (has_view || strcmp(commands[k].words[0], "view") != 0) &&
			    !(some && k >= COMMAND_COUNT - DERIVING && i / parts % 6)) {
				bad += !run(&bombs[i], &commands[k], argv[a], tell, any);
				runs++;
			}
	}
	printf("%u runs, %u out of bounds\n", runs, bad);
	return bad || !runs;
}
