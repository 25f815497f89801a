/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The second way to record: the kernel notifies the recorder of those system calls of the program
 * by which it reaches user_events, and the recorder answers them. No library is loaded, so that
 * static programs are recorded as well; but each event costs two changes of the process.
 */
#ifndef USER_EVENTS_RECORDER_NOTIFY_H
#define USER_EVENTS_RECORDER_NOTIFY_H

#include "session.h"

struct record_notify;

/* record_notify_new makes what is needed to answer calls; the session must outlive it. */
int record_notify_new(struct record_notify **out, struct record_session *s);
void record_notify_free(struct record_notify *n);

/* record_notify_serve answers calls for some time, and hands events over. */
int record_notify_serve(struct record_notify *n, uint64_t ns);

/* record_notify_stop ends the recording; calls are still to be answered. */
void record_notify_stop(struct record_notify *n);

#endif
