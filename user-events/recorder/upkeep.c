/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds closed files and ended processes, and sets bits in the memory of those that run. Files
 * and processes are found to be over by their locks and cookies, since the kernel tells the
 * recorder nothing. Bits in memory of other processes are set only if the process still has its
 * cookie there.
 */
#include <errno.h>
#include <fcntl.h>

#include "preload/state.h"
#include "there.h"
#include "recorder.h"

/* Files and processes are tried once a second, as nothing reports their end. */
enum { UPKEEP_NS = 1000 * 1000 * 1000 };

/*
 * A process that has ended is kept so long: a child that it made just before may still have to copy
 * its followers, and gets its turn late on a busy machine.
 */
static const uint64_t keep_ns = UINT64_C(10) * UPKEEP_NS;

/* An open file holds a lock on its byte, which the kernel takes away with its last descriptor. */
static void reap_files(struct record_session *s)
{
	for (uint32_t i = 0; i < UE_FILES_MAX; i++) {
		struct ue_file *file = &s->shared->files[i];
		struct flock lock = {
			.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = i, .l_len = 1};
		uint32_t count;

		/* F_OFD_GETLK finds the locks of all other open file descriptions. */
		if (!file->is_used || fcntl(s->lock_fd, F_OFD_GETLK, &lock) ||
		    lock.l_type != F_UNLCK)
			continue;
		count = atomic_load(&file->count);
		/* Programs can write any count there. */
		for (uint32_t k = 0; k < count && k < UE_EVENTS_MAX; k++)
			ue_drop_ref(s->shared, file->events[k]);
		atomic_store(&file->count, 0);
		file->is_used = 0;
	}
}

/* ---- memory of other processes ---- */

/* UNKNOWN: the kernel does not let the memory be read, as of a program with other rights. */
enum presence { GONE, THERE, UNKNOWN };

/* A pid may belong to another process by now, which does not have the cookie. */
static enum presence look_for(const struct ue_process *p)
{
	uint64_t cookie = 0;

	errno = 0;
	if (there_read(p->pid, p->cookie_at, &cookie, sizeof(cookie)))
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
		/* Counted, as a program may have made a loop of the list. */
		for (uint32_t n = 0;
		     n < UE_FOLLOWERS_MAX && p->first && p->first <= UE_FOLLOWERS_MAX; n++)
			ue_remove_follower(shared, &p->first);
		p->first = 0;
		p->is_used = 0;
		s->gone_ns[i] = 0;
	}
}

/* Sets or clears all bits in the memory of processes by whether their events are enabled. */
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

			if (f.event < UE_EVENTS_MAX && f.bit < 8 * f.size &&
			    !there_set_bit(p->pid, f.addr, f.bit, f.size,
					   atomic_load(&shared->events[f.event].enabled)))
				s->unfollowed++;
		}
	}
}

/* Called after each drain and between notified calls; most times there is nothing to do. */
void record_upkeep(struct record_session *s)
{
	/* Read before the work: what is asked for meanwhile is done by the next call. */
	uint32_t changes = atomic_load(&s->shared->enable_changes);
	uint32_t wanted = atomic_load(&s->shared->reap_wanted);
	uint64_t now = record_now_ns();
	const bool asked = wanted != atomic_load(&s->shared->reap_done);
	const bool reap = asked || now - s->upkeep_ns > UPKEEP_NS;

	if (!reap && changes == s->enable_changes)
		return;
	/*
	 * For notified programs: closed files, and children by fork, before entries of their
	 * parents go.
	 */
	if (s->before_upkeep)
		s->before_upkeep(s->notify);
	/* Tried again at the next call. */
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
