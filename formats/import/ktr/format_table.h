/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Keeps the format strings met so far, each parsed once. */
#ifndef TDAT_IMPORT_KTR_FORMAT_TABLE_H
#define TDAT_IMPORT_KTR_FORMAT_TABLE_H

#include <tdat/source.h>

#include "core/map.h"

struct ktr_format;
struct ktr_strings;

/* KTR_FORMATS_RECENT: places for those that were looked up last; a power of two. */
enum { KTR_FORMATS_MAX = 65536, KTR_FORMATS_RECENT = 256 };

/* All zero: none. */
struct ktr_formats {
	struct ktr_format **v; /* in the order of their first use */
	size_t cap;
	struct tdat_map map;
	struct ktr_format *recent[KTR_FORMATS_RECENT]; /* of v; NULL: none yet */
	bool overflown;				       /* there are more than KTR_FORMATS_MAX */
	struct ktr_format *spare;		       /* the one that is not kept */
	uint64_t unresolved, unsupported, many;	       /* different ones */
};

void ktr_formats_fini(struct ktr_formats *f);
/* Valid until the next call. */
enum tdat_status ktr_formats_find(struct ktr_formats *f, struct ktr_strings *strings, uint64_t addr,
				  unsigned int parm_count, struct ktr_format **out,
				  struct tdat_error *err);

#endif
