/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints messages on standard error, one line each: "tdat: FILE: sentence", with control characters
 * escaped. Every message of the program goes through it. Callers decide the exit status.
 */
#include "terminal/message.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "core/utf8.h"
#include "terminal/safe_text.h"

/* The lock keeps the line whole if several threads complain. */
static void put_line(const char *file, const char *sentence)
{
	flockfile(stderr);
	fputs("tdat: ", stderr);
	if (file) {
		cli_put_str(stderr, file);
		fputs(": ", stderr);
	}
	cli_put_str(stderr, sentence);
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
	/* Without memory the format itself is better than silence. */
	put_line(file, text ? text : fmt);
	free(text);
}

/*
 * True if a sentence names the file: at its begin, behind "cannot open" and the like, behind "of"
 * or "write". A file may be called like any other word of it, "trace.dat" or "empty". The library
 * writes
 * '?' for control characters, so the name is compared in that form.
 */
static bool names_file(const char *sentence, const char *file)
{
	const char *verb = strncmp(sentence, "cannot ", 7) ? NULL : strchr(sentence + 7, ' ');
	char *clean = strdup(file);
	bool found = false;

	if (!clean)
		return false;
	tdat_utf8_clean(clean);
	for (const char *p = sentence; *clean && !found && (p = strstr(p, clean)); p++)
		found = p == sentence || (verb && p == verb + 1) ||
			(p - sentence > 4 && !memcmp(p - 4, " of ", 4)) ||
			(p - sentence > 7 && !memcmp(p - 7, " write ", 7));
	free(clean);
	return found;
}

/*
 * Prints a failure of the library and returns its exit status. The file's name is added if the
 * sentence lacks it.
 */
int cli_fail(const char *file, const struct tdat_error *err)
{
	if (file && (!strcmp(file, "-") || names_file(err->message, file)))
		file = NULL;
	put_line(file, err->message);
	return err->status == TDAT_E_USAGE ? CLI_USAGE : CLI_FAILED;
}

void cli_left_out(const char *table, uint64_t count, const char *what)
{
	cli_error(NULL, "%s: omitted %" PRIu64 " times: %s", table, count, what);
}

int cli_nomem(void)
{
	put_line(NULL, "out of memory");
	return CLI_FAILED;
}
