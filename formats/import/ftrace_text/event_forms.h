/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Has the forms of events that carry texts: which fields they have, and how these are printed. */
#ifndef TDAT_IMPORT_FTRACE_EVENT_FORMS_H
#define TDAT_IMPORT_FTRACE_EVENT_FORMS_H

#include <tdat/emit.h>

enum { FT_FIELDS_MOST = 8 };

enum field_type { F_U64, F_U32, F_TEXT };

/* A row of ft_forms. */
enum form_id {
	FORM_TEXT,
	FORM_NUL1,
	FORM_NUL7 = FORM_NUL1 + 6,
	FORM_FUNCTION,
	FORM_REPEATS,
	FORM_PRINT,
	FORM_ENTRY,
	FORM_EXIT,
	FORM_EXIT_PLAIN,
	FORM_SAMPLE,
	FORM_SAMPLE_IP,
	FORM_SAMPLE_PERIOD,
	FORM_SAMPLE_TEXT
};

/* What the events of a form have for fields. */
struct ft_form {
	const char *suffix; /* of the system's name */
	struct {
		const char *name;
		enum field_type type;
	} fields[FT_FIELDS_MOST];
	size_t count;
	const char *print;
};

extern const struct ft_form ft_forms[];

/* Hands over the format of events of that name; *id is what it gets. */
enum tdat_status ft_form_emit(const struct tdat_emit *emit, enum form_id form, const char *system,
			      const char *name, uint16_t *id, struct tdat_error *err);

#endif
