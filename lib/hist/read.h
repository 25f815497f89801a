/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Reads fields of records for triggers and their filters. */
#ifndef TDAT_HIST_READ_H
#define TDAT_HIST_READ_H

#include "hist.h"

static inline uint64_t hist_sign_extend(uint64_t v, uint32_t len)
{
	return len == 4	  ? (uint64_t)(int64_t)(int32_t)v
	       : len == 2 ? (uint64_t)(int64_t)(int16_t)v
	       : len == 1 ? (uint64_t)(int64_t)(int8_t)v
			  : v;
}

static inline bool hist_read_number(const struct tdat_hist *h, const struct hist_efield *f,
				    const struct hist_hit *hit, uint64_t *out)
{
	if (f->off > hit->len || f->len > hit->len - f->off)
		return false;
	*out = tdat_load_uint(hit->record + f->off, f->len, h->big);
	if (f->is_signed)
		*out = hist_sign_extend(*out, f->len);
	return true;
}

/* The same for fields that filters name, among which is the CPU. */
static inline bool hist_read_filtered(const struct tdat_hist *h, const struct hist_efield *f,
				      const struct hist_hit *hit, uint64_t *out)
{
	*out = hit->cpu;
	return f->kind == HIST_TYPE_CPU || hist_read_number(h, f, hit, out);
}

/* The bytes of a char array, or those that a __data_loc or __rel_loc points to. */
static inline bool hist_read_bytes(const struct tdat_hist *h, const struct hist_efield *f,
				   const struct hist_hit *hit, struct tdat_span *out)
{
	uint32_t off = f->off, len = f->len;

	if (off > hit->len || len > hit->len - off || (f->kind != HIST_TYPE_STATIC && len < 4))
		return false;
	if (f->kind != HIST_TYPE_STATIC) {
		const uint32_t loc = tdat_load32(hit->record + off, h->big);

		off = (loc & 0xffff) + (f->kind == HIST_TYPE_REL ? off + 4 : 0);
		len = loc >> 16;
		if (off > hit->len || len > hit->len - off)
			return false;
	}
	*out = (struct tdat_span){hit->record + off, len};
	return true;
}

static inline struct tdat_span hist_until_nul(struct tdat_span s)
{
	const uint8_t *nul = s.len ? memchr(s.ptr, 0, s.len) : NULL;

	if (nul)
		s.len = (size_t)(nul - s.ptr);
	return s;
}

#endif
