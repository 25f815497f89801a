/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Guesses which layout and byte order the bytes of a capture look most like. */
#ifndef TDAT_IMPORT_KTR_ENTRY_GUESS_H
#define TDAT_IMPORT_KTR_ENTRY_GUESS_H

#include <tdat/emit.h>

#include "entry_layout.h"

struct ktr_strings;

struct ktr_candidates {
	bool allowed[KTR_SCORED][2]; /* by layout and byte order */
	size_t count;
};

struct ktr_score {
	int64_t points;
	uint64_t seen; /* entries looked at that are not all zero */
	uint64_t plausible;
};

/*
 * The best of the candidates; TDAT_E_FORMAT when none is plausible. All sources
 * empty: setup->layout stays NULL.
 */
enum tdat_status ktr_detect(struct ktr_setup *setup, const struct ktr_candidates *candidates,
			    const struct tdat_import_input *const *data, size_t data_count,
			    struct ktr_strings *strings, struct tdat_error *err);
/* The byte order of a layout that is given; strings: NULL when there are none. */
bool ktr_detect_big(const struct ktr_setup *setup, const struct tdat_import_input *const *data,
		    size_t data_count, struct ktr_strings *strings);
uint32_t ktr_probe(const struct tdat_import_input *inputs, size_t input_count);

#endif
