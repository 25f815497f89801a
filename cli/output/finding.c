/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints one finding of check or repair, as text or as JSON. */
#include "output/finding.h"

#include <inttypes.h>
#include <string.h>

#include "terminal/color.h"
#include "terminal/message.h"
#include "terminal/safe_text.h"
#include "terminal/screen.h"

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

/*
 * Texts come from a file: control bytes are escaped. On stdout lines fit the terminal. False: no
 * memory.
 */
static bool put_text(FILE *to, const char *path, const struct tdat_finding *f)
{
	const bool red = f->severity == TDAT_DAMAGE && cli_color(to);
	struct tdat_build b;
	bool ok;

	tdat_build_init(&b, false);
	cli_build_text(&b, path, strlen(path), "");
	tdat_build_printf(&b, ": %s", tdat_severity_name(f->severity));
	if (f->off != TDAT_NO_OFFSET)
		tdat_build_printf(&b, " at %" PRIu64, f->off);
	tdat_build_str(&b, ": ");
	cli_build_text(&b, f->sentence, strlen(f->sentence), "");
	if (strcmp(f->cost, "nothing") != 0)
		tdat_build_printf(&b, " (lost: %s)", f->cost);
	tdat_build_cstr(&b, "");
	ok = !b.failed;
	if (red)
		fputs("\033[31m", to);
	if (ok && to == stdout)
		cli_screen_fold((const char *)b.ptr, 0, 2);
	else if (ok)
		fprintf(to, "%s\n", (const char *)b.ptr);
	if (red)
		fputs("\033[m", to);
	tdat_build_fini(&b);
	return ok;
}

void cli_put_finding(FILE *to, struct tdat_json *j, const char *path, const struct tdat_finding *f)
{
	if (j)
		put_json(j, f);
	else if (!put_text(to, path, f))
		cli_nomem();
}
