/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Declares how each BSD laid KTR entries out in memory, and one entry taken apart. */
#ifndef TDAT_IMPORT_KTR_ENTRY_LAYOUT_H
#define TDAT_IMPORT_KTR_ENTRY_LAYOUT_H

#include <tdat/source.h>

enum {
	KTR_CPU_MAX = 4096,    /* entries name CPUs below it */
	KTR_LINE_MAX = 200000, /* plausible line numbers are below it */
	KTR_PARMS = 6,
	KTR_STRING_MAX = 127 /* characters of a format or %s that are shown */
};

enum ktr_layout_id {
	KTR_V2_64,
	KTR_V2_32,
	KTR_V2_32A8,
	KTR_V1_64,
	KTR_V1_32,
	KTR_SCORED, /* those before it can be told apart by their bytes */
	KTR_BSDOS = KTR_SCORED,
	KTR_2000_32,
	KTR_2000_64,
	KTR_2000X, /* message inside, 2000 */
	KTR_2001X, /* message inside, 2001 */
	KTR_LAYOUT_COUNT
};

enum ktr_time {
	KTR_TIME_CYCLES,
	KTR_TIME_TIMEVAL,    /* s32 sec, s32 usec */
	KTR_TIME_TIMESPEC32, /* s32 sec, s32 nsec */
	KTR_TIME_TIMESPEC64  /* s32 sec, 4 unused, s64 nsec */
};

/* Offsets of fields; 0: the entry has none (only time is at 0). */
struct ktr_layout {
	const char *name;
	uint8_t len;
	uint8_t word; /* bytes of a pointer and of a parameter */
	uint8_t cpu_off, line_off, file_off, desc_off, thread_off, parm_off;
	uint8_t parm_count;
	uint8_t desc_len; /* the message itself stands at desc_off; 0: a pointer */
	uint8_t file_len; /* the same for the file's name */
	enum ktr_time time;
};

/* What all entries of a capture have in common. */
struct ktr_setup {
	const struct ktr_layout *layout; /* NULL: no entry shows it */
	enum ktr_time time;
	bool big;
};

struct ktr_entry {
	uint64_t ts;  /* cycles, or ns where the layout has real time */
	uint32_t cpu; /* 0 when bad_cpu */
	uint32_t line;
	bool bad_cpu;
	bool unused; /* empty slot */
	bool early;  /* a time before 1970, taken as 0 */
	uint64_t file, desc, thread;
	uint64_t parms[KTR_PARMS];
	/* Text instead of pointers: of text forms and layouts that hold the message. */
	bool has_text;
	struct tdat_span text;
	struct tdat_span file_text;
};

const struct ktr_layout *ktr_layout(size_t id);
/* p: layout->len bytes. What orders an entry: all but line, file, thread and parameters. */
void ktr_decode_head(const struct ktr_setup *setup, const uint8_t *p, struct ktr_entry *out);
/* The same and all the rest. */
void ktr_decode(const struct ktr_setup *setup, const uint8_t *p, struct ktr_entry *out);

#endif
