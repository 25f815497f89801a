/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Converts printed events back to records, for importers of text: computes the values of the fields
 * from the text that the print fmt has printed. A record is returned only if the print fmt prints
 * exactly this text for it.
 *
 * Threads: a set of types belongs to one thread at a time. Several threads may use several sets at
 * the same time.
 *
 * Owners: the caller frees a set before it closes the file of the set's formats. Records belong to
 * the set and are valid until its next call.
 */
#ifndef TDAT_TEXT_RECORD_H
#define TDAT_TEXT_RECORD_H

#include <tdat/file.h>

TDAT_BEGIN_DECLS

struct tdat_text_types;

/*
 * tdat_text_types_new creates a set that contains the event types of file, and uses the file's
 * symbols, byte order and kernel version. If file is NULL, the set is empty, and its byte order and
 * sizes are those of a little-endian machine with 64 bits.
 */
TDAT_API enum tdat_status tdat_text_types_new(struct tdat_text_types **out,
					      const struct tdat_file *file, struct tdat_error *err);
/* tdat_text_types_free frees a set. NULL is allowed. */
TDAT_API void tdat_text_types_free(struct tdat_text_types *types);

/* tdat_text_types_add adds a type by the text of its format file, which is copied. */
TDAT_API enum tdat_status tdat_text_types_add(struct tdat_text_types *types, const char *system,
					      const char *text, size_t len, struct tdat_error *err);

/*
 * tdat_text_types_find returns the number of the first type called name that follows type number
 * after. If after is SIZE_MAX, it returns the number of the first type called name. It returns
 * SIZE_MAX if there is no such type.
 */
TDAT_API size_t tdat_text_types_find(const struct tdat_text_types *types, const char *name,
				     size_t len, size_t after);

/* tdat_text_types_format returns the format of a type. It belongs to the set or to its file. */
TDAT_API const struct tdat_event_format *tdat_text_types_format(const struct tdat_text_types *types,
								size_t index);

/*
 * tdat_text_types_text returns the text of a type's format file; it belongs to the set or its file.
 */
TDAT_API struct tdat_span tdat_text_types_text(const struct tdat_text_types *types, size_t index);

/* tdat_text_types_shows returns true if the print fmt of a type reads the field. */
TDAT_API bool tdat_text_types_shows(const struct tdat_text_types *types, size_t index,
				    const char *field);

/*
 * tdat_text_types_record creates a record of type number index that the type's print fmt prints as
 * text. Fields that the print fmt does not print are 0. TDAT_E_NOT_FOUND: no record was found that
 * is printed as this text.
 */
TDAT_API enum tdat_status tdat_text_types_record(struct tdat_text_types *types, size_t index,
						 struct tdat_span text, struct tdat_span *record,
						 struct tdat_error *err);

TDAT_END_DECLS
#endif
