/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The memory that a recorder of user_events shares with the programs it records: what is in the
 * registry of events, and how a thread's ring of records is laid out.
 *
 * The recorder (user-events/recorder/) makes it as a nameless file of memory; a program finds it by
 * the variable TDAT_USER_EVENTS of its environment and maps all of it. Tables are sparse: a page
 * that nothing was written to takes no memory. All but the rings is changed under lock only, which
 * is robust: a process that is killed while it holds the lock leaves tables that can be read.
 */
#ifndef TDAT_PRELOAD_LAYOUT_H
#define TDAT_PRELOAD_LAYOUT_H

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#define UE_VARIABLE "TDAT_USER_EVENTS"

enum {
	UE_MAGIC = 0x75655431,
#if UINTPTR_MAX > 0xffffffff
	UE_EVENTS_MAX = 32768,
	UE_FILES_MAX = 1024,
	UE_RINGS_MAX = 1024,
#else
	UE_EVENTS_MAX = 4096,
	UE_FILES_MAX = 256,
	UE_RINGS_MAX = 64,
#endif
	UE_PROCESSES_MAX = 4096,
	UE_FOLLOWERS_MAX = 65536,
	UE_BUCKETS = 16384,
	UE_RULES_LEN = 8192,
	UE_LOCS_MAX = 48, /* more fields that point elsewhere do not fit into a command */
	UE_COMMAND_LEN = 512,
	UE_NAME_LEN = 528,
	UE_STATUS_LEN = 4096,
	/*
	 * The first number in the status page. Byte n of Linux 5.18 and bit n of 6.0 (byte n/8)
	 * never share a byte for n from here to the end of the page, so that one page serves both.
	 */
	UE_STATUS_FIRST = 512,
	UE_FIRST_ID = 1500,	 /* event ids in the trace: this and the number of the event */
	UE_RECORD_MAX = 4072 - 8 /* payload bytes that fit into a page of the trace */
};

/* A field that points elsewhere, for the check of each write. */
struct ue_loc {
	uint16_t off; /* in the payload */
	uint8_t is_rel;
	uint8_t is_text;
};

struct ue_event {
	_Atomic uint32_t enabled;
	uint32_t is_live; /* false: it is not found by its name any more, and the entry only
			     explains records */
	uint32_t refs;	  /* open files with an index for it, and followers */
	uint32_t next;	  /* of the same bucket: number + 1, or 0 */
	uint32_t hash;	  /* of the name as registered */
	uint32_t min_size;
	uint32_t multi_number;
	uint32_t status; /* in the status page; 0: none yet */
	uint16_t is_multi;
	uint16_t is_persistent; /* stays without references: by dynamic_events, PERSIST or the
				   early struct */
	uint32_t loc_count;
	struct ue_loc locs[UE_LOCS_MAX];
	char name[UE_NAME_LEN]; /* as tracefs shows it */
	char command[UE_COMMAND_LEN + 16];
};

/*
 * An open file user_events_data: the events of its indexes. While the file is open in any process,
 * its byte of the lock file is locked, by a lock that belongs to the open file description.
 */
struct ue_file {
	uint32_t is_used;
	_Atomic uint32_t count;
	uint32_t events[UE_EVENTS_MAX];
};

/* A process whose memory has bits that follow events. */
struct ue_process {
	uint32_t is_used;
	int32_t pid;
	uint64_t cookie_at; /* where the cookie is in its memory, by which the recorder knows that
			       the pid is still this process */
	uint64_t cookie;
	uint32_t first; /* follower + 1, or 0 */
};

/* A bit in the memory of a process that tells whether an event is enabled. */
struct ue_follower {
	uint64_t addr;
	uint32_t event;
	uint32_t next; /* of the same process, or of the free ones */
	uint8_t bit;
	uint8_t size;
};

/* ---- rings ---- */

/*
 * A record, at a multiple of 8. The owner first moves head, then stores word without the bit for
 * committed, then the rest, and word with that bit at last; what is behind head and not yet
 * written is zero. So a record that its writer never finished can be told and passed over.
 */
