/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Checks the options that a user gave to an importer against its descriptions, and reads them. */
#ifndef TDAT_IMPORT_IMPORTER_OPTIONS_H
#define TDAT_IMPORT_IMPORTER_OPTIONS_H

#include <tdat/emit.h>

/*
 * Every key must be one of descs, a flag must come without a value and any
 * other key with one; else TDAT_E_USAGE with a sentence that names the nearest
 * key. To be called first in run.
 */
enum tdat_status import_options_check(const struct tdat_import_request *request,
				      const struct tdat_keyed_option_desc *descs,
				      const char *importer, struct tdat_error *err);

/* The last value given for key, or NULL. */
const char *import_option_find(const struct tdat_import_request *request, const char *key);

/* Whether a flag was given. */
bool import_option_flag(const struct tdat_import_request *request, const char *key);

/*
 * A number in min..max, unless st is a failure: decimal, 0x hex, with an optional suffix k, M or G
 * (powers of 1024). Not given: *out is left as it is. Else TDAT_E_USAGE.
 */
enum tdat_status import_option_u64(const struct tdat_import_request *request, const char *key,
				   uint64_t min, uint64_t max, uint64_t *out, enum tdat_status st,
				   struct tdat_error *err);

/*
 * One of the names, ended by NULL: *out is its index. Not given, or st a failure: *out is left as
 * it is. Else TDAT_E_USAGE with a sentence that lists them.
 */
enum tdat_status import_option_choice(const struct tdat_import_request *request, const char *key,
				      const char *const *names, size_t *out, enum tdat_status st,
				      struct tdat_error *err);

/* The place of a name in a list that NULL ends; false, and *out as it is, where it is not there. */
bool import_find_name(const char *const *names, const char *name, size_t *out);

#endif
