/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Defines event types for programs that write events. The text of an event's format file is created
 * from a list of fields with C types. The list can be made from the members of a struct.
 *
 *   struct tick { struct tdat_record_head head; uint32_t count; char who[16]; };
 *   static const struct tdat_field_def fields[] = {
 *           TDAT_FIELD(struct tick, uint32_t, count), TDAT_FIELD(struct tick, char, who)};
 *
 *   struct tick tick = {{0, 0, 0, pid}, 42, "me"};
 *   tdat_emit_define(emit, "demo", "tick", fields, 2, NULL, &tick.head.type, err);
 *   (then call tdat_emit_event with events whose record is the struct)
 *
 * Threads: tdat_emit_define calls a function of the tdat_emit, whose thread rules apply
 * (tdat/emit.h). The structs are plain data.
 *
 * Owners: the caller keeps ownership of all arguments, which are needed only during the call.
 */
#ifndef TDAT_DEFINE_H
#define TDAT_DEFINE_H

#include <tdat/emit.h>

TDAT_BEGIN_DECLS

/* The head of each record: 8 bytes, in the byte order of the capture. */
struct tdat_record_head {
	uint16_t type; /* the id set by tdat_emit_define */
	uint8_t flags, preempt_count;
	int32_t pid;
};

/* A field of an event type. {"u32", "count"} is enough: see tdat_emit_define. */
struct tdat_field_def {
	const char *type;  /* C type: "unsigned int", "u32", "char[16]", "__data_loc char[]" */
	const char *name;  /* "count" */
	uint32_t off;	   /* bytes from the start of the record */
	uint32_t len;	   /* bytes in the record; 0: computed from type and the fields before */
	uint32_t elem_len; /* bytes of an element: an array has len / elem_len of them */
	bool is_signed;
};

/*
 * Describes a member of a struct that starts with a struct tdat_record_head. If the member is an
 * array, type is the type of its elements.
 */
#define TDAT_FIELD(record, type, member)                                                           \
	{                                                                                          \
#type, #member, (uint32_t)offsetof(record, member),                                \
			(uint32_t)sizeof(((record *)0)->member), (uint32_t)sizeof(type),           \
			(type)-1 < (type)1                                                         \
	}

/*
 * tdat_emit_define defines the format of an event type, and sets *id to the common_type of its
 * records. A field with len 0 follows the previous field (the first one is at 8), aligned to its
 * element's length, as most C compilers do. Its type is an integer type of C, of <stdint.h> or of
 * the kernel, an array of these, or "__data_loc char[]". The value of a __data_loc field has 4
 * bytes, length << 16 | offset; the string is after all fields of the record. Another type is
 * TDAT_E_USAGE. print_fmt is the text after "print fmt: " ("\"n=%u\", REC->n"); NULL prints each
 * field as name=value.
 */
TDAT_API enum tdat_status tdat_emit_define(const struct tdat_emit *emit, const char *system,
					   const char *name, const struct tdat_field_def *fields,
					   size_t field_count, const char *print_fmt, uint16_t *id,
					   struct tdat_error *err);

TDAT_END_DECLS
#endif
