/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Declares plans, which say what the fields of an event type are and are made once. */
#ifndef EXPORT_PLAN_H
#define EXPORT_PLAN_H

#include <tdat/event.h>

#include "core/build.h"

enum export_kind {
	EXPORT_NUMBER,
	EXPORT_STRING,
	EXPORT_ARRAY,	/* of numbers */
	EXPORT_BITMASK, /* the numbers of the bits that are set */
	EXPORT_BYTES	/* of no known type: hexadecimal */
};

struct export_field {
	const struct tdat_field *field;
	enum export_kind kind;
	uint32_t elem_len; /* ARRAY, BITMASK */
	bool is_signed;
	char *key; /* JSON: ,"name": */
	size_t key_len;
};

struct export_plan {
	struct export_field *fields; /* without the common ones */
	size_t count;
	char *head; /* JSON: ,"system":"sched","event":"sched_switch" */
	size_t head_len;
	const struct export_field **columns; /* CSV: for each column, or NULL */
};

enum tdat_status export_plan_new(struct export_plan **out, const struct tdat_format *format,
				 struct tdat_error *err);
void export_plan_free(struct export_plan *p);

/* Finds the fields of p for the columns, which of another input may lie elsewhere. */
enum tdat_status export_plan_match(struct export_plan *p, const struct export_plan *columns,
				   struct tdat_error *err);

/* What a record has in a field. */
enum export_got {
	EXPORT_GOT_NOTHING, /* the field does not lie in the record */
	EXPORT_GOT_I64,
	EXPORT_GOT_U64,
	EXPORT_GOT_STRING,
	EXPORT_GOT_ARRAY, /* or a bitmask: export_array */
	EXPORT_GOT_BYTES
};

struct export_value {
	union {
		int64_t i64;
		uint64_t u64;
		struct tdat_span span;
	};
};

enum export_got export_read(const struct export_field *f, struct tdat_span record,
			    struct export_value *v);

/* The elements of an ARRAY, or the numbers of the bits of a BITMASK. */
void export_array(struct tdat_build *out, const struct export_field *f, struct tdat_span bytes,
		  bool big, char separator);

#endif
