/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Knows on which CPU a thread is, and its name. A descriptor of /proc/TID/task/TID/stat is kept
 * for each thread, so that an event costs one read.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "recorder.h"
#include "notify_state.h"

enum { PROCESSOR = 39, STATE = 3 }; /* fields of stat, numbered as proc(5) does */

/* Reads stat by a descriptor that is kept: it fails once the thread has ended. */
static ssize_t read_stat(struct notify_thread *t, int32_t tid, char *text, size_t cap)
{
	ssize_t len = t->tid == tid ? pread(t->stat_fd, text, cap, 0) : -1;
	char path[64];

	if (len > 0)
		return len;
	if (t->tid)
		close(t->stat_fd);
	t->tid = 0;
	snprintf(path, sizeof(path), "/proc/%d/task/%d/stat", (int)tid, (int)tid);
	t->stat_fd = open(path, O_RDONLY | O_CLOEXEC);
	if (t->stat_fd < 0)
		return -1;
	t->tid = tid;
	t->comm[0] = '\0';
	return pread(t->stat_fd, text, cap, 0);
}

/* A thread that ended meanwhile, or an odd line, counts for CPU 0. */
uint32_t notify_thread_look(struct record_notify *n, int32_t tid)
{
	/* Threads share the places of the table by their tid: the last one has it. */
	struct notify_thread *t = &n->threads[(uint32_t)tid % NOTIFY_THREADS];
	char text[1024], comm[16] = "";
	ssize_t len = read_stat(t, tid, text, sizeof(text) - 1);
	const char *from, *to;
	unsigned long cpu;

	if (len <= 0)
		return 0;
	text[len] = '\0';
	/* A name may contain parentheses and blanks, so it ends with the last one. */
	from = strchr(text, '(');
	to = strrchr(text, ')');
	if (!from || !to || to < from)
		return 0;
	len = to - from - 1;
	memcpy(comm, from + 1, len < 15 ? (size_t)len : 15);
	if (memcmp(comm, t->comm, sizeof(comm)) != 0) {
		memcpy(t->comm, comm, sizeof(comm));
		record_note_comm(n->session, tid, comm);
	}
	/* Behind the name each blank is followed by the next field. */
	for (int field = STATE; to && field <= PROCESSOR; field++)
		to = strchr(to + 1, ' ');
	cpu = to ? strtoul(to, NULL, 10) : 0;
	return cpu < n->session->cpu_count ? (uint32_t)cpu : 0;
}

void notify_threads_fini(struct record_notify *n)
{
	for (size_t i = 0; i < NOTIFY_THREADS; i++)
		if (n->threads[i].tid)
			close(n->threads[i].stat_fd);
}
