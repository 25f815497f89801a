/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which files the program maps: those at rest on a local disk, and no others. */
#include <check.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../common/run.h"
#include "input/settled.h"

static bool settled(const char *path)
{
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat sb;
	bool is;

	ck_assert_msg(fd >= 0 && !fstat(fd, &sb), "%s", path);
	is = cli_settled(fd, &sb);
	close(fd);
	return is;
}

/* A new file, and one whose bytes are old but which was copied, renamed or linked just now. */
START_TEST(new_files)
{
	const struct timespec old[2] = {{1000000000, 0}, {1000000000, 0}};
	char path[] = "/tmp/tdat-settled-XXXXXX";
	const int fd = mkstemp(path);

	ck_assert_int_ge(fd, 0);
	ck_assert(!settled(path));
	ck_assert_int_eq(futimens(fd, old), 0);
	ck_assert(!settled(path)); /* the time of the change of the inode is new */
	close(fd);
	unlink(path);
}
END_TEST

START_TEST(no_disk)
{
	ck_assert(!settled("/proc/self/status"));
	ck_assert(!settled("/proc"));
	ck_assert(!settled("/dev/null"));
}
END_TEST

/* Whether the program, stopped by a full pipe, has windows of the file mapped. */
static bool program_maps(const char *path, const char *access)
{
	char *argv[] = {"tdat", "dump", "--threads", "1", (char *)(uintptr_t)path, NULL};
	char maps[64], line[4096];
	bool found = false;
	int ends[2], status;
	FILE *f;
	pid_t pid;

	ck_assert_int_eq(pipe(ends), 0);
	pid = fork();
	if (!pid) {
		dup2(ends[1], STDOUT_FILENO);
		close(ends[0]);
		close(ends[1]);
		if (access ? setenv("TDAT_ACCESS", access, 1) : unsetenv("TDAT_ACCESS"))
			_exit(126);
		execv(getenv("TDAT_TEST_PROGRAM"), argv);
		_exit(127);
	}
	ck_assert_int_gt(pid, 0);
	close(ends[1]);
	ck_assert_int_gt(read(ends[0], line, 100), 0); /* it is at work, and cannot end */
	snprintf(maps, sizeof(maps), "/proc/%d/maps", (int)pid);
	f = fopen(maps, "r");
	ck_assert_ptr_nonnull(f);
	while (fgets(line, sizeof(line), f))
		found |= strstr(line, path) != NULL;
	fclose(f);
	close(ends[0]);
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	return found;
}

/* The file's text is longer than a pipe takes, and its CPU data is not compressed. */
START_TEST(program)
{
	char path[1024], *real;

	snprintf(path, sizeof(path), "%s/valid/x64-lab612-lost-v6.dat", getenv("TDAT_FIXTURES"));
	real = realpath(path, NULL);
	ck_assert_ptr_nonnull(real);
	ck_assert(program_maps(real, "map"));
	ck_assert(!program_maps(real, "read"));
	ck_assert(program_maps(real, NULL) == settled(real));
	free(real);
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("settled");
	Suite *s = suite_create("cli/settled");

	tcase_add_test(tc, new_files);
	tcase_add_test(tc, no_disk);
	if (getenv("TDAT_TEST_PROGRAM"))
		tcase_add_test(tc, program);
	suite_add_tcase(s, tc);
	return run_suite(s);
}
