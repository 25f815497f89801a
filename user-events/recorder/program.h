/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Starts the program that is recorded, with the library that is loaded into it. */
#ifndef USER_EVENTS_RECORDER_PROGRAM_H
#define USER_EVENTS_RECORDER_PROGRAM_H

#include <sys/types.h>

#include "session.h"

/* record_library finds the library, beside this program or where it was installed. */
int record_library(char *path, size_t cap);

/*
 * record_program_find finds the program as a shell does and refuses what cannot be recorded. A
 * static program, into which no library can be loaded, sets *is_static.
 */
int record_program_find(const char *name, char *path, size_t cap, bool *is_static);

/*
 * record_program_start starts it, with the library or, where the session has it, by notifications.
 * Processes that lose their parent become children of this one, so that it knows when the last one
 * has ended.
 */
int record_program_start(struct record_session *s, const char *library, const char *path,
			 char *const argv[], pid_t *pid);

#endif
