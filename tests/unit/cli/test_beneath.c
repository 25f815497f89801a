/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What lies in a directory is opened, and nothing else, with openat2 and on kernels without. */
#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef __linux__
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#endif

#include "../common/run.h"
#include "input/beneath.h"

enum { NR_OPENAT2 = 437 };

static char dir[64];

static const char *at(const char *name)
{
	static char path[256];

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	return path;
}

static void put(const char *name, const char *text)
{
	FILE *f = fopen(at(name), "w");

	ck_assert_ptr_nonnull(f);
	fputs(text, f);
	fclose(f);
}

/* root/file, root/sub/file, links of both kinds that stay in root and that leave it. */
static int make_tree(void)
{
	strcpy(dir, "/tmp/tdat-beneath-XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(dir));
	put("outside", "outside");
	ck_assert_int_eq(mkdir(at("root"), 0700), 0);
	ck_assert_int_eq(mkdir(at("root/sub"), 0700), 0);
	put("root/file", "inside");
	put("root/sub/file", "inside");
	ck_assert_int_eq(symlink("sub/file", at("root/in")), 0);
	ck_assert_int_eq(symlink("sub", at("root/indir")), 0);
	ck_assert_int_eq(symlink("../outside", at("root/up")), 0);
	ck_assert_int_eq(symlink("/etc/passwd", at("root/away")), 0);
	ck_assert_int_eq(symlink("..", at("root/updir")), 0);
	ck_assert_int_eq(symlink("/proc/self/fd/0", at("root/magic")), 0);
	ck_assert_int_eq(mkfifo(at("root/fifo"), 0600), 0);
	return cli_beneath_root(at("root"));
}

static void remove_tree(int root)
{
	char command[96];

	close(root);
	snprintf(command, sizeof(command), "rm -rf %s", dir);
	ck_assert_int_eq(system(command), 0);
}

/* 0: opened, and it is what lies in root; else errno. */
static int open_it(int root, const char *name)
{
	char text[16] = "";
	int fd = cli_beneath_open(root, name, false), why = errno;

	if (fd < 0)
		return why;
	if (strcmp(name, "fifo") != 0) {
		ck_assert_int_gt(read(fd, text, sizeof(text) - 1), 0);
		ck_assert_str_eq(text, "inside");
	}
	close(fd);
	return 0;
}

static int open_dir(int root, const char *name)
{
	int fd = cli_beneath_open(root, name, true), why = errno;

	if (fd < 0)
		return why;
	close(fd);
	return 0;
}

static bool has_openat2(void)
{
	return syscall(NR_OPENAT2, -1, "", NULL, 0) < 0 && errno != ENOSYS && errno != EPERM;
}

START_TEST(by_openat2)
{
	const int root = make_tree();

	if (!has_openat2()) {
		printf("no openat2 here\n");
		remove_tree(root);
		return;
	}
	ck_assert_int_eq(open_it(root, "file"), 0);
	ck_assert_int_eq(open_it(root, "sub/file"), 0);
	ck_assert_int_eq(open_it(root, "in"), 0);
	ck_assert_int_eq(open_it(root, "indir/file"), 0);
	ck_assert_int_eq(open_it(root, "fifo"), 0);
	ck_assert_int_eq(open_it(root, "up"), EXDEV);
	ck_assert_int_eq(open_it(root, "away"), EXDEV);
	ck_assert_int_eq(open_it(root, "updir/outside"), EXDEV);
	ck_assert_int_eq(open_it(root, "../outside"), EXDEV);
	ck_assert_int_ne(open_it(root, "magic"), 0);
	ck_assert_int_eq(open_it(root, "sub"), EINVAL);
	ck_assert_int_eq(open_dir(root, "sub"), 0);
	ck_assert_int_eq(open_dir(root, "indir"), 0);
	ck_assert_int_eq(open_dir(root, "updir"), EXDEV);
	ck_assert_int_eq(open_dir(root, ".."), EXDEV);
	remove_tree(root);
}
END_TEST

#ifdef __linux__
/* From here on openat2 fails as on Linux before 5.6. False: this system has no seccomp. */
static bool take_openat2_away(int error)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, NR_OPENAT2, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (unsigned)error),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	const struct sock_fprog prog = {.len = sizeof(code) / sizeof(code[0]), .filter = code};

	return !prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) &&
	       !prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &prog);
}

START_TEST(without_openat2)
{
	const int root = make_tree();

	if (!take_openat2_away(_i ? EPERM : ENOSYS)) {
		printf("no seccomp here\n");
		remove_tree(root);
		return;
	}
	ck_assert(!has_openat2());
	ck_assert_int_eq(open_it(root, "file"), 0);
	ck_assert_int_eq(open_it(root, "sub/file"), 0);
	ck_assert_int_eq(open_it(root, "sub//file"), 0);
	ck_assert_int_eq(open_it(root, "fifo"), 0);
	/* No link at all, wherever it leads. */
	ck_assert_int_ne(open_it(root, "in"), 0);
	ck_assert_int_ne(open_it(root, "indir/file"), 0);
	ck_assert_int_ne(open_it(root, "up"), 0);
	ck_assert_int_ne(open_it(root, "away"), 0);
	ck_assert_int_ne(open_it(root, "magic"), 0);
	ck_assert_int_ne(open_it(root, "updir/outside"), 0);
	ck_assert_int_eq(open_it(root, "../outside"), EXDEV);
	ck_assert_int_eq(open_it(root, "sub/../../outside"), EXDEV);
	ck_assert_int_eq(open_it(root, "sub"), EINVAL);
	ck_assert_int_eq(open_dir(root, "sub"), 0);
	ck_assert_int_ne(open_dir(root, "indir"), 0);
	ck_assert_int_ne(open_dir(root, "updir"), 0);
	ck_assert_int_eq(open_dir(root, ".."), EXDEV);
	remove_tree(root);
}
END_TEST
#endif

int main(void)
{
	Suite *s = suite_create("beneath");
	TCase *t = tcase_create("beneath");

	tcase_add_test(t, by_openat2);
#ifdef __linux__
	tcase_add_loop_test(t, without_openat2, 0, 2);
#endif
	suite_add_tcase(s, t);
	return run_suite(s);
}
