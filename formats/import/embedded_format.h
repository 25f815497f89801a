/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Declares the event formats of an importer: real ftrace format files with "ID: 0" under
 * formats/import/<name>/events/<system>/<event>/format, embedded at build time by
 * tdat_embed_formats(<name>) as import_formats_<name>, sorted by path and ended by system NULL.
 */
#ifndef TDAT_IMPORT_EMBEDDED_FORMAT_H
#define TDAT_IMPORT_EMBEDDED_FORMAT_H

#include <tdat/emit.h>

struct import_format {
	const char *system;
	const char *name;
	const char *text;
	size_t len;
};

/* The format file of system:name, or NULL. */
const struct import_format *import_format_find(const struct import_format *formats,
					       const char *system, const char *name);

/* Hands the format file of system:name to emit; *id is what common_type has to be. */
enum tdat_status import_format_emit(const struct import_format *formats, const char *system,
				    const char *name, const struct tdat_emit *emit, uint16_t *id,
				    struct tdat_error *err);

/* The same under another system than that of its folder. */
enum tdat_status import_format_emit_as(const struct import_format *formats, const char *folder,
				       const char *name, const char *system,
				       const struct tdat_emit *emit, uint16_t *id,
				       struct tdat_error *err);

#endif
