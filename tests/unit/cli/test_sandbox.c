/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rights after cli_sandbox_enter, tried from inside a child process. On a system
 * without Landlock or seccomp the checks of the missing one are left out, and the
 * test says so.
 */
#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __linux__
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#endif

#include "../common/run.h"
#include "safety/sandbox.h"

static char dir[64]; /* a folder for each test */

static void make_dir(void)
{
	strcpy(dir, "/tmp/tdat-sandbox-XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(dir));
}

static void remove_dir(void)
{
	char command[96];

	snprintf(command, sizeof(command), "rm -rf %s", dir);
	ck_assert_int_eq(system(command), 0);
}

static const char *in_dir(const char *name)
{
	static char path[128];

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	return path;
}

/* Inside a child: no check framework, the line that failed is the exit status. */
#define MUST(cond)                                                                                 \
	do {                                                                                       \
		if (!(cond)) {                                                                     \
			fprintf(stderr, "line %d: " #cond " (errno %d)\n", __LINE__, errno);       \
			_exit(1);                                                                  \
		}                                                                                  \
	} while (0)

#define REFUSED(call) MUST((call) < 0 && (errno == EPERM || errno == EACCES))

static void in_child(void (*fn)(void))
{
	pid_t pid = fork();
	int status;

	if (!pid) {
		fn();
		_exit(0);
	}
	ck_assert_int_gt(pid, 0);
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert_msg(WIFEXITED(status) && !WEXITSTATUS(status), "child ended with %#x", status);
}

static void tell_missing(unsigned in_force)
{
	if (!(in_force & CLI_SANDBOX_FILES))
		fprintf(stderr, "no Landlock here: file rules not tested\n");
	if (!(in_force & CLI_SANDBOX_CALLS))
		fprintf(stderr, "no seccomp here: system calls not tested\n");
}

static void *write_byte(void *arg)
{
	MUST(write(*(int *)arg, "t", 1) == 1);
	return NULL;
}

/* What a reader does with what it has open. */
static void can_work(int fd)
{
	struct stat sb;
	pthread_t thread;
	char byte;
	void *p = malloc(64 * 1024 * 1024);

	MUST(p);
	memset(p, 1, 64 * 1024 * 1024);
	p = realloc(p, 128 * 1024 * 1024);
	MUST(p);
	free(p);
	MUST(pwrite(fd, "x", 1, 0) == 1 && pread(fd, &byte, 1, 0) == 1 && byte == 'x');
	MUST(!fstat(fd, &sb) && S_ISREG(sb.st_mode));
	MUST(!pthread_create(&thread, NULL, write_byte, &fd) && !pthread_join(thread, NULL));
	MUST(sysconf(_SC_NPROCESSORS_ONLN) >= 1);
	MUST(poll(NULL, 0, 1) == 0); /* the handler of SIGBUS waits so */
}

static void no_calls(void)
{
	char *argv[] = {"true", NULL};

	REFUSED(socket(AF_UNIX, SOCK_STREAM, 0));
	REFUSED(socket(AF_INET, SOCK_STREAM, 0));
	REFUSED(execv("/bin/true", argv));
	REFUSED(fork());
	REFUSED(kill(getppid(), 0));
	REFUSED(chmod("/tmp", 0777));
	REFUSED(mkdir("/tmp/tdat-sandbox-made", 0777));
}

static void with_nothing(void)
{
	int fd = open(in_dir("mine"), O_RDWR | O_CREAT, 0600);
	unsigned in_force;

	MUST(fd >= 0);
	in_force = cli_sandbox_enter(NULL, 0, CLI_SANDBOX_READING);
	tell_missing(in_force);
	can_work(fd);
	if (in_force) {
		REFUSED(open("/etc/passwd", O_RDONLY));
		REFUSED(open(in_dir("mine"), O_RDONLY));
		REFUSED(open(in_dir("new"), O_WRONLY | O_CREAT, 0600));
	}
	if (in_force & CLI_SANDBOX_CALLS) {
		no_calls();
		REFUSED(unlink(in_dir("mine")));
		REFUSED(rename(in_dir("mine"), in_dir("other")));
	}
}

START_TEST(nothing_can_be_opened)
{
	make_dir();
	in_child(with_nothing);
	remove_dir();
}
END_TEST

static void with_paths(void)
{
	char out[80], read[80], nul[] = "/dev/null";
	struct cli_sandbox_path paths[] = {{out, true, false},
					   {read, false, false},
					   {nul, true, false},
					   {"/nonexistent/x", false, false}};
	char link_from[64];
	unsigned in_force;
	int fd;

	snprintf(out, sizeof(out), "%s/out", dir);
	snprintf(read, sizeof(read), "%s/read", dir);
	MUST(!mkdir(out, 0700) && !chdir(dir));
	fd = open(read, O_RDWR | O_CREAT, 0600);
	MUST(fd >= 0);
	in_force = cli_sandbox_enter(paths, 4, CLI_SANDBOX_READING);
	tell_missing(in_force);
	can_work(fd);
	MUST(open(read, O_RDONLY) >= 0);
	MUST(open(nul, O_WRONLY) >= 0);
	/* as the writer makes its file */
	fd = open(out, O_TMPFILE | O_RDWR, 0600);
	if (fd >= 0) {
		snprintf(link_from, sizeof(link_from), "/proc/self/fd/%d", fd);
		MUST(!linkat(AT_FDCWD, link_from, AT_FDCWD, "out/a", AT_SYMLINK_FOLLOW));
	}
	fd = open("out/b", O_RDWR | O_CREAT | O_EXCL, 0600);
	MUST(fd >= 0 && !ftruncate(fd, 10) && !rename("out/b", "out/a") && !unlink("out/a"));
	MUST(open(out, O_RDONLY | O_DIRECTORY) >= 0);
	if (in_force & CLI_SANDBOX_FILES) {
		REFUSED(open("/etc/passwd", O_RDONLY));
		REFUSED(open(read, O_WRONLY));
		REFUSED(open("other", O_WRONLY | O_CREAT, 0600));
		REFUSED(unlink(read));
	}
	if (in_force & CLI_SANDBOX_CALLS)
		no_calls();
}

START_TEST(only_named_paths_can_be_opened)
{
	make_dir();
	in_child(with_paths);
	remove_dir();
}
END_TEST

#ifdef __linux__
/* A kernel, or a container, that has neither. */
static void refuse_both(void)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_seccomp, 2, 0),
		BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 444, 0, 2),
		BPF_JUMP(BPF_JMP | BPF_JGT | BPF_K, 446, 1, 0),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog prog = {sizeof(code) / sizeof(code[0]), code};

	MUST(!prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
	if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &prog))
		fprintf(stderr, "no seccomp here: nothing to refuse\n");
}

