/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "terminal/common.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "core/utf8.h"

void cli_put_text(FILE *to, const char *text, size_t len)
{
	while (len) {
		uint32_t code = 0;
		size_t n = tdat_utf8_len(text, len, &code);

		if (n && code >= 0x20 && !(code >= 0x7f && code < 0xa0)) {
			fwrite(text, 1, n, to);
		} else {
			n = n ? n : 1;
			for (size_t i = 0; i < n; i++)
				fprintf(to, "\\x%02x", (unsigned int)(uint8_t)text[i]);
		}
		text += n;
		len -= n;
	}
}

/* A character is never split over two calls: all of them lie on one line. */
void cli_put_lines(FILE *to, const char *text, size_t len)
{
	size_t n;

	for (; len; text += n, len -= n) {
		for (n = 0; n < len && text[n] != '\n' && text[n] != '\t'; n++)
			;
		cli_put_text(to, text, n);
		if (n < len)
			putc(text[n++], to);
	}
}

bool cli_put_stored(const char *text, size_t len, bool raw)
{
	if (raw || !isatty(STDOUT_FILENO))
		return !len || fwrite(text, 1, len, stdout) == len;
	cli_put_lines(stdout, text, len);
	return !ferror(stdout);
}

static void put_line(const char *file, const char *sentence)
{
	flockfile(stderr);
	fputs("tdat: ", stderr);
	if (file) {
		cli_put_text(stderr, file, strlen(file));
		fputs(": ", stderr);
	}
	cli_put_text(stderr, sentence, strlen(sentence));
	putc('\n', stderr);
	funlockfile(stderr);
}

void cli_error(const char *file, const char *fmt, ...)
{
	va_list args;
	char *text = NULL;

	va_start(args, fmt);
	if (vasprintf(&text, fmt, args) < 0)
		text = NULL;
	va_end(args);
	put_line(file, text ? text : fmt);
	free(text);
}

/* The library puts '?' for control bytes: compare as it would have written. */
static bool names_file(const char *sentence, const char *file)
{
	char *clean = strdup(file);
	bool found;

	if (!clean)
		return false;
	for (char *c = clean; *c; c++)
		if ((uint8_t)*c < 0x20 || *c == 0x7f)
			*c = '?';
	found = strstr(sentence, clean) != NULL;
	free(clean);
	return found;
}

int cli_fail(const char *file, const struct tdat_error *err)
{
	if (file && (!strcmp(file, "-") || names_file(err->message, file)))
		file = NULL;
	put_line(file, err->message);
	return err->status == TDAT_E_USAGE ? CLI_USAGE : CLI_FAILED;
}

int cli_nomem(void)
{
	put_line(NULL, "out of memory");
	return CLI_FAILED;
}

enum { NEAREST_LEN = 64 };

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Optimal string alignment distance of what fits in NEAREST_LEN bytes. */
static size_t edit_distance(const char *a, const char *b)
{
	size_t rows[3][NEAREST_LEN + 1];
	size_t *before = rows[0], *prev = rows[1], *cur = rows[2];
	size_t a_len = strnlen(a, NEAREST_LEN), b_len = strnlen(b, NEAREST_LEN);

	for (size_t j = 0; j <= b_len; j++)
		prev[j] = j;
	for (size_t i = 1; i <= a_len; i++) {
		size_t *spare = before;

		cur[0] = i;
		for (size_t j = 1; j <= b_len; j++) {
			cur[j] = least(least(prev[j], cur[j - 1]) + 1,
				       prev[j - 1] + (a[i - 1] != b[j - 1]));
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				cur[j] = least(cur[j], before[j - 2] + 1);
		}
		before = prev;
		prev = cur;
		cur = spare;
	}
	return prev[b_len];
}

const char *cli_nearest(const char *word, const char *const *names, size_t count)
{
	const char *best = NULL;
	size_t best_distance = SIZE_MAX;

	for (size_t i = 0; i < count; i++) {
		size_t distance = edit_distance(word, names[i]);

		if (distance < best_distance) {
			best_distance = distance;
			best = names[i];
		}
	}
	return best;
}

void cli_stdio_guard(void)
{
	/* The wrong way round on purpose: using a closed stream stays an error. */
	static const int flags[3] = {O_WRONLY, O_RDONLY, O_WRONLY};

	for (int fd = 0; fd < 3; fd++)
		if (fcntl(fd, F_GETFD) < 0 && errno == EBADF && open("/dev/null", flags[fd]) != fd)
			_exit(CLI_FAILED);
}

int cli_stdout_close(int status)
{
	/* An error of an earlier write has lost its errno by now. */
	bool earlier = ferror(stdout) != 0;

	errno = 0;
	if (fclose(stdout) == 0 && !earlier)
		return status;
	if (errno)
		cli_error(NULL, "cannot write to standard output: %s", strerror(errno));
	else
		cli_error(NULL, "cannot write to standard output");
	return CLI_FAILED;
}

void cli_raise_file_limit(void)
{
	struct rlimit lim;

	if (getrlimit(RLIMIT_NOFILE, &lim) || lim.rlim_cur == lim.rlim_max)
		return;
	lim.rlim_cur = lim.rlim_max;
	setrlimit(RLIMIT_NOFILE, &lim);
}

bool cli_color(FILE *to)
{
	const char *no_color = getenv("NO_COLOR");
	const char *term = getenv("TERM");

	if (no_color && *no_color)
		return false;
	return term && *term && strcmp(term, "dumb") != 0 && isatty(fileno(to));
}
