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
/* At most s->max characters; ptr NULL when there is nothing at addr. */
struct tdat_span ktr_strings_find(struct ktr_strings *s, uint64_t addr);

#endif
