/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Options of importers on the command line. They are kept when they are met and checked against the
 * importer later, because it may be known only after inputs were probed. A command parses by a
 * table of its own options followed by those of all importers.
 */
#include "args/import_opts.h"

#include <stdlib.h>
#include <string.h>

#include "core/grow.h"
#include "core/nearest.h"
#include "terminal/message.h"

/* The options of an importer end with a NULL key; there may be no array. */
static size_t option_count(const struct tdat_importer *im)
{
	size_t n = 0;

	while (im->options && im->options[n].key)
		n++;
	return n;
}

/* The callback of every importer option: keeps key and value. A flag has the value "". */
int cli_import_opts_note(void *values, const struct cli_opt *opt, const char *value)
{
	struct cli_import_opts *given = values;

	if (!TDAT_GROW(given->v, &given->room, given->count + 1))
		return cli_nomem();
	given->v[given->count].key = opt->long_name;
	given->v[given->count].value = value ? value : "";
	given->count++;
	return CLI_OK;
}

/*
 * Finds the importer that --from or --format names before options are parsed, because the table of
 * options depends on it. The last one counts, as for other options. NULL: none, or an unknown name,
 * which is reported later.
 */
const struct tdat_importer *cli_import_opts_named(const char *option, int argc, char *const *argv)
{
	const size_t len = strlen(option);
	const char *name = NULL;

	/* "--" ends options here as in the parser. */
	for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
		if (strncmp(argv[i], "--", 2) != 0 || strncmp(argv[i] + 2, option, len) != 0)
			continue;
		if (argv[i][len + 2] == '=')
			name = argv[i] + len + 3;
		else if (!argv[i][len + 2] && i + 1 < argc)
			name = argv[++i];
	}
	return name ? tdat_importer_find(name) : NULL;
}

static struct cli_opt *find_name(struct cli_opt *table, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (table[i].long_name && !strcmp(table[i].long_name, name))
			return &table[i];
	return NULL;
}

/*
 * Makes the table that a command parses by; free() frees it. With a named importer its options are
 * shown in the help; otherwise all importers' options are accepted and none is shown. NULL: no
 * memory.
 */
struct cli_opt *cli_import_opts_table(const struct cli_opt *own, const struct tdat_importer *named)
{
	const struct tdat_importer *const *all;
	size_t count, room = 1, n = 0;
	struct cli_opt *table;

	all = tdat_importers(&count);
	while (own[n].kind != CLI_OPT_LAST)
		n++;
	room += n;
	for (size_t i = 0; i < count; i++)
		room += option_count(all[i]);
	table = calloc(room, sizeof(*table)); /* all zero ends a table */
	if (!table)
		return NULL;
	memcpy(table, own, n * sizeof(*table));
	for (size_t i = 0; i < count; i++) {
		for (size_t k = 0; k < option_count(all[i]); k++) {
			const struct tdat_keyed_option_desc *d = &all[i]->options[k];

			/*
			 * Two importers may have an option of the same name; it is in the table
			 * once.
			 */
			struct cli_opt *known = find_name(table, n, d->key);

			if (named && named != all[i])
				continue;
			if (known && known->fn != cli_import_opts_note)
				continue; /* the command has another option of that name */
			if (known) {	  /* the help of the named format replaces the command's */
				known->help = named ? d->help : known->help;
				known->arg = named ? d->arg : known->arg;
				continue;
			}
			table[n].long_name = d->key;
			table[n].kind = CLI_OPT_CALL;
			table[n].arg = d->arg;
			table[n].help = named ? d->help : NULL;
			table[n].fn = cli_import_opts_note;
			n++;
		}
	}
	return table;
}

static const struct tdat_keyed_option_desc *find_desc(const struct tdat_importer *im,
						      const char *key)
{
	for (size_t k = 0; k < option_count(im); k++)
		if (!strcmp(im->options[k].key, key))
			return &im->options[k];
	return NULL;
}

/* Refuses options that the importer does not have, once it is known. */
int cli_import_opts_check(const struct cli_import_opts *given, const struct tdat_importer *importer)
{
	for (size_t i = 0; i < given->count; i++) {
		const char *key = given->v[i].key;

		if (find_desc(importer, key))
			continue;
		cli_error(NULL, "format %s does not have the option '--%s'", importer->name, key);
		return CLI_USAGE;
	}
	return CLI_OK;
}

void cli_import_opts_fini(struct cli_import_opts *given)
{
	free(given->v);
	given->v = NULL;
	given->count = given->room = 0;
}

/* Finds an importer by name, or complains with the nearest name and returns NULL. */
const struct tdat_importer *cli_importer_named(const char *name)
{
	const struct tdat_importer *im = tdat_importer_find(name);
	const struct tdat_importer *const *all;
	struct tdat_near near = {.word = name};
	size_t count;

	if (im)
		return im;
	if (!tdat_has(TDAT_COMPONENT_IMPORTERS)) {
		cli_error(NULL,
			  "--from %s: this tdat was built without importers "
			  "(TDAT_IMPORTERS=OFF)",
			  name);
		return NULL;
	}
	all = tdat_importers(&count);
	for (size_t i = 0; i < count; i++)
		tdat_near_try(&near, all[i]->name);
	/* "auto" is not an importer, but may have been meant. */
	tdat_near_try(&near, "auto");
	cli_error(NULL, "unknown format '%s'%s", name,
		  tdat_near_hint(&near, "; \"tdat list --formats\" lists the formats"));
	return NULL;
}
