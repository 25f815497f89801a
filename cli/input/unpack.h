/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Unpacks an input into a file, in a process of its own, which reports what it found. */
#ifndef CLI_UNPACK_H
#define CLI_UNPACK_H

#include <stdbool.h>
#include <stdio.h>

#include <tdat/source.h>

#include "core/packed.h"

enum cli_unpack_what {
	CLI_UNPACK_STREAM,  /* the content of a compressed file: the only member */
	CLI_UNPACK_MEMBER,  /* a file of an archive, called text */
	CLI_UNPACK_LINK,    /* a hard link, called text */
	CLI_UNPACK_OTHER,   /* a symbolic link or a device, called text */
	CLI_UNPACK_DAMAGED, /* text says why the rest is missing */
	CLI_UNPACK_FAILED,  /* text says why nothing can be used */
	CLI_UNPACK_ABSENT,  /* the library is missing */
	CLI_UNPACK_DONE
};

enum { CLI_UNPACK_TEXT_MAX = 4096, CLI_UNPACK_MEMBERS_MAX = 1000000 };

/* A record of the report; text_len bytes follow. */
struct cli_unpack_record {
	uint32_t what, text_len;
	uint64_t off, len; /* of the content, in the file */
};

struct cli_unpack {
	const struct tdat_source *packed;
	enum tdat_packing packing;
	int fd;		   /* where the content goes */
	uint64_t at, most; /* bytes of fd that are taken already, and may be */
	uint64_t window;   /* bytes of output that a decoder may keep to refer back to */
	FILE *report;
};

/*
 * cli_unpack_load does what the sandbox forbids; false: the needed library is not there. Then
 * cli_unpack_run unpacks everything, and ends its report with CLI_UNPACK_DONE if it was whole.
 */
bool cli_unpack_load(void);
/* What packed inputs need where that is false. NULL: another build of tdat. */
extern const char *const cli_unpack_needs;
void cli_unpack_run(const struct cli_unpack *job);

#endif
