/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Writes to user_events_data: checked as the kernel does, then put into the ring of the thread. No
 * lock is taken and no system call made while the ring has room. A signal handler may write while
 * its thread does, and so may a child of clone() that shares the memory. Room is therefore reserved
 * by compare and exchange, and each record itself shows when it is complete. The time is read after
 * the room was reserved: a record that the recorder does not yet see reserved is later than the
 * recorder's own time.
 */
#include <errno.h>
#include <linux/futex.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "check.h"
#include "state.h"

/* The ring of this thread, and its view of it. */
struct own_ring {
	uint64_t generation; /* of the process that took it; another one: it is the parent's */
	struct ue_ring *ring;
	uint8_t *data;
	_Atomic uint64_t tail;	  /* no less is free than this says */
	_Atomic uint64_t look_at; /* the head at which the recorder is looked after */
	bool is_late; /* the last wait ended without room: no further one until there is some */
	enum ue_confinement confined;
	uintptr_t array_page; /* where an array of iovec was found that can be read */
};

static _Thread_local __attribute__((tls_model("initial-exec"))) struct own_ring own;

#define LIKELY(x) __builtin_expect(!!(x), 1)
#define UNLIKELY(x) __builtin_expect(!!(x), 0)

/* ---- rings ---- */

/* Waits. A confined thread must not call nanosleep(), so it spins. */
static void pause_ns(long ns)
{
	struct timespec t = {0, ns};

	if (own.confined)
		for (int i = 0; i < 1000; i++)
			atomic_signal_fence(memory_order_seq_cst);
	else
		syscall(SYS_nanosleep, &t, NULL);
}

/* Wakes the recorder. It also reads the rings from time to time without being woken. */
static void wake_recorder(void)
{
	if (!own.confined)
		ue_wake_recorder();
}