struct ue_record {
	_Atomic uint32_t
		word; /* bits 0-23 bytes with this header, 24-26 bytes to spare at the end */
	uint32_t event;
	uint64_t ts_ns;
	uint32_t cpu;
	uint32_t lost; /* events of this thread lost before it */
};

#define UE_WORD_LEN 0x00ffffffu
#define UE_WORD_SPARE_SHIFT 24
#define UE_WORD_PAD                                                                                \
	0x40000000u /* nothing but space up to the end of the ring; only word is there */
#define UE_WORD_DONE 0x80000000u

enum ue_ring_state { UE_RING_FREE = 0, UE_RING_LIVE = 1 };

struct ue_ring {
	pthread_mutex_t owner; /* robust; its thread holds it as long as it lives */
	_Atomic uint32_t state;
	int32_t pid;
	int32_t tid;
	char comm[16];
	_Alignas(64) _Atomic uint64_t head; /* bytes ever reserved; only the owner's */
	_Atomic uint32_t lost;
	_Alignas(64) _Atomic uint64_t tail; /* bytes ever read; only the recorder's */
};

/* ---- the whole ---- */

struct ue_shared {
	uint32_t magic;
	uint32_t size; /* sizeof(struct ue_shared) */
	int32_t recorder_pid;
	int32_t lock_file; /* descriptor in the recorder: what user_events_data is opened as */
	uint32_t ring_len; /* bytes of a ring's data, a power of two */
	uint32_t ring_count;
	uint32_t wait_ms; /* how long a write waits for room */
	pthread_mutex_t lock;
	_Alignas(64) _Atomic uint32_t wake; /* a futex: the recorder sleeps while it is 0 */
	_Atomic uint32_t enable_changes;    /* counts; the recorder then looks at all followers */
	_Atomic uint32_t reap_wanted;
	_Atomic uint32_t reap_done;
	_Atomic uint64_t lost_without_ring;
	_Atomic uint32_t event_count;
	_Atomic uint32_t unreached; /* programs started that the library cannot be loaded into */
	char unreached_path[256];   /* the first of them */
	char unreached_why[64];
	uint32_t multi_count; /* events with MULTI_FORMAT, also deleted ones: the next one's number
			       */
	uint32_t status_next;
	uint32_t followers_used;
	uint32_t followers_free;
	char rules[UE_RULES_LEN]; /* "+GLOB" and "-GLOB", each with a NUL; the last that fits counts
				   */
	uint32_t rules_len;
	uint32_t buckets[UE_BUCKETS];
	_Alignas(UE_STATUS_LEN) uint8_t status[UE_STATUS_LEN];
	struct ue_event events[UE_EVENTS_MAX];
	struct ue_process processes[UE_PROCESSES_MAX];
	struct ue_follower followers[UE_FOLLOWERS_MAX];
	struct ue_file files[UE_FILES_MAX];
	struct ue_ring rings[UE_RINGS_MAX];
};

/* The data of rings lies behind the whole, from the next multiple of UE_DATA_ALIGN. */
#define UE_DATA_ALIGN 65536u
#define UE_DATA_OFF ((sizeof(struct ue_shared) + UE_DATA_ALIGN - 1) / UE_DATA_ALIGN * UE_DATA_ALIGN)

static inline uint8_t *ue_ring_data(struct ue_shared *s, uint32_t ring, uint32_t ring_len)
{
	return (uint8_t *)s + UE_DATA_OFF + (size_t)ring * ring_len;
}

static inline size_t ue_shared_len(uint32_t ring_count, uint32_t ring_len)
{
	return UE_DATA_OFF + (size_t)ring_count * ring_len;
}

/* Takes the lock, also from one who died with it. */
static inline void ue_lock(pthread_mutex_t *m)
{
	if (pthread_mutex_lock(m) == EOWNERDEAD)
		pthread_mutex_consistent(m);
}

#endif
