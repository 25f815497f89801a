/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Implements the kernel's user_events interface without the kernel. The functions parse commands,
 * create formats and check writes by the kernel's rules. They pass the events that the kernel would
 * have recorded to a tdat_emit, such as the tdat_emit of a writer (tdat_writer_emit). Source:
 * Documentation/trace/user_events.rst of Linux, docs/user-events.md.
 *
 * If the kernel would reject a call, the function returns TDAT_E_USAGE, err->sys_errno is the errno
 * that the kernel would return, and the sentence in err explains why.
 *
 * This header belongs to a component (TDAT_COMPONENT_USER_EVENTS): a build without it lacks the
 * header and its functions. <tdat/tdat.h> does not include it.
 *
 * Threads: a tdat_user_event never changes after it was parsed; several threads may read it at the
 * same time. A tdat_user_events and its tdat_emit belong to one thread at a time. (The kernel
 * accepts several writes at the same time.) Any thread may call all other functions at any time.
 *
 * Owners: the caller frees the objects of tdat_user_event_parse and tdat_user_events_new; getters
 * return borrowed pointers. The caller keeps ownership of the tdat_emit and of enable words. The
 * library writes to a registered enable word, so the word must live until it is unregistered.
 *
 * The two generations of struct user_reg on a 64-bit kernel (packed, in the machine's byte order):
 *
 *	5.18 to 6.3, 20 bytes		6.4 and later, 28 bytes
 *	 0 u32 size			 0 u32 size
 *	 4 u64 name_args		 4 u8  enable_bit
 *	12 u32 status_index (5.18)	 5 u8  enable_size, 4 or 8
 *	   or status_bit (6.0)		 6 u16 flags
 *	16 u32 write_index		 8 u64 enable_addr
 *					16 u64 name_args
 *					24 u32 write_index
 *
 * 6.4 and later, struct user_unreg, 16 bytes: u32 size, u8 disable_bit, u8 and u16 reserved, u64
 * disable_addr. Numbers of the ioctls: DIAG_IOCSREG 0xc0082a00, DIAG_IOCSDEL 0x40082a01,
 * DIAG_IOCSUNREG 0x40082a02.
 *
 * In Linux 5.18 to 6.3, a program maps a status page from user_events_status. In 5.18 and 5.19, the
 * byte status_index of this page belongs to the event (bit 0 ftrace, bit 1 perf, bit 2 other). In
 * 6.0 to 6.3, the bit status_bit belongs to the event: byte n/8, mask 1 << n%8.
 */
#ifndef TDAT_USER_EVENTS_H
#define TDAT_USER_EVENTS_H

#include <tdat/emit.h>

TDAT_BEGIN_DECLS

/* ---- commands and formats ---- */

struct tdat_user_event;

enum tdat_user_loc {
	TDAT_USER_LOC_NONE = 0,
	TDAT_USER_LOC_DATA = 1, /* __data_loc: offset from the start of the record */
	TDAT_USER_LOC_REL = 2	/* __rel_loc: offset from the end of the field */
};

struct tdat_user_field {
	const char *type; /* "unsigned int", "char[20]", "__rel_loc char[]" */
	const char *name;
	uint32_t off; /* offset in the record; 8 for the first field */
	uint32_t size;
	bool is_signed;
	enum tdat_user_loc loc;
};

enum {
	TDAT_USER_COMMAND_MAX = 511, /* maximum bytes of a command */
	TDAT_USER_COMMON_LEN = 8,    /* bytes of a record before the payload */
	TDAT_USER_RECORD_MAX = 4072  /* maximum bytes of a record on a page of 4096 bytes */
};

/*
 * tdat_user_event_parse parses the command with which a program registers an event: "test u32
 * count; char[8] tag". The caller must free the event.
 */
TDAT_API enum tdat_status tdat_user_event_parse(struct tdat_user_event **out, const char *command,
						struct tdat_error *err);

/* tdat_user_event_free frees an event of tdat_user_event_parse. NULL is allowed. */
TDAT_API void tdat_user_event_free(struct tdat_user_event *event);

/* tdat_user_event_name returns the name of an event, borrowed from it. */
TDAT_API const char *tdat_user_event_name(const struct tdat_user_event *event);

/* tdat_user_event_field returns field i, borrowed from the event, or NULL after the last one. */
TDAT_API const struct tdat_user_field *tdat_user_event_field(const struct tdat_user_event *event,
							     size_t i);

/* tdat_user_event_min_size returns the minimum number of bytes of a payload. */
TDAT_API uint32_t tdat_user_event_min_size(const struct tdat_user_event *event);

/*
 * tdat_user_event_same returns true if the kernel treats both as one event, because they have the
 * same name and fields.
 */
TDAT_API bool tdat_user_event_same(const struct tdat_user_event *a,
				   const struct tdat_user_event *b);

/*
 * tdat_user_event_format prints the tracefs format file of an event with the given id (with the
 * true length of arrays, which some kernels print incorrectly). tdat_user_event_command prints the
 * line of dynamic_events without "u:". Like snprintf, both functions write at most cap bytes to
 * buf, including a NUL, and return the length of the whole string.
 */
TDAT_API size_t tdat_user_event_format(const struct tdat_user_event *event, uint16_t id, char *buf,
				       size_t cap);
TDAT_API size_t tdat_user_event_command(const struct tdat_user_event *event, char *buf, size_t cap);

/*
 * tdat_user_event_check checks a payload (the bytes after the write index) like the kernel. EINVAL:
 * the payload is too short. EFAULT: a __data_loc or __rel_loc field points outside the payload, or
 * to a string without a NUL.
 */
TDAT_API enum tdat_status tdat_user_event_check(const struct tdat_user_event *event,
						const void *payload, size_t len, bool big_endian,
						struct tdat_error *err);

/* tdat_user_errno_name returns a name such as "EINVAL", or "E?" if the errno is unknown. */
TDAT_API const char *tdat_user_errno_name(int errnum);

/* ---- structs and status of the kernel's interface ---- */

/* The members of both generations of struct user_reg. Members that a generation lacks are zero. */
struct tdat_user_reg {
	uint32_t size; /* 20 or 28: the generation */
	uint8_t enable_bit;
	uint8_t enable_size;
	uint16_t flags;
	uint64_t enable_addr;
	uint64_t name_args;
	uint32_t status; /* status_index or status_bit */
	uint32_t write_index;
};

enum {
	TDAT_USER_REG_SIZE_EARLY = 20,
	TDAT_USER_REG_SIZE = 28,
	TDAT_USER_UNREG_SIZE = 16,
	TDAT_USER_PERSIST = 1,	   /* 6.7 and later, privileged */
	TDAT_USER_MULTI_FORMAT = 2 /* 6.9 and later: same name, other fields */
};

/*
 * tdat_user_reg_decode decodes an image of the struct according to its size field. E2BIG: size is
 * larger than 28. EINVAL: it is neither 20 nor 28. EFAULT: data is shorter than size.
 */
TDAT_API enum tdat_status tdat_user_reg_decode(struct tdat_user_reg *out, const void *data,
					       size_t len, bool big_endian, struct tdat_error *err);

/*
 * tdat_user_status_byte reads a status page in the layout of Linux 5.18 and 5.19.
 * tdat_user_status_bit reads a status page in the layout of Linux 6.0 to 6.3. All bits after the
 * first len bytes of page are 0.
 */
TDAT_API uint8_t tdat_user_status_byte(const void *page, size_t len, uint32_t status_index);
TDAT_API bool tdat_user_status_bit(const void *page, size_t len, uint32_t status_bit);

/* ---- recording ---- */

struct tdat_user_events;

struct tdat_user_events_opts {
	size_t size;	   /* sizeof(struct tdat_user_events_opts) */
	bool big_endian;   /* byte order of the payloads; the same as in the info of the emit */
	bool disabled;	   /* events are initially disabled: enable them by name */
	uint32_t max;	   /* maximum number of events; 0: 32768 */
	uint16_t first_id; /* id of the first event; 0: the owner of the emit chooses ids */
	/*
	 * Replace characters that libtraceevent does not accept in the names of formats: only
	 * letters, digits and '_' remain, such as "test_0" for the kernel's "test.0". If false, the
	 * emit gets a note for each name with other characters.
	 */
	bool word_names;
};

#define TDAT_USER_EVENTS_OPTS_INIT TDAT_SIZED(struct tdat_user_events_opts)

/* The CPU, task and time of a write. */
struct tdat_user_origin {
	uint32_t cpu;
	int32_t pid;
	uint64_t ts; /* in units of the emit's clock; never decreases */
};

struct tdat_user_iovec {
	const void *base;
	size_t len;
};

/*
 * tdat_user_events_new creates a registry of events, as a program does when it opens
 * user_events_data. emit is borrowed until tdat_user_events_free; its info must already be set.
 * opts may be NULL.
 */
TDAT_API enum tdat_status tdat_user_events_new(struct tdat_user_events **out,
					       const struct tdat_emit *emit,
					       const struct tdat_user_events_opts *opts,
					       struct tdat_error *err);

/* tdat_user_events_free frees a registry with its events, but not the emit. NULL is allowed. */
TDAT_API void tdat_user_events_free(struct tdat_user_events *events);

/*
 * tdat_user_events_register creates an event. If an event with the same name and fields exists, it
 * returns the *write_index of this event. enable may be NULL. If it is not NULL, it points to 4 or
 * 8 bytes (enable_size); until the event is unregistered, their bit enable_bit shows whether the
 * event is enabled. EINVAL: invalid command, flags, bit, size or alignment; EADDRINUSE: the name
 * has other fields, or the bit of this address is in use; EPERM: flag PERSIST; EMFILE: too many
 * events.
 */
TDAT_API enum tdat_status tdat_user_events_register(struct tdat_user_events *events,
						    const char *command, uint16_t flags,
						    void *enable, uint8_t enable_bit,
						    uint8_t enable_size, uint32_t *write_index,
						    struct tdat_error *err);

/*
 * tdat_user_events_unregister clears the bit of an event; the library then no longer writes to it.
 * ENOENT: no event is registered with this address and bit. The event's write index stays valid, as
 * in the kernel.
 */
TDAT_API enum tdat_status tdat_user_events_unregister(struct tdat_user_events *events, void *enable,
						      uint8_t enable_bit, struct tdat_error *err);

/*
 * tdat_user_events_delete deletes an event, like the kernel's ioctl DIAG_IOCSDEL. ENOENT: the name
 * is unknown. EBUSY: the event has a write index. (The kernel also refuses to delete an event that
 * is being traced. This function deletes an enabled event, if it has no write index.)
 */
TDAT_API enum tdat_status tdat_user_events_delete(struct tdat_user_events *events, const char *name,
						  struct tdat_error *err);

/*
 * tdat_user_events_define creates an event without a write index, as the kernel does if the line
 * "u:NAME FIELDS" is written to dynamic_events. ECANCELED: the line has another prefix.
 */
TDAT_API enum tdat_status tdat_user_events_define(struct tdat_user_events *events, const char *line,
						  struct tdat_error *err);

/*
 * tdat_user_events_enable enables or disables an event, like a write to
 * events/user_events/NAME/enable. ENOENT: the name is unknown.
 */
TDAT_API enum tdat_status tdat_user_events_enable(struct tdat_user_events *events, const char *name,
						  bool on, struct tdat_error *err);

/*
 * tdat_user_events_find returns the event of a write index, borrowed until tdat_user_events_free,
 * or NULL if the index is unused.
 */
TDAT_API const struct tdat_user_event *tdat_user_events_find(const struct tdat_user_events *events,
							     uint32_t write_index);

/*
 * tdat_user_events_write records a program's write. data consists of the write index, an s32 in the
 * byte order of the payloads, and the payload. EFAULT: the data is shorter than an index; EINVAL:
 * negative index or short payload; ENOENT: unknown index; EBADF: event not enabled; EFAULT: as in
 * tdat_user_event_check. If the record would be longer than TDAT_USER_RECORD_MAX, the status is
 * TDAT_E_LIMIT; the kernel drops these records without an error. If the emit fails, its status is
 * returned.
 */
TDAT_API enum tdat_status tdat_user_events_write(struct tdat_user_events *events,
						 const struct tdat_user_origin *origin,
						 const void *data, size_t len,
						 struct tdat_error *err);

/* tdat_user_events_writev does the same for a write whose data is in count pieces. */
TDAT_API enum tdat_status tdat_user_events_writev(struct tdat_user_events *events,
						  const struct tdat_user_origin *origin,
						  const struct tdat_user_iovec *iov, size_t count,
						  struct tdat_error *err);

/*
 * tdat_user_events_verify does all checks of tdat_user_events_write, but records nothing. *event is
 * set to the event of the write.
 */
TDAT_API enum tdat_status tdat_user_events_verify(const struct tdat_user_events *events,
						  const void *data, size_t len,
						  const struct tdat_user_event **event,
						  struct tdat_error *err);

TDAT_END_DECLS
#endif
