/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Keeps the formats met so far, by address. A format is parsed once, when its address is met
 * first, and found by a keyed hash. Beyond KTR_FORMATS_MAX formats each further one is made
 * anew for every entry, which the flag overflown says.
 */
#include "ktr.h"

#include <stdlib.h>
#include <string.h>

#include "kernel_strings.h"
#include "printf_format.h"

void ktr_formats_fini(struct ktr_formats *f)
{
	for (size_t i = 0; i < f->map.count; i++)
		free(f->v[i]);
	free(f->v);
	tdat_map_fini(&f->map);
	free(f->spare);
	memset(f, 0, sizeof(*f));
}

/*
 * Finds the parsed format at an address, or parses it. *out belongs to the table and lives as long
 * as it; a spare one lives until the next call.
 */
enum tdat_status ktr_formats_find(struct ktr_formats *f, struct ktr_strings *strings, uint64_t addr,
				  unsigned int parm_count, struct ktr_format **out,
				  struct tdat_error *err)
{
	/* A small direct-mapped cache in front of the table: most entries repeat a few formats. */
	struct ktr_format **recent =
		&f->recent[(addr * 0x9e3779b97f4a7c15ull >> 32) % KTR_FORMATS_RECENT];
	struct ktr_format *made;
	uint64_t hash;
	uint32_t i;

	if (*recent && (*recent)->addr == addr) {
		*out = *recent;
		return TDAT_OK;
	}
	if (!TDAT_MAP_GROW(&f->map, f->v, &f->cap))
		return tdat_error_no_memory(err, "the table of formats");
	hash = tdat_hash_u64(f->map.seed, addr);
	TDAT_MAP_FIND(i, &f->map, hash, f->v[i]->addr == addr);
	if (i != TDAT_MAP_NONE) {
		*out = *recent = f->v[i];
		return TDAT_OK;
	}
	*out = made = ktr_format_new(addr, ktr_strings_find(strings, addr), parm_count);
	if (!made)
		return tdat_error_no_memory(err, "a format");
	for (size_t n = 0; f->no_string_width && n < made->conv_count; n++)
		if (made->convs[n].kind == 's')
			made->convs[n].width = 0;
	/* The table is full: keep only the newest of the further formats. */
	if (f->map.count == KTR_FORMATS_MAX) {
		free(f->spare);
		f->spare = made;
		f->overflown = true;
		return TDAT_OK;
	}
	f->v[tdat_map_add(&f->map, hash)] = made;
	/* Counted once per format, for the warnings at the end of the import. */
	f->unresolved += !made->resolved;
	f->unsupported += made->unsupported;
	f->many += made->many;
	return TDAT_OK;
}
