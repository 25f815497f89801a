/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs a program on mutated files and looks how it ends. The mutations depend
 * on the seed alone, so that a find can be made again and two programs see the
 * same files. A quarter each: bytes anywhere; numbers where the structure is
 * (section headers, options, page headers, chunks); blocks moved, removed or
 * doubled; the file cut.
 * usage: mutate [--count-only] COUNT SEED FILE... -- PROGRAM [ARG]...
 * The program gets the file's name as its last argument. Exit status 1: it died
 * of a signal, took over 10 seconds, more than 256 MiB (not with
 * TDAT_MUTATE_ANY_MEMORY), or ended with 0 on a cut file with fewer lines.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <tdat/tdat.h>

enum { SECONDS_MOST = 10, MEMORY_MOST_KB = 256 * 1024, ARGS_MOST = 16 };

enum kind { BLIND, STRUCTURE, BLOCKS, CUT, KIND_COUNT };
static const char *const kind_names[] = {"bytes", "structure", "blocks", "cut"};

struct spot {
	size_t off, len;
};

struct original {
	const char *path;
	uint8_t *ptr;
	size_t len;
	bool big;
	struct spot *spots;
	size_t spot_count, spot_cap;
	uint64_t lines; /* of the program's output for the file as it is */
};

struct outcome {
	int status; /* as of wait */
	bool slow;
	long memory_kb;
	uint64_t lines;
};

struct tally {
	uint64_t runs, ok, failed, signals, slow, fat, unseen_cuts, fewer;
};

static void die(const char *what)
{
	perror(what);
	exit(2);
}

static uint64_t next_random(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15u;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return z ^ z >> 31;
}

static size_t below(uint64_t *state, size_t n)
{
	return n ? (size_t)(next_random(state) % n) : 0;
}

/* ---- where the structure is ---- */

static void add_spot(struct original *o, uint64_t off, size_t len)
{
	if (off >= o->len)
		return;
	if (o->spot_count == o->spot_cap) {
		o->spot_cap = o->spot_cap ? o->spot_cap * 2 : 64;
		o->spots = realloc(o->spots, o->spot_cap * sizeof(*o->spots));
		if (!o->spots)
			die("realloc");
	}
	if (len > o->len - off)
		len = o->len - (size_t)off;
	o->spots[o->spot_count++] = (struct spot){(size_t)off, len};
}

static void find_spots(struct original *o)
{
	struct tdat_error err = TDAT_ERROR_INIT;
	const struct tdat_section *s;
	const struct tdat_option *opt;
	const struct tdat_buffer *b;
	struct tdat_file *file;
	size_t i, count;
	uint64_t off;
	uint32_t k;

	if (tdat_file_open_memory(&file, o->ptr, o->len, o->path, NULL, &err)) {
		fprintf(stderr, "%s\n", err.message);
		exit(2);
	}
	o->big = tdat_file_info(file)->big_endian;
	add_spot(o, 0, 64);
	s = tdat_file_sections(file, &count);
	for (i = 0; i < count; i++)
		add_spot(o, s[i].off, 40);
	opt = tdat_file_options(file, &count);
	for (i = 0; i < count; i++)
		add_spot(o, opt[i].off < 6 ? 0 : opt[i].off - 6, 6 + opt[i].data.len);
	b = tdat_file_buffers(file, &count);
	for (i = 0; i < count; i++) {
		add_spot(o, b[i].off, 64);
		for (k = 0; k < b[i].cpu_count; k++)
			for (off = 0; off < b[i].cpus[k].len; off += b[i].page_size)
				add_spot(o, b[i].cpus[k].off + off, 48);
	}
	tdat_file_close(file);
}

static void load(struct original *o, const char *path)
{
	FILE *f = fopen(path, "rb");
	long len;

	memset(o, 0, sizeof(*o));
	o->path = path;
	if (!f || fseek(f, 0, SEEK_END) || (len = ftell(f)) <= 0)
		die(path);
	rewind(f);
	o->len = (size_t)len;
	o->ptr = malloc(o->len);
	if (!o->ptr || fread(o->ptr, 1, o->len, f) != o->len)
		die(path);
	fclose(f);
	find_spots(o);
}

/* ---- mutations ---- */

static void put_number(uint8_t *p, size_t size, uint64_t v, bool big)
{
	size_t i;

	for (i = 0; i < size; i++)
		p[big ? size - 1 - i : i] = (uint8_t)(v >> 8 * i);
}

