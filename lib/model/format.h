/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Declares the parsed text of one event format file; it does not depend on a trace.dat. */
#ifndef TDAT_MODEL_FORMAT_H
#define TDAT_MODEL_FORMAT_H

#include <tdat/event.h>

#include "core/arena.h"
#include "core/text.h"

struct tdat_event_format {
	uint32_t id;
	bool big;	   /* byte order of records */
	uint8_t long_size; /* bytes of a C long in types: 4 or 8 */
	char *name;
	char *system;
	const char *print_fmt; /* text after "print fmt: ", or "" */
	struct tdat_span text; /* borrowed: the stored format file */
	struct tdat_field *fields;
	size_t field_count;  /* all */
	size_t common_count; /* the leading common_* ones */
	size_t fixed_len;    /* where the last field ends; dynamic data lies after */
	bool cut;	     /* its text could not be read further than these fields */
	/*
	 * Where the text goes on with what is not read: behind a NUL, or behind fields with
	 * something else than a print fmt. The text's end where it has no print fmt, which the
	 * kernel writes behind the fields: some may be cut off. 0: all is read.
	 */
	size_t unread_off;
	/* How many bytes records have at least and at most; UINT32_MAX: any number. */
	uint32_t least_len, most_len;
	struct tdat_arena arena; /* owns everything above, and this struct's strings */
};

/* Internal bits of tdat_field.flags, for what libtraceevent makes of the field. */
enum model_field_flags {
	MODEL_FIELD_PLAIN_SIGN = 1u << 16, /* signed by its type only: an old format */
	MODEL_FIELD_TYPE_FIRST = 1u << 17  /* "type[] name", not "type name[]" */
};

/*
 * model_format_parse reads a format file. text is borrowed by the result and
 * must outlive it. off is its file offset, for sentences. Fields whose line
 * cannot be understood make the whole format TDAT_E_DAMAGED.
 */
enum tdat_status model_format_parse(struct tdat_event_format **out, const char *system,
				    struct tdat_span text, uint64_t off, bool big,
				    uint8_t long_size, struct tdat_error *err);
/*
 * model_format_parse_part does the same, and gives what it read of a damaged text, its name
 * and id at least, as *part (NULL: not even these), which libtraceevent prints events by.
 */
enum tdat_status model_format_parse_part(struct tdat_event_format **out,
					 struct tdat_event_format **part, const char *system,
					 struct tdat_span text, uint64_t off, bool big,
					 uint8_t long_size, struct tdat_error *err);
void model_format_free(struct tdat_event_format *format);

/* Whether an argument of print fmt reads the field of that name. */
bool model_format_shows(const struct tdat_event_format *format, const char *name);

/* Sets least_len and most_len of a format whose other members are set. */
void model_record_lens(struct tdat_event_format *format);

/*
 * model_format_head finds only the "name:" and "ID:" of a format file, cheaply:
 * false when one is missing. *name is a span of text.
 */
bool model_format_head(struct tdat_span text, struct tdat_span *name, uint32_t *id);

/*
 * True for letters, digits and _ alone: libtraceevent's parser expects such names of events, and of
 * fields in print fmt.
 */
static inline bool model_is_word(const char *name)
{
	const char *p = name;

	while (tdat_is_word((uint8_t)*p))
		p++;
	return p > name && !*p;
}

/* True for the bytes that a number may have. */
static inline bool model_is_number_len(uint64_t len)
{
	return len == 1 || len == 2 || len == 4 || len == 8;
}

/* Whether the field holds where a dynamic array of the record lies, not a value. */
static inline bool model_field_is_loc(const struct tdat_field *field)
{
	return field->flags & (TDAT_FIELD_DYNAMIC | TDAT_FIELD_RELATIVE);
}

/*
 * model_field_elem_len is the element size libtraceevent indexes a field with:
 * unlike elem_len it is 0 for dynamic arrays of types it does not know.
 */
uint32_t model_field_elem_len(const struct tdat_field *field);

#endif
