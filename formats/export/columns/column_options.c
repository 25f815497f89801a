/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Reads options of exporters that take tables. */
#include "column_options.h"

#include <stdlib.h>
#include <string.h>

#include "export/state.h"

#include "core/text.h"

/* Reads a number between least and most; *v keeps its default if the option is absent. */
enum tdat_status export_number(const struct tdat_export_request *r, const char *key, int64_t least,
			       int64_t most, int64_t *v, struct tdat_error *err)
{
	const char *text = export_option(r, key);
	int64_t n;

	if (!text)
		return TDAT_OK;
	if (!tdat_whole_i64(tdat_span_of(text), &n) || n < least || n > most)
		return tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET,
				      "option '%s' must be a number from %lld to %lld, not '%s'",
				      key, (long long)least, (long long)most, text);
	*v = n;
	return TDAT_OK;
}

/* Reads a choice; *v becomes its index in names, which end with NULL. */
enum tdat_status export_choice(const struct tdat_export_request *r, const char *key,
			       const char *const *names, size_t *v, struct tdat_error *err)
{
	const char *text = export_option(r, key);
	struct tdat_build list;
	enum tdat_status st;

	if (!text)
		return TDAT_OK;
	for (size_t i = 0; names[i]; i++)
		if (!strcmp(names[i], text)) {
			*v = i;
			return TDAT_OK;
		}
	tdat_build_init(&list, false);
	for (size_t i = 0; names[i]; i++) {
		tdat_build_str(&list, !i ? "" : names[i + 1] ? ", " : " or ");
		tdat_build_str(&list, names[i]);
	}
	tdat_build_u8(&list, 0);
	st = tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET, "option '%s' must be %s, not '%s'",
			    key, list.failed ? "another name" : (const char *)list.ptr, text);
	tdat_build_fini(&list);
	return st;
}