static void mutate_structure(const struct original *o, uint8_t *p, uint64_t *r)
{
	const uint64_t numbers[] = {0, 1, UINT64_MAX, INT32_MAX, (uint64_t)INT64_MAX, 1u << 31,
				    o->len, o->len - 1, 4096, 65536, next_random(r),
				    next_random(r) & 0xff, next_random(r) & 0xffff};
	size_t n = 1 + below(r, 3);

	while (n--) {
		const struct spot *s = &o->spots[below(r, o->spot_count)];
		size_t size = (size_t)1 << below(r, 4);

		if (size > s->len)
			size = 1;
		put_number(p + s->off + below(r, s->len - size + 1), size,
			   numbers[below(r, sizeof(numbers) / sizeof(numbers[0]))], o->big);
	}
}

/* Returns the new length; p has room for twice the original. */
static size_t mutate_blocks(const struct original *o, uint8_t *p, uint64_t *r)
{
	size_t from = below(r, o->len), to = below(r, o->len);
	size_t most = o->len - (from > to ? from : to);
	size_t n = 1 + below(r, most < 8192 ? most : 8192);

	switch (below(r, 3)) {
	case 0: /* copied over another place */
		memmove(p + to, o->ptr + from, n);
		return o->len;
	case 1: /* removed */
		memmove(p + from, o->ptr + from + n, o->len - from - n);
		return o->len - n;
	default: /* doubled */
		memcpy(p + from + n, o->ptr + from, o->len - from);
		return o->len + n;
	}
}

static size_t mutate(const struct original *o, uint8_t *p, enum kind kind, uint64_t *r)
{
	size_t n;

	memcpy(p, o->ptr, o->len);
	switch (kind) {
	case STRUCTURE:
		mutate_structure(o, p, r);
		return o->len;
	case BLOCKS:
		return mutate_blocks(o, p, r);
	case CUT:
		return below(r, o->len);
	default:
		for (n = 1 + below(r, 16); n; n--)
			p[below(r, o->len)] ^= (uint8_t)(1 + below(r, 255));
		return o->len;
	}
}

/* ---- running ---- */

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static pid_t start(char **args, int *out)
{
	int pipes[2], null;
	pid_t pid;

	if (pipe(pipes))
		die("pipe");
	pid = fork();
	if (pid < 0)
		die("fork");
	if (!pid) {
		null = open("/dev/null", O_RDWR);
		dup2(null, 0);
		dup2(pipes[1], 1);
		dup2(null, 2);
		close(pipes[0]);
		close(pipes[1]);
		execvp(args[0], args);
		_exit(127);
	}
	close(pipes[1]);
	*out = pipes[0];
	return pid;
}

/* Counts lines till the end of the output; false: it took too long. */
static bool count_lines(int fd, double until, uint64_t *lines)
{
	static char buf[65536];
	struct pollfd p = {.fd = fd, .events = POLLIN};

	for (;;) {
		double left = until - now();
		ssize_t i, n;

		if (left <= 0)
			return false;
		if (poll(&p, 1, (int)(left * 1000) + 1) <= 0)
			continue;
		n = read(fd, buf, sizeof(buf));
		if (n <= 0)
			return true;
		for (i = 0; i < n; i++)
			*lines += buf[i] == '\n';
	}
}

static struct outcome run(char **args)
{
	struct outcome o = {0};
	double until = now() + SECONDS_MOST;
	struct rusage usage;
	int fd;
	pid_t pid = start(args, &fd);

	if (!count_lines(fd, until, &o.lines)) {
		o.slow = true;
		kill(pid, SIGKILL);
	}
	close(fd);
	if (wait4(pid, &o.status, 0, &usage) != pid)
		die("wait4");
	o.memory_kb = usage.ru_maxrss;
	return o;
}

static void write_file(const char *path, const uint8_t *p, size_t len)
{
	FILE *f = fopen(path, "wb");

	if (!f || fwrite(p, 1, len, f) != len || fclose(f))
		die(path);
}

