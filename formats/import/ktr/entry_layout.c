/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Takes an entry apart as it lay in memory: docs/formats/ktr.md §1. A layout is a table row
 * with the place of each member. The usual 64-bit layout has functions of its own, which do the
 * same.
 */
#include "entry_layout.h"

#include "core/endian.h"

#include <string.h>

/*
 * Columns as in struct ktr_layout: bytes of an entry and of a word; offsets of cpu, line, file,
 * format, thread and parameters; number of parameters; text lengths; kind of time.
 */
static const struct ktr_layout layouts[KTR_LAYOUT_COUNT] = {
	[KTR_V2_64] = {"freebsd-v2-64", 88, 8, 8, 12, 16, 24, 32, 40, 6, 0, 0, KTR_TIME_CYCLES},
	[KTR_V2_32] = {"freebsd-v2-32", 52, 4, 8, 12, 16, 20, 24, 28, 6, 0, 0, KTR_TIME_CYCLES},
	[KTR_V2_32A8] = {"freebsd-v2-32a8", 56, 4, 8, 12, 16, 20, 24, 28, 6, 0, 0, KTR_TIME_CYCLES},
	[KTR_V1_64] = {"freebsd-v1-64", 80, 8, 8, 12, 16, 24, 0, 32, 6, 0, 0, KTR_TIME_CYCLES},
	[KTR_V1_32] = {"freebsd-v1-32", 48, 4, 8, 12, 16, 20, 0, 24, 6, 0, 0, KTR_TIME_CYCLES},
	[KTR_BSDOS] = {"bsdos", 32, 4, 0, 0, 0, 8, 0, 12, 5, 0, 0, KTR_TIME_CYCLES},
	[KTR_2000_32] = {"freebsd-2000", 32, 4, 0, 0, 0, 8, 0, 12, 5, 0, 0, KTR_TIME_TIMESPEC32},
	[KTR_2000_64] = {"freebsd-2000-64", 64, 8, 0, 0, 0, 16, 0, 24, 5, 0, 0,
			 KTR_TIME_TIMESPEC64},
	[KTR_2000X] = {"freebsd-2000x", 128, 4, 124, 120, 88, 8, 0, 0, 0, 80, 32,
		       KTR_TIME_TIMESPEC32},
	[KTR_2001X] = {"freebsd-2001x", 100, 4, 96, 92, 88, 8, 0, 0, 0, 80, 0, KTR_TIME_TIMESPEC32},
};

const struct ktr_layout *ktr_layout(size_t id)
{
	return id < KTR_LAYOUT_COUNT ? &layouts[id] : NULL;
}

/* Nanoseconds since 1970; times before that or out of range become 0 and set *early. */
static uint64_t ns_of(int32_t sec, int64_t rest_ns, bool *early)
{
	int64_t ns = (int64_t)sec * 1000000000;

	if (__builtin_add_overflow(ns, rest_ns, &ns) || ns < 0) {
		*early = true;
		return 0;
	}
	return (uint64_t)ns;
}

/*
 * Reads the time at the entry's start: cycles, or seconds and a rest whose unit the layout names.
 */
static uint64_t decode_time(const struct ktr_setup *setup, const uint8_t *p, bool *early)
{
	int32_t sec = (int32_t)tdat_load32(p, setup->big);
	int32_t rest = (int32_t)tdat_load32(p + 4, setup->big);

	/* Timespecs of 64-bit kernels have the nanoseconds after padding, at offset 8. */
	switch (setup->time) {
	case KTR_TIME_TIMEVAL:
		return ns_of(sec, (int64_t)rest * 1000, early);
	case KTR_TIME_TIMESPEC32:
		return ns_of(sec, rest, early);
	case KTR_TIME_TIMESPEC64:
		return ns_of(sec, (int64_t)tdat_load64(p + 8, setup->big), early);
	default:
		return tdat_load64(p, setup->big);
	}
}

/* Text in a fixed array, which ends at a NUL or fills the array. */
static struct tdat_span text_at(const uint8_t *p, size_t cap)
{
	const uint8_t *nul = memchr(p, 0, cap);

