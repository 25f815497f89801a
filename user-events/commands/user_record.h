/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Declares the verbs record, enable and disable of tdat user-events. */
#ifndef CLI_USER_RECORD_H
#define CLI_USER_RECORD_H

#include "args/arg_list.h"
#include "output/output_file.h"

struct user_record_args {
	struct cli_output_file out;
	struct cli_list globs;
	const char *control; /* path of the socket, or NULL */
	bool notify;	     /* by notifications, whatever the program is */
	uint64_t ring_len;
	uint64_t wait_ms;
};

/* cli_user_record records a program; words are it and its arguments. */
int cli_user_record(const struct user_record_args *args, char *const *words, int count);

/* cli_user_enable asks a running recorder to enable or disable events. */
int cli_user_enable(const struct user_record_args *args, const char *verb, char *const *globs,
		    int count);

#endif
