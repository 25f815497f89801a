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

/* Parses the lines behind the facts: "damaged", and "part NAME". */
static bool take_lines(char *text, struct tdat_build *parts)
{
	bool damaged = false;

	for (char *line = text, *end; (end = strchr(line, '\n')); line = end + 1) {
		*end = '\0';
		damaged |= !strcmp(line, "damaged");
		if (parts && !strncmp(line, "part ", 5))
			tdat_build_cstr(parts, line + 5);
	}
	return damaged;
}

/* Compares a record with the facts of an input, and lists its parts (NULL: not needed). */
enum cli_export_state cli_export_record_look(const char *path, const struct cli_export_facts *facts,
					     struct tdat_build *parts)
{
	enum cli_export_state state = CLI_EXPORT_OTHER;
	struct tdat_build want;
	size_t len = 0;
	char *text = cli_table_file_text(path, &len);
	bool same, damaged;

	if (!text)
		return CLI_EXPORT_NEW;
	tdat_build_init(&want, false);
	put_facts(&want, facts);
	same = !want.failed && len >= want.len && !memcmp(text, want.ptr, want.len);
	damaged = take_lines(text, parts);
	if (same)
		state = damaged ? CLI_EXPORT_DAMAGED : CLI_EXPORT_DONE;
	tdat_build_fini(&want);
	free(text);
	return state;
}

/* Replaces an older record at once when the new one is whole. */
enum tdat_status cli_export_record_write(const char *path, const struct cli_export_facts *facts,
					 bool damaged, const struct tdat_build *parts,
					 struct tdat_error *err)
{
	struct cli_table_file f;
	struct tdat_build b;
	enum tdat_status st;

	tdat_build_init(&b, false);
	put_facts(&b, facts);
	tdat_build_str(&b, damaged ? "damaged\n" : "");
	for (size_t at = 0; at < parts->len; at += strlen((char *)parts->ptr + at) + 1) {
		tdat_build_str(&b, "part ");
		tdat_build_str(&b, (char *)parts->ptr + at);
		tdat_build_u8(&b, '\n');
	}
	st = b.failed ? tdat_error_no_memory(err, path) : cli_table_file_resume(&f, path, err);
	if (st == TDAT_OK) {
		st = cli_table_file_write(&f, b.ptr, b.len, err);
		if (st == TDAT_OK)
			st = cli_table_file_close(&f, false, err);
		else
			cli_table_file_close(&f, true, NULL);
	}
	tdat_build_fini(&b);
	return st;
}
