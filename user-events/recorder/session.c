/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes the memory that a recorder of user_events shares with programs. The memory is a file
 * without a name, mapped by the recorder and by each program (preload/layout.h). The lock file
 * is sealed against writes, so none that does not go through the library is lost in silence.
 * Mutexes are robust and shared by processes.
 */
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "core/heap.h"
#include "preload/state.h"
#include "recorder.h"
#include "terminal/message.h"

/*
 * The rings of all threads together take at most 1 << RINGS_SPAN_SHIFT bytes, since each program
 * maps them.
 */
enum { RINGS_SPAN_SHIFT = sizeof(void *) > 4 ? 32 : 27, LOCK_WAIT_NS = 200 * 1000 * 1000 };

/* The clock of all times of a recording, in nanoseconds. */
uint64_t record_now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void init_mutex(pthread_mutex_t *m)
{
	pthread_mutexattr_t attr;

	pthread_mutexattr_init(&attr);
	pthread_mutexattr_setpshared(&attr, PTHREAD_PROCESS_SHARED);
	pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_ROBUST);
	pthread_mutex_init(m, &attr);
	pthread_mutexattr_destroy(&attr);
}

/* Reports what could not be made, with errno. */
static int fail(const char *what)
{
	cli_error("user-events record", "%s: %s", what, strerror(errno));
	return CLI_FAILED;
}

