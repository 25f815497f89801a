/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Records of printed text: the way back from what a print fmt made to the fields of an event, for
 * importers of text. A record is found only if printing it gives the very text.
 *
 * Threads: a set of types belongs to one thread at a time. Several sets may be used by several
 * threads at once.
 *
 * Owners: a set is the caller's to free, before the file whose formats it has. Records belong to
 * it and are valid until its next call.
 */
#ifndef TDAT_TEXT_RECORD_H
#define TDAT_TEXT_RECORD_H

#include <tdat/file.h>

TDAT_BEGIN_DECLS

struct tdat_text_types;

/*
 * tdat_text_types_new makes a set of event types: those of file, with its symbols, byte order and
 * kernel; or, with file NULL, none yet, of a little-endian machine of 64 bits.
 */
TDAT_API enum tdat_status tdat_text_types_new(struct tdat_text_types **out,
					      const struct tdat_file *file, struct tdat_error *err);
/* tdat_text_types_free frees a set; NULL is fine. */
TDAT_API void tdat_text_types_free(struct tdat_text_types *types);

/* tdat_text_types_add adds a type by the text of its format file, which is copied. */
TDAT_API enum tdat_status tdat_text_types_add(struct tdat_text_types *types, const char *system,
					      const char *text, size_t len, struct tdat_error *err);

/*
 * tdat_text_types_find returns the first type of that name behind type number after, or the first
 * of all if after is SIZE_MAX; SIZE_MAX: there is none.
 */
TDAT_API size_t tdat_text_types_find(const struct tdat_text_types *types, const char *name,
				     size_t len, size_t after);

/* tdat_text_types_format is the format of a type. It belongs to the set, or to its file. */
TDAT_API const struct tdat_event_format *tdat_text_types_format(const struct tdat_text_types *types,
								size_t index);

/* tdat_text_types_text is the text of a type's format file; it belongs to the set, or to its file.
 */
TDAT_API struct tdat_span tdat_text_types_text(const struct tdat_text_types *types, size_t index);

/* tdat_text_types_shows tells whether the print fmt of a type reads the field of that name. */
TDAT_API bool tdat_text_types_shows(const struct tdat_text_types *types, size_t index,
				    const char *field);

/*
 * tdat_text_types_record makes a record of that type that is printed as text. Fields that print
 * fmt does not show are 0. TDAT_E_NOT_FOUND: there is none.
 */
TDAT_API enum tdat_status tdat_text_types_record(struct tdat_text_types *types, size_t index,
						 struct tdat_span text, struct tdat_span *record,
						 struct tdat_error *err);

TDAT_END_DECLS
#endif
