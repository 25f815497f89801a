/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the kernel's own tests ask of user_events of Linux 6.4 and later, in our words: registering,
 * bits, indexes, errors, validators, status, deleting. Exits 1 with the first line that fails.
 * usage: abi [notify]   (notify: recorded by notifications)
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "user-events/check.h"
#include "user-events/user_events.h"

#define ENABLE "/sys/kernel/debug/tracing/events/user_events/abi_event/enable"
#define FORMAT "/sys/kernel/tracing/events/user_events/abi_event/format"

/* The call fails with this errno. */
#define FAILS(errnum, call)                                                                        \
	do {                                                                                       \
		errno = 0;                                                                         \
		CHECK((call) == -1 && errno == (errnum));                                          \
	} while (0)

static int fd;
static int by_notify;

static int reg_bit(void *word, uint8_t size, uint8_t bit, const char *text, uint32_t *index)
{
	struct reg reg = {.size = sizeof(reg), .enable_bit = bit, .enable_size = size};
	int rc;

	reg.enable_addr = (uintptr_t)word;
	reg.name_args = (uintptr_t)text;
	rc = ioctl(fd, REG, &reg);
	if (index)
		*index = reg.write_index;
	return rc;
}

static int unreg_bit(void *word, uint8_t bit)
{
	struct unreg un = {.size = sizeof(un), .disable_bit = bit};

	un.disable_addr = (uintptr_t)word;
	return ioctl(fd, UNREG, &un);
}

static void set_enabled(const char *path, const char *digit)
{
	int e = open(path, O_RDWR);

	CHECK(e >= 0);
	CHECK(write(e, digit, 1) == 1);
	CHECK(!close(e));
}

static void registering(void)
{
	static uint32_t word, other;
	struct reg reg = {.size = sizeof(reg), .enable_size = 4};
	uint32_t index = 99;

	CHECK(!reg_bit(&word, 4, 31, "abi_event u32 field1; u32 field2", &index));
	CHECK(index == 0);
	CHECK(word == 1u << 31);
	FAILS(EADDRINUSE, reg_bit(&word, 4, 31, "abi_event u32 field1; u32 field2", NULL));
	CHECK(!reg_bit(&other, 4, 0, "abi_event u32 field1;u32 field2;", &index) ||
	      errno == EINVAL);
	CHECK(!reg_bit(&word, 4, 30, "abi_event u32 field1; u32 field2", &index));
	CHECK(index == 0 && word == 3u << 30);
	FAILS(EADDRINUSE, reg_bit(&word, 4, 1, "abi_event u32 field1", NULL));
	FAILS(EBUSY, ioctl(fd, DEL, "abi_event"));
	FAILS(ENOENT, ioctl(fd, DEL, "nobody"));
	CHECK(!unreg_bit(&word, 30));
	CHECK(word == 1u << 31);
	FAILS(ENOENT, unreg_bit(&word, 30));
	FAILS(ENOTTY, ioctl(fd, _IOW('*', 9, int), 0));
	/* Sizes of the struct, and what is behind its end. */
	reg.name_args = (uintptr_t) "sized";
	reg.enable_addr = (uintptr_t)&other;
	reg.enable_bit = 7;
	reg.size = 5000;
	FAILS(E2BIG, ioctl(fd, REG, &reg));
	reg.size = 12;
	FAILS(EINVAL, ioctl(fd, REG, &reg));
	reg.size = sizeof(reg);
	reg.flags = 0x80;
	FAILS(EINVAL, ioctl(fd, REG, &reg));
	reg.flags = 0;
	FAILS(EFAULT, ioctl(fd, REG, (void *)8));
	reg.name_args = 64;
	FAILS(EFAULT, ioctl(fd, REG, &reg));
}

static void longer_struct(void)
{
	static uint32_t word;
	struct {
		struct reg reg;
		uint8_t more[4];
	} __attribute__((packed)) big = {.reg = {.size = sizeof(big), .enable_size = 4}};

	big.reg.name_args = (uintptr_t) "longer";
	big.reg.enable_addr = (uintptr_t)&word;
	big.more[3] = 1;
	FAILS(E2BIG, ioctl(fd, REG, &big));
	big.more[3] = 0;
	CHECK(!ioctl(fd, REG, &big));
}

