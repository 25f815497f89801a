/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds closed files and ended processes, and sets bits in the memory of those that run. Files
 * and processes are found to be over by their locks and cookies, since the kernel tells the
 * recorder nothing. Bits in memory of other processes are set only if the process still has its
 * cookie there.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "upkeep.h"

enum { UPKEEP_NS = 1000 * 1000 * 1000 };

/*
 * A process that has ended is kept so long: a child that it made just before may still have to copy
 * its followers, and gets its turn late on a busy machine.
 */
static const uint64_t keep_ns = UINT64_C(10) * UPKEEP_NS;

static void drop_ref(struct ue_shared *shared, uint32_t number)
{
	struct ue_event *e;
	uint32_t status;

	if (number >= UE_EVENTS_MAX)
		return;
	e = &shared->events[number];
	status = e->status;
	if (!e->refs || --e->refs || e->is_persistent)
		return;
	e->is_live = 0;
	if (status && status < UE_STATUS_LEN) {
		shared->status[status] = 0;
		shared->status[status / 8] &= (uint8_t) ~(1u << status % 8);
	}
}

/* An open file holds a lock on its byte, which the kernel takes away with its last descriptor. */
static void reap_files(struct record_session *s)
{
	for (uint32_t i = 0; i < UE_FILES_MAX; i++) {
		struct ue_file *file = &s->shared->files[i];
		struct flock lock = {
			.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = i, .l_len = 1};
		uint32_t count;

		if (!file->is_used || fcntl(s->lock_fd, F_OFD_GETLK, &lock) ||
		    lock.l_type != F_UNLCK)
			continue;
		count = atomic_load(&file->count);
		for (uint32_t k = 0; k < count && k < UE_EVENTS_MAX; k++)
			drop_ref(s->shared, file->events[k]);
		atomic_store(&file->count, 0);
		file->is_used = 0;
	}
}

/* ---- memory of other processes ---- */

static bool read_there(int32_t pid, uint64_t addr, void *out, size_t len)
{
	struct iovec own = {out, len}, there = {(void *)(uintptr_t)addr, len};

	return process_vm_readv(pid, &own, 1, &there, 1, 0) == (ssize_t)len;
}

static bool write_there(int32_t pid, uint64_t addr, void *data, size_t len)
{
	struct iovec own = {data, len}, there = {(void *)(uintptr_t)addr, len};

	return process_vm_writev(pid, &own, 1, &there, 1, 0) == (ssize_t)len;
}

enum presence { GONE, THERE, UNKNOWN };

/* A pid may belong to another process by now, which does not have the cookie. */
static enum presence look_for(const struct ue_process *p)
{
	uint64_t cookie = 0;

	errno = 0;
	if (read_there(p->pid, p->cookie_at, &cookie, sizeof(cookie)))
		return cookie == p->cookie ? THERE : GONE;
	return errno == ESRCH || errno == EFAULT ? GONE : UNKNOWN;
}

/* Whether a process has ended, and so long ago that nobody needs what it follows; or at_once. */
static bool is_over(struct record_session *s, uint32_t i, uint64_t now, bool at_once)
{
	const struct ue_process *p = &s->shared->processes[i];
	uint64_t *since = &s->gone_ns[i];

	if (!p->is_used || look_for(p) != GONE) {
		*since = 0;
		return false;
	}
	if (!*since)
		*since = now;
	return at_once || now - *since >= keep_ns;
}

/* at_once: a table is full, or an event is to be deleted. */
static void reap_processes(struct record_session *s, uint64_t now, bool at_once)
{
	struct ue_shared *shared = s->shared;

	for (uint32_t i = 0; i < UE_PROCESSES_MAX; i++) {
		struct ue_process *p = &shared->processes[i];

		if (!is_over(s, i, now, at_once))
			continue;
		for (uint32_t n = 0; n < UE_FOLLOWERS_MAX; n++) {
			uint32_t number = p->first;
			struct ue_follower *f;

			if (!number || number > UE_FOLLOWERS_MAX)
				break;
			f = &shared->followers[number - 1];
			p->first = f->next;
			drop_ref(shared, f->event);
			f->next = shared->followers_free;
			shared->followers_free = number;
		}
		p->first = 0;
		p->is_used = 0;
		s->gone_ns[i] = 0;
	}
}

/*
 * Other bits of the word are the program's. It is read and written in two steps, and written only
 * where the bit is another: a change of another bit between the two would be undone.
 */
static bool set_bit_there(int32_t pid, const struct ue_follower *f, bool on)
{
	uint64_t word = 0, mask = 1ull << f->bit;
	uint32_t half = 0;

	if (f->size == 8) {
		if (!read_there(pid, f->addr, &word, 8))
			return false;
		if (!(word & mask) == !on)
			return true;
		word ^= mask;
		return write_there(pid, f->addr, &word, 8);
	}
	if (f->bit > 31 || !read_there(pid, f->addr, &half, 4))
		return false;
	if (!(half & (uint32_t)mask) == !on)
		return true;
	half ^= (uint32_t)mask;
	return write_there(pid, f->addr, &half, 4);
}

static void set_bits(struct record_session *s)
{
	struct ue_shared *shared = s->shared;

	for (uint32_t i = 0; i < UE_PROCESSES_MAX; i++) {
		struct ue_process *p = &shared->processes[i];
		uint32_t n = 0;

		if (!p->is_used || !p->first)
			continue;
		switch (look_for(p)) {
		case GONE:
			continue;
		case UNKNOWN:
			s->unfollowed++;
			continue;
		case THERE:
			break;
		}
		for (uint32_t at = p->first; at && at <= UE_FOLLOWERS_MAX && n++ < UE_FOLLOWERS_MAX;
		     at = shared->followers[at - 1].next) {
			const struct ue_follower f = shared->followers[at - 1];

			if (f.event < UE_EVENTS_MAX && f.bit < 64 &&
			    !set_bit_there(p->pid, &f,
					   atomic_load(&shared->events[f.event].enabled)))
				s->unfollowed++;
		}
	}
}

void record_upkeep(struct record_session *s)
{
	uint32_t changes = atomic_load(&s->shared->enable_changes);
	uint32_t wanted = atomic_load(&s->shared->reap_wanted);
	uint64_t now = record_now_ns();
	const bool asked = wanted != atomic_load(&s->shared->reap_done);
	const bool reap = asked || now - s->upkeep_ns > UPKEEP_NS;

	if (!reap && changes == s->enable_changes)
		return;
	if (s->before_upkeep)
		s->before_upkeep(s->notify);
	if (!record_lock(s))
		return;
	if (reap) {
		reap_files(s);
		reap_processes(s, now, asked);
		s->upkeep_ns = now;
	}
	if (changes != s->enable_changes)
		set_bits(s);
	pthread_mutex_unlock(&s->shared->lock);
	s->enable_changes = changes;
	atomic_store(&s->shared->reap_done, wanted);
}