/* Strict seccomp takes the counter of the CPU away, of which all but the coarse clock are made. */
static inline clockid_t clock_of(void)
{
	return UNLIKELY(own.confined == UE_STRICT) ? CLOCK_MONOTONIC_COARSE : CLOCK_MONOTONIC;
}

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(clock_of(), &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* Takes a free ring, or that of a thread that died (its mutex is robust). False: it is in use. */
static bool take(struct ue_ring *r)
{
	int rc;

	if (atomic_load_explicit(&r->state, memory_order_relaxed) != UE_RING_FREE)
		return false;
	rc = pthread_mutex_trylock(&r->owner);
	if (rc == EOWNERDEAD)
		rc = pthread_mutex_consistent(&r->owner);
	if (rc)
		return false;
	/*
	 * The recorder frees a ring after it has read it: the state may have changed before the
	 * lock.
	 */
	if (atomic_load(&r->state) != UE_RING_FREE) {
		pthread_mutex_unlock(&r->owner);
		return false;
	}
	r->pid = (int32_t)getpid();
	r->tid = (int32_t)syscall(SYS_gettid);
	memset(r->comm, 0, sizeof(r->comm));
	syscall(SYS_prctl, PR_GET_NAME, r->comm);
	atomic_store_explicit(&r->state, UE_RING_LIVE, memory_order_release);
	return true;
}

/* Starts at another ring for each thread, so that threads seldom try the same one. */
static bool find_ring(void)
{
	struct ue_shared *s = ue.shared;
	uint32_t first = (uint32_t)syscall(SYS_gettid) % s->ring_count;

	for (uint32_t i = 0; i < s->ring_count; i++) {
		uint32_t number = (first + i) % s->ring_count;
		struct ue_ring *r = &s->rings[number];

		if (!take(r))
			continue;
		own.ring = r;
		own.data = ue_ring_data(s, number, s->ring_len);
		atomic_store(&own.tail, atomic_load(&r->tail));
		/* See look_after(). */
		atomic_store(&own.look_at, atomic_load(&r->head) + s->ring_len / 4);
		own.is_late = false;
		own.generation = ue.wiped->generation;
		return true;
	}
	return false;
}

/*
 * Gets a ring for this thread; waits if all are in use. Signals are blocked, as a handler would
 * take a second ring meanwhile. False: the event is lost, which is counted.
 */
static __attribute__((noinline)) bool get_ring(void)
{
	uint64_t until = now_ns() + (uint64_t)ue.shared->wait_ms * 1000000u;
	int old_errno = errno;
	sigset_t all, old;
	bool found;

	/* Finding a ring needs system calls that strict seccomp forbids. */
	if (own.confined == UE_STRICT) {
		atomic_fetch_add(&ue.shared->lost_without_ring, 1);
		return false;
	}
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	ue_current();
	while (!(found = find_ring()) && !own.is_late && now_ns() < until) {
		ue_wake_recorder();
		pause_ns(1000000);
	}
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	own.is_late = !found;
	if (!found)
		atomic_fetch_add(&ue.shared->lost_without_ring, 1);
	errno = old_errno;
	return found;
}

/* Waits for room up to head end; false: the event is lost. */
static __attribute__((noinline)) bool wait_for_room(uint64_t end)
{
	uint64_t until = 0;
	int old_errno = errno;
	/* From 20 microseconds on, doubled up to a millisecond. */
	long ns = 20000;

	for (;;) {
		atomic_store(&own.tail,
			     atomic_load_explicit(&own.ring->tail, memory_order_acquire));
		if (end - atomic_load(&own.tail) <= ue.shared->ring_len) {
			own.is_late = false;
			errno = old_errno;
			return true;
		}
		/*
		 * The wait is over once the recorder is slow: later events are dropped at once
		 * until there is room.
		 */
		if (own.is_late)
			break;
		if (!until)
			until = now_ns() + (uint64_t)ue.shared->wait_ms * 1000000u;
		else if (now_ns() >= until)
			break;
		wake_recorder();
		pause_ns(ns);
		ns = ns < 1000000 ? 2 * ns : ns;
	}
	own.is_late = true;
	errno = old_errno;
	return false;
}

/*
 * Checks on the recorder each quarter of a ring: it is woken when half of the ring waits to be
 * read.
 */
static __attribute__((noinline)) void look_after(uint64_t head)
{
	uint32_t len = ue.shared->ring_len;

	atomic_store(&own.tail, atomic_load_explicit(&own.ring->tail, memory_order_acquire));
	atomic_store(&own.look_at, head + len / 4);
	if (head - atomic_load(&own.tail) > len / 2) {
		int old = errno;

		wake_recorder();
		errno = old;
	}
}

/* Returns the record, with its length stored and nothing else; NULL: it is lost. */
static inline struct ue_record *reserve(uint32_t len, uint32_t word)
{
	uint32_t size = ue.shared->ring_len;
	struct ue_ring *r = own.ring;
	uint64_t head = atomic_load_explicit(&r->head, memory_order_relaxed), end;
	struct ue_record *rec;
	uint32_t at, pad;

	/* Repeated if another writer to this ring, a signal handler, was faster. */
	do {
		/* A record does not wrap: the end of the ring becomes padding. */
		at = (uint32_t)(head & (size - 1));
		pad = size - at < len ? size - at : 0;
		end = head + pad + len;
		if (UNLIKELY(end - atomic_load_explicit(&own.tail, memory_order_relaxed) > size) &&
		    !wait_for_room(end)) {
			atomic_fetch_add(&r->lost, 1);
			return NULL;
		}
	} while (UNLIKELY(!atomic_compare_exchange_weak(&r->head, &head, end)));
	if (UNLIKELY(pad)) {
		rec = (struct ue_record *)(own.data + at);
		atomic_store_explicit(&rec->word, pad | UE_WORD_PAD | UE_WORD_DONE,
				      memory_order_release);
		at = 0;
	}
	rec = (struct ue_record *)(own.data + at);
	atomic_store_explicit(&rec->word, word, memory_order_relaxed);
	if (UNLIKELY(end >= atomic_load_explicit(&own.look_at, memory_order_relaxed)))
		look_after(end);
	return rec;
}

/* Writes one event. Losses are counted in the ring, and stored in the next record. */
static inline void put(uint32_t event, const uint8_t *payload, size_t payload_len)
{
	uint32_t len = (uint32_t)((sizeof(struct ue_record) + payload_len + 7) & ~(size_t)7);
	uint32_t spare = len - (uint32_t)(sizeof(struct ue_record) + payload_len);
	uint32_t word = len | spare << UE_WORD_SPARE_SHIFT;
	struct ue_record *rec;
	struct timespec t;
	unsigned int cpu;
	int got;

	if (UNLIKELY(own.generation != ue.wiped->generation || !own.generation) && !get_ring())
		return;
	if (UNLIKELY(payload_len > UE_RECORD_MAX)) {
		/* The kernel drops it silently; here it is counted. */
		atomic_fetch_add(&own.ring->lost, 1);
		return;
	}
	rec = reserve(len, word);
	if (UNLIKELY(!rec))
		return;
	/* After reserve(): see the head of this file. */
	clock_gettime(clock_of(), &t);
	got = sched_getcpu();
	cpu = got < 0 ? 0 : (unsigned int)got;
	rec->event = event;
	rec->ts_ns = (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
	rec->cpu = cpu;
	rec->lost = UNLIKELY(atomic_load_explicit(&own.ring->lost, memory_order_relaxed))
			    ? atomic_exchange(&own.ring->lost, 0)
			    : 0;
	memcpy(rec + 1, payload, payload_len);
	/* The release makes the whole record visible with its last word. */
	atomic_store_explicit(&rec->word, word | UE_WORD_DONE, memory_order_release);
}

/* ---- seccomp ---- */

/*
 * Takes the ring of a thread before it confines itself. Afterwards it writes without system calls
 * of this library, each of which may end the program.
 */
void ue_before_seccomp(void)
{
	if (ue.uses_data && (own.generation != ue.wiped->generation || !own.generation))
		get_ring();
}

void ue_after_seccomp(enum ue_confinement confinement)
{
	own.confined = confinement;
}

bool ue_is_confined(void)
{
	return own.confined;
}

/* ---- checks ---- */

/* Returns len, or -1 and the errno of the kernel. */
ssize_t ue_write(uint32_t entry, const void *data, size_t len)
{
	uint32_t event;
	int rc;

	/*
	 * The kernel answers EFAULT; memory elsewhere is trusted, as checking each write would cost
	 * a call.
	 */
	if (UNLIKELY(len && (uintptr_t)data < 4096))
		return ue_refuse(EFAULT);
	if (UNLIKELY(UE_FD_KIND(entry) != UE_DATA))
		return ue_write_text(entry, data, len);
	rc = ue_check(ue.shared, UE_FD_NUMBER(entry), data, len, &event);
	if (UNLIKELY(rc))
		return ue_refuse(rc);
	/*
	 * Events are dropped, not refused, if the ring is full: the kernel does not refuse either.
	 */
	put(event, (const uint8_t *)data + UE_INDEX_LEN, len - UE_INDEX_LEN);
	return (ssize_t)len;
}

/* Remembers the page, so that a program that writes in a loop is checked once. */
static __attribute__((noinline)) bool array_readable(const struct iovec *iov, int count)
{
	if (own.confined)
		return (uintptr_t)iov >= 4096;
	if (!ue_readable(iov, (size_t)count * sizeof(*iov)))
		return false;
	own.array_page = (uintptr_t)iov >> 12;
	return true;
}

/*
 * True if the array can be read. An array on the page of this frame, or on that of the last one,
 * needs no system call.
 */
static inline bool array_fine(const struct iovec *iov, int count, const void *frame)
{
	const uintptr_t first = (uintptr_t)iov >> 12, last = ((uintptr_t)(iov + count) - 1) >> 12;

	return !count ||
	       (first == last && (first == (uintptr_t)frame >> 12 || first == own.array_page)) ||
	       array_readable(iov, count);
}

/* Joins the parts, as the kernel does, then writes once. */
ssize_t ue_writev(uint32_t entry, const struct iovec *iov, int count)
{
	uint8_t buf[UE_RECORD_MAX + 8], *all = buf; /* index, payload */
	size_t len = 0, at = 0;
	ssize_t rc;

	/* UIO_MAXIOV. */
	if (count < 0 || count > 1024)
		return ue_refuse(EINVAL);
	if (UNLIKELY(!array_fine(iov, count, __builtin_frame_address(0))))
		return ue_refuse(EFAULT);
	for (int i = 0; i < count; i++) {
		if (iov[i].iov_len > (size_t)0x7ffff000 - len)
			return ue_refuse(EINVAL);
		len += iov[i].iov_len;
	}
	/* len may be 0: buf is then not read, which compilers cannot see. */
	buf[0] = 0;
	if (len > sizeof(buf))
		all = malloc(len);
	if (!all)
		return ue_refuse(ENOMEM);
	for (int i = 0; i < count; i++) {
		if (iov[i].iov_len && (uintptr_t)iov[i].iov_base < 4096) {
			if (all != buf)
				free(all);
			return ue_refuse(EFAULT);
		}
		memcpy(all + at, iov[i].iov_base, iov[i].iov_len);
		at += iov[i].iov_len;
	}
	rc = ue_write(entry, all, len);
	if (all != buf)
		free(all);
	return rc;
}
