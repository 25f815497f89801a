/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes the names of folders and files of Hive partitions, as Hive, Spark and DuckDB expect them.
 * Values come from a trace and are escaped, so none can leave the folder. A path is
 * OUTPUT/event=NAME/file=NAME/part-0 with a suffix.
 */
#include "output/partition.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/utf8.h"
#include "terminal/message.h"

static const char *const key_names[CLI_KEYS] = {"table", "system", "event", "file", "host"};

const char *cli_partition_key_name(enum cli_partition_key key)
{
	return key_names[key];
}

/* Each key may occur once. False: another word, or a key that was there already. */
static bool add_key(struct cli_partition *p, const char *name, size_t len)
{
	for (size_t i = 0; i < CLI_KEYS; i++) {
		if (strlen(key_names[i]) != len || strncmp(key_names[i], name, len) != 0 ||
		    p->has[i])
			continue;
		p->has[i] = true;
		p->keys[p->count++] = (enum cli_partition_key)i;
		return true;
	}
	return false;
}

/* Parses "event,file". Without table or event tables of different columns would share a folder. */
int cli_partition_parse(const char *text, struct cli_partition *p)
{
	memset(p, 0, sizeof(*p));
	for (const char *at = text;; at++) {
		const size_t len = strcspn(at, ",");

		if (!add_key(p, at, len)) {
			cli_error(NULL,
				  "--partition needs a comma-separated list of table, system, "
				  "event, file and host, each at most once, not '%s'",
				  text);
			return CLI_USAGE;
		}
		at += len;
		if (!*at)
			break;
	}
	if (p->has[CLI_KEY_TABLE] || p->has[CLI_KEY_EVENT])
		return CLI_OK;
	cli_error(
		NULL,
		"--partition needs the key table or event, because tables have different columns");
	return CLI_USAGE;
}

/* True if Hive escapes the character in the name of a folder. Blanks are not escaped. */
static bool is_escaped(unsigned char c)
{
	return c < ' ' || c == 0x7f || strchr("\"#%'*/:=?\\{}[]^", c);
}

static void put_escaped(struct tdat_build *out, const char *value, bool exact)
{
	static const char digits[] = "0123456789ABCDEF";
	size_t left = strlen(value);

	if (!left)
		tdat_build_str(out, "__HIVE_DEFAULT_PARTITION__");
	while (left) {
		const unsigned char c = (unsigned char)*value;
		uint32_t code;
		size_t n = tdat_utf8_len((const uint8_t *)value, left, &code);

		if (n && !(n == 1 && is_escaped(c))) {
			tdat_build_bytes(out, value, n);
		} else if (!n && !exact) {
			tdat_build_utf8(out, value, 1);
			n = 1;
		} else {
			tdat_build_u8(out, '%');
			tdat_build_u8(out, (uint8_t)digits[c >> 4]);
			tdat_build_u8(out, (uint8_t)digits[c & 15]);
			n = 1;
		}
		value += n;
		left -= n;
	}
}

/* Readers refuse names that unescape to invalid UTF-8. */
void cli_partition_value(struct tdat_build *out, const char *value)
{
	put_escaped(out, value, false);
}

void cli_partition_exact(struct tdat_build *out, const char *value)
{
	put_escaped(out, value, true);
}

bool cli_partition_names_table(const struct cli_partition *p, enum cli_partition_key key)
{
	return key == (p->has[CLI_KEY_EVENT] ? CLI_KEY_EVENT : CLI_KEY_TABLE);
}

static const char *value_of(const struct cli_partition *p, const struct cli_partition_place *place,
			    enum cli_partition_key key)
{
	const struct tdat_table *t = place->table;

	if (cli_partition_names_table(p, key))
		return place->value;
	switch (key) {
	case CLI_KEY_TABLE:
		return t->name;
	case CLI_KEY_SYSTEM:
		return t->system ? t->system : "";
	case CLI_KEY_FILE:
		return place->file;
	default:
		return place->host;
	}
}

/*
 * Returns the path of a part, which free() frees; NULL: no memory. Without the key file the part is
 * named after the file.
 */
char *cli_partition_path(const struct cli_partition *p, const struct cli_partition_place *place,
			 const char *suffix)
{
	struct tdat_build path;

	tdat_build_init(&path, false);
	tdat_build_str(&path, place->output);
	for (size_t i = 0; i < p->count; i++) {
		tdat_build_u8(&path, '/');
		tdat_build_str(&path, key_names[p->keys[i]]);
		tdat_build_u8(&path, '=');
		cli_partition_value(&path, value_of(p, place, p->keys[i]));
	}
	tdat_build_str(&path, "/part-");
	if (p->has[CLI_KEY_FILE])
		tdat_build_u8(&path, '0');
	else
		cli_partition_value(&path, place->file);
	tdat_build_str(&path, suffix);
	return tdat_build_text(&path);
}

char *cli_partition_folder(const struct cli_partition *p, const struct cli_partition_place *place)
{
	struct tdat_build path;

	tdat_build_init(&path, false);
	tdat_build_str(&path, place->output);
	if (cli_partition_names_table(p, p->keys[0])) {
		tdat_build_printf(&path, "/%s=", key_names[p->keys[0]]);
		cli_partition_value(&path, place->value);
	}
	return tdat_build_text(&path);
}

/*
 * Makes the folders of a path behind its first `from` bytes. The path is changed meanwhile, and
 * restored.
 */
enum tdat_status cli_partition_folders(char *path, size_t from, struct tdat_error *err)
{
	for (char *slash = path + from; (slash = strchr(slash, '/')); slash++) {
		int rc;

		*slash = '\0';
		rc = mkdir(path, 0777) && errno != EEXIST ? errno : 0;
		if (rc)
			tdat_error_set_errno(err, rc, "cannot create %s", path);
		*slash = '/';
		if (rc)
			return TDAT_E_SYSTEM;
	}
	return TDAT_OK;
}
