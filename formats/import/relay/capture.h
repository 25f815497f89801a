/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Converts a capture of relay channels: files -> sub-buffers without padding -> records of each
 * file -> merged by time -> events. All of it but the records themselves is the same for every
 * producer; a relay_kind is what differs.
 */
#ifndef TDAT_IMPORT_RELAY_CAPTURE_H
#define TDAT_IMPORT_RELAY_CAPTURE_H

#include "channel_reader.h"
#include "relay_kind.h"
#include "relay_options.h"

/*
 * Takes over the geometry, and the byte order that was given or that padding counts show.
 * kind_needs: records depend on the order. guess: the kind's own, where there are no counts;
 * -1 for both are alike; may be NULL.
 */
void relay_setup_order(struct relay_setup *s, const struct relay_options *o,
		       const struct relay_files *f, bool kind_needs,
		       int (*guess)(struct tdat_span head));

/* Converts the capture, from the warnings of absent CPUs to the last fact. */
enum tdat_status relay_convert(struct relay_setup *setup, const struct relay_files *files,
			       const struct relay_options *opts, const struct tdat_emit *emit,
			       struct tdat_error *err);

#endif
