/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the rings of all threads in order of time. */
#ifndef USER_EVENTS_RECORDER_RINGS_H
#define USER_EVENTS_RECORDER_RINGS_H

#include "session.h"

/*
 * record_drain hands over the records that are there, up to the earliest time that a record still
 * being written may have. *count gets their number. With at_end nobody writes any more.
 */
int record_drain(struct record_session *s, bool at_end, uint64_t *count);

#endif
