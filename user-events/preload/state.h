/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Declares what the files of the preloaded library share: the state of the process, the next
 * definition of each interposed function, and the steps behind them. The recorder contains
 * registry.c, ioctl.c, paths.c, text.c and text_write.c as well, for programs that the library
 * cannot be loaded into; there recorder/notify_memory.c has attach.c's and memory.c's part, and the
 * program is the process whose call is being answered.
 */
#ifndef TDAT_PRELOAD_STATE_H
#define TDAT_PRELOAD_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/uio.h>

#include "layout.h"

enum ue_kind {
	UE_NONE = 0,
	UE_DATA,    /* user_events_data; number: of struct ue_file */
	UE_STATUS,  /* user_events_status */
	UE_DYNAMIC, /* dynamic_events */
	UE_ENABLE,  /* events/user_events/NAME/enable; number: event, or UE_ALL */
	UE_FORMAT,  /* events/user_events/NAME/format */
	UE_ID	    /* events/user_events/NAME/id */
};

enum { UE_ALL = 0xffffff, UE_FD_MAX = 65536 };

struct ue_target {
	enum ue_kind kind;
	uint32_t number;
};

/*
 * Written zero by the kernel in each child, however it was made (MADV_WIPEONFORK): the child's
 * memory is a copy, but the rings of its parent are not its own.
 */
struct ue_wiped {
	uint64_t cookie;
	uint64_t generation;
};

struct ue_state {
	struct ue_shared *shared; /* NULL: nothing is recorded */
	struct ue_wiped *wiped;
	char path[64]; /* of the shared memory */
	char preload[4096];
	_Atomic uint64_t generations;
	uint64_t cookie; /* that of wiped, which a child sees of its parent, too */
	_Atomic int32_t pid;
	uint32_t process;		 /* of struct ue_process + 1, or 0 */
	bool uses_data;			 /* it has opened a user_events_data */
	bool is_early;			 /* the program uses the interface of 5.18 to 6.3 */
	_Atomic uint32_t fds[UE_FD_MAX]; /* kind << 24 | number */
};

extern struct ue_state ue;

/* ISO C has neither expressions of statements nor functions found by dlsym(). */
#pragma GCC diagnostic ignored "-Wpedantic"

/* ---- next.c ---- */

