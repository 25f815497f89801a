/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Declares the command tdat user-events, for the table of cli/main.c. */
#ifndef USER_EVENTS_COMMANDS_USER_EVENTS_H
#define USER_EVENTS_COMMANDS_USER_EVENTS_H

#include "args/parse.h"

extern const struct cli_cmd cli_cmd_user_events;

#endif
