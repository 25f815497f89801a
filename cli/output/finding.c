/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints one finding of check or repair, as text or as JSON. */
#include "output/finding.h"

#include <inttypes.h>
#include <string.h>

#include "terminal/safe_text.h"

/* An offset is null if a finding concerns no place of the file. */
static void put_json(struct tdat_json *j, const struct tdat_finding *f)
{
	tdat_json_object(j, NULL);
	tdat_json_str(j, "severity", tdat_severity_name(f->severity));
	if (f->off != TDAT_NO_OFFSET)
		tdat_json_u64(j, "offset", f->off);
	else
		tdat_json_null(j, "offset");
	tdat_json_str(j, "sentence", f->sentence);
	tdat_json_str(j, "cost", f->cost);
	tdat_json_object_end(j);
}

/* Texts come from a file: control bytes are escaped. */
static void put_text(FILE *to, const char *path, const struct tdat_finding *f)
{
	cli_put_str(to, path);
	fprintf(to, ": %s", tdat_severity_name(f->severity));
	if (f->off != TDAT_NO_OFFSET)
		fprintf(to, " at %" PRIu64, f->off);
	fprintf(to, ": ");
	cli_put_str(to, f->sentence);
	fprintf(to, "; costs %s\n", f->cost);
}

void cli_put_finding(FILE *to, struct tdat_json *j, const char *path, const struct tdat_finding *f)
{
	if (j)
		put_json(j, f);
	else
		put_text(to, path, f);
}
