/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The interactive part of tdat sql: reads statements line by line, and runs them. A statement
 * may go over several lines, until SQLite finds it complete. Names are completed from tables,
 * columns and keywords. The first interrupt ends the query, the second one the program.
 */
#include "commands/sql_shell.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "commands/sql_commands.h"
#include "core/build.h"
#include "terminal/message.h"

static volatile sig_atomic_t interrupted;

/* The first signal ends the query, the second one the program. */
static void on_interrupt(int number)
{
	(void)number;
	if (interrupted)
		_exit(130);
	interrupted = 1;
}

/* ---- completion ---- */

/* Words that complete what is typed, one by one. */
struct words {
	const char *typed;
	size_t len;
	int left; /* so many of the words that fit are still to be skipped */
	char *found;
};

static bool offer(struct words *w, const char *name)
{
	if (w->found || !name || sqlite3_strnicmp(name, w->typed, (int)w->len) != 0)
		return w->found;
	if (w->left-- == 0)
		w->found = strdup(name);
	return w->found;
}

/* Offers a name in quotes where it needs them or the user has begun with one. */
static void offer_table(struct words *w, const char *name)
{
	char *quoted;

	if (*w->typed != '"' && !strpbrk(name, "/\" -:.")) {
		offer(w, name);
		return;
	}
	quoted = sqlite3_mprintf("\"%w\"", name);
	if (*w->typed == '"')
		offer(w, quoted);
	else if (!sqlite3_strnicmp(name, w->typed, (int)w->len) && w->left-- == 0 && quoted)
		w->found = strdup(quoted);
	sqlite3_free(quoted);
}

static bool offer_column(void *ctx, const char *column)
{
	struct words *w = ctx;

	offer_table(w, column);
	return !w->found;
}

static void offer_keywords(struct words *w)
{
	for (int i = 0; i < sqlite3_keyword_count() && !w->found; i++) {
		const char *name;
		char word[32];
		int len;

		if (sqlite3_keyword_name(i, &name, &len) || len >= (int)sizeof(word))
			continue;
		memcpy(word, name, (size_t)len);
		word[len] = '\0';
		offer(w, word);
	}
}

static char *complete(void *ctx, const char *line, const char *typed, int n)
{
	static const char *const points[] = {".help", ".mode", ".quit", ".schema", ".tables"};
	static const char *const functions[] = {"comm(", "log2_bucket(", "percentile(", "sym(",
						"time("};
	struct cli_sql *s = ((struct cli_sql_shell *)ctx)->session;
	struct words w = {typed, strlen(typed), n, NULL};
	const char *const *views = sql_views();
	size_t count;
	const struct sql_name *names = sql_trace_names(s->tables, &count);

	for (size_t i = 0; i < sizeof(points) / sizeof(points[0]) && *typed == '.'; i++)
		offer(&w, points[i]);
	if (*typed == '.')
		return w.found;
	cli_sql_columns(s, line, offer_column, &w);
	for (size_t i = 0; i < count && !w.found; i++)
		offer_table(&w, names[i].name);
	for (; *views && !w.found; views++)
		offer(&w, *views);
	for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]) && !w.found; i++)
		offer(&w, functions[i]);
	if (!w.found)
		offer_keywords(&w);
	return w.found;
}

/* ---- lines ---- */

void cli_sql_shell_start(struct cli_sql_shell *shell, struct cli_sql *session)
{
	struct sigaction action = {.sa_handler = on_interrupt};

	*shell = (struct cli_sql_shell){.session = session};
	shell->lines.complete = complete;
	shell->lines.ctx = shell;
	shell->lines.interrupted = &interrupted;
	session->interrupted = &interrupted;
	sigemptyset(&action.sa_mask);
	/* Without SA_RESTART, so that reading a line is interrupted. */
	sigaction(SIGINT, &action, NULL);
	cli_line_start(&shell->lines);
}

/* Runs what has been typed, once it is a whole statement. */
static void take_line(struct cli_sql *s, struct tdat_build *text, const char *line, bool *quit)
{
	if (!text->len && *line == '.') {
		cli_sql_command(s, line, quit);
		return;
	}
	if (!text->len && !line[strspn(line, " \t")])
		return;
	tdat_build_str(text, line);
	tdat_build_str(text, "\n");
	tdat_build_u8(text, 0);
	if (text->failed) {
		cli_nomem();
		*quit = true;
		return;
	}
	text->len--;
	if (text->len > CLI_SQL_SCRIPT_MOST) {
		cli_error(NULL, "a statement of more than %d bytes was discarded",
			  CLI_SQL_SCRIPT_MOST);
		text->len = 0;
		return;
	}
	if (!sqlite3_complete((const char *)text->ptr))
		return;
	interrupted = 0;
	cli_sql_run(s, (const char *)text->ptr);
	fflush(stdout);
	interrupted = 0;
	text->len = 0;
}

int cli_sql_shell_run(struct cli_sql_shell *shell)
{
	struct tdat_build text;
	bool quit = false;
	char *line;

	tdat_build_init(&text, false);
	puts(".help lists commands, .tables lists tables; statements end with a semicolon.");
	while (!quit) {
		/* text keeps what was typed until it is a whole statement, or blank. */
		line = cli_line_read(&shell->lines, text.len ? "   ...> " : "tdat> ");
		if (!line)
			break;
		take_line(shell->session, &text, line, &quit);
		free(line);
		fflush(stdout);
	}
	cli_line_end(&shell->lines);
	tdat_build_fini(&text);
	return shell->session->status;
}
