/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Checks the options that a user gave to an importer, and reads their values. An importer lists
 * its options in its table row; the command line and --help are made from that. A key that is
 * not known is refused with the nearest one.
 */
#include "importer_options.h"

#include <stdio.h>
#include <string.h>

#include "core/nearest.h"
#include "core/text.h"

static const struct tdat_keyed_option_desc *find_desc(const struct tdat_keyed_option_desc *descs,
						      const char *key)
{
	for (; descs && descs->key; descs++)
		if (!strcmp(descs->key, key))
			return descs;
	return NULL;
}

/* Refuses an option with the name of the nearest one. */
static enum tdat_status unknown_key(const struct tdat_keyed_option_desc *descs, const char *key,
				    const char *importer, struct tdat_error *err)
{
	struct tdat_near near = {.word = key};
	const char *none = descs && descs->key ? "" : "; it has no options";

	for (; descs && descs->key; descs++)
		tdat_near_try(&near, descs->key);
	return tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET, "%s has no option \"%s\"%s",
			      importer, key, tdat_near_hint(&near, none));
}

/*
 * Checks all options against the importer's list: known keys, values where needed and nowhere else.
 */
enum tdat_status import_options_check(const struct tdat_import_request *request,
				      const struct tdat_keyed_option_desc *descs,
				      const char *importer, struct tdat_error *err)
{
	for (size_t i = 0; i < request->option_count; i++) {
		const struct tdat_keyed_option *o = &request->options[i];
		const struct tdat_keyed_option_desc *desc = find_desc(descs, o->key);

		if (!desc)
			return unknown_key(descs, o->key, importer, err);
		if (desc->arg && (!o->value || !*o->value))
			return tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET,
					      "option \"%s\" of %s needs a value: %s=%s", o->key,
					      importer, o->key, desc->arg);
		if (!desc->arg && o->value && *o->value)
			return tdat_error_set(
				err, TDAT_E_USAGE, TDAT_NO_OFFSET,
				"option \"%s\" of %s does not accept a value, such as \"%s\"",
				o->key, importer, o->value);
	}
	return TDAT_OK;
}

/* Value of an option, "" for a flag; NULL: not given. The last one wins, as on a command line. */
const char *import_option_find(const struct tdat_import_request *request, const char *key)
{
	for (size_t i = request->option_count; i--;)
		if (!strcmp(request->options[i].key, key))
			return request->options[i].value ? request->options[i].value : "";
	return NULL;
}

bool import_option_flag(const struct tdat_import_request *request, const char *key)
{
	return import_option_find(request, key) != NULL;
}

/* Reads a number between min and max. *out keeps its default if the option is absent. */
enum tdat_status import_option_u64(const struct tdat_import_request *request, const char *key,
				   uint64_t min, uint64_t max, uint64_t *out, enum tdat_status st,
				   struct tdat_error *err)
{
	const char *value = import_option_find(request, key);
	uint64_t v;

	if (st != TDAT_OK || !value)
		return st;
	if (!tdat_whole_size(value, &v))
		return tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET,
				      "option \"%s\" needs a number, not \"%s\"", key, value);
	if (v < min || v > max)
		return tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET,
				      "option \"%s\" is %s, but must be %llu to %llu", key, value,
				      (unsigned long long)min, (unsigned long long)max);
	*out = v;
	return TDAT_OK;
}

/* Finds a name in a list that NULL ends; *out is its index. */
bool import_find_name(const char *const *names, const char *name, size_t *out)
{
	for (size_t i = 0; names[i]; i++)
		if (!strcmp(names[i], name)) {
			*out = i;
			return true;
		}
	return false;
}

/* Reads a choice; *out becomes its index in names, which end with NULL. */
enum tdat_status import_option_choice(const struct tdat_import_request *request, const char *key,
				      const char *const *names, size_t *out, enum tdat_status st,
				      struct tdat_error *err)
{
	const char *value = import_option_find(request, key);
	char list[256] = "";
	size_t used = 0;

	if (st != TDAT_OK || !value || import_find_name(names, value, out))
		return st;
	for (size_t i = 0; names[i] && used < sizeof(list); i++) {
		int n = snprintf(list + used, sizeof(list) - used, "%s%s", i ? ", " : "", names[i]);

		used += n > 0 ? (size_t)n : 0;
	}
	return tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET,
			      "option \"%s\" is \"%s\", but must be one of %s", key, value, list);
}
