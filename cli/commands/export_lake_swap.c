/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Swaps a folder of a data set with another one: at once where the file system can
 * (RENAME_EXCHANGE), else by two renames, between which the folder is not there. Before these
 * OUTPUT/_tdat/swap gets its name, so that the next run of tdat brings it back if this one is
 * killed. Exports and export_compact.c call it with the lock.
 */
#include "commands/export_lake_swap.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "output/table_file.h"
#include "terminal/message.h"

/* Names of a swap by two renames. */
struct names {
	char *place; /* OUTPUT/FOLDER */
	char *note;  /* the file with the name of FOLDER */
	char *old;   /* what the older folder is called meanwhile, as unfinished.c would call "gone"
		      */
	char *gone;
};

static bool names_init(struct names *n, const char *output, const char *folder)
{
	n->place = n->note = n->old = n->gone = NULL;
	return asprintf(&n->place, "%s/%s", output, folder) >= 0 &&
	       asprintf(&n->note, "%s/_tdat/swap", output) >= 0 &&
	       asprintf(&n->old, "%s/_tdat/.old.tdat-part", output) >= 0 &&
	       asprintf(&n->gone, "%s/_tdat/old", output) >= 0;
}

static void names_fini(struct names *n)
{
	free(n->place);
	free(n->note);
	free(n->old);
	free(n->gone);
}

static enum tdat_status write_note(const struct names *n, const char *folder,
				   struct tdat_error *err)
{
	struct cli_table_file f;
	enum tdat_status st = cli_table_file_resume(&f, n->note, err);

	if (st != TDAT_OK)
		return st;
	st = cli_table_file_write(&f, folder, strlen(folder), err);
	if (st == TDAT_OK)
		return cli_table_file_close(&f, false, err);
	cli_table_file_close(&f, true, NULL);
	return st;
}

/* Removes the older folder, which has the name of an unfinished output that nobody writes. */
static void remove_old(const struct names *n)
{
	struct cli_unfinished *u;

	if (cli_unfinished_folder(&u, n->gone, NULL) == TDAT_OK)
		cli_unfinished_free(u);
}

static enum tdat_status swap_by_two(const struct names *n, const char *folder,
				    struct cli_unfinished *made, struct tdat_error *err)
{
	enum tdat_status st = write_note(n, folder, err);

	if (st != TDAT_OK)
		return st;
	if (rename(n->place, n->old)) {
		st = tdat_error_set_errno(err, errno, "cannot rename %s", n->place);
	} else if (cli_unfinished_finish(made, n->place, CLI_FINISH_REPLACE)) {
		st = tdat_error_set_errno(err, errno, "cannot rename a temporary file to %s",
					  n->place);
		(void)!rename(n->old, n->place);
	} else {
		remove_old(n);
	}
	if (st == TDAT_OK || !access(n->place, F_OK))
		unlink(n->note);
	return st;
}

enum tdat_status lake_swap(const char *output, const char *folder, struct cli_unfinished *made,
			   struct tdat_error *err)
{
	struct names n;
	enum tdat_status st = TDAT_OK;

	if (!names_init(&n, output, folder))
		st = tdat_error_no_memory(err, "a name");
	else if (cli_unfinished_finish(made, n.place, CLI_FINISH_EXCHANGE))
		st = errno == EINVAL || errno == ENOSYS || errno == EOPNOTSUPP
			     ? swap_by_two(&n, folder, made, err)
			     : tdat_error_set_errno(err, errno, "cannot replace %s", n.place);
	names_fini(&n);
	return st;
}

int lake_swap_restore(const char *output)
{
	size_t len = 0;
	struct names n;
	char *folder = NULL;
	int rc = CLI_OK;

	if (!names_init(&n, output, "_tdat/swap")) {
		rc = cli_nomem();
	} else if ((folder = cli_table_file_text(n.note, &len))) {
		names_fini(&n);
		if (!names_init(&n, output, folder))
			rc = cli_nomem();
		else if (*folder != '/' && !strstr(folder, "..") && access(n.place, F_OK) &&
			 rename(n.old, n.place) && errno != ENOENT) {
			cli_error(n.place, "cannot be restored: %s", strerror(errno));
			rc = CLI_FAILED;
		} else {
			remove_old(&n);
			unlink(n.note);
		}
	}
	free(folder);
	names_fini(&n);
	return rc;
}