static void bits(void)
{
	static const int bad_sizes[] = {0, 1, 2, 3, 5, 6, 7, 9, 128};
	static uint64_t word;
	static char text[600];
	void *ro = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	for (size_t i = 0; i < sizeof(bad_sizes) / sizeof(bad_sizes[0]); i++)
		FAILS(EINVAL, reg_bit(&word, (uint8_t)bad_sizes[i], 0, "bits", NULL));
	FAILS(EINVAL, reg_bit(&word, 4, 32, "bits", NULL));
	FAILS(EINVAL, reg_bit(&word, 8, 64, "bits", NULL));
	FAILS(EINVAL, reg_bit((char *)&word + 1, 4, 0, "bits", NULL));
	FAILS(EFAULT, reg_bit(ro, 4, 0, "bits", NULL));
	FAILS(EINVAL, reg_bit(&word, 4, 0, "bits:x", NULL));
	FAILS(EINVAL, reg_bit(&word, 4, 0, "wrong long x", NULL));
	memset(text, 'a', sizeof(text) - 1);
	FAILS(EINVAL, reg_bit(&word, 4, 0, text, NULL));
	CHECK(word == 0);
	CHECK(!reg_bit(&word, 8, 63, "bits", NULL));
	CHECK(word == 1ull << 63);
	CHECK(!unreg_bit(&word, 63));
	CHECK(word == 0);
}

static void writing(void)
{
	uint32_t e[3] = {0, 17, 42};
	struct iovec two[2] = {{e, 4}, {e + 1, 8}};
	int32_t negative[3] = {-1, 0, 0};
	static uint32_t word;
	uint32_t index;
	void *absent = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	CHECK(write(fd, e, sizeof(e)) == sizeof(e));
	e[1] = 18;
	CHECK(writev(fd, two, 2) == sizeof(e));
	e[1] = 19;
	CHECK(pwrite(fd, e, sizeof(e), 0) == sizeof(e));
	FAILS(EFAULT, pwrite(fd, e, sizeof(e), 8));
	e[1] = 20;
	CHECK(pwritev(fd, two, 2, 0) == sizeof(e));
	e[1] = 21;
	CHECK(syscall(SYS_write, fd, e, sizeof(e)) == sizeof(e));
	FAILS(EFAULT, write(fd, e, 3));
	FAILS(EINVAL, write(fd, negative, sizeof(negative)));
	FAILS(EINVAL, write(fd, e, 8));
	e[0] = 9999;
	FAILS(ENOENT, write(fd, e, sizeof(e)));
	CHECK(!reg_bit(&word, 4, 3, "empty", &index));
	CHECK(write(fd, &index, 4) == 4);
	/* A page that was never touched is zero. */
	CHECK(write(fd, absent, 12) == 12);
	CHECK(!munmap(absent, 4096));
	FAILS(EFAULT, writev(fd, absent, 1));
	FAILS(EFAULT, writev(fd, (const struct iovec *)-4096l, 1));
}

static void validating(void)
{
	struct {
		uint32_t index;
		uint32_t loc;
		char text[16];
	} __attribute__((packed)) e = {0, 5u << 16, "Test"};
	static uint32_t word;

	uint32_t index;

	CHECK(!reg_bit(&word, 4, 4, "checked __rel_loc char[] data", &index));
	e.index = index;
	FAILS(EINVAL, write(fd, &e, 4));
	CHECK(write(fd, &e, 13) == 13);
	e.loc = 5u << 16 | 1024;
	FAILS(EFAULT, write(fd, &e, 13));
	e.loc = 5u << 16 | 1;
	FAILS(EFAULT, write(fd, &e, 13));
	e.loc = (5u + 1024) << 16;
	FAILS(EFAULT, write(fd, &e, 13));
	e.loc = (5u + 1) << 16;
	FAILS(EFAULT, write(fd, &e, 13));
	e.loc = 4u << 16;
	FAILS(EFAULT, write(fd, &e, 13));
}

static void enabling(void)
{
	static uint32_t word;
	uint32_t e[3] = {0, 30, 0};

	CHECK(!reg_bit(&word, 4, 2, "abi_event u32 field1; u32 field2", &e[0]));
	CHECK(word == 4);
	set_enabled(ENABLE, "0");
	CHECK(word == 0);
	FAILS(EBADF, write(fd, e, sizeof(e)));
	set_enabled(ENABLE, "1");
	CHECK(word == 4);
	CHECK(write(fd, e, sizeof(e)) == sizeof(e));
	CHECK(!unreg_bit(&word, 2));
	set_enabled(ENABLE, "0");
	set_enabled(ENABLE, "1");
	CHECK(word == 0);
}

