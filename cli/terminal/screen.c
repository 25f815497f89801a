/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Asks the terminal and the environment how text is to be laid out. */
#include "terminal/screen.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "core/utf8.h"
#include "terminal/pager.h"

/* A terminal that does not know its size has 80 columns, as the first ones had. */
enum { USUAL_WIDTH = 80, WIDEST = 10000 };

size_t cli_screen_width(void)
{
	const char *columns = getenv("COLUMNS");
	const long asked = columns ? strtol(columns, NULL, 10) : 0;
	struct winsize size;

	if (!cli_is_terminal())
		return 0;
	if (asked > 0 && asked <= WIDEST)
		return (size_t)asked;
	if (cli_pager_width())
		return cli_pager_width();
	return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) || !size.ws_col ? USUAL_WIDTH : size.ws_col;
}

/* A word that is longer than a line is printed as a whole: file names are copied from the screen.
 */
void cli_fold(const char *text, size_t column, size_t hang, size_t width)
{
	for (bool first = true; *text; first = false) {
		const size_t len = strcspn(text, " ");
		const size_t wide = tdat_utf8_count((const uint8_t *)text, len);

		if (!first && width && column + 1 + wide > width) {
			printf("\n%*s", (int)hang, "");
			column = hang;
		} else if (!first) {
			putchar(' ');
			column++;
		}
		fwrite(text, 1, len, stdout);
		column += wide;
		text += len + (text[len] == ' ');
	}
	putchar('\n');
}

void cli_screen_fold(const char *text, size_t column, size_t hang)
{
	cli_fold(text, column, hang, cli_screen_width());
}

/*
 * The variables in the order in which setlocale(3) reads them. The program itself stays in the
 * locale "C".
 */
bool cli_screen_is_utf8(void)
{
	static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const char *v = getenv(names[i]);

		if (v && *v)
			return strstr(v, "UTF-8") || strstr(v, "utf8") || strstr(v, "UTF8");
	}
	return false;
}