/* ue_next returns the definition behind this library's. */
void *ue_next(const char *name);
#define UE_NEXT(name)                                                                              \
	({                                                                                         \
		static __typeof__(&name) next_;                                                    \
		if (__builtin_expect(!next_, 0))                                                   \
			next_ = (__typeof__(&name))ue_next(#name);                                 \
		next_;                                                                             \
	})

/* ---- attach.c ---- */

/* ue_lock_registry blocks signals and takes the lock; ue_unlock_registry undoes both. */
void ue_lock_registry(void);
void ue_unlock_registry(void);
/* ue_current makes the process known after a fork that this library did not see. */
void ue_current(void);
void ue_wake_recorder(void);
/* ue_identify says which process this is: its pid and cookie. */
void ue_identify(struct ue_process *p);
/*
 * ue_ask_to_reap has the recorder free what ended processes and closed files still hold, where that
 * is in the way of a call.
 */
void ue_ask_to_reap(void);
/* ue_open_of_recorder opens a descriptor of the recorder anew. */
int ue_open_of_recorder(int fd, int flags);

/* ---- files.c ---- */

static inline uint32_t ue_fd(int fd)
{
	if (__builtin_expect((unsigned int)fd >= UE_FD_MAX, 0))
		return 0;
	return atomic_load_explicit(&ue.fds[fd], memory_order_relaxed);
}
#define UE_FD_KIND(entry) ((enum ue_kind)((entry) >> 24))
#define UE_FD_NUMBER(entry) ((entry)&0xffffff)

/* ue_refuse returns -1, with errno. */
static inline int ue_refuse(int errnum)
{
	errno = errnum;
	return -1;
}

/* ue_open opens a file of user_events; -1 and errno. */
int ue_open(struct ue_target target, int flags);
/*
 * ue_open_path opens one of the files by its path, *fd being as ue_open has it. False: the path is
 * another file's, or O_PATH opens nothing that has contents.
 */
bool ue_open_path(int dirfd, const char *path, int flags, int *fd);
/* ue_adopt finds out what a descriptor is that came from elsewhere, and remembers it. */
uint32_t ue_adopt(int fd);
/*
 * ue_is_still_ours returns false, and forgets the descriptor, when the program closed it by a call
 * that is not interposed.
 */
bool ue_is_still_ours(int fd);
void ue_fd_set(int fd, uint32_t entry);
void ue_adopt_all(void);
/*
 * ue_is_borrowed tells whether this is a child of vfork(), which runs in the memory of its parent.
 */
bool ue_is_borrowed(void);

/* ---- paths.c ---- */

/*
 * ue_path_of tells which of the files a path names that a process has ("self", or its number);
 * UE_NONE for all others.
 */
struct ue_target ue_path_of(const char *process, int dirfd, const char *path);

static inline struct ue_target ue_path(int dirfd, const char *path)
{
	return ue_path_of("self", dirfd, path);
}

/* ---- registry.c: all return 0 or an errno, and need no lock ---- */

int ue_register(uint32_t file, const char *command, uint16_t flags, void *enable, uint8_t bit,
		uint8_t size, uint32_t *index, uint32_t *status);
int ue_unregister(uint64_t addr, uint8_t bit);
int ue_delete(const char *name);
/* ue_opening does what opening a file does beside: of dynamic_events, with O_TRUNC. */
void ue_opening(struct ue_target target, int flags);
/* ue_define takes a line that was written to dynamic_events. */
int ue_define(const char *line);
int ue_enable(uint32_t number, bool on);
int ue_find(const char *system, const char *name, uint32_t *number);
/* ue_lock_slot locks or unlocks the byte of a struct ue_file, by F_WRLCK or F_UNLCK. */
bool ue_lock_slot(int fd, uint32_t slot, short type);
/* ue_take_slot takes a free struct ue_file and locks its byte; -1: none is free. Under lock. */
int ue_take_slot(int fd);
/* ue_set_enabled enables or disables an event, in the status page, too. Under lock. */
void ue_set_enabled(struct ue_shared *s, struct ue_event *e, bool on);
/* ue_drop_ref takes one reference from an event, which may be its end. Under lock. */
void ue_drop_ref(struct ue_shared *s, uint32_t number);
/* ue_remove_follower takes the follower *at, a number + 1, out of its list. Under lock. */
void ue_remove_follower(struct ue_shared *s, uint32_t *at);
/* ue_own_process makes the process known; NULL when there are too many. Under lock. */
struct ue_process *ue_own_process(void);
/*
 * ue_follow_again copies the followers of the parent (a number of struct ue_process + 1) to this
 * new process, unless the parent ended and was forgotten: its place may be another's, who has
 * another cookie and followers at other addresses.
 */
void ue_follow_again(uint32_t parent, uint64_t cookie);
void ue_detach(void);

/* ---- text.c ---- */

/* ue_text makes the text of a file; the caller frees it. NULL without memory. */
char *ue_text(struct ue_target target, size_t *len);

/* ---- memory.c ---- */

/* These tell whether the program could itself read or write there. */
bool ue_readable(const void *p, size_t len);
bool ue_writable(void *p, size_t len);
/* ue_get and ue_put copy from and to memory of the program; false: it has none there. */
bool ue_get(void *out, const void *from, size_t len);
bool ue_put(void *to, const void *from, size_t len);
/* ue_string copies a string of the program: 0, EFAULT, or EINVAL when it has cap bytes or more. */
int ue_string(char *out, size_t cap, const char *from);
/* ue_set_bit sets or clears a bit of a word of the program that can be written. */
void ue_set_bit(uint64_t addr, uint8_t bit, uint8_t size, bool on);

/* ---- text_write.c ---- */

/*
 * ue_write_text writes to dynamic_events, which takes lines, or to enable, which takes a number; -1
 * and errno.
 */
ssize_t ue_write_text(uint32_t entry, const char *data, size_t len);

/* ---- write.c ---- */

ssize_t ue_write(uint32_t entry, const void *data, size_t len);
ssize_t ue_writev(uint32_t entry, const struct iovec *iov, int count);

enum ue_confinement { UE_FREE = 0, UE_FILTERED, UE_STRICT };
/* These stand around a call by which the thread confines itself. */
void ue_before_seccomp(void);
void ue_after_seccomp(enum ue_confinement confinement);
/* ue_is_confined tells whether the thread may be refused other calls than those of the program. */
bool ue_is_confined(void);

/* ---- ioctl.c ---- */

int ue_ioctl(uint32_t entry, unsigned long request, void *arg);

#endif