static void duplicates(void)
{
	uint32_t e[3] = {0, 50, 0}, index;
	static uint32_t word;
	int one = dup(fd), two = fcntl(fd, F_DUPFD, 200), old = fd, plain;

	CHECK(one >= 0 && two >= 200);
	CHECK(write(one, e, sizeof(e)) == sizeof(e) && write(two, e, sizeof(e)) == sizeof(e));
	/* A descriptor that was a user_events_data and is another file now. */
	plain = open("/dev/null", O_WRONLY);
	CHECK(dup2(plain, two) == two);
	CHECK(write(two, e, 2) == 2);
	CHECK(!close(one));
	FAILS(EBADF, write(one, e, sizeof(e)));
	plain = by_notify ? dup2(plain, one) : open("/dev/null", O_WRONLY);
	CHECK(plain == one && write(one, e, 2) == 2);
	plain = open("/dev/null", O_WRONLY);
	/* Behind the library's back: the next failure shows it. */
	one = dup(fd);
#ifdef __x86_64__
	{
		long rc;

		__asm__ volatile("syscall"
				 : "=a"(rc)
				 : "a"(SYS_dup2), "D"(plain), "S"(one)
				 : "rcx", "r11", "memory");
		CHECK(rc == one);
		CHECK(write(one, "plain text", 10) == 10);
	}
#endif
	/* Another open file has indexes of its own. */
	fd = open(DATA_FILE, O_RDWR);
	CHECK(fd >= 0);
	FAILS(ENOENT, write(fd, e, sizeof(e)));
	CHECK(!reg_bit(&word, 4, 9, "second u32 a", &index) && index == 0);
	CHECK(!close(fd));
	fd = old;
}

static void deleting(void)
{
	static uint32_t word;
	int old = fd;

	fd = open(DATA_FILE, O_RDWR);
	CHECK(!reg_bit(&word, 4, 0, "shortlived u32 a", NULL));
	CHECK(!unreg_bit(&word, 0));
	CHECK(!close(fd));
	fd = old;
	/* The last reference is gone: other fields are allowed. */
	CHECK(!reg_bit(&word, 4, 0, "shortlived u64 b", NULL));
}

/* O_TRUNC deletes the events that nobody uses; without it, and to read only, nothing goes. */
static void truncating(void)
{
	static const char path[] = "/sys/kernel/tracing/dynamic_events";
	char all[8192] = "";
	int dyn = open(path, O_WRONLY);

	CHECK(dyn >= 0 && write(dyn, "u:unused u32 a\n", 15) == 15 && !close(dyn));
	dyn = open(path, O_WRONLY | O_APPEND);
	CHECK(dyn >= 0 && !close(dyn));
	dyn = open(path, O_RDONLY | O_TRUNC);
	CHECK(dyn >= 0 && read(dyn, all, sizeof(all) - 1) > 0 && !close(dyn));
	CHECK(strstr(all, "u:unused u32 a\n") && strstr(all, "u:abi_event "));
	dyn = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
	CHECK(dyn >= 0 && !close(dyn));
	FAILS(ENOENT, ioctl(fd, DEL, "unused"));
	FAILS(EBUSY, ioctl(fd, DEL, "abi_event"));
}

