/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Sorts the inputs of a KTR capture by kind: entries, listings, strings and images. */
#ifndef TDAT_IMPORT_KTR_KTR_INPUTS_H
#define TDAT_IMPORT_KTR_KTR_INPUTS_H

#include <tdat/emit.h>

#include "ring_meta.h"

struct ktr_files {
	struct ktr_meta meta;
	const struct tdat_import_input **data; /* binary */
	size_t data_count;
	const struct tdat_import_input **texts; /* text forms */
	size_t text_count;
	const struct tdat_import_input **sidecars; /* strings and ELF files */
	size_t sidecar_count;
};

enum tdat_status ktr_files_init(struct ktr_files *f, const struct tdat_import_request *request,
				const struct tdat_emit *emit, struct tdat_error *err);
void ktr_files_fini(struct ktr_files *f);
/* ktr<N>.bin -> N */
bool ktr_ring_cpu(const char *name, uint32_t *cpu);
bool ktr_is_strings_name(const char *name);
/* Whether an option names the input. */
bool ktr_is_option_file(const struct tdat_import_request *request, const char *key,
			const struct tdat_import_input *in);
bool ktr_is_elf(const struct tdat_source *source);

#endif
