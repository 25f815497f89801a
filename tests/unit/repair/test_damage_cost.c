/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Each kind of damage through the program: exit status 1 and something on stderr or
 * stdout that says why, no more than ten times the CPU time of the clean file, and
 * memory that the file's size bounds.
 */
#include <check.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../common/run.h"
#include "make_damaged.h"

/* FLOOR_US: what a start of the program may differ by. */
enum { PER_CPU = 4000, TIMES = 10, FLOOR_US = 5000, MORE_KIB = 4 * 1024, RUNS = 3 };

extern char **environ;

struct cost {
	uint64_t us;
	uint64_t kib;
	int status;
	off_t told; /* bytes on stderr, and for check on stdout */
};

static const char *const commands[] = {"dump", "check", "info", "repair"};
enum { COMMANDS = sizeof(commands) / sizeof(commands[0]) };

static uint64_t us_of(const struct rusage *u)
{
	return (uint64_t)(u->ru_utime.tv_sec + u->ru_stime.tv_sec) * 1000000 +
	       (uint64_t)(u->ru_utime.tv_usec + u->ru_stime.tv_usec);
}

static struct cost run_once(const char *command, char *path, const char *said)
{
	char out[64], force[] = "-f", o[] = "-o", name[16];
	char *tdat = getenv("TDAT");
	char *argv[] = {tdat, name, path, NULL, NULL, NULL, NULL};
	posix_spawn_file_actions_t files;
	struct cost c = {0};
	struct rusage u;
	pid_t pid;
	int fd;

	snprintf(name, sizeof(name), "%s", command);
	snprintf(out, sizeof(out), "%s.out", path);
	if (!strcmp(command, "repair")) {
		argv[3] = force;
		argv[4] = o;
		argv[5] = out;
	}
	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_addopen(&files, 1, strcmp(command, "check") ? "/dev/null" : said,
					 O_WRONLY | O_CREAT | O_TRUNC, 0600);
	posix_spawn_file_actions_addopen(&files, 2, said, O_WRONLY | O_CREAT | O_APPEND, 0600);
	ck_assert_int_eq(posix_spawn(&pid, tdat, &files, NULL, argv, environ), 0);
	posix_spawn_file_actions_destroy(&files);
	ck_assert_int_eq(wait4(pid, &c.status, 0, &u), pid);
	fd = open(said, O_RDONLY);
	c.told = fd >= 0 ? lseek(fd, 0, SEEK_END) : 0;
	close(fd);
	unlink(said);
	unlink(out);
	c.us = us_of(&u);
	c.kib = (uint64_t)u.ru_maxrss;
	return c;
}

/* The least of several runs. */
static struct cost run(const char *command, char *path)
{
	char said[64];
	struct cost best = {.us = UINT64_MAX};

	snprintf(said, sizeof(said), "%s.said", path);
	for (int i = 0; i < RUNS; i++) {
		struct cost c = run_once(command, path, said);

		if (c.us < best.us)
			best.us = c.us;
		if (c.kib > best.kib)
			best.kib = c.kib;
		best.status = c.status;
		best.told = c.told;
	}
	return best;
}

static void put(char *path, const struct damaged *d)
{
	int fd = mkstemp(path);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, d->ptr, d->len), (ssize_t)d->len);
	close(fd);
}

/* Notes say nothing of an exit status: sound files. */
static bool harmless(const struct damage_kind *kind)
{
	return !kind->do_it || !strcmp(kind->name, "text without NUL") ||
	       !strcmp(kind->name, "buffer in the other byte order");
}

/* Repair loses nothing of a chunk that only tells a wrong length. */
static bool loses(const char *command, const struct damage_kind *kind)
{
	return strcmp(command, "repair") != 0 || strcmp(kind->name, "chunk stores 4 GiB") != 0;
}

static void check_kind(const struct damage_kind *kind, struct damaged *d, const struct cost *clean)
{
	char path[] = "/tmp/tdat-cost-XXXXXX";

	put(path, d);
	for (size_t i = 0; i < COMMANDS; i++) {
		struct cost c = run(commands[i], path);
		uint64_t limit = clean[i].us * TIMES + FLOOR_US;

		ck_assert_msg(WIFEXITED(c.status), "%s of %s ends by signal %d", commands[i],
			      kind->name, WTERMSIG(c.status));
		ck_assert_msg(WEXITSTATUS(c.status) <= 1, "%s of %s ends with status %d",
			      commands[i], kind->name, WEXITSTATUS(c.status));
		if (!harmless(kind) && strcmp(commands[i], "info") && loses(commands[i], kind))
			ck_assert_msg(WEXITSTATUS(c.status) == 1, "%s of %s ends with status 0",
				      commands[i], kind->name);
		if (WEXITSTATUS(c.status) && strcmp(commands[i], "repair"))
			ck_assert_msg(c.told > 20, "%s of %s says nothing", commands[i],
				      kind->name);
		ck_assert_msg(c.us <= limit, "%s of %s takes %llu us, of the clean file %llu us",
			      commands[i], kind->name, (unsigned long long)c.us,
			      (unsigned long long)clean[i].us);
#ifndef __SANITIZE_ADDRESS__
		ck_assert_msg(c.kib <= clean[i].kib + MORE_KIB,
			      "%s of %s takes %llu KiB, of the clean file %llu KiB", commands[i],
			      kind->name, (unsigned long long)c.kib,
			      (unsigned long long)clean[i].kib);
#endif
		if (getenv("TDAT_COSTS"))
			printf("%-28s v%u %s %-6s %7llu us (%llu) %7llu KiB (%llu)\n", kind->name,
			       d->version, d->big ? "be" : "le", commands[i],
			       (unsigned long long)c.us, (unsigned long long)clean[i].us,
			       (unsigned long long)c.kib, (unsigned long long)clean[i].kib);
	}
	unlink(path);
}

static void clean_cost(const struct damaged *d, struct cost *clean)
{
	char path[] = "/tmp/tdat-cost-XXXXXX";

	put(path, d);
	for (size_t i = 0; i < COMMANDS; i++) {
		clean[i] = run(commands[i], path);
		ck_assert_int_eq(clean[i].status, 0);
	}
	unlink(path);
}

/* _i: version and codec, byte order. */
START_TEST(costs)
{
	static const char *const codecs[] = {NULL, NULL, "zlib", "zstd"};
	struct cost clean[COMMANDS];
	struct damaged d;

	ck_assert_ptr_nonnull(getenv("TDAT"));
	damaged_make(&d, _i / 2 == 0 ? 6 : 7, _i & 1, codecs[_i / 2], PER_CPU);
	clean_cost(&d, clean);
	for (size_t i = 0; i < damage_kind_count; i++) {
		const struct damage_kind *kind = &damage_kinds[i];
		struct damaged one = d;

		if (kind->chunked != (d.compression != NULL))
			continue;
		one.ptr = malloc(d.len);
		ck_assert_ptr_nonnull(one.ptr);
		memcpy(one.ptr, d.ptr, d.len);
		if (!kind->do_it || kind->do_it(&one))
			check_kind(kind, &one, clean);
		free(one.ptr);
	}
	damaged_free(&d);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("damage_cost");
	TCase *t = tcase_create("damage_cost");

	tcase_add_loop_test(t, costs, 0, 8);
	tcase_set_timeout(t, 300);
	suite_add_tcase(s, t);
	return run_suite(s);
}
