/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Keeps the formats met so far, by address. */
#include "format_table.h"

#include <stdlib.h>
#include <string.h>

#include "core/hash.h"
#include "kernel_strings.h"
#include "printf_format.h"

enum tdat_status ktr_formats_init(struct ktr_formats *f, struct tdat_error *err)
{
	memset(f, 0, sizeof(*f));
	f->seed = tdat_hash_seed();
	f->buckets = calloc(KTR_FORMAT_BUCKETS, sizeof(struct ktr_format *));
	if (!f->buckets)
		return tdat_error_no_memory(err, "the table of formats");
	return TDAT_OK;
}

void ktr_formats_fini(struct ktr_formats *f)
{
	for (size_t i = 0; f->buckets && i < KTR_FORMAT_BUCKETS; i++) {
		while (f->buckets[i]) {
			struct ktr_format *next = f->buckets[i]->next;

			free(f->buckets[i]);
			f->buckets[i] = next;
		}
	}
	free(f->buckets);
	free(f->spare);
	memset(f, 0, sizeof(*f));
}

static struct ktr_format **bucket_of(struct ktr_formats *f, uint64_t addr)
{
	return &f->buckets[tdat_hash_u64(f->seed, addr) % KTR_FORMAT_BUCKETS];
}

enum tdat_status ktr_formats_find(struct ktr_formats *f, struct ktr_strings *strings, uint64_t addr,
				  unsigned int parm_count, struct ktr_format **out,
				  struct tdat_error *err)
{
	struct ktr_format **recent =
		&f->recent[(addr * 0x9e3779b97f4a7c15ull >> 32) % KTR_FORMATS_RECENT];
	struct ktr_format **bucket, *made;

	if (*recent && (*recent)->addr == addr) {
		*out = *recent;
		return TDAT_OK;
	}
	bucket = bucket_of(f, addr);
	for (made = *bucket; made; made = made->next) {
		if (made->addr != addr)
			continue;
		*out = *recent = made;
		return TDAT_OK;
	}
	*out = made = ktr_format_new(addr, ktr_strings_find(strings, addr), parm_count);
	if (!made)
		return tdat_error_no_memory(err, "a format");
	if (f->count == KTR_FORMATS_MAX) {
		free(f->spare);
		f->spare = made;
		f->overflown = true;
		return TDAT_OK;
	}
	made->next = *bucket;
	*bucket = made;
	f->count++;
	f->unresolved += !made->resolved;
	f->unsupported += made->unsupported;
	f->many += made->many;
	return TDAT_OK;
}
