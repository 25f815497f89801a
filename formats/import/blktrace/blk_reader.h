/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Declares the kind blktrace of relay channels. */
#ifndef TDAT_IMPORT_BLKTRACE_BLK_READER_H
#define TDAT_IMPORT_BLKTRACE_BLK_READER_H

#include "blk_seen.h"
#include "import/relay/capture.h"

extern const struct relay_kind blk_kind;

/*
 * Makes setup one of blktrace: finds version and byte order; files that cannot be read are
 * warned of and taken out. Fails when none is left.
 */
enum tdat_status blk_settle(struct relay_setup *s, struct blk_setup *own,
			    const struct relay_options *opts, struct relay_files *f,
			    const struct tdat_emit *emit, struct tdat_error *err);

#endif
