/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A growing list of opened inputs, each with its path and the name by which importers know it.
 * Paths are for messages. Sources are closed with the list. Finding a path by name is linear:
 * warnings x files. A FIFO below a directory is left out, as reading it would wait for a writer.
 */
#include "input/input_list.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/checked.h"
#include "core/grow.h"
#include "input/beneath.h"
#include "input/packed.h"
#include "terminal/message.h"

/* Takes the source, also if it fails. */
int cli_inputs_add(struct cli_inputs *in, const char *path, const char *name,
		   struct tdat_source *source)
{
	struct tdat_import_input *one;

	if (!TDAT_GROW(in->v, &in->room, in->count + 1)) {
		tdat_source_close(source);
		return cli_nomem();
	}
	one = &in->v[in->count++];
	one->source = source;
	one->name = strdup(name);
	one->path = strdup(strcmp(path, "-") ? path : "standard input");
	return one->name && one->path ? CLI_OK : cli_nomem();
}

/*
 * Puts the content of a compressed file in its place; *plain is then its name. An archive in a
 * folder stays packed, and so does a compressed file beside the file that it holds.
 */
static enum tdat_status unpack(struct cli_inputs *in, const char *path, const char *name,
			       struct tdat_source **source, char **plain, struct tdat_error *err)
{
	const enum tdat_packing packing = cli_packing_of(*source);
	struct cli_packed packed;
	enum tdat_status st;

	*plain = NULL;
	if (packing == TDAT_PACKING_NONE || packing >= TDAT_PACKING_ZIP)
		return TDAT_OK;
	*plain = cli_packed_name(name);
	if (!*plain)
		return tdat_error_no_memory(err, "a name");
	if (cli_inputs_path(in, *plain) != *plain) {
		free(*plain);
		*plain = NULL;
		return TDAT_OK;
	}
	st = cli_packed_open(&packed, *source, path, in->tmpdir, err);
	if (st == TDAT_OK && !packed.archive && packed.count) {
		tdat_source_close(*source);
		*source = packed.v[0].source;
		packed.v[0].source = NULL;
	}
	cli_packed_fini(&packed);
	return st;
}

void cli_inputs_leave_out(struct cli_inputs *in, const char *path, const char *why)
{
	if (!in->quiet)
		cli_error(path, "%s; it was not opened", why);
	in->left_out++;
}

/*
 * Reports an entry of a directory that was not opened, by errno of cli_beneath_open(). The import
 * continues without a link or a device, with exit status 1; any other failure ends it.
 */
static int leave_out(struct cli_inputs *in, const char *path)
{
	switch (errno) {
	case EXDEV:
		cli_inputs_leave_out(in, path, "leads outside the directory through a link");
		return CLI_OK;
	case ELOOP:
		cli_inputs_leave_out(in, path, "is a link, which tdat does not follow");
		return CLI_OK;
	case EINVAL:
		cli_inputs_leave_out(in, path, "is neither a file nor a directory");
		return CLI_OK;
	default:
		cli_error(path, "cannot open: %s", strerror(errno));
		return CLI_FAILED;
	}
}

/*
 * Opens a file below a directory. With copy its content is read at once: files of a tracefs have no
 * size, and many small files would need many descriptors.
 */
int cli_inputs_add_below(struct cli_inputs *in, int root, const char *path, const char *name,
			 bool copy, uint64_t max_len)
{
	struct tdat_error err = TDAT_ERROR_INIT;
	struct tdat_source *source;
	enum tdat_status st;
	struct stat sb;
	int rc, fd = cli_beneath_open(root, name, false);
	char *plain = NULL;

	if (fd < 0)
		return leave_out(in, path);
	if (!copy && !fstat(fd, &sb) &&
	    S_ISFIFO(sb.st_mode)) { /* reading it would wait for a writer */
		close(fd);
		errno = EINVAL;
		return leave_out(in, path);
	}
	st = copy ? tdat_source_copy_fd(&source, fd, path, max_len, &err)
		  : tdat_source_open_fd(&source, fd, path, TDAT_ACCESS_READ, &err);
	close(fd);
	if (st == TDAT_OK && (st = unpack(in, path, name, &source, &plain, &err)) != TDAT_OK)
		tdat_source_close(source);
	rc = st != TDAT_OK ? cli_fail(path, &err)
			   : cli_inputs_add(in, path, plain ? plain : name, source);
	free(plain);
	return rc;
}

void cli_inputs_fini(struct cli_inputs *in)
{
	for (size_t i = 0; i < in->count; i++) {
		tdat_source_close((struct tdat_source *)in->v[i].source);
		free((char *)in->v[i].name);
		free((char *)in->v[i].path);
	}
	free(in->v);
	free(in->host);
	memset(in, 0, sizeof(*in));
}

/* A sum that is too large is UINT64_MAX. */
uint64_t cli_inputs_len(const struct cli_inputs *in)
{
	uint64_t len = 0;

	for (size_t i = 0; i < in->count; i++)
		if (!tdat_add_u64(len, tdat_source_len(in->v[i].source), &len))
			return UINT64_MAX;
	return len;
}

const char *cli_inputs_path(const struct cli_inputs *in, const char *name)
{
	for (size_t i = 0; name && i < in->count; i++)
		if (!strcmp(in->v[i].name, name))
			return in->v[i].path;
	return name;
}
