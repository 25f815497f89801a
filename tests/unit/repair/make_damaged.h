/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Small clean files, and one kind of damage done to them. */
#ifndef TESTS_REPAIR_MAKE_DAMAGED_H
#define TESTS_REPAIR_MAKE_DAMAGED_H

#include <tdat/tdat.h>

struct damaged {
	uint32_t version;
	bool big;
	const char *compression; /* NULL: the plain kinds */
	uint32_t per_cpu;	 /* events of each CPU in each buffer */
	uint8_t *ptr;
	size_t len;
	struct tdat_file *clean; /* opened before the damage: tells where things are */
};

/* A file with 4 CPUs, a second buffer "inst" and several pages each; 300 events are enough. */
void damaged_make(struct damaged *d, uint32_t version, bool big, const char *compression,
		  uint32_t per_cpu);
void damaged_free(struct damaged *d);

/* One kind of damage; do_it returns false when the file has no such place. */
struct damage_kind {
	const char *name;
	bool chunked; /* of compressed files only */
	bool (*do_it)(struct damaged *d);
};

extern const struct damage_kind damage_kinds[];
extern const size_t damage_kind_count;

#endif
