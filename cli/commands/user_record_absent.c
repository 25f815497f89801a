/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Refuses to record user_events, in builds without TDAT_RECORD. */
#include "commands/user_record.h"
#include "terminal/message.h"

static int refuse(const char *what)
{
	cli_error(NULL, "this tdat was built without user-events %s (TDAT_RECORD)", what);
	return CLI_FAILED;
}

int cli_user_record(const struct user_record_args *args, char *const *words, int count)
{
	(void)args;
	(void)words;
	(void)count;
	return refuse("record");
}

int cli_user_enable(const struct user_record_args *args, const char *verb, char *const *globs,
		    int count)
{
	(void)args;
	(void)globs;
	(void)count;
	return refuse(verb);
}
