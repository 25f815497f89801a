/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Makes typed records of texts, by formats of the same kernel or by those that are stable. */
#ifndef TDAT_IMPORT_FTRACE_TYPED_EVENTS_H
#define TDAT_IMPORT_FTRACE_TYPED_EVENTS_H

#include <tdat/emit.h>
#include <tdat/text_record.h>

struct ft_typed {
	struct tdat_file *file; /* of the same kernel; NULL: none was given */
	struct tdat_text_types *types;
	struct ft_emitted {
		uint16_t id;  /* in the trace.dat; 0: not there yet */
		uint32_t len; /* of records: those that end in fields which are not shown are cut */
	} * ids;	      /* of types */
	size_t id_count;
	size_t made; /* types of system calls that were made of their texts */
	bool big;
};

/* path: a trace.dat of the same kernel, or a folder of format files; NULL: none. */
enum tdat_status ft_typed_open(struct ft_typed *t, const char *path, struct tdat_error *err);
void ft_typed_close(struct ft_typed *t);

/* What belongs to the formats: symbols and strings of the kernel. */
enum tdat_status ft_typed_emit(const struct ft_typed *t, const struct tdat_emit *emit,
			       struct tdat_error *err);

/*
 * A record of an event of that name that is printed as text, with the id of its format; record->len
 * 0: there is none. The record can be changed, until the next call.
 */
enum tdat_status ft_typed_record(struct ft_typed *t, struct tdat_span name, struct tdat_span text,
				 const struct tdat_emit *emit, struct tdat_span *record,
				 uint16_t *id, struct tdat_error *err);

#endif
