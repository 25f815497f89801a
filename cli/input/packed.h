/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inputs that are packed: gzip, xz, zstd, bzip2, tar and zip, unpacked once to a temporary file. */
#ifndef CLI_PACKED_H
#define CLI_PACKED_H

#include <stdbool.h>

#include "input/unpack.h"

/* A file of an archive, or the content of a compressed file. */
struct cli_member {
	char *name;		    /* relative, without "." and ".." */
	struct tdat_source *source; /* NULL: a link or a device, which is not opened */
	uint64_t off, len;	    /* in the temporary file */
	size_t number;		    /* of several with one name the last counts */
	bool hard_link;
};

struct cli_packed {
	struct cli_member *v;
	size_t count, room;
	bool archive;	 /* else v[0] is the content of a compressed file */
	size_t left_out; /* names that lead out of the archive, reported */
};

/* cli_is_trace_dat: does this source begin as a trace.dat does? */
bool cli_is_trace_dat(const struct tdat_source *source);

/* cli_packing_of tells from the first bytes how a source is packed. */
enum tdat_packing cli_packing_of(const struct tdat_source *source);

/* cli_packed_name gives the name of what name.gz holds; the caller frees it. NULL: no memory. */
char *cli_packed_name(const char *name);

/*
 * cli_packed_open unpacks source, which messages call path, to a file in tmpdir (NULL: TMPDIR), in
 * a process that enters the sandbox before it looks at a byte. Damage is reported, and what was
 * unpacked before it is kept; cli_input_doubts tells later. Members are in order of their
 * names, those that are compressed files are unpacked, too. The caller calls cli_packed_fini either
 * way.
 */
enum tdat_status cli_packed_open(struct cli_packed *out, const struct tdat_source *source,
				 const char *path, const char *tmpdir, struct tdat_error *err);
void cli_packed_fini(struct cli_packed *packed);

#endif
