/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The kernel's user_events without the kernel: commands are parsed, formats made and writes
 * checked by the kernel's rules, and the events it would have recorded go to a tdat_emit
 * (tdat_writer_emit makes a trace.dat of them). Source: Documentation/trace/user_events.rst of
 * Linux, docs/user-events.md.
 *
 * Where the kernel would refuse, functions return TDAT_E_USAGE and err->sys_errno
 * is the errno the kernel gives; the sentence says why.
 *
 * It is part of a component (TDAT_COMPONENT_USER_EVENTS): where that is not built, neither this
 * header nor its functions are there. <tdat/tdat.h> does not include it.
 *
 * Threads: a tdat_user_event never changes after it was parsed and may be read by several
 * threads at once. A tdat_user_events, and the tdat_emit that it was given, belong to one
 * thread at a time: unlike the kernel it takes one write after the other. All other functions
 * may be called by any thread at any time.
 *
 * Owners: what tdat_user_event_parse and tdat_user_events_new make is the caller's to free;
 * what getters return is borrowed. The tdat_emit and enable words stay the caller's; an enable
 * word is written to while it is registered and must live until then.
 *
 * The two generations of the interface on a 64-bit kernel (packed, byte order
 * of the machine):
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
 * 6.4 and later, struct user_unreg, 16 bytes: u32 size, u8 disable_bit, u8 and
 * u16 reserved, u64 disable_addr. Numbers of the ioctls: DIAG_IOCSREG 0xc0082a00,
 * DIAG_IOCSDEL 0x40082a01, DIAG_IOCSUNREG 0x40082a02.
 *
 * The early status page, mapped from user_events_status: byte status_index (bit
 * 0 ftrace, 1 perf, 2 other) or, from 6.0, bit status_bit: byte n/8, mask
 * 1 << n%8.
 */
#ifndef TDAT_USER_EVENTS_H
#define TDAT_USER_EVENTS_H

#include <tdat/emit.h>

TDAT_BEGIN_DECLS

/* ---- commands and formats ---- */

struct tdat_user_event;

enum tdat_user_loc {
	TDAT_USER_LOC_NONE = 0,
	TDAT_USER_LOC_DATA = 1, /* __data_loc: counts from the record's start */
	TDAT_USER_LOC_REL = 2	/* __rel_loc: counts from the end of the field */
};

struct tdat_user_field {
	const char *type; /* "unsigned int", "char[20]", "__rel_loc char[]" */
	const char *name;
	uint32_t off; /* in the record: the first is at 8 */
	uint32_t size;
	bool is_signed;
	enum tdat_user_loc loc;
};

enum {
	TDAT_USER_COMMAND_MAX = 511, /* bytes of a command */
	TDAT_USER_COMMON_LEN = 8,    /* of a record, before the payload */
	TDAT_USER_RECORD_MAX = 4072  /* longest record a page of 4096 bytes takes */
};

/*
 * tdat_user_event_parse parses the command by which a program registers an event: "test u32
 * count; char[8] tag". The event is the caller's to free.
 */
TDAT_API enum tdat_status tdat_user_event_parse(struct tdat_user_event **out, const char *command,
						struct tdat_error *err);

/* tdat_user_event_free frees an event that tdat_user_event_parse made. NULL is allowed. */
TDAT_API void tdat_user_event_free(struct tdat_user_event *event);

/* tdat_user_event_name returns the name of an event, borrowed from it. */
TDAT_API const char *tdat_user_event_name(const struct tdat_user_event *event);

/* tdat_user_event_field returns field i, borrowed from the event, or NULL if it has fewer. */
TDAT_API const struct tdat_user_field *tdat_user_event_field(const struct tdat_user_event *event,
							     size_t i);

/* tdat_user_event_min_size is the least number of bytes that a payload may have. */
TDAT_API uint32_t tdat_user_event_min_size(const struct tdat_user_event *event);

/* tdat_user_event_same tells whether two events have the same name and fields, as one has. */
TDAT_API bool tdat_user_event_same(const struct tdat_user_event *a,
				   const struct tdat_user_event *b);

/*
 * tdat_user_event_format prints the tracefs format file of an event with the given id (arrays
 * with their true length, which some kernels get wrong), and tdat_user_event_command the line of
 * dynamic_events without "u:". They print like snprintf: at most cap bytes with a NUL; the length
 * of the whole text is returned.
 */
TDAT_API size_t tdat_user_event_format(const struct tdat_user_event *event, uint16_t id, char *buf,
				       size_t cap);
TDAT_API size_t tdat_user_event_command(const struct tdat_user_event *event, char *buf, size_t cap);

/*
 * tdat_user_event_check checks a payload (what follows the index) as the kernel
 * does: EINVAL when it is too short, EFAULT for __data_loc and __rel_loc fields
 * that point outside or whose text has no NUL.
 */
TDAT_API enum tdat_status tdat_user_event_check(const struct tdat_user_event *event,
						const void *payload, size_t len, bool big_endian,
						struct tdat_error *err);

/* tdat_user_errno_name is "EINVAL" and the like; "E?" for one that is not known. */
TDAT_API const char *tdat_user_errno_name(int errnum);

/* ---- structs and status of the kernel's interface ---- */

