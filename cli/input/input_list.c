/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A growing list of opened inputs, each with its path and the name importers know it by. */
#include "input/input_list.h"

#include <stdlib.h>
#include <string.h>

#include "core/grow.h"
#include "terminal/message.h"

int cli_inputs_add(struct cli_inputs *in, const char *path, const char *name,
		   struct tdat_source *source)
{
	struct tdat_import_input *v = tdat_grown(in->v, &in->room, in->count + 1, sizeof(*v));
	struct tdat_import_input *one;

	if (!v) {
		tdat_source_close(source);
		return cli_nomem();
	}
	in->v = v;
	one = &v[in->count++];
	one->source = source;
	one->name = strdup(name);
	one->path = strdup(strcmp(path, "-") ? path : "standard input");
	return one->name && one->path ? CLI_OK : cli_nomem();
}

int cli_inputs_add_file(struct cli_inputs *in, const char *path, const char *name)
{
	struct tdat_error err = TDAT_ERROR_INIT;
	struct tdat_source *source;

	if (tdat_source_open_path(&source, path, TDAT_ACCESS_READ, &err))
		return cli_fail(path, &err);
	return cli_inputs_add(in, path, name, source);
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

const char *cli_inputs_path(const struct cli_inputs *in, const char *name)
{
	for (size_t i = 0; name && i < in->count; i++)
		if (!strcmp(in->v[i].name, name))
			return in->v[i].path;
	return name;
}

bool cli_inputs_is_trace_dat(const struct tdat_source *source)
{
	static const char magic[10] = {0x17, 0x08, 0x44, 't', 'r', 'a', 'c', 'i', 'n', 'g'};
	char head[sizeof(magic)];

	if (tdat_source_len(source) < sizeof(head) ||
	    tdat_source_read(source, 0, head, sizeof(head), NULL))
		return false;
	return !memcmp(head, magic, sizeof(magic));
}
