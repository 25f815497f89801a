/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Lists the importers in one table, and finds the one that a capture is for. CMake writes
 * importers_built.h: the rows of importer_list.h whose importers are built, maybe none. A capture
 * goes to the importer whose probe checked most bits; a tie is reported to the user.
 */
#include "import/importers.h"

#include <string.h>

#include "core/opts.h"
#include "core/other_file.h"

/* Ended by NULL. */
static const struct tdat_importer *const table[] = {
#define IMPORTER(name) &import_##name,
#include <importers_built.h>
#undef IMPORTER
	NULL,
};

const struct tdat_importer *const *tdat_importers(size_t *count)
{
	*count = sizeof(table) / sizeof(table[0]) - 1;
	return table;
}

const struct tdat_importer *tdat_importer_find(const char *name)
{
	for (size_t i = 0; table[i]; i++)
		if (!strcmp(table[i]->name, name))
			return table[i];
	return NULL;
}

enum tdat_status tdat_importer_run(const struct tdat_importer *importer,
				   const struct tdat_import_request *request,
				   const struct tdat_emit *emit, struct tdat_error *err)
{
	struct tdat_import_request own = TDAT_IMPORT_REQUEST_INIT;
	enum tdat_status st = tdat_emit_check(emit, err);

	tdat_opts_copy(&own, sizeof(own), request);
	return st == TDAT_OK ? importer->run(&own, emit, err) : st;
}

/* What a file of another tool is; NULL: unknown. */
static const char *what_else(const struct tdat_source *source)
{
	const uint64_t len = tdat_source_len(source);
	uint8_t head[TDAT_OTHER_LOOK];
	const size_t n = len < sizeof(head) ? (size_t)len : sizeof(head);

	return tdat_source_read(source, 0, head, n, NULL) == TDAT_OK ? tdat_other_file(head, n)
								     : NULL;
}

enum tdat_status import_choose(const struct tdat_importer *const *list,
			       const struct tdat_import_input *inputs, size_t input_count,
			       const struct tdat_importer **out, struct tdat_error *err)
{
	const struct tdat_importer *best = NULL, *tie = NULL;
	uint32_t best_bits = 0;

	*out = NULL;
	for (; *list; list++) {
		uint32_t bits = (*list)->probe(inputs, input_count);

		if (bits > best_bits) {
			best = *list;
			best_bits = bits;
			tie = NULL;
		} else if (bits && bits == best_bits) {
			tie = *list;
		}
	}
	if (!best) {
		const char *other = input_count == 1 ? what_else(inputs[0].source) : NULL;

		return tdat_error_set(err, TDAT_E_FORMAT, TDAT_NO_OFFSET,
				      "%s%s is not a capture that tdat can import%s%s",
				      input_count ? inputs[0].path : "nothing",
				      input_count > 1 ? " with the other inputs" : "",
				      other ? ", " : "", other ? other : "");
	}
	if (tie)
		return tdat_error_set(err, TDAT_E_FORMAT, TDAT_NO_OFFSET,
				      "%s could be %s or %s: name the format with --from",
				      inputs[0].path, best->name, tie->name);
	*out = best;
	return TDAT_OK;
}

enum tdat_status tdat_importer_probe(const struct tdat_import_input *inputs, size_t input_count,
				     const struct tdat_importer **out, struct tdat_error *err)
{
	if (tdat_has(TDAT_COMPONENT_IMPORTERS))
		return import_choose(table, inputs, input_count, out, err);
	*out = NULL;
	return tdat_error_set(err, TDAT_E_UNSUPPORTED, TDAT_NO_OFFSET,
			      "%s is not a trace.dat, and this libtdat was built without importers "
			      "(TDAT_IMPORTERS=OFF)",
			      input_count ? inputs[0].path : "nothing");
}
