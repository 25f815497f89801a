/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which system calls the recorder is notified of, and how it gets to be notified. */
#ifndef USER_EVENTS_RECORDER_NOTIFY_FILTER_H
#define USER_EVENTS_RECORDER_NOTIFY_FILTER_H

#include <stdint.h>

/* The kinds of system calls that the recorder is notified of. */
enum notify_call {
	NOTIFY_OPEN,
	NOTIFY_OPENAT,
	NOTIFY_OPENAT2,
	NOTIFY_ACCESS,
	NOTIFY_ACCESSAT,
	NOTIFY_STAT,
	NOTIFY_STATAT,
	NOTIFY_STATX,
	NOTIFY_FORK,
	/* All that follow: only with a descriptor that has one of the numbers. */
	NOTIFY_IOCTL,
	NOTIFY_WRITE,
	NOTIFY_WRITEV,
	NOTIFY_PWRITE,
	NOTIFY_READ,
	NOTIFY_PREAD,
	NOTIFY_DUP,
	NOTIFY_FCNTL,
	NOTIFY_MMAP
};

enum { NOTIFY_FDS = 64 }; /* numbers that descriptors of the recorder's files have */

struct notify_rule {
	int number;
	enum notify_call call;
};

/* notify_rule_of returns what a call does, or NULL. */
const struct notify_rule *notify_rule_of(int number);

/*
 * notify_install is for the new process: it asks for notifications of this process and its children
 * from now on, and hands the listener over by a socket.
 */
void notify_install(uint32_t first_fd, int socket);

/* notify_receive is the recorder's side: it gets the listener, or tells why there is none. */
int notify_receive(int socket, const char *program, int *listener);

#endif
