/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The work of the recorder for programs, apart from reading their events. */
#ifndef USER_EVENTS_RECORDER_UPKEEP_H
#define USER_EVENTS_RECORDER_UPKEEP_H

#include "session.h"

/*
 * record_upkeep frees what closed files and ended processes held, when a program asked for it or
 * some time has passed, and sets the bits of other processes after events were enabled.
 */
void record_upkeep(struct record_session *s);

#endif
