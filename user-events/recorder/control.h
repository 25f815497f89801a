/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The socket by which events are enabled and disabled while they are recorded. */
#ifndef USER_EVENTS_RECORDER_CONTROL_H
#define USER_EVENTS_RECORDER_CONTROL_H

#include "session.h"

/* record_control_open makes the socket at path; *fd is the caller's. */
int record_control_open(const char *path, int *fd);

/* record_control_serve answers those who are waiting. */
void record_control_serve(struct record_session *s, int fd);

/* record_control_ask is the other side: "enable" or "disable" and a glob. */
int record_control_ask(const char *path, const char *verb, const char *glob);

#endif
