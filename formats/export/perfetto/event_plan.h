/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Declares plans, which say how the events of one type become messages: as the message that
 * Perfetto has for that event, if it has a place for every field of the trace's format; else as
 * one that a descriptor in the trace describes, or as the name=value pairs that older readers
 * know.
 */
#ifndef TDAT_PERFETTO_EVENT_PLAN_H
#define TDAT_PERFETTO_EVENT_PLAN_H

#include <tdat/cells.h>

#include "core/build.h"
#include "numbers.h"

/* What the values of a field are, and what becomes of them. */
enum pf_kind {
	PF_NUMBER,	 /* a varint */
	PF_STRING,	 /* a string, up to its NUL */
	PF_CELL,	 /* anything else, as the table of the event's type has it, as text */
	PF_NUMBERS_EACH, /* an array of numbers, as a repeated field */
	PF_BYTES	 /* an array of bytes, as bytes */
};

struct pf_field {
	const struct tdat_field *field;
	enum pf_kind kind;
	uint32_t number; /* of the field in its message */
	size_t column;	 /* CELL: of the event's table; PF_NO_COLUMN: none */
	uint8_t narrow;	 /* the message's field has 32 bits: 'i' or 'u'; else 0 */
	bool is_signed;
};

#define PF_NO_COLUMN SIZE_MAX

enum pf_form {
	PF_TYPED,     /* the message that Perfetto has for the event */
	PF_DESCRIBED, /* a message that a descriptor in the trace describes */
	PF_PAIRS      /* GenericFtraceEvent */
};

struct pf_plan {
	enum pf_form form;
	uint32_t number; /* of the event's field in FtraceEvent */
	struct pf_field *fields;
	size_t count;
	/*
	 * A descriptor may have 31 fields: of more, those from this one on become one text of
	 * name=value, which is the last field.
	 */
	size_t own_count;
	bool stack;				/* ftrace/kernel_stack or user_stack */
	bool user;				/* user_stack */
	bool call, exit;			/* function_graph: entry or exit of a function */
	const struct tdat_field *function;	/* its address, or NULL */
	const struct tdat_field *name;		/* the function's name, in place of its address */
	const struct tdat_field *frames, *size; /* stack: addresses; how many, or NULL */
	size_t left_out; /* fields without a place in the message, behind the others */
	bool text; /* the event's text is a further field: its record needs a format to be read */
	/*
	 * The text of the event may be markup (markup.h), of which slices and counters are made: it
	 * is that of the field mark, or without one the text that dump prints.
	 */
	bool marks;
	const struct tdat_field *mark, *ip; /* ip: where it was written, or NULL */
	const struct tdat_event_format *format;
	const struct tdat_cell_type *cells; /* NULL before pf_plan_columns */
};

enum { PF_MOST_FIELDS = 31, PF_FIRST_DESCRIBED = 65536 };

/* What the user chose. */
struct pf_choice {
	bool pairs;  /* no descriptors */
	bool tracks; /* calls of function_graph become tracks, so that their events do not */
};

/*
 * The plan for events of a format; number is that of their field in FtraceEvent if they need a
 * descriptor.
 */
enum tdat_status pf_plan_new(struct pf_plan **out, const struct tdat_event_format *format,
			     uint32_t number, const struct pf_choice *choice,
			     struct tdat_error *err);
void pf_plan_free(void *plan);

/* Appends a sentence about the fields that are left out. */
void pf_plan_left_out(const struct pf_plan *plan, struct tdat_build *out);

/* Finds the columns of CELL fields in the table of the event's type. */
void pf_plan_columns(struct pf_plan *plan, const struct tdat_cell_type *type);

/* Describes one field as a FieldDescriptorProto does. */
void pf_describe_field(struct tdat_build *out, const char *name, size_t number, enum pf_type type);

/* Appends the descriptor of a DESCRIBED plan, as a field of a bundle. */
void pf_plan_describe(const struct pf_plan *plan, struct tdat_build *out);

#endif