static void without_kernel(void)
{
	int fd;

	refuse_both();
	MUST(cli_sandbox_enter(NULL, 0, CLI_SANDBOX_READING) == 0);
	fd = open(in_dir("mine"), O_RDWR | O_CREAT, 0600);
	MUST(fd >= 0);
	can_work(fd);
}

START_TEST(an_old_kernel_goes_without)
{
	make_dir();
	in_child(without_kernel);
	remove_dir();
}
END_TEST

/* The program itself on such a kernel. */
static void run_tdat(void)
{
	char *argv[] = {"tdat", "info", getenv("TDAT_TEST_FILE"), NULL};
	int null = open("/dev/null", O_WRONLY);

	MUST(dup2(null, 1) == 1);
	refuse_both();
	execv(getenv("TDAT_TEST_PROGRAM"), argv);
	MUST(!"exec");
}

START_TEST(the_program_runs_on_an_old_kernel)
{
	in_child(run_tdat);
}
END_TEST
#endif

int main(void)
{
	TCase *tc = tcase_create("sandbox");
	Suite *s = suite_create("cli/sandbox");

	tcase_add_test(tc, nothing_can_be_opened);
	tcase_add_test(tc, only_named_paths_can_be_opened);
#ifdef __linux__
	tcase_add_test(tc, an_old_kernel_goes_without);
	if (getenv("TDAT_TEST_PROGRAM"))
		tcase_add_test(tc, the_program_runs_on_an_old_kernel);
#endif
	suite_add_tcase(s, tc);
	return run_suite(s);
}
