/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Reads options that all importers of relay channels have, and what a meta file says instead. */
#ifndef TDAT_IMPORT_RELAY_RELAY_OPTIONS_H
#define TDAT_IMPORT_RELAY_RELAY_OPTIONS_H

#include "subbufs.h"

struct relay_options {
	size_t order;	   /* 0 little, 1 big, 2 to be found */
	const char *uname; /* NULL: unknown */
	bool wall_clock;
	bool mark_dropped;
	bool has_padding;
	uint32_t threads; /* that may read; 0: one per CPU */
	struct relay_geometry geometry;
};

enum { RELAY_ORDER_UNKNOWN = 2 };

/* Options that the importer does not describe are not given, and so left as they are. */
enum tdat_status relay_options_read(struct relay_options *o,
				    const struct tdat_import_request *request,
				    struct tdat_error *err);
/* What the user gave goes before what the meta file says. meta: NULL without one. */
enum tdat_status relay_meta_read(struct relay_options *o, const struct tdat_import_input *meta,
				 const struct tdat_emit *emit, struct tdat_error *err);
/* The number after "key=" of a meta file, of min to max; a bad one costs a warning. */
enum tdat_status relay_meta_u64(const struct tdat_import_input *meta, const char *key, uint64_t min,
				uint64_t max, uint64_t *out, const struct tdat_emit *emit,
				struct tdat_error *err);
/* The number that a sidecar holds (NULL: *out stays); a bad one costs a warning, and is 0. */
enum tdat_status relay_sidecar_u64(const struct tdat_import_input *in, const struct tdat_emit *emit,
				   uint64_t *out, struct tdat_error *err);

#endif