/* Both generations of struct user_reg; members that one of them does not have are zero there. */
struct tdat_user_reg {
	uint32_t size; /* 20 or 28: which generation it is */
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
 * tdat_user_reg_decode reads an image of the struct by its size field; EINVAL
 * when that is smaller than a generation knows or than len, E2BIG when larger.
 */
TDAT_API enum tdat_status tdat_user_reg_decode(struct tdat_user_reg *out, const void *data,
					       size_t len, bool big_endian, struct tdat_error *err);

/*
 * tdat_user_status_byte reads a status page as Linux 5.18 lays it out, tdat_user_status_bit one as
 * 6.0 does. Beyond len bytes of page all is 0.
 */
TDAT_API uint8_t tdat_user_status_byte(const void *page, size_t len, uint32_t status_index);
TDAT_API bool tdat_user_status_bit(const void *page, size_t len, uint32_t status_bit);

/* ---- recording ---- */

struct tdat_user_events;

struct tdat_user_events_opts {
	size_t size;	   /* sizeof(struct tdat_user_events_opts) */
	bool big_endian;   /* of the payloads; the same as in the info of the emit */
	bool disabled;	   /* events start disabled: enable them by name */
	uint32_t max;	   /* events there may be; 0: 32768 */
	uint16_t first_id; /* of the events; 0: the owner of the emit chooses */
	/*
	 * Formats are named with letters, digits and '_' only, as libtraceevent reads names:
	 * "test_0" for the kernel's "test.0". Without it each other name is a note of the emit.
	 */
	bool word_names;
};

#define TDAT_USER_EVENTS_OPTS_INIT TDAT_SIZED(struct tdat_user_events_opts)

/* The CPU, task and time of a write. */
struct tdat_user_origin {
	uint32_t cpu;
	int32_t pid;
	uint64_t ts; /* as the emit's clock counts; not falling */
};

struct tdat_user_iovec {
	const void *base;
	size_t len;
};

/*
 * tdat_user_events_new makes a registry of events, as a program gets one by opening
 * user_events_data. emit is borrowed until tdat_user_events_free and must have got its info
 * already. opts may be NULL.
 */
TDAT_API enum tdat_status tdat_user_events_new(struct tdat_user_events **out,
					       const struct tdat_emit *emit,
					       const struct tdat_user_events_opts *opts,
					       struct tdat_error *err);

/* tdat_user_events_free frees a registry with its events; the emit stays. NULL is allowed. */
TDAT_API void tdat_user_events_free(struct tdat_user_events *events);

/*
 * tdat_user_events_register makes an event known, or finds it: the same name and
 * fields give the same *write_index. enable may be NULL, or points to 4 or 8
 * bytes (enable_size) whose bit enable_bit follows whether the event is enabled,
 * until it is unregistered. EINVAL: command, flags, bit or size; EADDRINUSE: the
 * name has other fields, or address and bit are in use; EPERM: flag PERSIST;
 * EMFILE: too many events.
 */
TDAT_API enum tdat_status tdat_user_events_register(struct tdat_user_events *events,
						    const char *command, uint16_t flags,
						    void *enable, uint8_t enable_bit,
						    uint8_t enable_size, uint32_t *write_index,
						    struct tdat_error *err);

/*
 * tdat_user_events_unregister clears the bit and no longer writes to it; ENOENT if no event
 * was registered with that address and bit. The index stays usable, as in the kernel.
 */
TDAT_API enum tdat_status tdat_user_events_unregister(struct tdat_user_events *events, void *enable,
						      uint8_t enable_bit, struct tdat_error *err);

/*
 * tdat_user_events_delete does what DIAG_IOCSDEL does: ENOENT for an unknown name, EBUSY for
 * an event that has a write index. (The kernel also refuses one that is being traced; here an
 * enabled event without an index can be deleted.)
 */
TDAT_API enum tdat_status tdat_user_events_delete(struct tdat_user_events *events, const char *name,
						  struct tdat_error *err);

/*
 * tdat_user_events_define makes an event known without an index, like a line
 * "u:NAME FIELDS" written to dynamic_events; ECANCELED for other prefixes.
 */
TDAT_API enum tdat_status tdat_user_events_define(struct tdat_user_events *events, const char *line,
						  struct tdat_error *err);

/*
 * tdat_user_events_enable does what a write to events/user_events/NAME/enable does; ENOENT for
 * an unknown name.
 */
TDAT_API enum tdat_status tdat_user_events_enable(struct tdat_user_events *events, const char *name,
						  bool on, struct tdat_error *err);

/*
 * tdat_user_events_find returns the event of a write index, borrowed until
 * tdat_user_events_free, or NULL if the index is not in use.
 */
TDAT_API const struct tdat_user_event *tdat_user_events_find(const struct tdat_user_events *events,
							     uint32_t write_index);

/*
 * tdat_user_events_write records what a program would write: an s32 index in the
 * events' byte order and the payload. EFAULT: no room for the index; EINVAL:
 * negative index or short payload; ENOENT: unknown index; EBADF: not enabled;
 * EFAULT: as tdat_user_event_check. Records longer than TDAT_USER_RECORD_MAX,
 * which the kernel drops silently, are TDAT_E_LIMIT. Failures of the emit are
 * handed on.
 */
TDAT_API enum tdat_status tdat_user_events_write(struct tdat_user_events *events,
						 const struct tdat_user_origin *origin,
						 const void *data, size_t len,
						 struct tdat_error *err);

/* tdat_user_events_writev does the same with index and payload in count pieces. */
TDAT_API enum tdat_status tdat_user_events_writev(struct tdat_user_events *events,
						  const struct tdat_user_origin *origin,
						  const struct tdat_user_iovec *iov, size_t count,
						  struct tdat_error *err);

/*
 * tdat_user_events_verify does all checks of write and records nothing: *event is
 * the event that would be written.
 */
TDAT_API enum tdat_status tdat_user_events_verify(const struct tdat_user_events *events,
						  const void *data, size_t len,
						  const struct tdat_user_event **event,
						  struct tdat_error *err);

TDAT_END_DECLS
#endif
