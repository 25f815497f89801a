/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Defines event types for those who write events: makes the text of a format file from fields, by
 * their names and C types, or from a struct.
 *
 *   struct tick { struct tdat_record_head head; uint32_t count; char who[16]; };
 *   static const struct tdat_field_def fields[] = {
 *           TDAT_FIELD(struct tick, uint32_t, count), TDAT_FIELD(struct tick, char, who)};
 *
 *   struct tick tick = {{0, 0, 0, pid}, 42, "me"};
 *   tdat_emit_define(emit, "demo", "tick", fields, 2, NULL, &tick.head.type, err);
 *   (hand over events whose record is the struct: tdat_emit_event)
 *
 * Threads: tdat_emit_define is a call of the tdat_emit (tdat/emit.h); all else is plain data.
 *
 * Owners: everything stays the caller's and is needed only during the call.
 */
#ifndef TDAT_DEFINE_H
#define TDAT_DEFINE_H

#include <tdat/emit.h>

TDAT_BEGIN_DECLS

/* How each record begins: 8 bytes, in the byte order of the capture. */
struct tdat_record_head {
	uint16_t type; /* the id that tdat_emit_define sets */
	uint8_t flags, preempt_count;
	int32_t pid;
};

/* A field of an event type. {"u32", "count"} is enough: see tdat_emit_define. */
struct tdat_field_def {
	const char *type;  /* C type: "unsigned int", "u32", "char[16]", "__data_loc char[]" */
	const char *name;  /* "count" */
	uint32_t off;	   /* bytes from the start of the record */
	uint32_t len;	   /* bytes in the record; 0: type and the fields before say all */
	uint32_t elem_len; /* bytes of an element: an array has len / elem_len of them */
	bool is_signed;
};

/* A member of a struct that begins with a struct tdat_record_head; of an array, its elements' type.
 */
#define TDAT_FIELD(record, type, member)                                                           \
	{                                                                                          \
#type, #member, (uint32_t)offsetof(record, member),                                \
			(uint32_t)sizeof(((record *)0)->member), (uint32_t)sizeof(type),           \
			(type)-1 < (type)1                                                         \
	}

/*
 * tdat_emit_define hands over the format of an event type, and sets *id to what common_type has in
 * its records. A field with len 0 lies behind the field before (the first one at 8), at a multiple
 * of its element's length, as most C compilers put it. It has an integer type, of C, of <stdint.h>
 * or of the kernel, or an array of them, or is a "__data_loc char[]": 4 bytes, length << 16 |
 * offset of a text behind all fields. Another type is TDAT_E_USAGE. print_fmt is the text behind
 * "print fmt: " ("\"n=%u\", REC->n"); NULL: each field as name=value.
 */
TDAT_API enum tdat_status tdat_emit_define(const struct tdat_emit *emit, const char *system,
					   const char *name, const struct tdat_field_def *fields,
					   size_t field_count, const char *print_fmt, uint16_t *id,
					   struct tdat_error *err);

TDAT_END_DECLS
#endif
