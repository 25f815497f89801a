/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads and writes the records of inputs that were exported to a data set. A record tells from
 * which file and by which recipe parts were made, and lists them. It is written after all parts are
 * whole, so its presence proves them. It is a text of lines.
 */
#include "output/export_record.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "output/partition.h"
#include "output/table_file.h"

/*
 * Returns OUTPUT/_tdat/file=NAME, which free() frees; NULL: no memory. Readers of Hive partitions
 * skip folders that begin with "_".
 */
char *cli_export_record_path(const char *output, const char *file)
{
	struct tdat_build path;

	tdat_build_init(&path, false);
	tdat_build_str(&path, output);
	tdat_build_str(&path, "/_tdat/file=");
	cli_partition_value(&path, file);
	return tdat_build_text(&path);
}

/* Records are compared by these bytes: any difference in file or options makes another export. */
static void put_facts(struct tdat_build *b, const struct cli_export_facts *facts)
{
	tdat_build_printf(b, "tdat export 1\nbytes %" PRIu64 "\nchanged %" PRId64 "\n", facts->len,
			  facts->mtime_ns);
	tdat_build_printf(b, "trace %016" PRIx64 "\nas ", facts->trace_id);
	tdat_build_str(b, facts->recipe);
	tdat_build_u8(b, '\n');
}

/* Adds the name of a line "WORD NAME" to names. */
static void take_name(struct tdat_build *names, const char *line, const char *word)
{
	const size_t len = strlen(word);

	if (names && !strncmp(line, word, len))
		tdat_build_cstr(names, line + len);
}

/* Compares a record with the facts of an input, and lists its parts (NULL: not needed). */
enum cli_export_state cli_export_record_look(const char *path, const struct cli_export_facts *facts,
					     struct tdat_build *parts, struct tdat_build *joined)
{
	struct tdat_build want;
	size_t len = 0;
	char *text = cli_table_file_text(path, &len);
	bool same, damaged = false, unfinished = false;

	if (!text)
		return CLI_EXPORT_NEW;
	tdat_build_init(&want, false);
	put_facts(&want, facts);
	same = !want.failed && len >= want.len && !memcmp(text, want.ptr, want.len);
	for (char *line = text, *end; (end = strchr(line, '\n')); line = end + 1) {
		*end = '\0';
		damaged |= !strcmp(line, "damaged");
		unfinished |= !strcmp(line, "unfinished");
		take_name(parts, line, "part ");
		take_name(parts, line, "given ");
		take_name(joined, line, "joined ");
	}
	tdat_build_fini(&want);
	free(text);
	return unfinished ? CLI_EXPORT_NEW
	       : !same	  ? CLI_EXPORT_OTHER
	       : damaged  ? CLI_EXPORT_DAMAGED
			  : CLI_EXPORT_DONE;
}

/* Replaces a file at once when the new one is whole. */
static enum tdat_status write_text(const char *path, const struct tdat_build *b,
				   struct tdat_error *err)
{
	struct cli_table_file f;
	enum tdat_status st =
		b->failed ? tdat_error_no_memory(err, path) : cli_table_file_resume(&f, path, err);

	if (st != TDAT_OK)
		return st;
	st = cli_table_file_write(&f, b->ptr, b->len, err);
	if (st == TDAT_OK)
		return cli_table_file_close(&f, false, err);
	cli_table_file_close(&f, true, NULL);
	return st;
}

enum tdat_status cli_export_record_write(const char *path, const struct cli_export_facts *facts,
					 bool damaged, const struct tdat_build *parts,
					 struct tdat_error *err)
{
	struct tdat_build b;
	enum tdat_status st;

	tdat_build_init(&b, false);
	put_facts(&b, facts);
	tdat_build_str(&b, damaged ? "damaged\n" : "");
	for (size_t at = 0; at < parts->len; at += strlen((char *)parts->ptr + at) + 1) {
		tdat_build_str(&b, facts->given ? "given " : "part ");
		tdat_build_str(&b, (char *)parts->ptr + at);
		tdat_build_u8(&b, '\n');
	}
	st = write_text(path, &b, err);
	tdat_build_fini(&b);
	return st;
}

enum tdat_status cli_export_record_edit(const char *path, cli_export_line_fn edit, void *ctx,
					struct tdat_error *err)
{
	struct tdat_build b;
	size_t len = 0;
	char *text = cli_table_file_text(path, &len);
	enum tdat_status st = TDAT_OK;

	if (!text)
		return tdat_error_set(err, TDAT_E_SYSTEM, TDAT_NO_OFFSET, "cannot read %s", path);
	tdat_build_init(&b, false);
	for (char *line = text, *end; (end = strchr(line, '\n')); line = end + 1) {
		*end = '\0';
		edit(ctx, &b, line);
		*end = '\n';
	}
	if (b.failed || b.len != len || memcmp(b.ptr, text, len) != 0)
		st = write_text(path, &b, err);
	tdat_build_fini(&b);
	free(text);
	return st;
}

/* The recipe's line, which each record has once, comes with another one behind it. */
static void mark(void *ctx, struct tdat_build *out, const char *line)
{
	(void)ctx;
	if (strcmp(line, "unfinished") != 0)
		tdat_build_printf(out, "%s\n", line);
	tdat_build_str(out, strncmp(line, "as ", 3) ? "" : "unfinished\n");
}

enum tdat_status cli_export_record_reopen(const char *path, struct tdat_error *err)
{
	return cli_export_record_edit(path, mark, NULL, err);
}