/* Makes both files in memory, and maps the shared one. */
static int make_memory(struct record_session *s, uint32_t ring_count, uint32_t ring_len)
{
	s->shared_len = ue_shared_len(ring_count, ring_len);
	/* The C library has had a function for it since glibc 2.27. */
	s->shared_fd = (int)syscall(SYS_memfd_create, "tdat_user_events_memory", MFD_CLOEXEC);
	s->lock_fd = (int)syscall(SYS_memfd_create, "tdat_user_events_lock",
				  MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (s->shared_fd < 0 || s->lock_fd < 0)
		return fail("cannot create a file in memory");
	/*
	 * A write to the lock file fails, so that none that does not go through the library is lost
	 * silently.
	 */
	if (fcntl(s->lock_fd, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK) ||
	    ftruncate(s->shared_fd, (off_t)s->shared_len))
		return fail("cannot size a file in memory");
	/* MAP_NORESERVE: pages of the tables and rings take memory only once they are used. */
	s->shared = mmap(NULL, s->shared_len, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE,
			 s->shared_fd, 0);
	if (s->shared == MAP_FAILED) {
		s->shared = NULL;
		return fail("cannot map a file in memory");
	}
	return CLI_OK;
}

int record_session_init(struct record_session *s, const struct record_opts *opts)
{
	/* Large rings leave room for fewer of them. */
	uint64_t count = (1ull << RINGS_SPAN_SHIFT) / opts->ring_len;
	int rc;

	memset(s, 0, sizeof(*s));
	s->shared_fd = s->lock_fd = s->listener = -1;
	count = count > UE_RINGS_MAX ? UE_RINGS_MAX : count;
	rc = make_memory(s, (uint32_t)count, (uint32_t)opts->ring_len);
	if (rc)
		return rc;
	s->rings = calloc((size_t)count, sizeof(*s->rings));
	s->heap = calloc((size_t)count, sizeof(*s->heap));
	s->ids = calloc(UE_EVENTS_MAX, sizeof(*s->ids));
	if (!s->rings || !s->heap || !s->ids)
		return cli_nomem();
	/* CPUs that are offline count, too: they may come up during the recording. */
	s->cpu_count = (uint32_t)sysconf(_SC_NPROCESSORS_CONF);
	s->shared->size = sizeof(*s->shared);
	s->shared->recorder_pid = (int32_t)getpid();
	s->shared->lock_file = s->lock_fd;
	s->shared->ring_len = s->ring_len = (uint32_t)opts->ring_len;
	s->shared->ring_count = s->ring_count = (uint32_t)count;
	s->shared->wait_ms = (uint32_t)opts->wait_ms;
	s->shared->status_next = UE_STATUS_FIRST;
	init_mutex(&s->shared->lock);
	for (uint32_t i = 0; i < count; i++)
		init_mutex(&s->shared->rings[i].owner);
	if (!opts->glob_count)
		rc = record_add_rule(s, true, "*", NULL);
	for (size_t i = 0; i < opts->glob_count && rc == CLI_OK; i++)
		rc = record_add_rule(s, true, opts->globs[i], NULL);
	/* Programs accept the memory only with this number, so it is set last. */
	s->shared->magic = UE_MAGIC;
	return rc;
}

/* Also called after a failure of record_session_init(). */
void record_session_fini(struct record_session *s)
{
	if (s->shared)
		munmap(s->shared, s->shared_len);
	if (s->shared_fd >= 0)
		close(s->shared_fd);
	if (s->lock_fd >= 0)
		close(s->lock_fd);
	free(s->rings);
	free(s->heap);
	free(s->ids);
	free(s->names);
	free(s->comms);
}

bool record_lock(struct record_session *s)
{
	struct timespec until;
	int rc;

	/* pthread_mutex_timedlock() takes a time of CLOCK_REALTIME. */
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_nsec += LOCK_WAIT_NS;
	if (until.tv_nsec >= 1000000000) {
		until.tv_nsec -= 1000000000;
		until.tv_sec++;
	}
	rc = pthread_mutex_timedlock(&s->shared->lock, &until);
	if (rc == EOWNERDEAD)
		rc = pthread_mutex_consistent(&s->shared->lock);
	return !rc;
}

/* The last rule that fits decides, so rules are only ever added. */
int record_add_rule(struct record_session *s, bool on, const char *glob, uint32_t *matches)
{
	struct ue_shared *shared = s->shared;
	size_t len = strlen(glob) + 2, used;
	uint32_t count, matched = 0;
	char name[UE_NAME_LEN];

	if (!record_lock(s)) {
		cli_error("user-events record", "a program holds the lock of the event registry");
		return CLI_FAILED;
	}
	/* Programs can write any length there. */
	used = shared->rules_len;
	if (used > UE_RULES_LEN || len > UE_RULES_LEN - used) {
		pthread_mutex_unlock(&shared->lock);
		cli_error("user-events record", "more than %d bytes of globs", UE_RULES_LEN);
		return CLI_USAGE;
	}
	shared->rules[used] = on ? '+' : '-';
	memcpy(shared->rules + used + 1, glob, len - 1);
	shared->rules_len = (uint32_t)(used + len);
	count = atomic_load(&shared->event_count);
	for (uint32_t i = 0; i < count && i < UE_EVENTS_MAX; i++) {
		struct ue_event *e = &shared->events[i];

		snprintf(name, sizeof(name), "%.*s", UE_NAME_LEN - 1, e->name);
		if (!e->is_live || fnmatch(glob, name, 0))
			continue;
		ue_set_enabled(shared, e, on);
		matched++;
	}
	pthread_mutex_unlock(&shared->lock);
	/* Upkeep sets the bits in the memory of programs later: see set_bits(). */
	atomic_fetch_add(&shared->enable_changes, 1);
	if (matches)
		*matches = matched;
	return CLI_OK;
}

/* Done even without the lock: a program that was stopped with it must not keep others writing. */
void record_disable_all(struct record_session *s)
{
	struct ue_shared *shared = s->shared;
	uint32_t count = atomic_load(&shared->event_count);
	bool locked = record_lock(s);

	/* Without a rule, events to come are disabled, too. */
	shared->rules_len = 0;
	for (uint32_t i = 0; i < count && i < UE_EVENTS_MAX; i++)
		ue_set_enabled(shared, &shared->events[i], false);
	if (locked)
		pthread_mutex_unlock(&shared->lock);
	atomic_fetch_add(&shared->enable_changes, 1);
}
