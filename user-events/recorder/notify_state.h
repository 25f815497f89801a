/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Declares what the files that answer system calls share. */
#ifndef USER_EVENTS_RECORDER_NOTIFY_STATE_H
#define USER_EVENTS_RECORDER_NOTIFY_STATE_H

#include <linux/seccomp.h>
#include <sys/uio.h>

#include "preload/check.h"
#include "preload/state.h"
#include "notify_filter.h"
#include "recorder.h"

enum {
	NOTIFY_FDS_BELOW = 1024, /* where they end: select() takes none behind */
	NOTIFY_THREADS = 256,
	NOTIFY_IOV_MAX = 1024
};

/*
 * A file that was opened: a nameless file of memory, known by its inode wherever a descriptor of it
 * got to. Each open file description of it holds a lock, so that the recorder sees when the last
 * one was closed.
 */
struct notify_file {
	uint64_t inode; /* 0: not in use */
	uint32_t entry; /* kind << 24 | number, as of struct ue_state */
	int fd;
	bool writes; /* sealed, as what the program writes must not get into it */
};

/* A thread that wrote events. */
struct notify_thread {
	int32_t tid;
	int stat_fd;
	char comm[16];
};

struct record_notify {
	struct record_session *session;
	struct seccomp_notif *req;
	struct seccomp_notif_resp *resp;
	size_t req_len, resp_len; /* as the kernel has them */
	bool is_over;
	uint64_t now_ns;

	uint64_t dev; /* of all files of memory */
	struct notify_file files[UE_FILES_MAX];
	uint32_t last_file;
	int slots_fd; /* holds the locks by which upkeep knows what is in use */
	int page_fd;  /* the status page */
	uint64_t page_inode;
	uint8_t *page;

	struct notify_thread threads[NOTIFY_THREADS];
	uint64_t forked_ns[UE_PROCESSES_MAX]; /* when a process last forked; 0: its children are
						 known */
	struct iovec iov[NOTIFY_IOV_MAX];
	uint8_t data[UE_CHECKED_LEN];
};

/* ---- notify_calls.c ---- */

/* notify_answer_call receives a call and answers it; the event that it wrote is handed over. */
int notify_answer_call(struct record_notify *n);

/* ---- notify_stat.c ---- */

/*
 * notify_stat answers a call, NOTIFY_ACCESS to NOTIFY_STATX, about a file of the recorder's; false:
 * the call is about another file, or for the kernel to refuse.
 */
bool notify_stat(const struct seccomp_notif *req, enum notify_call call, int *errnum);

/* ---- notify_files.c ---- */

int notify_files_init(struct record_notify *n);
void notify_files_fini(struct record_notify *n);
/* notify_files_reap frees the files that nobody has open any more. */
void notify_files_reap(struct record_notify *n);
/* notify_page_update copies the status page to where programs have it mapped. */
void notify_page_update(struct record_notify *n);

/* notify_file_open opens a file anew: a descriptor to be handed over; -1 and errno. */
int notify_file_open(struct record_notify *n, struct ue_target target, int flags);

/* notify_file_again makes another descriptor of an open file, or of the status page (NULL). */
int notify_file_again(struct record_notify *n, const struct notify_file *file);

/* notify_file_refresh makes the text of a file that is only read anew. */
void notify_file_refresh(const struct notify_file *file);

/* notify_file_of tells which file a descriptor of a thread is: false, when it is none of these. */
bool notify_file_of(struct record_notify *n, int32_t tid, int fd, struct notify_file **file);

/* notify_free_fd finds a number that a thread does not use, from least on; -1 without. */
int notify_free_fd(const struct record_notify *n, int32_t tid, int least);

/* notify_fd_info finds out position and flags of a descriptor; false when there is none. */
bool notify_fd_info(int32_t tid, int fd, long long *position, unsigned int *flags);

/* ---- notify_memory.c ---- */

/* notify_caller_set says of which thread a call is answered: its memory is meant from now on. */
void notify_caller_set(struct record_session *s, int32_t tid);
/* notify_caller_pid finds out its process. */
int32_t notify_caller_pid(void);
/* notify_caller_find finds what the registry knows of its process. */
void notify_caller_find(void);
/* notify_process_of returns the number of a process + 1, or 0 when it has none. */
uint32_t notify_process_of(int32_t pid);
/* notify_follow copies the bits of a process (its number + 1) to a child that has no entry yet. */
void notify_follow(struct record_session *s, int32_t pid, uint32_t parent);

/* ---- notify_forks.c ---- */

/* notify_caller_process finds the process of the caller, also one that came by fork. */
void notify_caller_process(struct record_notify *n);
/* notify_forked remembers that the caller is about to have a child. */
void notify_forked(struct record_notify *n);
/* notify_adopt_all looks for all children that are not yet known. */
void notify_adopt_all(struct record_notify *n);

/* ---- notify_thread.c ---- */

/* notify_thread_look finds out the CPU of a thread, and its name. */
uint32_t notify_thread_look(struct record_notify *n, int32_t tid);
void notify_threads_fini(struct record_notify *n);

#endif