/* Adds up; true: the program did what it must not. */
static bool judge(struct tally *t, const struct original *o, enum kind kind,
		  const struct outcome *r, const char **what)
{
	bool zero = WIFEXITED(r->status) && !WEXITSTATUS(r->status);
	bool fat = r->memory_kb > MEMORY_MOST_KB && !getenv("TDAT_MUTATE_ANY_MEMORY");
	/* A cut just before the table of section names costs no event. */
	bool unseen = zero && kind == CUT && r->lines < o->lines;

	t->runs++;
	t->ok += zero;
	t->failed += WIFEXITED(r->status) && WEXITSTATUS(r->status);
	t->slow += r->slow;
	t->signals += !r->slow && WIFSIGNALED(r->status);
	t->fat += fat;
	t->unseen_cuts += unseen;
	t->fewer += zero && r->lines < o->lines;
	*what = r->slow			 ? "took too long"
		: WIFSIGNALED(r->status) ? "died of a signal"
		: fat			 ? "took too much memory"
		: unseen		 ? "ended with 0 though a cut cost lines"
					 : NULL;
	if (WIFEXITED(r->status) && WEXITSTATUS(r->status) > 2)
		*what = "ended with a strange status"; /* a sanitizer's, for one */
	return *what;
}

static void print_tally(const struct tally *t)
{
	int k;

	printf("%-10s %7s %7s %7s %7s %7s %7s %10s %12s\n", "kind", "runs", "exit 0", "exit >0",
	       "signal", "> 10 s", "memory", "0 if cut", "0 and fewer");
	for (k = 0; k < KIND_COUNT; k++, t++)
		printf("%-10s %7llu %7llu %7llu %7llu %7llu %7llu %10llu %12llu\n", kind_names[k],
		       (unsigned long long)t->runs, (unsigned long long)t->ok,
		       (unsigned long long)t->failed, (unsigned long long)t->signals,
		       (unsigned long long)t->slow, (unsigned long long)t->fat,
		       (unsigned long long)t->unseen_cuts, (unsigned long long)t->fewer);
}

/* Mutation number i of the seed: which file, which kind, which numbers. */
static bool try_one(struct original *files, size_t count, uint64_t seed, uint64_t i, char **args,
		    const char *path, struct tally *tally)
{
	uint64_t r = seed * 0x2545f4914f6cdd1du + i;
	const struct original *o = &files[below(&r, count)];
	enum kind kind = (enum kind)below(&r, KIND_COUNT);
	uint8_t *p = malloc(2 * o->len);
	struct outcome out;
	const char *what;
	char keep[256];
	size_t len;

	if (!p)
		die("malloc");
	len = mutate(o, p, kind, &r);
	write_file(path, p, len);
	out = run(args);
	if (judge(&tally[kind], o, kind, &out, &what)) {
		printf("seed %llu, number %llu, %s of %s: %s (status %#x)\n",
		       (unsigned long long)seed, (unsigned long long)i, kind_names[kind], o->path,
		       what, (unsigned)out.status);
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

int main(int argc, char **argv)
{
	bool only = argc > 1 && !strcmp(argv[1], "--count-only");
	struct tally tally[KIND_COUNT] = {{0}};
	char *args[ARGS_MOST + 2], path[] = "mutated.dat";
	uint64_t count, seed, i, bad = 0;
	struct original *files;
	int a = 1 + only, n = 0, file_count = 0;

	if (argc - a < 5) {
		fputs("usage: mutate [--count-only] COUNT SEED FILE... -- PROGRAM [ARG]...\n", stderr);
		return 2;
	}
	count = number(argv[a]);
	seed = number(argv[a + 1]);
	files = calloc((size_t)argc, sizeof(*files));
	if (!files)
		die("calloc");
	for (a += 2; a < argc && strcmp(argv[a], "--"); a++)
		load(&files[file_count++], argv[a]);
	for (a++; a < argc && n < ARGS_MOST; a++)
		args[n++] = argv[a];
	if (!n || !file_count)
		return 2;
	args[n + 1] = NULL;
	for (a = 0; a < file_count; a++) {
		struct outcome whole;

		args[n] = (char *)files[a].path;
		whole = run(args);
		if (!WIFEXITED(whole.status) || WEXITSTATUS(whole.status)) {
			fprintf(stderr, "%s fails on %s as it is\n", args[0], files[a].path);
			if (!only)
				return 2;
		}
		files[a].lines = whole.lines;
	}
	args[n] = path;
	for (i = 0; i < count; i++)
		bad += try_one(files, (size_t)file_count, seed, i, args, path, tally);
	print_tally(tally);
	for (a = 0; a < file_count; a++) {
		free(files[a].ptr);
		free(files[a].spots);
	}
	free(files);
	return bad && !only;
}
