/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The user_events_status file of tracefs: its text, and pages mapped from it before 6.4. */
#ifndef CLI_USER_STATUS_H
#define CLI_USER_STATUS_H

enum cli_status_way { CLI_STATUS_AUTO, CLI_STATUS_BYTE, CLI_STATUS_BIT };

/* Names of the ways, ended by NULL. */
extern const char *const cli_status_ways[];

/* cli_status_files prints what each file says. Returns an exit status. */
int cli_status_files(char *const *paths, int count, enum cli_status_way way);

#endif
