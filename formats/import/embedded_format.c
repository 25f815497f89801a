/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Finds and emits the event formats that are built into an importer. Formats lie in
 * events/SYSTEM/EVENT/format beside each importer and are compiled in. The id is the one that
 * the emit gives, as a capture of several sources may have taken others.
 */
#include "embedded_format.h"

#include <string.h>

/* Finds a format by system and name; NULL: none. The list ends with a NULL system. */
const struct import_format *import_format_find(const struct import_format *formats,
					       const char *system, const char *name)
{
	for (; formats->system; formats++)
		if (!strcmp(formats->system, system) && !strcmp(formats->name, name))
			return formats;
	return NULL;
}

/*
 * Emits the format in events/FOLDER/NAME under another system. Its text has ID 0; the id that it
 * gets is returned in *id.
 */
enum tdat_status import_format_emit_as(const struct import_format *formats, const char *folder,
				       const char *name, const char *system,
				       const struct tdat_emit *emit, uint16_t *id,
				       struct tdat_error *err)
{
	const struct import_format *f = import_format_find(formats, folder, name);

	if (!f)
		return tdat_error_set(err, TDAT_E_NOT_FOUND, TDAT_NO_OFFSET,
				      "this build does not contain the format file of %s:%s",
				      folder, name);
	return tdat_emit_format(emit, system, f->text, f->len, id, err);
}

enum tdat_status import_format_emit(const struct import_format *formats, const char *system,
				    const char *name, const struct tdat_emit *emit, uint16_t *id,
				    struct tdat_error *err)
{
	return import_format_emit_as(formats, system, name, system, emit, id, err);
}
