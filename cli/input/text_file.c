/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads a small text file that an option names: setups, queries and lists of options. The size is
 * bounded, devices and NUL bytes are refused.
 */
#include "input/text_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/build.h"
#include "terminal/message.h"

enum { STEP = 4096 };

/*
 * Reads at most one byte more than allowed, which shows that the file is too long, and adds a NUL.
 */
static bool read_most(FILE *from, size_t most, struct tdat_build *out)
{
	uint8_t *room;
	size_t n = 1;

	while (n && out->len <= most && (room = tdat_build_room(out, STEP))) {
		const size_t left = most + 1 - out->len;

		n = fread(room, 1, left < STEP ? left : STEP, from);
		out->len += n;
	}
	tdat_build_u8(out, 0);
	return !ferror(from);
}

/* A device such as /dev/zero never ends. */
static bool is_device(FILE *from)
{
	struct stat st;

	return !fstat(fileno(from), &st) && (S_ISCHR(st.st_mode) || S_ISBLK(st.st_mode));
}

static int read_text(FILE *from, const char *path, size_t most, const char *what, int refused,
		     struct tdat_build *out)
{
	const bool ok = read_most(from, most, out);

	if (!ok) {
		cli_error(path, "cannot read: %s", strerror(errno));
		return CLI_FAILED;
	}
	if (out->failed)
		return cli_nomem();
	if (out->len - 1 > most) {
		cli_error(path, "it has more than %zu bytes, too many for %s", most, what);
		return refused;
	}
	if (memchr(out->ptr, 0, out->len - 1)) {
		cli_error(path, "it contains a NUL byte and is not %s", what);
		return refused;
	}
	return CLI_OK;
}

/*
 * Returns the text, which free() frees, in *text. `refused` is the exit status for a file that is
 * not a text.
 */
int cli_text_file(const char *path, size_t most, const char *what, int refused, char **text)
{
	FILE *from = strcmp(path, "-") ? fopen(path, "re") : stdin;
	struct tdat_build out;
	int rc;

	*text = NULL;
	if (!from) {
		cli_error(path, "cannot open: %s", strerror(errno));
		return CLI_FAILED;
	}
	if (from != stdin && is_device(from)) {
		cli_error(path, "it is a device, not %s", what);
		fclose(from);
		return refused;
	}
	tdat_build_init(&out, false);
	rc = read_text(from, path, most, what, refused, &out);
	if (from != stdin)
		fclose(from);
	*text = (char *)out.ptr;
	return rc;
}
