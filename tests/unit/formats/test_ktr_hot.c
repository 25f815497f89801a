/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the KTR importer does for each entry in a short way gives what the long way gives: the order
 * of entries that are nearly in order or not at all, and text with control bytes.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../common/run.h"
#include "core/endian.h"
#include "import/ktr/printf_format.h"
#include "import/ktr/reorder.h"

/* As ck_assert, but free when it holds: that writes to a pipe each time. */
#define EXPECT(cond)                                                                               \
	do {                                                                                       \
		if (!(cond))                                                                       \
			ck_abort_msg("%s", #cond);                                                 \
	} while (0)

enum { ENTRIES = 50000 };

struct entry {
	uint64_t ts;
	uint32_t cpu;
	uint32_t number;
};

struct given {
	const struct entry *expected;
	size_t count;
};

static enum tdat_status take(void *ctx, uint64_t ts, uint32_t cpu, struct tdat_span raw,
			     struct tdat_error *err)
{
	struct given *g = ctx;
	const struct entry *e = &g->expected[g->count++];

	(void)err;
	EXPECT(g->count <= ENTRIES && ts == e->ts && cpu == e->cpu);
	EXPECT(raw.len == 4 && tdat_load32(raw.ptr, false) == e->number);
	return TDAT_OK;
}

static int by_order(const void *pa, const void *pb)
{
	const struct entry *a = pa, *b = pb;

	if (a->ts != b->ts)
		return a->ts < b->ts ? -1 : 1;
	if (a->cpu != b->cpu)
		return a->cpu < b->cpu ? -1 : 1;
	return a->number < b->number ? -1 : a->number > b->number;
}

/* Entries are late by up to so much, in thousandths of what passes between two. */
static const uint64_t disorders[] = {0, 1, 3000, 30000, 300000, 3000000, 60000000};

START_TEST(order)
{
	struct entry *all = calloc(ENTRIES, sizeof(*all)), *sorted = calloc(ENTRIES, sizeof(*all));
	struct given given = {sorted, 0};
	struct ktr_blocks blocks;
	struct ktr_reorder *r;
	uint32_t state = 7;

	ck_assert(all && sorted);
	ktr_blocks_init(&blocks);
	for (uint32_t i = 0; i < ENTRIES; i++) {
		state = state * 1664525 + 1013904223;
		all[i].ts = 100000000 + i * 1000ull -
			    (disorders[_i] ? (state >> 4) % disorders[_i] : 0);
		all[i].ts /= 4000; /* many are equal */
		all[i].cpu = state >> 24 & 3;
		all[i].number = i;
		ktr_blocks_add(&blocks, all[i].ts);
	}
	ck_assert(ktr_blocks_end(&blocks));
	memcpy(sorted, all, ENTRIES * sizeof(*all));
	qsort(sorted, ENTRIES, sizeof(*sorted), by_order);
	ck_assert_int_eq(ktr_reorder_new(&r, &blocks, 4, take, &given, NULL), TDAT_OK);
	for (uint32_t i = 0; i < ENTRIES; i++) {
		uint8_t raw[4];

		tdat_store32(raw, i, false);
		EXPECT(ktr_reorder_add(r, all[i].ts, all[i].cpu, raw, NULL) == TDAT_OK);
	}
	ck_assert_int_eq(ktr_reorder_end(r, NULL), TDAT_OK);
	ck_assert_uint_eq(given.count, ENTRIES);
	ktr_reorder_free(r);
	ktr_blocks_fini(&blocks);
	free(all);
	free(sorted);
}
END_TEST

/* Each byte at each place of a text of 27 bytes. */
START_TEST(control_bytes)
{
	static const char letters[] = "abtnvfr";
	struct tdat_build out;

	tdat_build_init(&out, false);
	for (unsigned int c = 0; c < 256; c++)
		for (size_t at = 0; at < 27; at++) {
			const bool clean = c == '\t' || (c >= 0x20 && c != 0x7f);
			char expected[64], shown[8];
			uint8_t text[27];
			size_t len;

			memset(text, 'x', sizeof(text));
			text[at] = (uint8_t)c;
			if (clean)
				snprintf(shown, sizeof(shown), "%c", (int)c);
			else if (c >= 7 && c <= 13)
				snprintf(shown, sizeof(shown), "\\%c", letters[c - 7]);
			else
				snprintf(shown, sizeof(shown), "\\x%02x", c);
			len = (size_t)snprintf(expected, sizeof(expected), "%.*s%s%.*s", (int)at,
					       "xxxxxxxxxxxxxxxxxxxxxxxxxxxx", shown,
					       (int)(26 - at), "xxxxxxxxxxxxxxxxxxxxxxxxxxxx");
			out.len = 0;
			ktr_text_clean(&out, (struct tdat_span){text, sizeof(text)});
			EXPECT(out.len == len && !memcmp(out.ptr, expected, len));
		}
	tdat_build_fini(&out);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("ktr_hot");
	TCase *tc = tcase_create("hot");

	tcase_add_loop_test(tc, order, 0, sizeof(disorders) / sizeof(disorders[0]));
	tcase_add_test(tc, control_bytes);
	suite_add_tcase(suite, tc);
	return run_suite(suite);
}
