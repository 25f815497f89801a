/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Finds text at kernel addresses, in lists of strings and from ELF images. */
#ifndef TDAT_IMPORT_KTR_KERNEL_STRINGS_H
#define TDAT_IMPORT_KTR_KERNEL_STRINGS_H

#include <tdat/emit.h>

#include "core/build.h"

enum { KTR_STRINGS_CACHE = 4096 };

struct ktr_strings_slot {
	uint64_t addr;
	struct tdat_span text;
	bool set;
	bool clean; /* there is a text, and all of its bytes are shown as they are */
};

struct ktr_strings {
	struct ktr_image **images;
	const char **module_names; /* of images; NULL for a kernel */
	size_t image_count, image_cap, module_cap;
	struct tdat_build table; /* of struct strings_entry, sorted */
	struct tdat_build bytes;
	size_t max; /* characters shown */
	struct ktr_strings_slot cache[KTR_STRINGS_CACHE];
};

void ktr_strings_init(struct ktr_strings *s);
void ktr_strings_fini(struct ktr_strings *s);
/* Takes the image over, also on failure. */
enum tdat_status ktr_strings_add_image(struct ktr_strings *s, struct ktr_image *image,
				       const char *module, struct tdat_error *err);
/* Lines of 0xADDR<TAB>"text". */
enum tdat_status ktr_strings_add_file(struct ktr_strings *s, const struct tdat_import_input *in,
				      const struct tdat_emit *emit, struct tdat_error *err);
bool ktr_strings_any(const struct ktr_strings *s);
/* Fills the slot of an address anew. */
void ktr_strings_fill(const struct ktr_strings *s, struct ktr_strings_slot *slot, uint64_t addr);

/* The text at addr, at most s->max characters; its ptr is NULL when there is nothing. */
static inline const struct ktr_strings_slot *ktr_strings_look(struct ktr_strings *s, uint64_t addr)
{
	struct ktr_strings_slot *slot =
		&s->cache[(addr ^ addr >> 12 ^ addr >> 24) % KTR_STRINGS_CACHE];

	if (!slot->set || slot->addr != addr)
		ktr_strings_fill(s, slot, addr);
	return slot;
}

static inline struct tdat_span ktr_strings_find(struct ktr_strings *s, uint64_t addr)
{
	return ktr_strings_look(s, addr)->text;
}

#endif