	return (struct tdat_span){p, nul ? (size_t)(nul - p) : cap};
}

/*
 * Decodes an entry of 64-bit kernels since 2002, which most captures are of; ktr_decode does the
 * same for any layout (tests/unit/formats/test_ktr_layouts.c).
 */
static inline void decode_head_v2_64(const uint8_t *p, struct ktr_entry *out, const bool big)
{
	const struct ktr_layout *l = &layouts[KTR_V2_64];
	const uint32_t cpu = tdat_load32(p + l->cpu_off, big);

	out->early = out->has_text = false;
	out->ts = tdat_load64(p, big);
	out->bad_cpu = cpu >= KTR_CPU_MAX;
	out->cpu = out->bad_cpu ? 0 : cpu;
	out->desc = tdat_load64(p + l->desc_off, big);
	out->unused = !out->desc;
}

/* Decodes the rest. big is a constant at each call, so that the compiler makes two tight loops. */
static inline void decode_v2_64(const uint8_t *p, struct ktr_entry *out, const bool big)
{
	const struct ktr_layout *l = &layouts[KTR_V2_64];

	decode_head_v2_64(p, out, big);
	out->line = tdat_load32(p + l->line_off, big);
	out->file = tdat_load64(p + l->file_off, big);
	out->file_text = (struct tdat_span){NULL, 0};
	out->thread = tdat_load64(p + l->thread_off, big);
	for (unsigned int i = 0; i < KTR_PARMS; i++)
		out->parms[i] = tdat_load64(p + l->parm_off + 8 * i, big);
}

/* True if the specialized functions apply. */
static bool is_usual(const struct ktr_setup *setup)
{
	return setup->layout == &layouts[KTR_V2_64] && setup->time == KTR_TIME_CYCLES;
}

/* Decodes only time, cpu and whether the slot is used: the survey needs no more. */
void ktr_decode_head(const struct ktr_setup *setup, const uint8_t *p, struct ktr_entry *out)
{
	if (!is_usual(setup))
		ktr_decode(setup, p, out);
	else if (setup->big)
		decode_head_v2_64(p, out, true);
	else
		decode_head_v2_64(p, out, false);
}

/* Decodes a whole entry of any layout. An offset of 0 means that the layout lacks the member. */
void ktr_decode(const struct ktr_setup *setup, const uint8_t *p, struct ktr_entry *out)
{
	const struct ktr_layout *l = setup->layout;
	uint32_t cpu = l->cpu_off ? tdat_load32(p + l->cpu_off, setup->big) : 0;

	if (is_usual(setup)) {
		if (setup->big)
			decode_v2_64(p, out, true);
		else
			decode_v2_64(p, out, false);
		return;
	}
	out->early = false;
	out->ts = decode_time(setup, p, &out->early);
	out->bad_cpu = cpu >= KTR_CPU_MAX;
	out->cpu = out->bad_cpu ? 0 : cpu;
	out->line = l->line_off ? tdat_load32(p + l->line_off, setup->big) : 0;
	out->has_text = l->desc_len != 0;
	out->file = l->file_off && !l->file_len
			    ? tdat_load_uint(p + l->file_off, l->word, setup->big)
			    : 0;
	out->file_text =
		l->file_len ? text_at(p + l->file_off, l->file_len) : (struct tdat_span){NULL, 0};
	out->thread = l->thread_off ? tdat_load_uint(p + l->thread_off, l->word, setup->big) : 0;
	for (unsigned int i = 0; i < l->parm_count; i++)
		out->parms[i] = tdat_load_uint(p + l->parm_off + i * l->word, l->word, setup->big);
	for (unsigned int i = l->parm_count; i < KTR_PARMS; i++)
		out->parms[i] = 0;
	/* The entry holds the message itself, so there is no format to look up. */
	if (l->desc_len) {
		out->desc = 0;
		out->text = text_at(p + l->desc_off, l->desc_len);
		out->unused = !out->text.len;
		return;
	}
	out->desc = tdat_load_uint(p + l->desc_off, l->word, setup->big);
	out->unused = !out->desc;
}