static void texts(void)
{
	char line[512], all[8192] = "";
	struct stat sb;
	struct statx sx;
	FILE *f = fopen(STATUS_FILE, "r");
	int dyn;

	CHECK(f);
	while (fgets(line, sizeof(line), f))
		if (strlen(all) + strlen(line) < sizeof(all))
			strcat(all, line);
	fclose(f);
	CHECK(strstr(all, "abi_event # Used by ftrace\n") && strstr(all, "\nActive: "));
	f = fopen(FORMAT, "r");
	CHECK(f && fgets(line, sizeof(line), f) && !strcmp(line, "name: abi_event\n"));
	fclose(f);
	CHECK(!access(DATA_FILE, R_OK | W_OK) && access(DATA_FILE, X_OK));
	CHECK(!faccessat(AT_FDCWD, STATUS_FILE, F_OK, 0));
	memset(&sb, 0xff, sizeof(sb));
	CHECK(!stat(STATUS_FILE, &sb) && S_ISREG(sb.st_mode) && !sb.st_size);
	CHECK(!lstat(DATA_FILE, &sb) && sb.st_nlink == 1 && sb.st_uid == geteuid());
	CHECK(!fstatat(AT_FDCWD, DATA_FILE, &sb, AT_SYMLINK_NOFOLLOW) && S_ISREG(sb.st_mode));
	CHECK(!statx(AT_FDCWD, FORMAT, 0, STATX_MODE, &sx) && S_ISREG(sx.stx_mode));
	FAILS(ENOENT, stat("/sys/kernel/tracing/user_events_dat", &sb));
	CHECK(!stat("/", &sb) && S_ISDIR(sb.st_mode));
	CHECK(access("/sys/kernel/tracing/user_events_dat", F_OK));
	dyn = open("/sys/kernel/tracing/dynamic_events", O_RDWR | O_APPEND);
	CHECK(dyn >= 0 && write(dyn, "u:defined u32 a\n", 16) == 16);
	FAILS(EINVAL, write(dyn, "u:wrong long a\n", 15));
	FAILS(EADDRINUSE, write(dyn, "u:defined u64 a\n", 16));
	CHECK(!close(dyn));
	dyn = open("/sys/kernel/tracing/dynamic_events", O_RDONLY);
	CHECK(read(dyn, all, sizeof(all) - 1) > 0);
	CHECK(strstr(all, "u:defined u32 a\n"));
	CHECK(!close(dyn));
	CHECK(!ioctl(fd, DEL, "defined"));
	f = fopen("/sys/kernel/tracing/dynamic_events", "w");
	CHECK(f && fputs("u:streamed u32 a\n", f) >= 0 && !fclose(f));
	CHECK(!ioctl(fd, DEL, "streamed"));
	truncating();
}

static void on_signal(int number)
{
	uint32_t e[3] = {0, 70, (uint32_t)number};

	CHECK(write(fd, e, sizeof(e)) == sizeof(e));
}

static void forking(void)
{
	static uint32_t word;
	uint32_t e[3] = {0, 60, 0};
	int status;
	pid_t pid;

	CHECK(!reg_bit(&word, 4, 5, "abi_event u32 field1; u32 field2", NULL));
	fflush(NULL);
	pid = fork();
	if (!pid) {
		CHECK(word == 32 && write(fd, e, sizeof(e)) == sizeof(e));
		CHECK(!unreg_bit(&word, 5) && word == 0);
		_exit(0);
	}
	CHECK(waitpid(pid, &status, 0) == pid && !status);
	CHECK(word == 32);
	signal(SIGUSR1, on_signal);
	raise(SIGUSR1);
}

static void formats(void)
{
	static uint32_t words[4];
	struct reg reg = {.size = sizeof(reg), .enable_size = 4, .flags = 2};
	uint32_t e[2] = {0, 80};

	reg.name_args = (uintptr_t) "multi u32 a";
	reg.enable_addr = (uintptr_t)&words[0];
	CHECK(!ioctl(fd, REG, &reg));
	e[0] = reg.write_index;
	CHECK(write(fd, e, 8) == 8);
	reg.name_args = (uintptr_t) "multi u16 b";
	reg.enable_addr = (uintptr_t)&words[1];
	CHECK(!ioctl(fd, REG, &reg) && reg.write_index != e[0]);
	e[0] = reg.write_index;
	e[1] = 81;
	CHECK(write(fd, e, 6) == 6);
	/* The number of the next set goes on: the kernel has one counter. */
	reg.name_args = (uintptr_t) "other_multi u32 a";
	reg.enable_addr = (uintptr_t)&words[2];
	CHECK(!ioctl(fd, REG, &reg));
	e[0] = reg.write_index;
	e[1] = 82;
	CHECK(write(fd, e, 8) == 8);
}

int main(int argc, char **argv)
{
	by_notify = argc > 1 && !strcmp(argv[1], "notify");
	fd = open(DATA_FILE, O_RDWR);
	CHECK(fd >= 0);
	registering();
	longer_struct();
	bits();
	writing();
	validating();
	enabling();
	duplicates();
	deleting();
	texts();
	forking();
	formats();
	puts("all as it should be");
	return 0;
}
